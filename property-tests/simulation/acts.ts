/**
 * The acts of a simulated program. Each one is work for the real services and a rule of the model.
 */

import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Option, Redacted, Schema } from "effect"
import { ComparisonRequest } from "../../schema/comparison.ts"
import { EligibilityRequest } from "../../schema/eligibility.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { answerHashOf } from "../../src/proof/commitment.ts"
import { Administration } from "../../src/services/accounts/Administration.ts"
import { Keys } from "../../src/services/accounts/Keys.ts"
import { listSubscriptions } from "../../src/services/accounts/lists.ts"
import type { Mail } from "../../src/services/accounts/Mailer.ts"
import { Outbox } from "../../src/services/accounts/Outbox.ts"
import type { PaymentEvent } from "../../src/services/accounts/paymentEvent.ts"
import { Subscriptions } from "../../src/services/accounts/Subscriptions.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { Answers } from "../../src/services/answers/Answers.ts"
import { Sequencer } from "../../src/services/log/Sequencer.ts"
import type { MortalServices } from "../../test/support/mortal.ts"
import { comparison, household, loan, projection } from "../../test/support/requests.ts"
import * as stripe from "../../test/support/stripe.ts"
import * as model from "./model.ts"
import type { Person } from "./observed.ts"
import type { Act } from "./programs.ts"

type Of<D extends Act["do"]> = Extract<Act, { readonly do: D }>
type Work<A> = Effect.Effect<A, unknown, MortalServices>

export interface Execution {
  /** Performs the act; returns its outcome in the terms of the rule. */
  readonly work: Work<string>
  /** Called after the work, because its rule depends on keys that the work revealed. */
  readonly done: () => Pick<model.Done, "between" | "rule">
}

export const START = Date.UTC(2026, 9, 20)
/** End of the paid time of a subscription that ends. */
const END = START + 7 * 86_400_000

const REQUESTS = {
  projection: Schema.decodeUnknownSync(ProjectionRequest)(projection),
  comparison: Schema.decodeUnknownSync(ComparisonRequest)(comparison),
  eligibility: Schema.decodeUnknownSync(EligibilityRequest)({ loans: [loan] }),
  /** EXTENDED does not accept a book as small as this. */
  refused: Schema.decodeUnknownSync(ProjectionRequest)({
    scenario: { ...household, planType: "EXTENDED" },
    loans: [{ ...loan, principalBalance: 1000 }]
  })
}

/** Knowledge outside the service: keys and answers of payers, events of Stripe, delivered mails. */
export class Outside {
  readonly people: ReadonlyArray<Person & stripe.Purchase> = [0, 1].map(() => {
    const of = randomUUID()
    return { of, customer: `cus_${of}`, email: `${of}@example.org`, externalId: `sub_${of}` }
  })
  /** In the order in which they became known. */
  readonly secrets: Array<string> = []
  /** Texts of returned answers, by id. */
  readonly answers = new Map<string, string>()
  readonly events = new Map<string, PaymentEvent>()
  readonly mails: Array<Mail> = []
  smtp: model.Smtp = "takes"

  secret(fromNewest: number): string | undefined {
    return this.secrets.at(-1 - (fromNewest % Math.max(1, this.secrets.length)))
  }

  learn(secret: string): string {
    if (!this.secrets.includes(secret)) this.secrets.push(secret)
    return prefixOf(secret)
  }
}

export const prefixOf = (secret: string): string => secret.slice(0, secret.indexOf("_", "slr_".length) + 7)

/** Work that issues a key. Its rule gets the key's prefix, or null if the answer was lost. */
const issuing = (
  outside: Outside,
  work: Work<Redacted.Redacted<string>>,
  rule: (issued: string | null) => model.Rule
): Execution => {
  let issued: string | null = null
  const learned = Effect.map(work, (secret) => {
    issued = outside.learn(Redacted.value(secret))
    return "ok"
  })
  return { work: learned, done: () => ({ rule: rule(issued) }) }
}

const mint = (outside: Outside, { who }: Of<"mint">, now: number) =>
  issuing(
    outside,
    Effect.flatMap(Keys, (keys) => Effect.map(keys.mintSandbox(outside.people[who]!.email), ({ apiKey }) => apiKey)),
    (issued) => model.mint(who, issued, now)
  )

const claim = (outside: Outside, secret: string, now: number) =>
  issuing(
    outside,
    Effect.flatMap(Subscriptions, (all) => Effect.map(all.claim(secret), ({ key }) => key.apiKey)),
    (issued) => model.claim(prefixOf(secret), issued, now)
  )

const call = (outside: Outside, secret: string, { what }: Of<"call">, now: number): Execution => {
  const keep = (answer: { readonly bytes: () => Uint8Array }) => {
    const text = Buffer.from(answer.bytes()).toString()
    const { answerId } = JSON.parse(text).provenance
    assert.isFalse(outside.answers.has(answerId), "an id is given once")
    outside.answers.set(answerId, text)
  }
  const work = Effect.gen(function* () {
    const caller = yield* (yield* Keys).authenticate(secret)
    const { periodResetsAt, periodStart } = caller.usage
    assert.isTrue(periodStart.getTime() <= now && now < periodResetsAt.getTime(), "the month of the call")
    const answers = yield* Answers
    if (what === "comparison") keep(yield* answers.compare(caller, "McpServer", REQUESTS.comparison))
    else if (what === "eligibility") yield* answers.eligiblePlans(caller, REQUESTS.eligibility)
    else
      keep(yield* answers.project(caller, "PublicApi", what === "projection" ? REQUESTS.projection : REQUESTS.refused))
    return "ok"
  })
  const kind = what === "eligibility" ? "charged" : what === "refused plan" ? "refused" : "recorded"
  return { work, done: () => ({ rule: model.call(prefixOf(secret), kind, now) }) }
}

const revoke = (secret: string): Execution => ({
  work: Effect.flatMap(Administration, (all) => Effect.map(all.revoke(prefixOf(secret)), ({ _tag }) => _tag)),
  done: () => ({ rule: model.revoke(prefixOf(secret)) })
})

const allow = (outside: Outside, { who }: Of<"allow">, now: number): Execution => {
  const work = Effect.gen(function* () {
    const administration = yield* Administration
    const [listed] = yield* listSubscriptions(outside.people[who]!.email, 1)
    return listed === undefined ? "nobody" : (yield* administration.allow(listed.id))._tag
  })
  return { work, done: () => ({ rule: model.allow(who, now) }) }
}

/** Returns the same event each time, because Stripe repeats events. */
const eventOf = ({ events, people }: Outside, { event, who }: Of<"event">): PaymentEvent => {
  const make = {
    checkout: stripe.checkout,
    invoice: stripe.oldInvoice,
    refund: stripe.refund,
    end: (purchase: stripe.Purchase) => stripe.deleted(purchase, END / 1000)
  }[event]
  const known = events.get(`${who} ${event}`) ?? make(people[who]!)
  events.set(`${who} ${event}`, known)
  return known
}

const receive = (outside: Outside, act: Of<"event">, now: number): Execution => {
  const paymentEvent = eventOf(outside, act)
  const paid = model.pay(act.who, now)
  const rules = { checkout: paid, invoice: paid, refund: model.refund(act.who), end: model.end(act.who, END) }
  return {
    work: Effect.flatMap(Subscriptions, (all) => Effect.as(all.applyEvent(paymentEvent), "ok")),
    done: () => ({ rule: rules[act.event] })
  }
}

/**
 * Each of the two mails takes three transactions. A failure may stop each mail after any of them.
 */
const mail = (outside: Outside, { smtp }: Of<"mail">, now: number): Execution => {
  outside.smtp = smtp
  outside.mails.length = 0
  const done = () => {
    const stages = outside.people.map(({ email }, who) => {
      const texts = outside.mails.filter(({ to }) => to === email).map(({ text }) => text)
      const key = /slr_live_\w{38}/.exec(texts.join("\n"))?.[0]
      return model.mailing(who as model.Who, smtp, key === undefined ? null : outside.learn(key), now)
    })
    const upTo = (first: number, second: number) =>
      model.inTurn([...stages[0]!.slice(0, first), ...stages[1]!.slice(0, second)])
    const ends = [0, 1, 2, 3]
    return { rule: upTo(3, 3), between: ends.flatMap((first) => ends.map((second) => upTo(first, second))) }
  }
  return { work: Effect.flatMap(Outbox, ({ sendDue }) => Effect.as(sendDue, "ok")), done }
}

/** Checks every answer that was ever returned against its record. */
const verify = ({ answers }: Outside): Execution => ({
  work: Effect.gen(function* () {
    const ledger = yield* AnswerLedger
    for (const [id, text] of answers) {
      const found = Option.getOrThrow(yield* ledger.find(id))
      assert.strictEqual(found.answerHash, yield* Effect.promise(() => answerHashOf(text)), "the record of an answer")
      assert.strictEqual(found.ruleVersion, JSON.parse(text).provenance.ruleVersion)
    }
    return "ok"
  }),
  done: () => ({ rule: model.inTurn([]) })
})

const sequence: Execution = {
  work: Effect.flatMap(Sequencer, (sequencer) => Effect.as(sequencer.sequence, "ok")),
  done: () => ({ rule: model.inTurn([]) })
}

/** Undefined if the act needs a key and none is known. */
export const executionOf = (outside: Outside, act: Act, now: number): Execution | undefined => {
  if (act.do === "mint") return mint(outside, act, now)
  if (act.do === "allow") return allow(outside, act, now)
  if (act.do === "event") return receive(outside, act, now)
  if (act.do === "mail") return mail(outside, act, now)
  if (act.do === "verify") return verify(outside)
  if (act.do === "log") return sequence
  const secret = outside.secret(act.key)
  if (secret === undefined) return undefined
  if (act.do === "call") return call(outside, secret, act, now)
  return act.do === "claim" ? claim(outside, secret, now) : revoke(secret)
}
