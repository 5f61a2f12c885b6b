/**
 * Every service on its own database, with helpers that create keys, make calls and count outcomes.
 */
import { randomUUID } from "node:crypto"
import { Effect, Layer, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { clientLayer } from "../../src/database/client.ts"
import { Deadlines } from "../../src/database/deadline.ts"
import { AppConfig } from "../../src/platform/config.ts"
import { Administration } from "../../src/services/accounts/Administration.ts"
import { Keys } from "../../src/services/accounts/Keys.ts"
import type { PaymentEvent } from "../../src/services/accounts/paymentEvent.ts"
import { Subscriptions } from "../../src/services/accounts/Subscriptions.ts"
import { Charging } from "../../src/services/answers/Charging.ts"
import type { AnswerEntry } from "../../src/services/answers/storedRows.ts"
import { servicesLayer } from "../../src/services/index.ts"
import { addressOf, migratedDatabase } from "./database.ts"
import { NO_ADDRESS_LIMITS, ownMetrics, PATIENT, testConfig } from "./settings.ts"
import * as stripe from "./stripe.ts"

const operators = Administration.layer

/** The database client, for a migrated database. */
const clientOn = (url: Redacted.Redacted<string>) =>
  Layer.unwrap(Effect.map(AppConfig, ({ databasePooling }) => clientLayer(addressOf(url), databasePooling)))

/** The services on a database, operators' included, together with its SqlClient and settings. */
export const servicesOn = (
  url: Redacted.Redacted<string>,
  variables: Readonly<Record<string, string>> = {},
  deadlines = PATIENT
) =>
  Layer.mergeAll(servicesLayer, operators).pipe(
    Layer.provideMerge(clientOn(url)),
    Layer.provideMerge(testConfig({ ...NO_ADDRESS_LIMITS, ...variables })),
    Layer.provideMerge(Layer.succeed(Deadlines, deadlines)),
    Layer.provideMerge(ownMetrics())
  )

/** The services on a new database. */
export const testServices = (variables: Readonly<Record<string, string>> = {}) =>
  Layer.unwrap(Effect.map(migratedDatabase, (url) => servicesOn(url, variables)))

export const newEmail = () => `${randomUUID()}@example.org`

export const entry = (changes: Partial<AnswerEntry> = {}): AnswerEntry => ({
  answerId: randomUUID(),
  source: "PublicApi",
  endpoint: "POST /v1/projection",
  eventType: "calc.projection.run",
  ruleVersion: "rl1-0123456789ab",
  inputsHash: `h1-${"0".repeat(64)}`,
  answerHash: `a2-${"0".repeat(64)}`,
  ...changes
})

export const mint = Effect.fnUntraced(function* (email = newEmail()) {
  const keys = yield* Keys
  const minted = yield* keys.mintSandbox(email)
  return { ...minted, email, secret: Redacted.value(minted.apiKey) }
})

export const newCaller = Effect.fnUntraced(function* () {
  const { secret } = yield* mint()
  return yield* (yield* Keys).authenticate(secret)
})

/** A parsed Stripe payment event. */
export const paymentEvent = (changes: Partial<PaymentEvent>): PaymentEvent => ({
  id: `evt_${randomUUID()}`,
  type: "checkout.session.completed",
  fact: null,
  references: null,
  unapplied: null,
  ...changes
})

export const apply = (event: PaymentEvent) => Effect.flatMap(Subscriptions, (all) => all.applyEvent(event))

export const newExternalId = () => `sub_${randomUUID()}`

/** A payment for a subscription; it names a sandbox key, or none. */
export const paid = (
  externalId: string,
  { email = null, sandboxKeyId = null }: { email?: string | null; sandboxKeyId?: string | null } = {}
) => paymentEvent({ fact: { _tag: "Paid", externalId, email, sandboxKeyId } })

/** A payment that names no key, so an earlier sandbox key of the address can claim it. */
export const payForAddress = (email: string, externalId = newExternalId()) => apply(paid(externalId, { email }))

/** A sandbox key that a paid subscription names. */
export const paidSandbox = Effect.fnUntraced(function* () {
  const sandbox = yield* mint()
  const externalId = newExternalId()
  yield* apply(paid(externalId, { email: sandbox.email, sandboxKeyId: sandbox.keyId }))
  return { ...sandbox, externalId }
})

/** A customer with a sandbox key, and the ids of one purchase at Stripe. */
export const buyer = Effect.fnUntraced(function* (of: string = randomUUID()) {
  const sandbox = yield* mint()
  const purchase = { of, customer: `cus_${of}`, email: sandbox.email, keyId: sandbox.keyId }
  return { ...sandbox, purchase }
})

/** The same after the purchase. */
export const payingBuyer = Effect.fnUntraced(function* () {
  const bought = yield* buyer()
  yield* apply(stripe.checkout(bought.purchase))
  yield* apply(stripe.oldInvoice(bought.purchase))
  return bought
})

/** One keyed call: authenticates, then charges and records. */
export const call = Effect.fnUntraced(function* (secret: string) {
  const keys = yield* Keys
  const charging = yield* Charging
  const caller = yield* keys.authenticate(secret)
  return yield* charging.record(caller, entry())
})

export const tally = (results: ReadonlyArray<Result.Result<unknown, { readonly _tag: string }>>) => {
  const counts: Record<string, number> = {}
  for (const result of results) {
    const outcome = Result.isSuccess(result) ? "ok" : result.failure._tag
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

/** Runs work `times` times concurrently. */
export const together = <A, E, R>(times: number, work: (index: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(
    Array.from({ length: times }, (_, index) => index),
    (index) => Effect.result(work(index)),
    { concurrency: "unbounded" }
  )

export const countOf = Effect.fnUntraced(function* (table: string, condition: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql.unsafe<{ readonly count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`
  )
  return row!.count
})
