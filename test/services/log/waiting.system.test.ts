/** The lock of the log in other hands: a log that stands still says so, and goes on. */
import { Clock, Context, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { MOST_RECORDS } from "../../../src/services/log/backlog.ts"
import { Sequencer } from "../../../src/services/log/Sequencer.ts"
import { TransparencyLog } from "../../../src/services/log/TransparencyLog.ts"
import { holdTransaction, useDatabase } from "../../support/database.ts"
import { checkLog, type LogServices, record, recordMany, sequenceAll } from "../../support/logs.ts"
import { servicesOn } from "../../support/services.ts"

const LOCK = "SELECT pg_advisory_xact_lock('log_head'::regclass::oid::int, 0)"
const database = useDatabase()

/** The work on a log whose clock goes on by a second a round, and what is told meanwhile. */
const onSlowLog = async (
  work: (
    rounds: (
      count: number,
      before?: Effect.Effect<unknown, unknown, LogServices>,
      back?: number
    ) => Effect.Effect<void, unknown, LogServices>,
    told: ReadonlyArray<string>
  ) => Effect.Effect<void, unknown, LogServices>
) => {
  const told: Array<string> = []
  const logger = Logger.make(({ message }) => void told.push([message].flat().map(String).join(" ")))
  let seconds = 0
  const rounds = Effect.fnUntraced(function* (
    count: number,
    before: Effect.Effect<unknown, unknown, LogServices> = Effect.void,
    back = 0
  ) {
    seconds -= back
    const clock = yield* Clock.Clock
    const { sequence } = yield* Sequencer
    const later: Clock.Clock = Object.assign(Object.create(clock), {
      currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + seconds * 1000)
    })
    for (let round = 0; round < count; round++, seconds++) {
      yield* before
      expect(yield* Effect.provideService(sequence, Clock.Clock, later)).toBe(0)
    }
  })
  const services = Sequencer.layer.pipe(Layer.provideMerge(servicesOn(database().url)))
  const all = work(rounds, told).pipe(Effect.provide(services), Effect.provide(Logger.layer([logger])), Effect.scoped)
  await Effect.runPromise(all)
}

it("a lock that somebody keeps for a minute while records wait is told, once a minute [F70]", () =>
  onSlowLog((rounds, told) =>
    Effect.gen(function* () {
      yield* record(1)
      yield* sequenceAll
      const held = yield* Effect.promise(() => holdTransaction(database(), LOCK))
      // Nothing waits.
      yield* rounds(70)
      expect(told).toEqual([])
      yield* record(1)
      yield* rounds(70)
      expect(told).toEqual([expect.stringContaining("another session holds its lock")])
      yield* Effect.promise(() => held.release())
      yield* sequenceAll
      expect(yield* checkLog).toBe(2)
    })
  ))

it("a lock that somebody keeps is told too if he shows what was signed before, from the oldest on [F70]", () =>
  onSlowLog((rounds, told) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const kept: Array<string> = []
      for (let signed = 0; signed < 4; signed++) {
        yield* record(1)
        yield* sequenceAll
        kept.push(yield* (yield* TransparencyLog).checkpoint)
      }
      const held = yield* Effect.promise(() => holdTransaction(database(), LOCK))
      yield* record(1)
      const showing = sql`UPDATE log_head SET checkpoint = ${kept[0]!}`
      // By a process that has seen the log grow, and by one that comes to it now.
      for (const services of [Layer.empty, Layer.fresh(Sequencer.layer)]) {
        const before = told.length
        yield* showing
        const shown = rounds(30).pipe(
          Effect.andThen(
            Effect.forEach(kept.slice(1), (checkpoint) =>
              Effect.andThen(sql`UPDATE log_head SET checkpoint = ${checkpoint}`, rounds(30))
            )
          )
        )
        yield* shown.pipe(Effect.provide(services))
        expect(told.slice(before)).toContainEqual(expect.stringContaining("another session holds its lock"))
      }
      yield* Effect.promise(() => held.release())
    })
  ))

it("a lock that somebody keeps is told too if the clock goes back meanwhile [F70]", () =>
  onSlowLog((rounds, told) =>
    Effect.gen(function* () {
      yield* record(1)
      yield* sequenceAll
      const held = yield* Effect.promise(() => holdTransaction(database(), LOCK))
      yield* record(1)
      yield* rounds(5)
      yield* rounds(5, Effect.void, 3600)
      expect(told).toEqual([expect.stringContaining("another session holds its lock")])
      yield* rounds(70)
      expect(told).toHaveLength(2)
      yield* Effect.promise(() => held.release())
    })
  ))

/** So many rounds of another process, each of which has the lock for some seconds, before it enters as many records as it can. */
const slowRounds = (
  seconds: number,
  count: number,
  rounds: (count: number) => Effect.Effect<void, unknown, LogServices>
) =>
  Effect.gen(function* () {
    const { sequence } = Context.get(yield* Layer.build(Layer.fresh(Sequencer.layer)), Sequencer)
    yield* recordMany(count * MOST_RECORDS + 1)
    for (let round = 0; round < count; round++) {
      const held = yield* Effect.promise(() => holdTransaction(database(), LOCK))
      yield* rounds(seconds)
      yield* Effect.promise(() => held.release())
      expect(yield* sequence).toBe(MOST_RECORDS)
    }
  }).pipe(Effect.scoped)

it("rounds of another process that take some seconds each are not told, however many records wait [F70]", () =>
  onSlowLog((rounds, told) =>
    Effect.gen(function* () {
      yield* record(1)
      yield* sequenceAll
      yield* slowRounds(6, 15, rounds)
      expect(told).toEqual([])
    })
  ))

it("a lock that somebody keeps is told too if he lets a round through now and then [F70]", () =>
  onSlowLog((rounds, told) =>
    Effect.gen(function* () {
      yield* record(1)
      yield* sequenceAll
      yield* slowRounds(30, 4, rounds)
      expect(told).toContainEqual(expect.stringContaining("another session holds its lock"))
    })
  ))

it("a lock that somebody keeps is told too if he writes each second that nothing waits [F70]", () =>
  onSlowLog((rounds, told) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* record(1)
      yield* sequenceAll
      const held = yield* Effect.promise(() => holdTransaction(database(), LOCK))
      yield* record(1)
      const pretend = sql`
        UPDATE log_head SET done = last_answer_seq(), size = size + 1, checkpoint = gen_random_uuid()::text`
      yield* rounds(70, pretend)
      expect(told).toEqual([expect.stringContaining("another session holds its lock")])
      yield* Effect.promise(() => held.release())
    })
  ))
