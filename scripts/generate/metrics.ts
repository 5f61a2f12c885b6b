/** The generator of docs/generated/metrics.md, from the metrics page of a running service. */
import { freePort } from "../../test/support/freePort.ts"
import { METERED, scrapeAll } from "../../test/support/scrape.ts"
import { service } from "../harness.ts"

export const METRICS_FILE = "docs/generated/metrics.md"

const HEAD = `# Metrics

Each process serves its own \`/metrics\` ([watching](../watching.md#metrics)). The metrics of
witnesses exist only if there are any. \`npm run x -- generate metrics\` makes this page from a
running service.

| family | type | meaning |
|---|---|---|
`

/** The page for the metrics in the text format of Prometheus. */
export const renderMetrics = (text: string): string => {
  const families = [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \1 (\S+)$/gm)]
  const rows = families.map(([, name, help, type]) => `| \`${name}\` | ${type} | ${help} |\n`)
  return HEAD + rows.sort().join("")
}

export const metricsFiles = async () => {
  const metricsPort = await freePort()
  const { base } = await service({ ...METERED, METRICS_PORT: String(metricsPort) })
  await fetch(`${base}/health`)
  return { [METRICS_FILE]: renderMetrics((await scrapeAll(metricsPort)).text) }
}
