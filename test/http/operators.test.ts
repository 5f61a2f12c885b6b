/**
 * What operators go by, against the page of a running service: the table of docs/operating.md has every family of metrics
 * and no other, and the alerts and the dashboard of deploy/ ask for families that there are.
 */
import { readFileSync } from "node:fs"
import { beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../support/freePort.ts"
import { projection } from "../support/requests.ts"
import { startService, useStarted } from "../support/runningService.ts"
import { documentedFamilies, type Scrape, scrape } from "../support/scrape.ts"
import { until } from "../support/until.ts"

const operating = readFileSync("docs/operating.md", "utf8")
const alerts = readFileSync("deploy/prometheus/alerts.yml", "utf8")
const dashboard = readFileSync("deploy/grafana/dashboard.json", "utf8")

const service = useStarted(async () => {
  const metricsPort = await freePort()
  const limits = { SANDBOX_MONTHLY_CALLS: "1", RATE_LIMIT_VERIFY: "1/m" }
  return { ...(await startService({ METRICS_PORT: String(metricsPort), ...limits })), metricsPort }
})
let page: Scrape
beforeAll(async () => {
  await service().call("GET", "/health")
  // The first round of the log tells of its checkpoint.
  await until(async () => {
    page = await scrape(service().metricsPort)
    return page.families.has("log_checkpoint_timestamp_seconds")
  })
})

const WORDS = new Set(["and", "or", "unless", "by", "on", "without", "ignoring", "offset", "bool"])
/** Made by Prometheus itself. */
const OF_PROMETHEUS = "up"

/** The metrics that an expression asks for: names that are no function, word of the language, label or text. */
const metricsIn = (expression: string): ReadonlyArray<string> => {
  const bare = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, " ")
    .replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, " ")
  return [...bare.matchAll(/\b([a-z][a-z_0-9]*)\b(?!\s*\()/g)].flatMap(([, name]) => (WORDS.has(name!) ? [] : [name!]))
}

/** Whether Prometheus would find it: a counter or gauge by its name, a histogram by those of its parts. */
const isThere = (name: string): boolean => {
  const whole = name.replace(/_(bucket|sum|count)$/, "")
  return page.families.get(whole) === "histogram" ? whole !== name : page.families.has(name) || name === OF_PROMETHEUS
}

describe("the page", () => {
  it("tells how long an answer took, not when it was made", () => {
    const sums = [...page.samples].filter(([name]) => /^http_request_duration_seconds_sum.*\/health/.test(name))
    expect(sums).toHaveLength(1)
    expect(sums[0]![1]).toBeGreaterThanOrEqual(0)
    expect(sums[0]![1]).toBeLessThan(60)
  })

  it("counts what is refused, and what is asked of the database together", async () => {
    const key = await service().mint()
    const statuses: Array<number> = []
    for (const path of ["/v1/me", "/v1/me", "/v1/verify/none", "/v1/verify/none"])
      statuses.push((await service().call("GET", path, { key })).status)
    expect(statuses).toEqual([200, 429, 404, 429])
    const { samples } = await scrape(service().metricsPort)
    expect(samples.get('quota_refused_total{tier="Sandbox"}')).toBe(1)
    expect(samples.get('rate_limited_total{limit="verify"}')).toBe(1)
    expect(samples.get('group_commit_batch_size_count{work="charge"}')).toBe(1)
    expect(samples.get('group_commit_batch_size_sum{work="charge"}')).toBe(1)
  })

  it("comes while the database does not answer, without what only the database knows", async () => {
    const key = await service().mint()
    const held = await service().hold("answer")
    const waiting = service().call("POST", "/v1/projection", { key, json: projection })
    try {
      await until(async () => {
        const { families, samples } = await scrape(service().metricsPort)
        expect(families.has("log_waiting_records") || families.has("outbox_waiting_mails")).toBe(false)
        return samples.get("database_pool_connections_in_use")! > 0
      })
    } finally {
      await held.release()
    }
    await waiting
    await until(async () => (await scrape(service().metricsPort)).families.has("log_waiting_records"))
  })
})

describe("the table of metrics", () => {
  it("has every family of the page, with its type, and no other", () => {
    expect(new Map([...documentedFamilies(operating)].sort())).toEqual(new Map([...page.families].sort()))
  })
})

describe("the alerts", () => {
  const expressions = [...alerts.matchAll(/^ {8}expr: (?:>-\n)?([\s\S]*?)\n {8}\w/gm)].map(
    ([, expression]) => expression!
  )
  const rules = alerts.split("- alert: ").slice(1)

  it("are eleven, and ask for metrics that there are", () => {
    expect(rules).toHaveLength(11)
    expect(expressions).toHaveLength(11)
    for (const expression of expressions) {
      expect(metricsIn(expression).length, expression).toBeGreaterThan(0)
      expect(metricsIn(expression).filter((name) => !isThere(name))).toEqual([])
    }
  })

  it("say what to do, and where in the documentation it stands", () => {
    const anchors = [...operating.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, "")
        .replaceAll(" ", "-")
    )
    for (const rule of rules) {
      expect(rule).toMatch(/\n {10}summary: .+\n {10}description: .+\n/)
      expect(anchors).toContain(/runbook_url: docs\/operating\.md#(\S+)/.exec(rule)?.[1])
    }
  })
})

describe("the dashboard", () => {
  it("shows metrics that there are", () => {
    const { panels } = JSON.parse(dashboard) as { panels: ReadonlyArray<{ targets: ReadonlyArray<{ expr: string }> }> }
    const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)))
    expect(asked.length).toBeGreaterThanOrEqual(panels.length)
    expect(asked.filter((name) => !isThere(name))).toEqual([])
  })
})
