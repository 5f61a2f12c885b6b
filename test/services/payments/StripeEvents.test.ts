/** Payment events: only those that Stripe signed, and what they say. Bodies have the shape that Stripe documents. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import Stripe from "stripe"
import { type Paid, StripeEvents } from "../../../src/services/payments/StripeEvents.ts"
import { testConfig } from "../../support/settings.ts"

const SECRET = "whsec_for_tests"
const NOW = 1_790_000_000

const body = (type: string, object: Readonly<Record<string, unknown>>) =>
  JSON.stringify({ id: "evt_1", object: "event", type, created: NOW - 60, data: { object } })

const signed = (payload: string, timestamp = NOW, secret = SECRET) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })

const verify = (payload: string, signature: string | undefined, secret: string | undefined = SECRET) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW * 1000)
    return yield* (yield* StripeEvents).verify(payload, signature)
  }).pipe(
    Effect.provide(StripeEvents.layer),
    Effect.provide(testConfig(secret === undefined ? {} : { STRIPE_WEBHOOK_SECRET: secret }))
  )

const factOf = (type: string, object: Readonly<Record<string, unknown>>) => {
  const payload = body(type, object)
  return Effect.map(verify(payload, signed(payload)), ({ fact }) => fact)
}

describe("a signature", () => {
  const payload = body("invoice.paid", { id: "in_1", subscription: "sub_1" })

  it.effect("that is right and fresh is accepted", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* verify(payload, signed(payload)), { id: "evt_1", type: "invoice.paid" })
      yield* verify(payload, signed(payload, NOW - 300))
    })
  )

  it.effect("that is missing, wrong, stale, or of another body is refused", () =>
    Effect.gen(function* () {
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
  )
})

describe("without a secret", () => {
  it.effect("no event is believed", () =>
    Effect.gen(function* () {
      const unconfigured = Effect.gen(function* () {
        return yield* (yield* StripeEvents).verify("{}", "t=1,v1=00")
      }).pipe(Effect.provide(StripeEvents.layer), Effect.provide(testConfig()))
      assert.strictEqual((yield* Effect.flip(unconfigured))._tag, "WebhookDisabled")
    })
  )
})

describe("an event", () => {
  const session = {
    id: "cs_1",
    payment_status: "paid",
    subscription: "sub_1",
    customer: "cus_1",
    client_reference_id: "key-1",
    customer_details: { email: "Ada@example.org", name: "Ada" },
    customer_email: null
  }
  const paid: Paid = { _tag: "Paid", externalId: "sub_1", email: "Ada@example.org", sandboxKeyId: "key-1" }

  it.effect("of a completed checkout says paid, if it was paid", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* factOf("checkout.session.completed", session), paid)
      assert.isNull(yield* factOf("checkout.session.completed", { ...session, payment_status: "unpaid" }))
      const delayed = { ...session, payment_status: "unpaid", subscription: { id: "sub_1", object: "subscription" } }
      assert.deepStrictEqual(yield* factOf("checkout.session.async_payment_succeeded", delayed), paid)
      const bare = { id: "cs_2", payment_status: "paid", customer_email: "a@b.org", customer_details: null }
      assert.deepStrictEqual(yield* factOf("checkout.session.completed", bare), {
        _tag: "Paid",
        externalId: "cs_2",
        email: "a@b.org",
        sandboxKeyId: null
      })
    })
  )

  it.effect("of a paid invoice names its subscription, in the old place and the new one", () =>
    Effect.gen(function* () {
      const expected: Paid = { _tag: "Paid", externalId: "sub_1", email: "a@b.org", sandboxKeyId: null }
      const invoice = { id: "in_1", customer: "cus_1", customer_email: "a@b.org", amount_paid: 4900 }
      assert.deepStrictEqual(yield* factOf("invoice.paid", { ...invoice, subscription: "sub_1" }), expected)
      const parent = { type: "subscription_details", subscription_details: { subscription: "sub_1", metadata: {} } }
      assert.deepStrictEqual(yield* factOf("invoice.paid", { ...invoice, parent }), expected)
    })
  )

  it.effect("of an invoice over nothing, or for no subscription, says nothing", () =>
    Effect.gen(function* () {
      const invoice = { id: "in_1", customer: "cus_1", customer_email: "a@b.org" }
      assert.isNull(yield* factOf("invoice.paid", { ...invoice, amount_paid: 4900 }))
      for (const paid of [{}, { amount_paid: null }, { amount_paid: 0 }, { amount_paid: -1 }]) {
        assert.isNull(yield* factOf("invoice.paid", { ...invoice, subscription: "sub_1", ...paid }))
      }
    })
  )

  it.effect("that no database can hold says nothing", () =>
    Effect.gen(function* () {
      for (const text of ["a\0b", "x".repeat(256)]) {
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
  )

  it.effect("of a deleted subscription says when the paid period ends", () =>
    Effect.gen(function* () {
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
  )

  it.effect("of another type, or of no known shape, says nothing", () =>
    Effect.gen(function* () {
      assert.isNull(yield* factOf("customer.created", { id: "cus_1" }))
      assert.isNull(yield* factOf("invoice.paid", { id: 7 }))
      assert.isNull(yield* factOf("checkout.session.completed", {}))
    })
  )
})
