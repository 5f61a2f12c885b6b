/** Refunds and disputes: what they hold, in whatever order they and the payments come, and what they leave alone. */

import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Logger, Metric, References } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { Administration } from "../../../src/services/payments/Administration.ts"
import type { PaymentEvent, UnappliedReason } from "../../../src/services/payments/facts.ts"
import { MAX_REVERSALS } from "../../../src/services/payments/reversals.ts"
import { claim, claimFailure, keysMailedTo } from "../../support/claims.ts"
import { newSeedOr, runs } from "../../support/random.ts"
import { apply, call, countOf, mint, newEmail, paymentEvent, testServices } from "../../support/services.ts"
import * as stripe from "../../support/stripe.ts"

const RUNS = runs(15, 60)
const { PAID_AT } = stripe

/** A customer of a sandbox key, who has bought one subscription. */
const buyer = Effect.fnUntraced(function* () {
  const sandbox = yield* mint()
  const of = randomUUID()
  const purchase = { of, customer: `cus_${of}`, email: sandbox.email, keyId: sandbox.keyId }
  return { ...sandbox, purchase, externalId: `sub_${of}` }
})

const paying = Effect.fnUntraced(function* () {
  const paid = yield* buyer()
  yield* apply(stripe.checkout(paid.purchase))
  yield* apply(stripe.oldInvoice(paid.purchase))
  return paid
})

const listed = (email: string) =>
  Effect.flatMap(Administration, (administration) => administration.list(email)).pipe(Effect.map(([first]) => first!))

const unappliedReasonOf = Effect.fnUntraced(function* ({ id }: PaymentEvent) {
  const events = yield* (yield* Administration).unapplied(true)
  return events.find(({ eventId }) => eventId === id)?.reason
})

layer(testServices(), { excludeTestServices: true })("a full refund or a dispute [F58]", (it) => {
  it.effect("stops the key, and no claim, later invoice or mail brings another until the operator allows it", () =>
    Effect.gen(function* () {
      for (const reverse of [stripe.refund, stripe.dispute]) {
        const { email, purchase, secret } = yield* paying()
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
  )

  it.effect("that the operator has allowed does not come back with the next invoice", () =>
    Effect.gen(function* () {
      const { email, purchase, secret } = yield* paying()
      yield* apply(stripe.refund(purchase))
      yield* (yield* Administration).allow((yield* listed(email)).id)
      yield* apply(stripe.oldInvoice({ ...purchase, created: PAID_AT + 3_000_000 }))
      yield* claim(secret)
    })
  )

  it.effect("that comes before its payment holds it all the same, in old and new shapes", () =>
    Effect.gen(function* () {
      for (const invoice of [stripe.oldInvoice, stripe.newInvoice]) {
        const { purchase, secret } = yield* buyer()
        const early = stripe.dispute(purchase)
        assert.strictEqual(yield* apply(early), "Unapplied")
        assert.strictEqual(yield* unappliedReasonOf(early), "unmatched-reversal")
        yield* apply(stripe.invoicePayment(purchase))
        yield* apply(invoice(purchase))
        yield* apply(stripe.checkout(purchase))
        assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
        assert.isUndefined(yield* unappliedReasonOf(early))
      }
    })
  )

  it.effect("holds nothing that the customer bought afterwards", () =>
    Effect.gen(function* () {
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
  )

  it.effect("of another product of the account holds nothing of ours", () =>
    Effect.gen(function* () {
      const { purchase, secret } = yield* paying()
      const other = { of: randomUUID(), customer: purchase.customer, email: purchase.email }
      const foreign = { ...stripe.oldInvoice(other), fact: null }
      yield* apply({ ...foreign, unapplied: { reason: "other-product", externalId: `sub_${other.of}` } })
      assert.strictEqual(yield* apply(stripe.refund(other)), "Unapplied")
      yield* claim(secret)
    })
  )

  it.effect(
    "found by its customer is taken back as another's and placed again, but for one that the operator has allowed",
    () =>
      Effect.gen(function* () {
        for (const isAllowed of [false, true]) {
          const { email, externalId, purchase, secret } = yield* paying()
          const other = { ...purchase, of: randomUUID() }
          yield* apply(stripe.refund(other))
          const { id } = yield* listed(email)
          if (isAllowed) yield* (yield* Administration).allow(id)
          yield* apply(paymentEvent({ references: stripe.oldInvoice(other).references }))
          assert.deepInclude(yield* listed(email), { id, state: "paid" })
          yield* claim(secret)

          const references = { owner: externalId, payments: [`pi_${other.of}`], customer: null }
          yield* apply(paymentEvent({ references }))
          assert.deepStrictEqual((yield* listed(email)).why, isAllowed ? [] : ["refund"])
        }
      })
  )

  it.effect("of a payment that has more of them than are looked through is told to the operator", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { externalId, purchase, secret } = yield* buyer()
      const told: Array<unknown> = []
      const logger = Logger.make(({ fiber }) => told.push(fiber.getRef(References.CurrentLogAnnotations)["payment"]))
      const reverse = (count: number) => sql`
        INSERT INTO reversal (event_id, type, why, payments, created_at)
        SELECT 'evt_' || gen_random_uuid(), 'charge.dispute.created', 'dispute', ARRAY[${`pi_${purchase.of}`}],
          now() FROM generate_series(1, ${count}::int)`
      yield* reverse(MAX_REVERSALS)
      yield* apply(stripe.oldInvoice(purchase)).pipe(Effect.provide(Logger.layer([logger])))
      assert.notInclude(told, externalId)
      yield* reverse(1)
      yield* apply(stripe.oldInvoice(purchase)).pipe(Effect.provide(Logger.layer([logger])))
      assert.include(told, externalId)
      assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
    })
  )

  it.effect("of an invoice without a subscription leaves what the customer bought here alone", () =>
    Effect.gen(function* () {
      const { purchase, secret } = yield* paying()
      const beside = { ...purchase, of: randomUUID() }
      yield* apply(stripe.singleInvoice(beside))
      assert.strictEqual(yield* apply(stripe.refund(beside)), "Unapplied")
      yield* claim(secret)
    })
  )

  it.effect("of a one-time payment holds what was sold for it, and not what the customer bought beside", () =>
    Effect.gen(function* () {
      const { purchase, secret } = yield* buyer()
      const beside = { ...purchase, of: randomUUID() }
      yield* apply(stripe.single(purchase))
      yield* apply(stripe.single(beside, "plink_of_something_else"))
      assert.strictEqual(yield* apply(stripe.refund(beside)), "Unapplied")
      yield* claim(secret)
      assert.strictEqual(yield* apply(stripe.refund(purchase)), "Applied")
      assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
    })
  )

  it.effect("at the same time as its payment holds it, whichever commits first", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 30; round++) {
        const { purchase, secret } = yield* buyer()
        const events = [stripe.oldInvoice(purchase), stripe.dispute(purchase), stripe.checkout(purchase)]
        yield* Effect.forEach(events, apply, { concurrency: "unbounded" })
        assert.strictEqual(yield* claimFailure(secret), "SubscriptionHeld")
      }
    })
  )

  it.effect("at the same time as a claim leaves no live key", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 30; round++) {
        const { email, purchase, secret } = yield* paying()
        yield* Effect.all([Effect.result(claim(secret)), apply(stripe.refund(purchase))], { concurrency: 2 })
        assert.strictEqual(
          yield* countOf("api_key", `email = '${email}' AND tier = 'Production' AND revoked_at IS NULL`),
          0
        )
      }
    })
  )
})

layer(testServices(), { excludeTestServices: true })("a payment event that cannot be applied", (it) => {
  it.effect("is kept with its reason, counted, and settled once it applies", () =>
    Effect.gen(function* () {
      const { purchase, secret } = yield* paying()
      const partial = stripe.refund(purchase, false)
      assert.strictEqual(yield* apply(partial), "Unapplied")
      assert.strictEqual(yield* unappliedReasonOf(partial), "partial-refund")
      yield* claim(secret)
      const counter = (yield* Metric.snapshot).find(({ id }) => id === "payment_events_unapplied_total")
      assert.isDefined(counter)

      const bought = yield* buyer()
      const misread = { ...stripe.checkout(bought.purchase), fact: null }
      const refused: PaymentEvent = {
        ...misread,
        unapplied: { reason: "other-product", externalId: bought.externalId }
      }
      assert.strictEqual(yield* apply(refused), "Unapplied")
      assert.strictEqual(yield* apply(refused), "Unapplied")
      assert.strictEqual(yield* unappliedReasonOf(refused), "other-product")
      // Sent again after the operator has set the right price.
      assert.strictEqual(yield* apply({ ...stripe.checkout(bought.purchase), id: refused.id }), "Applied")
      assert.isUndefined(yield* unappliedReasonOf(refused))
      yield* claim(bought.secret)
    })
  )

  it.effect("is told of if it names a key of ours, and not if it is for something else of the account", () =>
    Effect.gen(function* () {
      const { purchase } = yield* buyer()
      const named = stripe.single(purchase, "plink_replaced")
      assert.strictEqual(yield* apply(named), "Unapplied")
      assert.strictEqual(yield* unappliedReasonOf(named), "other-price")
      for (const keyId of [randomUUID(), "order 17"]) {
        const foreign = stripe.single({ ...purchase, of: randomUUID(), keyId }, "plink_other")
        yield* apply(foreign)
        assert.strictEqual(yield* unappliedReasonOf(foreign), "other-product")
      }
    })
  )

  it.effect("and is taken back later is no more to be told of than it was", () =>
    Effect.gen(function* () {
      const other = { of: randomUUID(), customer: `cus_${randomUUID()}`, email: newEmail() }
      const early = stripe.refund(other)
      assert.strictEqual(yield* apply(early), "Unapplied")
      assert.strictEqual(yield* unappliedReasonOf(early), "unmatched-reversal")
      yield* apply(stripe.single(other, "plink_other"))
      assert.strictEqual(yield* unappliedReasonOf(early), "other-product")
      const late = stripe.dispute(other)
      yield* apply(late)
      assert.strictEqual(yield* unappliedReasonOf(late), "other-product")
    })
  )

  it.effect("and had held by its customer is counted as what it turns out to be, once", () =>
    Effect.gen(function* () {
      const { purchase } = yield* paying()
      const other = { of: randomUUID(), customer: purchase.customer, email: newEmail() }
      const reversal = stripe.refund(other)
      assert.strictEqual(yield* apply(reversal), "Applied")
      const counted = Effect.map(Metric.snapshot, (all) =>
        all.flatMap((metric) =>
          metric.id === "payment_events_unapplied_total" && metric.attributes?.["reason"] === "other-product"
            ? [(metric.state as { readonly count: number }).count]
            : []
        )
      )
      const [before = 0] = yield* counted
      yield* apply(stripe.single(other, "plink_other"))
      assert.strictEqual(yield* unappliedReasonOf(reversal), "other-product")
      assert.deepStrictEqual(yield* counted, [before + 2])
      yield* apply(stripe.invoicePayment(other))
      yield* apply(stripe.single(other, "plink_other"))
      assert.deepStrictEqual(yield* counted, [before + 3])
    })
  )

  it.effect("is no alarm if its subscription is paid already, but for another price, which is told once", () =>
    Effect.gen(function* () {
      const { externalId } = yield* paying()
      const renewal = (reason: UnappliedReason): PaymentEvent => ({
        ...stripe.oldInvoice({ of: randomUUID(), customer: "cus_x", email: newEmail() }),
        fact: null,
        references: null,
        unapplied: { reason, externalId }
      })
      const nameless = renewal("not-one-address")
      assert.strictEqual(yield* apply(nameless), "Ignored")
      assert.isUndefined(yield* unappliedReasonOf(nameless))
      const [first, second] = [renewal("other-product"), renewal("other-product")]
      assert.strictEqual(yield* apply(first), "Unapplied")
      assert.strictEqual(yield* unappliedReasonOf(first), "other-price")
      assert.strictEqual(yield* apply(second), "Ignored")
      yield* (yield* Administration).dismiss(first.id)
      assert.strictEqual(yield* apply(second), "Ignored")
    })
  )

  it.effect("and was dismissed does not come back with what else its customer pays for", () =>
    Effect.gen(function* () {
      const { purchase } = yield* buyer()
      const unknown = stripe.refund({ of: randomUUID(), customer: purchase.customer, created: PAID_AT - 10 })
      assert.strictEqual(yield* apply(unknown), "Unapplied")
      assert.isTrue(yield* (yield* Administration).dismiss(unknown.id))
      yield* apply(stripe.oldInvoice(purchase))
      assert.isUndefined(yield* unappliedReasonOf(unknown))
    })
  )

  it.effect("is told in the log, but for those of other products", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      const logger = Logger.make(({ fiber }) => told.push(fiber.getRef(References.CurrentLogAnnotations)["event"]))
      const kept = (reason: UnappliedReason) => paymentEvent({ unapplied: { reason, externalId: randomUUID() } })
      const [other, nameless] = [kept("other-product"), kept("not-one-address")]
      for (const event of [other, nameless]) {
        assert.strictEqual(yield* apply(event).pipe(Effect.provide(Logger.layer([logger]))), "Unapplied")
      }
      assert.include(told, nameless.id)
      assert.notInclude(told, other.id)
    })
  )

  it.effect("because it brings neither address nor key is settled by the event that does", () =>
    Effect.gen(function* () {
      const { purchase, secret } = yield* buyer()
      const nameless = stripe.oldInvoice({ ...purchase, email: "" })
      assert.strictEqual(yield* apply(nameless), "Unapplied")
      assert.strictEqual(yield* unappliedReasonOf(nameless), "no-address")
      yield* apply(stripe.otherLink(purchase))
      assert.isUndefined(yield* unappliedReasonOf(nameless))
      yield* claim(secret)
    })
  )
})

/** Everything that an operator or a client can ever notice of three subscriptions and of the events about them. */
const stateOf = Effect.fnUntraced(function* (externalIds: ReadonlyArray<string>, eventIds: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const subscriptions = yield* sql`
    SELECT email, mail_to, sandbox_key_id, paid_at IS NOT NULL AS paid, ends_at,
      ARRAY(SELECT why FROM subscription_hold WHERE subscription_id = s.id AND lifted_at IS NULL ORDER BY why) AS holds,
      (SELECT count(*)::int FROM outbox WHERE subscription_id = s.id) AS mails
    FROM unnest(${externalIds}::text[]) WITH ORDINALITY AS asked (external_id, place)
    LEFT JOIN subscription AS s USING (external_id) ORDER BY place`
  const kept = yield* sql`
    SELECT reason FROM unapplied_event WHERE event_id IN ${sql.in(eventIds)} AND settled_at IS NULL ORDER BY reason`
  return { subscriptions, kept }
})

/** Three purchases of one customer, the third after a trial, and whatever may be said about them. */
const chapters = (
  first: stripe.Purchase,
  second: stripe.Purchase,
  third: stripe.Purchase
): ReadonlyArray<() => PaymentEvent> => [
  () => stripe.checkout(first),
  () => stripe.oldInvoice(first),
  () => stripe.newInvoice(second),
  () => stripe.otherLink(second),
  () => stripe.invoicePayment(second),
  () => stripe.refund(first),
  () => stripe.refund(second),
  () => stripe.dispute(second),
  () => stripe.refund(second, false),
  () => stripe.refund({ of: `${second.of}_unknown`, customer: second.customer }),
  () => stripe.trialByLink(third),
  () => stripe.invoiceByLink(third),
  () => stripe.refund(third),
  () => stripe.deleted(first, PAID_AT + 400),
  () => stripe.deleted(first, PAID_AT + 300)
]

layer(testServices(), { excludeTestServices: true })("payments, reversals and ends", (it) => {
  it.effect("end in the same state in every order, whichever of them come", () =>
    Effect.gen(function* () {
      const services = yield* Effect.context<Layer.Success<ReturnType<typeof testServices>>>()
      const [one, two] = [yield* mint(), yield* mint()]
      const play = Effect.fnUntraced(function* (order: ReadonlyArray<number>) {
        const of = randomUUID()
        const customer = `cus_${of}`
        const first = { of: `1${of}`, customer, email: one.email, keyId: one.keyId }
        const second = { of: `2${of}`, customer, email: two.email, keyId: two.keyId, created: PAID_AT + 40 }
        const third = { of: `3${of}`, customer, email: two.email, keyId: one.keyId, created: PAID_AT + 20 }
        const events = order.map((chapter) => chapters(first, second, third)[chapter]!())
        yield* Effect.forEach(events, apply, { discard: true })
        return yield* stateOf(
          [`sub_${first.of}`, `sub_${second.of}`, `sub_${third.of}`],
          events.map(({ id }) => id)
        )
      })
      const orders = fc
        .shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], { minLength: 2 })
        .chain((order) => fc.tuple(fc.constant(order), fc.shuffledSubarray(order, { minLength: order.length })))
      const sameState = async ([order, another]: [Array<number>, Array<number>]) => {
        const both = Effect.all([play(order), play(another)]).pipe(
          Effect.provideContext(services),
          Effect.provideService(References.MinimumLogLevel, "None")
        )
        const [state, other] = await Effect.runPromise(both)
        assert.deepStrictEqual(state, other)
      }
      yield* Effect.promise(() =>
        fc.assert(fc.asyncProperty(orders, sameState), { numRuns: RUNS, seed: newSeedOr(20261124) })
      )
    })
  )
})
