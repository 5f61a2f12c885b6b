/**
 * `repay log watch`: follows the log of a service and keeps its checkpoints, one a file. Each is written before it is
 * judged, and must agree with the one before, which is recomputed from the log's own tiles. Where two do not, or the log
 * does not show that they do, both are kept and the command ends: together they prove it to others.
 */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { isEqual, refuse } from "../proof/bytes.ts"
import { type Checkpoint, openCheckpoint } from "../proof/checkpoint.ts"
import { rootOf } from "../services/log/hashes.ts"
import { openTiles, type Tile, tilePath } from "../services/log/tiles.ts"
import { badInput, CommandFailed, refused } from "./failures.ts"
import { helpText } from "./helpText.ts"
import { type Kept, type LogFolder, logFolder } from "./logFolder.ts"
import { fetchCheckpoint, fetchCheckpointOfNow, fetchKeys, fetchTile } from "./logRemote.ts"
import { say } from "./output.ts"

const MILLIS_PER_SECOND = 1000
/** A log that seems to have gone back is asked so often, a second apart: caches and replicas may be late by some. */
const ASKED_AGAIN = 5

/** The keys that are believed: the one given, else those that the service named when it was first watched. */
const believedKeys = Effect.fnUntraced(function* (url: string, folder: LogFolder, key: Option.Option<string>) {
  if (Option.isSome(key)) return [key.value]
  const kept = yield* folder.keys
  if (kept !== null) {
    const keys = kept.split("\n").filter((line) => line.trim() !== "")
    return keys.length > 0
      ? keys
      : yield* badInput(
          `${folder.keyFile}: is empty, and held the keys that are believed.`,
          "Put them back or name one with --key; without the file those that the service names now would be believed."
        )
  }
  const keys = yield* fetchKeys(url)
  yield* folder.keepKeys(keys)
  yield* say(`Nobody named a key: those of ${url} are believed from now on, and kept in ${folder.keyFile}.`)
  return keys
})

/** The checkpoint that a new one is held against. */
const openKept = ({ file, note }: Kept, keys: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: () => openCheckpoint(note, keys),
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

interface Note extends Checkpoint {
  readonly note: string
}

/** What the log is at this moment, if that is as long as what was kept: a smaller one may have come out of a cache. */
const askAgain = Effect.fnUntraced(function* (url: string, keys: ReadonlyArray<string>, size: number) {
  for (let asked = 0; asked < ASKED_AGAIN; asked++) {
    if (asked > 0) yield* Effect.sleep(MILLIS_PER_SECOND)
    const note = yield* fetchCheckpointOfNow(url)
    const now = yield* Effect.promise(() => openCheckpoint(note, keys).catch(() => null))
    if (now !== null && now.size >= size) return { ...now, note }
  }
  return null
})

/** Keeps the note that was not checked with the one that it does not follow from, and says what is wrong. */
const accuse = Effect.fnUntraced(function* (
  folder: LogFolder,
  wrong: string,
  now: Note,
  other: Note,
  how: { readonly is: string; readonly that: string }
) {
  const file = yield* folder.accuse(now.size, other.note, now.note)
  return yield* refused(
    `${wrong} over ${now.size} entries ${how.is} the one over ${other.size} that ${how.that}. Both are in ${file}.`
  )
})

/** A smaller log than was kept: an older state of it, out of a cache, is nothing, and what it is now is judged instead. */
const judgeSmaller = Effect.fnUntraced(function* (
  url: string,
  folder: LogFolder,
  keys: ReadonlyArray<string>,
  now: Note,
  before: Note
) {
  const later = yield* askAgain(url, keys, before.size)
  if (later === null)
    return yield* accuse(folder, "THE LOG HAS GONE BACK (ROLLBACK): its checkpoint", now, before, {
      is: "comes after",
      that: "was kept"
    })
  const wrong = yield* disagreement(url, now, later)
  if (wrong !== null) return yield* accuse(folder, wrong, now, later, { is: "does not agree with", that: "came next" })
  yield* folder.keepUnchecked(later.note)
  return later
})

/** Judges the note that is kept as not checked. */
const judge = Effect.fnUntraced(function* (url: string, folder: LogFolder, keys: ReadonlyArray<string>, note: string) {
  const now = yield* Effect.tryPromise({
    try: () => openCheckpoint(note, keys),
    catch: (cause) => cause as Error
  }).pipe(
    Effect.catch(({ message }) =>
      Effect.flatMap(folder.accuse(sizeOf(note), null, note), (file) =>
        refused(`The checkpoint is not believed: ${message}. It is in ${file}.`)
      )
    )
  )
  const kept = yield* folder.newest
  if (kept === null) return yield* folder.accept(now.size)
  const before = { ...(yield* openKept(kept, keys)), note: kept.note }
  const fetched = { ...now, note }
  const judged = now.size < before.size ? yield* judgeSmaller(url, folder, keys, fetched, before) : fetched
  const wrong = yield* disagreement(url, before, judged)
  if (wrong !== null)
    return yield* accuse(folder, wrong, judged, before, { is: "does not agree with", that: "was kept" })
  return yield* judged.size > before.size ? folder.accept(judged.size) : folder.drop
})

/** A note of before that could not be judged comes first: it is what the log has signed, whatever it signs now. */
const look = Effect.fnUntraced(function* (url: string, folder: LogFolder, key: Option.Option<string>) {
  const keys = yield* believedKeys(url, folder, key)
  const earlier = yield* folder.unchecked
  if (earlier !== null && earlier !== "") yield* judge(url, folder, keys, earlier)
  const note = yield* fetchCheckpoint(url)
  yield* folder.keepUnchecked(note)
  yield* judge(url, folder, keys, note)
})

const watchCommand = Command.make(
  "watch",
  {
    url: Flag.String("url").pipe(Flag.withMetavar("<address>"), Flag.withDescription("The service to follow")),
    out: Flag.String("out").pipe(Flag.withMetavar("<folder>"), Flag.withDescription("Where checkpoints are kept")),
    key: Flag.String("key").pipe(
      Flag.withMetavar("<key>"),
      Flag.withDescription("Believe this verifier key alone"),
      Flag.optional
    ),
    every: Flag.Int("every").pipe(
      Flag.withMetavar("<seconds>"),
      Flag.withDescription("Pause between two looks; 0: look once"),
      Flag.withDefault(60)
    )
  },
  Effect.fn("repay.log.watch")(function* ({ every, key, out, url }) {
    const folder = logFolder(out)
    yield* folder.make
    while (every > 0) {
      yield* Effect.catchIf(
        look(url, folder, key),
        ({ exitCode }) => exitCode === 3,
        ({ lines }) => Effect.forEach(lines, say, { discard: true })
      )
      yield* Effect.sleep(every * MILLIS_PER_SECOND)
    }
    yield* look(url, folder, key)
  })
).pipe(
  Command.withDescription(
    helpText(
      "Follow the log of a service: fetch its checkpoint again and again, check that the log only grew, and keep each. Ends with exit code 1 when two checkpoints do not agree, when the log went back and stays there, or when it does not show that it only grew; both are kept as proof. A service that cannot be reached or is busy is asked again."
    )
  ),
  Command.withShortDescription("Keep the checkpoints of a service"),
  Command.withExamples([
    { command: "repay log watch --url https://api.example.org --out checkpoints", description: "Look each minute" }
  ])
)

export const logCommand = Command.make("log").pipe(
  Command.withDescription(helpText("The transparency log over the records of a service.")),
  Command.withShortDescription("Follow a log of records"),
  Command.withSubcommands([watchCommand])
)
