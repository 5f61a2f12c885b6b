/** What may happen to payers, one thing at a time, done to the service and told to the model. Judges nothing. */
import { assert } from "@effect/vitest"
import { Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { KeyRevocation } from "../../src/services/keys/KeyRevocation.ts"
import { type Mail, Mailer, MailNotSent } from "../../src/services/mail/Mailer.ts"
import { Outbox } from "../../src/services/mail/Outbox.ts"
import { Administration } from "../../src/services/payments/Administration.ts"
import type { PaymentEvent } from "../../src/services/payments/facts.ts"
import { claim, mailed } from "../../test/support/claims.ts"
import { apply, call, mint } from "../../test/support/services.ts"
import type * as stripe from "../../test/support/stripe.ts"
import type { Chapter } from "./chapters.ts"
import { endOf, type Heard, isNamed, type ModelKey, paymentsOf, reversalsOn, type Subject } from "./model.ts"

const PREFIX_CHARACTERS = "slr_live_".length + 6

/** A purchase, the sandbox keys of its payer and of a stranger who minted for the address before, and what both were given. */
export interface Player extends Subject {
  readonly purchase: stripe.Purchase
  readonly secret: string
  readonly strangersSecret: string
  readonly given: Array<string>
  readonly dismissedReasons: Set<string>
  /** The operator was shown a line of this subscription when it had been paid for. */
  isToldOf: boolean
}

export interface World {
  readonly players: ReadonlyArray<Player>
  readonly story: Array<Heard>
  step: number
}

const BY_ONE = ["use", "claim", "steal", "mintLate", "end", "allow", "revoke", "bar", "unbar", "dismiss"] as const
type ByOne = { readonly do: (typeof BY_ONE)[number]; readonly who: number }
type Told = { readonly do: "event"; readonly who: number; readonly chapter: number }
type Again = { readonly do: "again"; readonly who: number }
type MailingInVain = { readonly do: "mailInVain"; readonly isGivenUp: boolean; readonly who: number }
type Mailing = { readonly do: "mail"; readonly who: number; readonly meanwhile: ByOne | Told | undefined }
export type Act = ByOne | Told | Mailing | MailingInVain | Again

const MAX_ACTS = 14
const who = fc.constantFrom(0, 0, 0, 1)

const actOf = (chapters: ReadonlyArray<number>, ones: ReadonlyArray<ByOne["do"]>): fc.Arbitrary<Act> => {
  const event = fc.record({ do: fc.constant("event" as const), who, chapter: fc.constantFrom(...chapters) })
  const byOne = fc.record({ do: fc.constantFrom(...ones), who })
  const meanwhile = fc.option(fc.oneof(event, byOne), { nil: undefined })
  return fc.oneof(
    { weight: 8, arbitrary: event },
    { weight: 5, arbitrary: byOne },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("mail" as const), who, meanwhile }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("mailInVain" as const), isGivenUp: fc.boolean(), who }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("again" as const), who }) }
  )
}

/** Each play of a few chapters and a few acts: rare sequences are then not drowned by all that may happen beside. */
export const playsOf = (chapters: ReadonlyArray<Chapter>): fc.Arbitrary<ReadonlyArray<Act>> => {
  const some = fc.shuffledSubarray([...chapters.keys()], { minLength: 3, maxLength: 6 })
  const ones = fc.shuffledSubarray([...BY_ONE], { minLength: 2, maxLength: 4 })
  return fc
    .tuple(some, ones)
    .chain((drawn) => fc.array(actOf(...drawn), { minLength: 4, maxLength: MAX_ACTS, size: "max" }))
}

export const summaryOf = Effect.fnUntraced(function* ({ externalId, purchase }: Player) {
  const listed = yield* (yield* Administration).list(purchase.email)
  return listed.find((summary) => summary.externalId === externalId)
})

export const linesOf = Effect.fnUntraced(function* ({ externalId }: Player) {
  const lines = yield* (yield* Administration).unapplied(false)
  return lines.filter((line) => line.externalId === externalId)
})

const isWaiting = "sent_at IS NULL AND dropped_at IS NULL AND given_up_at IS NULL"
const update = (change: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`UPDATE outbox SET ${change} WHERE ${isWaiting}`))
const makeDue = update("next_attempt_at = created_at")
const makeOld = update("first_attempt_at = created_at - interval '4 days'")
/** Leaves nothing of the plays before: the operator's list is bounded. */
export const clear = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* update("dropped_at = created_at")
  yield* sql`UPDATE unapplied_event SET settled_at = received_at WHERE settled_at IS NULL`
  yield* sql`UPDATE payment SET dismissed_at = received_at WHERE dismissed_at IS NULL`
})

const mailInVain = Effect.flatMap(Outbox, (outbox) => outbox.sendDue).pipe(
  Effect.provide(Layer.fresh(Outbox.layer)),
  Effect.provideService(Mailer, { send: Option.some(() => Effect.fail(new MailNotSent({ reason: "refused" }))) })
)

const give = (player: Player, secret: string, holder: ModelKey["holder"], isOut: boolean) => {
  const prefix = secret.slice(0, PREFIX_CHARACTERS)
  player.given.push(secret)
  player.keys.push({ prefix, holder, isOut, servedUntil: Number.POSITIVE_INFINITY, stop: undefined })
}

const hear = Effect.fnUntraced(function* ({ step, story }: World, event: PaymentEvent) {
  story.push({ event, step })
  yield* apply(event)
})

const claimBy = Effect.fnUntraced(function* (player: Player, holder: ModelKey["holder"]) {
  const outcome = yield* Effect.result(claim(holder === "payer" ? player.secret : player.strangersSecret))
  if (Result.isSuccess(outcome)) give(player, outcome.success.secret, holder, true)
  return Result.isSuccess(outcome)
})

/** A call with the newest key that either was given is answered exactly while that key lives and the period lasts. */
const use = Effect.fnUntraced(function* ({ story }: World, player: Player) {
  const [secret, key] = [player.given.at(-1), player.keys.at(-1)]
  if (secret === undefined || key === undefined) return
  const outcome = yield* Effect.result(call(secret))
  const isExpected = key.stop === undefined && endOf(story, player) > Date.now()
  assert.strictEqual(Result.isSuccess(outcome), isExpected, "a call")
})

const dismiss = Effect.fnUntraced(function* ({ story }: World, player: Player) {
  const [line] = yield* linesOf(player)
  if (line === undefined || !(yield* (yield* Administration).dismiss(line.eventId))) return
  if (line.reason === "held-or-ended") player.dismissed.add(line.eventId)
  else {
    player.dismissedReasons.add(line.reason)
    player.isToldOf ||= paymentsOf(story, player).size > 0
  }
})

/** What needs the subscription that operators see, which is there once it is paid. */
const operate = Effect.fnUntraced(function* (world: World, player: Player, act: "end" | "allow" | "revoke") {
  const summary = yield* summaryOf(player)
  if (summary === undefined) return
  const administration = yield* Administration
  if (act === "end") yield* administration.end(summary.id)
  if (act === "end") player.placed.add("ended")
  if (act === "revoke" && summary.keyPrefix !== null) {
    yield* (yield* KeyRevocation).revoke(summary.keyPrefix)
    player.placed.add("operator")
  }
  if (act !== "allow") return
  yield* administration.allow(summary.id)
  player.placed.clear()
  for (const { id } of reversalsOn(world.story, player)) player.lifted.add(id)
})

const actOfOne = Effect.fnUntraced(function* (world: World, player: Player, act: ByOne["do"]) {
  if (act === "use") yield* use(world, player)
  else if (act === "claim") yield* claimBy(player, "payer")
  else if (act === "steal") {
    if (yield* claimBy(player, "stranger")) assert.isFalse(isNamed(world.story, player), "a stranger's claim")
  } else if (act === "mintLate") {
    const isPaid = (yield* summaryOf(player)) !== undefined
    const { secret } = yield* mint(player.purchase.email)
    if (isPaid) assert.isTrue(Result.isFailure(yield* Effect.result(claim(secret))), "a late key's claim")
  } else if (act === "bar" || act === "unbar") {
    if (act === "bar") yield* (yield* KeyRevocation).revoke(player.sandboxKeyId)
    else yield* (yield* Administration).allow(player.sandboxKeyId)
    player.isBarred = act === "bar"
  } else if (act === "dismiss") yield* dismiss(world, player)
  else yield* operate(world, player, act)
})

const keyIn = ({ text }: Mail) => /slr_live_[0-9A-Za-z]{38}/.exec(text)?.[0]

/** A key that lives when its mail was taken is out; one that was stopped or replaced meanwhile never will be. */
const take = Effect.fnUntraced(function* ({ players }: World, mail: Mail | undefined) {
  const secret = mail === undefined ? undefined : keyIn(mail)
  const player = players.find(({ purchase }) => purchase.email === mail?.to)
  if (secret === undefined || player === undefined) return
  const live = (yield* summaryOf(player))?.keyPrefix
  if (secret.startsWith(live ?? "none")) give(player, secret, "payer", true)
})

const mailTo = Effect.fnUntraced(function* <E, R>(
  world: World,
  meanwhile: (to: string) => Effect.Effect<unknown, E, R>
) {
  yield* makeDue
  let sent: Mail | undefined
  const whileSending = Effect.fnUntraced(function* (mail: Mail) {
    // By now the mail before was taken.
    yield* take(world, sent)
    sent = mail
    if (keyIn(mail) !== undefined) yield* meanwhile(mail.to)
  })
  yield* mailed(whileSending)
  yield* take(world, sent)
})

export const perform = Effect.fnUntraced(function* (world: World, chapters: ReadonlyArray<Chapter>, act: Act) {
  const player = world.players[act.who]!
  const simply = (simple: ByOne | Told) => {
    const of = world.players[simple.who]!
    return simple.do === "event" ? hear(world, chapters[simple.chapter]!(of.purchase)) : actOfOne(world, of, simple.do)
  }
  if (act.do === "mail") {
    let isOver = act.meanwhile === undefined
    yield* mailTo(world, (to) => {
      if (isOver || to !== player.purchase.email) return Effect.void
      isOver = true
      return simply(act.meanwhile!)
    })
  } else if (act.do === "again") {
    const { event } = world.story[world.step % Math.max(1, world.story.length)] ?? {}
    if (event !== undefined) yield* apply(event)
  } else if (act.do === "mailInVain") {
    yield* makeDue
    if (act.isGivenUp) yield* makeOld
    yield* mailInVain
  } else yield* simply(act)
})
