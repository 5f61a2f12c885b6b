/**
 * Documents for operators, checked against a running service. docs/operating.md lists exactly the
 * families of metrics. The alerts and the dashboard of deploy/ use existing ones.
 */
import { readFileSync } from "node:fs"
import { beforeAll, describe, expect, it } from "vitest"
import { makeCosigner } from "../../src/services/log/keys.ts"
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
  const { verifierKey } = await makeCosigner("w.example/1", new Uint8Array(32).fill(1))
  const LOG_WITNESSES_TEXT = `witness one ${verifierKey} http://127.0.0.1:9\nquorum one`
  const settings = { METRICS_PORT: String(metricsPort), LOG_WITNESSES_TEXT, ...limits }
  return { ...(await startService(settings)), metricsPort }
})
let page: Scrape
beforeAll(async () => {
  await service().call("GET", "/health")
  // The log reports its checkpoint after its first round.
  await until(async () => {
    page = await scrape(service().metricsPort)
    return page.families.has("log_checkpoint_timestamp_seconds")
  })
})

const WORDS = new Set(["and", "or", "unless", "by", "on", "without", "ignoring", "offset", "bool"])
/** Produced by Prometheus itself. */
const PROMETHEUS_METRIC = "up"

/** Metrics that an expression uses: names that are not a function, a keyword, a label or text. */
const metricsIn = (expression: string): ReadonlyArray<string> => {
  const bare = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, " ")
    .replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, " ")
  return [...bare.matchAll(/\b([a-z][a-z_0-9]*)\b(?!\s*\()/g)].flatMap(([, name]) => (WORDS.has(name!) ? [] : [name!]))
}

/** Whether Prometheus would find it: counters and gauges by name, a histogram by its parts. */
const isKnown = (name: string): boolean => {
  const whole = name.replace(/_(bucket|sum|count)$/, "")
  return page.families.get(whole) === "histogram"
    ? whole !== name
    : page.families.has(name) || name === PROMETHEUS_METRIC
}

describe("the page of metrics", () => {
  it("reports the duration of an answer, not its time", () => {
    const sums = [...page.samples].filter(([name]) => /^http_request_duration_seconds_sum.*\/health/.test(name))
    expect(sums).toHaveLength(1)
    expect(sums[0]![1]).toBeGreaterThanOrEqual(0)
    expect(sums[0]![1]).toBeLessThan(60)
  })

  it("counts refusals, and the size of database batches", async () => {
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

  it("is served while the database does not answer, without the metrics that need it", async () => {
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
  it("lists every family of the page, with its type, and no other", () => {
    expect(new Map([...documentedFamilies(operating)].sort())).toEqual(new Map([...page.families].sort()))
  })
})

describe("the alerts", () => {
  const expressions = [...alerts.matchAll(/^ {8}expr: (?:>-\n)?([\s\S]*?)\n {8}\w/gm)].map(
    ([, expression]) => expression!
  )
  const rules = alerts.split("- alert: ").slice(1)

  it("are fourteen, and use existing metrics", () => {
    expect(rules).toHaveLength(14)
    expect(expressions).toHaveLength(14)
    for (const expression of expressions) {
      expect(metricsIn(expression).length, expression).toBeGreaterThan(0)
      expect(metricsIn(expression).filter((name) => !isKnown(name))).toEqual([])
    }
  })

  it("say what to do, and link to the documentation", () => {
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
  it("shows existing metrics", () => {
    const { panels } = JSON.parse(dashboard) as { panels: ReadonlyArray<{ targets: ReadonlyArray<{ expr: string }> }> }
    const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)))
    expect(shown.length).toBeGreaterThanOrEqual(panels.length)
    expect(shown.filter((name) => !isKnown(name))).toEqual([])
  })
})
