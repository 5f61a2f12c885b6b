/**
 * How a record is stored: the hashes as bytes, and what it has in common with many others (`answer_kind`) as a number.
 * The kind is found by its words in the inserting statement itself, so there is none to remember, and none that a
 * restored backup could give another meaning. Records are read through the view `recorded_answer`.
 */
import { Effect } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
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

/** Hex digits at the end of a hash. What stands before them names how it was made, and is part of the kind. */
const DIGITS = 64

/** The columns of `answer` that an entry fills by itself, and their values. */
export const STORED_COLUMNS = "recorded_at, answer_id, kind, inputs_hash, answer_hash, key_id"
export const STORED_VALUES = `entry.recorded_at, entry.answer_id,
  (SELECT kind.id FROM answer_kind AS kind
    WHERE kind.endpoint = entry.endpoint AND kind.source = entry.source AND kind.event_type = entry.event_type
      AND kind.rule_version = entry.rule_version AND kind.inputs_prefix = left(entry.inputs_hash, -${DIGITS})
      AND kind.answer_prefix = left(entry.answer_hash, -${DIGITS})),
  decode(right(entry.inputs_hash, ${DIGITS}), 'hex'), decode(right(entry.answer_hash, ${DIGITS}), 'hex'), entry.key_id`

/** What is read of a record, but for its time: columns of the view under the names of an AnswerEntry. */
export const READ_COLUMNS = `answer_id AS "answerId", source, endpoint, event_type AS "eventType", rule_version AS "ruleVersion",
  inputs_hash AS "inputsHash", answer_hash AS "answerHash"`

/** The entries as rows of a statement, whose text is the same for one and for many. */
export const entryRows = (sql: SqlClient.SqlClient, entries: ReadonlyArray<EntryToStore>) => sql`
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

/** The server's code for a column that must not be NULL, as the kind is that is not there. */
const NOT_NULL_VIOLATION = "23502"

const isKindMissing = (error: SqlError.SqlError): boolean => {
  const { cause } = error.reason
  return hasCode(cause, NOT_NULL_VIOLATION)
}

/** Two processes that meet a kind for the first time: one inserts it, and the other waits and finds it there. */
const addKinds = (sql: SqlClient.SqlClient, entries: ReadonlyArray<EntryToStore>) => sql`
  INSERT INTO answer_kind (source, endpoint, event_type, rule_version, inputs_prefix, answer_prefix)
  SELECT DISTINCT source, endpoint, event_type, rule_version, left(inputs_hash, -${sql.literal(`${DIGITS}`)}),
    left(answer_hash, -${sql.literal(`${DIGITS}`)})
  FROM ${entryRows(sql, entries)}
  ON CONFLICT DO NOTHING`

/** The statement that inserts `entries`; where one is the first of its kind, once more after the kind was added. */
export const withKinds = <A, E, R>(
  sql: SqlClient.SqlClient,
  entries: ReadonlyArray<EntryToStore>,
  statement: Effect.Effect<A, E | SqlError.SqlError, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.catchIf(
    statement,
    (error): error is SqlError.SqlError => SqlError.isSqlError(error) && isKindMissing(error),
    () => Effect.andThen(addKinds(sql, entries), statement)
  )
