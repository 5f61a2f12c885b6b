/**
 * The outbox in a real SMTP conversation: no stored key, one active mailed key, retries, and the
 * giving up.
 */

import { randomUUID } from "node:crypto"
import { Clock, Deferred, Effect, Fiber, Layer, Metric, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AppConfig } from "../../../src/platform/config.ts"
import { Administration } from "../../../src/services/accounts/Administration.ts"
import { Keys } from "../../../src/services/accounts/Keys.ts"
import { listSubscriptions } from "../../../src/services/accounts/lists.ts"
import { Mailer } from "../../../src/services/accounts/Mailer.ts"
import { resumeKeyMail } from "../../../src/services/accounts/mailQueue.ts"
import { Outbox, outboxWorkerLayer } from "../../../src/services/accounts/Outbox.ts"
import { Subscriptions } from "../../../src/services/accounts/Subscriptions.ts"
import { claim, claimFailure } from "../../support/claims.ts"
import { assert, layer } from "../../support/effects.ts"
import { SHORT_DEADLINES } from "../../support/hurried.ts"
import { lines } from "../../support/logs.ts"
import { apply, call, countOf, mint, newEmail, payForAddress, testServices } from "../../support/services.ts"
import { testConfig } from "../../support/settings.ts"
import { keysIn, mailServer } from "../../support/smtp.ts"
import * as stripe from "../../support/stripe.ts"
import { until } from "../../support/until.ts"

/** An outbox that sends to `url`. */
const outboxOn = (url?: string) =>
  Effect.provide(
    Outbox,
    Layer.fresh(Outbox.layer).pipe(
      Layer.provide(Layer.fresh(Mailer.layer)),
      Layer.provide(testConfig({ MAIL_FROM: "keys@example.test", ...(url === undefined ? {} : { SMTP_URL: url }) }))
    )
  )

const pay = (email: string) => payForAddress(email)

/** An outbox, and the state of the server that it sends to. */
const mailing = Effect.gen(function* () {
  const { keysTo, state, url } = yield* mailServer
  return { keysTo, outbox: yield* outboxOn(url), state }
})

/** The same with a payment whose mail waits. */
const paidAndUnsent = Effect.gen(function* () {
  const mailed = yield* mailing
  const email = newEmail()
  yield* pay(email)
  return { email, ...mailed }
})

const liveKeysOf = (email: string) =>
  countOf("api_key", `email = '${email}' AND tier = 'Production' AND revoked_at IS NULL`)

const countedAs = (name: string) =>
  Effect.map(
    Metric.snapshot,
    (metrics) => (metrics.find(({ id }) => id === name)!.state as { readonly count: number }).count
  )

const undeliveredKeys = countedAs("outbox_undelivered_keys_total")
const givenUpMails = countedAs("outbox_given_up_total")

layer(testServices())("the outbox", (it) => {
  it("mails the key of a paid subscription once, and stores it nowhere [F20]", function* () {
    const { outbox, state } = yield* mailing
    const email = newEmail()
    yield* payForAddress(email, `sub_${email}`)
    yield* outbox.sendDue
    assert.strictEqual(yield* outbox.waiting, 0)
    const [mail] = state.mails
    assert.strictEqual(mail!.to, email)
    const [key] = keysIn(mail!.source)
    assert.strictEqual((yield* call(key!)).used, 1)
    for (const table of ["api_key", "outbox", "subscription"]) {
      assert.strictEqual(yield* countOf(`${table} AS stored`, `stored::text LIKE '%${key!.slice(15)}%'`), 0)
    }
    // A payment for the next month.
    yield* payForAddress(email, `sub_${email}`)
    assert.strictEqual(yield* outbox.sendDue, 0)
    assert.lengthOf(state.mails, 1)
  })

  it("sends the keys of payers, then warnings of a collected key, before older mails about sandbox keys", function* () {
    const { outbox, state } = yield* mailing
    for (let stranger = 0; stranger < 3; stranger++) yield* mint()
    const collected = yield* mint()
    yield* pay(collected.email)
    yield* claim(collected.secret)
    const email = newEmail()
    yield* pay(email)
    assert.strictEqual(yield* outbox.sendDue, 6)
    assert.deepStrictEqual(
      state.mails.slice(0, 2).map(({ to }) => to),
      [email, collected.email]
    )
    assert.include(state.mails[1]!.source, "was collected")
  })

  it("announces a mint without including the key", function* () {
    const { outbox, state } = yield* mailing
    const { email, secret } = yield* mint()
    yield* outbox.sendDue
    assert.deepStrictEqual(
      state.mails.map(({ to }) => to),
      [email]
    )
    assert.include(state.mails[0]!.source, secret.slice(0, 14))
    assert.notInclude(state.mails[0]!.source, secret.slice(14))
  })

  it("keeps mails and issues no key without a mail server", function* () {
    const email = newEmail()
    yield* pay(email)
    const outbox = yield* outboxOn()
    assert.strictEqual(yield* outbox.sendDue, 0)
    assert.isAbove(yield* outbox.waiting, 0)
    assert.strictEqual(yield* liveKeysOf(email), 0)
  })

  it("warns of waiting mails without a mail server, even if its first check was interrupted", function* () {
    yield* pay(newEmail())
    const outbox = yield* outboxOn()
    let checks = 0
    const waiting = Effect.suspend(() => (checks++ === 0 ? Effect.interrupt : outbox.waiting))
    const { layer: logs, told } = lines()
    const worker = outboxWorkerLayer.pipe(
      Layer.provide(Layer.succeed(Outbox, Outbox.of({ ...outbox, waiting }))),
      Layer.provide(Layer.fresh(Mailer.layer)),
      Layer.provide(testConfig({ MAIL_FROM: "keys@example.test" }))
    )
    yield* Layer.build(worker).pipe(Effect.provide(logs), Effect.provideService(Clock.Clock, SHORT_DEADLINES))
    yield* Effect.promise(() => until(async () => told.some(({ text }) => text.includes("set SMTP_URL"))))
  })

  it.onTestClock("survives a day without its mail server, with at most one active key at any time [F20]", function* () {
    const { outbox, state } = yield* mailing
    const email = newEmail()
    yield* outbox.sendDue
    yield* pay(email)
    state.behavior = "refuse"
    let attempts = 0
    for (let hour = 0; hour < 24; hour++) {
      attempts += yield* outbox.sendDue
      assert.isAtMost(yield* liveKeysOf(email), 1)
      yield* TestClock.adjust("1 hour")
    }
    assert.isAtLeast(attempts, 12)
    state.behavior = "accept"
    state.mails.length = 0
    yield* outbox.sendDue
    const [key] = keysIn(state.mails[0]!.source)
    yield* call(key!)
    assert.strictEqual(yield* liveKeysOf(email), 1)
  })

  it.onTestClock("gives up after three days, counts it, and leaves no active key [F20]", function* () {
    const { email, outbox, state } = yield* paidAndUnsent
    state.behavior = "refuse"
    yield* outbox.sendDue
    assert.strictEqual(yield* liveKeysOf(email), 1)
    const before = yield* givenUpMails
    yield* TestClock.adjust("3 days")
    yield* outbox.sendDue
    assert.strictEqual(yield* liveKeysOf(email), 0)
    assert.strictEqual(yield* countOf("outbox", `mail_to = '${email}' AND given_up_at IS NOT NULL`), 1)
    assert.isAbove(yield* givenUpMails, before)
  })

  it.onTestClock(
    "logs an ERROR when a key cannot be mailed, and mails one when the operator allows it [F62]",
    function* () {
      const { state, url } = yield* mailServer
      const outbox = yield* outboxOn(url)
      const administration = yield* Administration
      const email = newEmail()
      yield* outbox.sendDue
      yield* payForAddress(email, `sub_${email}`)
      const before = yield* undeliveredKeys
      state.behavior = "refuse"
      yield* outbox.sendDue
      yield* TestClock.adjust("3 days")
      const { layer: logs, told } = lines()
      yield* outbox.sendDue.pipe(Effect.provide(logs))
      const errors = told.filter(({ level }) => level === "Error").map(({ text }) => text)
      assert.lengthOf(errors, 1)
      assert.include(errors[0], "run repay subscriptions allow with this subscription")
      assert.strictEqual(yield* undeliveredKeys, before + 1)
      // A payment for the next month does not change that.
      yield* payForAddress(email, `sub_${email}`)
      const { id } = (yield* listSubscriptions(email, 1))[0]!
      state.behavior = "accept"
      yield* outbox.sendDue
      assert.deepStrictEqual(yield* administration.allow(id), { _tag: "Allowed", subscriptionId: id, lifted: null })
      assert.strictEqual((yield* administration.allow(id))._tag, "NotHeld")
      state.mails.length = 0
      yield* outbox.sendDue
      yield* call(keysIn(state.mails[0]!.source)[0]!)
      assert.strictEqual((yield* administration.allow(id))._tag, "NotHeld")
    }
  )

  it.onTestClock(
    "sends a mail again after a crash before its acceptance was stored, with one active key [F20]",
    function* () {
      const { email, keysTo, outbox, state } = yield* paidAndUnsent
      state.behavior = "close after accepting"
      yield* outbox.sendDue
      state.behavior = "accept"
      yield* TestClock.adjust("2 minutes")
      yield* outbox.sendDue
      const keys = keysTo(email)
      assert.lengthOf(keys, 2)
      assert.strictEqual((yield* Effect.flip(call(keys[0]!)))._tag, "KeyRefused")
      yield* call(keys[1]!)
    }
  )

  it.onTestClock("does not replace a mailed key that was used already", function* () {
    const { email, keysTo, outbox, state } = yield* paidAndUnsent
    state.behavior = "close after accepting"
    yield* outbox.sendDue
    const [key] = keysTo(email)
    yield* call(key!)
    state.behavior = "accept"
    yield* TestClock.adjust("2 minutes")
    yield* outbox.sendDue
    yield* call(key!)
    assert.strictEqual(yield* countOf("outbox", `mail_to = '${email}' AND dropped_at IS NOT NULL`), 1)
  })

  it("sends each mail once when several processes run it", function* () {
    const { state, url } = yield* mailServer
    const outboxes = yield* Effect.all(Array.from({ length: 4 }, () => outboxOn(url)))
    const emails = Array.from({ length: 12 }, newEmail)
    yield* Effect.forEach(emails, pay)
    yield* Effect.forEach(outboxes, ({ sendDue }) => sendDue, { concurrency: "unbounded" })
    const sentTo = state.mails.map(({ to }) => to).filter((to) => emails.includes(to))
    assert.deepStrictEqual(sentTo.sort(), [...emails].sort())
    const keys = yield* Keys
    for (const { source, to } of state.mails) {
      if (emails.includes(to)) yield* keys.authenticate(keysIn(source)[0]!)
    }
  })

  it("issues no key for an attempt whose mail was queued again before", function* () {
    const { keysTo, outbox } = yield* mailing
    const sql = yield* SqlClient.SqlClient
    const email = newEmail()
    yield* outbox.sendDue
    yield* pay(email)
    const [isLocked, isLeased] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const queueAnew = Effect.gen(function* () {
      const [subscription] = yield* sql<{ readonly id: string }>`
        SELECT id FROM subscription WHERE email = ${email} FOR UPDATE`
      yield* Deferred.succeed(isLocked, undefined)
      yield* Deferred.await(isLeased)
      yield* resumeKeyMail(subscription!.id, new Date(yield* Clock.currentTimeMillis))
    })
    const operator = yield* Effect.forkChild(sql.withTransaction(queueAnew))
    yield* Deferred.await(isLocked)
    const sending = yield* Effect.forkChild(outbox.sendDue)
    const leased = countOf("outbox", `mail_to = '${email}' AND attempts = 1`)
    yield* Effect.repeat(leased, { until: (count) => count === 1, schedule: Schedule.spaced("5 millis"), times: 200 })
    yield* Deferred.succeed(isLeased, undefined)
    yield* Fiber.join(operator)
    yield* Fiber.join(sending)
    const keys = keysTo(email)
    assert.lengthOf(keys, 1)
    yield* call(keys[0]!)
  })

  it("sends nothing to a recipient that is not exactly one address", function* () {
    const { outbox, state } = yield* mailing
    const sql = yield* SqlClient.SqlClient
    const email = newEmail()
    yield* pay(email)
    const both = `${email}, c@evil.example`
    yield* sql`UPDATE outbox SET mail_to = ${both} WHERE mail_to = ${email}`
    const before = yield* undeliveredKeys
    yield* outbox.sendDue
    assert.strictEqual(yield* undeliveredKeys, before + 1)
    assert.isFalse(state.mails.some(({ to }) => to === email || to === "c@evil.example"))
    assert.strictEqual(yield* liveKeysOf(email), 0)
    assert.strictEqual(yield* countOf("outbox", `mail_to = '${both}' AND dropped_at IS NOT NULL`), 1)
  })

  it("sends a key to an international domain in its xn-- form", function* () {
    const { state, url } = yield* mailServer
    const sql = yield* SqlClient.SqlClient
    const outbox = yield* outboxOn(url)
    const local = randomUUID()
    const checkoutOf = (email: string) => {
      const of = randomUUID()
      return apply(stripe.checkout({ of, customer: `cus_${of}`, email }))
    }
    assert.strictEqual(yield* checkoutOf(`${local}@Müller.example`), "Applied")
    const { secret } = yield* mint(`${local}@xn--mller-kva.example`)
    assert.strictEqual(yield* claimFailure(secret), "KeyIssuedAfterPayment")
    const queued = newEmail()
    yield* pay(queued)
    yield* sql`UPDATE outbox SET mail_to = ${`${local}@bücher.example`} WHERE mail_to = ${queued}`
    yield* outbox.sendDue
    const withKeys = state.mails.filter(({ source }) => keysIn(source).length > 0).map(({ to }) => to)
    assert.includeMembers(withKeys, [`${local}@xn--mller-kva.example`, `${local}@xn--bcher-kva.example`])
    for (const domain of ["b\u00fccher.example/x", "b\u00fccher.example:25", "b_\u00fc.example", "\u00fc"]) {
      assert.strictEqual(yield* checkoutOf(`${local}@${domain}`), "Unapplied")
    }
  })

  it.onTestClock("sends mails that were queued or postponed while the clock was a year ahead [F11]", function* () {
    const { outbox, state } = yield* mailing
    const now = yield* Clock.currentTimeMillis
    const [queued, putOff] = [newEmail(), newEmail()]
    yield* TestClock.setTime(now + 365 * 86_400_000)
    yield* outbox.sendDue
    yield* pay(putOff)
    state.behavior = "refuse"
    yield* outbox.sendDue
    yield* pay(queued)
    state.behavior = "accept"
    state.mails.length = 0
    yield* TestClock.setTime(now)
    yield* outbox.sendDue
    assert.deepStrictEqual(state.mails.map(({ to }) => to).toSorted(), [queued, putOff].toSorted())
    assert.strictEqual(yield* outbox.sendDue, 0)
  })

  it("drops the mail of a subscription that was claimed", function* () {
    const { email, secret } = yield* mint()
    yield* pay(email)
    yield* (yield* Subscriptions).claim(secret)
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`SELECT dropped_at FROM outbox WHERE mail_to = ${email} AND kind = 'production-key'`
    assert.isNotNull(rows[0]!["dropped_at"])
    assert.isDefined(yield* AppConfig)
  })
})
