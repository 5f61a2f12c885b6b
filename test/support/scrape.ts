/** The metrics of a running service, parsed from its metrics page. */

export interface Scrape {
  /** Samples by name with labels, as written on the page. */
  readonly samples: ReadonlyMap<string, number>
  readonly families: ReadonlyMap<string, string>
}

const LINE = /^([a-z_0-9]+(?:\{.*\})?) (\S+)$/

export const scrape = async (metricsPort: number): Promise<Scrape> => {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  if (response.status !== 200) throw new Error(`no metrics: ${response.status}`)
  const lines = (await response.text()).trim().split("\n")
  const samples = lines.flatMap((line) => {
    const [, name, value] = LINE.exec(line) ?? []
    return name === undefined ? [] : [[name, Number(value)] as const]
  })
  const families = lines.flatMap((line) => {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    return name === undefined ? [] : [[name, type!] as const]
  })
  return { samples: new Map(samples), families: new Map(families) }
}

/** The metric families in the table of the operators' documentation, with their types. */
export const documentedFamilies = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/^\| `([a-z0-9_]+)` \| (counter|gauge|histogram) \|/gm)].map(([, name, type]) => [name!, type!])
  )
