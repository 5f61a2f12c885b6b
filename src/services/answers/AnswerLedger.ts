/**
 * The recorded answers: confirmed to anyone, listed to their account, never changed. A row holds hashes of the inputs
 * and of the answer, never the inputs or the answer themselves. The record of a call is written by Charging, in the
 * statement that charges the call.
 */
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import { Deadlines } from "../../database/deadline.ts"
import { spanned } from "../../platform/telemetry.ts"
import { LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import { makeGroupCommit } from "../scheduling/groupCommit.ts"
import { type AnswerEntry, entryRows, READ_COLUMNS, STORED_COLUMNS, STORED_VALUES, withKinds } from "./storedRows.ts"

export interface AnswerRow extends AnswerEntry {
  /** A number of its own for every record; the cursor of a page. */
  readonly rowId: number
  readonly recordedAtUtc: Date
  readonly keyPrefix: string
  readonly tenant: string
}

interface RecordsPageRequest {
  readonly tenant: string
  /** Inclusive. */
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly to?: Date | undefined
  /** The row id that the page before ended with; one of no row of this account is above all. */
  readonly cursor?: bigint | number | undefined
  /** At most 1,000. */
  readonly limit: number
}

/** The service's own account and key, under which reference scenarios are recorded. */
const OWN_TENANT = "reference"
const OWN_KEY_ID = "00000000-0000-0000-0000-000000000000"

/**
 * How many records one statement reads: the first of these above the limit that was asked for. As numbers in its text the
 * server plans each of the few statements once; a limit that it does not know it takes for a tenth of the account.
 */
const MOST_READ = [26, 51, 101, 251, 501, 1001]

interface StoredAnswer extends Omit<AnswerRow, "rowId"> {
  readonly seq: bigint
}

const answerRow = ({ seq, ...stored }: StoredAnswer): AnswerRow => ({ ...stored, rowId: Number(seq) })

/** Of two records under one id, which only an owner of the tables can have put there, neither is confirmed. */
const onlyOne = Effect.fnUntraced(function* (stored: ReadonlyArray<StoredAnswer>) {
  if (stored.length < 2) return Option.map(Option.fromUndefinedOr(stored[0]), answerRow)
  yield* Effect.logError("Two records have one answerId, and neither is confirmed: run repay audit")
  return yield* new LedgerUnavailable()
})

const COLUMNS = `seq, recorded_at AS "recordedAtUtc", ${READ_COLUMNS}, key_prefix AS "keyPrefix", tenant`

const readRecords = (sql: SqlClient.SqlClient) => ({
  find: (ids: ReadonlyArray<string>) => sql<StoredAnswer>`
    SELECT ${sql.literal(COLUMNS)} FROM recorded_answer WHERE answer_id = ANY (${ids}::text[]::uuid[])`,

  /**
   * Newest first, by time and row id, so pages neither skip nor repeat a row however many are recorded meanwhile. `bound`
   * is the lower of the two that a page may be under, the end of the range and the last row of the page before: with one
   * bound, and not two, the index is entered where the page begins. The row of a cursor is looked for in this account
   * alone, so that a cursor tells nothing of another's records; and by itself (MATERIALIZED), or the planner may look for
   * it in the order of the two, through all of the account.
   */
  page: ({ cursor, from, limit, tenant, to }: RecordsPageRequest) => sql<StoredAnswer>`
    WITH last AS MATERIALIZED (
      SELECT recorded_at, seq FROM answer WHERE seq = ${cursor ?? null}::bigint AND tenant = account_of(${tenant})
    ), bound AS MATERIALIZED (
      SELECT recorded_at, seq FROM last UNION ALL SELECT coalesce(${to ?? null}::timestamptz, 'infinity'), 0
      ORDER BY recorded_at, seq LIMIT 1
    ), page AS (
      SELECT seq FROM answer
      WHERE tenant = account_of(${tenant}) AND recorded_at >= coalesce(${from ?? null}::timestamptz, '-infinity')
        AND (recorded_at, seq) < ((SELECT recorded_at FROM bound), (SELECT seq FROM bound))
      ORDER BY recorded_at DESC, seq DESC LIMIT ${sql.literal(`${MOST_READ.find((most) => most > limit)!}`)}
    )
    SELECT ${sql.literal(COLUMNS)} FROM page JOIN recorded_answer USING (seq) ORDER BY recorded_at DESC, seq DESC`
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const records = readRecords(sql)

  const recordOwn = Effect.fn("AnswerLedger.recordOwn")(function* (entry: AnswerEntry) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const recorded = [{ ...entry, recordedAt: now, keyId: OWN_KEY_ID }]
    yield* withKinds(
      sql,
      recorded,
      sql`
        INSERT INTO answer (${sql.literal(STORED_COLUMNS)}, tenant)
        SELECT ${sql.literal(STORED_VALUES)}, account_of(${OWN_TENANT}) FROM ${entryRows(sql, recorded)}`
    ).pipe(ledgerCall("record own"))
  })

  /** Finds records; those that are asked for while a query is under way share the next one. */
  const { call, patience } = yield* Deadlines
  const lookUp = yield* makeGroupCommit<string, ReadonlyArray<StoredAnswer>, LedgerUnavailable>({
    work: "verify",
    commit: (ids) =>
      records.find(ids).pipe(
        ledgerCall("find"),
        Effect.match({
          onFailure: (unavailable) => ids.map(() => Result.fail(unavailable)),
          onSuccess: (rows) => {
            const found = Map.groupBy(rows, ({ answerId }) => answerId)
            return ids.map((id) => Result.succeed(found.get(id) ?? []))
          }
        })
      ),
    isOutage: (results) => results.every(Result.isFailure),
    isSameBatch: () => true,
    deadlineMilliseconds: call,
    patienceMilliseconds: patience,
    unavailable: () => new LedgerUnavailable()
  })

  const find = spanned("AnswerLedger.find", (answerId: string) =>
    isUuid(answerId) ? Effect.flatMap(lookUp.commit("verify", answerId.toLowerCase()), onlyOne) : Effect.succeedNone
  )

  const page = Effect.fn("AnswerLedger.page")(function* (request: RecordsPageRequest) {
    const { limit } = request
    const found = yield* records.page(request).pipe(ledgerCall("page"))
    const rows = found.slice(0, limit).map(answerRow)
    return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.rowId ?? null) : null }
  })

  return { recordOwn, find, page }
})

export class AnswerLedger extends Context.Service<
  AnswerLedger,
  {
    /** Records a reference scenario under the service's own prefix, charged to nobody. */
    readonly recordOwn: (entry: AnswerEntry) => Effect.Effect<void, LedgerUnavailable>
    readonly find: (answerId: string) => Effect.Effect<Option.Option<AnswerRow>, LedgerUnavailable>
    /** One page of an account's records; `nextCursor` is null on the last page. */
    readonly page: (
      request: RecordsPageRequest
    ) => Effect.Effect<
      { readonly rows: ReadonlyArray<AnswerRow>; readonly nextCursor: number | null },
      LedgerUnavailable
    >
  }
>()("repayment-of-record/AnswerLedger") {
  static readonly layer: Layer.Layer<AnswerLedger, never, SqlClient.SqlClient> = Layer.effect(AnswerLedger, make)
}
