/** `repay portfolio run` without the command line: from files to files. */
import { existsSync } from "node:fs"
import { rm } from "node:fs/promises"
import { Effect, type Ref, type Scope } from "effect"
import { ruleVersion } from "../../ledger/release.ts"
import { concatenate } from "./assemble.ts"
import type { Portfolio } from "./chunk.ts"
import type { Computers } from "./computers.ts"
import { besideOf, inputFormatOf, type ResultFormat } from "./files.ts"
import { type Input, type PortfolioProblem, problem } from "./input/input.ts"
import { lineFiles } from "./input/lines.ts"
import { Parts, writeWhole } from "./parts.ts"
import { type Reported, reportOf } from "./report.ts"
import { WRITING } from "./results.ts"
import { computeParts, fromPromise, type Progress } from "./run.ts"
import type { Summary } from "./summary.ts"

/** What is asked for: which files, and where the results go. */
export interface RunRequest {
  readonly files: ReadonlyArray<string>
  readonly out: string
  readonly format: ResultFormat
  readonly overwrite: boolean
  readonly portfolio: Portfolio
}

/** Everything that a run came to. */
export interface Finished extends Reported {
  readonly files: ReturnType<typeof besideOf>
}

const openInput = (files: ReadonlyArray<string>): Promise<Input> => {
  const formats = new Set(files.map(inputFormatOf))
  if (formats.size > 1)
    throw problem("The files of one run must be of one kind: all JSON lines, all CSV or all parquet")
  return lineFiles(files)
}

const refuseToReplace = ({ out, overwrite }: RunRequest): Effect.Effect<void, PortfolioProblem> =>
  existsSync(out) && !overwrite && !existsSync(besideOf(out).parts)
    ? Effect.fail(problem(`${out} is there already: name another file, or add --overwrite`))
    : Effect.void

const writeResults = async ({ format, out }: RunRequest, parts: Parts, count: number) => {
  if (format === "parquet") throw problem("parquet is not written yet")
  await concatenate(WRITING[format].head, parts.rowsFiles(count), out)
}

/** Where no row was rejected there is no file of them, also none of an earlier run. */
const writeRejected = (file: string, { rejected }: Summary, parts: Parts, count: number): Promise<void> =>
  rejected === 0 ? rm(file, { force: true }) : concatenate("", parts.rejectedFiles(count), file)

/** The manifest names everything that the bytes of the results depend on. */
const openParts = ({ out, portfolio }: RunRequest, { fingerprint }: Input): Promise<Parts> =>
  Parts.open(besideOf(out).parts, { input: fingerprint, ruleVersion, ...portfolio })

/**
 * Computes, writes the results and what stands beside them, and removes the parts.
 * @param computersOf who computes the chunks, for as long as the scope lasts
 */
export const runPortfolio = (
  request: RunRequest,
  computersOf: (portfolio: Portfolio) => Effect.Effect<Computers, PortfolioProblem, Scope.Scope>,
  progress: Ref.Ref<Progress>
): Effect.Effect<Finished, PortfolioProblem> =>
  Effect.gen(function* () {
    yield* refuseToReplace(request)
    const files = besideOf(request.out)
    const input = yield* fromPromise(async () => openInput(request.files))
    const parts = yield* fromPromise(() => openParts(request, input))
    const computers = yield* computersOf(request.portfolio)
    const { count, summary } = yield* computeParts({ input, parts, computers, progress })
    const finished = { ruleVersion, portfolio: request.portfolio, summary, files }
    yield* fromPromise(async () => {
      await writeResults(request, parts, count)
      await writeRejected(files.rejected, summary, parts, count)
      await writeWhole(files.summary, `${JSON.stringify(finished, null, 2)}\n`)
      await writeWhole(files.report, reportOf(finished))
      await parts.remove()
    })
    return finished
  }).pipe(Effect.scoped)
