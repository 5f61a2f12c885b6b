/**
 * The database away, silent, full up or gone: every operation ends in LedgerUnavailable within its bound, never in a
 * refusal of the key, and works again when the database does.
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { databaseObstacle } from "../../src/database/postgres.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { Charging } from "../../src/services/answers/Charging.ts"
import { Keys } from "../../src/services/keys/Keys.ts"
import { backgroundCall, LedgerUnavailable } from "../../src/services/ledgerUnavailable.ts"
import { Mailer } from "../../src/services/mail/Mailer.ts"
import { Outbox, outboxWorkerLayer } from "../../src/services/mail/Outbox.ts"
import { Subscriptions } from "../../src/services/payments/Subscriptions.ts"
import { migratedDatabase, wayTo } from "../support/database.ts"
import { openDatabaseProxy } from "../support/databaseProxy.ts"
import { lines } from "../support/logs.ts"
import {
  call,
  entry,
  mint,
  newEmail,
  payForAddress,
  servicesOn,
  tally,
  testServices,
  together
} from "../support/services.ts"
import { testConfig } from "../support/settings.ts"
import { mailServer } from "../support/smtp.ts"
import { until } from "../support/until.ts"

/** The services on a database behind a proxy that the test can hold or cut. */
const behindProxy = Effect.gen(function* () {
  const address = Redacted.value(yield* migratedDatabase)
  const proxy = yield* Effect.acquireRelease(
    Effect.promise(() => openDatabaseProxy(wayTo(address))),
    ({ close }) => Effect.sync(close)
  )
  return { proxy, context: yield* Layer.build(servicesOn(Redacted.make(proxy.url))) }
})

const ways = Effect.fnUntraced(function* (secret: string) {
  const keys = yield* Keys
  const ledger = yield* AnswerLedger
  const charging = yield* Charging
  const subscriptions = yield* Subscriptions
  const caller = yield* keys.authenticate(secret)
  return {
    authenticate: keys.authenticate(secret),
    record: charging.record(caller, entry()),
    charge: charging.charge(caller),
    find: ledger.find(entry().answerId),
    page: ledger.page({ tenant: caller.tenant, limit: 10 }),
    mint: keys.mintSandbox(newEmail()),
    claim: subscriptions.claim(secret)
  }
})

const expectAllUnavailable = Effect.fnUntraced(function* (
  operations: Readonly<Record<string, Effect.Effect<unknown, { readonly _tag: string }>>>,
  milliseconds: number
) {
  const started = performance.now()
  const failures = yield* Effect.all(
    Object.values(operations).map((operation) => Effect.flip(operation)),
    { concurrency: "unbounded" }
  )
  assert.isBelow(performance.now() - started, milliseconds)
  for (const { _tag } of failures) assert.strictEqual(_tag, "LedgerUnavailable")
})

layer(Layer.empty, { excludeTestServices: true })("the database", (it) => {
  it.effect("cut off: unavailable at once, and back as soon as it is", () =>
    Effect.gen(function* () {
      const { context, proxy } = yield* behindProxy
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
  )

  it.effect("lost in the middle of a transaction: unavailable, and the worker that sends mails goes on", () =>
    Effect.gen(function* () {
      const { context, proxy } = yield* behindProxy
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
        yield* Layer.build(worker)
        yield* Effect.promise(() => lostAgain)
        yield* payForAddress(next)
        yield* Effect.promise(() => until(async () => state.mails.some(({ to }) => to === next)))
      }).pipe(Effect.provideContext(context))
    })
  )

  it.effect("silent: unavailable within 2.5 s, and usable again with no connection lost", () =>
    Effect.gen(function* () {
      const { context, proxy } = yield* behindProxy
      yield* Effect.gen(function* () {
        const { secret } = yield* mint()
        const operations = yield* ways(secret)
        for (let round = 0; round < 2; round++) {
          proxy.hold()
          yield* expectAllUnavailable(operations, 2500)
          proxy.release()
          yield* Effect.sleep("200 millis")
        }
        assert.deepStrictEqual(tally(yield* together(50, () => call(secret))), { ok: 50 })
      }).pipe(Effect.provideContext(context))
    })
  )

  it.effect("with all connections taken: unavailable within 1.2 s, and usable the moment one is free", () =>
    Effect.gen(function* () {
      const { context } = yield* behindProxy
      yield* Effect.gen(function* () {
        const { secret } = yield* mint()
        const operations = yield* ways(secret)
        const sql = yield* SqlClient.SqlClient
        yield* Effect.scoped(
          Effect.gen(function* () {
            for (let index = 0; index < 24; index++) yield* sql.reserve
            yield* expectAllUnavailable(operations, 1200)
          })
        )
        yield* call(secret)
      }).pipe(Effect.provideContext(context))
    })
  )

  it.effect("read-only: nothing is recorded, nothing is said to be", () =>
    Effect.gen(function* () {
      const { context } = yield* behindProxy
      yield* Effect.gen(function* () {
        const { secret } = yield* mint()
        const { charge, claim, mint: minting, record } = yield* ways(secret)
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on',
          current_database()); END $$`)
        // The setting holds for new sessions, so all present ones are ended, the one that says so included.
        yield* Effect.ignore(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database()`)
        yield* Effect.sleep("50 millis")
        assert.strictEqual(yield* databaseObstacle, "the database is read-only")
        yield* expectAllUnavailable({ charge, claim, minting, record }, 1500)
      }).pipe(Effect.provideContext(context))
    })
  )
})

layer(testServices(), { excludeTestServices: true })("an operation behind the requests that comes to no end", (it) => {
  it.effect("is told as one of the database, and as one of the process where that had no time for it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { layer: logs, told } = lines()
      const slow = backgroundCall("slow", 400)(sql`SELECT pg_sleep(1.5)`).pipe(Effect.flip, Effect.provide(logs))
      assert.strictEqual((yield* slow)._tag, "LedgerUnavailable")
      const busy = setInterval(() => {
        const end = performance.now() + 30
        while (performance.now() < end);
      }, 1)
      assert.strictEqual((yield* slow)._tag, "LedgerUnavailable")
      clearInterval(busy)
      assert.deepStrictEqual(
        told.map(({ level, text }) => [level, text.slice(0, 12)]),
        [
          ["Error", "The database"],
          ["Warn", "The process "]
        ]
      )
    })
  )
})
