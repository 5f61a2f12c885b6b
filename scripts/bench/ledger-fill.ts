/**
 * Databases full of records for the benches: 300 accounts, the first with half of all records. The
 * server fills them in batches with the indexes in place, so that they are as large as after real
 * growth.
 */
import { dirname } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** Records per database; the largest takes minutes and gigabytes. */
export const SIZES = [10_000, 1_000_000, 10_000_000]
export const sizesOf = (isQuick: boolean): ReadonlyArray<number> => (isQuick ? SIZES.slice(0, -1) : SIZES)

export const ACCOUNTS = 300
const BATCH = 100_000
/** Time between two records. */
const MILLISECONDS = 20

const urlOf = (socketPath: string, database: string) =>
  Redacted.make(`postgres://postgres@localhost/${database}?host=${encodeURIComponent(dirname(socketPath))}`)

/** Runs statements outside a transaction and without the service's timeouts. */
export const administer = (url: Redacted.Redacted<string>, statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  ).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))

/** Creates an empty database on the embedded server, named after its number of records. */
export const createDatabase = Effect.fnUntraced(function* (socketPath: string, records: number) {
  yield* administer(urlOf(socketPath, "postgres"), [`CREATE DATABASE of_${records}`])
  return urlOf(socketPath, `of_${records}`)
})

/** Brings the database into the state after autovacuum and a checkpoint. */
export const rest = (url: Redacted.Redacted<string>) => administer(url, ["VACUUM ANALYZE", "CHECKPOINT"])

/** SQL for the account of a record's or key's number. */
const accountOf = (number: string): string => `md5('account ' || ${number})::uuid`

const accounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`
    INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at)
    SELECT ${accountOf("n")}, sha256(n::text::bytea), 'slr_sbx_' || lpad(n::text, 6, '0'), 'Sandbox', 't_' || ${accountOf("n")},
      n || '@example.org', 'mint', now(), now() + interval '30 days' FROM generate_series(0, ${ACCOUNTS - 1}) AS n`)
  yield* sql`
    INSERT INTO answer_kind (source, endpoint, event_type, rule_version, inputs_prefix, answer_prefix)
    VALUES ('PublicApi', 'POST /v1/projection', 'calc.projection.run', 'rl1-0123456789ab', 'h1-', 'a2-')`
})

/** SQL that inserts records above `first`, with UUIDs of version 7 like the service's. */
const batch = (first: number, last: number, from: number): string => `
  INSERT INTO answer (recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)
  SELECT at, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(id, 14, 3) || 'a' ||
      substr(id, 18, 15))::uuid, account, account, 1, sha256(n::text::bytea), sha256(id::bytea)
  FROM (
    SELECT n, to_timestamp(${from / 1000} + n * ${MILLISECONDS / 1000}) AS at, md5(n::text) AS id,
      ${accountOf(`(CASE WHEN n % 2 = 0 THEN 0 ELSE n / 2 % ${ACCOUNTS} END)`)} AS account
    FROM generate_series(${first + 1}, ${last}) AS n ORDER BY n) AS made`

/** Fills the database of this SqlClient; resolves with the time range of its records. */
export const fill = Effect.fnUntraced(function* (records: number) {
  const sql = yield* SqlClient.SqlClient
  const from = Date.now() - records * MILLISECONDS
  yield* accounts
  for (let first = 0; first < records; first += BATCH) {
    const insert = sql.unsafe(batch(first, Math.min(records, first + BATCH), from))
    yield* sql.withTransaction(Effect.andThen(sql`SET LOCAL statement_timeout = 0`, insert))
  }
  return { from: new Date(from), to: new Date(from + records * MILLISECONDS) }
})
