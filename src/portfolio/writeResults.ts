/** The files of a run, from what is asked for to what is written: the results, and what stands beside them. */
import { readFile, rm } from "node:fs/promises"
import { Effect } from "effect"
import type { Run } from "./computeParts.ts"
import type { Input } from "./read/input.ts"
import { problem, problemOf } from "./read/problem.ts"
import {
  expectNoAnswers,
  expectNoneRead,
  expectNoneThere,
  outputPaths,
  placedOf,
  type ResultFormat,
  writeWhole
} from "./results/outputPaths.ts"
import { writeParquet } from "./results/parquet.ts"
import type { Portfolio } from "./results/portfolio.ts"
import type { Reason } from "./results/reasons.ts"
import { type Reported, reportOf } from "./results/report.ts"
import { WRITING } from "./results/rows.ts"
import type { Summary } from "./results/summary.ts"
import { concatenate, GrowingResults } from "./store/assemble.ts"
import type { Parts } from "./store/parts.ts"

/** What is asked for: which files, and where the results go. */
export interface RunRequest {
  readonly files: ReadonlyArray<string>
  readonly out: string
  /** Relative names of both start here; else in the folder of the process. */
  readonly folder?: string | undefined
  readonly format: ResultFormat
  readonly overwrite: boolean
  /** Between the cells of CSV; else it is found. */
  readonly separator?: string | undefined
  readonly portfolio: Portfolio
  /** The rules ledger that the run is computed by, as it is published: it is kept beside the results. */
  readonly rules: string
}

/** What stands beside the results. */
interface Written {
  /** Null where no row was rejected. */
  readonly rejected: string | null
  /** Null where nothing was recorded. */
  readonly answers: string | null
  readonly summary: string
  readonly report: string
  readonly rules: string
}

/** Everything that a run came to. */
export interface Finished extends Reported {
  /** Answers of record, one for each borrower with figures under any plan; null where nothing was recorded. */
  readonly recorded: number | null
  /** Why rows were not computed, the commonest first. */
  readonly reasons: ReadonlyArray<Reason>
  readonly files: Written
}

/** What a run that was killed has put in place is its own: it goes on. */
export const expectWritable = async ({ out, overwrite, portfolio }: RunRequest, input: Input): Promise<void> => {
  const { parts, ...beside } = outputPaths(out)
  const written = [out, ...Object.values(beside)]
  await expectNoneRead(
    written,
    input.files.map(({ path }) => path)
  )
  if (portfolio.recordAt === null) expectNoAnswers(beside.answers)
  if (overwrite) return
  const placed = await placedOf(written, parts)
  await expectNoneThere(written.filter((file) => !placed.includes(file)))
}

/** Rows that are the results as they are computed grow meanwhile: those of text that are not recorded. */
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

/** Of what holds rows as they were sent, or answers with their salts. */
const OWNER_ONLY = 0o600

/** What stands beside the results. Where no row was rejected there is no file of them, also none of an earlier run. */
const writeBeside = async (
  { out, overwrite, rules }: RunRequest,
  { parts }: Run,
  finished: Finished,
  count: number
): Promise<void> => {
  const { files } = finished
  const { answers, rejected, report, rules: ledger, summary } = outputPaths(out)
  const placing = { folder: parts.folder, overwrite }
  const ofOwner = { ...placing, mode: OWNER_ONLY }
  if (files.rejected !== null) await concatenate("", count, (index) => parts.read(index, "rejected"), rejected, ofOwner)
  else if (overwrite) await rm(rejected, { force: true })
  if (files.answers !== null)
    await concatenate("", count, (index) => readFile(parts.recording(index).answers), answers, ofOwner)
  await writeWhole(summary, `${JSON.stringify(finished, null, 2)}\n`, placing)
  await writeWhole(report, reportOf(finished), placing)
  await writeWhole(ledger, rules, placing)
}

/**
 * Of the first parts, which are all there are. Others may have made files since the run was begun: what may be written is
 * asked again. Parts stay where it fails.
 */
export const writeAll = async (request: RunRequest, run: Run, finished: Finished, count: number): Promise<void> => {
  const { out } = request
  const { folder } = run.parts
  try {
    await expectWritable(request, run.input)
    for (const file of await placedOf([out, ...Object.values(outputPaths(out))], folder)) await rm(file)
    await writeResults(request, run, count)
    await writeBeside(request, run, finished, count)
  } catch (cause) {
    throw problem(
      ...problemOf(cause).lines,
      `What is computed stays in ${folder}: the same command, with --overwrite too, goes on from there.`
    )
  }
}

export const writtenOf = ({ out, portfolio }: RunRequest, { rejected }: Summary): Written => {
  const { answers, parts: _gone, ...files } = outputPaths(out)
  return {
    ...files,
    rejected: rejected === 0 ? null : files.rejected,
    answers: portfolio.recordAt === null ? null : answers
  }
}
