/**
 * The SQL statement that charges calls and inserts the records of their answers. `Charging.ts`
 * decides what becomes of a call that the statement did not charge.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dayOf } from "../../messages/figures.ts"
import type { Caller } from "../accounts/index.ts"
import { isDerivedId } from "./IdempotencyKeys.ts"
import { type AnswerEntry, entryRows, STORED_COLUMNS, STORED_VALUES, withKinds } from "./storedRows.ts"

export interface Charge {
  readonly caller: Caller
  /** null for a call that is not a calculation. */
  readonly entry: AnswerEntry | null
  readonly now: Date
}

/** A usable key. */
export interface ChargeRow {
  readonly keyId: string
  /** The count after the charge; null if it would have exceeded the limit. */
  readonly used: number | null
  /** Nothing was charged, since a call of the key is recorded already, or twice in the batch. */
  readonly isRepeated: boolean
}

/** The month and limit of a charge. Charges of any keys that share both can share a statement. */
export const laneOf = ({ caller: { usage } }: Charge): string => `${dayOf(usage.periodStart)} ${usage.limit}`

/** The number of calls to charge per key. */
export const callsByKey = (charges: ReadonlyArray<Charge>): ReadonlyMap<string, number> => {
  const calls = new Map<string, number>()
  for (const { caller } of charges) calls.set(caller.keyId, (calls.get(caller.keyId) ?? 0) + 1)
  return calls
}

/**
 * Whether a key's calls with an Idempotency-Key include one that is already recorded, or the same
 * one twice. Without such calls it costs nothing.
 */
const repeatedIn = Effect.fnUntraced(function* (recorded: ReadonlyArray<AnswerEntry & { readonly keyId: string }>) {
  const sql = yield* SqlClient.SqlClient
  const derived = recorded.filter(({ answerId }) => isDerivedId(answerId))
  if (derived.length === 0) return sql.literal("false")
  return sql`EXISTS (
    SELECT FROM unnest(
      ${derived.map(({ keyId }) => keyId)}::text[]::uuid[], ${derived.map(({ answerId }) => answerId)}::text[]::uuid[]
    ) AS sent (key_id, answer_id)
    WHERE sent.key_id = key.id
    GROUP BY answer_id
    HAVING count(*) > 1 OR EXISTS (SELECT FROM answer WHERE answer.answer_id = sent.answer_id))`
})

/**
 * Charges all of `charges`, which share a lane, and inserts their records: per key all or none.
 * Returns a row for each usable key.
 * - `live` locks the keys' rows, and so does a revocation by a claim or a mint. If the revocation is
 *   first, the key is not found. Otherwise the revocation waits for this statement; a claim then
 *   sees that the key has been used, and leaves it.
 * - A statement for several keys skips locked rows. So no caller waits for a lock on another's key,
 *   and no two statements can deadlock.
 * - `charged` increments only within the limit. The lock on a key's row serializes the statements
 *   that charge the key, and each sees the count of the previous one. So of N parallel calls exactly
 *   the remaining number pass.
 * - `is_repeated` sees calls committed before this statement began. These include calls sent twice
 *   at once to this process, because its statements for one key follow one another. Such a key is
 *   left uncharged. The unique index of `answer_id` sees the rest, which another process or an
 *   overdue statement is recording. It waits for the other transaction. If that commits, the whole
 *   statement fails. So a call is charged and recorded once.
 * - The period is the month in which the calls arrived, so a call around midnight counts in one
 *   month.
 * - A record is inserted only if `live` and `charged` both yield a row. Columns are unnested
 *   arrays, so one statement text inserts one row or many.
 */
export const chargeAll = Effect.fnUntraced(function* (charges: ReadonlyArray<Charge>, locked: "wait" | "leave out") {
  const sql = yield* SqlClient.SqlClient
  const { caller, now } = charges.at(-1)!
  const { limit, periodStart } = caller.usage
  const calls = callsByKey(charges)
  const recorded = charges.flatMap(({ caller: { keyId }, entry, now: recordedAt }) =>
    entry === null ? [] : [{ ...entry, keyId, recordedAt }]
  )
  const statement = sql<ChargeRow>`
    WITH live AS (
      SELECT key.id, key.tenant, asked.calls, ${yield* repeatedIn(recorded)} AS is_repeated
      FROM unnest(${[...calls.keys()]}::text[]::uuid[], ${[...calls.values()]}::int[]) AS asked (id, calls)
      JOIN api_key AS key ON key.id = asked.id
      WHERE key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > ${now})
      FOR NO KEY UPDATE OF key ${sql.literal(locked === "wait" ? "" : "SKIP LOCKED")}
    ), charged AS (
      INSERT INTO usage AS counter (key_id, period, used)
      SELECT id, ${dayOf(periodStart)}::date, calls FROM live WHERE calls <= ${limit}::int AND NOT is_repeated
      ON CONFLICT (key_id, period) DO UPDATE SET used = counter.used + excluded.used
        WHERE counter.used + excluded.used <= ${limit}::int
      RETURNING key_id, used
    ), written AS (
      INSERT INTO answer (${sql.literal(STORED_COLUMNS)}, tenant)
      SELECT ${sql.literal(STORED_VALUES)}, substr(live.tenant, 3)::uuid
      FROM live JOIN charged ON charged.key_id = live.id JOIN ${yield* entryRows(recorded)} ON entry.key_id = live.id
    )
    SELECT live.id AS "keyId", charged.used, live.is_repeated AS "isRepeated" FROM live LEFT JOIN charged ON charged.key_id = live.id`
  return yield* withKinds(recorded, statement)
})
