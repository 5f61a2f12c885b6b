/**
 * Measures what this project promises about speed: `npm run bench -- [name] [--quick] [--json]`. Each bench is a file of its own and
 * prints its inputs with its figures. Nothing is asserted: machines differ, so a missed goal is shown, not failed.
 */

/** What a bench found, to read and as data. */
export interface Findings {
  readonly text: string
  readonly data: unknown
}

const BENCHES: Readonly<Record<string, () => Promise<Findings>>> = {
  engine: async () => (await import("./engine.ts")).benchEngine(),
  http: async () => (await import("./http.ts")).benchHttp(process.argv.includes("--quick")),
  ledger: async () => (await import("./ledger.ts")).benchLedger(),
  log: async () => (await import("./log.ts")).benchLog(),
  pooled: async () => (await import("./pooled.ts")).benchPooled(),
  portfolio: async () => (await import("./portfolio.ts")).benchPortfolio()
}

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const unknown = asked.filter((name) => BENCHES[name] === undefined)
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(", ")}; there is ${Object.keys(BENCHES).join(", ")}`)
  process.exitCode = 2
} else {
  for (const name of asked.length === 0 ? Object.keys(BENCHES) : asked) {
    console.error(`bench ${name}: takes minutes`)
    const { data, text } = await BENCHES[name]!()
    console.log(process.argv.includes("--json") ? JSON.stringify(data, null, 2) : text)
  }
}
