/**
 * Charges each call against its key's monthly quota: alone, or together with the record of its answer in one statement.
 * The count is exact under any concurrency, and nothing else counts calls. Records are read through AnswerLedger.
 */
import { Clock, Context, Data, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { type Caller, KeyRefused, type Usage } from "../keys/Keys.ts"
import { dateText } from "../keys/month.ts"
import { LedgerUnavailable, ledgerCall, OPERATION_MILLISECONDS } from "../ledgerUnavailable.ts"
import { makeGroupCommit } from "./groupCommit.ts"

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

interface ChargeRow {
  readonly live: boolean
  /** The count after the charge; null if it would have exceeded the limit. */
  readonly used: number | null
}

/**
 * Charges all of `charges`, which belong to one key and one month, or none, and inserts their records with the charge.
 *
 * `live` locks the key's row. A revocation by a claim or a mint needs the same lock, so either it comes first and the
 * key is no longer found, or it waits and then sees this call as the key's first use: never both, never neither. A
 * shared lock would do, but calls of one key wait for each other at its counter anyway.
 *
 * `charged` counts up only within the limit. Callers of one key, in this process or another, wait for the lock on the
 * counter's row and see the count that the previous one left, so of N parallel calls exactly the remaining number pass.
 *
 * The period is the month in which the calls arrived, so a call at midnight between two months is charged to one only.
 * Nothing is inserted into `answer` unless `live` and `charged` both yield a row. Columns are passed as arrays and
 * unnested, so the same statement inserts one row or many.
 */
const chargeAll = (sql: SqlClient.SqlClient, charges: ReadonlyArray<Charge>) => {
  const { caller, now } = charges.at(-1)!
  const { limit, periodStart } = caller.usage
  const count = charges.length
  const recorded = charges.flatMap(({ entry, now: recordedAt }) => (entry === null ? [] : [{ ...entry, recordedAt }]))
  return sql<ChargeRow>`
    WITH live AS (
      SELECT id, prefix, tenant FROM api_key
      WHERE id = ${caller.keyId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
      FOR NO KEY UPDATE
    ), charged AS (
      INSERT INTO usage AS counter (key_id, period, used)
      SELECT id, ${dateText(periodStart)}::date, ${count}::int FROM live WHERE ${count}::int <= ${limit}::int
      ON CONFLICT (key_id, period) DO UPDATE SET used = counter.used + excluded.used
        WHERE counter.used + excluded.used <= ${limit}::int
      RETURNING used
    ), written AS (
      INSERT INTO answer (answer_id, recorded_at, source, endpoint, event_type, rule_version, inputs_hash, answer_hash,
        key_prefix, tenant, key_id)
      SELECT entry.*, live.prefix, live.tenant, live.id FROM live, charged, unnest(
        ${recorded.map(({ answerId }) => answerId)}::text[]::uuid[],
        ${recorded.map(({ recordedAt }) => recordedAt)}::timestamptz[],
        ${recorded.map(({ source }) => source)}::text[],
        ${recorded.map(({ endpoint }) => endpoint)}::text[],
        ${recorded.map(({ eventType }) => eventType)}::text[],
        ${recorded.map(({ ruleVersion }) => ruleVersion)}::text[],
        ${recorded.map(({ inputsHash }) => inputsHash)}::text[],
        ${recorded.map(({ answerHash }) => answerHash)}::text[]) AS entry
    )
    SELECT EXISTS (SELECT FROM live) AS live, (SELECT used FROM charged) AS used`
}

const usageAfter = ({ caller }: Charge, used: number): Usage => ({
  ...caller.usage,
  used: Math.min(used, caller.usage.limit)
})

/** The caller's usage after the charge. */
type Outcome = Result.Result<Usage, ChargeFailure>

const notCharged: Outcome = Result.fail(new LedgerUnavailable())

const failedAs = (outcome: Outcome | undefined, reason: typeof QuotaSpent | typeof LedgerUnavailable): boolean =>
  outcome !== undefined && Result.isFailure(outcome) && outcome.failure instanceof reason

const spent = ({ caller: { keyId, tier, usage } }: Charge): Outcome =>
  Result.fail(new QuotaSpent({ keyId, tier, usage: { ...usage, used: usage.limit } }))

/**
 * Charges of one key and month: all at once if they fit the limit, else one after the other until it is reached, the
 * database is away, or a caller has given up, who is then not charged.
 */
const makeCommit = (sql: SqlClient.SqlClient) => {
  const commit = (
    charges: ReadonlyArray<Charge>,
    isAbandoned: (index: number) => boolean
  ): Effect.Effect<ReadonlyArray<Outcome>> =>
    chargeAll(sql, charges).pipe(
      ledgerCall("charge"),
      Effect.flatMap(([row]) => {
        if (row === undefined || !row.live) return Effect.succeed(charges.map(() => Result.fail(new KeyRefused())))
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
const isOutage = (outcomes: ReadonlyArray<Outcome>): boolean =>
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
      const commit = makeGroupCommit<Charge, Usage, ChargeFailure>({
        commit: makeCommit(sql),
        isOutage,
        isSameBatch: isSameMonth,
        deadlineMilliseconds: OPERATION_MILLISECONDS,
        unavailable: () => new LedgerUnavailable()
      })
      const chargeCall = (caller: Caller, entry: AnswerEntry | null) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) =>
          commit(caller.keyId, { caller, entry, now: new Date(millis) })
        )
      return Charging.of({
        charge: Effect.fn("Charging.charge")((caller) => chargeCall(caller, null)),
        record: Effect.fn("Charging.record")(chargeCall)
      })
    })
  )
}
