/**
 * The answer-of-record ledger: anyone can confirm a record, its account can list it, and it never
 * changes. A row holds hashes of the inputs and the answer, never the data itself. Charging inserts
 * the record of a call, in the statement that charges the call.
 */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import { spanned } from "../../platform/telemetry.ts"
import { LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import { makeLookUps } from "../scheduling/index.ts"
import { type AnswerEntry, entryRows, READ_COLUMNS, STORED_COLUMNS, STORED_VALUES, withKinds } from "./storedRows.ts"

export interface AnswerRow extends AnswerEntry {
  /** A number unique to the record; the cursor of a page. */
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
  /** The last row id of the previous page. An id outside this account gives the first page. */
  readonly cursor?: bigint | number | undefined
  /** At most 1,000. */
  readonly limit: number
}

/** The service's own account and key, under which reference scenarios are recorded. */
const SERVICE_TENANT = "reference"
const SERVICE_KEY_ID = "00000000-0000-0000-0000-000000000000"

/** Limit per hour, over all processes, of recordings for one month and rule version. */
const REFERENCES_PER_HOUR = 60

/** An answer of GET /v1/reference, which is public. */
interface Reference {
  readonly ruleVersion: string
  /** Year and month of its computation, on which its figures depend. */
  readonly startMonth: string
  /** The answer as JSON. */
  readonly answer: string
}

/**
 * Row limits of the page statement: the first one above the requested limit is used. The limits are
 * literals, so that each of the few statements is planned once. For an unknown limit the planner
 * assumes a tenth of the account.
 */
const PAGE_LIMITS = [26, 51, 101, 251, 501, 1001]

interface StoredAnswer extends Omit<AnswerRow, "rowId"> {
  readonly seq: bigint
}

const answerRow = ({ seq, ...stored }: StoredAnswer): AnswerRow => ({ ...stored, rowId: Number(seq) })

/**
 * Confirms neither of two records with one id, because only an owner of the tables can insert them.
 */
const requireUnique = Effect.fnUntraced(function* (stored: ReadonlyArray<StoredAnswer>) {
  if (stored.length < 2) return Option.map(Option.fromUndefinedOr(stored[0]), answerRow)
  yield* Effect.logError("Two records have the same answerId, so neither is confirmed: run repay audit")
  return yield* new LedgerUnavailable()
})

const COLUMNS = `seq, recorded_at AS "recordedAtUtc", ${READ_COLUMNS}, key_prefix AS "keyPrefix", tenant`

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** PostgreSQL keeps its plan for one id; it plans each list anew, which takes a fifth of a lone call. */
  const select = (ids: ReadonlyArray<string>) => {
    const isAsked = ids.length === 1 ? sql`= ${ids[0]!}::uuid` : sql`= ANY (${ids}::text[]::uuid[])`
    return sql<StoredAnswer>`SELECT ${sql.literal(COLUMNS)} FROM recorded_answer WHERE answer_id ${isAsked}`
  }

  /**
   * Newest first, by time and row id, so pages skip and repeat no row while others are recorded.
   * `bound` is the lower of the range's end and the previous page's last row. With this single
   * bound the index scan starts where the page begins. The cursor's row is looked up within the
   * account, so a cursor reveals nothing of other accounts. Without MATERIALIZED the planner may
   * scan the whole account for it.
   */
  const selectPage = ({ cursor, from, limit, tenant, to }: RecordsPageRequest) => sql<StoredAnswer>`
    WITH last AS MATERIALIZED (
      SELECT recorded_at, seq FROM answer WHERE seq = ${cursor ?? null}::bigint AND tenant = account_of(${tenant})
    ), bound AS MATERIALIZED (
      SELECT recorded_at, seq FROM last UNION ALL SELECT coalesce(${to ?? null}::timestamptz, 'infinity'), 0
      ORDER BY recorded_at, seq LIMIT 1
    ), page AS (
      SELECT seq FROM answer
      WHERE tenant = account_of(${tenant}) AND recorded_at >= coalesce(${from ?? null}::timestamptz, '-infinity')
        AND (recorded_at, seq) < ((SELECT recorded_at FROM bound), (SELECT seq FROM bound))
      ORDER BY recorded_at DESC, seq DESC LIMIT ${sql.literal(`${PAGE_LIMITS.find((pageLimit) => pageLimit > limit)!}`)}
    )
    SELECT ${sql.literal(COLUMNS)} FROM page JOIN recorded_answer USING (seq) ORDER BY recorded_at DESC, seq DESC`

  /** One statement counts and records, so that racing processes keep the limit together. */
  const recordOwn = Effect.fn("AnswerLedger.recordOwn")(
    function* (entries: ReadonlyArray<AnswerEntry>, reference?: Reference) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const recorded = entries.map((entry) => ({ ...entry, recordedAt: now, keyId: SERVICE_KEY_ID }))
      const counted =
        reference === undefined
          ? sql`SELECT`
          : sql`
          INSERT INTO reference AS kept (rule_version, start_month, hour, recorded, answer)
          VALUES (${reference.ruleVersion}, ${reference.startMonth}, date_trunc('hour', now()), 1, ${reference.answer})
          ON CONFLICT (rule_version, start_month) DO UPDATE SET hour = excluded.hour, answer = excluded.answer,
            recorded = CASE WHEN kept.hour = excluded.hour THEN kept.recorded + 1 ELSE 1 END
          -- A statement that began in the previous hour and waited for the row must not undo the new hour.
          WHERE kept.hour < excluded.hour
            OR (kept.hour = excluded.hour AND kept.recorded < ${REFERENCES_PER_HOUR})
          RETURNING recorded`
      const inserted = yield* withKinds(
        recorded,
        sql`
        WITH counted AS (${counted})
        INSERT INTO answer (${sql.literal(STORED_COLUMNS)}, tenant)
        SELECT ${sql.literal(STORED_VALUES)}, account_of(${SERVICE_TENANT}) FROM counted, ${yield* entryRows(recorded)}
        RETURNING seq`
      ).pipe(ledgerCall("record own"))
      return inserted.length > 0
    },
    Effect.provideService(SqlClient.SqlClient, sql)
  )

  const keptReference = Effect.fn("AnswerLedger.keptReference")(function* (
    { ruleVersion, startMonth }: Omit<Reference, "answer">,
    ofFullHour: boolean
  ) {
    const [kept] = yield* sql<Pick<Reference, "answer">>`
      SELECT answer FROM reference WHERE rule_version = ${ruleVersion} AND start_month = ${startMonth}
        AND (NOT ${ofFullHour}::boolean OR hour > date_trunc('hour', now())
          OR (hour = date_trunc('hour', now()) AND recorded >= ${REFERENCES_PER_HOUR}))`.pipe(
      ledgerCall("kept reference")
    )
    return Option.fromUndefinedOr(kept?.answer)
  })

  const lookUp = yield* makeLookUps({
    work: "verify",
    operation: "find",
    query: select,
    answers: (rows, ids: ReadonlyArray<string>) => {
      const found = Map.groupBy(rows, ({ answerId }) => answerId)
      return ids.map((id) => found.get(id) ?? [])
    }
  })

  const find = spanned("AnswerLedger.find", (answerId: string) =>
    isUuid(answerId) ? Effect.flatMap(lookUp("verify", answerId.toLowerCase()), requireUnique) : Effect.succeedNone
  )
  const findOwn = (answerId: string) => Effect.flatMap(lookUp("own", answerId), requireUnique)

  const page = Effect.fn("AnswerLedger.page")(function* (request: RecordsPageRequest) {
    const { limit } = request
    const found = yield* selectPage(request).pipe(ledgerCall("page"))
    const rows = found.slice(0, limit).map(answerRow)
    return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.rowId ?? null) : null }
  })

  return { recordOwn, keptReference, find, findOwn, page }
})

export class AnswerLedger extends Context.Service<
  AnswerLedger,
  {
    /**
     * Records under the service's own prefix; no key is charged. Returns false and records nothing if
     * the reference would exceed the limit of the hour.
     */
    readonly recordOwn: (
      entries: ReadonlyArray<AnswerEntry>,
      reference?: Reference
    ) => Effect.Effect<boolean, LedgerUnavailable>
    /** The newest recorded reference; with `ofFullHour` only if this hour's limit is reached. */
    readonly keptReference: (
      of: Omit<Reference, "answer">,
      ofFullHour: boolean
    ) => Effect.Effect<Option.Option<string>, LedgerUnavailable>
    readonly find: (answerId: string) => Effect.Effect<Option.Option<AnswerRow>, LedgerUnavailable>
    /** The same for an id that the service derived; it does not queue behind anonymous callers. */
    readonly findOwn: (answerId: string) => Effect.Effect<Option.Option<AnswerRow>, LedgerUnavailable>
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
