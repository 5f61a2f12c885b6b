/**
 * Outages of the database: every operation ends in LedgerUnavailable in time, never in a refusal of
 * the key, and works again after the outage.
 */
import { Clock, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { databaseObstacle } from "../../src/database/postgres.ts"
import { Mailer } from "../../src/services/accounts/Mailer.ts"
import { Outbox, outboxWorkerLayer } from "../../src/services/accounts/Outbox.ts"
import { backgroundCall, LedgerUnavailable, ledgerCall } from "../../src/services/ledgerUnavailable.ts"
import { CurrentOutage, Outage } from "../../src/services/outage.ts"
import { assert, layer } from "../support/effects.ts"
import { SHORT_DEADLINES } from "../support/hurried.ts"
import { lines } from "../support/logs.ts"
import { call, mint, newEmail, payForAddress, testServices } from "../support/services.ts"
import { PATIENT, QUICK, testConfig } from "../support/settings.ts"
import { mailServer } from "../support/smtp.ts"
import { allUnavailable, behindProxy, expectAllUnavailable, ways } from "../support/unavailable.ts"
import { until } from "../support/until.ts"

layer(Layer.empty)("every operation", (it) => {
  it("fails at once while the database is cut off, and works as soon as it is back", function* () {
    const { context, proxy } = yield* behindProxy()
    yield* Effect.gen(function* () {
      const { secret } = yield* mint()
      const operations = yield* ways(secret)
      proxy.cut()
      yield* expectAllUnavailable(operations, 1500)
      assert.strictEqual(yield* databaseObstacle, "the database cannot be reached")
      proxy.mend()
      yield* call(secret)
      assert.isNull(yield* databaseObstacle)
    }).pipe(Effect.provideContext(context))
  })

  it("fails if the connection is lost during a transaction, and the mail worker goes on", function* () {
    const { context, proxy } = yield* behindProxy()
    yield* Effect.gen(function* () {
      const lost = proxy.trap("pg_advisory_xact_lock", "lose-statement")
      assert.strictEqual((yield* Effect.flip(mint())) instanceof LedgerUnavailable, true)
      yield* Effect.promise(() => lost)

      const { state, url } = yield* mailServer
      const worker = outboxWorkerLayer.pipe(
        Layer.provide(Layer.fresh(Outbox.layer)),
        Layer.provide(Layer.fresh(Mailer.layer)),
        Layer.provide(testConfig({ MAIL_FROM: "keys@example.test", SMTP_URL: url }))
      )
      const [unlucky, next] = [newEmail(), newEmail()]
      yield* payForAddress(unlucky)
      const lostAgain = proxy.trap("INSERT INTO api_key", "lose-statement")
      yield* Effect.provideService(Layer.build(worker), Clock.Clock, SHORT_DEADLINES)
      yield* Effect.promise(() => lostAgain)
      yield* payForAddress(next)
      yield* Effect.promise(() => until(async () => state.mails.some(({ to }) => to === next)))
    }).pipe(Effect.provideContext(context))
  })

  it("fails at its deadline while the database is silent, and then works again", function* () {
    const { context, proxy } = yield* behindProxy(QUICK)
    yield* Effect.gen(function* () {
      const operations = yield* ways((yield* mint().pipe(Effect.eventually)).secret)
      proxy.hold()
      yield* allUnavailable(operations)
      proxy.release()
      yield* Effect.eventually(operations.charge)
    }).pipe(Effect.provideContext(context))
  })

  it("fails while all connections are taken, and works as soon as one is free", function* () {
    const { context } = yield* behindProxy({ ...PATIENT, connection: QUICK.connection })
    yield* Effect.gen(function* () {
      const operations = yield* ways((yield* Effect.eventually(mint())).secret)
      const sql = yield* SqlClient.SqlClient
      const takeAll = Effect.forEach(Array.from({ length: 24 }), () => Effect.eventually(sql.reserve))
      const whileTaken = Effect.gen(function* () {
        yield* takeAll
        yield* allUnavailable(operations)
      })
      yield* Effect.scoped(whileTaken)
      yield* Effect.eventually(operations.charge)
    }).pipe(Effect.provideContext(context))
  })

  it("fails and records nothing while the database is read-only [F8]", function* () {
    const { context } = yield* behindProxy()
    yield* Effect.gen(function* () {
      const { secret } = yield* mint()
      const { charge, claim, mint: minting, record } = yield* ways(secret)
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on',
        current_database()); END $$`)
      // The setting applies to new sessions, so all current ones are ended, including this one.
      yield* Effect.ignore(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database()`)
      yield* Effect.sleep("50 millis")
      assert.strictEqual(yield* databaseObstacle, "the database is read-only")
      yield* expectAllUnavailable({ charge, claim, minting, record }, 1500)
    }).pipe(Effect.provideContext(context))
  })
})

layer(testServices())("a full disk of the database", (it) => {
  it("is named, and known until it is ten seconds ago [F8]", function* () {
    const sql = yield* SqlClient.SqlClient
    const outage = new Outage()
    const { layer: logs, told } = lines()
    const full = sql.unsafe("DO $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = 'disk_full'; END $$")
    yield* ledgerCall("write")(full).pipe(
      Effect.flip,
      Effect.provide(logs),
      Effect.provideService(CurrentOutage, outage)
    )
    assert.deepStrictEqual(told, [{ level: "Error", text: "A database operation failed" }])
    const now = performance.now()
    assert.deepStrictEqual([outage.isDiskFull(now), outage.isDiskFull(now + 10_000)], [true, false])
    assert.deepStrictEqual([outage.isOn(now), outage.isOn(now + 60_000)], [true, false])
  })
})

layer(testServices())("a background operation past its deadline", (it) => {
  it("is logged as a fault of the database, or of the process if its event loop was blocked", function* () {
    const sql = yield* SqlClient.SqlClient
    const { layer: logs, told } = lines()
    const slow = backgroundCall("slow", 400)(sql`SELECT pg_sleep(1.5)`).pipe(Effect.flip, Effect.provide(logs))
    assert.strictEqual((yield* slow)._tag, "LedgerUnavailable")
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })
    const unreachable = backgroundCall("unreachable")(
      Effect.suspend(() => {
        const end = performance.now() + 30
        while (performance.now() < end);
        return Effect.fail(new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: refused }) }))
      })
    ).pipe(Effect.flip, Effect.provide(logs), Effect.provideService(CurrentOutage, new Outage()))
    assert.strictEqual((yield* unreachable)._tag, "LedgerUnavailable")
    const busy = setInterval(() => {
      const end = performance.now() + 30
      while (performance.now() < end);
    }, 1)
    assert.strictEqual((yield* slow)._tag, "LedgerUnavailable")
    clearInterval(busy)
    assert.deepStrictEqual(
      told.map(({ level, text }) => [level, text.slice(0, 12)]),
      [
        ["Error", "A database o"],
        ["Error", "A database o"],
        ["Warn", "The process "]
      ]
    )
  })
})
