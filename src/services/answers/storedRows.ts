/**
 * The storage format of records: hashes as bytes, and properties shared by many records as a number
 * (`answer_kind`). The inserting statement looks the kind up by its texts, so there is no cache
 * that a restored backup could invalidate. Records are read through the view `recorded_answer`.
 */
import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { hasCode } from "../../platform/hasCode.ts"

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

interface EntryToStore extends AnswerEntry {
  readonly recordedAt: Date
  readonly keyId: string
}

/** Hex digits at the end of a hash. The prefix names the hash's scheme and belongs to the kind. */
const DIGITS = 64

/** The columns of `answer` that an entry fills by itself, and their values. */
export const STORED_COLUMNS = "recorded_at, answer_id, kind, inputs_hash, answer_hash, key_id"
export const STORED_VALUES = `entry.recorded_at, entry.answer_id,
  (SELECT kind.id FROM answer_kind AS kind
    WHERE kind.endpoint = entry.endpoint AND kind.source = entry.source AND kind.event_type = entry.event_type
      AND kind.rule_version = entry.rule_version AND kind.inputs_prefix = left(entry.inputs_hash, -${DIGITS})
      AND kind.answer_prefix = left(entry.answer_hash, -${DIGITS})),
  decode(right(entry.inputs_hash, ${DIGITS}), 'hex'), decode(right(entry.answer_hash, ${DIGITS}), 'hex'), entry.key_id`

/** The columns of the view that are read as an AnswerEntry. */
export const READ_COLUMNS = `answer_id AS "answerId", source, endpoint, event_type AS "eventType", rule_version AS "ruleVersion",
  inputs_hash AS "inputsHash", answer_hash AS "answerHash"`

/** The entries as rows for a statement, whose text is the same for any number of them. */
export const entryRows = (entries: ReadonlyArray<EntryToStore>) =>
  SqlClient.SqlClient.useSync(
    (sql) => sql`
  unnest(
    ${entries.map(({ keyId }) => keyId)}::text[]::uuid[],
    ${entries.map(({ answerId }) => answerId)}::text[]::uuid[],
    ${entries.map(({ recordedAt }) => recordedAt)}::timestamptz[],
    ${entries.map(({ source }) => source)}::text[],
    ${entries.map(({ endpoint }) => endpoint)}::text[],
    ${entries.map(({ eventType }) => eventType)}::text[],
    ${entries.map(({ ruleVersion }) => ruleVersion)}::text[],
    ${entries.map(({ inputsHash }) => inputsHash)}::text[],
    ${entries.map(({ answerHash }) => answerHash)}::text[])
  AS entry (key_id, answer_id, recorded_at, source, endpoint, event_type, rule_version, inputs_hash, answer_hash)`
  )

/** SQLSTATE of a NULL in a NOT NULL column: here the id of a missing kind. */
const NOT_NULL_VIOLATION = "23502"

const isKindMissing = (error: SqlError.SqlError): boolean => {
  const { cause } = error.reason
  return hasCode(cause, NOT_NULL_VIOLATION)
}

/**
 * If two processes add the same new kind, one inserts it, and the other waits and then finds it.
 */
const addKinds = Effect.fnUntraced(function* (entries: ReadonlyArray<EntryToStore>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
  INSERT INTO answer_kind (source, endpoint, event_type, rule_version, inputs_prefix, answer_prefix)
  SELECT DISTINCT source, endpoint, event_type, rule_version, left(inputs_hash, -${sql.literal(`${DIGITS}`)}),
    left(answer_hash, -${sql.literal(`${DIGITS}`)})
  FROM ${yield* entryRows(entries)}
  ON CONFLICT DO NOTHING`
})

/** Runs the statement that inserts `entries`; if a kind is missing, adds it and runs it again. */
export const withKinds = <A, E, R>(
  entries: ReadonlyArray<EntryToStore>,
  statement: Effect.Effect<A, E | SqlError.SqlError, R>
) =>
  Effect.catchIf(
    statement,
    (error): error is SqlError.SqlError => SqlError.isSqlError(error) && isKindMissing(error),
    () => Effect.andThen(addKinds(entries), statement)
  )
