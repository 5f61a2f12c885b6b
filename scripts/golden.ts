/**
 * The `golden` task: prints the golden corpus (blocks of fixed requests) as the engine answers it
 * now: the hashes of its blocks, or with --figures the requests and figures, of all blocks or some.
 */
import { parseArgs } from "node:util"
import { drawBlocks, expandBlock, printCorpus } from "../test/golden/corpus.ts"
import { Misuse } from "./harness.ts"

export default (args: ReadonlyArray<string>) => {
  const options = { figures: { type: "boolean", default: false } } as const
  const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
  const all = drawBlocks()
  const chosen = positionals.length === 0 ? all : positionals.flatMap((number) => all[Number(number)] ?? [])
  if (chosen.length < positionals.length) throw new Misuse(`blocks are numbered from 0 to ${all.length - 1}`)
  process.stdout.write(values.figures ? chosen.map(expandBlock).join("\n") : printCorpus(chosen))
}
