/** The metrics of a running service, parsed from its metrics page. */

import { until } from "./until.ts"

export interface Scrape {
  readonly text: string
  /** Samples by name with labels, as written on the page. */
  readonly samples: ReadonlyMap<string, number>
  readonly families: ReadonlyMap<string, string>
}

const LINE = /^([a-z_0-9]+(?:\{.*\})?) (\S+)$/

export const scrape = async (metricsPort: number): Promise<Scrape> => {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  if (response.status !== 200) throw new Error(`no metrics: ${response.status}`)
  const text = await response.text()
  const lines = text.trim().split("\n")
  const samples = lines.flatMap((line) => {
    const [, name, value] = LINE.exec(line) ?? []
    return name === undefined ? [] : [[name, Number(value)] as const]
  })
  const families = lines.flatMap((line) => {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    return name === undefined ? [] : [[name, type!] as const]
  })
  return { text, samples: new Map(samples), families: new Map(families) }
}

/** Settings with which a service has every metric; its witness does not answer. */
export const METERED = {
  LOG_WITNESSES_TEXT:
    "witness one w.example/1+e49b0a06+BIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c http://127.0.0.1:9\nquorum one"
}

/** The metrics once the log has reported its checkpoint, which it does after its first round. */
export const scrapeAll = async (metricsPort: number): Promise<Scrape> => {
  let page = await scrape(metricsPort)
  await until(async () => {
    page = await scrape(metricsPort)
    return page.families.has("log_checkpoint_timestamp_seconds")
  })
  return page
}
