/**
 * The log bench: the time to enter all records, the bytes per record, and the time of an empty
 * round and of receipts. It uses one database each for ten thousand, a million and ten million
 * records, timed in turn. `--quick` skips the ten million, which take a quarter of an hour and
 * four gigabytes in the temporary folder.
 */
import { cpus } from "node:os"
import { dirname } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { databaseAt, embeddedDatabase } from "../../src/database/index.ts"
import { AppConfig } from "../../src/platform/config.ts"
import { Sequencer, TransparencyLog } from "../../src/services/log/index.ts"
import { temporaryFolder } from "../harness.ts"
import { median, quantile } from "./rounds.ts"

const SIZES = [10_000, 1_000_000, 10_000_000]
const ROUNDS = 200
const WARM_UP_ROUNDS = 20
/** Records of one INSERT, with the indexes in place, so that tables are as large as after growth. */
const BATCH = 100_000
const MILLISECONDS_BETWEEN_RECORDS = 20

const config = AppConfig.layerFrom({
  SECRET_PEPPER: "a pepper for the bench that is long enough",
  LOG_SIGNING_KEY: "0123456789abcdef".repeat(4)
})

const urlOf = (socketPath: string, database: string) =>
  Redacted.make(`postgres://postgres@localhost/${database}?host=${encodeURIComponent(dirname(socketPath))}`)

/** Runs statements outside a transaction and without the service's timeouts. */
const administer = (url: Redacted.Redacted<string>, statements: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  ).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))

/** SQL that inserts records above `first`, with UUIDs of version 7 like the service's. */
const batch = (first: number, last: number, from: number): string => `
  INSERT INTO answer (recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)
  SELECT at, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(id, 14, 3) || 'a' ||
      substr(id, 18, 15))::uuid, account, account, 1, sha256(n::text::bytea), sha256(id::bytea)
  FROM (
    SELECT n, to_timestamp(${from / 1000} + n * ${MILLISECONDS_BETWEEN_RECORDS / 1000}) AS at, md5(n::text) AS id,
      md5('account')::uuid AS account
    FROM generate_series(${first + 1}, ${last}) AS n ORDER BY n) AS made`

const fill = Effect.fnUntraced(function* (records: number) {
  const sql = yield* SqlClient.SqlClient
  const from = Date.now() - records * MILLISECONDS_BETWEEN_RECORDS
  yield* sql`
    INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at)
    VALUES (md5('account')::uuid, sha256(''), 'slr_sbx_000000', 'Sandbox', 't_' || md5('account')::uuid,
      '0@example.org', 'mint', now(), now() + interval '30 days')`
  yield* sql`
    INSERT INTO answer_kind (source, endpoint, event_type, rule_version, inputs_prefix, answer_prefix)
    VALUES ('PublicApi', 'POST /v1/projection', 'calc.projection.run', 'rl1-0123456789ab', 'h1-', 'a2-')`
  for (let first = 0; first < records; first += BATCH) {
    const insert = sql.unsafe(batch(first, Math.min(records, first + BATCH), from))
    yield* sql.withTransaction(Effect.andThen(sql`SET LOCAL statement_timeout = 0`, insert))
  }
})

/** Fills the database and enters all its records into the log; returns the calls to time. */
const entered = Effect.fnUntraced(function* (records: number) {
  const sql = yield* SqlClient.SqlClient
  const log = yield* TransparencyLog
  const { sequence } = yield* Sequencer
  yield* fill(records)
  const begun = performance.now()
  while ((yield* sequence) > 0);
  const seconds = (performance.now() - begun) / 1e3
  const [size] = yield* sql<{ readonly bytes: number; readonly size: number }>`
    SELECT (pg_total_relation_size('log_entry') + pg_total_relation_size('log_tile'))::float8 AS bytes,
      size::float8 AS size FROM log_head`
  if (size!.size !== records) throw new Error(`${size!.size} of ${records} records are in the log`)
  const numbers = Array.from({ length: 2000 }, () => 1 + Math.floor(Math.random() * records))
  const recordedIds = yield* sql<{
    readonly id: string
  }>`SELECT answer_id AS id FROM answer WHERE seq IN ${sql.in(numbers)}`
  const anyId = () => recordedIds[Math.floor(Math.random() * recordedIds.length)]!.id
  return {
    records,
    perSecond: records / seconds,
    bytes: size!.bytes / records,
    calls: {
      "a round without news": Effect.asVoid(sequence),
      "a receipt": Effect.suspend(() => Effect.asVoid(log.receipt(anyId())))
    },
    samples: { "a round without news": [] as Array<number>, "a receipt": [] as Array<number> }
  }
})

const filled = Effect.fnUntraced(function* (socketPath: string, records: number) {
  yield* administer(urlOf(socketPath, "postgres"), [`CREATE DATABASE of_${records}`])
  const url = urlOf(socketPath, `of_${records}`)
  const services = Layer.mergeAll(Sequencer.layer, TransparencyLog.layer).pipe(Layer.provideMerge(databaseAt({ url })))
  const database = yield* Effect.provide(entered(records), yield* Layer.build(Layer.fresh(services)))
  // The state after autovacuum and a checkpoint.
  yield* administer(url, ["VACUUM ANALYZE", "CHECKPOINT"])
  return database
})

const CALLS = ["a round without news", "a receipt"] as const

const line = (name: string, cells: ReadonlyArray<string>): string =>
  `${name.padEnd(28)}${cells.map((cell) => cell.padStart(14)).join("")}`

const measured = Effect.fnUntraced(function* (dataDir: string, sizes: ReadonlyArray<number>) {
  const { socketPath } = yield* embeddedDatabase({ dataDir })
  const databases = yield* Effect.forEach(sizes, (records) => filled(socketPath, records))
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const name of CALLS) {
      for (const { calls, samples } of databases) {
        const begun = performance.now()
        yield* calls[name]
        if (round >= 0) samples[name].push(performance.now() - begun)
      }
    }
  }
  const row = (name: string, cellOf: (database: (typeof databases)[number]) => string) =>
    line(name, databases.map(cellOf))
  return [
    `The log over records, on the embedded server: ${cpus().length} x ${cpus()[0]?.model.trim()}, node ${process.version}.`,
    `${ROUNDS} rounds; milliseconds, the median and the 99th of a hundred.`,
    "",
    row("records", ({ records }) => records.toLocaleString("en-US")),
    row("entered, a second", ({ perSecond }) => Math.round(perSecond).toLocaleString("en-US")),
    row("bytes of the log a record", ({ bytes }) => bytes.toFixed(0)),
    ...CALLS.map((name) =>
      row(name, ({ samples }) => `${median(samples[name]).toFixed(1)}, ${quantile(samples[name], 0.99).toFixed(1)}`)
    )
  ].join("\n")
})

export const benchLog = (isQuick: boolean): Promise<string> => {
  const work = measured(temporaryFolder("repayment-bench"), isQuick ? SIZES.slice(0, -1) : SIZES)
  return Effect.runPromise(work.pipe(Effect.scoped, Effect.provide(config)))
}
