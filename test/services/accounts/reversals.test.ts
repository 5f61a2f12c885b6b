/** Refunds and disputes: which subscriptions they hold, and which they do not. */

import { randomUUID } from "node:crypto"
import { Effect, Result } from "effect"
import { Administration } from "../../../src/services/accounts/Administration.ts"
import { listSubscriptions } from "../../../src/services/accounts/lists.ts"
import { claim, claimFailure, keysMailedTo } from "../../support/claims.ts"
import { assert, layer } from "../../support/effects.ts"
import { lines } from "../../support/logs.ts"
import { apply, buyer, call, countOf, payingBuyer, testServices } from "../../support/services.ts"
import * as stripe from "../../support/stripe.ts"

const { PAID_AT } = stripe

const listed = (email: string) => listSubscriptions(email, 1).pipe(Effect.map(([first]) => first!))

layer(testServices())("a full refund or a dispute [F58]", (it) => {
  it("disables the key, and no claim, later invoice or mail issues another until the operator allows it", function* () {
    for (const reverse of [stripe.refund, stripe.dispute]) {
      const { email, purchase, secret } = yield* payingBuyer()
      const key = yield* claim(secret)
      yield* call(key.secret)
      assert.strictEqual(yield* apply(reverse(purchase)), "Applied")
      assert.strictEqual((yield* Effect.flip(call(key.secret)))._tag, "KeyRefused")
      assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
      yield* apply(stripe.oldInvoice({ ...purchase, created: PAID_AT + 3_000_000 }))
      assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
      assert.deepStrictEqual(yield* keysMailedTo(email), [])
      const { id, state, why } = yield* listed(email)
      assert.deepStrictEqual([state, why], ["held", [reverse === stripe.refund ? "refund" : "dispute"]])

      yield* (yield* Administration).allow(id)
      const [mailed] = yield* keysMailedTo(email)
      yield* call(mailed!)
      assert.strictEqual(yield* claimFailure(secret), "KeyAlreadyUsed")
    }
  })

  it("stops a waiting mail with a key until the operator allows it", function* () {
    const { email, purchase } = yield* payingBuyer()
    yield* apply(stripe.refund(purchase))
    assert.deepStrictEqual(yield* keysMailedTo(email), [])
    yield* (yield* Administration).allow((yield* listed(email)).id)
    assert.lengthOf(yield* keysMailedTo(email), 1)
  })

  it("of a payment without a known payer holds its subscription, even once a checkout names the payer", function* () {
    const { email, purchase, secret } = yield* buyer()
    yield* apply(stripe.oldInvoice({ ...purchase, email: "" }))
    assert.strictEqual(yield* apply(stripe.refund(purchase)), "Applied")
    yield* apply(stripe.checkout(purchase))
    assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
    assert.deepStrictEqual(yield* keysMailedTo(email), [])
  })

  it("holds nothing again with the next invoice once the operator has allowed it", function* () {
    const { email, purchase, secret } = yield* payingBuyer()
    yield* apply(stripe.refund(purchase))
    yield* (yield* Administration).allow((yield* listed(email)).id)
    yield* apply(stripe.oldInvoice({ ...purchase, created: PAID_AT + 3_000_000 }))
    yield* claim(secret)
  })

  it("is applied once, so it holds nothing if it is sent again after the operator has allowed it", function* () {
    const { email, purchase, secret } = yield* payingBuyer()
    const refund = stripe.refund(purchase)
    yield* apply(refund)
    yield* (yield* Administration).allow((yield* listed(email)).id)
    assert.strictEqual(yield* apply(refund), "Repeated")
    yield* claim(secret)
  })

  it("that arrives before its payment holds nothing until Stripe sends it again", function* () {
    const { purchase, secret } = yield* buyer()
    const early = stripe.dispute(purchase)
    assert.strictEqual(yield* apply(early), "Unapplied")
    yield* apply(stripe.newInvoice(purchase))
    yield* apply(stripe.invoicePayment(purchase))
    yield* claim(secret)
    assert.strictEqual(yield* apply(early), "Applied")
    assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
  })

  it("of a held subscription changes neither the time nor the reason of the hold, and is logged", function* () {
    const { email, purchase, secret } = yield* payingBuyer()
    yield* apply(stripe.refund(purchase))
    const { heldAt, id, why } = yield* listed(email)
    const { layer: logs, told } = lines()
    const dispute = stripe.dispute(purchase)
    assert.strictEqual(yield* apply(dispute).pipe(Effect.provide(logs)), "Applied")
    assert.deepStrictEqual(
      told.map(({ level }) => level),
      ["Warn"]
    )
    assert.deepInclude(yield* listed(email), { heldAt, why })
    yield* (yield* Administration).allow(id)
    assert.strictEqual(yield* apply(dispute), "Repeated")
    yield* claim(secret)
  })

  it("of an unknown payment holds the customer's only subscription, but neither of two", function* () {
    for (const count of [1, 2]) {
      const customer = `cus_${randomUUID()}`
      const secrets = yield* Effect.forEach(Array.from({ length: count }), () =>
        Effect.gen(function* () {
          const { purchase, secret } = yield* buyer()
          yield* apply(stripe.checkout({ ...purchase, customer }))
          return secret
        })
      )
      const unknown = stripe.refund({ of: randomUUID(), customer })
      assert.strictEqual(yield* apply(unknown), count === 1 ? "Applied" : "Unapplied")
      for (const secret of secrets) {
        const outcome = yield* Effect.result(claim(secret))
        assert.strictEqual(Result.isFailure(outcome), count === 1)
      }
    }
  })

  it("does not hold what the customer bought afterwards", function* () {
    const first = yield* buyer()
    const unknown = stripe.refund({ of: randomUUID(), customer: first.purchase.customer })
    yield* apply(stripe.checkout(first.purchase))
    assert.strictEqual(yield* apply(unknown), "Applied")
    assert.strictEqual(yield* claimFailure(first.secret), "SubscriptionHeld")
    const again = yield* buyer()
    const later = { ...again.purchase, customer: first.purchase.customer, created: PAID_AT + 51 }
    yield* apply(stripe.checkout(later))
    yield* claim(again.secret)
  })

  it("of another product of the same Stripe account holds nothing", function* () {
    const { purchase, secret } = yield* payingBuyer()
    const other = { of: randomUUID(), customer: purchase.customer, email: purchase.email }
    const foreign = { ...stripe.oldInvoice(other), fact: null }
    yield* apply({ ...foreign, unapplied: { reason: "other-product", externalId: `sub_${other.of}` } })
    assert.strictEqual(yield* apply(stripe.refund(other)), "Unapplied")
    yield* claim(secret)
  })

  it("of an invoice without a subscription does not hold the customer's subscription", function* () {
    const { purchase, secret } = yield* payingBuyer()
    const unrelated = { ...purchase, of: randomUUID() }
    yield* apply(stripe.singleInvoice(unrelated))
    assert.strictEqual(yield* apply(stripe.refund(unrelated)), "Unapplied")
    yield* claim(secret)
  })

  it("of a one-time payment holds what it paid for, and no other purchase of the customer", function* () {
    const { purchase, secret } = yield* buyer()
    const unrelated = { ...purchase, of: randomUUID() }
    yield* apply(stripe.single(purchase))
    yield* apply(stripe.single(unrelated, "plink_of_something_else"))
    assert.strictEqual(yield* apply(stripe.refund(unrelated)), "Unapplied")
    yield* claim(secret)
    assert.strictEqual(yield* apply(stripe.refund(purchase)), "Applied")
    assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
  })

  it("during a claim leaves no active key", function* () {
    for (let round = 0; round < 30; round++) {
      const { email, purchase, secret } = yield* payingBuyer()
      yield* Effect.all([Effect.result(claim(secret)), apply(stripe.refund(purchase))], { concurrency: 2 })
      assert.strictEqual(
        yield* countOf("api_key", `email = '${email}' AND tier = 'Production' AND revoked_at IS NULL`),
        0
      )
    }
  })
})
