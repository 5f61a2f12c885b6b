/** The records of earlier releases, moved to the smaller table: each as it was, in its place, and as unchangeable. */
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import ledger from "../../src/database/migrations/0001_ledger.ts"
import subscriptions from "../../src/database/migrations/0002_subscriptions.ts"
import compactAnswers from "../../src/database/migrations/0007_compact_answers.ts"
import { freshDatabase } from "../support/database.ts"

const RECORDS = 2000

/** A database of an earlier release, and a session on it. */
const earlier = <A, E>(work: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const all = Effect.all([ledger, subscriptions]).pipe(Effect.andThen(work))
    return yield* all.pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))
  }).pipe(Effect.scoped)

/** Keys with many records of all kinds, and some of the service's own, with gaps between their numbers. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at)
    SELECT gen_random_uuid(), sha256(n::text::bytea), 'slr_sbx_' || lpad(n::text, 6, '0'), 'Sandbox',
      't_' || gen_random_uuid(), n || '@example.org', 'mint', now(), now() FROM generate_series(1, 20) AS n`
  const common =
    sql.literal(`answer_id, recorded_at, source, endpoint, event_type, rule_version, inputs_hash, answer_hash,
    key_prefix, tenant, key_id`)
  const hash = (kind: string) => sql.literal(`'${kind}-' || encode(sha256((n || '${kind}')::bytea), 'hex')`)
  yield* sql`
    INSERT INTO answer (seq, ${common}) OVERRIDING SYSTEM VALUE
    SELECT n * 3, gen_random_uuid(), now() - n * interval '1.000001 s', (ARRAY['PublicApi', 'McpServer'])[1 + n % 2],
      (ARRAY['POST /v1/projection', 'POST /v1/comparison'])[1 + n % 2],
      (ARRAY['calc.projection.run', 'calc.comparison.run'])[1 + n % 2], 'rl1-00' || n % 5, ${hash("h1")}, ${hash("a1")},
      prefix, tenant, id
    FROM generate_series(1, ${RECORDS}::int) AS n
    JOIN api_key ON prefix = 'slr_sbx_' || lpad((1 + n % 20)::text, 6, '0')`
  yield* sql`
    INSERT INTO answer (seq, ${common}) OVERRIDING SYSTEM VALUE
    SELECT n, gen_random_uuid(), now(), 'PublicApi', 'GET /v1/reference#single-borrower', 'calc.comparison.run',
      'rl1-001', ${hash("h1")}, ${hash("a1")}, 'slr_ref', 'reference', NULL
    FROM generate_series(1, 2) AS n`
  yield* sql`SELECT setval(pg_get_serial_sequence('answer', 'seq'), ${RECORDS * 3})`
})

it.effect("every record is what it was, and the next one comes after them all", () =>
  earlier(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* fill
      const before = yield* sql`SELECT * FROM answer ORDER BY seq`
      yield* compactAnswers
      assert.strictEqual(before.length, RECORDS + 2)
      assert.deepStrictEqual(yield* sql`SELECT * FROM recorded_answer ORDER BY seq`, before)
      const [next] = yield* sql<{ readonly seq: bigint }>`
        INSERT INTO answer (recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)
        SELECT recorded_at, gen_random_uuid(), tenant, key_id, kind, inputs_hash, answer_hash FROM answer LIMIT 1
        RETURNING seq`
      assert.isAbove(Number(next!.seq), RECORDS * 3)
    })
  )
)

it.effect("a record that could not be kept as it is stops the migration by its id", () =>
  earlier(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const forge = (change: string) =>
        sql
          .withTransaction(
            fill.pipe(
              Effect.andThen(sql`ALTER TABLE answer DISABLE TRIGGER USER`),
              Effect.andThen(sql.unsafe(`UPDATE answer SET ${change} WHERE seq = 30`)),
              Effect.andThen(compactAnswers)
            )
          )
          .pipe(Effect.flip)
      for (const change of [
        "tenant = 'somebody'",
        "key_prefix = 'slr_sbx_Other1'",
        "key_id = gen_random_uuid()",
        "answer_hash = upper(answer_hash)"
      ]) {
        const stopped = yield* forge(change)
        const told = "reason" in stopped && stopped.reason.cause instanceof Error ? stopped.reason.cause.message : ""
        assert.match(told, /^record [0-9a-f-]{36} cannot be kept as it is: /, change)
      }
    })
  )
)

it.effect("whoever might not change a record before may not now, and no part of one can be changed", () =>
  earlier(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* fill
      yield* sql`CREATE ROLE moved_answers_service`
      yield* Effect.addFinalizer(() =>
        Effect.orDie(Effect.andThen(sql`DROP OWNED BY moved_answers_service`, sql`DROP ROLE moved_answers_service`))
      )
      yield* sql`ALTER DEFAULT PRIVILEGES GRANT SELECT, INSERT, UPDATE ON TABLES TO moved_answers_service`
      yield* sql`GRANT SELECT, INSERT ON answer TO moved_answers_service`
      yield* compactAnswers
      const rights = yield* sql`
        SELECT relname AS table, string_agg(privilege, ' ' ORDER BY privilege) AS rights
        FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
        WHERE relname IN ('answer', 'answer_kind', 'recorded_answer')
          AND has_table_privilege('moved_answers_service', pg_class.oid, privilege)
        GROUP BY relname ORDER BY relname`
      assert.deepStrictEqual(
        rights,
        ["answer", "answer_kind", "recorded_answer"].map((table) => ({ table, rights: "INSERT SELECT" }))
      )
      const [{ key }] = yield* sql<{ readonly key: string }>`INSERT INTO usage SELECT id, '2026-11-01', 1 FROM api_key
        WHERE prefix = 'slr_sbx_000001' RETURNING key_id AS key`.pipe(Effect.map((rows) => rows as [{ key: string }]))
      for (const change of [
        sql`UPDATE answer SET recorded_at = now()`,
        sql`DELETE FROM answer`,
        sql`TRUNCATE answer`,
        sql`UPDATE answer_kind SET endpoint = 'forged'`,
        sql`DELETE FROM answer_kind`,
        sql`TRUNCATE answer_kind`,
        sql`UPDATE api_key SET prefix = 'slr_sbx_Forged' WHERE id = ${key}`
      ]) {
        assert.strictEqual((yield* Effect.flip(change)).reason._tag, "AuthorizationError")
      }
    }).pipe(Effect.scoped)
  )
)
