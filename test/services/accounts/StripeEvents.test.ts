/**
 * Stripe's payment events: the check of their signatures, and the facts read from them. Bodies have
 * the shapes that Stripe documents.
 */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import Stripe from "stripe"
import type { Paid } from "../../../src/services/accounts/paymentEvent.ts"
import { StripeEvents } from "../../../src/services/accounts/StripeEvents.ts"
import { assert, describe, it } from "../../support/effects.ts"
import { testConfig } from "../../support/settings.ts"

const SECRET = "whsec_for_tests"
const NOW = 1_790_000_000
/** The product of the tests, by price and by payment link. */
const SOLD = { STRIPE_PRICE: "price_tests", STRIPE_PAYMENT_LINK: "plink_tests" }
const lines = { data: [{ price: { id: "price_tests", object: "price" } }] }

const body = (type: string, object: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ id: "evt_1", object: "event", type, created: NOW - 60, livemode: true, data: { object } })

const signed = (payload: string, timestamp = NOW, secret = SECRET) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })

const verify = (payload: string, signature: string | undefined, secret: string | undefined = SECRET) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW * 1000)
    return yield* (yield* StripeEvents).verify(payload, signature)
  }).pipe(
    Effect.provide(StripeEvents.layer),
    Effect.provide(testConfig(secret === undefined ? {} : { STRIPE_WEBHOOK_SECRET: secret, ...SOLD }))
  )

const factOf = (type: string, object: Readonly<Record<string, unknown>>) => {
  const payload = body(type, object)
  return Effect.map(verify(payload, signed(payload)), ({ fact }) => fact)
}

describe("a signature", () => {
  const payload = body("invoice.paid", { id: "in_1", subscription: "sub_1" })

  it.onTestClock("is accepted if it is valid and recent", function* () {
    assert.deepInclude(yield* verify(payload, signed(payload)), { id: "evt_1", type: "invoice.paid" })
    yield* verify(payload, signed(payload, NOW - 300))
  })

  it.onTestClock("is refused if it is missing, wrong, stale or of another body [F19]", function* () {
    const refused = [
      verify(payload, undefined),
      verify(payload, ""),
      verify(payload, "t=1,v1=00"),
      verify(payload, signed(payload, NOW - 301)),
      verify(payload, signed(payload, NOW, "whsec_of_somebody_else")),
      verify(`${payload} `, signed(payload)),
      verify("not json", signed("not json")),
      verify('{"id":"evt_1"}', signed('{"id":"evt_1"}'))
    ]
    for (const attempt of refused) assert.strictEqual((yield* Effect.flip(attempt))._tag, "SignatureRefused")
  })
})

describe("an event for a service without a webhook secret", () => {
  it.onTestClock("is refused", function* () {
    const unconfigured = Effect.gen(function* () {
      return yield* (yield* StripeEvents).verify("{}", "t=1,v1=00")
    }).pipe(Effect.provide(StripeEvents.layer), Effect.provide(testConfig()))
    assert.strictEqual((yield* Effect.flip(unconfigured))._tag, "WebhookDisabled")
  })
})

describe("an event", () => {
  const session = {
    id: "cs_1",
    payment_link: "plink_tests",
    payment_status: "paid",
    subscription: "sub_1",
    customer: "cus_1",
    client_reference_id: "key-1",
    customer_details: { email: "Ada@example.org", name: "Ada" },
    customer_email: null
  }
  const paid: Paid = { _tag: "Paid", externalId: "sub_1", email: "Ada@example.org", sandboxKeyId: "key-1" }

  it.onTestClock("of a completed checkout is a payment only if it was paid", function* () {
    assert.deepStrictEqual(yield* factOf("checkout.session.completed", session), paid)
    assert.isNull(yield* factOf("checkout.session.completed", { ...session, payment_status: "unpaid" }))
    const delayed = { ...session, payment_status: "unpaid", subscription: { id: "sub_1", object: "subscription" } }
    assert.deepStrictEqual(yield* factOf("checkout.session.async_payment_succeeded", delayed), paid)
    const bare = {
      id: "cs_2",
      payment_link: "plink_tests",
      payment_status: "paid",
      customer_email: "a@b.org",
      customer_details: null
    }
    assert.deepStrictEqual(yield* factOf("checkout.session.completed", bare), {
      _tag: "Paid",
      externalId: "cs_2",
      email: "a@b.org",
      sandboxKeyId: null
    })
  })

  it.onTestClock("of a paid invoice names its subscription, in both versions of the API", function* () {
    const expected: Paid = { _tag: "Paid", externalId: "sub_1", email: "a@b.org", sandboxKeyId: null }
    const invoice = { id: "in_1", customer: "cus_1", customer_email: "a@b.org", amount_paid: 4900, lines }
    assert.deepStrictEqual(yield* factOf("invoice.paid", { ...invoice, subscription: "sub_1" }), expected)
    const parent = { type: "subscription_details", subscription_details: { subscription: "sub_1", metadata: {} } }
    assert.deepStrictEqual(yield* factOf("invoice.paid", { ...invoice, parent }), expected)
  })

  it.onTestClock("of an invoice over zero or without a subscription has no fact", function* () {
    const invoice = { id: "in_1", customer: "cus_1", customer_email: "a@b.org", lines }
    assert.isNull(yield* factOf("invoice.paid", { ...invoice, amount_paid: 4900 }))
    for (const paid of [{}, { amount_paid: null }, { amount_paid: 0 }, { amount_paid: -1 }]) {
      assert.isNull(yield* factOf("invoice.paid", { ...invoice, subscription: "sub_1", ...paid }))
    }
  })

  it.onTestClock("with values that the database cannot store has no fact", function* () {
    for (const text of ["a\0b", "x".repeat(256), "lone \ud800"]) {
      assert.isNull(yield* factOf("checkout.session.completed", { ...session, subscription: text }))
      assert.isNull(yield* factOf("checkout.session.completed", { ...session, customer_details: { email: text } }))
      assert.isNull(yield* factOf("customer.subscription.deleted", { id: text }))
      const payload = JSON.stringify({ ...JSON.parse(body("checkout.session.completed", session)), id: text })
      assert.isNull((yield* verify(payload, signed(payload))).fact)
    }
    assert.isNull(yield* factOf("checkout.session.completed", { ...session, subscription: "" }))
    for (const end of [-1, 1e15, 1e300, 253_402_300_800]) {
      assert.isNull(yield* factOf("customer.subscription.deleted", { id: "sub_1", current_period_end: end }))
    }
  })

  it.onTestClock("of a deleted subscription contains the end of the paid period", function* () {
    const endsAt = (object: Readonly<Record<string, unknown>>) =>
      Effect.map(factOf("customer.subscription.deleted", { id: "sub_1", ...object }), (fact) =>
        fact?._tag === "Ended" ? fact.endsAt.getTime() / 1000 : undefined
      )
    assert.strictEqual(yield* endsAt({ current_period_end: NOW + 5, ended_at: NOW }), NOW + 5)
    const data = [{ current_period_end: NOW + 7 }, { current_period_end: NOW + 9 }]
    assert.strictEqual(yield* endsAt({ items: { object: "list", data }, ended_at: NOW }), NOW + 9)
    assert.strictEqual(yield* endsAt({ ended_at: NOW + 1 }), NOW + 1)
    assert.strictEqual(yield* endsAt({}), NOW - 60)
  })

  it.onTestClock("of another type or an unknown shape has no fact", function* () {
    assert.isNull(yield* factOf("customer.created", { id: "cus_1" }))
    assert.isNull(yield* factOf("invoice.paid", { id: 7 }))
    assert.isNull(yield* factOf("checkout.session.completed", {}))
  })
})

describe("the product", () => {
  const PRICE = { STRIPE_PRICE: "price_ours" }
  const LINK = { STRIPE_PAYMENT_LINK: "plink_ours" }
  const base = { id: "cs_1", payment_status: "paid", subscription: "sub_1", customer_details: { email: "a@b.org" } }
  const invoiceBase = { id: "in_1", subscription: "sub_1", amount_paid: 4900, customer_email: "a@b.org" }

  const reading = (
    sold: Readonly<Record<string, string>>,
    type: string,
    object: Readonly<Record<string, unknown>>,
    livemode: unknown = true
  ) => {
    const payload = JSON.stringify({ id: "evt_1", type, created: NOW - 60, livemode, data: { object } })
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW * 1000)
      const { fact, unapplied } = yield* (yield* StripeEvents).verify(payload, signed(payload))
      return unapplied?.reason ?? fact?._tag ?? "Nothing"
    }).pipe(Effect.provide(StripeEvents.layer), Effect.provide(testConfig({ STRIPE_WEBHOOK_SECRET: SECRET, ...sold })))
  }
  const session = (sold: Readonly<Record<string, string>>, changes: Readonly<Record<string, unknown>>) =>
    reading(sold, "checkout.session.completed", { ...base, ...changes })
  const invoice = (sold: Readonly<Record<string, string>>, changes: Readonly<Record<string, unknown>>) =>
    reading(sold, "invoice.paid", { ...invoiceBase, ...changes })
  const line = (price: unknown) => ({ lines: { data: [{ price: { id: "price_other" } }, { price }] } })

  it.onTestClock("is recognized by a checkout's payment link, or by its price if that is expanded", function* () {
    assert.strictEqual(yield* session(LINK, { payment_link: "plink_ours" }), "Paid")
    assert.strictEqual(yield* session(LINK, { payment_link: { id: "plink_ours" } }), "Paid")
    const items = { line_items: { data: [{ price: { id: "price_ours" } }] } }
    assert.strictEqual(yield* session(PRICE, { mode: "payment", ...items }), "Paid")
    for (const link of ["plink_other", null, undefined]) {
      assert.strictEqual(yield* session(LINK, { payment_link: link, mode: "subscription" }), "other-product")
      assert.strictEqual(yield* session(LINK, { payment_link: link, ...items }), "other-product")
    }
    const others = { line_items: { data: [{ price: "price_other" }] }, mode: "subscription" }
    assert.strictEqual(yield* session({ ...PRICE, ...LINK }, others), "other-product")
  })

  it.onTestClock("is not paid by a one-time payment for another product [F61]", function* () {
    for (const sold of [PRICE, LINK, { ...PRICE, ...LINK }]) {
      const foreign = { mode: "payment", amount_total: 1, currency: "jpy", payment_link: "plink_other" }
      assert.strictEqual(yield* session(sold, foreign), "other-product")
    }
  })

  it.onTestClock("is decided by the invoice if only a price is set, while the checkout names the key", function* () {
    assert.strictEqual(yield* session(PRICE, { mode: "subscription", payment_link: "plink_x" }), "Named")
    assert.strictEqual(yield* invoice(PRICE, line({ id: "price_ours" })), "Paid")
  })

  it.onTestClock("is recognized by the price of an invoice line, in both versions of the API", function* () {
    assert.strictEqual(yield* invoice(PRICE, line("price_ours")), "Paid")
    const pricing = { type: "price_details", price_details: { price: "price_ours", product: "prod_1" } }
    assert.strictEqual(yield* invoice(PRICE, { lines: { data: [{ pricing }] } }), "Paid")
    for (const changes of [line("price_x"), line(null), {}, { lines: null }]) {
      assert.strictEqual(yield* invoice(PRICE, changes), "other-product")
      assert.strictEqual(yield* invoice(LINK, { ...changes, billing_reason: "subscription_create" }), "Nothing")
      assert.strictEqual(yield* invoice(LINK, { ...changes, billing_reason: "subscription_cycle" }), "no-checkout")
    }
    const single = { ...line("price_ours"), subscription: null }
    assert.strictEqual(yield* invoice(PRICE, single), "no-subscription")
  })

  it.onTestClock("is not paid by a checkout over zero [F61]", function* () {
    assert.strictEqual(yield* session(LINK, { payment_link: "plink_ours", amount_total: 0 }), "Nothing")
  })

  it.onTestClock("is not paid by the checkout of its trial, which only names the key", function* () {
    const trial = { mode: "subscription", payment_status: "no_payment_required", amount_total: 0 }
    for (const sold of [PRICE, LINK, { ...PRICE, ...LINK }]) {
      assert.strictEqual(yield* session(sold, { ...trial, payment_link: "plink_ours" }), "Named")
      assert.strictEqual(
        yield* session(sold, { ...trial, payment_link: "plink_ours", payment_status: "paid" }),
        "Named"
      )
      assert.strictEqual(yield* session(sold, { ...trial, payment_link: "plink_ours", mode: "setup" }), "Nothing")
    }
    assert.strictEqual(yield* session(LINK, { ...trial, payment_link: "plink_other" }), "Nothing")
  })

  it.onTestClock("is not paid by an invoice whose line for it is zero or negative", function* () {
    const of = (ours: number, other: number) => {
      const data = [
        { amount: ours, price: "price_ours" },
        { amount: other, price: "price_other" }
      ]
      return invoice(PRICE, { lines: { data } })
    }
    assert.strictEqual(yield* of(0, 1), "other-product")
    assert.strictEqual(yield* of(-4900, 5000), "other-product")
    assert.strictEqual(yield* of(4900, 1), "Paid")
  })

  it.onTestClock("is not paid through a connected account [F61]", function* () {
    const object = { ...base, payment_link: "plink_ours" }
    const envelope = { id: "evt_1", created: NOW - 60, livemode: true, account: "acct_1" }
    const read = (type: string) => {
      const payload = JSON.stringify({ ...envelope, type, data: { object } })
      return Effect.map(verify(payload, signed(payload)), ({ fact, unapplied }) => unapplied?.reason ?? fact?._tag)
    }
    assert.strictEqual(yield* read("checkout.session.completed"), "connected-account")
    assert.isUndefined(yield* read("customer.created"))
  })

  it.onTestClock("is paid in live mode only, unless test mode is configured [F61]", function* () {
    const ours = { ...base, payment_link: "plink_ours" }
    for (const mode of [false, "true", null]) {
      assert.strictEqual(yield* reading(LINK, "checkout.session.completed", ours, mode), "test-mode")
    }
    const test = { ...LINK, STRIPE_TEST_MODE: "true" }
    assert.strictEqual(yield* reading(test, "checkout.session.completed", ours, false), "Paid")
    assert.strictEqual(yield* session(LINK, { payment_link: "plink_ours", livemode: false }), "test-mode")
    assert.strictEqual(yield* reading(LINK, "customer.subscription.deleted", { id: "sub_1" }, false), "test-mode")
    assert.strictEqual(yield* reading(LINK, "customer.created", {}, false), "Nothing")
  })

  it.onTestClock("is reported if its payer is not exactly one address, or if the event is unreadable", function* () {
    const of = (email: unknown) => session(LINK, { payment_link: "plink_ours", customer_details: { email } })
    for (const email of [
      "a@b.de, c@evil.org",
      "a@b.de c@evil.org",
      "Ada <a@b.de>",
      "nul\0@b.org",
      "a@b",
      `${"x".repeat(300)}@b.org`
    ]) {
      assert.strictEqual(yield* of(email), "not-one-address")
      assert.strictEqual(yield* invoice(PRICE, { ...line("price_ours"), customer_email: email }), "not-one-address")
    }
    for (const email of [7, {}, ["a@b.org"]]) assert.strictEqual(yield* of(email), "unreadable")
    assert.strictEqual(yield* of(" a@b.org "), "Paid")
    assert.strictEqual(yield* reading(LINK, "invoice.paid", { id: 7 }), "unreadable")
  })

  it.onTestClock("is taken back by a full refund or a dispute, while a partial refund is only reported", function* () {
    assert.strictEqual(yield* reading(LINK, "charge.refunded", { id: "ch_1", refunded: true }), "Reversed")
    assert.strictEqual(yield* reading(LINK, "charge.refunded", { id: "ch_1", refunded: false }), "partial-refund")
    assert.strictEqual(yield* reading(LINK, "charge.dispute.created", { id: "dp_1", charge: "ch_1" }), "Reversed")
  })
})
