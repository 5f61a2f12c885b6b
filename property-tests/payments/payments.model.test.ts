/**
 * Tests that paid subscriptions behave like the model of decision 0013. Every event arrives twice,
 * and all events in a random order; payers and operators act in between. Two purchases of one
 * customer are checked after each step. Rare histories take many runs: the second tier draws new
 * ones each time, and PROPERTY_RUNS sets their number. A failure prints its seed.
 */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, References, Result } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { Administration } from "../../src/services/accounts/Administration.ts"
import type { PaymentEvent } from "../../src/services/accounts/paymentEvent.ts"
import { claim } from "../../test/support/claims.ts"
import { newSeedOr, runs } from "../../test/support/random.ts"
import { apply, mint, newEmail, testServices } from "../../test/support/services.ts"
import type * as stripe from "../../test/support/stripe.ts"
import { BY_LINK, BY_PRICE, type Chapter } from "./chapters.ts"
import { type Hold, Model, type Statement } from "./model.ts"

const seed = newSeedOr(20261122)
const RUNS = runs(12, 130)
/** A history takes a tenth of a second, and several times that on a busy machine. */
const LIMIT_MILLIS = 60_000 + RUNS * 1000

const MANUAL_ACTS = ["claim", "revoke", "end", "allow", "bar", "unbar"] as const
type Act =
  | { readonly do: (typeof MANUAL_ACTS)[number]; readonly who: number }
  /** `nth` distinguishes two events with the same content. */
  | { readonly do: "event"; readonly who: number; readonly chapter: number; readonly nth: number }

const who = fc.constantFrom(0, 0, 0, 1)

/** Each history has only a few kinds of events (chapters), so that rare sequences occur. */
const historiesOf = (chapters: ReadonlyArray<Chapter>): fc.Arbitrary<ReadonlyArray<Act>> => {
  const chapter = fc
    .shuffledSubarray([...chapters.keys()], { minLength: 3, maxLength: 6 })
    .chain((some) => fc.array(fc.record({ who, chapter: fc.constantFrom(...some) }), { minLength: 2, maxLength: 6 }))
  const manualActs = fc.array(fc.record({ do: fc.constantFrom(...MANUAL_ACTS), who }), { maxLength: 6 })
  return fc.tuple(chapter, manualActs).chain(([drawn, acts]) => {
    const events = drawn.map((event, nth) => ({ do: "event" as const, ...event, nth }))
    const all: ReadonlyArray<Act> = [...events, ...events, ...acts]
    return fc.shuffledSubarray([...all], { minLength: all.length })
  })
}

interface Player {
  readonly externalId: string
  readonly purchase: stripe.Purchase
  readonly sandboxKeyId: string
  readonly secret: string
  isBarred: boolean
}

interface World {
  readonly players: ReadonlyArray<Player>
  readonly chapters: ReadonlyArray<Chapter>
  readonly model: Model
  readonly events: Map<number, readonly [PaymentEvent, Statement]>
}

const newPlayer = Effect.fnUntraced(function* (customer: string, isNaming: boolean) {
  const email = newEmail()
  const { keyId, secret } = yield* mint(email)
  const of = randomUUID()
  const purchase = { of, customer, email, ...(isNaming ? { keyId } : {}) }
  const player: Player = { externalId: `sub_${of}`, purchase, sandboxKeyId: keyId, secret, isBarred: false }
  return player
})

interface Row {
  readonly externalId: string
  readonly id: string
  readonly isPaid: boolean
  readonly endsAt: Date | null
  readonly heldWhy: Hold | null
  readonly livePrefix: string | null
}

const rowsOf = Effect.fnUntraced(function* (players: ReadonlyArray<Player>) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Row>`
    SELECT external_id AS "externalId", id, paid_at IS NOT NULL AS "isPaid", ends_at AS "endsAt", held_why AS "heldWhy",
      (SELECT prefix FROM api_key WHERE subscription_id = subscription.id AND revoked_at IS NULL) AS "livePrefix"
    FROM subscription WHERE external_id IN ${sql.in(players.map(({ externalId }) => externalId))}`
})

const check = Effect.fnUntraced(function* ({ model, players }: World) {
  const rows = yield* rowsOf(players)
  for (const { externalId } of players) {
    const row = rows.find((one) => one.externalId === externalId)
    assert.strictEqual(row?.isPaid ?? false, model.isPaid(externalId), "paid")
    assert.strictEqual(row?.endsAt?.getTime() ?? Number.POSITIVE_INFINITY, model.endsAt(externalId), "ended")
    assert.strictEqual(row?.heldWhy ?? null, model.holdOn(externalId), "held")
    if (model.holdOn(externalId) !== null) assert.isNull(row?.livePrefix, "no key of a held subscription lives")
  }
})

const claimBy = Effect.fnUntraced(function* ({ model }: World, { externalId, isBarred, secret }: Player) {
  const isOpen = model.isPaid(externalId) && model.endsAt(externalId) > Date.now()
  const mayClaim = isOpen && model.holdOn(externalId) === null && !isBarred
  assert.strictEqual(Result.isSuccess(yield* Effect.result(claim(secret))), mayClaim, "a claim")
})

/** An act of the operator on the subscription or its live production key, if there is one. */
const operate = Effect.fnUntraced(function* ({ model }: World, player: Player, act: "revoke" | "end" | "allow") {
  const [row] = yield* rowsOf([player])
  if (row === undefined) return
  const administration = yield* Administration
  if (act === "end") {
    yield* administration.end(row.id)
    model.hold(player.externalId, "ended")
  } else if (act === "allow") {
    yield* administration.allow(row.id)
    model.allow(player.externalId)
  } else if (row.livePrefix !== null) {
    yield* (yield* Administration).revoke(row.livePrefix)
    model.hold(player.externalId, "operator")
  }
})

const receive = Effect.fnUntraced(function* (world: World, player: Player, { chapter, nth }: Act & { do: "event" }) {
  const { event, says } = world.chapters[chapter]!
  const { externalId, purchase } = player
  const known = world.events.get(nth) ?? ([event(purchase), { of: externalId, ...says(purchase) }] as const)
  world.events.set(nth, known)
  world.model.receive(known[1])
  yield* apply(known[0])
})

const perform = Effect.fnUntraced(function* (world: World, act: Act) {
  const player = world.players[act.who]!
  if (act.do === "event") return yield* receive(world, player, act)
  if (act.do === "claim") return yield* claimBy(world, player)
  if (act.do !== "bar" && act.do !== "unbar") return yield* operate(world, player, act.do)
  if (act.do === "bar") yield* (yield* Administration).revoke(player.sandboxKeyId)
  else yield* (yield* Administration).allow(player.sandboxKeyId)
  player.isBarred = act.do === "bar"
})

const live = Effect.fnUntraced(function* (
  chapters: ReadonlyArray<Chapter>,
  isNaming: boolean,
  history: ReadonlyArray<Act>
) {
  const customer = `cus_${randomUUID()}`
  const players = [yield* newPlayer(customer, isNaming), yield* newPlayer(customer, isNaming)]
  const world: World = { players, chapters, model: new Model(), events: new Map() }
  for (const act of history) {
    yield* perform(world, act)
    yield* check(world)
  }
})

layer(testServices(), { excludeTestServices: true })("payments", (it) => {
  for (const [how, chapters] of [
    ["the price", BY_PRICE],
    ["the link alone", BY_LINK]
  ] as const) {
    it.effect(
      `are paid and ended the same in every order, and held by the rule, if ${how} identifies the product`,
      () =>
        Effect.gen(function* () {
          const services = yield* Effect.context<Layer.Success<ReturnType<typeof testServices>>>()
          const holds = (isNaming: boolean, history: ReadonlyArray<Act>) =>
            live(chapters, isNaming, history).pipe(
              Effect.provideContext(services),
              Effect.provideService(References.MinimumLogLevel, "None"),
              Effect.runPromise
            )
          const property = fc.asyncProperty(fc.boolean(), historiesOf(chapters), holds)
          yield* Effect.promise(() => fc.assert(property, { numRuns: RUNS, seed }))
        }),
      LIMIT_MILLIS
    )
  }
})
