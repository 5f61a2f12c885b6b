/** The output of a run: the request, the checks before writing, and the files put in place. */
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { placeDraft } from "../platform/atomicWrite.ts"
import type { Input } from "./read/input.ts"
import { fromPromise, type PortfolioProblem } from "./read/problem.ts"
import type { Draft } from "./results/drafts.ts"
import {
  allOutputs,
  expectNoAnswers,
  expectNoneExist,
  expectNoneRead,
  outputPaths,
  type ResultFormat,
  writing
} from "./results/outputPaths.ts"
import { writeParquet } from "./results/parquet.ts"
import type { Portfolio } from "./results/portfolio.ts"
import type { Reason } from "./results/reasons.ts"
import type { Journal } from "./results/record/journal.ts"
import { type Reported, reportOf } from "./results/report.ts"
import type { Summary } from "./results/summary.ts"

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
  /** Null if nothing was recorded. Its receipts are fetched after the run. */
  readonly receipts: string | null
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
  /** Null if no borrower was computed, so nothing was written. */
  readonly files: Written | null
}

/** @throws PortfolioProblem if an output is an input, or exists and may not be replaced */
export const expectWritable = async ({ out, overwrite, portfolio }: RunRequest, input: Input): Promise<void> => {
  const written = allOutputs(out)
  await expectNoneRead(
    written,
    input.files.map(({ path }) => path)
  )
  if (portfolio.recordAt === null) expectNoAnswers(outputPaths(out).answers)
  if (!overwrite) await expectNoneExist(written)
}

export const writtenOf = ({ out, portfolio }: RunRequest, { rejected }: Summary): Written => {
  const { answers, receipts, ...files } = outputPaths(out)
  const isRecorded = portfolio.recordAt !== null
  return {
    ...files,
    rejected: rejected === 0 ? null : files.rejected,
    answers: isRecorded ? answers : null,
    receipts: isRecorded ? receipts : null
  }
}

/** Writes parquet from a draft. Row groups end where files do, so each piece becomes a file. */
const toParquet = Effect.fnUntraced(function* (request: RunRequest, { folder, isDiscounted, rows }: Made) {
  const files = yield* Effect.forEach(rows.spans, (span, index) =>
    writing(request.out, async () => {
      const file = join(folder, `cells-${index}`)
      await writeFile(file, await rows.read(span))
      return file
    })
  )
  const draft = join(folder, "parquet")
  yield* fromPromise(() =>
    writeParquet(files, draft, {
      ...{ out: request.out, question: request.portfolio, carry: request.portfolio.carry },
      ...{ isDiscounted, folder }
    })
  )
  return draft
})

/** The files that a run has made in its folder of drafts. */
export interface Made {
  readonly folder: string
  readonly rows: Draft
  readonly isDiscounted: boolean
  readonly rejected: Draft
  /** Left out if nothing is recorded. */
  readonly journal?: Journal
}

/**
 * Completes the drafts, and puts them in place: the files next to the results, then the results. If
 * no row was rejected, removes an earlier run's file of rejected rows, if it may be replaced.
 * @param writable repeats the check that nothing is replaced, because other processes may have
 * created files since the start
 */
export const placeResults = Effect.fnUntraced(function* (
  request: RunRequest,
  made: Made,
  { files, ...finished }: Finished & { readonly files: Written },
  writable: Effect.Effect<void, PortfolioProblem>
) {
  const { out, overwrite, rules } = request
  const { folder, journal, rejected, rows } = made
  const paths = outputPaths(out)
  const draftOf = (name: string) => join(folder, name)
  const results = request.format === "parquet" ? yield* toParquet(request, made) : rows.path
  if (journal !== undefined) yield* Effect.andThen(journal.pack(draftOf("answers")), journal.list(draftOf("receipts")))
  const texts = { summary: `${JSON.stringify({ ...finished, files }, null, 2)}\n`, report: reportOf(finished), rules }
  for (const [name, text] of Object.entries(texts)) yield* writing(out, () => writeFile(draftOf(name), text))

  const place = (draft: string, file: string) => writing(file, () => placeDraft(draft, file, overwrite))
  const placeAll = Effect.gen(function* () {
    if (files.rejected !== null) yield* place(rejected.path, paths.rejected)
    else if (overwrite) yield* writing(paths.rejected, () => rm(paths.rejected, { force: true }))
    for (const name of ["answers", "receipts"] as const)
      if (files[name] !== null) yield* place(draftOf(name), paths[name])
    for (const name of ["summary", "report", "rules"] as const) yield* place(draftOf(name), paths[name])
    yield* place(results, out)
    if (journal !== undefined) yield* journal.remove
  })
  yield* writable
  yield* Effect.uninterruptible(placeAll)
})
