/**
 * The `bench` task: measures the speeds that docs/performance.md states. Each bench is a file of
 * its own and prints its inputs with its figures. Nothing fails on a slow machine: what counts are
 * ratios within one run.
 */
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { Misuse, say } from "./harness.ts"

const BENCHES: Readonly<Record<string, (isQuick: boolean, beside: string | undefined) => Promise<string>>> = {
  engine: async (isQuick, beside) => (await import("./bench/engine.ts")).benchEngine(isQuick, beside),
  http: async (isQuick, beside) => (await import("./bench/http.ts")).benchHttp(isQuick, beside!),
  log: async (isQuick) => (await import("./bench/log.ts")).benchLog(isQuick),
  portfolio: async (isQuick) => (await import("./bench/portfolio.ts")).benchPortfolio(isQuick)
}

const HOW_TO_CHECK_OUT = `bench http needs --beside <folder>: another version of this project, with its modules. For the hand-written server:
git worktree add <folder> 09f8d4e && (cd <folder> && npm ci)`

export default async (args: ReadonlyArray<string>) => {
  const options = { quick: { type: "boolean", default: false }, beside: { type: "string" } } as const
  const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
  const unknown = positionals.filter((name) => !Object.hasOwn(BENCHES, name))
  if (unknown.length > 0)
    throw new Misuse(`no bench is called ${unknown.join(", ")}; there is ${Object.keys(BENCHES).join(", ")}`)
  const names = positionals.length === 0 ? Object.keys(BENCHES) : positionals
  const beside = values.beside === undefined ? undefined : resolve(values.beside)
  if (beside === undefined && names.includes("http")) throw new Misuse(HOW_TO_CHECK_OUT)
  for (const name of names) {
    console.error(`bench ${name}: takes minutes`)
    say(await BENCHES[name]!(values.quick, beside))
  }
}
