/**
 * `repay log watch`: follows the log of a service and keeps its checkpoints, one a file. Each must agree with the one
 * before, which is recomputed from the log's own tiles; two that do not are kept both, and the command ends: together they
 * prove that the log signed two histories.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { isEqual } from "../proof/bytes.ts"
import { type Checkpoint, openCheckpoint } from "../proof/checkpoint.ts"
import { rootOf } from "../proof/tree.ts"
import { openTiles, type Tile } from "../services/log/tiles.ts"
import { badInput, type CommandFailed, refused } from "./failures.ts"
import { helpText } from "./helpText.ts"
import { fetchCheckpoint, fetchKeys, fetchTile } from "./logRemote.ts"
import { say } from "./output.ts"

const KEY_FILE = "key"
const SUFFIX = ".checkpoint"
const DIGITS = 16
const MILLIS_PER_SECOND = 1000

const onDisk = <A>(dir: string, work: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({ try: work, catch: () => badInput(`--out: ${dir} cannot be read and written`) })

/** The keys that are believed: the one given, else those that the service named when it was first watched. */
const believedKeys = Effect.fnUntraced(function* (url: string, dir: string, key: Option.Option<string>) {
  if (Option.isSome(key)) return [key.value]
  const file = join(dir, KEY_FILE)
  const kept = yield* onDisk(dir, () => readFile(file, "utf8").catch(() => ""))
  if (kept !== "") return kept.trim().split("\n")
  const keys = yield* fetchKeys(url)
  yield* onDisk(dir, () => writeFile(file, `${keys.join("\n")}\n`))
  yield* say(`Nobody named a key: those of ${url} are believed from now on, and kept in ${file}.`)
  return keys
})

const opened = (note: string, keys: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: () => openCheckpoint(note, keys),
    catch: (cause) => refused(`The checkpoint is not believed: ${(cause as Error).message}.`)
  })

/** The newest checkpoint of the folder. */
const lastKept = Effect.fnUntraced(function* (dir: string) {
  const files = yield* onDisk(dir, () => readdir(dir))
  const newest = files
    .filter((file) => file.endsWith(SUFFIX))
    .sort()
    .at(-1)
  return newest === undefined ? null : yield* onDisk(dir, () => readFile(join(dir, newest), "utf8"))
})

/** Whether the larger of two trees begins with the smaller, by the tiles of the larger one. */
const agree = (url: string, one: Checkpoint, other: Checkpoint) => {
  const [earlier, later] = one.size <= other.size ? [one, other] : [other, one]
  const read = (tile: Tile) => Effect.runPromise(fetchTile(url, tile))
  return Effect.tryPromise({
    try: async () => {
      if (earlier.size === later.size) return isEqual(earlier.root, later.root)
      return isEqual(await rootOf(await openTiles(later, read), earlier.size), earlier.root)
    },
    catch: (cause) => refused(`The log cannot show that it only grew: ${(cause as Error).message}`)
  })
}

const look = Effect.fnUntraced(function* (url: string, dir: string, keys: ReadonlyArray<string>) {
  const note = yield* fetchCheckpoint(url)
  const now = yield* opened(note, keys)
  const file = join(dir, `${String(now.size).padStart(DIGITS, "0")}${SUFFIX}`)
  const kept = yield* lastKept(dir)
  if (kept === null) return yield* onDisk(dir, () => writeFile(file, note))
  const before = yield* opened(kept, keys)
  if (yield* agree(url, before, now)) {
    return now.size > before.size ? yield* onDisk(dir, () => writeFile(file, note)) : undefined
  }
  const proof = join(dir, `conflict-${now.size}.txt`)
  yield* onDisk(dir, () => writeFile(proof, `${kept}\n${note}`))
  return yield* refused(
    `THE LOG HAS TWO HISTORIES: its checkpoint over ${now.size} entries does not agree with the one over ${before.size} that was kept. Both are in ${proof}.`
  )
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
    yield* onDisk(out, () => mkdir(out, { recursive: true }))
    const keys = yield* believedKeys(url, out, key)
    yield* look(url, out, keys)
    while (every > 0) {
      yield* Effect.sleep(every * MILLIS_PER_SECOND)
      yield* Effect.catchIf(
        look(url, out, keys),
        ({ exitCode }) => exitCode === 3,
        ({ lines }) => Effect.forEach(lines, say, { discard: true })
      )
    }
  })
).pipe(
  Command.withDescription(
    helpText(
      "Follow the log of a service: fetch its checkpoint again and again, check that the log only grew, and keep each. Ends with exit code 1 when two checkpoints do not agree; both are kept as proof. A service that cannot be reached is asked again."
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
