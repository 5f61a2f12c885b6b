/**
 * What `repay log watch` makes of notes that are not checked yet: they must agree with the checkpoint that was kept and
 * with each other, which is recomputed from the log's own tiles. Where two do not, or the log does not show that they do,
 * both are kept and the command fails: together they prove it to others. Every note is written before it is judged.
 */
import { Effect } from "effect"
import { isEqual, refuse } from "../../proof/bytes.ts"
import { type Checkpoint, openCheckpoint } from "../../proof/checkpoint.ts"
import { openTiles, rootOf, type Tile, tilePath } from "../../services/log/tiles.ts"
import { badInput, CommandFailed, refused } from "../failures.ts"
import type { Kept, LogFolder } from "./checkpointFolder.ts"
import { fetchCheckpointOfNow, fetchTile } from "./logRemote.ts"

const MILLIS_PER_SECOND = 1000
/** A log that seems to have gone back is asked so often, a second apart: caches and replicas may be late by some. */
const ASKED_AGAIN = 5
/** Notes that wait to be judged; with so many that are smaller than what was kept, nobody is asked for another. */
const MOST_UNCHECKED = 64

/** Whose log is followed, where it is kept, and whose signatures are believed. */
interface Watch {
  readonly url: string
  readonly folder: LogFolder
  readonly keys: ReadonlyArray<string>
}

interface Note extends Checkpoint {
  readonly note: string
}

/** The checkpoint that new ones are held against. */
const openKept = ({ file, note }: Kept, keys: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: async (): Promise<Note> => ({ ...(await openCheckpoint(note, keys)), note }),
    catch: (cause) =>
      badInput(
        `${file}: is torn, or was signed by a key that is not believed: ${(cause as Error).message}.`,
        "It was kept here as the newest checkpoint. Restore it, or move it away to go on from the one before."
      )
  })

/**
 * Whether the later tree begins with the earlier one, by its own tiles; else why not. A service that fails at a moment is
 * not judged.
 */
const disagreement = (url: string, earlier: Checkpoint, later: Checkpoint) => {
  const read = async (tile: Tile) =>
    (await Effect.runPromise(fetchTile(url, tile))) ?? refuse(`${tilePath(tile)} is not served`)
  return Effect.tryPromise({
    try: async () => {
      const root = earlier.size === later.size ? later.root : await rootOf(await openTiles(later, read), earlier.size)
      return isEqual(root, earlier.root) ? null : "THE LOG HAS TWO HISTORIES: its checkpoint"
    },
    catch: (cause) => cause
  }).pipe(
    Effect.catch((cause) => {
      if (cause instanceof CommandFailed) return Effect.fail(cause)
      const { message } = cause as Error
      return Effect.succeed(`THE LOG DOES NOT SHOW THAT IT ONLY GREW (${message}): its checkpoint`)
    })
  )
}

const sizeOf = (note: string): number => Number(note.split("\n", 2)[1])

const openNew = ({ folder, keys }: Watch, note: string) =>
  Effect.tryPromise({
    try: async (): Promise<Note> => ({ ...(await openCheckpoint(note, keys)), note }),
    catch: (cause) => cause as Error
  }).pipe(
    Effect.catch(({ message }) =>
      Effect.flatMap(folder.accuse("refused", sizeOf(note), [note]), (file) =>
        refused(`The checkpoint is not believed: ${message}. It is in ${file}.`)
      )
    )
  )

const largestOf = (notes: ReadonlyArray<Note>): Note =>
  notes.reduce((largest, one) => (one.size > largest.size ? one : largest))

/**
 * All that is not checked, and what the log is at this moment, asked until that is as long as what was kept: a smaller one
 * may have come out of a cache. What is believed of it is written at once, however small it is.
 */
const askedAgain = Effect.fnUntraced(function* (watch: Watch, notes: ReadonlyArray<Note>, size: number) {
  const { folder, keys, url } = watch
  let all = notes
  for (let asked = 0; asked < ASKED_AGAIN && all.length < MOST_UNCHECKED; asked++) {
    if (largestOf(all).size >= size) break
    if (asked > 0) yield* Effect.sleep(MILLIS_PER_SECOND)
    const note = yield* fetchCheckpointOfNow(url)
    const now = yield* Effect.promise(() => openCheckpoint(note, keys).catch(() => null))
    if (now === null || all.some((one) => one.note === note)) continue
    all = [...all, { ...now, note }]
    yield* folder.keepUnchecked(all.map((one) => one.note))
  }
  return all
})

/** Holds a note against the largest one of those that came with it, or that one against what was kept. */
const compare = Effect.fnUntraced(function* (
  { folder, url }: Watch,
  earlier: Note,
  later: Note,
  which: "came next" | "was kept"
) {
  const wrong = yield* disagreement(url, earlier, later)
  if (wrong === null) return
  const [now, other] = which === "was kept" ? [later, earlier] : [earlier, later]
  const file = yield* folder.accuse("conflict", now.size, [other.note, now.note])
  return yield* refused(
    `${wrong} over ${now.size} entries does not agree with the one over ${other.size} that ${which}. Both are in ${file}.`
  )
})

const hasGoneBack = Effect.fnUntraced(function* ({ folder }: Watch, notes: ReadonlyArray<Note>, before: Note) {
  const [now] = notes
  const file = yield* folder.accuse("conflict", now!.size, [before.note, ...notes.map(({ note }) => note)])
  const those = notes.length === 1 ? "Both" : "All that it showed"
  return yield* refused(
    `THE LOG HAS GONE BACK (ROLLBACK): its checkpoint over ${now!.size} entries comes after the one over ${before.size} that was kept. ${those} are in ${file}.`
  )
})

/** Judges all that is kept as not checked. */
export const judge = Effect.fnUntraced(function* (watch: Watch) {
  const { folder, keys } = watch
  const opened = yield* Effect.forEach(yield* folder.unchecked, (note) => openNew(watch, note))
  if (opened.length === 0) return
  const kept = yield* folder.newest
  const before = kept === null ? null : yield* openKept(kept, keys)
  const notes = before === null ? opened : yield* askedAgain(watch, opened, before.size)
  const largest = largestOf(notes)
  if (before !== null && largest.size < before.size) return yield* hasGoneBack(watch, notes, before)
  for (const note of notes) if (note !== largest) yield* compare(watch, note, largest, "came next")
  if (before !== null) yield* compare(watch, before, largest, "was kept")
  const isNew = before === null || largest.size > before.size
  return yield* folder.settle(isNew ? largest : null)
})
