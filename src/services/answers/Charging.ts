/**
 * Charging of calls against a key's monthly quota, in the statement that inserts the answer's
 * record. Calls of all keys that arrive while a statement is in flight share the next statement.
 * The count is exact under any concurrency, and nothing else counts calls. AnswerLedger reads the
 * records.
 */
import { Clock, Context, Data, Effect, Layer, Result, Semaphore } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { Deadlines } from "../../database/index.ts"
import { spanned } from "../../platform/telemetry.ts"
import { type Caller, KeyRefused, type Usage } from "../accounts/index.ts"
import { LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import { makeGroupCommit } from "../scheduling/index.ts"
import { type Charge, type ChargeRow, callsByKey, chargeAll, laneOf } from "./charges.ts"
import { isDerivedId } from "./IdempotencyKeys.ts"
import type { AnswerEntry } from "./storedRows.ts"

/** The monthly quota is used up; `usage.used` equals `usage.limit`. */
export class QuotaSpent extends Data.TaggedError("QuotaSpent")<Pick<Caller, "keyId" | "tier" | "usage">> {}

/** The call was sent before, with the same Idempotency-Key, and its answer is recorded by now. */
export class AlreadyRecorded extends Data.TaggedError("AlreadyRecorded") {}

/** The reasons why a call was not charged. */
export type ChargeFailure = QuotaSpent | KeyRefused | LedgerUnavailable
type RecordFailure = ChargeFailure | AlreadyRecorded

const usageAfter = ({ caller }: Charge, used: number): Usage => ({
  ...caller.usage,
  used: Math.min(used, caller.usage.limit)
})

/** The shared statement skipped this key, which may still be chargeable by itself. */
class LeftOut extends Data.TaggedError("LeftOut") {}

/** The caller's usage after the charge. */
type Outcome = Result.Result<Usage, RecordFailure>
type SharedOutcome = Result.Result<Usage, LedgerUnavailable | LeftOut>

const notCharged: Outcome = Result.fail(new LedgerUnavailable())
const leftOut: SharedOutcome = Result.fail(new LeftOut())
const alreadyRecorded: Outcome = Result.fail(new AlreadyRecorded())

const failedAs = (
  outcome: Result.Result<Usage, unknown> | undefined,
  reason: typeof QuotaSpent | typeof LedgerUnavailable
): boolean => outcome !== undefined && Result.isFailure(outcome) && outcome.failure instanceof reason

const spent = ({ caller: { keyId, tier, usage } }: Charge): Outcome =>
  Result.fail(new QuotaSpent({ keyId, tier, usage: { ...usage, used: usage.limit } }))

/** The usage after each charge, counting the charges of a key in order. */
const outcomesOf = (charges: ReadonlyArray<Charge>, rows: ReadonlyArray<ChargeRow>): ReadonlyArray<SharedOutcome> => {
  const calls = callsByKey(charges)
  const counts = new Map(rows.flatMap(({ keyId, used }) => (used === null ? [] : [[keyId, used - calls.get(keyId)!]])))
  return charges.map((charge) => {
    const before = counts.get(charge.caller.keyId)
    if (before === undefined) return leftOut
    counts.set(charge.caller.keyId, before + 1)
    return Result.succeed(usageAfter(charge, before + 1))
  })
}

/** The server rejected a row and rolled back the whole statement. */
const wasRowRefused = (error: unknown): boolean =>
  SqlError.isSqlError(error) && ["UniqueViolation", "ConstraintError"].includes(error.reason._tag)

const isIdempotent = ({ entry }: Charge): boolean => entry !== null && isDerivedId(entry.answerId)

/** The id of a charge's answer was inserted by another transaction since the statement began. */
const wasIdTaken = (error: unknown): boolean => SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation"

/** Charges many keys at once. A key that cannot be charged here is left to be charged by itself. */
const commitShared = (charges: ReadonlyArray<Charge>) =>
  chargeAll(charges, "leave out").pipe(
    Effect.catchIf(wasRowRefused, () => Effect.succeed([])),
    ledgerCall("charge"),
    Effect.match({
      onFailure: (unavailable) => charges.map((): SharedOutcome => Result.fail(unavailable)),
      onSuccess: (rows) => outcomesOf(charges, rows)
    })
  )

/** Statements that may wait for key locks; the other connections stay free for other keys. */
const MAX_WAITING_STATEMENTS = 8

/**
 * Charges one key for one month: all calls at once if they fit the limit, otherwise one by one
 * until the limit is reached or the database is away. A caller who has given up is not charged.
 */
const makeOwnCommit = () => {
  const places = Semaphore.makeUnsafe(MAX_WAITING_STATEMENTS)
  const commit = (
    charges: ReadonlyArray<Charge>,
    isAbandoned: (index: number) => boolean
  ): Effect.Effect<ReadonlyArray<Outcome>, never, SqlClient.SqlClient> =>
    places.withPermit(chargeAll(charges, "wait")).pipe(
      Effect.catchIf(
        (error) => wasIdTaken(error) && charges.some(isIdempotent),
        () => Effect.succeed([{ used: null, isRepeated: true }])
      ),
      ledgerCall("charge"),
      Effect.flatMap(([row]) => {
        if (row === undefined) return Effect.succeed(charges.map(() => Result.fail(new KeyRefused({ end: null }))))
        const { isRepeated, used } = row
        if (used !== null) {
          const before = used - charges.length
          return Effect.succeed(charges.map((charge, index) => Result.succeed(usageAfter(charge, before + index + 1))))
        }
        if (charges.length > 1) return oneByOne(charges, isAbandoned)
        return Effect.succeed(isRepeated ? [alreadyRecorded] : charges.map(spent))
      }),
      Effect.catch((unavailable) => Effect.succeed(charges.map(() => Result.fail(unavailable))))
    )
  const oneByOne = Effect.fnUntraced(function* (
    charges: ReadonlyArray<Charge>,
    isAbandoned: (index: number) => boolean
  ) {
    const outcomes: Array<Outcome> = []
    let last: Outcome | undefined
    for (const [index, charge] of charges.entries()) {
      if (failedAs(last, QuotaSpent)) outcomes.push(spent(charge))
      else if (failedAs(last, LedgerUnavailable) || isAbandoned(index)) outcomes.push(notCharged)
      else {
        last = (yield* commit([charge], () => false))[0]!
        outcomes.push(last)
      }
    }
    return outcomes
  })
  return commit
}

/**
 * Whether the database executed none of the charges. If so, those queued behind them fail now too.
 */
const isOutage = (outcomes: ReadonlyArray<Result.Result<Usage, unknown>>): boolean =>
  outcomes.every((outcome) => failedAs(outcome, LedgerUnavailable))

const isSameMonth = (first: Charge, next: Charge): boolean =>
  first.caller.usage.periodStart.getTime() === next.caller.usage.periodStart.getTime()

export class Charging extends Context.Service<
  Charging,
  {
    /** Charges a call that is not a calculation and returns the usage after it. */
    readonly charge: (caller: Caller) => Effect.Effect<Usage, ChargeFailure>
    /**
     * Charges a calculation and writes its record, both or neither, and returns the usage after it.
     * @param recordedAt now by default; an answer's own time, so that it can be computed again
     */
    readonly record: (caller: Caller, entry: AnswerEntry, recordedAt?: Date) => Effect.Effect<Usage, RecordFailure>
  }
>()("repayment-of-record/Charging") {
  static readonly layer: Layer.Layer<Charging, never, SqlClient.SqlClient> = Layer.effect(
    Charging,
    Effect.gen(function* () {
      const { call, patience } = yield* Deadlines
      const options = {
        isOutage,
        deadlineMilliseconds: call,
        unavailable: () => new LedgerUnavailable()
      }
      const shared = yield* makeGroupCommit<Charge, Usage, LedgerUnavailable | LeftOut, SqlClient.SqlClient>({
        ...options,
        work: "charge",
        commit: commitShared,
        isSameBatch: () => true,
        patienceMilliseconds: patience
      })
      const single = yield* makeGroupCommit<Charge, Usage, RecordFailure, SqlClient.SqlClient>({
        ...options,
        work: "charge_of_one_key",
        commit: makeOwnCommit(),
        isSameBatch: isSameMonth
      })
      const chargeCall = (charge: Charge) => {
        const { keyId } = charge.caller
        const bySingleKey = single.commit(keyId, charge)
        // Other calls of the key are queued to be charged by themselves, so this call goes behind
        // them.
        return single.isBusy(keyId)
          ? bySingleKey
          : Effect.catchTag(shared.commit(laneOf(charge), charge), "LeftOut", () => bySingleKey)
      }
      const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
      return Charging.of({
        charge: spanned("Charging.charge", (caller) =>
          Effect.flatMap(now, (at) => chargeCall({ caller, entry: null, now: at })).pipe(
            Effect.catchTag("AlreadyRecorded", Effect.die)
          )
        ),
        record: spanned("Charging.record", (caller, entry, recordedAt) =>
          recordedAt === undefined
            ? Effect.flatMap(now, (at) => chargeCall({ caller, entry, now: at }))
            : chargeCall({ caller, entry, now: recordedAt })
        )
      })
    })
  )
}
