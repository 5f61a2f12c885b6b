/**
 * The `bench` task: measures the speeds that docs/performance.md states. Each bench is a file of
 * its own and prints its inputs with its figures. A missed goal is reported and does not fail the
 * task, because machines differ.
 */
import { parseArgs } from "node:util"
import type { Findings } from "./bench/findings.ts"
import { Misuse, say } from "./harness.ts"

const BENCHES: Readonly<Record<string, (isQuick: boolean, beside: string) => Promise<Findings>>> = {
  engine: async () => (await import("./bench/engine.ts")).benchEngine(),
  http: async (isQuick, beside) => (await import("./bench/http.ts")).benchHttp(isQuick, beside),
  ledger: async (isQuick) => (await import("./bench/ledger.ts")).benchLedger(isQuick),
  log: async (isQuick) => (await import("./bench/log.ts")).benchLog(isQuick),
  pooled: async () => (await import("./bench/pooled.ts")).benchPooled(),
  portfolio: async (isQuick) => (await import("./bench/portfolio.ts")).benchPortfolio(isQuick)
}

const HOW_TO_CHECK_OUT =
  "bench http needs --beside <folder>: git worktree add <folder> 09f8d4e && (cd <folder> && npm ci)"

export default async (args: ReadonlyArray<string>) => {
  const flag = { type: "boolean", default: false } as const
  const options = { quick: flag, json: flag, beside: { type: "string" } } as const
  const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
  const unknown = positionals.filter((name) => !Object.hasOwn(BENCHES, name))
  if (unknown.length > 0)
    throw new Misuse(`no bench is called ${unknown.join(", ")}; there is ${Object.keys(BENCHES).join(", ")}`)
  const names = positionals.length === 0 ? Object.keys(BENCHES) : positionals
  const { beside = "", json, quick } = values
  if (beside === "" && names.includes("http")) throw new Misuse(HOW_TO_CHECK_OUT)
  for (const name of names) {
    console.error(`bench ${name}: takes minutes`)
    const { data, text } = await BENCHES[name]!(quick, beside)
    say(json ? JSON.stringify(data, null, 2) : text)
  }
}
