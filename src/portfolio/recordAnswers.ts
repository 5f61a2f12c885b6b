/**
 * The recording step of a run: requests an answer for each borrower with figures, and writes the
 * rows with the answers' ids. Answers in the journal are not requested again.
 */
import { Effect, Ref, Stream } from "effect"
import { releaseHere } from "./compute/release.ts"
import type { Computed, Run } from "./computeChunks.ts"
import { problemOf } from "./read/problem.ts"
import { openDraft } from "./results/drafts.ts"
import { journalPath, writing } from "./results/outputPaths.ts"
import type { Portfolio } from "./results/portfolio.ts"
import { openJournal } from "./results/record/journal.ts"
import type { Recorder } from "./results/record/service.ts"
import { hasFigures, readUnrecorded, type Unrecorded } from "./results/record/unrecorded.ts"
import { RowBytes } from "./results/rowBytes.ts"
import { WRITING } from "./results/rows.ts"

const MAX_CALLS = 32

/** Borrowers whose rows are in memory. */
const BATCH = 1000

/**
 * Records all borrowers. After a failure, the answers in flight still go to the journal.
 * @param computed has a line for each borrower, as `unrecordedLine` writes it
 * @returns the rows with the ids of the answers, and the journal of all answers
 */
export const recordAnswers = Effect.fnUntraced(function* (
  { folder, out, progress }: Run,
  portfolio: Portfolio,
  computed: Computed,
  record: Recorder
) {
  const { head, write } = WRITING[portfolio.format]
  const identity = { input: computed.lines, release: yield* releaseHere, ...portfolio }
  const journal = yield* openJournal(journalPath(out), identity)
  const known = new Set(journal.answerIds.values())
  const rows = yield* openDraft(folder, "recorded")
  const bytes = new RowBytes()

  const recordOne = Effect.fnUntraced(function* (one: Unrecorded) {
    if (!hasFigures(one)) return
    const { borrowerId } = one.rows[0]!
    if (!journal.answerIds.has(borrowerId))
      yield* record(journal.run, one, known, (answer) => journal.add(borrowerId, answer))
    yield* Ref.update(progress, (before) => ({ ...before, recorded: before.recorded! + 1 }))
  })

  const recordBatch = Effect.fnUntraced(function* (lines: ReadonlyArray<string>) {
    const batch = lines.map(readUnrecorded)
    yield* Effect.forEach(batch, recordOne, { concurrency: MAX_CALLS, discard: true })
    bytes.clear()
    for (const { carried, rows: own } of batch) {
      for (const row of own) {
        const answerId = row.outcome === "answered" ? journal.answerIds.get(row.borrowerId)! : null
        write(bytes, { ...row, answerId }, computed.isDiscounted, carried)
      }
    }
    yield* writing(out, () => rows.append(bytes.bytes))
  })

  yield* writing(out, () => rows.append(Buffer.from(head(computed.isDiscounted, portfolio.carry))))
  yield* Ref.update(progress, (before) => ({ ...before, recorded: 0 }))
  yield* Stream.fromAsyncIterable(computed.rows.lines(), problemOf).pipe(
    Stream.grouped(BATCH),
    Stream.runForEach(recordBatch)
  )
  return { rows, journal }
})
