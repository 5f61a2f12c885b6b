/** The output of a run: the request, the checks before writing, and the files written. */
import { readFile, rm } from "node:fs/promises"
import { Effect } from "effect"
import type { Run } from "./computeParts.ts"
import type { Input } from "./read/input.ts"
import { problem, problemOf } from "./read/problem.ts"
import {
  expectNoAnswers,
  expectNoneExist,
  expectNoneRead,
  outputPaths,
  placedOf,
  type ResultFormat,
  writeAtomically
} from "./results/outputPaths.ts"
import { writeParquet } from "./results/parquet.ts"
import type { Portfolio } from "./results/portfolio.ts"
import type { Reason } from "./results/reasons.ts"
import { type Reported, reportOf } from "./results/report.ts"
import { WRITING } from "./results/rows.ts"
import type { Summary } from "./results/summary.ts"
import { concatenate, GrowingResults } from "./store/assemble.ts"
import type { Parts } from "./store/parts.ts"

export interface RunRequest {
  readonly files: ReadonlyArray<string>
  readonly out: string
  /** Base of relative input and output names; by default the working directory. */
  readonly folder?: string | undefined
  readonly format: ResultFormat
  readonly overwrite: boolean
  /** Separator of CSV cells; detected if undefined. */
  readonly separator?: string | undefined
  readonly portfolio: Portfolio
  /** The published rules ledger of this release, written next to the results. */
  readonly rules: string
}

/** Paths of the files written next to the results. */
interface Written {
  /** Null if no row was rejected. */
  readonly rejected: string | null
  /** Null if nothing was recorded. */
  readonly answers: string | null
  readonly summary: string
  readonly report: string
  readonly rules: string
}

export interface Finished extends Reported {
  /**
   * The number of recorded answers: one per borrower with figures; null if nothing was recorded.
   */
  readonly recorded: number | null
  readonly reasons: ReadonlyArray<Reason>
  /** Null if no borrower was computed: then nothing is written. */
  readonly files: Written | null
}

/**
 * Checks that the outputs may be written. An existing file is allowed if an earlier, killed process
 * of the same run has put it in place.
 */
export const expectWritable = async ({ out, overwrite, portfolio }: RunRequest, input: Input): Promise<void> => {
  const { parts, ...companions } = outputPaths(out)
  const written = [out, ...Object.values(companions)]
  await expectNoneRead(
    written,
    input.files.map(({ path }) => path)
  )
  if (portfolio.recordAt === null) expectNoAnswers(companions.answers)
  if (overwrite) return
  const placed = await placedOf(written, parts)
  await expectNoneExist(written.filter((file) => !placed.includes(file)))
}

/**
 * Collects the results during the run, if the computed rows are final: for text formats without
 * recording. Otherwise undefined.
 */
export const resultsOf = ({ format, portfolio }: RunRequest, { folder }: Parts) =>
  format === "parquet" || portfolio.recordAt !== null
    ? Effect.undefined
    : Effect.acquireRelease(
        Effect.sync(() => new GrowingResults(folder, WRITING[format].head)),
        (results) => Effect.promise(() => results.end())
      )

const writeResults = async (
  { format, out, overwrite, portfolio }: RunRequest,
  { parts, results }: Run,
  count: number
): Promise<void> => {
  const { folder } = parts
  const placing = { folder, overwrite }
  const isRecorded = portfolio.recordAt !== null
  const read = (index: number) => (isRecorded ? readFile(parts.recording(index).recorded) : parts.read(index, "rows"))
  if (results !== undefined) await results.place(out, placing)
  else if (format !== "parquet") await concatenate(WRITING[format].head, count, read, out, placing)
  else {
    for (let index = 0; index < count; index++) await read(index)
    await writeParquet(folder, parts.rowsFiles(count, isRecorded), { question: portfolio, out, overwrite })
  }
}

/** Mode of files that contain input rows, or answers with their salts. */
const OWNER_ONLY = 0o600

/**
 * Writes the files next to the results. If no row was rejected, removes an earlier run's file of
 * rejected rows, if it may be replaced.
 */
const writeCompanions = async (
  { out, overwrite, rules }: RunRequest,
  { parts }: Run,
  finished: Finished,
  files: Written,
  count: number
): Promise<void> => {
  const { answers, rejected, report, rules: ledger, summary } = outputPaths(out)
  const placing = { folder: parts.folder, overwrite }
  const ownerPlacing = { ...placing, mode: OWNER_ONLY }
  if (files.rejected !== null)
    await concatenate("", count, (index) => parts.read(index, "rejected"), rejected, ownerPlacing)
  else if (overwrite) await rm(rejected, { force: true })
  if (files.answers !== null)
    await concatenate("", count, (index) => readFile(parts.recording(index).answers), answers, ownerPlacing)
  await writeAtomically(summary, `${JSON.stringify(finished, null, 2)}\n`, placing)
  await writeAtomically(report, reportOf(finished), placing)
  await writeAtomically(ledger, rules, placing)
}

/**
 * Writes all outputs from the `count` parts. Checks the paths again, because other processes may
 * have created files since the start. On failure the parts stay.
 */
export const writeAll = async (
  request: RunRequest,
  run: Run,
  finished: Finished,
  files: Written,
  count: number
): Promise<void> => {
  const { out } = request
  const { folder } = run.parts
  try {
    await expectWritable(request, run.input)
    for (const file of await placedOf([out, ...Object.values(outputPaths(out))], folder)) await rm(file)
    await writeResults(request, run, count)
    await writeCompanions(request, run, finished, files, count)
  } catch (cause) {
    throw problem(
      ...problemOf(cause).lines,
      `The computed parts stay in ${folder}: run the same command again, with --overwrite too, to continue from there.`
    )
  }
}

export const writtenOf = ({ out, portfolio }: RunRequest, { rejected }: Summary): Written => {
  const { answers, parts: _parts, ...files } = outputPaths(out)
  return {
    ...files,
    rejected: rejected === 0 ? null : files.rejected,
    answers: portfolio.recordAt === null ? null : answers
  }
}
