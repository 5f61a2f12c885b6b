/**
 * The recording step of a run. For each part (the stored result of a chunk) it requests an answer
 * per borrower and adds the answer's id to the rows. Answers go to a journal file at once, so a run
 * that is killed and resumed sends only the calls that were in flight again.
 */
import { existsSync } from "node:fs"
import { readFile, rm } from "node:fs/promises"
import { Effect, Ref } from "effect"
import type { Progress } from "./computeParts.ts"
import { fromPromise, type PortfolioProblem } from "./read/problem.ts"
import { writeAtomically } from "./results/outputPaths.ts"
import type { Portfolio } from "./results/portfolio.ts"
import { Journal, pack } from "./results/record/journal.ts"
import type { Recorder, RecordingStopped } from "./results/record/service.ts"
import { hasFigures, readUnrecorded, type Unrecorded } from "./results/record/unrecorded.ts"
import { RowBytes } from "./results/rowBytes.ts"
import { WRITING } from "./results/rows.ts"
import type { Parts } from "./store/parts.ts"

const MAX_CALLS = 32

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

interface Session {
  readonly record: Recorder
  readonly run: string
  /** Ids of all answers received so far; no two borrowers share one. */
  readonly known: Set<string>
  readonly addRecorded: (answers: number) => Effect.Effect<void>
}

const borrowerOf = ({ rows }: Unrecorded): string => rows[0]!.borrowerId

const recordMissing = Effect.fnUntraced(function* (
  unrecorded: ReadonlyArray<Unrecorded>,
  { addRecorded, known, record, run }: Session,
  file: string
) {
  const journal = yield* Effect.acquireRelease(
    fromPromise(() => Journal.open(file)),
    (opened) => Effect.promise(() => opened.close())
  )
  yield* addRecorded(journal.answerIds.size)
  for (const id of journal.answerIds.values()) known.add(id)
  const missing = unrecorded.filter((one) => hasFigures(one) && !journal.answerIds.has(borrowerOf(one)))
  yield* Effect.forEach(
    missing,
    (one) =>
      record(run, one, known, (answer) =>
        Effect.andThen(
          fromPromise(() => journal.add(borrowerOf(one), answer)),
          addRecorded(1)
        )
      ),
    { concurrency: MAX_CALLS, discard: true }
  )
  return journal.answerIds
}, Effect.scoped)

const addRows = (to: RowBytes, { format }: Portfolio, { rows }: Unrecorded, answerId: string | null): void => {
  for (const row of rows) WRITING[format].write(to, row.outcome === "answered" ? { ...row, answerId } : row)
}

export interface Recording {
  readonly portfolio: Portfolio
  readonly parts: Parts
  readonly record: Recorder
  readonly progress: Ref.Ref<Progress>
}

/** The answer id at the end of a row: it is the last column in both text formats. */
const ANSWER_ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?="?}?$)/gm

const answerIdsIn = (rows: string): ReadonlyArray<string> => [...rows.matchAll(ANSWER_ID)].map(([id]) => id)

/** Records one part, unless it has a file of recorded rows, which is written last. */
const recordPart = Effect.fnUntraced(function* (
  { parts, portfolio, progress, record }: Recording,
  index: number,
  run: string,
  known: Set<string>
) {
  const files = parts.recording(index)
  const unrecorded = linesOf((yield* fromPromise(() => parts.read(index, "rows"))).toString("utf8")).map(readUnrecorded)
  const addRecorded = (answers: number) =>
    Ref.update(progress, (previous) => ({ ...previous, recorded: (previous.recorded ?? 0) + answers }))
  if (existsSync(files.recorded)) {
    for (const id of answerIdsIn(yield* fromPromise(() => readFile(files.recorded, "utf8")))) known.add(id)
    return yield* addRecorded(unrecorded.filter(hasFigures).length)
  }
  const answerIds = yield* recordMissing(unrecorded, { record, run, known, addRecorded }, files.journal)
  const rows = new RowBytes()
  for (const one of unrecorded) addRows(rows, portfolio, one, answerIds.get(borrowerOf(one)) ?? null)
  yield* fromPromise(async () => {
    await writeAtomically(files.answers, (draft) => pack(files.journal, draft))
    await writeAtomically(files.recorded, rows.bytes)
    await rm(files.journal)
  })
})

/** Records those of the first `count` parts that are not recorded yet. */
export const recordParts = (
  recording: Recording,
  count: number
): Effect.Effect<void, PortfolioProblem | RecordingStopped> =>
  Effect.flatMap(
    fromPromise(() => recording.parts.runName()),
    (run) => {
      const known = new Set<string>()
      const indexes = Array.from({ length: count }, (_, index) => index)
      return Effect.forEach(indexes, (index) => recordPart(recording, index, run, known), { discard: true })
    }
  )
