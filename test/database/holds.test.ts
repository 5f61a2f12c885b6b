/** The migration to holds, on a database that release 0.1.0 has filled: what was revoked before stays revoked. */
import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import ledger from "../../src/database/migrations/0001_ledger.ts"
import subscriptions from "../../src/database/migrations/0002_subscriptions.ts"
import holds from "../../src/database/migrations/0003_holds.ts"
import toldPayments from "../../src/database/migrations/0006_told_payments.ts"
import payments from "../../src/database/migrations/0008_payments.ts"
import paymentsServed from "../../src/database/migrations/0009_payments_served.ts"
import { listInVain } from "../../src/services/payments/inVain.ts"
import { freshDatabase } from "../support/database.ts"

/** A paid subscription and its production keys, newest last. */
const fill = Effect.fnUntraced(function* (revokedReasons: ReadonlyArray<string | null>, externalId?: string) {
  const sql = yield* SqlClient.SqlClient
  const id = randomUUID()
  yield* sql`
    INSERT INTO subscription (id, external_id, tenant, email, mail_to, paid_at, created_at)
    VALUES (${id}, ${externalId ?? id}, ${id}, 'a@b.org', 'a@b.org', now(), now())`
  for (const reason of revokedReasons) {
    yield* sql`
      INSERT INTO api_key (id, hash, prefix, tier, tenant, email, subscription_id, issued_by, created_at, revoked_at,
        revoked_reason)
      VALUES (${randomUUID()}, sha256(${randomUUID()}::text::bytea), 'slr_live_Abc123', 'Production', ${id}, 'a@b.org',
        ${id}, 'mail', now(), CASE WHEN ${reason}::text IS NOT NULL THEN now() END, ${reason})`
  }
  return id
})

/** The work on a database of its own that has the tables of that release. */
const onRelease = <A, E>(work: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const onTables = Effect.gen(function* () {
      yield* Effect.all([ledger, subscriptions])
      return yield* work(yield* SqlClient.SqlClient)
    })
    return yield* Effect.provide(onTables, PgClient.layer({ url, maxConnections: 1 }))
  }).pipe(Effect.scoped)

it.effect("revocations by the operator become holds and bars", () =>
  onRelease((sql) =>
    Effect.gen(function* () {
      const stopped = yield* fill(["mail-retried", "operator"])
      const replaced = yield* fill(["operator", null])
      yield* fill(["claimed", null], "cus_1")
      yield* sql`
          INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at, revoked_at,
            revoked_reason)
          SELECT gen_random_uuid(), sha256(reason::bytea), 'slr_sbx_Abc123', 'Sandbox', 't', 'a@b.org', 'mint', now(),
            now(), now(), reason FROM unnest(ARRAY['operator', 'minted-again']) AS reason`
      yield* holds
      const held = yield* sql`SELECT subscription_id AS id, why, lifted_at FROM subscription_hold`
      assert.deepStrictEqual(held, [{ id: stopped, why: "operator", lifted_at: null }])
      const barred = yield* sql`SELECT revoked_reason AS reason FROM api_key WHERE barred_at IS NOT NULL`
      assert.deepStrictEqual(barred, [{ reason: "operator" }])
      const asked = yield* sql`SELECT event_id AS id, reason FROM unapplied_event WHERE settled_at IS NULL`
      assert.deepStrictEqual(asked, [{ id: `subscription ${replaced}`, reason: "revoked-before" }])
      const known = yield* sql`SELECT reference, owner, is_customer FROM payment_reference`
      assert.deepStrictEqual(known, [{ reference: "cus_1", owner: "cus_1", is_customer: true }])
      const unseen = yield* sql`SELECT FROM subscription WHERE received_at IS DISTINCT FROM paid_at`
      assert.lengthOf(unseen, 0)
      // As the release before issues one, which may still run on this database.
      const late = yield* Effect.exit(fill([null]))
      assert.match(String(late), /holds_asked/)
    })
  )
)

it.effect("payers whose mail was given up or dropped are told, of those that have no key", () =>
  onRelease((sql) =>
    Effect.gen(function* () {
      const keyless = yield* fill(["mail-given-up"])
      const claimed = yield* fill(["mail-given-up", null])
      const held = yield* fill(["operator"])
      const over = yield* fill(["mail-given-up"])
      yield* sql`UPDATE subscription SET ends_at = now() WHERE id = ${over}`
      for (const id of [keyless, claimed, held, over]) {
        yield* sql`
            INSERT INTO outbox (kind, mail_to, subscription_id, created_at, next_attempt_at, given_up_at)
            VALUES ('production-key', 'a@b.org', ${id}, now(), now(), now())`
      }
      const unsendable = yield* fill([])
      yield* sql`
          INSERT INTO outbox (kind, mail_to, subscription_id, created_at, next_attempt_at, dropped_at)
          VALUES ('production-key', 'a@b.org, c@d.org', ${unsendable}, now(), now(), now())`
      yield* Effect.all([holds, toldPayments])
      const told = yield* sql`SELECT event_id AS id, type, reason, external_id AS of FROM unapplied_event ORDER BY type`
      assert.deepStrictEqual(told, [
        { id: `mail:${unsendable}`, type: "mail.dropped", reason: "not-mailed", of: unsendable },
        { id: `mail:${keyless}`, type: "mail.given-up", reason: "not-mailed", of: keyless }
      ])
    })
  )
)

it.effect("what was paid before is known, and which keys reached their payer", () =>
  onRelease((sql) =>
    Effect.gen(function* () {
      const mailed = yield* fill(["mail-retried", null], "sub_mailed")
      const unmailed = yield* fill([null], "sub_unmailed")
      yield* fill([], "manual:1")
      const [reversed, ended, allowed] = [
        yield* fill(["claimed"], "sub_reversed"),
        yield* fill(["claimed"], "sub_ended"),
        yield* fill(["claimed"], "sub_allowed")
      ]
      yield* sql`
          INSERT INTO outbox (kind, mail_to, subscription_id, created_at, next_attempt_at, sent_at)
          SELECT 'production-key', 'a@b.org', id, now(), now(), CASE WHEN id = ${mailed} THEN now() END
          FROM subscription WHERE id IN (${mailed}, ${unmailed})`
      yield* Effect.all([holds, toldPayments, payments])
      yield* sql`
          INSERT INTO reversal (event_id, type, why, payments, created_at)
          SELECT 'evt_' || day, 'charge.refunded', 'refund', '{}', make_date(2026, 3, day) FROM unnest(ARRAY[5, 9]) AS day`
      yield* sql`
          INSERT INTO subscription_hold (subscription_id, why, event_id, held_at, lifted_at)
          VALUES (${reversed}, 'refund', 'evt_9', '2026-03-09T01:00Z', NULL), (${reversed}, 'refund', 'evt_5', now(), NULL),
            (${ended}, 'ended', NULL, '2026-03-09T01:00Z', NULL),
            (${allowed}, 'refund', 'evt_5', '2026-03-05T01:00Z', '2026-03-06T01:00Z')`
      yield* sql`
          UPDATE api_key SET revoked_at = '2026-03-09T01:00Z', revoked_reason = 'reversed' WHERE subscription_id = ${reversed}`
      yield* sql`
          UPDATE api_key SET revoked_at = '2026-03-09T01:00Z', revoked_reason = 'ended' WHERE subscription_id = ${ended}`
      yield* sql`
          INSERT INTO outbox (kind, mail_to, subscription_id, created_at, next_attempt_at, sent_at)
          SELECT 'production-key', 'a@b.org', id, now(), now(), now() FROM subscription
          WHERE id IN (${reversed}, ${ended}, ${allowed})`
      yield* sql`
          INSERT INTO payment (id, external_id, made_at, received_at)
          SELECT day || external_id, external_id, made_at, made_at
          FROM subscription, unnest(ARRAY[1, 7, 20]) AS day, make_timestamptz(2026, 3, day, 0, 0, 0, 'UTC') AS made_at
          WHERE external_id IN ('sub_reversed', 'sub_ended', 'sub_allowed')`
      yield* sql`
          INSERT INTO unapplied_event (event_id, type, reason, external_id, received_at)
          VALUES ('evt_old', 'invoice.paid', 'held-or-ended', 'sub_gone', now())`
      yield* sql`
          INSERT INTO payment (id, external_id, made_at, received_at)
          VALUES ('in_1', 'sub_mailed', now(), '2026-01-01'), ('in_later', 'sub_unmailed', now(), now() + interval '1 minute')`
      yield* sql`
          INSERT INTO unapplied_event (event_id, type, reason, external_id, received_at)
          VALUES ('in_1', 'payment', 'held-or-ended', 'sub_mailed', now())`
      yield* paymentsServed
      const known = yield* sql`
          SELECT id, told_at IS NOT NULL AS told FROM payment WHERE external_id IN ('sub_mailed', 'sub_unmailed') ORDER BY id`
      assert.deepStrictEqual(known, [
        { id: "in_1", told: true },
        { id: "in_later", told: false },
        { id: "sub_unmailed", told: false }
      ])
      assert.deepStrictEqual(yield* sql`SELECT event_id AS id FROM unapplied_event`, [{ id: "evt_old" }])
      const out = yield* sql`SELECT subscription_id AS of FROM key_out WHERE revoked_at IS NULL`
      assert.deepStrictEqual(out, [{ of: mailed }])
      // By the earlier refund, by our clock, and none that is open.
      const inVain = yield* sql`SELECT event_id AS id FROM (${listInVain(sql, new Date())}) AS listed ORDER BY id`
      assert.deepStrictEqual(
        inVain.map(({ id }) => id),
        ["20sub_ended", "20sub_reversed", "7sub_reversed"]
      )
    })
  )
)

it.effect(
  "a payment that the release before has remembered without its invoice is one with that of its subscription",
  () =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* freshDatabase
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* Effect.all([ledger, subscriptions])
          yield* fill(["claimed"], "sub_twice")
          yield* Effect.all([holds, toldPayments, payments])
          yield* sql`
          INSERT INTO payment (id, external_id, made_at, received_at)
          VALUES ('sub_twice', 'sub_twice', '2026-01-01', now() + interval '1 minute')`
          yield* paymentsServed
          const known = yield* sql`
          SELECT payment.id, to_char(made_at, 'YYYY') AS made, payment.received_at = paid_at AS "isFirst"
          FROM payment JOIN subscription USING (external_id)`
          assert.deepStrictEqual(known, [{ id: "sub_twice", made: "2026", isFirst: true }])
        }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))
      })
    )
)

it.effect("a key that a stranger had claimed before the payer's was named has served nobody", () =>
  onRelease((sql) =>
    Effect.gen(function* () {
      const [stolen, own] = [yield* fill(["operator"], "sub_stolen"), yield* fill(["operator"], "sub_own")]
      const sandbox = (issuedBy: string) => sql<{ readonly id: string }>`
          INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at)
          VALUES (gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 'slr_sbx_Abc123', 'Sandbox', gen_random_uuid()::text,
            gen_random_uuid() || '@b.org', ${issuedBy}, now(), now()) RETURNING id`
      const [claimer, named] = [(yield* sandbox("mint"))[0]!.id, (yield* sandbox("mint"))[0]!.id]
      yield* sql`UPDATE api_key SET issued_by = 'claim', claimed_with = ${claimer} WHERE tier = 'Production'`
      yield* sql`UPDATE subscription SET sandbox_key_id = CASE WHEN id = ${stolen} THEN ${named}::uuid ELSE ${claimer}::uuid END`
      yield* Effect.all([holds, toldPayments, payments, paymentsServed])
      const listed = yield* sql`SELECT external_id AS of FROM (${listInVain(sql, new Date())}) AS listed`
      assert.deepStrictEqual(listed, [{ of: "sub_stolen" }])
      const kept = yield* sql`SELECT revoked_reason AS reason FROM api_key WHERE subscription_id = ${own}`
      assert.deepStrictEqual(kept, [{ reason: "operator" }])
    })
  )
)
