/** The lock of the log in other hands: a log that stands still says so, and goes on. */
import { Clock, Effect, Layer, Logger } from "effect"
import { expect, it } from "vitest"
import { Sequencer } from "../../../src/services/log/Sequencer.ts"
import { holdTransaction, useDatabase } from "../../support/database.ts"
import { checkLog, record, sequenceAll } from "../../support/logs.ts"
import { servicesOn } from "../../support/services.ts"

const LOCK = "SELECT pg_advisory_xact_lock('log_head'::regclass::oid::int, 0)"
const database = useDatabase()

it("a lock that somebody keeps for a minute while records wait is told, once a minute", async () => {
  const told: Array<string> = []
  const logger = Logger.make(({ message }) => void told.push([message].flat().map(String).join(" ")))
  const work = Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const { sequence } = yield* Sequencer
    let seconds = 0
    const later: Clock.Clock = Object.assign(Object.create(clock), {
      currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + seconds * 1000)
    })
    const rounds = Effect.fnUntraced(function* (count: number) {
      for (let round = 0; round < count; round++, seconds++) {
        expect(yield* Effect.provideService(sequence, Clock.Clock, later)).toBe(0)
      }
    })
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
  const services = Sequencer.layer.pipe(Layer.provideMerge(servicesOn(database().url)))
  await Effect.runPromise(work.pipe(Effect.provide(services), Effect.provide(Logger.layer([logger])), Effect.scoped))
})
