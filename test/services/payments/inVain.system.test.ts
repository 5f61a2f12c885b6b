/**
 * What no order of events may change, on a real database: which payments were in vain, what is held, and who has a key.
 * Which they should be is asked of the events by Stripe's clock, not of what was done with them.
 */

import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, References } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import type { PaymentEvent } from "../../../src/services/payments/facts.ts"
import { listInVain } from "../../../src/services/payments/inVain.ts"
import { keysMailedTo } from "../../support/claims.ts"
import { newSeedOr, runs } from "../../support/random.ts"
import { apply, countOf, mint, testServices } from "../../support/services.ts"
import * as stripe from "../../support/stripe.ts"

const RUNS = runs(8, 60)
/** Of sixty plays of up to twenty events each, on a machine that others use. */
const LIMIT_MILLIS = 120_000
const { PAID_AT } = stripe

type Chapter = (purchase: stripe.Purchase) => PaymentEvent

const at = (created: number, renewal: string) => (purchase: stripe.Purchase) => ({
  ...purchase,
  renewal,
  created: PAID_AT + created
})
const [second, third, fourth] = [at(20, "2"), at(200, "3"), at(300, "4")]

const somethingElse = ({ customer, email, of }: stripe.Purchase) => ({ of: `${of}_else`, customer, email })

/** Whatever tells the product: refunds of the first, of a later and of another's payment, a dispute, and two ends. */
const STOPS: ReadonlyArray<Chapter> = [
  stripe.refund,
  (purchase) => stripe.refund({ ...third(purchase), created: PAID_AT + 250 }),
  stripe.dispute,
  (purchase) => stripe.refund({ ...somethingElse(purchase), created: PAID_AT + 210 }),
  (purchase) => stripe.single(somethingElse(purchase), "plink_of_something_else"),
  (purchase) => stripe.deleted(purchase, PAID_AT + 400),
  (purchase) => stripe.deleted(purchase, PAID_AT + 150)
]

const BY_PRICE: ReadonlyArray<Chapter> = [
  stripe.checkout,
  stripe.otherLink,
  stripe.oldInvoice,
  (purchase) => stripe.newInvoice({ ...purchase, created: PAID_AT + 100 }),
  stripe.invoicePayment,
  (purchase) => stripe.oldInvoice(second(purchase)),
  (purchase) => stripe.oldInvoice(third(purchase)),
  (purchase) => stripe.oldInvoice({ ...fourth(purchase), email: "a@b.org, c@d.org" }),
  (purchase) => stripe.oldInvoice(at(310, "5")(purchase), "price_of_something_else"),
  (purchase) => stripe.oldInvoice(at(320, "6")(purchase), "price_of_something_else"),
  ...STOPS
]

const BY_LINK: ReadonlyArray<Chapter> = [
  stripe.checkoutByLink,
  stripe.trialByLink,
  (purchase) => stripe.invoiceByLink(second(purchase)),
  (purchase) => stripe.invoiceByLink(third(purchase)),
  (purchase) => stripe.invoiceByLink(fourth(purchase)),
  ...STOPS
]

interface Line {
  readonly id: string
  readonly reason: string
}

/** Of which no reversal can be taken for a payment of the subscription's own. */
const isOwn = (chapter: Chapter): boolean => !STOPS.slice(3, 5).includes(chapter)

/** Everything that an operator or the payer can ever notice of a subscription. */
const stateOf = Effect.fnUntraced(function* ({ email, of }: stripe.Purchase) {
  const sql = yield* SqlClient.SqlClient
  const [subscription] = yield* sql<{ readonly paid: boolean; readonly endsAt: Date | null }>`
    SELECT paid_at IS NOT NULL AS paid, ends_at AS "endsAt" FROM subscription WHERE external_id = ${`sub_${of}`}`
  const holds = yield* sql<{ readonly why: string; readonly since: Date }>`
    SELECT open_hold.why, reversal.created_at AS since
    FROM open_hold JOIN reversal USING (event_id) JOIN subscription ON subscription.id = subscription_id
    WHERE external_id = ${`sub_${of}`} ORDER BY 2, 1`
  const lines = yield* sql<Line>`
    SELECT event_id AS id, reason FROM unapplied_event
    WHERE external_id = ${`sub_${of}`} AND settled_at IS NULL
    UNION ALL
    SELECT event_id, reason FROM (${listInVain(sql, new Date(), sql`external_id = ${`sub_${of}`}`)}) AS listed`
  const mails = (yield* keysMailedTo(email)).length
  const keys = yield* countOf("api_key", `email = '${email}' AND tier = 'Production' AND revoked_at IS NULL`)
  return { paid: subscription?.paid === true, endsAt: subscription?.endsAt ?? null, holds, lines, mails, keys }
})
type State = Effect.Success<ReturnType<typeof stateOf>>

/** Each payment once, as of its first event. */
const paymentsOf = (events: ReadonlyArray<PaymentEvent>): ReadonlyMap<string, Date> => {
  const madeAt = new Map<string, Date>()
  for (const { createdAt, payment } of events) {
    if (payment === null) continue
    const known = madeAt.get(payment.id)
    if (known === undefined || createdAt < known) madeAt.set(payment.id, createdAt)
  }
  return madeAt
}

/** Whether a refund names the payment, by any id that was told of it. */
const isReturned = (events: ReadonlyArray<PaymentEvent>, id: string): boolean => {
  const names = events.flatMap(({ payment, references }) =>
    references !== null && (payment?.id ?? references.owner) === id ? references.payments : []
  )
  return events.some(
    ({ fact }) =>
      fact?._tag === "Reversed" && fact.why === "refund" && fact.payments.some((name) => [id, ...names].includes(name))
  )
}

/** What the events say was paid for nothing; of a subscription whose key was out, only what was paid once it had stopped. */
const paidInVain = (events: ReadonlyArray<PaymentEvent>, isServed: boolean, state: State): ReadonlyArray<string> => {
  const { endsAt, holds, paid } = state
  const isStopped = endsAt !== null || holds.length > 0
  const isLate = (made: Date) => (endsAt !== null && endsAt < made) || holds.some(({ since }) => since <= made)
  const inVain = [...paymentsOf(events)].filter(
    ([id, made]) => isStopped && (!isServed || isLate(made)) && !isReturned(events, id)
  )
  return paid ? inVain.map(([id]) => id).sort() : []
}

/** The names of events and payments that are another's in every play, and the order in which several were first told. */
const comparable = (of: string, { lines, ...state }: State) => ({
  ...state,
  lines: lines.map(({ id, reason }) => (reason === "held-or-ended" ? id.replace(of, "") : reason)).sort()
})

const isOtherPrice = ({ type, unapplied }: PaymentEvent): boolean =>
  type === "invoice.paid" && unapplied?.reason === "other-product"

/** Every payment is of a subscription that was open when it was made, or on the list. */
const isTold = (events: ReadonlyArray<PaymentEvent>, isServed: boolean, state: State) => {
  const { endsAt, holds, keys, lines, paid } = state
  const inVain = lines.flatMap(({ id, reason }) => (reason === "held-or-ended" ? [id] : [])).sort()
  assert.deepStrictEqual(inVain, paidInVain(events, isServed, state))
  const others = lines.filter(({ reason }) => reason === "other-price").length
  const isOurs = events.some(({ fact }) => fact?._tag === "Paid" || fact?._tag === "Named")
  assert.strictEqual(others, isOurs && events.some(isOtherPrice) ? 1 : 0)
  if (!paid && events.some(({ payment }) => payment !== null)) assert.isNotEmpty(lines)
  assert.strictEqual(keys, paid && holds.length === 0 && (isServed || endsAt === null) ? 1 : 0)
}

layer(testServices(), { excludeTestServices: true })("a payment", (it) => {
  for (const [told, chapters, isServed] of [
    ["the price", BY_PRICE, false],
    ["the link alone", BY_LINK, false],
    ["the price", BY_PRICE, true],
    ["the link alone", BY_LINK, true]
  ] as const) {
    const when = isServed ? "once a key is out" : "while none goes out"
    it.effect(
      `is served or listed, the same in every order ${when}, where ${told} tells what is sold`,
      () =>
        Effect.gen(function* () {
          const services = yield* Effect.context<Layer.Success<ReturnType<typeof testServices>>>()
          const play = Effect.fnUntraced(function* (which: ReadonlyArray<number>, order: ReadonlyArray<number>) {
            const of = randomUUID()
            const { email, keyId } = yield* mint()
            const purchase = { of, customer: `cus_${of}`, email, keyId }
            const events = new Map(which.map((chapter) => [chapter, chapters[chapter]!(purchase)]))
            if (isServed) {
              yield* apply(events.get(0)!)
              assert.lengthOf(yield* keysMailedTo(email), 1)
            }
            yield* Effect.forEach(order, (chapter) => apply(events.get(chapter)!), { discard: true })
            const state = yield* stateOf(purchase)
            isTold([...events.values()], isServed, state)
            return comparable(of, state)
          })
          const all = chapters.flatMap((chapter, index) => (isServed && !isOwn(chapter) ? [] : [index]))
          const chosen = fc
            .shuffledSubarray(all, { minLength: 2 })
            .map((which) => (isServed ? [...new Set([0, ...which])] : which))
          const orders = chosen.chain((which) => {
            const repeated = fc.array(fc.constantFrom(...which), { maxLength: 3 })
            const order = repeated.chain((again) =>
              fc.shuffledSubarray([...which, ...again], { minLength: which.length + again.length })
            )
            return fc.tuple(fc.constant(which), order, order)
          })
          const sameState = async ([which, one, another]: [Array<number>, Array<number>, Array<number>]) => {
            const both = Effect.all([play(which, one), play(which, another)]).pipe(
              Effect.provideContext(services),
              Effect.provideService(References.MinimumLogLevel, "None")
            )
            const [state, other] = await Effect.runPromise(both)
            assert.deepStrictEqual(state, other)
          }
          yield* Effect.promise(() =>
            fc.assert(fc.asyncProperty(orders, sameState), { numRuns: RUNS, seed: newSeedOr(20261124) })
          )
        }),
      LIMIT_MILLIS
    )
  }
})
