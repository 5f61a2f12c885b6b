/** The portfolio run behind `repay portfolio run`, from input files to output files. */
import { Effect, Ref } from "effect"
import { ruleVersion } from "../../ledger/release.ts"
import packageJson from "../../package.json" with { type: "json" }
import type { ComputersOf } from "./compute/computers.ts"
import { releaseHere } from "./compute/release.ts"
import { computeParts, type Progress } from "./computeParts.ts"
import type { TableOptions } from "./read/csv.ts"
import { needDuckDB } from "./read/duckdb.ts"
import type { Input } from "./read/input.ts"
import { lineFiles } from "./read/lines.ts"
import { fromPromise, type PortfolioProblem, problem } from "./read/problem.ts"
import { inFolder, withNames } from "./read/sources.ts"
import { csvFiles, parquetFiles } from "./read/tables.ts"
import { recordParts } from "./recordParts.ts"
import { expectName, type InputFormat, inputFormatOf, outputPaths } from "./results/outputPaths.ts"
import type { Portfolio } from "./results/portfolio.ts"
import { commonestReasons } from "./results/reasons.ts"
import type { Recorder, RecordingStopped } from "./results/record/service.ts"
import { addSummaries, type Summary } from "./results/summary.ts"
import { SummaryTally } from "./results/summaryTally.ts"
import { lockFolder } from "./store/lock.ts"
import { removeRun } from "./store/manifest.ts"
import { Parts } from "./store/parts.ts"
import { expectWritable, type Finished, type RunRequest, resultsOf, writeAll, writtenOf } from "./writeResults.ts"

type Reader = (files: ReadonlyArray<string>, options: TableOptions) => Promise<Input>

const READERS: Readonly<Record<InputFormat, Reader>> = {
  lines: lineFiles,
  csv: csvFiles,
  parquet: parquetFiles
}

const openInput = async ({ files, folder, out, portfolio, separator }: RunRequest): Promise<Input> => {
  const [format, ...others] = new Set(files.map(inputFormatOf))
  if (format === undefined || others.length > 0)
    throw problem("The files of one run must be of one kind: all JSON lines, all CSV or all parquet")
  const input = await READERS[format](files, { ignore: portfolio.ignore, separator, folder })
  // The longest of the output names. If the file system accepts it, it accepts the others.
  await expectName(outputPaths(out).answers)
  return input
}

/** Gives every plan a summary even if no borrower was read. */
const emptySummary = ({ plans }: Portfolio): Summary => new SummaryTally(plans).summary

/**
 * Starts or resumes the run. The manifest holds everything that the bytes of the results depend on,
 * so that parts of a different run are refused.
 */
const openParts = ({ out, portfolio }: RunRequest, { fingerprint }: Input) =>
  Effect.flatMap(releaseHere, (release) =>
    fromPromise(() => Parts.open(outputPaths(out).parts, { input: fingerprint, release, ...portfolio }))
  )

/**
 * Computes the portfolio and writes the results and the files next to them: rejected rows, answers,
 * summary, report and rules. Then removes the stored results of the chunks. Nothing is written if no
 * borrower was computed, so that nothing is in the way of the next run.
 * @param computersOf makes what computes the chunks, threads or remote workers; they end with the
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
  const { folder = "", out } = original
  const request = { ...original, out: inFolder(folder, out) }
  return Effect.gen(function* () {
    const { portfolio } = request
    if (request.format === "parquet") yield* fromPromise(needDuckDB)
    const input = yield* fromPromise(() => openInput(request))
    const lock = yield* lockFolder(outputPaths(request.out).parts)
    yield* fromPromise(() => expectWritable(request, input))
    const parts = yield* openParts(request, input)
    const computers = yield* computersOf(portfolio, parts)
    const results = yield* resultsOf(request, parts)
    const run = { input, parts, computers, progress, results }
    const { count, summary: computed } = yield* computeParts(run)
    const summary = addSummaries(emptySummary(portfolio), computed)
    if (record !== undefined) yield* recordParts({ portfolio, parts, record, progress }, count)
    const { recorded } = yield* Ref.get(progress)
    const finished = {
      ruleVersion,
      version: packageJson.version,
      input: input.files.map(({ name, size }) => ({ file: name, bytes: size })),
      portfolio: { ...portfolio, format: request.format },
      summary,
      recorded,
      reasons: yield* fromPromise(() => commonestReasons(count, (index) => parts.read(index, "rejected"))),
      warnings: input.warnings(),
      files: summary.borrowers === 0 ? null : writtenOf(original, summary)
    }
    yield* fromPromise(async () => {
      await lock.expectHeld()
      if (finished.files !== null) await writeAll(request, run, finished, finished.files, count)
      await removeRun(parts.folder)
    })
    return finished
  }).pipe(
    Effect.scoped,
    Effect.catchTag("PortfolioProblem", ({ lines }) => Effect.fail(problem(...withNames(lines, folder, [out]))))
  )
}
