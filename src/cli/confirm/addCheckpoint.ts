/**
 * The one call of a witness, `add-checkpoint` of C2SP tlog-witness: a log submits a checkpoint with
 * a proof that it only grew since the last one that was cosigned here, and gets a cosignature. The
 * checkpoint is on disk before its cosignature is sent.
 */
import { Clock, Effect, Semaphore } from "effect"
import { fromBase64, isEqual, refuse, wholeNumber } from "../../proof/bytes.ts"
import { openCheckpoint } from "../../proof/checkpoint.ts"
import { openNote, textOfNote } from "../../proof/note.ts"
import { HASH_BYTES } from "../../proof/tree.ts"
import { nameIn } from "../../services/log/keys.ts"
import type { Note } from "./checkCheckpoint.ts"
import type { LogFolder } from "./checkpointFolder.ts"
import { checkGrowth, EMPTY_ROOT } from "./growth.ts"

export const MAX_BODY_BYTES = 65_536
const MAX_PROOF_LINES = 63
const MILLIS_PER_SECOND = 1000

/** A log that is witnessed, and the last checkpoint of it that was cosigned. */
export interface SeenLog {
  readonly keys: ReadonlyArray<string>
  readonly folder: LogFolder
  newest: Note | null
  /** Whether two histories were found, and so are kept already. */
  isForked?: boolean
}

export interface Reply {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422 | 500
  readonly text: string
}

const parse = (body: string) => {
  const end = body.indexOf("\n\n")
  const [first = "", ...lines] = body.slice(0, Math.max(0, end)).split("\n")
  if (!first.startsWith("old ")) refuse("write the line: old SIZE, proof lines, an empty line, and a checkpoint")
  if (lines.length > MAX_PROOF_LINES) refuse(`a proof has at most ${MAX_PROOF_LINES} lines`)
  const proof = lines.map(fromBase64)
  if (proof.some((hash) => hash.length !== HASH_BYTES)) refuse("a proof line is not a hash")
  const note = body.slice(end + 2)
  if (textOfNote(note) === "") refuse("a checkpoint with its signatures is missing")
  return { old: wholeNumber(first.slice("old ".length)), proof, note }
}

/** The failure of a check, with the status that tlog-witness gives it. */
const as = (status: Reply["status"]) => (cause: unknown) => ({ status, text: `${(cause as Error).message}\n` })
const attempt = <A>(status: Reply["status"], check: () => A | Promise<A>): Effect.Effect<A, Reply> =>
  Effect.tryPromise({ try: async () => check(), catch: as(status) })

/**
 * Makes the call for these logs, by origin. `conflict` reports that a log has signed two trees of
 * this size, and the file that holds both checkpoints.
 */
export const makeAddCheckpoint = (
  logs: ReadonlyMap<string, SeenLog>,
  cosign: (text: string, seconds: number) => Promise<string>,
  expectHeld: () => Promise<void>,
  conflict: (size: number, file: string) => Effect.Effect<void>
) => {
  const judge = Effect.fnUntraced(function* (body: string): Effect.fn.Return<Reply, Reply> {
    const { note, old, proof } = yield* attempt(400, () => parse(body))
    const log = logs.get(nameIn(note))
    if (log === undefined) return yield* Effect.fail<Reply>({ status: 404, text: "this log is not known here\n" })
    yield* attempt(403, () => openNote(note, log.keys))
    const later = yield* attempt(400, () => openCheckpoint(note, log.keys))
    if (old > later.size)
      return yield* Effect.fail<Reply>({ status: 400, text: "the old size is larger than that of the checkpoint\n" })
    const earlier = log.newest ?? { size: 0, root: EMPTY_ROOT, note: "" }
    const conflicting: Reply = { status: 409, text: `${earlier.size}\n` }
    if (old !== earlier.size) return yield* Effect.fail(conflicting)
    const isSameSize = log.newest !== null && earlier.size === later.size && proof.length === 0
    if (isSameSize && !isEqual(earlier.root, later.root)) {
      if (!log.isForked) {
        log.isForked = true
        const kept = log.folder.keepEvidence("conflict", later.size, [earlier.note, note])
        yield* Effect.flatMap(kept, (file) => conflict(later.size, file)).pipe(Effect.ignore)
      }
      // tlog-witness 1.0.0 has 409 here, its later drafts 422. `askWitness` takes both for a conflict.
      return yield* Effect.fail(conflicting)
    }
    yield* attempt(422, () => checkGrowth(earlier, later, proof))
    if (log.newest === null || later.size > earlier.size) {
      yield* attempt(500, expectHeld)
      yield* log.folder.settle({ size: later.size, note }).pipe(Effect.mapError(as(500)))
      log.newest = { ...later, note }
    }
    yield* attempt(500, expectHeld)
    const seconds = Math.floor((yield* Clock.currentTimeMillis) / MILLIS_PER_SECOND)
    return { status: 200, text: yield* attempt(500, () => cosign(textOfNote(note), seconds)) }
  })
  const mutex = Semaphore.makeUnsafe(1)
  return (body: string): Effect.Effect<Reply> => mutex.withPermit(Effect.catch(judge(body), Effect.succeed))
}
