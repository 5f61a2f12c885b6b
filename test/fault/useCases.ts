/**
 * Every use case of the services: its setup, its work, and the condition that holds once it has
 * succeeded.
 */

import { assert } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { ComparisonRequest } from "../../schema/comparison.ts"
import { EligibilityRequest } from "../../schema/eligibility.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { Administration } from "../../src/services/accounts/Administration.ts"
import { Keys } from "../../src/services/accounts/Keys.ts"
import { listSubscriptions } from "../../src/services/accounts/lists.ts"
import { Outbox } from "../../src/services/accounts/Outbox.ts"
import type { PaymentEvent } from "../../src/services/accounts/paymentEvent.ts"
import { AnswerLedger } from "../../src/services/answers/AnswerLedger.ts"
import { Answers } from "../../src/services/answers/Answers.ts"
import { Sequencer } from "../../src/services/log/Sequencer.ts"
import { TransparencyLog } from "../../src/services/log/TransparencyLog.ts"
import { claim } from "../support/claims.ts"
import { checkLog, record, recordBelowHorizon, sequenceAll } from "../support/logs.ts"
import type { MortalServices } from "../support/mortal.ts"
import { comparison, loan, projection } from "../support/requests.ts"
import { apply, mint } from "../support/services.ts"
import * as stripe from "../support/stripe.ts"

type Work<A> = Effect.Effect<A, unknown, MortalServices>

interface Ready {
  readonly work: Work<unknown>
  /** Checked after the last successful run of the work; `keys` are those that were mailed. */
  readonly holds?: (answer: never, keys: ReadonlyArray<string>) => Work<unknown>
}

export interface UseCase {
  readonly name: string
  /** Number of commits that change the database. */
  readonly commits: number
  readonly ready: Work<Ready>
  /** Whether a second run changes nothing. */
  readonly isOnce?: boolean
  /** Whether it uses the log, whose signed state the process remembers. */
  readonly isOfLog?: boolean
}

const caller = Effect.fnUntraced(function* (secret: string) {
  return yield* (yield* Keys).authenticate(secret)
})
const answers = <A>(work: (answers: Answers["Service"]) => Work<A>): Work<A> => Effect.flatMap(Answers, work)

/** A keyed call; its answer, if recorded, must be in the ledger. */
const keyed = (
  name: string,
  commits: number,
  call: (as: Effect.Success<ReturnType<typeof caller>>) => Work<unknown>
) => ({
  name,
  commits,
  ready: Effect.map(
    mint(),
    ({ secret }): Ready => ({
      work: Effect.flatMap(caller(secret), call),
      holds: (answerId: string | null) =>
        Effect.gen(function* () {
          if (answerId === null) return
          assert.isTrue(Option.isSome(yield* (yield* AnswerLedger).find(answerId)), "a record")
        })
    })
  )
})

const project = Schema.decodeUnknownSync(ProjectionRequest)(projection)
const compare = Schema.decodeUnknownSync(ComparisonRequest)(comparison)
const eligibility = Schema.decodeUnknownSync(EligibilityRequest)({ loans: [loan] })

const idOf = ({
  brief
}: {
  readonly brief: () => { readonly provenance: { readonly answerId: string | null } }
}): string => brief().provenance.answerId!

/** The first answer of a kind takes a second commit, which stores the kind. */
const CALLS: ReadonlyArray<UseCase> = [
  keyed("a projection", 2, (as) => answers((all) => Effect.map(all.project(as, "PublicApi", project), idOf))),
  keyed("a comparison", 2, (as) => answers((all) => Effect.map(all.compare(as, "McpServer", compare), idOf))),
  keyed("eligible plans", 1, (as) => answers((all) => Effect.as(all.eligiblePlans(as, eligibility), null)))
]

const answersToKey = (secret: string) => caller(secret)

const purchase = Effect.gen(function* () {
  const { email, secret } = yield* mint()
  const of = crypto.randomUUID()
  return { secret, email, of, customer: `cus_${of}` }
})

/** A customer with a paid subscription. */
const payer = Effect.gen(function* () {
  const bought = yield* purchase
  yield* apply(stripe.checkout(bought))
  yield* apply(stripe.oldInvoice(bought))
  const [subscription] = yield* listSubscriptions(bought.email, 1)
  return { ...bought, id: subscription!.id }
})

const event = (name: string, of: (purchase: stripe.Purchase) => PaymentEvent, isPaid = true): UseCase => ({
  name,
  commits: 1,
  isOnce: true,
  ready: Effect.gen(function* () {
    const bought = yield* isPaid ? payer : purchase
    if (isPaid) yield* claim(bought.secret)
    const paymentEvent = of(bought)
    return { work: apply(paymentEvent) }
  })
})

const PAYMENTS: ReadonlyArray<UseCase> = [
  event("a checkout that is paid", stripe.checkout, false),
  event("an invoice that is paid", stripe.oldInvoice, false),
  event("a refund", stripe.refund),
  event("a dispute", stripe.dispute),
  event("the end of a subscription", (bought) => stripe.deleted(bought, stripe.PAID_AT + 86_400_000)),
  event("a payment for something else", stripe.otherByLink, false)
]

const KEYS: ReadonlyArray<UseCase> = [
  {
    name: "a mint that replaces an earlier key",
    commits: 1,
    ready: Effect.map(
      mint(),
      ({ email }): Ready => ({
        work: mint(email),
        holds: ({ secret }: { readonly secret: string }) => answersToKey(secret)
      })
    )
  },
  {
    name: "a claim that replaces an earlier one",
    commits: 1,
    ready: Effect.gen(function* () {
      const { secret } = yield* payer
      yield* claim(secret)
      const holds = (claimed: { readonly secret: string }) => answersToKey(claimed.secret)
      return { work: claim(secret), holds }
    })
  }
]

/** Mails about the mint, the claim and the payment, and one with a key. */
const MAILS: UseCase = {
  name: "a round of mails",
  // Four mails take two commits each (lease and result), and one key is created in between.
  commits: 9,
  ready: Effect.gen(function* () {
    yield* claim((yield* payer).secret)
    yield* payer
    return {
      work: Effect.flatMap(Outbox, (outbox) => outbox.sendDue),
      holds: (_, keys) => answersToKey(keys.at(-1)!)
    } satisfies Ready
  })
}

const administer = (
  name: string,
  work: (all: Administration["Service"], subscriber: Effect.Success<typeof payer>) => Work<unknown>,
  before: (all: Administration["Service"], subscriber: Effect.Success<typeof payer>) => Work<unknown> = () =>
    Effect.void
): UseCase => ({
  name,
  commits: 1,
  isOnce: true,
  ready: Effect.gen(function* () {
    const administration = yield* Administration
    const subscriber = yield* payer
    yield* claim(subscriber.secret)
    yield* before(administration, subscriber)
    return { work: Effect.flatMap(Administration, (all) => work(all, subscriber)) }
  })
})

const ADMINISTRATION: ReadonlyArray<UseCase> = [
  administer("a manual payment", (all) => all.pay({ email: "by-hand@example.org", key: null })),
  { ...administer("a list of subscriptions", (_, { email }) => listSubscriptions(email, 1)), commits: 0 },
  administer("an operator ending a subscription", (all, { id }) => all.end(id)),
  administer(
    "an operator allowing a subscription again",
    (all, { id }) => all.allow(id),
    (all, { id }) => all.end(id)
  ),
  administer("a revocation of a key", (_, { secret }) =>
    Effect.flatMap(Administration, (all) => all.revoke(secret.slice(0, "slr_sbx_".length + 6)))
  )
]

const READS: ReadonlyArray<UseCase> = [
  {
    name: "a lookup of a record and of a page of records",
    commits: 0,
    isOnce: true,
    ready: Effect.map(
      record(1),
      ([id]): Ready => ({
        work: Effect.flatMap(AnswerLedger, (ledger) =>
          Effect.andThen(ledger.find(id!), ledger.page({ tenant: "reference", limit: 2 }))
        )
      })
    )
  },
  {
    name: "a checkpoint, a tile and a receipt",
    commits: 0,
    isOnce: true,
    isOfLog: true,
    ready: Effect.gen(function* () {
      const [id] = yield* record(2)
      yield* sequenceAll
      const work = Effect.flatMap(TransparencyLog, (log) =>
        Effect.all([log.checkpoint, log.keys, log.tile({ level: 0, n: 0, width: 2 }), log.receipt(id!)])
      )
      return { work }
    })
  }
]

const sequence = Effect.flatMap(Sequencer, (sequencer) => sequencer.sequence)
const logRound = (name: string, before: Work<unknown>): UseCase => ({
  name,
  commits: 1,
  isOfLog: true,
  ready: Effect.gen(function* () {
    yield* before
    yield* recordBelowHorizon(3)
    return { work: sequence, holds: () => Effect.andThen(sequenceAll, checkLog) }
  })
})

const LOG: ReadonlyArray<UseCase> = [
  logRound("the first round of the log", Effect.void),
  logRound("a round of the log", Effect.andThen(record(2), sequenceAll))
]

export const USE_CASES = [...CALLS, ...PAYMENTS, ...KEYS, MAILS, ...ADMINISTRATION, ...READS, ...LOG]
