/**
 * The last step of a run that is recorded: part by part a service is asked for the answer of each borrower, and the rows get
 * its id. What it has answered is kept as it comes, so that a run that was killed asks again for what was on its way alone.
 */
import { existsSync } from "node:fs"
import { open, readFile, rm } from "node:fs/promises"
import { promisify } from "node:util"
import { zstdCompress } from "node:zlib"
import { Effect, Ref } from "effect"
import type { Portfolio } from "../chunk.ts"
import type { PortfolioProblem } from "../input/input.ts"
import type { Parts } from "../parts.ts"
import { WRITING } from "../results.ts"
import { fromPromise, type Progress } from "../run.ts"
import { writeWhole } from "../wholeFile.ts"
import type { RecordedAnswer, Recorder, RecordingStopped } from "./service.ts"
import { hasFigures, readUnrecorded, type Unrecorded } from "./unrecorded.ts"

/** Calls on their way at the same time. */
const AT_ONCE = 32

const compressed = promisify(zstdCompress)

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

/** What a part's journal holds of each call that was answered. */
interface Kept {
  /** The line of the part. */
  readonly index: number
  readonly answer: RecordedAnswer
}

/** The last line may have been cut by a kill. */
const keptIn = (line: string): Kept | undefined => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const readJournal = async (file: string): Promise<ReadonlyMap<number, RecordedAnswer>> => {
  const text = await readFile(file, "utf8").catch(() => "")
  const kept = linesOf(text).map(keptIn)
  return new Map(kept.flatMap((one) => (one === undefined ? [] : [[one.index, one.answer] as const])))
}

/** Opened to be written on, after whatever a kill has left of a line. */
const openJournal = (file: string) =>
  Effect.acquireRelease(
    fromPromise(async () => {
      const handle = await open(file, "a")
      await handle.write("\n")
      return handle
    }),
    (handle) => Effect.promise(() => handle.close())
  )

const recordMissing = Effect.fnUntraced(function* (
  unrecorded: ReadonlyArray<Unrecorded>,
  { record, told }: { readonly record: Recorder; readonly told: (answers: number) => Effect.Effect<void> },
  journal: string
) {
  const kept = new Map(yield* fromPromise(() => readJournal(journal)))
  yield* told(kept.size)
  const handle = yield* openJournal(journal)
  const missing = unrecorded.flatMap((one, index) => (hasFigures(one) && !kept.has(index) ? [index] : []))
  yield* Effect.forEach(
    missing,
    Effect.fnUntraced(function* (index) {
      const answer = yield* record(unrecorded[index]!)
      yield* fromPromise(() => handle.appendFile(`${JSON.stringify({ index, answer } satisfies Kept)}\n`))
      kept.set(index, answer)
      yield* told(1)
    }),
    { concurrency: AT_ONCE, discard: true }
  )
  return kept
}, Effect.scoped)

const rowsWith = ({ format }: Portfolio, { rows }: Unrecorded, answerId: string | null): string =>
  rows.map((row) => WRITING[format].line(row.outcome === "answered" ? { ...row, answerId } : row)).join("")

/** A line of `results.answers.ndjson.zst`: the answer as it came, which alone proves its figures. */
const answerLine = ({ rows }: Unrecorded, answer: RecordedAnswer | undefined): string =>
  answer === undefined ? "" : `${JSON.stringify({ borrowerId: rows[0]!.borrowerId, answer })}\n`

/** What all parts of a run are recorded with. */
export interface Recording {
  readonly portfolio: Portfolio
  readonly parts: Parts
  readonly record: Recorder
  readonly progress: Ref.Ref<Progress>
}

/** A part that has its rows is recorded: they are written last. */
const recordPart = Effect.fnUntraced(function* ({ parts, portfolio, progress, record }: Recording, index: number) {
  const files = parts.recording(index)
  const unrecorded = linesOf(yield* fromPromise(() => readFile(files.rows, "utf8"))).map(readUnrecorded)
  const told = (answers: number) => Ref.update(progress, (so) => ({ ...so, recorded: (so.recorded ?? 0) + answers }))
  if (existsSync(files.recorded)) return yield* told(unrecorded.filter(hasFigures).length)
  const answers = yield* recordMissing(unrecorded, { record, told }, files.journal)
  const rows = unrecorded.map((one, line) => rowsWith(portfolio, one, answers.get(line)?.provenance.answerId ?? null))
  const lines = unrecorded.map((one, line) => answerLine(one, answers.get(line)))
  yield* fromPromise(async () => {
    await writeWhole(files.answers, await compressed(lines.join("")))
    await writeWhole(files.recorded, rows.join(""))
    await rm(files.journal)
  })
})

/** Records the first parts of a run, those that are not recorded yet. */
export const recordParts = (
  recording: Recording,
  count: number
): Effect.Effect<void, PortfolioProblem | RecordingStopped> =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    (index) => recordPart(recording, index),
    { discard: true }
  )
