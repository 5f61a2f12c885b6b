/** The portfolio run behind `repay portfolio run`, from input files to output files. */
import { Effect, Ref } from "effect"
import { ruleVersion } from "../../ledger/release.ts"
import packageJson from "../../package.json" with { type: "json" }
import { inFolder } from "../platform/inFolder.ts"
import type { ComputersOf } from "./compute/computers.ts"
import { computeChunks, type Progress } from "./computeChunks.ts"
import { expectWritable, type Finished, placeResults, type RunRequest, writtenOf } from "./placeResults.ts"
import { expectCarry } from "./read/carry.ts"
import type { TableOptions } from "./read/csv.ts"
import { needDuckDB } from "./read/duckdb.ts"
import type { Input } from "./read/input.ts"
import { lineFiles } from "./read/lines.ts"
import { fromPromise, type PortfolioProblem, problem } from "./read/problem.ts"
import { withNames } from "./read/sources.ts"
import { csvFiles, parquetFiles } from "./read/tables.ts"
import { recordAnswers } from "./recordAnswers.ts"
import { openDrafts } from "./results/drafts.ts"
import { expectName, type InputFormat, inputFormatOf, outputPaths } from "./results/outputPaths.ts"
import type { Portfolio } from "./results/portfolio.ts"
import type { Recorder, RecordingStopped } from "./results/record/service.ts"
import { addSummaries, type Summary } from "./results/summary.ts"
import { SummaryTally } from "./results/summaryTally.ts"

type Reader = (files: ReadonlyArray<string>, options: TableOptions) => Effect.Effect<Input, PortfolioProblem>

const READERS: Readonly<Record<InputFormat, Reader>> = {
  lines: (files, options) => fromPromise(() => lineFiles(files, options)),
  csv: csvFiles,
  parquet: parquetFiles
}

const openInput = Effect.fnUntraced(function* ({ files, folder, out, portfolio, separator }: RunRequest) {
  const [format, ...others] = yield* fromPromise(async () => new Set(files.map(inputFormatOf)))
  if (format === undefined || others.length > 0)
    return yield* problem("The files of one run must be of one kind: all JSON lines, all CSV or all parquet")
  const { carry, ignore } = portfolio
  yield* fromPromise(async () => expectCarry(carry, ignore))
  const input = yield* READERS[format](files, { carry, ignore, separator, folder })
  // The longest of the output names. If the file system accepts it, it accepts the others.
  yield* fromPromise(() => expectName(outputPaths(out).answers))
  return input
})

/** Gives every plan a summary even if no borrower was read. */
const emptySummary = ({ plans }: Portfolio): Summary => new SummaryTally(plans).summary

/**
 * Computes the portfolio and writes the results and the files next to them: rejected rows, answers,
 * summary, report and rules. If no borrower was computed, nothing is written that could block the
 * next run.
 * @param computersOf makes the threads or remote workers that compute the chunks; they end with the
 * run
 * @param record records an answer with the service at the portfolio's `recordAt` address; left out
 * if nothing is recorded
 */
export const runPortfolio = (
  original: RunRequest,
  computersOf: ComputersOf,
  progress: Ref.Ref<Progress>,
  record?: Recorder
): Effect.Effect<Finished, PortfolioProblem | RecordingStopped> => {
  const { folder: base = "" } = original
  const out = inFolder(base, original.out)
  const request = { ...original, out }
  return Effect.gen(function* () {
    const { format, portfolio } = request
    if (format === "parquet") yield* fromPromise(needDuckDB)
    const input = yield* openInput(request)
    const folder = yield* openDrafts(out)
    const writable = fromPromise(() => expectWritable(request, input))
    yield* writable
    const computers = yield* computersOf(portfolio)
    const { carry } = portfolio
    const run = {
      input,
      computers,
      out,
      folder,
      carry,
      format: record === undefined ? portfolio.format : null,
      progress
    }
    const computed = yield* computeChunks(run)
    const summary = addSummaries(emptySummary(portfolio), computed.summary)
    const isEmpty = summary.borrowers === 0
    const recording =
      record === undefined || isEmpty ? undefined : yield* recordAnswers(run, portfolio, computed, record)
    const { recorded } = yield* Ref.get(progress)
    const reported = {
      ruleVersion,
      version: packageJson.version,
      input: input.files.map(({ name, size }) => ({ file: name, bytes: size })),
      portfolio: { ...portfolio, format },
      summary,
      recorded,
      reasons: computed.reasons.commonest,
      warnings: input.warnings()
    }
    if (isEmpty) return { ...reported, files: null }
    const finished = { ...reported, files: writtenOf(original, summary) }
    yield* placeResults(request, { ...computed, ...recording, folder }, finished, writable)
    return finished
  }).pipe(
    Effect.scoped,
    Effect.catchTag("PortfolioProblem", ({ lines }) => Effect.fail(problem(...withNames(lines, base, [original.out]))))
  )
}
