/** A payment never becomes nothing: what pays and brings no key that can be used is on the operator's list until it does. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Metric, Option, Redacted, References } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { KeyRevocation } from "../../../src/services/keys/KeyRevocation.ts"
import { Mailer, MailNotSent } from "../../../src/services/mail/Mailer.ts"
import { Outbox } from "../../../src/services/mail/Outbox.ts"
import { Administration } from "../../../src/services/payments/Administration.ts"
import { claim, claimFailure, keysMailedTo, mailed } from "../../support/claims.ts"
import {
  apply,
  call,
  countOf,
  mint,
  newEmail,
  onTestClock,
  payForAddress,
  testServices
} from "../../support/services.ts"
import * as stripe from "../../support/stripe.ts"

const LATER = stripe.PAID_AT + 3_000_000

const newPurchase = (email: string, keyId?: string) => {
  const of = randomUUID()
  return { of, customer: `cus_${of}`, email, ...(keyId === undefined ? {} : { keyId }) }
}

/** Paid a month later, with an invoice of its own. */
const renewal = (purchase: stripe.Purchase, name = "2") =>
  stripe.oldInvoice({ ...purchase, renewal: name, created: LATER })

const administration = <A, E>(work: (service: Administration["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(Administration, work)

/** The reasons of what is listed of a subscription or an invoice, by Stripe's id. */
const reasonsOf = (externalId: string) =>
  Effect.map(
    administration(({ unapplied }) => unapplied(false)),
    (events) => events.filter((event) => event.externalId === externalId).map(({ reason }) => reason)
  )

/** The events and payments that are listed of a subscription. */
const listedOf = ({ of }: stripe.Purchase) =>
  Effect.map(
    administration(({ unapplied }) => unapplied(false)),
    (events) => events.flatMap(({ eventId, externalId }) => (externalId === `sub_${of}` ? [eventId] : []))
  )

const subscriptionOf = Effect.fnUntraced(function* (email: string) {
  const [subscription] = yield* administration(({ list }) => list(email))
  return subscription!
})

const allow = (held: string) => administration((service) => service.allow(held))
const revoke = (key: string) => Effect.flatMap(KeyRevocation, (keys) => keys.revoke(key))

/** An attempt at every mail that is due, of which a mail server accepts none. */
const mailInVain = Effect.flatMap(Outbox, (outbox) => outbox.sendDue).pipe(
  Effect.provide(Layer.fresh(Outbox.layer)),
  Effect.provideService(Mailer, { send: Option.some(() => Effect.fail(new MailNotSent({ reason: "refused" }))) })
)

/** A subscription whose payer has its key. */
const served = Effect.fnUntraced(function* (purchase: stripe.Purchase, paid = stripe.checkout(purchase)) {
  yield* apply(paid)
  assert.isNotEmpty(yield* keysMailedTo(purchase.email))
})

const liveKeysOf = (email: string) =>
  countOf("api_key", `email = '${email}' AND tier = 'Production' AND revoked_at IS NULL`)

layer(testServices(), { excludeTestServices: true })("an invoice whose checkout is not known [F62]", (it) => {
  it.effect("is told once of its subscription, until the checkout comes, and then pays", () =>
    Effect.gen(function* () {
      const { email, keyId, secret } = yield* mint()
      const purchase = newPurchase(email, keyId)
      const externalId = `sub_${purchase.of}`
      assert.strictEqual(yield* apply(stripe.invoiceByLink(purchase)), "Unapplied")
      assert.strictEqual(yield* apply(stripe.invoiceByLink(purchase)), "Ignored")
      assert.deepStrictEqual(yield* reasonsOf(externalId), ["no-checkout"])
      yield* apply(stripe.trialByLink(purchase))
      assert.deepStrictEqual(yield* reasonsOf(externalId), [])
      assert.strictEqual(yield* apply(stripe.invoiceByLink(purchase)), "Ignored")
      yield* claim(secret)
    })
  )

  it.effect("is off the list when its checkout was for something else, whichever comes first", () =>
    Effect.gen(function* () {
      for (const order of [
        [0, 1],
        [1, 0]
      ]) {
        const purchase = newPurchase(newEmail())
        const events = [stripe.invoiceByLink(purchase), stripe.otherByLink(purchase)]
        for (const index of order) yield* apply(events[index]!)
        assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), [])
      }
    })
  )

  it.effect("is told, and each that follows, although its trial named no one address", () =>
    Effect.gen(function* () {
      for (const order of [
        [0, 1, 2],
        [1, 0, 2]
      ]) {
        const purchase = newPurchase("a@b.org, c@d.org")
        const events = [
          stripe.trialByLink(purchase),
          stripe.invoiceByLink({ ...purchase, renewal: "2" }),
          stripe.invoiceByLink({ ...purchase, renewal: "3" })
        ]
        for (const [place, index] of order.entries()) {
          yield* apply(events[index]!)
          const listed = yield* listedOf(purchase)
          assert.strictEqual(listed.length > 0, place > 0 || index > 0)
          yield* Effect.forEach(listed, (event) => administration(({ dismiss }) => dismiss(event)))
        }
      }
    })
  )

  it.effect("pays for the key that its trial named, although that named no one address", () =>
    Effect.gen(function* () {
      const { email, keyId, secret } = yield* mint()
      const purchase = newPurchase("a@b.org, c@d.org", keyId)
      yield* apply(stripe.trialByLink(purchase))
      assert.strictEqual(yield* claimFailure(secret), "NoSubscription")
      assert.strictEqual(yield* apply(stripe.invoiceByLink(purchase)), "Applied")
      assert.lengthOf(yield* keysMailedTo(email), 1)
      yield* claim(secret)
    })
  )

  it.effect("is told once of a subscription whose paid checkout named no one address, which is told apart", () =>
    Effect.gen(function* () {
      const purchase = newPurchase("a@b.org, c@d.org")
      const checkout = stripe.checkoutByLink(purchase)
      yield* apply(checkout)
      assert.isTrue(yield* administration(({ dismiss }) => dismiss(checkout.id)))
      for (const name of ["2", "3"]) yield* apply(stripe.invoiceByLink({ ...purchase, renewal: name }))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["no-checkout"])
    })
  )

  it.effect("is none if it is that of a one-time purchase, whichever comes first", () =>
    Effect.gen(function* () {
      for (const order of [
        [0, 1],
        [1, 0]
      ]) {
        const { email, keyId, secret } = yield* mint()
        const purchase = newPurchase(email, keyId)
        const events = [stripe.single(purchase), stripe.singleInvoice(purchase, "price_tests")]
        for (const index of order) yield* apply(events[index]!)
        assert.strictEqual(yield* countOf("unapplied_event", "reason = 'no-subscription' AND settled_at IS NULL"), 0)
        yield* claim(secret)
      }
      const alone = newPurchase(newEmail())
      yield* apply(stripe.singleInvoice(alone, "price_tests"))
      assert.deepStrictEqual(yield* reasonsOf(`in_${alone.of}`), ["no-subscription"])
    })
  )
})

layer(testServices(), { excludeTestServices: true })("a key that was mailed to nobody [F62]", (it) => {
  it.effect("for its mail was given up is listed, revoked, and mailed again when the operator allows it", () =>
    Effect.gen(function* () {
      const email = newEmail()
      yield* payForAddress(email, `sub_${email}`)
      yield* mailInVain
      yield* TestClock.adjust("3 days")
      yield* mailInVain
      assert.deepStrictEqual(yield* reasonsOf(`sub_${email}`), ["not-mailed"])
      const counted = (yield* Metric.snapshot).filter(({ id }) => id === "payment_events_unapplied_total")
      assert.include(
        counted.map(({ attributes }) => attributes?.["reason"]),
        "not-mailed"
      )
      // The next month is paid, and still there is no key.
      yield* payForAddress(email, `sub_${email}`)
      assert.deepStrictEqual(yield* reasonsOf(`sub_${email}`), ["not-mailed"])
      assert.strictEqual(yield* liveKeysOf(email), 0)
      const { id } = yield* subscriptionOf(email)
      assert.deepInclude(yield* allow(id), { subscriptions: [{ id, lifted: [], stillHeld: [] }] })
      assert.deepStrictEqual(yield* reasonsOf(`sub_${email}`), [])
      yield* call((yield* keysMailedTo(email))[0]!)
      assert.strictEqual((yield* allow(id))._tag, "NotHeld")
    }).pipe(onTestClock)
  )

  it.effect(
    "for it went to two addresses is listed, stops, and is claimed by the key that the operator hands out",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const email = newEmail()
        yield* payForAddress(email, `sub_${email}`)
        yield* mailInVain
        assert.strictEqual(yield* liveKeysOf(email), 1)
        // As an earlier release queued it, which has tried in vain.
        yield* sql`
        UPDATE outbox SET mail_to = ${`${email}, c@evil.example`}, next_attempt_at = created_at WHERE mail_to = ${email}`
        yield* mailed()
        assert.strictEqual(yield* liveKeysOf(email), 0)
        assert.deepStrictEqual(yield* reasonsOf(`sub_${email}`), ["not-mailed"])
        const { id } = yield* subscriptionOf(email)
        const made = yield* administration(({ renewClaimKey }) => renewClaimKey(id))
        assert.strictEqual(made._tag, "Made")
        if (made._tag === "Made") yield* claim(Redacted.value(made.claimKey))
        assert.deepStrictEqual(yield* reasonsOf(`sub_${email}`), [])
      })
  )

  it.effect("and its sandbox key barred meanwhile is mailed again once that is allowed", () =>
    Effect.gen(function* () {
      const { email, keyId } = yield* mint()
      yield* apply(stripe.checkout(newPurchase(email, keyId)))
      yield* mailInVain
      yield* revoke(keyId)
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(yield* keysMailedTo(email), [])
      yield* allow(keyId)
      const [key] = yield* keysMailedTo(email)
      yield* call(key!)
    }).pipe(onTestClock)
  )

  it.effect("is another than one that was mailed: a bar that is lifted sends no second", () =>
    Effect.gen(function* () {
      const { email, keyId } = yield* mint()
      yield* apply(stripe.checkout(newPurchase(email, keyId)))
      const [key] = yield* keysMailedTo(email)
      yield* revoke(keyId)
      yield* allow(keyId)
      assert.deepStrictEqual(yield* keysMailedTo(email), [])
      yield* call(key!)
    })
  )

  it.effect("goes to an international domain in its xn-- form", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const local = randomUUID()
      assert.strictEqual(yield* apply(stripe.checkout(newPurchase(`${local}@Müller.example`))), "Applied")
      const { secret } = yield* mint(`${local}@xn--mller-kva.example`)
      assert.strictEqual(yield* claimFailure(secret), "KeyIssuedAfterPayment")
      assert.lengthOf(yield* keysMailedTo(`${local}@xn--mller-kva.example`), 1)

      const queued = newEmail()
      yield* payForAddress(queued)
      yield* sql`UPDATE outbox SET mail_to = ${`${local}@bücher.example`} WHERE mail_to = ${queued}`
      assert.lengthOf(yield* keysMailedTo(`${local}@xn--bcher-kva.example`), 1)
      for (const domain of ["b\u00fccher.example/x", "b\u00fccher.example:25", "b_\u00fc.example", "\u00fc"]) {
        assert.strictEqual(yield* apply(stripe.checkout(newPurchase(`${local}@${domain}`))), "Unapplied")
      }
    })
  )
})

layer(testServices(), { excludeTestServices: true })("a payment of a subscription that is held or over [F62]", (it) => {
  it.effect("is listed until the subscription is allowed", () =>
    Effect.gen(function* () {
      const { email, keyId } = yield* mint()
      const purchase = newPurchase(email, keyId)
      yield* served(purchase)
      yield* apply(stripe.oldInvoice(purchase))
      yield* apply(stripe.dispute(purchase))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), [])
      assert.strictEqual(yield* apply(renewal(purchase, "1")), "Unapplied")
      assert.strictEqual(yield* apply(renewal(purchase, "2")), "Unapplied")
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended", "held-or-ended"])
      yield* allow((yield* subscriptionOf(email)).id)
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), [])
    })
  )

  it.effect("is listed when it names a sandbox key that was revoked, but not while a production key of it lives", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* mint(), yield* mint()]
      yield* revoke(first.keyId)
      const purchase = newPurchase(first.email, first.keyId)
      assert.strictEqual(yield* apply(stripe.checkout(purchase)), "Unapplied")
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
      yield* allow(first.keyId)
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), [])

      const another = newPurchase(second.email, second.keyId)
      yield* apply(stripe.checkout(another))
      yield* call((yield* claim(second.secret)).secret)
      yield* revoke(second.keyId)
      assert.strictEqual(yield* apply(stripe.oldInvoice(another)), "Applied")
    })
  )

  it.effect("is listed when only a stranger's key served for it, and not when the payer's did, in every order", () =>
    Effect.gen(function* () {
      const stops = [
        stripe.dispute,
        (purchase: stripe.Purchase) => stripe.refund({ ...purchase, of: `unknown${purchase.of}` })
      ]
      for (const stop of [...stops, "operator"] as const) {
        for (const order of ["claim stop name", "claim name stop", "name claim stop", "own stop name"]) {
          const stranger = yield* mint()
          const payer = yield* mint(stranger.email)
          const purchase = newPurchase(payer.email, payer.keyId)
          yield* apply(stripe.oldInvoice(purchase))
          for (const step of order.split(" ")) {
            if (step === "claim") yield* Effect.result(claim(stranger.secret))
            if (step === "own") yield* claim(payer.secret)
            if (step === "name") yield* apply(stripe.checkout(purchase))
            if (step === "stop" && stop !== "operator") yield* apply(stop({ ...purchase, created: LATER }))
            if (step === "stop" && stop === "operator") {
              const { id } = yield* subscriptionOf(payer.email)
              yield* administration(({ end }) => end(id))
            }
          }
          const isServed = order.startsWith("own")
          assert.deepStrictEqual(yield* listedOf(purchase), isServed ? [] : [`in_${purchase.of}`], order)
        }
      }
    })
  )

  it.effect("is listed when it was made after the end, and only then", () =>
    Effect.gen(function* () {
      const { email, keyId } = yield* mint()
      const purchase = newPurchase(email, keyId)
      yield* served(purchase)
      yield* apply(stripe.deleted(purchase, stripe.PAID_AT + 100))
      const before = stripe.oldInvoice({ ...purchase, renewal: "1", created: stripe.PAID_AT + 99 })
      assert.strictEqual(yield* apply(before), "Applied")
      assert.strictEqual(yield* apply(renewal(purchase)), "Unapplied")
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
    })
  )

  it.effect("is listed however it was stopped, where the payment link alone tells what is sold", () =>
    Effect.gen(function* () {
      const { email, keyId, secret } = yield* mint()
      const stops = [
        (purchase: stripe.Purchase, _id: string) => apply(stripe.refund(purchase)),
        (purchase: stripe.Purchase, _id: string) => apply(stripe.deleted(purchase, stripe.PAID_AT + 100)),
        (_: stripe.Purchase, id: string) => administration(({ end }) => end(id)),
        (_: stripe.Purchase, _id: string) => Effect.flatMap(claim(secret), ({ keyPrefix }) => revoke(keyPrefix))
      ]
      for (const stop of stops) {
        const purchase = newPurchase(email, keyId)
        yield* served(purchase, stripe.checkoutByLink(purchase))
        yield* stop(purchase, (yield* subscriptionOf(email)).id)
        const paid = stripe.invoiceByLink({ ...purchase, renewal: "2", created: LATER })
        assert.strictEqual(yield* apply(paid), "Unapplied")
        assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
      }
    })
  )

  it.effect("is listed when its invoice names no one address", () =>
    Effect.gen(function* () {
      const purchase = newPurchase(newEmail())
      yield* served(purchase)
      yield* apply(stripe.refund(purchase))
      assert.strictEqual(yield* apply(renewal({ ...purchase, email: "a@b.org, c@d.org" })), "Unapplied")
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
    })
  )

  it.effect("stays listed when an older payment or its checkout comes late", () =>
    Effect.gen(function* () {
      const held = newPurchase(newEmail())
      yield* served(held)
      yield* apply(stripe.refund(held))
      yield* apply(renewal(held, "3"))
      yield* apply(stripe.oldInvoice({ ...held, renewal: "2", created: stripe.PAID_AT + 20 }))
      assert.deepStrictEqual(yield* listedOf(held), [`in_3${held.of}`])

      const over = newPurchase(newEmail())
      yield* served(over, stripe.oldInvoice(over))
      yield* apply(stripe.deleted(over, stripe.PAID_AT + 100))
      yield* apply(renewal(over))
      yield* apply(stripe.checkout(over))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${over.of}`), ["held-or-ended"])
    })
  )

  it.effect("is listed, and logged, when the refund or the end that it came after is told only later", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      const logger = Logger.make(({ fiber }) => told.push(fiber.getRef(References.CurrentLogAnnotations)["event"]))
      const stops = [stripe.refund, (purchase: stripe.Purchase) => stripe.deleted(purchase, stripe.PAID_AT + 100)]
      for (const stop of stops) {
        const purchase = newPurchase(newEmail())
        yield* served(purchase)
        assert.strictEqual(yield* apply(renewal(purchase)), "Applied")
        yield* apply(stop(purchase)).pipe(Effect.provide(Logger.layer([logger])))
        assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
        assert.include(told, `in_2${purchase.of}`)
      }
    })
  )

  it.effect("and was dismissed does not come back, nor do the others go with it", () =>
    Effect.gen(function* () {
      const purchase = newPurchase(newEmail())
      yield* served(purchase)
      yield* apply(stripe.refund(purchase))
      yield* apply(renewal(purchase, "2"))
      yield* apply(renewal(purchase, "3"))
      assert.isTrue(yield* administration(({ dismiss }) => dismiss(`in_2${purchase.of}`)))
      yield* apply(renewal(purchase, "2"))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
    })
  )

  it.effect("is listed no more when the refund that it came after turns out to be of something else", () =>
    Effect.gen(function* () {
      const purchase = newPurchase(newEmail())
      const other = { ...purchase, of: `other${purchase.of}` }
      yield* served(purchase)
      yield* apply(stripe.refund(other))
      yield* apply(renewal(purchase))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
      yield* apply(stripe.single(other, "plink_other"))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), [])
      // Another key is on its way, but the period is over before it goes out.
      yield* apply(stripe.deleted(purchase, LATER + 100))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
    })
  )

  it.effect("is listed whenever it was made, as long as no key has reached its payer", () =>
    Effect.gen(function* () {
      const stops = [
        (purchase: stripe.Purchase) => apply(stripe.deleted(purchase, stripe.PAID_AT + 100)),
        ({ email }: stripe.Purchase) =>
          Effect.flatMap(subscriptionOf(email), ({ id }) => administration(({ end }) => end(id))),
        ({ keyId }: stripe.Purchase) => revoke(keyId!),
        // Of another payment, which is returned.
        (purchase: stripe.Purchase) => apply(stripe.refund({ ...purchase, renewal: "2", created: LATER + 10 }))
      ]
      for (const stop of stops) {
        const { email, keyId } = yield* mint()
        const purchase = newPurchase(email, keyId)
        yield* apply(stripe.checkout(purchase))
        yield* apply(renewal(purchase))
        yield* mailInVain
        yield* stop(purchase)
        const isReturned = stop === stops.at(-1)
        assert.sameMembers(
          yield* listedOf(purchase),
          isReturned ? [`in_${purchase.of}`] : [`in_${purchase.of}`, `in_2${purchase.of}`]
        )
        // The key of the attempt is nobody's.
        yield* Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`UPDATE outbox SET next_attempt_at = now() - interval '1 minute'`
        )
        yield* mailInVain
        assert.strictEqual(yield* liveKeysOf(email), 0)
      }
    })
  )

  it.effect("is listed once its period is over, if until then no mail with a key went out", () =>
    Effect.gen(function* () {
      const purchase = { ...newPurchase(newEmail()), created: 3600 }
      yield* apply(stripe.checkout(purchase))
      yield* mailInVain
      yield* apply(stripe.deleted(purchase, 86_400))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), [])
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
      yield* mailInVain
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
      assert.isTrue(yield* administration(({ dismiss }) => dismiss(`in_${purchase.of}`)))
      assert.isFalse(yield* administration(({ dismiss }) => dismiss(`in_${purchase.of}`)))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), [])
    }).pipe(onTestClock)
  )

  it.effect("is listed if it is told after the operator's stop, though the clock of who hears of it says before", () =>
    Effect.gen(function* () {
      const email = newEmail()
      const purchase = newPurchase(email)
      yield* served(purchase)
      const { id } = yield* subscriptionOf(email)
      yield* administration(({ end }) => end(id))
      assert.strictEqual(yield* onTestClock(apply(renewal(purchase))), "Unapplied")
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
    })
  )

  it.effect("is listed again when its subscription was allowed, and stopped before a key went out", () =>
    Effect.gen(function* () {
      const email = newEmail()
      const purchase = newPurchase(email)
      yield* served(purchase)
      yield* apply(stripe.refund(purchase))
      yield* apply(renewal(purchase))
      const { id } = yield* subscriptionOf(email)
      yield* allow(id)
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), [])
      yield* mailInVain
      yield* administration(({ end }) => end(id))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
      yield* allow(id)
      assert.lengthOf(yield* keysMailedTo(email), 1)
      yield* administration(({ end }) => end(id))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), [])
    })
  )

  it.effect("is listed when a refund names no payment, of each that it may be", () =>
    Effect.gen(function* () {
      const [first, second] = [newPurchase(newEmail()), newPurchase(newEmail())]
      yield* apply(stripe.checkout(first))
      yield* apply(stripe.checkout({ ...second, customer: first.customer }))
      yield* apply(stripe.refund({ ...first, of: `unknown${first.of}` }))
      for (const { of } of [first, second]) assert.deepStrictEqual(yield* reasonsOf(`sub_${of}`), ["held-or-ended"])
    })
  )

  it.effect("is listed when the hold that it came under is taken back after the end", () =>
    Effect.gen(function* () {
      const email = newEmail()
      const purchase = newPurchase(email)
      const other = { ...purchase, of: `other${purchase.of}` }
      yield* apply(stripe.checkout(purchase))
      yield* apply(stripe.refund(other))
      yield* mailInVain
      const { id } = yield* subscriptionOf(email)
      yield* administration(({ end }) => end(id))
      yield* apply(stripe.single(other, "plink_other"))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
    })
  )

  it.effect("is listed although a later one is refunded, also where its checkout named no invoice", () =>
    Effect.gen(function* () {
      const purchase = newPurchase(newEmail())
      yield* apply(stripe.checkoutWithoutInvoice(purchase))
      yield* apply(renewal(purchase))
      yield* apply(stripe.refund({ ...purchase, renewal: "2", created: LATER + 10 }))
      assert.deepStrictEqual(yield* listedOf(purchase), [`sub_${purchase.of}`])
    })
  )

  it.effect("is listed when it was made after a refund that comes late, whatever key has lived meanwhile", () =>
    Effect.gen(function* () {
      const email = newEmail()
      const purchase = newPurchase(email)
      yield* served(purchase)
      yield* apply(renewal(purchase))
      const { id } = yield* subscriptionOf(email)
      yield* administration(({ end }) => end(id))
      yield* allow(id)
      assert.lengthOf(yield* keysMailedTo(email), 1)
      yield* apply(stripe.refund(purchase))
      assert.deepStrictEqual(yield* listedOf(purchase), [`in_2${purchase.of}`])
    })
  )

  it.effect("is listed though it is disputed, for that may be won", () =>
    Effect.gen(function* () {
      const purchase = newPurchase(newEmail())
      yield* served(purchase)
      yield* apply(stripe.refund(purchase))
      yield* apply(renewal(purchase))
      yield* apply(stripe.dispute({ of: `2${purchase.of}` }))
      assert.deepStrictEqual(yield* listedOf(purchase), [`in_2${purchase.of}`])
    })
  )

  it.effect("is listed by the key that was live when it was stopped, whose clock made it the older one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { email, keyId, secret } = yield* mint()
      const purchase = newPurchase(email, keyId)
      yield* served(purchase)
      yield* sql`UPDATE api_key SET created_at = now() + interval '3 seconds' WHERE email = ${email} AND tier = 'Production'`
      yield* claim(secret)
      yield* apply(stripe.refund(purchase))
      yield* apply(renewal(purchase))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
    })
  )

  it.effect("is listed no more once it is returned itself", () =>
    Effect.gen(function* () {
      const purchase = newPurchase(newEmail())
      yield* served(purchase)
      yield* apply(stripe.refund(purchase))
      yield* apply(renewal(purchase, "2"))
      yield* apply(renewal(purchase, "3"))
      yield* apply(stripe.refund({ ...purchase, renewal: "2", created: LATER + 10 }))
      assert.deepStrictEqual(yield* listedOf(purchase), [`in_3${purchase.of}`])
    })
  )

  it.effect("stays listed when its subscription is allowed only after its end, for no key goes out", () =>
    Effect.gen(function* () {
      const email = newEmail()
      const purchase = newPurchase(email)
      yield* apply(stripe.checkout(purchase))
      yield* apply(stripe.refund(purchase))
      yield* apply(renewal(purchase))
      yield* apply(stripe.deleted(purchase, LATER + 100))
      yield* allow((yield* subscriptionOf(email)).id)
      yield* apply(stripe.oldInvoice(purchase))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["held-or-ended"])
    })
  )
})

layer(testServices(), { excludeTestServices: true })("a payment at another price [F62]", (it) => {
  it.effect("of a subscription of ours is told once, in whatever order they and the checkout come", () =>
    Effect.gen(function* () {
      for (const order of [
        [0, 1, 2],
        [1, 0, 2],
        [1, 2, 0],
        [2, 1, 0]
      ]) {
        const purchase = newPurchase(newEmail())
        const other = (name: string) => stripe.oldInvoice({ ...purchase, renewal: name, created: LATER }, "price_x")
        const events = [stripe.checkout(purchase), other("2"), other("3")]
        for (const index of order) yield* apply(events[index]!)
        assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["other-price"])
        yield* apply(stripe.oldInvoice(purchase))
        assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), ["other-price"])
      }
    })
  )

  it.effect("of a subscription of which only the end is known here is for something else", () =>
    Effect.gen(function* () {
      const purchase = newPurchase(newEmail())
      yield* apply(stripe.deleted(purchase, stripe.PAID_AT + 100))
      yield* apply(stripe.oldInvoice(purchase, "price_x"))
      assert.deepStrictEqual(yield* reasonsOf(`sub_${purchase.of}`), [])
    })
  )
})

layer(testServices(), { excludeTestServices: true })("a trial that names no key [F62]", (it) => {
  it.effect("is claimed with no key that was made for its address after its checkout", () =>
    Effect.gen(function* () {
      const ways = [
        [stripe.trial, stripe.oldInvoice],
        [stripe.trialByLink, stripe.invoiceByLink]
      ] as const
      for (const [trial, invoice] of ways) {
        const before = yield* mint()
        const purchase = newPurchase(before.email)
        yield* TestClock.adjust("1 second")
        yield* apply(trial(purchase))
        yield* TestClock.adjust("1 second")
        const during = yield* mint(before.email)
        yield* TestClock.adjust("1 second")
        yield* apply(invoice(purchase))
        assert.strictEqual(yield* claimFailure(during.secret), "KeyIssuedAfterPayment")
        yield* claim(before.secret)
      }
    }).pipe(onTestClock)
  )
})
