/**
 * Model-based test of keys, quota and subscriptions. Random sequences of events (mint, pay, end,
 * call, claim, revoke, allow, mail, wait) run against the services and a small in-memory model. The
 * second tier draws other sequences each time. A failure prints its seed; PROPERTY_RUNS draws more.
 */

import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Option, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { Administration } from "../src/services/accounts/Administration.ts"
import { listSubscriptions } from "../src/services/accounts/lists.ts"
import { type Mail, Mailer } from "../src/services/accounts/Mailer.ts"
import { Outbox } from "../src/services/accounts/Outbox.ts"
import { Subscriptions } from "../src/services/accounts/Subscriptions.ts"
import { newSeedOr, runs } from "../test/support/random.ts"
import {
  apply,
  call,
  countOf,
  mint,
  payForAddress,
  paymentEvent,
  tally,
  testServices,
  together
} from "../test/support/services.ts"

const LIMITS = { Sandbox: 3, Production: 4 }
const DAY = 86_400_000
const SANDBOX_LIFE = 30 * DAY
const RUNS = runs(40, 200)
const START = Date.UTC(2026, 9, 20)

type Step =
  | { readonly do: "mint" | "pay"; readonly address: number }
  | { readonly do: "end"; readonly address: number; readonly days: number }
  | { readonly do: "call"; readonly key: number; readonly times: number }
  | { readonly do: "claim" | "revoke"; readonly key: number }
  | { readonly do: "allow"; readonly address: number }
  | { readonly do: "mail" }
  | { readonly do: "wait"; readonly hours: number }

const address = fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) })
/** The index of a key, counted from the newest. */
const key = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: fc.nat({ max: 12 }) })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant("mint" as const), address }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pay" as const), address }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("end" as const), address, days: fc.nat({ max: 20 }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("call" as const), key, times: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("claim" as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("revoke" as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("allow" as const), address }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("mail" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 400 }) }) }
)

interface ModelKey {
  readonly secret: string
  readonly keyId: string | undefined
  readonly address: number
  readonly tier: "Sandbox" | "Production"
  readonly issuedAt: number
  readonly issuedBy: "mint" | "mail" | "claim"
  expiresAt: number
  revoked: boolean
  /** A sandbox key revoked by the operator, which can claim nothing. */
  barred: boolean
  readonly used: Map<string, number>
}

interface ModelSubscription {
  paidAt: number | undefined
  endsAt: number
  mailWaits: boolean
  held: boolean
  live: ModelKey | undefined
}

const newModel = () => {
  const subscription = (): ModelSubscription => ({
    paidAt: undefined,
    endsAt: Number.POSITIVE_INFINITY,
    mailWaits: false,
    held: false,
    live: undefined
  })
  return { keys: [] as Array<ModelKey>, subscriptions: [subscription(), subscription()] as const }
}
type Model = ReturnType<typeof newModel>

const monthOf = (now: number) => new Date(now).toISOString().slice(0, 7)
const wasUsed = (modelKey: ModelKey) => modelKey.used.size > 0

/** The expected outcomes of `times` parallel calls with the key. */
const expectedCalls = (modelKey: ModelKey, times: number, now: number): Record<string, number> => {
  if (modelKey.revoked || now >= modelKey.expiresAt) return { KeyRefused: times }
  const month = monthOf(now)
  const used = modelKey.used.get(month) ?? 0
  const passed = Math.min(times, LIMITS[modelKey.tier] - used)
  if (passed > 0) modelKey.used.set(month, used + passed)
  return { ...(passed > 0 ? { ok: passed } : {}), ...(passed < times ? { QuotaSpent: times - passed } : {}) }
}

const expectedClaim = (model: Model, modelKey: ModelKey, now: number): string => {
  if (modelKey.tier === "Production") return "NotASandboxKey"
  if (modelKey.barred) return "SubscriptionHeld"
  const { endsAt, held, live, paidAt } = model.subscriptions[modelKey.address]!
  if (paidAt === undefined || now >= endsAt) return "NoSubscription"
  if (modelKey.issuedAt > paidAt) return "KeyIssuedAfterPayment"
  if (held) return "SubscriptionHeld"
  return live !== undefined && wasUsed(live) ? "KeyAlreadyUsed" : "Claimed"
}

/**
 * A mail with a key is due if the subscription is still entitled, and no key is claimed or used.
 */
const mailIsDue = ({ endsAt, held, live, mailWaits }: ModelSubscription, now: number): boolean =>
  mailWaits && !held && now < endsAt && (live === undefined || (live.issuedBy === "mail" && !wasUsed(live)))

const adopt = (model: Model, modelKey: ModelKey) => {
  const subscription = model.subscriptions[modelKey.address]!
  if (subscription.live !== undefined) subscription.live.revoked = true
  subscription.live = modelKey
  subscription.mailWaits = false
  model.keys.push(modelKey)
}

const sendMails = Effect.gen(function* () {
  const mails: Array<Mail> = []
  yield* Effect.flatMap(Outbox, ({ sendDue }) => sendDue).pipe(
    Effect.provide(Layer.fresh(Outbox.layer)),
    Effect.provideService(Mailer, { send: Option.some((mail: Mail) => Effect.sync(() => void mails.push(mail))) })
  )
  return mails
})

const interpreter = () => {
  const model = newModel()
  const emails = [`${randomUUID()}@example.org`, `${randomUUID()}@example.org`] as const
  const externalIds = emails.map((email) => `sub_${email}`)
  const production = (
    at: number,
    secret: string,
    issuedBy: "mail" | "claim",
    now: number,
    keyId?: string
  ): ModelKey => ({
    secret,
    keyId,
    address: at,
    tier: "Production",
    issuedAt: now,
    issuedBy,
    expiresAt: model.subscriptions[at]!.endsAt,
    revoked: false,
    barred: false,
    used: new Map()
  })
  const pick = (index: number) => model.keys.at(-1 - (index % Math.max(1, model.keys.length)))

  const doMint = Effect.fnUntraced(function* (at: number, now: number) {
    for (const old of model.keys) if (old.address === at && old.tier === "Sandbox") old.revoked = true
    const { keyId, secret } = yield* mint(emails[at]!)
    const expiresAt = now + SANDBOX_LIFE
    const shared = { address: at, tier: "Sandbox" as const, issuedAt: now, issuedBy: "mint" as const, expiresAt }
    model.keys.push({ ...shared, secret, keyId, revoked: false, barred: false, used: new Map() })
  })
  const doPay = Effect.fnUntraced(function* (at: number, now: number) {
    const subscription = model.subscriptions[at]!
    if (subscription.paidAt === undefined) {
      subscription.paidAt = now
      subscription.mailWaits = true
    }
    yield* payForAddress(emails[at]!, externalIds[at]!)
  })
  /** Ends a subscription. The end never moves to a later day. */
  const doEnd = Effect.fnUntraced(function* (at: number, endsAt: number) {
    const subscription = model.subscriptions[at]!
    subscription.endsAt = Math.min(subscription.endsAt, endsAt)
    if (subscription.live !== undefined) subscription.live.expiresAt = subscription.endsAt
    const fact = { _tag: "Ended" as const, externalId: externalIds[at]!, endsAt: new Date(endsAt) }
    yield* apply(paymentEvent({ type: "ended", fact }))
  })
  const doCall = Effect.fnUntraced(function* (modelKey: ModelKey, times: number, now: number) {
    const results = yield* together(times, () => call(modelKey.secret))
    assert.deepStrictEqual(tally(results), expectedCalls(modelKey, times, now))
  })
  const doClaim = Effect.fnUntraced(function* (modelKey: ModelKey, now: number) {
    const outcome = yield* Effect.result((yield* Subscriptions).claim(modelKey.secret))
    const expected = expectedClaim(model, modelKey, now)
    assert.strictEqual(Result.isSuccess(outcome) ? "Claimed" : outcome.failure._tag, expected)
    if (Result.isFailure(outcome)) return
    const { key, revokedKeyPrefix } = outcome.success
    const { address: at } = modelKey
    const secret = Redacted.value(key.apiKey)
    assert.strictEqual(revokedKeyPrefix, model.subscriptions[at]!.live?.secret.slice(0, key.keyPrefix.length) ?? "")
    adopt(model, production(at, secret, "claim", now, key.keyId))
  })
  const doRevoke = Effect.fnUntraced(function* (modelKey: ModelKey) {
    const isSandbox = modelKey.tier === "Sandbox"
    const expected = (isSandbox ? modelKey.barred : modelKey.revoked) ? "NotFound" : "Revoked"
    const prefix = modelKey.secret.slice(0, isSandbox ? "slr_sbx_".length + 6 : "slr_live_".length + 6)
    assert.strictEqual((yield* (yield* Administration).revoke(prefix))._tag, expected)
    if (expected === "NotFound") return
    modelKey.revoked = true
    modelKey.barred = isSandbox
    if (!isSandbox) Object.assign(model.subscriptions[modelKey.address]!, { held: true, live: undefined })
  })
  /** Ends the hold on a subscription. If it has no key by then, the next mail contains one. */
  const doAllow = Effect.fnUntraced(function* (at: number) {
    const administration = yield* Administration
    const subscription = model.subscriptions[at]!
    const [listed] = yield* listSubscriptions(emails[at]!, 1)
    if (listed === undefined) return
    const { _tag } = yield* administration.allow(listed.id)
    assert.strictEqual(_tag, subscription.held ? "Allowed" : "NotHeld")
    if (subscription.held) subscription.mailWaits = true
    subscription.held = false
  })
  const doMail = Effect.fnUntraced(function* (now: number) {
    const mails = yield* sendMails
    for (const at of [0, 1]) {
      const texts = mails.filter(({ to }) => to === emails[at]).map(({ text }) => text)
      const secret = /slr_live_[0-9A-Za-z]{38}/.exec(texts.join("\n"))?.[0]
      assert.strictEqual(secret !== undefined, mailIsDue(model.subscriptions[at]!, now))
      model.subscriptions[at]!.mailWaits = false
      if (secret !== undefined) adopt(model, production(at, secret, "mail", now))
    }
  })

  const perform = Effect.fnUntraced(function* (next: Step) {
    const now = yield* Clock.currentTimeMillis
    const modelKey = "key" in next ? pick(next.key) : undefined
    if (next.do === "mint") yield* doMint(next.address, now)
    else if (next.do === "pay") yield* doPay(next.address, now)
    else if (next.do === "end") yield* doEnd(next.address, now + next.days * DAY)
    else if (next.do === "allow") yield* doAllow(next.address)
    else if (next.do === "mail") yield* doMail(now)
    else if (next.do === "wait") yield* TestClock.adjust(`${next.hours} hours`)
    else if (modelKey !== undefined && next.do === "call") yield* doCall(modelKey, next.times, now)
    else if (modelKey !== undefined && next.do === "claim") yield* doClaim(modelKey, now)
    else if (modelKey !== undefined && next.do === "revoke") yield* doRevoke(modelKey)
  })

  /** Checks that exactly the accepted calls have a record. */
  const checkRecords = Effect.fnUntraced(function* () {
    for (const { keyId, used } of model.keys) {
      if (keyId === undefined) continue
      const passed = [...used.values()].reduce((sum, count) => sum + count, 0)
      assert.strictEqual(yield* countOf("answer", `key_id = '${keyId}'`), passed)
    }
  })
  return { perform, checkRecords }
}

const settings = {
  SANDBOX_MONTHLY_CALLS: String(LIMITS.Sandbox),
  PRODUCTION_MONTHLY_CALLS: String(LIMITS.Production)
}

layer(testServices(settings), { excludeTestServices: true })("keys, quota and subscriptions [F12]", (it) => {
  it.effect("behave like the model for any sequence of events", () =>
    Effect.gen(function* () {
      const services = yield* Effect.context<Layer.Success<ReturnType<typeof testServices>>>()
      const holds = (steps: ReadonlyArray<Step>) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(START)
          const { checkRecords, perform } = interpreter()
          yield* Effect.forEach(steps, perform, { discard: true })
          yield* checkRecords()
        }).pipe(Effect.provide(TestClock.layer()), Effect.provideContext(services), Effect.runPromise)
      const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: "max" }), holds)
      yield* Effect.promise(() => fc.assert(property, { numRuns: RUNS, seed: newSeedOr(20261124) }))
    })
  )
})
