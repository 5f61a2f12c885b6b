/**
 * The journal of a run that records: a file next to the results, to which each answer is added as it
 * arrives. A restarted run finds its answers there, and its name, so it repeats calls with the same
 * keys. An answer for ten plans takes 100 KB and more, so each is compressed.
 */
import { randomUUID } from "node:crypto"
import { constants, createWriteStream } from "node:fs"
import { type FileHandle, open, rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as zlib from "node:zlib"
import { Effect, Semaphore } from "effect"
import { fromPromise, problem } from "../../read/problem.ts"
import { writing } from "../outputPaths.ts"
import { linesIn } from "../textLines.ts"
import type { RecordedAnswer } from "./service.ts"

/** The inputs on which the answers of a run depend, by name. */
export type Identity = Readonly<Record<string, unknown>>

/** The first line of a journal. */
interface Head {
  readonly run: string
  readonly of: Identity
}

/** A line for an answer. `packed` is the line of the answers file, by zstd and in base64. */
interface Line {
  readonly borrowerId: string
  readonly answerId: string
  readonly packed: string
}

const OWNER_ONLY = 0o600

/** Answers in memory at once, of about 100 KB each. */
const BATCH = 50

/** Parses a line; undefined if the machine failed before all of it was on disk. */
const parsed = <A>(text: string): A | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const differencesOf = (before: Identity, now: Identity): ReadonlyArray<string> =>
  Object.keys(now)
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))
    .map((name) => (name === "release" ? `release (${before[name]} before, ${now[name]} now)` : name))

/**
 * The content of a journal up to its last complete line.
 * @throws PortfolioProblem if the first line is damaged, because there may be answers after it
 */
const readJournal = async (file: string, handle: FileHandle) => {
  const answerIds = new Map<string, string>()
  let head: Head | undefined
  let end = 0
  for await (const text of linesIn(handle)) {
    const line = parsed<Head & Line>(text)
    if (line === undefined && head === undefined)
      throw problem(`${file} is damaged: restore it, or move it away to start over`)
    if (line === undefined) break
    if (head === undefined) head = line
    else answerIds.set(line.borrowerId, line.answerId)
    end += Buffer.byteLength(text) + "\n".length
  }
  return { head, answerIds, end }
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants

/** Opens the journal, which must be of this account. */
const openOwn = Effect.fnUntraced(function* (file: string) {
  const handle = yield* Effect.acquireRelease(
    fromPromise(() => open(file, O_RDWR | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0), OWNER_ONLY)),
    (opened) => Effect.promise(() => opened.close())
  )
  const { uid } = yield* fromPromise(() => handle.stat())
  if (process.geteuid !== undefined && uid !== process.geteuid())
    return yield* problem(`${file} was not made by this account: move it away, or name another --out`)
  return handle
})

/**
 * Opens the journal of a run until the scope ends. A killed run gets its journal again, any other
 * run a new one. Fails if there are answers of another run.
 */
export const openJournal = Effect.fnUntraced(function* (file: string, identity: Identity) {
  const handle = yield* openOwn(file)
  const { answerIds, end, head } = yield* fromPromise(() => readJournal(file, handle))
  const differences = head === undefined ? [] : differencesOf(head.of, identity)
  if (differences.length > 0 && answerIds.size > 0)
    return yield* problem(
      `${file} has recorded answers of a run with different options: ${differences.join(", ")}.`,
      "Continue that run as it was started, or move the file away to start over. It is the only proof of those answers."
    )
  const isOwn = head !== undefined && differences.length === 0
  const run = isOwn ? head.run : randomUUID()
  yield* writing(file, async () => {
    await handle.truncate(isOwn ? end : 0)
    if (!isOwn) await handle.appendFile(`${JSON.stringify({ run, of: identity } satisfies Head)}\n`)
    // With another name, calls in flight would be charged again.
    await handle.sync()
  })
  const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)

  const add = Effect.fnUntraced(function* (borrowerId: string, answer: RecordedAnswer) {
    const packed = zlib.zstdCompressSync(`${JSON.stringify({ borrowerId, answer })}\n`).toString("base64")
    const answerId = answer.provenance.answerId!
    const line = `${JSON.stringify({ borrowerId, answerId, packed } satisfies Line)}\n`
    yield* oneAtATime(writing(file, () => handle.appendFile(line)))
    answerIds.set(borrowerId, answerId)
  })

  /** The lines of the answers file, many at a time. */
  async function* answers() {
    const lines = linesIn(handle)
    await lines.next()
    let batch: Array<Uint8Array> = []
    for await (const line of lines) {
      const { packed } = JSON.parse(line) as Line
      if (batch.push(zlib.zstdDecompressSync(Buffer.from(packed, "base64"))) < BATCH) continue
      yield Buffer.concat(batch)
      batch = []
    }
    yield Buffer.concat(batch)
  }

  function* unproven() {
    for (const [borrowerId, answerId] of answerIds) yield `${JSON.stringify({ borrowerId, answerId, receipt: null })}\n`
  }

  return {
    /** The name of the run, the same however often it is started. */
    run,
    /** The ids of all answers, by borrower. */
    answerIds: answerIds as ReadonlyMap<string, string>,
    add,
    /** Writes all answers to a file, in one frame, because some readers stop after the first. */
    pack: (out: string) =>
      writing(out, () =>
        pipeline(Readable.from(answers()), zlib.createZstdCompress(), createWriteStream(out, { mode: OWNER_ONLY }))
      ),
    /** Writes a line for each answer, whose receipt is not known yet. */
    list: (out: string) => writing(out, () => pipeline(Readable.from(unproven()), createWriteStream(out))),
    remove: fromPromise(() => rm(file, { force: true }))
  }
})

export type Journal = Effect.Success<ReturnType<typeof openJournal>>
