/**
 * Measures what this project promises about speed: `npm run bench -- <name> [--json]`. Each bench is a file of its own and
 * prints its inputs with its figures. Nothing is asserted: machines differ, so a missed goal is shown, not failed.
 */

/** What a bench found, to read and as data. */
export interface Findings {
  readonly text: string
  readonly data: unknown
}

const BENCHES: Readonly<Record<string, () => Promise<Findings>>> = {
  engine: async () => (await import("./engine.ts")).benchEngine()
}

const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const bench = names.length === 1 ? BENCHES[names[0]!] : undefined
if (bench === undefined) {
  console.error(`usage: npm run bench -- <${Object.keys(BENCHES).join(" | ")}> [--json]`)
  process.exitCode = 2
} else {
  const { data, text } = await bench()
  console.log(process.argv.includes("--json") ? JSON.stringify(data, null, 2) : text)
}
