/**
 * Subscriptions: which payments count, which keys may claim, and that a subscription has at most
 * one active key.
 */

import { randomUUID } from "node:crypto"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Administration } from "../../../src/services/accounts/Administration.ts"
import { newSecret } from "../../../src/services/accounts/apiKey.ts"
import { Keys } from "../../../src/services/accounts/Keys.ts"
import { listSubscriptions } from "../../../src/services/accounts/lists.ts"
import type { PaymentEvent } from "../../../src/services/accounts/paymentEvent.ts"
import { claim, keysMailedTo, mailed } from "../../support/claims.ts"
import { assert, layer } from "../../support/effects.ts"
import { runs } from "../../support/random.ts"
import {
  apply,
  call,
  countOf,
  mint,
  newEmail,
  newExternalId,
  paid,
  paidSandbox,
  paymentEvent,
  tally,
  testServices,
  together
} from "../../support/services.ts"
import * as stripe from "../../support/stripe.ts"

const ended = (externalId: string, endsAt: Date): PaymentEvent =>
  paymentEvent({ type: "customer.subscription.deleted", fact: { _tag: "Ended", externalId, endsAt } })

const mailedKeyTo = (email: string) => Effect.map(keysMailedTo(email), ([key]) => key)

const outcomeOf = (secret: string) =>
  Effect.match(claim(secret), { onFailure: ({ _tag }) => _tag, onSuccess: () => "Claimed" as const })

/** The checkout of a trial and its first invoice: by price, and by payment link. */
const TRIALS = [
  [stripe.trial, stripe.oldInvoice],
  [stripe.trialByLink, stripe.invoiceByLink]
] as const

const LANES = 8
/** Races in each lane. */
const ROUNDS = runs(15, 50)

layer(testServices())("a claim", (it) => {
  it("returns the production key of the paid subscription with its own tenant, and is announced by mail", function* () {
    const sandbox = yield* paidSandbox()
    const key = yield* claim(sandbox.secret)
    assert.match(key.secret, /^slr_live_[0-9A-Za-z]{38}$/)
    assert.deepInclude(key, { tier: "Production", monthlyCallLimit: 100_000, expiresAt: null, revokedKeyPrefix: "" })
    const caller = yield* (yield* Keys).authenticate(key.secret)
    assert.deepInclude(caller, { plan: "production-monthly", tenant: key.tenant })
    assert.notStrictEqual(key.tenant, sandbox.tenant)
    const mails = yield* mailed()
    assert.isTrue(mails.some(({ text, to }) => to === sandbox.email && text.includes(key.keyPrefix)))
    assert.isFalse(mails.some(({ text }) => text.includes(key.secret)))
  })

  it.onTestClock("works with an expired or replaced sandbox key", function* () {
    const sandbox = yield* paidSandbox()
    yield* mint(sandbox.email)
    yield* claim(sandbox.secret)
    yield* TestClock.adjust("31 days")
    yield* claim(sandbox.secret)
  })

  it("replaces the key of an earlier claim before its first use, and is refused after it", function* () {
    const { secret } = yield* paidSandbox()
    const first = yield* claim(secret)
    const second = yield* claim(secret)
    assert.strictEqual(second.revokedKeyPrefix, first.keyPrefix)
    assert.strictEqual(second.tenant, first.tenant)
    assert.strictEqual((yield* Effect.flip(call(first.secret)))._tag, "KeyRefused")
    yield* call(second.secret)
    assert.strictEqual(yield* outcomeOf(secret), "KeyAlreadyUsed")
    assert.strictEqual((yield* call(second.secret)).used, 2)
  })

  it("revokes the mailed key if it is unused, and is refused if it was used", function* () {
    const first = yield* paidSandbox()
    const mailedFirst = (yield* mailedKeyTo(first.email))!
    const key = yield* claim(first.secret)
    assert.strictEqual(key.revokedKeyPrefix, mailedFirst.slice(0, 15))
    assert.strictEqual((yield* Effect.flip(call(mailedFirst)))._tag, "KeyRefused")

    const second = yield* paidSandbox()
    yield* call((yield* mailedKeyTo(second.email))!)
    assert.strictEqual(yield* outcomeOf(second.secret), "KeyAlreadyUsed")
  })

  it("without a payment is refused with the address and the key to pay for", function* () {
    const { email, keyId, secret } = yield* mint("  Unpaid@Example.org")
    assert.deepInclude(yield* Effect.flip(claim(secret)), {
      _tag: "NoSubscription",
      email: "unpaid@example.org",
      sandboxKeyId: keyId
    })
    assert.isString(email)
  })

  it("is refused for anything that is not a sandbox key", function* () {
    const { secret } = yield* paidSandbox()
    const production = (yield* claim(secret)).secret
    for (const nonsense of [production, newSecret("Sandbox"), secret.slice(1), "", "x".repeat(9000)]) {
      assert.strictEqual(yield* outcomeOf(nonsense), "NotASandboxKey")
    }
  })

  it("finds the subscription by its address when the payment named no key", function* () {
    const { email, secret } = yield* mint()
    yield* apply(paid(newExternalId(), { email: email.toUpperCase(), sandboxKeyId: "no-key-of-ours" }))
    yield* claim(secret)
  })

  it.onTestClock("is refused for a key minted after the payment, unless the payment named it", function* () {
    const { email } = yield* paidSandbox()
    yield* TestClock.adjust("1 second")
    const late = yield* mint(email)
    assert.strictEqual(yield* outcomeOf(late.secret), "KeyIssuedAfterPayment")
    yield* apply(paid(newExternalId(), { email, sandboxKeyId: late.keyId }))
    yield* claim(late.secret)
  })

  it.onTestClock("is refused for a key minted after the first payment, even if more is paid later", function* () {
    const [email, externalId] = [newEmail(), newExternalId()]
    yield* apply(paid(externalId, { email }))
    yield* TestClock.adjust("1 second")
    const late = yield* mint(email)
    yield* TestClock.adjust("1 second")
    yield* apply(paid(externalId, { email }))
    assert.strictEqual(yield* outcomeOf(late.secret), "KeyIssuedAfterPayment")
  })

  it("is refused for an earlier key of the address when the payment named another", function* () {
    const stranger = yield* mint()
    const payer = yield* mint(stranger.email)
    yield* apply(paid(newExternalId(), { email: payer.email, sandboxKeyId: payer.keyId }))
    assert.strictEqual(yield* outcomeOf(stranger.secret), "NoSubscription")
    yield* claim(payer.secret)
  })

  it("works with the key that the payment named, even if the payer has another address", function* () {
    const sandbox = yield* mint()
    const payer = newEmail()
    yield* apply(paid(newExternalId(), { email: payer, sandboxKeyId: sandbox.keyId }))
    assert.isDefined(yield* mailedKeyTo(payer))
    yield* claim(sandbox.secret)
  })
})

layer(testServices({ CLAIM_ALLOW_LATE_KEYS: "true" }))("keys minted after the payment", (it) => {
  it.onTestClock("can claim if that is allowed", function* () {
    const { email } = yield* paidSandbox()
    yield* TestClock.adjust("1 second")
    yield* claim((yield* mint(email)).secret)
  })
})

layer(testServices({ SANDBOX_MONTHLY_CALLS: "1000000" }))("concurrent calls", (it) => {
  it("let all of 50 claims succeed and leave one active key [F14]", function* () {
    const { secret } = yield* paidSandbox()
    const outcomes = yield* together(50, () => claim(secret))
    assert.deepStrictEqual(tally(outcomes), { ok: 50 })
    const secrets = outcomes.filter(Result.isSuccess).map(({ success }) => success.secret)
    const keys = yield* Keys
    const uses = yield* together(50, (index) => keys.authenticate(secrets[index]!))
    assert.deepStrictEqual(tally(uses), { ok: 1, KeyRefused: 49 })
  })

  it(`let exactly one of a claim and the first use of a key succeed, ${LANES * ROUNDS} times [F15]`, function* () {
    const sql = yield* SqlClient.SqlClient
    const winners = { claim: 0, use: 0 }
    // Head start of the claim in milliseconds. Each round changes it in favor of the loser, so
    // that either wins about half of the rounds on any machine.
    let lead = 0
    const race = Effect.fnUntraced(function* (secret: string) {
      const first = yield* claim(secret)
      const claiming = outcomeOf(secret).pipe(Effect.delay(Math.max(0, -lead)))
      const using = call(first.secret).pipe(Effect.delay(Math.max(0, lead)), Effect.result)
      const [outcome, used] = yield* Effect.all([claiming, using], { concurrency: 2 })
      const isUsed = Result.isSuccess(used)
      assert.strictEqual(outcome, isUsed ? "KeyAlreadyUsed" : "Claimed")
      if (!isUsed) assert.strictEqual(used.failure._tag, "KeyRefused")
      winners[isUsed ? "use" : "claim"]++
      lead += isUsed ? Math.random() : -Math.random()
      // Undoes the use, so that the next round can begin with a claim.
      yield* sql`DELETE FROM usage WHERE key_id = ${first.keyId}`
    })
    const lane = Effect.flatMap(paidSandbox(), ({ secret }) => Effect.repeat(race(secret), { times: ROUNDS - 1 }))
    yield* Effect.all(
      Array.from({ length: LANES }, () => lane),
      { concurrency: LANES, discard: true }
    )
    assert.isAbove(Math.min(winners.claim, winners.use), (LANES * ROUNDS) / 20)
  })

  it("either count or refuse a use during the mint that replaces its key", function* () {
    for (let index = 0; index < 50; index++) {
      const { email, keyId, secret } = yield* mint()
      const [, used] = yield* Effect.all([mint(email), Effect.result(call(secret))], { concurrency: 2 })
      const counted = yield* countOf("usage", `key_id = '${keyId}' AND used = 1`)
      assert.strictEqual(counted, Result.isSuccess(used) ? 1 : 0)
    }
  })

  it("apply a repeated event once [F17]", function* () {
    const sandbox = yield* mint()
    const event = paid(newExternalId(), { email: sandbox.email, sandboxKeyId: sandbox.keyId })
    const receipts = yield* Effect.all(
      Array.from({ length: 20 }, () => apply(event)),
      { concurrency: "unbounded" }
    )
    assert.strictEqual(receipts.filter((receipt) => receipt === "Applied").length, 1)
    assert.strictEqual(receipts.filter((receipt) => receipt === "Repeated").length, 19)
    assert.strictEqual(yield* countOf("subscription", `sandbox_key_id = '${sandbox.keyId}'`), 1)
    assert.strictEqual(yield* countOf("outbox", `mail_to = '${sandbox.email}' AND kind = 'production-key'`), 1)
  })
})

layer(testServices({ RATE_LIMIT_SUBSCRIPTION: "10/d" }))("many claims", (it) => {
  it.onTestClock(
    "are allowed ten times a day for one subscription, and cause one mail while none leaves",
    function* () {
      const { email, secret } = yield* paidSandbox()
      yield* mailed()
      let prefix = ""
      for (let count = 0; count < 10; count++) prefix = (yield* claim(secret)).keyPrefix
      const refused = yield* Effect.flip(claim(secret))
      assert.deepInclude(refused, { _tag: "TooManyClaims", retryAfterSeconds: 86_400 })
      const collected = (yield* mailed()).filter(({ to }) => to === email)
      assert.deepStrictEqual(
        collected.map(({ text }) => /slr_live_\w{6}/.exec(text)![0]),
        [prefix]
      )
      yield* TestClock.adjust("1 day")
      yield* claim(secret)
      assert.lengthOf(yield* mailed(), 1)
    }
  )

  it.onTestClock("leave few unused keys behind, and all keys that were used", function* () {
    const { secret } = yield* paidSandbox()
    const used = yield* claim(secret)
    yield* call(used.secret)
    const sql = yield* SqlClient.SqlClient
    const ofSubscription = sql`subscription_id = (SELECT subscription_id FROM api_key WHERE id = ${used.keyId}::uuid)`
    // As after an operator's hold that was lifted.
    yield* sql`UPDATE api_key SET revoked_at = now(), revoked_reason = 'operator' WHERE id = ${used.keyId}::uuid`
    let last = used
    for (let day = 0; day < 5; day++) {
      for (let count = 0; count < 9; count++) last = yield* claim(secret)
      yield* TestClock.adjust("1 day")
    }
    assert.isAtMost((yield* sql`SELECT FROM api_key WHERE ${ofSubscription}`).length, 25)
    assert.lengthOf(yield* sql`SELECT FROM api_key WHERE id = ${used.keyId}::uuid`, 1)
    assert.strictEqual((yield* call(last.secret)).used, 1)
  })
})

/** Everything that a client can notice about a subscription, without generated ids. */
const stateOf = Effect.fnUntraced(function* (externalId: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`
    SELECT subscription.email, subscription.mail_to, sandbox_key_id, paid_at IS NOT NULL AS paid, ends_at,
      (SELECT count(*)::int FROM outbox WHERE subscription_id = subscription.id AND sent_at IS NULL) AS waiting
    FROM subscription WHERE external_id = ${externalId}`
})

const permutations = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))

layer(testServices())("payment events", (it) => {
  it("end in the same state in every order [F18]", function* () {
    const endsAt = new Date("2027-01-15T00:00:00Z")
    const sandbox = yield* mint()
    const states: Array<unknown> = []
    for (const order of permutations([0, 1, 2, 3])) {
      const externalId = newExternalId()
      const events = [
        paid(externalId, { email: sandbox.email, sandboxKeyId: sandbox.keyId }),
        paid(externalId, { email: sandbox.email }),
        ended(externalId, endsAt),
        ended(externalId, new Date("2027-02-15T00:00:00Z"))
      ]
      for (const index of order) yield* apply(events[index]!)
      states.push(yield* stateOf(externalId))
    }
    for (const state of states) assert.deepStrictEqual(state, states[0])
    const expected = { paid: true, waiting: 1, email: sandbox.email, ends_at: endsAt.toISOString() }
    assert.deepInclude(JSON.parse(JSON.stringify(states[0]))[0], expected)
  })

  it("give the payer the subscription if a stranger claims before the event that names the payer's key", function* () {
    for (const isUsed of [false, true]) {
      const stranger = yield* mint()
      const payer = yield* mint(stranger.email)
      const externalId = newExternalId()
      yield* apply(paid(externalId, { email: payer.email }))
      const taken = yield* claim(stranger.secret)
      if (isUsed) yield* call(taken.secret)
      const named = paid(externalId, { email: payer.email, sandboxKeyId: payer.keyId })
      yield* apply(named)
      assert.strictEqual((yield* Effect.flip(call(taken.secret)))._tag, "KeyRefused")
      assert.strictEqual(yield* countOf("api_key", `id = '${taken.keyId}' AND revoked_reason = 'paid-with-another'`), 1)
      assert.strictEqual(yield* outcomeOf(stranger.secret), "NoSubscription")
      yield* call((yield* mailedKeyTo(payer.email))!)
      assert.strictEqual(yield* outcomeOf(payer.secret), "KeyAlreadyUsed")
    }
  })

  it("mail the payer another key if a stranger's claim had replaced the mailed one", function* () {
    const stranger = yield* mint()
    const payer = yield* mint(stranger.email)
    const externalId = newExternalId()
    yield* apply(paid(externalId, { email: payer.email }))
    const first = (yield* mailedKeyTo(payer.email))!
    const taken = yield* claim(stranger.secret)
    yield* apply(paid(externalId, { email: payer.email, sandboxKeyId: payer.keyId }))
    yield* call((yield* mailedKeyTo(payer.email))!)
    for (const dead of [first, taken.secret]) {
      assert.strictEqual((yield* Effect.flip(call(dead)))._tag, "KeyRefused")
    }
  })

  it("after a trial belong to the key that its checkout named, in every order, by price and by link [F18]", function* () {
    for (const [trial, invoice] of TRIALS) {
      for (const order of [
        [0, 1],
        [1, 0]
      ]) {
        const stranger = yield* mint()
        const { email, keyId, secret } = yield* mint(stranger.email)
        const of = randomUUID()
        const purchase = { of, customer: `cus_${of}`, email, keyId }
        const events = [trial(purchase), invoice(purchase)]
        for (const index of order) yield* apply(events[index]!)
        assert.strictEqual(yield* outcomeOf(stranger.secret), "NoSubscription")
        yield* call((yield* claim(secret)).secret)
      }
    }
  })

  it("do not count a trial alone as paid", function* () {
    for (const trial of [stripe.trial, stripe.trialByLink]) {
      const { email, keyId, secret } = yield* mint()
      const of = randomUUID()
      assert.strictEqual(yield* apply(trial({ of, customer: `cus_${of}`, email, keyId })), "Applied")
      assert.strictEqual(yield* outcomeOf(secret), "NoSubscription")
      assert.isUndefined(yield* mailedKeyTo(email))
    }
  })

  it("of a trial by our link count as paid even if the key that it names is unknown", function* () {
    const { email, secret } = yield* mint()
    const of = randomUUID()
    const purchase = { of, customer: `cus_${of}`, email, keyId: "no-key-of-ours" }
    yield* apply(stripe.trialByLink(purchase))
    assert.strictEqual(yield* outcomeOf(secret), "NoSubscription")
    yield* apply(stripe.invoiceByLink(purchase))
    yield* claim(secret)
  })

  it("of a trial pay for the key that it named, even if its address is invalid", function* () {
    const { email, keyId, secret } = yield* mint()
    const of = randomUUID()
    const purchase = { of, customer: `cus_${of}`, email: "a@b.org, c@d.org", keyId }
    yield* apply(stripe.trialByLink(purchase))
    assert.strictEqual(yield* outcomeOf(secret), "NoSubscription")
    assert.strictEqual(yield* apply(stripe.invoiceByLink(purchase)), "Applied")
    assert.isDefined(yield* mailedKeyTo(email))
    yield* claim(secret)
  })

  it.onTestClock("of a trial that names no key cannot be claimed with a key minted after its checkout", function* () {
    for (const [trial, invoice] of TRIALS) {
      const before = yield* mint()
      const of = randomUUID()
      const purchase = { of, customer: `cus_${of}`, email: before.email }
      yield* TestClock.adjust("1 second")
      yield* apply(trial(purchase))
      yield* TestClock.adjust("1 second")
      const during = yield* mint(before.email)
      yield* TestClock.adjust("1 second")
      yield* apply(invoice(purchase))
      assert.strictEqual(yield* outcomeOf(during.secret), "KeyIssuedAfterPayment")
      yield* claim(before.secret)
    }
  })

  it("for one-time purchases of one customer open one subscription each, even after one was ended", function* () {
    const administration = yield* Administration
    const customer = `cus_${randomUUID()}`
    const bought = Effect.fnUntraced(function* () {
      const { email, keyId, secret } = yield* mint()
      const purchase = { of: randomUUID(), customer, email, keyId }
      assert.strictEqual(yield* apply(stripe.single(purchase)), "Applied")
      return { email, purchase, secret }
    })
    const [first, second] = [yield* bought(), yield* bought()]
    yield* claim(second.secret)
    yield* administration.end((yield* listSubscriptions(first.email, 1))[0]!.id)
    const third = yield* bought()
    yield* claim(third.secret)
    yield* apply(stripe.refund(third.purchase))
    assert.strictEqual(yield* outcomeOf(third.secret), "SubscriptionHeld")
    yield* claim((yield* bought()).secret)
    yield* claim(second.secret)
  })

  it("that pay twice for one key entitle it to two production keys, the second after the first is used", function* () {
    const { email, keyId, secret } = yield* mint()
    const customer = `cus_${randomUUID()}`
    for (let times = 0; times < 2; times++) yield* apply(stripe.single({ of: randomUUID(), customer, email, keyId }))
    yield* call((yield* claim(secret)).secret)
    yield* call((yield* claim(secret)).secret)
    assert.strictEqual(yield* outcomeOf(secret), "KeyAlreadyUsed")
  })

  it("do not revoke the key that the payer claimed if they name the payer's or another key later", function* () {
    const payer = yield* mint()
    const externalId = newExternalId()
    yield* apply(paid(externalId, { email: payer.email }))
    const key = yield* claim(payer.secret)
    yield* apply(paid(externalId, { email: payer.email, sandboxKeyId: payer.keyId }))
    const stranger = yield* mint(payer.email)
    yield* apply(paid(externalId, { email: payer.email, sandboxKeyId: stranger.keyId }))
    yield* call(key.secret)
    assert.strictEqual(yield* outcomeOf(payer.secret), "KeyAlreadyUsed")
  })

  it("that name the payer's key during a stranger's claim leave the stranger no active key", function* () {
    for (let round = 0; round < 50; round++) {
      const stranger = yield* mint()
      const payer = yield* mint(stranger.email)
      const externalId = newExternalId()
      yield* apply(paid(externalId, { email: payer.email }))
      const named = paid(externalId, { email: payer.email, sandboxKeyId: payer.keyId })
      yield* Effect.all([outcomeOf(stranger.secret), apply(named)], { concurrency: 2 })
      assert.strictEqual(yield* countOf("api_key", `claimed_with = '${stranger.keyId}' AND revoked_at IS NULL`), 0)
      yield* claim(payer.secret)
    }
  })

  it.onTestClock("end the key with the paid period, whether it was issued before or after them", function* () {
    yield* TestClock.setTime(Date.UTC(2026, 10, 1))
    const first = yield* paidSandbox()
    const before = yield* claim(first.secret)
    yield* apply(ended(first.externalId, new Date(Date.UTC(2026, 10, 20))))
    const second = yield* paidSandbox()
    yield* apply(ended(second.externalId, new Date(Date.UTC(2026, 10, 20))))
    const after = yield* claim(second.secret)
    assert.strictEqual(after.expiresAt?.toISOString(), "2026-11-20T00:00:00.000Z")

    yield* TestClock.setTime(Date.UTC(2026, 10, 20) - 1)
    for (const key of [before, after]) yield* call(key.secret)
    yield* TestClock.adjust("1 millis")
    for (const key of [before, after]) assert.strictEqual((yield* Effect.flip(call(key.secret)))._tag, "KeyRefused")
    assert.strictEqual(yield* outcomeOf(first.secret), "NoSubscription")
    assert.isUndefined(yield* mailedKeyTo(second.email))
  })

  it("without an address take effect once another event has one", function* () {
    const externalId = newExternalId()
    yield* apply(paid(externalId))
    const { email, secret } = yield* mint()
    assert.strictEqual(yield* outcomeOf(secret), "NoSubscription")
    yield* apply(paid(externalId, { email }))
    yield* claim(secret)
  })

  it("without a fact are ignored and not stored", function* () {
    const event = paymentEvent({ type: "invoice.created" })
    assert.strictEqual(yield* apply(event), "Ignored")
    assert.strictEqual(yield* countOf("payment_event", `id = '${event.id}'`), 0)
  })
})
