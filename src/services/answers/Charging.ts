/**
 * Charges each call against its key's monthly quota, together with the record of its answer in one statement. Calls of
 * all keys that arrive while a statement is under way share the next one. The count is exact under any concurrency, and
 * nothing else counts calls. Records are read through AnswerLedger.
 */
import { Clock, Context, Data, Effect, Layer, Result, Semaphore } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { makeGroupCommit } from "../groupCommit.ts"
import { type Caller, KeyRefused, type Usage } from "../keys/Keys.ts"
import { dateText } from "../keys/month.ts"
import { LedgerUnavailable, ledgerCall, OPERATION_MILLISECONDS, PATIENCE_MILLISECONDS } from "../ledgerUnavailable.ts"
import { entryRows, STORED_COLUMNS, STORED_VALUES, withKinds } from "./storedRows.ts"

/** The monthly quota is used up; `usage.used` equals `usage.limit`. */
export class QuotaSpent extends Data.TaggedError("QuotaSpent")<Pick<Caller, "keyId" | "tier" | "usage">> {}

export type Source = "PublicApi" | "McpServer"
export type EventType = "calc.projection.run" | "calc.comparison.run"

export interface AnswerEntry {
  readonly answerId: string
  readonly source: Source
  readonly endpoint: string
  readonly eventType: EventType
  readonly ruleVersion: string
  readonly inputsHash: string
  readonly answerHash: string
}

/** Why a call was not charged. */
export type ChargeFailure = QuotaSpent | KeyRefused | LedgerUnavailable

interface Charge {
  readonly caller: Caller
  /** null for a call that is not a calculation. */
  readonly entry: AnswerEntry | null
  readonly now: Date
}

/** A key that may be used. */
interface ChargeRow {
  readonly keyId: string
  /** The count after the charge; null if it would have exceeded the limit. */
  readonly used: number | null
}

/** Months of one limit: what can be charged in one statement, whoever's keys they are. */
const laneOf = ({ caller: { usage } }: Charge): string => `${dateText(usage.periodStart)} ${usage.limit}`

/** How many calls each key asks to be charged. */
const callsByKey = (charges: ReadonlyArray<Charge>): ReadonlyMap<string, number> => {
  const calls = new Map<string, number>()
  for (const { caller } of charges) calls.set(caller.keyId, (calls.get(caller.keyId) ?? 0) + 1)
  return calls
}

/**
 * Charges all of `charges`, which are of one lane, and inserts their records with the charge: of each key all or none.
 * Returns a row for each key that may be used.
 *
 * `live` locks the keys' rows. A revocation by a claim or a mint needs the same lock, so either it comes first and the
 * key is no longer found, or it waits and then sees this call as the key's first use: never both, never neither. A
 * shared lock would do, but calls of one key wait for each other at its counter anyway. Several keys are never waited
 * for together: nobody is kept by a lock on another's key, and no two statements can wait for each other, if those
 * whose rows are locked are left out.
 *
 * `charged` counts up only within the limit. Callers of one key, in this process or another, wait for the lock on the
 * counter's row and see the count that the previous one left, so of N parallel calls exactly the remaining number pass.
 *
 * The period is the month in which the calls arrived, so a call at midnight between two months is charged to one only.
 * Nothing is inserted into `answer` unless `live` and `charged` both yield a row. Columns are passed as arrays and
 * unnested, so the same statement inserts one row or many.
 */
const chargeAll = (sql: SqlClient.SqlClient, charges: ReadonlyArray<Charge>, locked: "wait" | "leave out") => {
  const { caller, now } = charges.at(-1)!
  const { limit, periodStart } = caller.usage
  const calls = callsByKey(charges)
  const recorded = charges.flatMap(({ caller: { keyId }, entry, now: recordedAt }) =>
    entry === null ? [] : [{ ...entry, keyId, recordedAt }]
  )
  const statement = sql<ChargeRow>`
    WITH live AS (
      SELECT key.id, key.tenant, asked.calls
      FROM unnest(${[...calls.keys()]}::text[]::uuid[], ${[...calls.values()]}::int[]) AS asked (id, calls)
      JOIN api_key AS key ON key.id = asked.id
      WHERE key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > ${now})
      FOR NO KEY UPDATE OF key ${sql.literal(locked === "wait" ? "" : "SKIP LOCKED")}
    ), charged AS (
      INSERT INTO usage AS counter (key_id, period, used)
      SELECT id, ${dateText(periodStart)}::date, calls FROM live WHERE calls <= ${limit}::int
      ON CONFLICT (key_id, period) DO UPDATE SET used = counter.used + excluded.used
        WHERE counter.used + excluded.used <= ${limit}::int
      RETURNING key_id, used
    ), written AS (
      INSERT INTO answer (${sql.literal(STORED_COLUMNS)}, tenant)
      SELECT ${sql.literal(STORED_VALUES)}, substr(live.tenant, 3)::uuid
      FROM live JOIN charged ON charged.key_id = live.id JOIN ${entryRows(sql, recorded)} ON entry.key_id = live.id
    )
    SELECT live.id AS "keyId", charged.used FROM live LEFT JOIN charged ON charged.key_id = live.id`
  return withKinds(sql, recorded, statement)
}

const usageAfter = ({ caller }: Charge, used: number): Usage => ({
  ...caller.usage,
  used: Math.min(used, caller.usage.limit)
})

/** The statement for many keys could not charge this one. Whether it can be charged by itself is open. */
class LeftOut extends Data.TaggedError("LeftOut") {}

/** The caller's usage after the charge. */
type Outcome = Result.Result<Usage, ChargeFailure>
type SharedOutcome = Result.Result<Usage, LedgerUnavailable | LeftOut>

const notCharged: Outcome = Result.fail(new LedgerUnavailable())
const leftOut: SharedOutcome = Result.fail(new LeftOut())

const failedAs = (
  outcome: Result.Result<Usage, unknown> | undefined,
  reason: typeof QuotaSpent | typeof LedgerUnavailable
): boolean => outcome !== undefined && Result.isFailure(outcome) && outcome.failure instanceof reason

const spent = ({ caller: { keyId, tier, usage } }: Charge): Outcome =>
  Result.fail(new QuotaSpent({ keyId, tier, usage: { ...usage, used: usage.limit } }))

/** The usage after each charge: those of a key were counted one after the other. */
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

/** The server refused a row, and so the whole statement: nothing of it happened. */
const wasRowRefused = (error: unknown): boolean =>
  SqlError.isSqlError(error) && ["UniqueViolation", "ConstraintError"].includes(error.reason._tag)

/** Charges of many keys at once. Whatever keeps one of them from being charged leaves it to be charged by itself. */
const makeSharedCommit =
  (sql: SqlClient.SqlClient) =>
  (charges: ReadonlyArray<Charge>): Effect.Effect<ReadonlyArray<SharedOutcome>> =>
    chargeAll(sql, charges, "leave out").pipe(
      Effect.catchIf(wasRowRefused, () => Effect.succeed([])),
      ledgerCall("charge"),
      Effect.match({
        onFailure: (unavailable) => charges.map(() => Result.fail(unavailable)),
        onSuccess: (rows) => outcomesOf(charges, rows)
      })
    )

/** Statements that may wait for the lock on a key's row, so that most connections are left for those of others. */
const MAX_WAITING_STATEMENTS = 8

/**
 * Charges of one key and month: all at once if they fit the limit, else one after the other until it is reached, the
 * database is away, or a caller has given up, who is then not charged.
 */
const makeOwnCommit = (sql: SqlClient.SqlClient) => {
  const places = Semaphore.makeUnsafe(MAX_WAITING_STATEMENTS)
  const commit = (
    charges: ReadonlyArray<Charge>,
    isAbandoned: (index: number) => boolean
  ): Effect.Effect<ReadonlyArray<Outcome>> =>
    places.withPermit(chargeAll(sql, charges, "wait")).pipe(
      ledgerCall("charge"),
      Effect.flatMap(([row]) => {
        if (row === undefined) return Effect.succeed(charges.map(() => Result.fail(new KeyRefused())))
        const { used } = row
        if (used !== null) {
          const before = used - charges.length
          return Effect.succeed(charges.map((charge, index) => Result.succeed(usageAfter(charge, before + index + 1))))
        }
        return charges.length === 1 ? Effect.succeed(charges.map(spent)) : oneByOne(charges, isAbandoned)
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

/** The database carried out none of the charges. Those that wait behind them would fare no better, so they fail now. */
const isOutage = (outcomes: ReadonlyArray<Result.Result<Usage, unknown>>): boolean =>
  outcomes.every((outcome) => failedAs(outcome, LedgerUnavailable))

const isSameMonth = (first: Charge, next: Charge): boolean =>
  first.caller.usage.periodStart.getTime() === next.caller.usage.periodStart.getTime()

export class Charging extends Context.Service<
  Charging,
  {
    /** Charges a call that is not a calculation and returns the usage after it. */
    readonly charge: (caller: Caller) => Effect.Effect<Usage, ChargeFailure>
    /** Charges a calculation and writes its record, both or neither, and returns the usage after it. */
    readonly record: (caller: Caller, entry: AnswerEntry) => Effect.Effect<Usage, ChargeFailure>
  }
>()("repayment-of-record/Charging") {
  static readonly layer: Layer.Layer<Charging, never, SqlClient.SqlClient> = Layer.effect(
    Charging,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const options = {
        isOutage,
        deadlineMilliseconds: OPERATION_MILLISECONDS,
        unavailable: () => new LedgerUnavailable()
      }
      const together = yield* makeGroupCommit<Charge, Usage, LedgerUnavailable | LeftOut>({
        ...options,
        commit: makeSharedCommit(sql),
        isSameBatch: () => true,
        patienceMilliseconds: PATIENCE_MILLISECONDS
      })
      const alone = yield* makeGroupCommit<Charge, Usage, ChargeFailure>({
        ...options,
        commit: makeOwnCommit(sql),
        isSameBatch: isSameMonth
      })
      const chargeCall = (caller: Caller, entry: AnswerEntry | null) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) => {
          const charge = { caller, entry, now: new Date(millis) }
          const byItself = alone.commit(caller.keyId, charge)
          // Others of the key wait to be charged by themselves: this call is charged behind them.
          return alone.isBusy(caller.keyId)
            ? byItself
            : Effect.catchTag(together.commit(laneOf(charge), charge), "LeftOut", () => byItself)
        })
      return Charging.of({
        charge: Effect.fn("Charging.charge")((caller) => chargeCall(caller, null)),
        record: Effect.fn("Charging.record")(chargeCall)
      })
    })
  )
}
