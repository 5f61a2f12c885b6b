/** Log lines and metrics of payment events that change nothing, or that hold a subscription. */

import { randomUUID } from "node:crypto"
import { Effect, Logger, Metric, References } from "effect"
import { listSubscriptions } from "../../../src/services/accounts/lists.ts"
import type { PaymentEvent, UnappliedReason } from "../../../src/services/accounts/paymentEvent.ts"
import { claim, claimFailure } from "../../support/claims.ts"
import { assert, layer } from "../../support/effects.ts"
import { apply, buyer, newEmail, payingBuyer, testServices } from "../../support/services.ts"
import * as stripe from "../../support/stripe.ts"

/** The purchase of an unknown customer. */
const stranger = (): stripe.Purchase => ({ of: randomUUID(), customer: `cus_${randomUUID()}`, email: newEmail() })

const countOfReason = (metric: string, reason: string) =>
  Effect.map(Metric.snapshot, (metrics) =>
    metrics.flatMap(({ attributes, id, state }) =>
      id === metric && attributes?.["reason"] === reason ? [(state as { readonly count: number }).count] : []
    )
  )

const UNAPPLIED = "payment_events_unapplied_total"
const HELD = "subscriptions_held_total"

/** Applies an event and returns its log lines. */
const linesAbout = Effect.fnUntraced(function* (event: PaymentEvent) {
  const lines: Array<{ readonly level: string; readonly text: string; readonly reason: unknown }> = []
  const logger = Logger.make(({ fiber, logLevel, message }) => {
    const annotations = fiber.getRef(References.CurrentLogAnnotations)
    if (annotations["event"] !== event.id) return
    lines.push({ level: logLevel, text: JSON.stringify([message, annotations]), reason: annotations["reason"] })
  })
  const receipt = yield* apply(event).pipe(Effect.provide(Logger.layer([logger])))
  return { lines, receipt }
})

const reasonFor = Effect.fnUntraced(function* (event: PaymentEvent) {
  const { lines } = yield* linesAbout(event)
  return lines.map(({ reason }) => reason)
})

layer(testServices())("a payment event that changes nothing [F62]", (it) => {
  const EVENTS: ReadonlyArray<readonly [UnappliedReason, (purchase: stripe.Purchase) => PaymentEvent]> = [
    ["partial-refund", (purchase) => stripe.refund(purchase, false)],
    ["unmatched-reversal", stripe.refund],
    ["unmatched-reversal", stripe.dispute],
    ["no-address", (purchase) => stripe.oldInvoice({ ...purchase, email: "" })],
    ["not-one-address", (purchase) => stripe.checkout({ ...purchase, email: "a@b.org, c@d.org" })],
    ["other-product", (purchase) => stripe.single(purchase, "plink_other")],
    ["no-checkout", stripe.invoiceByLink],
    ["no-subscription", (purchase) => stripe.singleInvoice(purchase, "price_tests")]
  ]
  it.each(EVENTS)(
    "logs one WARN line with Stripe's id and no address, and is counted: %s",
    function* ([reason, eventOf]) {
      const purchase = stranger()
      const [before = 0] = yield* countOfReason(UNAPPLIED, reason)
      const { lines, receipt } = yield* linesAbout(eventOf(purchase))
      assert.strictEqual(receipt, "Unapplied")
      assert.deepStrictEqual(
        lines.map(({ level, reason }) => ({ level, reason })),
        [{ level: "Warn", reason }]
      )
      assert.notInclude(lines[0]!.text, "@")
      assert.deepStrictEqual(yield* countOfReason(UNAPPLIED, reason), [before + 1])
    }
  )

  it("applies when Stripe sends it again after the operator has set the right price", function* () {
    const { purchase, secret } = yield* buyer()
    const misread = stripe.oldInvoice(purchase, "price_replaced")
    for (let times = 0; times < 2; times++) assert.strictEqual(yield* apply(misread), "Unapplied")
    assert.strictEqual(yield* apply({ ...stripe.oldInvoice(purchase), id: misread.id }), "Applied")
    assert.strictEqual(yield* apply({ ...stripe.oldInvoice(purchase), id: misread.id }), "Repeated")
    yield* claim(secret)
  })

  it("has the reason other-price if its subscription is known here, or if it names a sandbox key", function* () {
    const { purchase } = yield* payingBuyer()
    assert.deepStrictEqual(yield* reasonFor(stripe.oldInvoice({ ...purchase, renewal: "2" }, "price_x")), [
      "other-price"
    ])
    const named = yield* buyer()
    yield* apply(stripe.otherLink(named.purchase))
    assert.deepStrictEqual(yield* reasonFor(stripe.oldInvoice(named.purchase, "price_x")), ["other-price"])
    const single = yield* buyer()
    assert.deepStrictEqual(yield* reasonFor(stripe.single(single.purchase, "plink_replaced")), ["other-price"])
    for (const keyId of [randomUUID(), "order 17"]) {
      assert.deepStrictEqual(yield* reasonFor(stripe.single({ ...stranger(), keyId }, "plink_other")), [
        "other-product"
      ])
    }
  })

  it("has the reason other-product if only the end of its subscription is known here", function* () {
    const other = stranger()
    yield* apply(stripe.deleted(other, stripe.PAID_AT + 100))
    assert.deepStrictEqual(yield* reasonFor(stripe.oldInvoice(other, "price_x")), ["other-product"])
  })

  it("has the reason other-payment if it refunds a payment known to be for another product", function* () {
    const other = stranger()
    yield* apply(stripe.single(other, "plink_other"))
    assert.deepStrictEqual(yield* reasonFor(stripe.refund(other)), ["other-payment"])
  })

  it("logs nothing if its subscription is paid already", function* () {
    const { purchase } = yield* payingBuyer()
    const [one, another] = [purchase, { ...purchase, renewal: "2", email: "a@b.org, c@d.org" }]
    for (const event of [stripe.invoiceByLink(one), stripe.oldInvoice(another)]) {
      assert.deepStrictEqual(yield* linesAbout(event), { lines: [], receipt: "Ignored" })
    }
    const once = yield* buyer()
    yield* apply(stripe.single(once.purchase))
    assert.strictEqual(yield* apply(stripe.singleInvoice(once.purchase, "price_tests")), "Ignored")
  })

  it("for lack of an address and a key takes effect with an event that names the key", function* () {
    const { purchase, secret } = yield* buyer()
    assert.strictEqual(yield* apply(stripe.oldInvoice({ ...purchase, email: "" })), "Unapplied")
    assert.strictEqual(yield* claimFailure(secret), "NoSubscription")
    yield* apply(stripe.otherLink(purchase))
    yield* claim(secret)
  })
})

layer(testServices())("a refund or a dispute that holds a subscription", (it) => {
  it.each([
    ["refund", stripe.refund],
    ["dispute", stripe.dispute]
  ] as const)(
    "logs one WARN line with Stripe's id and the subscription's, and is counted: %s",
    function* ([why, reverse]) {
      const { email, purchase } = yield* payingBuyer()
      const { id } = (yield* listSubscriptions(email, 1))[0]!
      const [before = 0] = yield* countOfReason(HELD, why)
      const { lines } = yield* linesAbout(reverse(purchase))
      assert.deepStrictEqual(
        lines.map(({ level, reason }) => ({ level, reason })),
        [{ level: "Warn", reason: why }]
      )
      assert.include(lines[0]!.text, id)
      assert.notInclude(lines[0]!.text, "@")
      assert.deepStrictEqual(yield* countOfReason(HELD, why), [before + 1])
    }
  )
})
