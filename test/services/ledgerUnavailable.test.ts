/**
 * The database away, silent, full up or gone: every operation ends in LedgerUnavailable within its bound, never in a
 * refusal of the key, and works again when the database does.
 */
import { connect, createServer, type Socket } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { databaseAnswers, databaseAt } from "../../src/database/postgres.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { Charging } from "../../src/services/answers/Charging.ts"
import { servicesLayer } from "../../src/services/index.ts"
import { Keys } from "../../src/services/keys/Keys.ts"
import { Subscriptions } from "../../src/services/payments/Subscriptions.ts"
import { call, entry, mint, newEmail, tally, together } from "../support/calls.ts"
import { freshDatabase, testConfig } from "../support/database.ts"

interface Wire {
  /** What happens to bytes: passed on, held back, or refused with the connections closed. */
  mode: "pass" | "hold" | "cut"
}

/** Stands between the services and the server; held bytes are passed on when the wire passes again. */
const proxyTo = Effect.fnUntraced(function* (target: { host: string; port: number; path?: string }, wire: Wire) {
  const sockets = new Set<Socket>()
  const pipe = (from: Socket, to: Socket) => {
    const held: Array<Buffer> = []
    from.on("data", (chunk) => {
      if (wire.mode === "pass") to.write(chunk)
      else held.push(chunk)
    })
    const release = setInterval(() => {
      if (wire.mode === "pass") for (const chunk of held.splice(0)) to.write(chunk)
    }, 20)
    from.on("close", () => {
      clearInterval(release)
      to.destroy()
    })
    from.on("error", () => undefined)
  }
  const server = createServer((client) => {
    if (wire.mode === "cut") return client.destroy()
    const upstream = target.path === undefined ? connect(target.port, target.host) : connect(target.path)
    for (const socket of [client, upstream]) sockets.add(socket)
    pipe(client, upstream)
    pipe(upstream, client)
  })
  const close = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        close()
        server.close()
      })
  )
  const address = server.address()
  return { port: typeof address === "object" && address !== null ? address.port : 0, close }
})

/** The services on a database behind a wire that the test can hold or cut. */
const onWire = Effect.gen(function* () {
  const wire: Wire = { mode: "pass" }
  const url = new URL(Redacted.value(yield* freshDatabase))
  const folder = url.searchParams.get("host")
  const port = Number(url.port || 5432)
  const target = { host: url.hostname, port, ...(folder === null ? {} : { path: `${folder}/.s.PGSQL.${port}` }) }
  const proxy = yield* proxyTo(target, wire)
  url.searchParams.delete("host")
  url.hostname = "127.0.0.1"
  url.port = String(proxy.port)
  const services = servicesLayer.pipe(
    Layer.provideMerge(Layer.mergeAll(databaseAt({ url: Redacted.make(url.href) }), testConfig()))
  )
  const cut = () => {
    wire.mode = "cut"
    proxy.close()
  }
  return { wire, cut, context: yield* Layer.build(services) }
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
      const { context, cut, wire } = yield* onWire
      yield* Effect.gen(function* () {
        const { secret } = yield* mint()
        const operations = yield* ways(secret)
        cut()
        yield* expectAllUnavailable(operations, 1500)
        assert.isFalse(yield* databaseAnswers)
        wire.mode = "pass"
        yield* call(secret)
        assert.isTrue(yield* databaseAnswers)
      }).pipe(Effect.provideContext(context))
    })
  )

  it.effect("silent: unavailable within 2.5 s, and usable again with no connection lost", () =>
    Effect.gen(function* () {
      const { context, wire } = yield* onWire
      yield* Effect.gen(function* () {
        const { secret } = yield* mint()
        const operations = yield* ways(secret)
        for (let round = 0; round < 2; round++) {
          wire.mode = "hold"
          yield* expectAllUnavailable(operations, 2500)
          wire.mode = "pass"
          yield* Effect.sleep("200 millis")
        }
        assert.deepStrictEqual(tally(yield* together(50, () => call(secret))), { ok: 50 })
      }).pipe(Effect.provideContext(context))
    })
  )

  it.effect("with all connections taken: unavailable within 1.2 s, and usable the moment one is free", () =>
    Effect.gen(function* () {
      const { context } = yield* onWire
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
      const { context } = yield* onWire
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
        assert.isTrue(yield* databaseAnswers)
        yield* expectAllUnavailable({ charge, claim, minting, record }, 1500)
      }).pipe(Effect.provideContext(context))
    })
  )
})
