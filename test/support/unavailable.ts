/**
 * A database behind a proxy, operations on the services that use it, and checks that all fail as
 * unavailable in time.
 */
import { assert } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import type { DeadlinesOf } from "../../src/database/deadline.ts"
import { Keys } from "../../src/services/accounts/Keys.ts"
import { Subscriptions } from "../../src/services/accounts/Subscriptions.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { Charging } from "../../src/services/answers/Charging.ts"
import { migratedDatabase, wayTo } from "./database.ts"
import { openDatabaseProxy } from "./databaseProxy.ts"
import { entry, newEmail, servicesOn } from "./services.ts"

/** The services on a database behind a proxy that the test can stall or cut. */
export const behindProxy = Effect.fnUntraced(function* (deadlines?: DeadlinesOf) {
  const address = Redacted.value(yield* migratedDatabase)
  const proxy = yield* Effect.acquireRelease(
    Effect.promise(() => openDatabaseProxy(wayTo(address))),
    ({ close }) => Effect.sync(close)
  )
  return { proxy, context: yield* Layer.build(servicesOn(Redacted.make(proxy.url), {}, deadlines)) }
})

export const ways = Effect.fnUntraced(function* (secret: string) {
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

type Operations = Readonly<Record<string, Effect.Effect<unknown, { readonly _tag: string }>>>

/** Expects every operation to fail as unavailable. */
export const allUnavailable = Effect.fnUntraced(function* (operations: Operations) {
  const failures = yield* Effect.all(
    Object.values(operations).map((operation) => Effect.flip(operation)),
    { concurrency: "unbounded" }
  )
  for (const { _tag } of failures) assert.strictEqual(_tag, "LedgerUnavailable")
})

/** Expects every operation to fail as unavailable within a time. */
export const expectAllUnavailable = Effect.fnUntraced(function* (operations: Operations, milliseconds: number) {
  const started = performance.now()
  yield* allUnavailable(operations)
  assert.isBelow(performance.now() - started, milliseconds)
})
