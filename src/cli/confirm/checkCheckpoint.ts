/**
 * Verification of the checkpoints that `repay log watch` fetches. Each must agree with the kept
 * checkpoint and with the others, recomputed from the log's tiles. If two conflict, or the log
 * cannot prove that they agree, both are kept as evidence and the command fails. Every note is
 * written to disk before it is checked.
 */
import { Effect } from "effect"
import { sha256 } from "../../platform/sha256.ts"
import { type Bytes, isEqual, refuse } from "../../proof/bytes.ts"
import { type Checkpoint, openCheckpoint } from "../../proof/checkpoint.ts"
import { checkConsistency, type Tree } from "../../proof/tree.ts"
import { consistencyProof, openTiles, type Tile, tilePath } from "../../services/log/tiles.ts"
import { badInput, CommandFailed, refused } from "../failures.ts"
import type { Kept, LogFolder } from "./checkpointFolder.ts"
import { fetchCheckpointOfNow, fetchTile } from "./logRemote.ts"

const MILLIS_PER_SECOND = 1000
/** Number of fetches, a second apart, when a log seems to shrink, because a cache may lag. */
const MAX_FETCHES = 5
/** Limit of unchecked notes, at which fetching stops. */
const MAX_UNCHECKED = 64

/** The log, the folder that keeps it, and the trusted keys. */
interface Watch {
  readonly url: string
  readonly folder: LogFolder
  readonly keys: ReadonlyArray<string>
}

export interface Note extends Checkpoint {
  readonly note: string
}

/** Opens the kept checkpoint, which new ones are compared with. */
export const openKept = ({ file, note }: Kept, keys: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: async (): Promise<Note> => ({ ...(await openCheckpoint(note, keys)), note }),
    catch: (cause) =>
      badInput(
        `${file}: is damaged, or signed by a key that is not trusted: ${(cause as Error).message}.`,
        "It was kept here as the newest checkpoint. Restore it, or move it away to continue from the previous one."
      )
  })

/** The root of the empty tree (RFC 6962, section 2.1). */
const EMPTY_ROOT = sha256(new Uint8Array())

/** Throws unless the proof shows that `later` extends `earlier`, which may be empty. */
const checkGrowth = async (earlier: Tree, later: Tree, proof: ReadonlyArray<Bytes>): Promise<void> => {
  for (const { root, size } of [earlier, later])
    if (size === 0 && !isEqual(root, EMPTY_ROOT)) refuse("the root of an empty log is not that of the empty tree")
  if (earlier.size > 0) await checkConsistency(earlier, later, proof)
}

/**
 * The reason why, by its own tiles, the later tree does not extend the earlier tree; else null.
 * Failures of an unavailable service pass through, because they prove nothing.
 */
const disagreement = Effect.fnUntraced(function* (url: string, earlier: Checkpoint, later: Checkpoint) {
  const run = Effect.runPromiseWith(yield* Effect.context())
  return yield* Effect.tryPromise({
    try: async (signal) => {
      const read = async (tile: Tile) =>
        (await run(fetchTile(url, tile), { signal })) ?? refuse(`${tilePath(tile)} is not served`)
      const hashAt = earlier.size === later.size ? null : await openTiles(later, read)
      const proof = hashAt && earlier.size > 0 ? await consistencyProof(hashAt, earlier.size, later.size) : []
      return await checkGrowth(earlier, later, proof).then(
        () => null,
        () => "THE LOG HAS TWO HISTORIES: its checkpoint"
      )
    },
    catch: (cause) => cause
  }).pipe(
    Effect.catch((cause) => {
      if (cause instanceof CommandFailed) return Effect.fail(cause)
      const { message } = cause as Error
      return Effect.succeed(`THE LOG CANNOT PROVE THAT IT ONLY GREW (${message}): its checkpoint`)
    })
  )
})

const sizeOf = (note: string): number => Number(note.split("\n", 2)[1])

const openNew = ({ folder, keys }: Watch, note: string) =>
  Effect.tryPromise({
    try: async (): Promise<Note> => ({ ...(await openCheckpoint(note, keys)), note }),
    catch: (cause) => cause as Error
  }).pipe(
    Effect.catch(({ message }) =>
      Effect.flatMap(folder.keepEvidence("refused", sizeOf(note), [note]), (file) =>
        refused(`The checkpoint cannot be trusted: ${message}. It is kept in ${file}.`)
      )
    )
  )

const largestOf = (notes: ReadonlyArray<Note>): Note =>
  notes.reduce((largest, one) => (one.size > largest.size ? one : largest))

/**
 * Refetches until a checkpoint is as large as the kept one, because a smaller one may come from a
 * cache. Each verified one is written at once, however small.
 */
const refetched = Effect.fnUntraced(function* (watch: Watch, notes: ReadonlyArray<Note>, size: number) {
  const { folder, keys, url } = watch
  let all = notes
  for (let fetches = 0; fetches < MAX_FETCHES && all.length < MAX_UNCHECKED; fetches++) {
    if (largestOf(all).size >= size) break
    if (fetches > 0) yield* Effect.sleep(MILLIS_PER_SECOND)
    const note = yield* fetchCheckpointOfNow(url)
    const now = yield* Effect.promise(() => openCheckpoint(note, keys).catch(() => null))
    if (now === null || all.some((one) => one.note === note)) continue
    all = [...all, { ...now, note }]
    yield* folder.keepUnchecked(all.map((one) => one.note))
  }
  return all
})

/** Compares a note with the largest one of its batch, or that one with the kept checkpoint. */
const compare = Effect.fnUntraced(function* (
  { folder, url }: Watch,
  earlier: Note,
  later: Note,
  which: "came next" | "was kept"
) {
  const conflict = yield* disagreement(url, earlier, later)
  if (conflict === null) return
  const [now, other] = which === "was kept" ? [later, earlier] : [earlier, later]
  const file = yield* folder.keepEvidence("conflict", now.size, [other.note, now.note])
  return yield* refused(
    `${conflict} over ${now.size} entries does not agree with the one over ${other.size} that ${which}. Both are in ${file}.`
  )
})

const failRollback = Effect.fnUntraced(function* ({ folder }: Watch, notes: ReadonlyArray<Note>, trusted: Note) {
  const [now] = notes
  const file = yield* folder.keepEvidence("conflict", now!.size, [trusted.note, ...notes.map(({ note }) => note)])
  const evidence = notes.length === 1 ? "Both" : "All of them"
  return yield* refused(
    `THE LOG HAS GONE BACK (ROLLBACK): its checkpoint over ${now!.size} entries comes after the one over ${trusted.size} that was kept. ${evidence} are in ${file}.`
  )
})

/** Checks all unchecked notes in the folder. */
export const checkUnchecked = Effect.fnUntraced(function* (watch: Watch) {
  const { folder, keys } = watch
  const opened = yield* Effect.forEach(yield* folder.unchecked, (note) => openNew(watch, note))
  if (opened.length === 0) return
  const kept = yield* folder.newest
  const trusted = kept === null ? null : yield* openKept(kept, keys)
  const notes = trusted === null ? opened : yield* refetched(watch, opened, trusted.size)
  const largest = largestOf(notes)
  if (trusted !== null && largest.size < trusted.size) return yield* failRollback(watch, notes, trusted)
  for (const note of notes) if (note !== largest) yield* compare(watch, note, largest, "came next")
  if (trusted !== null) yield* compare(watch, trusted, largest, "was kept")
  const isNew = trusted === null || largest.size > trusted.size
  return yield* folder.settle(isNew ? largest : null)
})
