/**
 * Operators' decisions: revoked keys stay revoked, ended subscriptions stay ended, and manual
 * billing names a key.
 */

import { randomUUID } from "node:crypto"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Administration } from "../../../src/services/accounts/Administration.ts"
import { Keys } from "../../../src/services/accounts/Keys.ts"
import { listSubscriptions } from "../../../src/services/accounts/lists.ts"
import { claim, claimFailure, keysMailedTo } from "../../support/claims.ts"
import { assert, layer } from "../../support/effects.ts"
import {
  apply,
  call,
  countOf,
  mint,
  newEmail,
  newExternalId,
  paid,
  paidSandbox,
  payForAddress,
  paymentEvent,
  testServices,
  together
} from "../../support/services.ts"

const revoke = (prefixOrId: string) => Effect.flatMap(Administration, (keys) => keys.revoke(prefixOrId))
const listed = (email: string) => listSubscriptions(email, 10)
const allow = (held: string) => Effect.flatMap(Administration, (administration) => administration.allow(held))

const pay = Effect.fnUntraced(function* (email: string, key: string | null = null) {
  const outcome = yield* (yield* Administration).pay({ email, key })
  if (outcome._tag !== "Paid") return yield* Effect.die(new Error(outcome._tag))
  const { claimKey, subscriptionId } = outcome
  return { subscriptionId, claimKey: claimKey === null ? "" : Redacted.value(claimKey) }
})

layer(testServices())("the revocation of a production key", (it) => {
  it("holds its subscription: no claim, mail or payment issues another key until it is allowed [F58]", function* () {
    const { email, externalId, keyId, secret } = yield* paidSandbox()
    const used = yield* claim(secret)
    yield* call(used.secret)
    yield* revoke(used.keyPrefix)
    assert.strictEqual((yield* Effect.flip(call(used.secret)))._tag, "KeyRefused")
    assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
    yield* apply(paid(externalId, { email, sandboxKeyId: keyId }))
    assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
    assert.deepStrictEqual(yield* keysMailedTo(email), [])
    const [held] = yield* listed(email)
    assert.deepInclude(held, { state: "held", why: ["operator"], keyPrefix: null })

    assert.strictEqual((yield* allow(used.keyPrefix))._tag, "Allowed")
    yield* call((yield* keysMailedTo(email))[0]!)
    assert.deepInclude((yield* listed(email))[0], { state: "paid", why: [], keyUsed: true })
    assert.strictEqual((yield* allow(held!.id))._tag, "NotHeld")
  })

  it("returns the subscription of a key that was just replaced, so that it can be ended", function* () {
    const { email, secret } = yield* paidSandbox()
    const replaced = yield* claim(secret)
    yield* claim(secret)
    const { id } = (yield* listed(email))[0]!
    assert.deepStrictEqual(yield* revoke(replaced.keyPrefix), { _tag: "NotFound", subscriptionId: id })
  })

  it("drops the mail with a key, and one is sent once the subscription is allowed", function* () {
    const { email, secret } = yield* paidSandbox()
    const mailed = (yield* keysMailedTo(email))[0]!
    yield* revoke(mailed.slice(0, 15))
    assert.deepStrictEqual(yield* keysMailedTo(email), [])
    assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
    yield* allow((yield* listed(email))[0]!.id)
    assert.lengthOf(yield* keysMailedTo(email), 1)
  })

  it("during the sending of its mail leads to a mail with another key once it is allowed", function* () {
    const { email } = yield* paidSandbox()
    const { id } = (yield* listed(email))[0]!
    const revokeAndAllow = (key: string) => revoke(key.slice(0, 15)).pipe(Effect.andThen(allow(id)))
    const keys = yield* keysMailedTo(email, revokeAndAllow)
    assert.lengthOf(keys, 2)
    assert.strictEqual((yield* Effect.flip(call(keys[0]!)))._tag, "KeyRefused")
    yield* call(keys[1]!)
    assert.deepStrictEqual(yield* keysMailedTo(email), [])
  })

  it("during a claim leaves no active key, whichever is first [F58]", function* () {
    for (let round = 0; round < 40; round++) {
      const { email, secret } = yield* paidSandbox()
      const { keyPrefix } = yield* claim(secret)
      yield* Effect.all([Effect.result(claim(secret)), revoke(keyPrefix)], { concurrency: 2 })
      const { id, keyPrefix: live, state } = (yield* listed(email))[0]!
      // If the claim replaced the key first, nothing was revoked, and the command reported so.
      if (state === "held") assert.isNull(live)
      else yield* revoke(live!)
      assert.strictEqual(yield* countOf("api_key", `subscription_id = '${id}' AND revoked_at IS NULL`), 0)
      assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
    }
  })
})

layer(testServices({ CLAIM_ALLOW_LATE_KEYS: "true" }))("the revocation of a sandbox key", (it) => {
  it("blocks its claims, and those of other keys of its address on the subscription that names it [F58]", function* () {
    const { email, keyId, keyPrefix, secret } = yield* paidSandbox()
    const another = yield* mint(email)
    yield* revoke(keyId)
    assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
    assert.strictEqual(yield* claimFailure(another.secret), "SubscriptionHeld")
    assert.strictEqual((yield* revoke(keyPrefix))._tag, "NotFound")
    assert.deepStrictEqual(yield* allow(keyPrefix), { _tag: "MayClaim", keyPrefix })
    yield* claim(secret)
  })

  it("blocks its claims even if the payment named no key and the address matches", function* () {
    const { email, keyId, secret } = yield* mint()
    yield* payForAddress(email)
    yield* revoke(keyId)
    assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
    yield* allow(keyId)
    yield* claim(secret)
  })

  it("does not hold the subscription that names it: the payer gets the production key by mail", function* () {
    const { email, keyId, secret } = yield* paidSandbox()
    yield* revoke(keyId)
    assert.deepInclude((yield* listed(email))[0], { state: "paid", why: [], heldAt: null })
    yield* call((yield* keysMailedTo(email))[0]!)
    assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
  })

  it.onTestClock("works for an expired or replaced key, and for one whose payment comes later", function* () {
    const { email, keyId, keyPrefix, secret } = yield* mint()
    yield* mint(email)
    yield* TestClock.adjust("31 days")
    assert.strictEqual((yield* revoke(keyPrefix))._tag, "Revoked")
    yield* apply(paid(newExternalId(), { email, sandboxKeyId: keyId }))
    assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
  })

  it("by an ambiguous prefix is refused, as is allowing it", function* () {
    const sql = yield* SqlClient.SqlClient
    const [one, two] = [yield* mint(), yield* mint()]
    yield* sql`UPDATE api_key SET prefix = 'slr_sbx_Same11' WHERE id IN ${sql.in([one.keyId, two.keyId])}`
    assert.strictEqual((yield* revoke("slr_sbx_Same11"))._tag, "Ambiguous")
    yield* revoke(one.keyId)
    yield* revoke(two.keyId)
    assert.strictEqual((yield* allow("slr_sbx_Same11"))._tag, "Ambiguous")
    assert.strictEqual((yield* allow(one.keyId))._tag, "MayClaim")
  })
})

layer(testServices())("an ended subscription", (it) => {
  it("that was held before is allowed by one command, except for claims by its revoked sandbox key", function* () {
    const administration = yield* Administration
    const { email, keyId, secret } = yield* paidSandbox()
    const { id } = (yield* listed(email))[0]!
    const { keyPrefix } = yield* claim(secret)
    yield* revoke(keyPrefix)
    yield* administration.end(id)
    yield* revoke(keyId)
    assert.instanceOf((yield* listed(email))[0]!.endsAt, Date)
    assert.deepStrictEqual(yield* allow(keyPrefix), { _tag: "Allowed", subscriptionId: id, lifted: "ended" })
    assert.deepInclude((yield* listed(email))[0], { state: "paid", why: [], endsAt: null, heldAt: null })
    assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
    assert.strictEqual((yield* allow(keyId))._tag, "MayClaim")
    yield* claim(secret)
  })

  it("disables its key at once, and is reopened by the operator only, not by a payment", function* () {
    const administration = yield* Administration
    const { email, externalId, keyId, secret } = yield* paidSandbox()
    const key = yield* claim(secret)
    const { id } = (yield* listed(email))[0]!
    assert.deepStrictEqual(yield* administration.end(id), { _tag: "Ended", isByHand: false })
    assert.deepStrictEqual(yield* administration.end(id), { _tag: "EndedAlready" })
    assert.strictEqual((yield* Effect.flip(call(key.secret)))._tag, "KeyRefused")
    yield* apply(paid(externalId, { email, sandboxKeyId: keyId }))
    assert.strictEqual(yield* claimFailure(secret), "NoSubscription")
    assert.deepStrictEqual(yield* keysMailedTo(email), [])
    assert.deepInclude((yield* listed(email))[0], { state: "ended", why: ["ended"] })
    yield* allow(id)
    yield* claim(secret)
    assert.deepStrictEqual(yield* administration.end(randomUUID()), { _tag: "NotFound" })
  })

  it("does not block another one that is paid for the same key", function* () {
    const { email, keyId, secret } = yield* paidSandbox()
    yield* (yield* Administration).end((yield* listed(email))[0]!.id)
    yield* apply(paid(newExternalId(), { email, sandboxKeyId: keyId }))
    yield* claim(secret)
  })

  it("keeps the earliest end that Stripe has reported", function* () {
    const { email, externalId } = yield* paidSandbox()
    const endsAt = [new Date("2027-02-01T00:00:00Z"), new Date("2027-03-01T00:00:00Z")]
    for (const end of endsAt) yield* apply(paymentEvent({ fact: { _tag: "Ended", externalId, endsAt: end } }))
    assert.deepStrictEqual((yield* listed(email))[0]!.endsAt, endsAt[0])
  })
})

layer(testServices())("a manually billed subscription", (it) => {
  it("is claimed only with the key printed for it, and the claim replaces the mailed key", function* () {
    const stranger = yield* mint()
    const rotated = yield* mint(stranger.email)
    const { claimKey } = yield* pay(stranger.email)
    yield* (yield* Keys).authenticate(rotated.secret)
    assert.strictEqual(
      (yield* Effect.flip(Effect.flatMap(Keys, (keys) => keys.authenticate(claimKey))))._tag,
      "KeyRefused"
    )
    for (const { secret } of [stranger, rotated]) {
      assert.strictEqual(yield* claimFailure(secret), "NoSubscription")
    }
    const [mailed] = yield* keysMailedTo(stranger.email)
    const key = yield* claim(claimKey)
    assert.strictEqual((yield* Effect.flip(call(mailed!)))._tag, "KeyRefused")
    yield* call(key.secret)
  })

  it("belongs to the sandbox key that the operator names, and to no other key of the address", function* () {
    const payer = yield* mint()
    const stranger = yield* mint(payer.email)
    const { claimKey } = yield* pay(payer.email.toUpperCase(), payer.keyPrefix)
    assert.strictEqual(claimKey, "")
    assert.strictEqual(yield* claimFailure(stranger.secret), "NoSubscription")
    yield* call((yield* claim(payer.secret)).secret)
  })

  it("is refused for a key of another address, and for one that another subscription names", function* () {
    const administration = yield* Administration
    const [bob, dan] = [yield* mint(), yield* mint()]
    assert.deepInclude(yield* administration.pay({ email: dan.email, key: bob.keyPrefix }), {
      _tag: "KeyOfAnother",
      email: bob.email
    })
    assert.deepStrictEqual([yield* listed(dan.email), yield* listed(bob.email)], [[], []])
    // Paid through the link of bob's key, by another address.
    yield* apply(paid(newExternalId(), { email: dan.email, sandboxKeyId: bob.keyId }))
    const { id } = (yield* listed(dan.email))[0]!
    const taken = { _tag: "KeyTaken" as const, subscriptionId: id }
    assert.deepInclude(yield* administration.pay({ email: bob.email, key: bob.keyId }), taken)
    yield* administration.end(id)
    assert.strictEqual((yield* administration.pay({ email: bob.email, key: bob.keyId }))._tag, "Paid")
  })

  it("is not opened for an address with a paid or held Stripe subscription", function* () {
    const administration = yield* Administration
    const { email } = yield* paidSandbox()
    const { id } = (yield* listed(email))[0]!
    const paying = administration.pay({ email, key: null })
    assert.deepStrictEqual(yield* paying, { _tag: "OpenAlready", subscriptionId: id })
    yield* revoke((yield* keysMailedTo(email))[0]!.slice(0, 15))
    assert.deepStrictEqual(yield* paying, { _tag: "HeldAlready", subscriptionId: id, why: "operator" })
    assert.lengthOf(yield* listed(email), 1)
    yield* administration.end(id)
    assert.strictEqual((yield* paying)._tag, "Paid")
  })

  it("is opened for an address even if its key has the subscription of another address", function* () {
    const bob = yield* mint()
    yield* apply(paid(`manual:${randomUUID()}`, { email: newEmail(), sandboxKeyId: bob.keyId }))
    assert.strictEqual((yield* (yield* Administration).pay({ email: bob.email, key: null }))._tag, "Paid")
  })

  it("is refused for an unknown, production or revoked key", function* () {
    const administration = yield* Administration
    const { keyId, secret } = yield* paidSandbox()
    const { keyPrefix } = yield* claim(secret)
    yield* revoke(keyId)
    const outcomes = yield* Effect.forEach([randomUUID(), keyPrefix, keyId], (key) =>
      administration.pay({ email: newEmail(), key })
    )
    assert.deepStrictEqual(
      outcomes.map(({ _tag }) => _tag),
      ["KeyNotFound", "KeyNotFound", "KeyBarred"]
    )
  })

  it("is opened once per address, however often it is paid, and again after its end", function* () {
    const administration = yield* Administration
    const email = newEmail()
    const outcomes = yield* together(8, () => administration.pay({ email: ` ${email.toUpperCase()}`, key: null }))
    assert.strictEqual(yield* countOf("subscription", `email = '${email}'`), 1)
    assert.strictEqual(yield* countOf("api_key", `email = '${email}'`), 1)
    assert.lengthOf(outcomes, 8)
    yield* administration.end((yield* listed(email))[0]!.id)
    const { claimKey } = yield* pay(email)
    yield* claim(claimKey)
  })

  it("cannot be claimed after its end", function* () {
    const { claimKey, subscriptionId } = yield* pay(newEmail())
    yield* (yield* Administration).end(subscriptionId)
    assert.strictEqual(yield* claimFailure(claimKey), "NoSubscription")
  })
})
