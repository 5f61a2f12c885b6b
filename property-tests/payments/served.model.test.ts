/**
 * Payers against the model of decision 0013: whatever Stripe tells, in whatever order, and whatever payers, strangers,
 * mail servers and operators do between, nobody's money is taken for nothing without a line for the operator, no line is
 * there without a reason, no stranger has what another paid for, and no key of a held subscription answers. Asked after
 * every step, of two purchases of one customer. PROPERTY_SEED draws other plays, and PROPERTY_RUNS more of them.
 */

import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, References, Result } from "effect"
import fc from "fast-check"
import { claim } from "../../test/support/claims.ts"
import { runs, seedOr } from "../../test/support/random.ts"
import { mint, newEmail, testServices } from "../../test/support/services.ts"
import { type Act, clear, linesOf, type Player, perform, playsOf, summaryOf, type World } from "./acts.ts"
import { BY_LINK, BY_PRICE, type Chapter } from "./chapters.ts"
import { endOf, holdsOn, inVain, isNamed, isReturned, keysOut, paymentsOf, reversalsOn } from "./model.ts"

const seed = seedOr(20261122)
const RUNS = runs(12, 130)
/** A play takes a tenth of a second, and several times that where others use the machine too. */
const LIMIT_MILLIS = 60_000 + RUNS * 1000

const told = (chapter: number): Act => ({ do: "event", who: 0, chapter })
/** Plays that once lost a payer: a stranger's key that stopped before the name came, and a dismissed trial that then paid. */
const FOUND: Array<[boolean, ReadonlyArray<Act>]> = [
  [true, [told(7), { do: "steal", who: 0 }, { do: "end", who: 0 }, told(0)]],
  [false, [told(3), { do: "dismiss", who: 0 }, told(6)]]
]

const newPlayer = Effect.fnUntraced(function* (customer: string, isNaming: boolean) {
  const email = newEmail()
  const stranger = yield* mint(email)
  const { keyId, secret } = yield* mint(email)
  const of = randomUUID()
  const player: Player = {
    externalId: `sub_${of}`,
    sandboxKeyId: keyId,
    purchase: { of, customer, email, ...(isNaming ? { keyId } : {}) },
    secret,
    strangersSecret: stranger.secret,
    given: [],
    keys: [],
    placed: new Set(),
    lifted: new Set(),
    dismissed: new Set(),
    dismissedReasons: new Set(),
    isToldOf: false,
    isBarred: false
  }
  return player
})

/** What can have stopped a key in a step. */
const stopsOf = ({ story }: World, player: Player) => ({
  placed: player.placed.size,
  reversals: new Set(reversalsOn(story, player).map(({ id }) => id))
})

/** Tells the model which keys a step has stopped, by whatever was new in it. */
const noteStops = (
  world: World,
  player: Player,
  before: ReturnType<typeof stopsOf>,
  live: string | null | undefined
) => {
  const reversals = reversalsOn(world.story, player).filter(({ id }) => !before.reversals.has(id))
  const byHold = reversals.length > 0 ? "reversal" : "another-key"
  const by = player.placed.size > before.placed ? "operator" : byHold
  for (const key of player.keys) {
    key.servedUntil = Math.min(key.servedUntil, ...reversals.map(({ createdAt }) => createdAt.getTime()))
    if (key.stop === undefined && key.prefix !== live) key.stop = { by, step: world.step }
  }
}

/** Money that was taken, kept and entitles to nothing yet, for want of an address or a checkout. */
const isToldUnpaid = (world: World, player: Player, lines: ReadonlyArray<unknown>) => {
  const kept = [...paymentsOf(world.story, player).keys()].filter((id) => !isReturned(world.story, id))
  if (kept.length > 0 && !player.isToldOf) assert.isNotEmpty(lines, "a payment of nobody")
}

const check = Effect.fnUntraced(function* (world: World, player: Player, before: ReturnType<typeof stopsOf>) {
  const [summary, lines] = [yield* summaryOf(player), yield* linesOf(player)]
  const { story } = world
  const now = Date.now()
  noteStops(world, player, before, summary?.keyPrefix)
  if (summary === undefined) return isToldUnpaid(world, player, lines)
  const holds = holdsOn(story, player)
  const isOver = endOf(story, player) <= now
  assert.sameMembers([...summary.why], isOver ? [...holds, "period-over"] : [...holds])
  if (holds.some((why) => why !== "key-barred")) assert.isNull(summary.keyPrefix)
  const strangers = player.keys.filter(({ holder }) => holder === "stranger").map(({ prefix }) => prefix)
  if (isNamed(story, player)) assert.notInclude(strangers, summary.keyPrefix)
  const listed = lines.filter(({ reason }) => reason === "held-or-ended").map(({ eventId }) => eventId)
  assert.deepStrictEqual(listed.sort(), inVain(story, player, now))
})

/** Who paid and is neither held nor over has a key, can claim one, or is known to the operator as one whom no mail reaches. */
const checkReached = Effect.fnUntraced(function* (world: World, player: Player) {
  const summary = yield* summaryOf(player)
  if (summary === undefined || summary.state !== "paid") return
  if (keysOut(world.story, player).some(({ prefix }) => prefix === summary.keyPrefix)) return
  if (player.dismissedReasons.has("not-mailed")) return
  if ((yield* linesOf(player)).some(({ reason }) => reason === "not-mailed")) return
  assert.isTrue(Result.isSuccess(yield* Effect.result(claim(player.secret))), "the payer's claim")
})

const play = Effect.fnUntraced(function* (
  chapters: ReadonlyArray<Chapter>,
  isNaming: boolean,
  acts: ReadonlyArray<Act>
) {
  yield* clear
  const customer = `cus_${randomUUID()}`
  const players = [yield* newPlayer(customer, isNaming), yield* newPlayer(customer, isNaming)]
  const world: World = { players, story: [], step: 0 }
  const last: Act = { do: "mail", who: 0, meanwhile: undefined }
  for (const act of [...acts, last]) {
    world.step += 1
    const before = players.map((player) => stopsOf(world, player))
    yield* perform(world, chapters, act)
    for (const [at, player] of players.entries()) yield* check(world, player, before[at]!)
  }
  for (const player of players) yield* checkReached(world, player)
})

layer(testServices(), { excludeTestServices: true })("who pays [F18]", (it) => {
  for (const [how, chapters] of [
    ["the price", BY_PRICE],
    ["the link alone", BY_LINK]
  ] as const) {
    it.effect(
      `is served or known to the operator, whatever happens, where ${how} tells what is sold`,
      () =>
        Effect.gen(function* () {
          const services = yield* Effect.context<Layer.Success<ReturnType<typeof testServices>>>()
          const holds = (isNaming: boolean, acts: ReadonlyArray<Act>) =>
            play(chapters, isNaming, acts).pipe(
              Effect.provideContext(services),
              Effect.provideService(References.MinimumLogLevel, "None"),
              Effect.runPromise
            )
          const property = fc.asyncProperty(fc.constantFrom(true, true, false), playsOf(chapters), holds)
          yield* Effect.promise(() => fc.assert(property, { numRuns: RUNS, seed, examples: FOUND }))
        }),
      LIMIT_MILLIS
    )
  }
})
