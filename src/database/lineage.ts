/**
 * Whether a server is a standby of the database, as both say themselves: the same cluster and database, still in recovery,
 * and without a record that the database has not. It only asks.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { connectionError, withDeadline } from "./deadline.ts"

/** For one answer, however the server is. */
const ANSWER_MILLISECONDS = 1000

/** A physical copy has the numbers of what it is a copy of; one that was restored from a dump has others. */
const IDENTITY = `(SELECT system_identifier FROM pg_control_system()) || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) AS identity`

export interface Origin {
  readonly identity: string
  /** Up to which the write-ahead log is on its disk, in bytes. */
  readonly position: number
  /** Whether it has the record that was asked for. */
  readonly hasNewest: boolean
}

export interface Copy {
  readonly identity: string
  readonly isStandby: boolean
  /** Up to which it has replayed that log, in bytes. */
  readonly position: number
  /** The id of its newest record; null if it has none. */
  readonly newest: string | null
  /** The age of the last commit that it has replayed; null if it has replayed none since its start. */
  readonly seconds: number | null
}

const inTime = <A>(answer: Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>) =>
  withDeadline(answer, ANSWER_MILLISECONDS, () => connectionError("look", "The server did not answer in time")).pipe(
    Effect.map(([row]) => row!)
  )

/** Of the database: what it is, how far it has come, and whether it has the record that a copy of it has as its newest. */
export const askOrigin = (sql: SqlClient.SqlClient, newest: string | null) =>
  inTime(sql<Origin>`
    SELECT ${sql.literal(IDENTITY)}, (pg_current_wal_flush_lsn() - '0/0')::float8 AS position,
      ${newest}::text IS NULL OR EXISTS (SELECT FROM public.answer WHERE answer_id = ${newest}::text::uuid) AS "hasNewest"`)

/** Of any server, whatever it holds. */
export const askIdentity = (sql: SqlClient.SqlClient) =>
  inTime(sql<Pick<Copy, "identity" | "isStandby">>`
    SELECT ${sql.literal(IDENTITY)}, pg_is_in_recovery() AS "isStandby"`)

export const askCopy = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const known = yield* askIdentity(sql)
  if (!known.isStandby) return { ...known, position: 0, newest: null, seconds: null }
  const held = yield* inTime(sql<Omit<Copy, keyof typeof known>>`
    SELECT coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::float8 AS position,
      (SELECT answer_id::text FROM public.answer ORDER BY seq DESC LIMIT 1) AS newest,
      extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 AS seconds`)
  return { ...known, ...held } satisfies Copy
})

export const FOREIGN = "it is of another installation"
const PROMOTED = "it is no standby"
export const DIVERGED = "it holds a record that the database has not"

/** Why a server is not read from in place of the database; null if nothing is amiss. */
export const amissWith = (copy: Pick<Copy, "identity" | "isStandby">, identity: string): string | null => {
  if (copy.identity !== identity) return FOREIGN
  return copy.isStandby ? null : PROMOTED
}
