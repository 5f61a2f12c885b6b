/**
 * Receipts of many answers, in one file of JSON lines. `repay receipt` and `repay portfolio run
 * --record` write it. A line whose receipt is null is completed later.
 */
import { randomUUID } from "node:crypto"
import { appendFile, type FileHandle, open, rm, writeFile } from "node:fs/promises"
import { Effect, Option, Schedule, Stream } from "effect"
import { isUuid } from "../../../schema/primitives.ts"
import { counted, grouped } from "../../messages/figures.ts"
import { placeDraft } from "../../platform/atomicWrite.ts"
import { hasCode } from "../../platform/hasCode.ts"
import { badInput, CommandFailed, refused, unavailable } from "../failures.ts"
import { pathNamed } from "../io.ts"
import { onInstallation } from "../operate/reader.ts"
import { say } from "../output.ts"
import { receiptsAt } from "./logRemote.ts"

/** The end of the names of these files. */
const ENDING = ".receipts.ndjson"

const NOT_YET = "The record is not in the log yet; ask again in a moment."

/** Finds a receipt; none if no answer has this id. */
type FindReceipt = (answerId: string) => Effect.Effect<Option.Option<string>, CommandFailed>

/** Lends a function that finds receipts: at a service, or else in the installation's database. */
export const withReceipts = <A, R>(
  url: Option.Option<string>,
  use: (find: FindReceipt) => Effect.Effect<A, CommandFailed, R>
) =>
  Option.match(url, {
    onSome: (address) => use(receiptsAt(address)),
    onNone: () =>
      Effect.gen(function* () {
        const { TransparencyLog } = yield* Effect.promise(() => import("../../services/log/index.ts"))
        const { commandFailure } = yield* Effect.promise(() => import("../operate/installation.ts"))
        const local = TransparencyLog.use((log) =>
          use((answerId) =>
            Effect.mapError(log.receipt(answerId), (failure) =>
              failure._tag === "NotYetLogged" ? unavailable(NOT_YET) : commandFailure(failure)
            )
          )
        )
        return yield* onInstallation(Effect.provide(local, TransparencyLog.layer))
      })
  })

/** A step in the writing of a file that the user named. */
export const writingNamed = <A>(file: string, step: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({
    try: step,
    catch: (cause) =>
      badInput(
        hasCode(cause, "EEXIST")
          ? `${file}: exists already; name another file, or add --overwrite`
          : `${file}: cannot be written`
      )
  })

interface Line {
  readonly borrowerId?: string
  readonly answerId: string
  /** null until it is fetched. */
  readonly receipt: string | null
}

const parsed = (text: string): Partial<Line> | null => {
  if (isUuid(text)) return { answerId: text }
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function* linesOf(file: string, handle: FileHandle): AsyncGenerator<Line, void> {
  let number = 0
  for await (const text of handle.readLines({ autoClose: false })) {
    number++
    if (text.trim() === "") continue
    const { answerId, borrowerId, receipt = null } = parsed(text.trim()) ?? {}
    if (typeof answerId !== "string" || !isUuid(answerId))
      throw badInput(`${file}:${number}: use the id of an answer, or a line of JSON with its answerId`)
    yield { ...(borrowerId === undefined ? {} : { borrowerId }), answerId: answerId.toLowerCase(), receipt }
  }
}

/** Lines for the answers of a file, which has ids or is a file of receipts. */
export const linesIn = (file: string) =>
  Effect.gen(function* () {
    const path = yield* pathNamed(file)
    const handle = yield* Effect.acquireRelease(
      Effect.tryPromise({ try: () => open(path), catch: () => badInput(`${file}: cannot be read`) }),
      (opened) => Effect.promise(() => opened.close())
    )
    return Stream.fromAsyncIterable(linesOf(file, handle), (cause) =>
      cause instanceof CommandFailed ? cause : badInput(`${file}: cannot be read`)
    )
  })

/** Where the receipts of a file's answers go: a file of receipts is completed itself. */
export const receiptsFileOf = (file: string): string => (file.endsWith(ENDING) ? file : file + ENDING)

const AT_ONCE = 8
const PAUSE = "1 second"
/** A receipt exists a second or two after its answer. */
const PATIENCE = "2 minutes"
const isPassing = ({ exitCode }: CommandFailed): boolean => exitCode === 3

interface Tally {
  received: number
  readonly missing: Array<string>
  readonly unknown: Array<string>
}

/**
 * Completes lines. The first receipt that does not come while no other does ends the wait for all
 * others, because the service is not there or its log does not grow.
 */
const completing = (find: FindReceipt, tally: Tally) => {
  let hasGivenUp = false
  const wait = Effect.fnUntraced(function* (answerId: string) {
    const before = tally.received
    const found = yield* find(answerId).pipe(
      Effect.retry({ schedule: Schedule.spaced(PAUSE), while: isPassing }),
      Effect.timeoutOption(PATIENCE)
    )
    if (Option.isNone(found) && tally.received === before) hasGivenUp = true
    return found
  })
  return Effect.fnUntraced(function* (line: Line) {
    const { answerId } = line
    if (line.receipt !== null) return line
    const found = hasGivenUp ? Option.none() : yield* wait(answerId)
    if (Option.isNone(found)) tally.missing.push(answerId)
    else if (Option.isNone(found.value)) tally.unknown.push(answerId)
    else {
      tally.received++
      return { ...line, receipt: found.value.value }
    }
    return line
  })
}

const SHOWN = 3

/** A few ids, and the number of the others. */
const some = (ids: ReadonlyArray<string>): string => {
  const more = ids.length - SHOWN
  return ids.slice(0, SHOWN).join(", ") + (more > 0 ? ` and ${grouped(more)} more` : "")
}

/** The command that completes a file of receipts. */
const completion = (file: string, url: Option.Option<string>): string => {
  const place = receiptsFileOf(file) === file ? "" : ` --out ${file} --overwrite`
  return `repay receipt --from ${file}${place}${Option.match(url, { onNone: () => "", onSome: (one) => ` --url ${one}` })}`
}

/** Reports where the receipts are. Fails if any are missing. */
const report = Effect.fnUntraced(function* ({ missing, unknown }: Tally, file: string, url: Option.Option<string>) {
  yield* say(`The receipts are in ${file}, a line of JSON for each answer.`)
  const notFound = unknown.length === 0 ? [] : [`No answer is recorded under ${some(unknown)}.`]
  if (missing.length > 0)
    return yield* unavailable(
      ...notFound,
      `${counted(missing.length, "receipt")} could not be fetched yet, for ${some(missing)}. To fetch what is missing: ${completion(file, url)}`
    )
  if (notFound.length > 0) return yield* refused(...notFound)
})

/** Writes the file of the lines' receipts, in their order. Fails at the end if any are missing. */
export const keepReceipts = Effect.fnUntraced(function* (
  lines: Stream.Stream<Line, CommandFailed>,
  url: Option.Option<string>,
  file: string,
  overwrite: boolean
) {
  const tally: Tally = { received: 0, missing: [], unknown: [] }
  const path = yield* pathNamed(file)
  const draft = yield* Effect.acquireRelease(Effect.succeed(`${path}.${randomUUID()}.tmp`), (name) =>
    Effect.promise(() => rm(name, { force: true }))
  )
  yield* writingNamed(file, () => writeFile(draft, "", { flag: "wx" }))
  yield* withReceipts(url, (find) =>
    lines.pipe(
      Stream.mapEffect(completing(find, tally), { concurrency: AT_ONCE }),
      Stream.runForEach((line) => writingNamed(file, () => appendFile(draft, `${JSON.stringify(line)}\n`)))
    )
  )
  yield* writingNamed(file, () => placeDraft(draft, path, overwrite))
  return yield* report(tally, file, url)
}, Effect.scoped)
