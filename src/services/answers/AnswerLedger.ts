/**
 * The answers of record: written before an answer leaves, never changed, confirmed to anyone, listed to their account.
 * A row holds hashes of inputs and answer, never either of them. Which answers are recorded is decided by Answers.
 */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import type { Caller, KeyRefused } from "../keys/Keys.ts"
import { type LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import { type AnswerEntry, Charging, type QuotaSpent, type Receipt } from "./Charging.ts"

export type { AnswerEntry, EventType, Receipt, Source } from "./Charging.ts"

export interface AnswerRow extends AnswerEntry {
  /** Grows with every record; the cursor of a page. */
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
  /** Rows recorded before the row of this id. */
  readonly cursor?: bigint | number | undefined
  readonly limit: number
}

/** The service's own prefix and tenant, under which reference scenarios are recorded. */
const OWN_KEY_PREFIX = "slr_ref"
const OWN_TENANT = "reference"

const MAX_ROW_ID = 2n ** 63n - 1n

interface StoredAnswer extends Omit<AnswerRow, "rowId"> {
  readonly seq: bigint
}

const answerRow = ({ seq, ...stored }: StoredAnswer): AnswerRow => ({ ...stored, rowId: Number(seq) })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const charging = yield* Charging
  const columns = sql.literal(`seq, answer_id AS "answerId", recorded_at AS "recordedAtUtc", source, endpoint,
    event_type AS "eventType", rule_version AS "ruleVersion", inputs_hash AS "inputsHash",
    answer_hash AS "answerHash", key_prefix AS "keyPrefix", tenant`)

  const recordOwn = Effect.fn("AnswerLedger.recordOwn")(function* (entry: AnswerEntry) {
    const now = new Date(yield* Clock.currentTimeMillis)
    yield* sql`
      INSERT INTO answer (answer_id, recorded_at, source, endpoint, event_type, rule_version, inputs_hash, answer_hash,
        key_prefix, tenant)
      VALUES (${entry.answerId}::uuid, ${now}, ${entry.source}, ${entry.endpoint}, ${entry.eventType},
        ${entry.ruleVersion}, ${entry.inputsHash}, ${entry.answerHash}, ${OWN_KEY_PREFIX}, ${OWN_TENANT})`.pipe(
      ledgerCall("record own")
    )
    return { recordedAtUtc: now }
  })

  const find = Effect.fn("AnswerLedger.find")(function* (answerId: string) {
    if (!isUuid(answerId)) return Option.none<AnswerRow>()
    const [stored] = yield* sql<StoredAnswer>`SELECT ${columns} FROM answer WHERE answer_id = ${answerId}::uuid`.pipe(
      ledgerCall("find")
    )
    return Option.map(Option.fromUndefinedOr(stored), answerRow)
  })

  /** Newest first by row id: a page never skips or repeats a row, however many are recorded meanwhile. */
  const page = Effect.fn("AnswerLedger.page")(function* (request: RecordsPageRequest) {
    const { cursor, from, limit, tenant, to } = request
    const before = cursor === undefined ? MAX_ROW_ID : BigInt(cursor)
    const found = yield* sql<StoredAnswer>`
      SELECT ${columns} FROM answer
      WHERE ${sql.and([
        sql`tenant = ${tenant}`,
        sql`seq < ${before}`,
        ...(from === undefined ? [] : [sql`recorded_at >= ${from}`]),
        ...(to === undefined ? [] : [sql`recorded_at < ${to}`])
      ])}
      ORDER BY seq DESC LIMIT ${limit + 1}`.pipe(ledgerCall("page"))
    const rows = found.slice(0, limit).map(answerRow)
    return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.rowId ?? null) : null }
  })

  return { record: Effect.fn("AnswerLedger.record")(charging.charge), recordOwn, find, page }
})

export class AnswerLedger extends Context.Service<
  AnswerLedger,
  {
    /** Charges the caller and writes the record, both or neither. */
    readonly record: (
      caller: Caller,
      entry: AnswerEntry
    ) => Effect.Effect<Receipt, QuotaSpent | KeyRefused | LedgerUnavailable>
    /** Writes the record of a reference scenario: under the service's own prefix, charged to nobody. */
    readonly recordOwn: (entry: AnswerEntry) => Effect.Effect<{ readonly recordedAtUtc: Date }, LedgerUnavailable>
    readonly find: (answerId: string) => Effect.Effect<Option.Option<AnswerRow>, LedgerUnavailable>
    /** One page of an account's records; `nextCursor` is null on the last. */
    readonly page: (
      request: RecordsPageRequest
    ) => Effect.Effect<
      { readonly rows: ReadonlyArray<AnswerRow>; readonly nextCursor: number | null },
      LedgerUnavailable
    >
  }
>()("repayment-of-record/AnswerLedger") {
  static readonly layer: Layer.Layer<AnswerLedger, never, SqlClient.SqlClient> = Layer.effect(AnswerLedger, make).pipe(
    Layer.provide(Charging.layer)
  )
}
