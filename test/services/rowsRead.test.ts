/**
 * Rows read by payments, operators' commands and record pages, as counted by the database. Anyone
 * can fill the table of keys, and a payer the tables of payments; neither may slow down others.
 */

import { randomUUID } from "node:crypto"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Administration } from "../../src/services/accounts/Administration.ts"
import { listSubscriptions } from "../../src/services/accounts/lists.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { inTransaction } from "../../src/services/ledgerUnavailable.ts"
import { logHead } from "../../src/services/log/condition.ts"
import { Sequencer } from "../../src/services/log/Sequencer.ts"
import { measureQueueDepths } from "../../src/services/queueDepths.ts"
import { claim, keysMailedTo } from "../support/claims.ts"
import { assert, layer } from "../support/effects.ts"
import { logServices, sequenceAll } from "../support/logs.ts"
import { apply, buyer, mint, payForAddress } from "../support/services.ts"
import * as stripe from "../support/stripe.ts"

const ROWS = 20_000
const SUBSCRIPTIONS = 50
/** More than any of these should read, and far less than a filled table. */
const FEW_ROWS = 500
/** An account with many records. */
const ACCOUNT = randomUUID()
const FIRST_RECORD = new Date("2026-01-01T00:00:00Z")

/** Without the statement timeout of the service, which is two seconds. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SET LOCAL statement_timeout = 0`
  yield* sql`
    INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at)
    SELECT gen_random_uuid(), sha256(n::text::bytea), 'slr_sbx_' || substr(md5(n::text), 1, 6), 'Sandbox',
      't_' || gen_random_uuid(), n || '@example.org', 'mint', now(), now() FROM generate_series(1, ${ROWS}::int) AS n`
  yield* sql`
    INSERT INTO outbox (kind, mail_to, key_prefix, created_at, next_attempt_at, sent_at)
    SELECT 'sandbox-minted', email, prefix, now(), now(), now() FROM api_key`
  yield* sql`
    INSERT INTO payment_event (id, received_at)
    SELECT 'evt_' || n, now() FROM generate_series(1, ${ROWS}::int) AS n`
  yield* sql`
    INSERT INTO payment_reference (reference, owner, is_customer)
    SELECT kind || n, 'sub_' || n, kind = 'cus_'
    FROM generate_series(1, ${ROWS}::int) AS n, unnest(ARRAY['ch_', 'pi_', 'cus_']) AS kind`
  yield* sql`
    INSERT INTO subscription (id, external_id, tenant, created_at)
    SELECT md5(n::text)::uuid, 'sub_' || n, 't_' || gen_random_uuid(), now()
    FROM generate_series(1, ${SUBSCRIPTIONS}::int) AS n`
  yield* sql`
    INSERT INTO answer_kind (source, endpoint, event_type, rule_version, inputs_prefix, answer_prefix)
    VALUES ('PublicApi', 'POST /v1/projection', 'calc.projection.run', 'rl1-0', 'h1-', 'a2-')`
  // One second apart; every other record belongs to ACCOUNT.
  yield* sql`
    INSERT INTO answer (recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)
    SELECT ${FIRST_RECORD}::timestamptz + n * interval '1 second', gen_random_uuid(),
      CASE WHEN n % 2 = 0 THEN ${ACCOUNT}::uuid ELSE gen_random_uuid() END, gen_random_uuid(), 1, sha256(''), sha256('')
    FROM generate_series(1, ${ROWS}::int) AS n`
  yield* sql`ANALYZE`
})

/** Rows that this transaction has read so far, by table, in scans and through indexes. */
const rowsReadSoFar = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly table: string; readonly rows: number }>`
    SELECT relname AS table, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows FROM pg_stat_xact_user_tables`
})

/** Runs the work; returns its result and the tables of which it read many rows. */
const reading = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const counted = Effect.gen(function* () {
    const before = new Map((yield* rowsReadSoFar).map(({ rows, table }) => [table, rows]))
    const result = yield* work
    const after = yield* rowsReadSoFar
    const read = after.map(({ rows, table }) => ({ table, rows: rows - (before.get(table) ?? 0) }))
    return { result, read }
  })
  const { read, result } = yield* sql.withTransaction(counted)
  return { result, many: read.filter(({ rows }) => rows > FEW_ROWS) }
})

/**
 * Prefixes that sort before and after all other rows: a merge join would stop early for one of them
 * and read everything for the other.
 */
const EDGES = ["0", "z"]

const filled = Layer.effectDiscard(Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(fill))).pipe(
  Layer.provideMerge(logServices({ RATE_LIMIT_MAILBOX: "100/d" }))
)

layer(filled)("with tables that others have filled,", (it) => {
  const expectFewRows = <A, E, R>(what: string, work: Effect.Effect<A, E, R>) =>
    Effect.map(reading(work), ({ many, result }) => {
      assert.deepStrictEqual({ what, many }, { what, many: [] })
      return result
    })

  it("a command that scans all keys is noticed", function* () {
    const sql = yield* SqlClient.SqlClient
    const scan = inTransaction("scan", () => sql`SELECT FROM api_key WHERE email = lower('Nobody') LIMIT 1`)
    const { many } = yield* reading(scan)
    assert.deepStrictEqual(
      many.map(({ table }) => table),
      ["api_key"]
    )
  })

  it.each(EDGES)("a purchase, its claim, its mail, its refund and its end read few rows: %s", function* (edge) {
    const { email, purchase, secret } = yield* expectFewRows("mint", buyer(`${edge}${randomUUID()}`))
    yield* expectFewRows("checkout", apply(stripe.checkout(purchase)))
    yield* expectFewRows("old invoice", apply(stripe.oldInvoice(purchase)))
    yield* expectFewRows("new invoice", apply(stripe.newInvoice(purchase)))
    yield* expectFewRows("payment of the invoice", apply(stripe.invoicePayment(purchase)))
    yield* expectFewRows("mail", keysMailedTo(email))
    yield* expectFewRows("claim", claim(secret))
    yield* expectFewRows("end", apply(stripe.deleted(purchase, stripe.PAID_AT)))
    yield* expectFewRows("refund", apply(stripe.refund(purchase)))
    yield* expectFewRows(
      "refund of nothing known",
      apply(stripe.refund({ of: randomUUID(), customer: purchase.customer }))
    )
  })

  it("an event that names the payer after a stranger's claim reads few rows", function* () {
    const stranger = yield* mint()
    const { email, keyId } = yield* mint(stranger.email)
    const of = randomUUID()
    yield* payForAddress(email, `sub_${of}`)
    yield* claim(stranger.secret)
    yield* expectFewRows("name", apply(stripe.checkout({ of, customer: `cus_${of}`, email, keyId })))
  })

  it("an idle round of the sequencer and the metrics of the log read few rows", function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sequenceAll
    yield* sql`ANALYZE`
    yield* expectFewRows(
      "round",
      Effect.flatMap(Sequencer, ({ sequence }) => sequence)
    )
    yield* expectFewRows("metrics", measureQueueDepths)
    yield* expectFewRows("head", logHead)
  })

  it("the first and the last page of an account's records read few rows, with and without a range", function* () {
    const sql = yield* SqlClient.SqlClient
    const { page } = yield* AnswerLedger
    const request = { tenant: `t_${ACCOUNT}`, limit: 50 }
    const at = (part: number) => new Date(FIRST_RECORD.getTime() + part * ROWS * 1000)
    for (const range of [{}, { to: at(0.5) }, { from: at(0.25) }, { from: at(0.25), to: at(0.75) }]) {
      const { rows } = yield* expectFewRows("first page", page({ ...request, ...range }))
      assert.lengthOf(rows, request.limit)
      const [last] = yield* sql<{ readonly seq: bigint }>`
        SELECT seq FROM answer WHERE tenant = ${ACCOUNT}::uuid AND recorded_at >= ${range.from ?? FIRST_RECORD}
        ORDER BY seq OFFSET ${request.limit} LIMIT 1`
      const { nextCursor, rows: oldest } = yield* expectFewRows(
        "last page",
        page({ ...request, ...range, cursor: last!.seq })
      )
      assert.isNull(nextCursor)
      assert.lengthOf(oldest, request.limit)
    }
  })

  it.each(EDGES)("operators' commands read few rows: %s", function* (edge) {
    const administration = yield* Administration
    const { revoke } = administration
    const { email, keyId, keyPrefix, purchase, secret } = yield* buyer(`${edge}${randomUUID()}`)
    yield* apply(stripe.checkout(purchase))
    const { keyPrefix: production } = yield* claim(secret)
    const payer = yield* mint()
    const [subscription] = yield* expectFewRows("list of an address", listSubscriptions(email, 200))
    yield* expectFewRows("list", listSubscriptions(null, 200))
    yield* expectFewRows("revoke by prefix", revoke(production))
    yield* expectFewRows("allow by key", administration.allow(production))
    yield* expectFewRows("end", administration.end(subscription!.id))
    yield* expectFewRows("allow", administration.allow(subscription!.id))
    yield* expectFewRows("revoke by id", revoke(keyId))
    yield* expectFewRows("allow a sandbox key", administration.allow(keyPrefix))
    yield* expectFewRows("revoke what is not there", revoke("nonsense"))
    yield* expectFewRows("pay by hand", administration.pay({ email: payer.email, key: payer.keyPrefix }))
  })
})
