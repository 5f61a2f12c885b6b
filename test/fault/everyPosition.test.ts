/**
 * Tests of every use case with one failure at each position, of a connection, a statement or a
 * mail: refused, or lost with the connection or the process before or after execution. The use case
 * may only succeed or be unavailable, and the database must then hold the state after some commit
 * of the undisturbed run. A retry must succeed.
 */

import { Cause, Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll } from "vitest"
import { databaseAt } from "../../src/database/postgres.ts"
import { type Mail, MailNotSent } from "../../src/services/accounts/Mailer.ts"
import { useDatabase } from "../support/database.ts"
import { assert, describe, it } from "../support/effects.ts"
import type { FaultKind } from "../support/faults.ts"
import { Mortal } from "../support/mortal.ts"
import { isThorough } from "../support/random.ts"
import { testConfig } from "../support/settings.ts"
import { contents, empty } from "./held.ts"
import { isLongRun, milliseconds, report } from "./scale.ts"
import { USE_CASES, type UseCase } from "./useCases.ts"

const KINDS = ["serialization", "timeout", "lost before", "lost after"] as const
/** Crashes, which for a single transaction are the same as a lost connection. */
const CRASHES = ["crash after", "crash before"] as const
const kindsFor = ({ commits, isOfLog }: UseCase): ReadonlyArray<FaultKind> =>
  isLongRun ? [...KINDS, ...CRASHES] : commits > 1 || isOfLog ? [...KINDS, CRASHES[0]] : KINDS
/**
 * The first tier tries one kind at about every other position, alternating; the second tier tries
 * all kinds at each.
 */
const isTried = (kind: number, kinds: number, at: number): boolean =>
  isThorough || isLongRun || at % (2 * kinds + 1) === 2 * kind
/** More than the number of statements of any use case. */
const MAX_POSITIONS = 200

/** A use case takes some seconds, and much longer on a busy machine. */
const LIMIT_MILLIS = 240_000

type MailFault = "refused" | "accepted without reply"

const database = useDatabase()
const scope = Scope.makeUnsafe()
const mails: Array<Mail> = []
let mailFault: { readonly kind: MailFault; readonly at: number } | null = null
let mortal: Mortal
let observerContext: Effect.Success<typeof observer>

/** A separate database client without faults. */
const observer = Effect.suspend(() =>
  Layer.buildWithScope(databaseAt({ url: database().url }).pipe(Layer.provideMerge(testConfig())), scope)
)
const observe = <A, E>(work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.suspend(() => Effect.orDie(Effect.provideContext(work, observerContext)))

let sent = 0
const send = (mail: Mail) =>
  Effect.suspend(() => {
    sent++
    const kind = mailFault?.at === sent ? mailFault.kind : undefined
    if (kind !== "refused") mails.push(mail)
    return kind === undefined ? Effect.void : Effect.fail(new MailNotSent({ reason: "injected" }))
  })

beforeAll(async () => {
  observerContext = await Effect.runPromise(observer)
  mortal = await Mortal.begin({ url: database().url, send })
})
afterAll(async () => {
  await mortal.end()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const keysMailed = () => mails.flatMap(({ text }) => text.match(/slr_live_[0-9A-Za-z]{38}/g) ?? [])

const makeDue = observe(
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      UPDATE outbox SET next_attempt_at = created_at
      WHERE sent_at IS NULL AND dropped_at IS NULL AND given_up_at IS NULL`
  )
)

/** Empties the database, restarts the process if necessary, and sets up the use case. */
const begin = Effect.fnUntraced(function* ({ isOfLog, ready }: UseCase) {
  yield* observe(empty)
  if (mortal.faults.isCrashed || isOfLog) yield* Effect.promise(() => mortal.restart())
  mortal.faults.set(null)
  mails.length = 0
  sent = 0
  return yield* mortal.run(ready)
})

const failureOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return "none"
  const [reason] = exit.cause.reasons
  if (exit.cause.reasons.length !== 1 || reason === undefined || !Cause.isFailReason(reason))
    return Cause.pretty(exit.cause)
  return (reason.error as { readonly _tag: string })._tag
}

/** The states of the database after each statement of the undisturbed run, and its counts. */
const undisturbed = Effect.fnUntraced(function* (useCase: UseCase) {
  const { holds, work } = yield* begin(useCase)
  const before = yield* observe(contents)
  const states = new Set([before])
  const { faults } = mortal
  faults.set(null)
  faults.afterEach = Effect.map(observe(contents), (now) => states.add(now))
  const answer = yield* mortal.run(work)
  faults.afterEach = Effect.void
  const [statements, after] = [faults.passed, yield* observe(contents)]
  states.add(after)
  assert.strictEqual(states.size - 1, useCase.commits, "commits")
  if (holds !== undefined) yield* mortal.run(holds(answer as never, keysMailed()))
  return { after, states, statements, mails: sent }
})

/** Retries the use case without faults, which must complete it. */
const retry = Effect.fnUntraced(function* (
  { isOnce }: UseCase,
  { holds, work }: Effect.Success<UseCase["ready"]>,
  after: string
) {
  if (mortal.faults.isCrashed) yield* Effect.promise(() => mortal.restart())
  mortal.faults.set(null)
  mailFault = null
  yield* makeDue
  const answer = yield* mortal.run(work)
  if (holds !== undefined) yield* mortal.run(holds(answer as never, keysMailed()))
  if (isOnce) assert.strictEqual(yield* observe(contents), after, "after the second time")
})

/** Runs the use case with one failure; false if it ended before that position. */
const disturbed = Effect.fnUntraced(function* (
  useCase: UseCase,
  kind: FaultKind,
  at: number,
  { after, states }: Effect.Success<ReturnType<typeof undisturbed>>
) {
  const ready = yield* begin(useCase)
  mortal.faults.set({ kind, at })
  const exit = yield* Effect.exit(mortal.run(ready.work))
  if (mortal.faults.hits === 0) return mortal.faults.passed >= at
  const where = `${useCase.name}, ${kind} at ${at}`
  const failure = failureOf(exit)
  assert.oneOf(failure, ["none", "LedgerUnavailable"], where)
  const now = yield* observe(contents)
  assert.isTrue(states.has(now), `${where}: what the database holds is of no commit\n${now}`)
  if (kind === "serialization") assert.strictEqual(failure, "none", where)
  if (failure === "none" && mailFault === null) assert.strictEqual(now, after, where)
  yield* retry(useCase, ready, after)
  return true
})

const withMails = Effect.fnUntraced(function* (useCase: UseCase, all: Effect.Success<ReturnType<typeof undisturbed>>) {
  for (const kind of ["refused", "accepted without reply"] as const) {
    for (let at = 1; at <= all.mails; at++) {
      const ready = yield* begin(useCase)
      mailFault = { kind, at: sent + at }
      yield* mortal.run(ready.work)
      assert.strictEqual(sent, all.mails, "a mail that is not taken keeps no other waiting")
      yield* retry(useCase, ready, all.after)
    }
  }
})

describe("with a failure of any one statement [F57]", () => {
  it.each(USE_CASES)(
    "$name completes or is unavailable, is never half done, and succeeds on retry [F25]",
    function* (useCase) {
      const all = yield* undisturbed(useCase)
      let runs = 0
      const kinds = kindsFor(useCase)
      for (const [index, kind] of kinds.entries()) {
        let at = 1
        const isLeft = Effect.suspend(() =>
          isTried(index, kinds.length, at) ? disturbed(useCase, kind, at, all) : Effect.succeed(at <= all.statements)
        )
        while (at <= MAX_POSITIONS && (yield* isLeft)) at++
        assert.isAtLeast(at - 1, all.statements, "positions")
        runs += at - 1
      }
      yield* withMails(useCase, all)
      report(`${useCase.name}: ${all.statements} statements, ${runs} runs`)
    },
    milliseconds(LIMIT_MILLIS)
  )
})
