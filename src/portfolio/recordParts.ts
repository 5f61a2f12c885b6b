/**
 * The last step of a run that is recorded: part by part a service is asked for the answer of each borrower, and the rows get
 * its id. What it has answered is kept as it comes, so that a run that was killed asks again for what was on its way alone.
 */
import { existsSync } from "node:fs"
import { readFile, rm } from "node:fs/promises"
import { Effect, Ref } from "effect"
import type { Progress } from "./computeParts.ts"
import { fromPromise, type PortfolioProblem } from "./read/problem.ts"
import { writeWhole } from "./results/outputPaths.ts"
import type { Portfolio } from "./results/portfolio.ts"
import { Journal, pack } from "./results/record/journal.ts"
import type { Recorder, RecordingStopped } from "./results/record/service.ts"
import { hasFigures, readUnrecorded, type Unrecorded } from "./results/record/unrecorded.ts"
import { RowBytes } from "./results/rowBytes.ts"
import { WRITING } from "./results/rows.ts"
import type { Parts } from "./store/parts.ts"

/** Calls on their way at the same time. */
const AT_ONCE = 32

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

interface Asking {
  readonly record: Recorder
  /** Ids of the answers of all borrowers before. */
  readonly known: Set<string>
  readonly told: (answers: number) => Effect.Effect<void>
}

const borrowerOf = ({ rows }: Unrecorded): string => rows[0]!.borrowerId

/** The ids of all answers, by their borrowers. */
const recordMissing = Effect.fnUntraced(function* (
  unrecorded: ReadonlyArray<Unrecorded>,
  { known, record, told }: Asking,
  file: string
) {
  const journal = yield* Effect.acquireRelease(
    fromPromise(() => Journal.open(file)),
    (opened) => Effect.promise(() => opened.close())
  )
  yield* told(journal.answerIds.size)
  for (const id of journal.answerIds.values()) known.add(id)
  const missing = unrecorded.filter((one) => hasFigures(one) && !journal.answerIds.has(borrowerOf(one)))
  yield* Effect.forEach(
    missing,
    (one) =>
      record(one, known, (answer) =>
        Effect.andThen(
          fromPromise(() => journal.add(borrowerOf(one), answer)),
          told(1)
        )
      ),
    { concurrency: AT_ONCE, discard: true }
  )
  return journal.answerIds
}, Effect.scoped)

const addRows = (to: RowBytes, { format }: Portfolio, { rows }: Unrecorded, answerId: string | null): void => {
  for (const row of rows) WRITING[format].write(to, row.outcome === "answered" ? { ...row, answerId } : row)
}

/** What all parts of a run are recorded with. */
export interface Recording {
  readonly portfolio: Portfolio
  readonly parts: Parts
  readonly record: Recorder
  readonly progress: Ref.Ref<Progress>
}

/** In the last column of rows of either format. */
const ANSWER_ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?="?}?$)/gm

const answerIdsIn = (rows: string): ReadonlyArray<string> => [...rows.matchAll(ANSWER_ID)].map(([id]) => id)

/** A part that has its rows is recorded: they are written last. */
const recordPart = Effect.fnUntraced(function* (
  { parts, portfolio, progress, record }: Recording,
  index: number,
  known: Set<string>
) {
  const files = parts.recording(index)
  const unrecorded = linesOf((yield* fromPromise(() => parts.read(index, "rows"))).toString("utf8")).map(readUnrecorded)
  const told = (answers: number) => Ref.update(progress, (so) => ({ ...so, recorded: (so.recorded ?? 0) + answers }))
  if (existsSync(files.recorded)) {
    for (const id of answerIdsIn(yield* fromPromise(() => readFile(files.recorded, "utf8")))) known.add(id)
    return yield* told(unrecorded.filter(hasFigures).length)
  }
  const answerIds = yield* recordMissing(unrecorded, { record, known, told }, files.journal)
  const rows = new RowBytes()
  for (const one of unrecorded) addRows(rows, portfolio, one, answerIds.get(borrowerOf(one)) ?? null)
  yield* fromPromise(async () => {
    await writeWhole(files.answers, (draft) => pack(files.journal, draft))
    await writeWhole(files.recorded, rows.bytes)
    await rm(files.journal)
  })
})

/** Records the first parts of a run, those that are not recorded yet. */
export const recordParts = (
  recording: Recording,
  count: number
): Effect.Effect<void, PortfolioProblem | RecordingStopped> =>
  Effect.suspend(() => {
    const known = new Set<string>()
    const indexes = Array.from({ length: count }, (_, index) => index)
    return Effect.forEach(indexes, (index) => recordPart(recording, index, known), { discard: true })
  })
