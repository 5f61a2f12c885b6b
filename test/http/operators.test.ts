/**
 * Documents for operators, checked against a running service and the code: the list of metrics, the
 * alerts, the dashboard, and the log lines and statuses that docs/incidents.md explains.
 */
import { globSync, readFileSync } from "node:fs"
import { beforeAll, describe, expect, it } from "vitest"
import { METRICS_FILE, renderMetrics } from "../../scripts/generate/metrics.ts"
import { freePort } from "../support/freePort.ts"
import { projection } from "../support/requests.ts"
import { startService, useStarted } from "../support/runningService.ts"
import { METERED, type Scrape, scrape, scrapeAll } from "../support/scrape.ts"
import { until } from "../support/until.ts"

const incidents = readFileSync("docs/incidents.md", "utf8")
const alerts = readFileSync("deploy/prometheus/alerts.yml", "utf8")
const dashboard = readFileSync("deploy/grafana/dashboard.json", "utf8")

const service = useStarted(async () => {
  const metricsPort = await freePort()
  const limits = { SANDBOX_MONTHLY_CALLS: "1", RATE_LIMIT_VERIFY: "1/m" }
  const settings = { METRICS_PORT: String(metricsPort), ...METERED, ...limits }
  return { ...(await startService(settings)), metricsPort }
})
let page: Scrape
beforeAll(async () => {
  await service().call("GET", "/health")
  page = await scrapeAll(service().metricsPort)
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

describe("docs/generated/metrics.md", () => {
  it("lists every metric of the page, with its type and meaning, and no other", () => {
    const documented = readFileSync(METRICS_FILE, "utf8")
    expect(documented).toBe(renderMetrics(page.text))
    expect(documented.match(/^\| `/gm)).toHaveLength(page.families.size)
  })
})

describe("docs/incidents.md", () => {
  const quoted = [...incidents.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`]+)`/g)].map(([, text]) => text!)

  it("quotes log lines and statuses that the code has", () => {
    const source = globSync("src/**/*.ts")
      .map((file) => readFileSync(file, "utf8"))
      .join("\n")
    const lines = quoted.filter((text) => /^(?!repay |SELECT )[A-Za-z]\S* \S+ \S/.test(text))
    expect(lines.length).toBeGreaterThan(30)
    expect(lines.filter((line) => !source.includes(line))).toEqual([])
  })

  it("explains every alert, and uses existing metrics", () => {
    const named = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)
    expect(named.filter((name) => !quoted.includes(name))).toEqual([])
    const metrics = quoted.filter((text) => /^(?!pg_|default_)[a-z]+(_[a-z0-9]+)+$/.test(text))
    expect(metrics.length).toBeGreaterThan(4)
    expect(metrics.filter((name) => !isKnown(name) && !page.families.has(name))).toEqual([])
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
    const anchors = [...incidents.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, "")
        .replaceAll(" ", "-")
    )
    for (const rule of rules) {
      expect(rule).toMatch(/\n {10}summary: .+\n {10}description: .+\n/)
      expect(anchors).toContain(/runbook_url: docs\/incidents\.md#(\S+)/.exec(rule)?.[1])
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
