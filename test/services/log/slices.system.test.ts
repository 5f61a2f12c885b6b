/** The lock of the log in other hands, slice after slice, by whoever raises `done` meanwhile: no record stays out for it. */
import { PgClient } from "@effect/sql-pg"
import { Clock, Context, Deferred, Effect, Fiber, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { MOST_RECORDS } from "../../../src/services/log/backlog.ts"
import { logHead } from "../../../src/services/log/condition.ts"
import { Sequencer } from "../../../src/services/log/Sequencer.ts"
import { holdTransaction, migratedDatabase } from "../../support/database.ts"
import { checkLog, gauges, type LogServices, lines, record, recordMany, sequenceAll } from "../../support/logs.ts"
import { countOf, servicesOn } from "../../support/services.ts"

const LOCK = "SELECT pg_advisory_xact_lock('log_head'::regclass::oid::int, 0)"
const ROW = "recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash"
const INSERT = `INSERT INTO answer (${ROW})
  SELECT recorded_at, gen_random_uuid(), tenant, key_id, kind, inputs_hash, answer_hash FROM answer ORDER BY seq LIMIT 1`
/** Numbers that one round looks at. */
const PASSED = 10_000
const MOST_MILLISECONDS = 2000

type InSlice = <A, E>(
  work: Effect.Effect<A, E, LogServices>,
  said?: string
) => Effect.Effect<void, unknown, LogServices>

/** The work while somebody has the lock, who lets go of it once he has raised `done` over all that waits, or said else. */
const slicesOn =
  (url: Redacted.Redacted<string>): InSlice =>
  (work, said = "done = last_answer_seq()") =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* Effect.promise(() => holdTransaction({ url }, LOCK))
      yield* work
      yield* sql.unsafe(`UPDATE log_head SET ${said}`)
      yield* Effect.promise(held.release)
    })

/** The work on a log of its own, of a process that has had its first round. */
const onDatabase = (
  work: (inSlice: InSlice, url: Redacted.Redacted<string>) => Effect.Effect<void, unknown, LogServices>
) =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const services = Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url)))
    yield* record(1).pipe(
      Effect.andThen(sequenceAll),
      Effect.andThen(work(slicesOn(url), url)),
      Effect.provide(services)
    )
  }).pipe(Effect.scoped, Effect.runPromise)

/** A time that only passes second by second, when it is told to. */
const makeTime = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  let now = yield* clock.currentTimeMillis
  const stopped: Clock.Clock = Object.assign(Object.create(clock), { currentTimeMillis: Effect.sync(() => now) })
  const second = Effect.sync(() => {
    now += 1000
  })
  return { inTime: Effect.provideService(Clock.Clock, stopped), second }
})

const unlogged = countOf("answer", "seq NOT IN (SELECT seq FROM log_entry)")

it("all that waits is entered in the first round after a slice, whatever log_head says is done [F70]", () =>
  onDatabase((inSlice) =>
    Effect.gen(function* () {
      const { layer, told } = lines()
      const { sequence } = yield* Sequencer
      yield* inSlice(
        Effect.gen(function* () {
          yield* record(83)
          expect(yield* sequence).toBe(0)
        })
      ).pipe(Effect.provide(layer))
      expect(yield* sequence.pipe(Effect.provide(layer))).toBe(83)
      yield* recordMany(3000)
      yield* inSlice(sequence)
      yield* sequenceAll.pipe(Effect.provide(layer))
      expect(yield* unlogged).toBe(0)
      yield* checkLog
      expect(told).toEqual([])
    })
  ))

for (const said of [
  "done = last_answer_seq()",
  "mark = last_answer_seq(), writers = '{}'",
  "mark = last_answer_seq(), marked_at = '2000-01-01'"
])
  it(`a record that is committed after ${said} was said is entered when it is, and not by the search for late ones`, () =>
    onDatabase((inSlice, url) =>
      Effect.gen(function* () {
        const { layer, told } = lines()
        const { sequence } = yield* Sequencer
        const written = yield* Deferred.make<void>()
        const go = yield* Deferred.make<void>()
        const late = Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const work = sql
            .unsafe(INSERT)
            .pipe(Effect.andThen(Deferred.succeed(written, undefined)), Effect.andThen(Deferred.await(go)))
          yield* sql.withTransaction(work)
        }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))
        const fiber = yield* Effect.forkChild(late)
        yield* Deferred.await(written)
        yield* inSlice(record(2), said)
        expect(yield* sequence).toBe(2)
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.join(fiber)
        expect(yield* sequence.pipe(Effect.provide(layer))).toBe(1)
        yield* checkLog
        expect(told).toEqual([])
      })
    ))

it("slices in which more comes than the rounds between them can take are told [F70]", () =>
  onDatabase((inSlice) =>
    Effect.gen(function* () {
      const { layer, told } = lines()
      const { inTime, second } = yield* makeTime
      const { sequence } = yield* Sequencer
      const round = sequence.pipe(inTime, Effect.provide(layer))
      const polled = Effect.repeat(Effect.andThen(round, second), { times: 27 })
      for (let slice = 0; slice < 3; slice++) {
        yield* inSlice(Effect.andThen(recordMany(2500), polled))
        yield* round
      }
      expect(told).toEqual([{ level: "Error", text: expect.stringContaining("another session holds its lock") }])
      yield* sequenceAll
      expect(yield* unlogged).toBe(0)
      yield* checkLog
    })
  ))

it("slices between which two processes have a round in turn are told too, though the log grows by both [F70]", () =>
  onDatabase((inSlice) =>
    Effect.gen(function* () {
      const { layer, told } = lines()
      const { inTime, second } = yield* makeTime
      const other = Context.get(yield* Layer.build(Layer.fresh(Sequencer.layer)), Sequencer)
      const rounds = [(yield* Sequencer).sequence, other.sequence].map((sequence) =>
        sequence.pipe(inTime, Effect.provide(layer))
      )
      const polled = Effect.gen(function* () {
        for (const round of rounds) yield* round
        yield* second
      })
      yield* polled
      for (let slice = 0; slice < 6; slice++) {
        yield* inSlice(Effect.andThen(recordMany(1500), Effect.repeat(polled, { times: 27 })))
        yield* rounds[slice % 2]!
      }
      expect(told).toContainEqual({ level: "Error", text: expect.stringContaining("another session holds its lock") })
      yield* sequenceAll
      yield* checkLog
    }).pipe(Effect.scoped)
  ))

it("a lock that is let go for one round now and then is told, once a minute [F70]", () =>
  onDatabase((_, url) =>
    Effect.gen(function* () {
      const { layer, told } = lines()
      const { inTime, second } = yield* makeTime
      const round = (yield* Sequencer).sequence.pipe(inTime, Effect.provide(layer))
      const letGoOnce = Effect.gen(function* () {
        expect(yield* round).toBe(MOST_RECORDS)
        const held = yield* Effect.promise(() => holdTransaction({ url }, LOCK))
        expect(yield* round).toBe(0)
        yield* Effect.repeat(second, { times: 4 })
        yield* Effect.promise(held.release)
      })
      for (let many = 0; many < 2; many++) yield* recordMany(20 * MOST_RECORDS)
      yield* Effect.repeat(letGoOnce, { times: 11 })
      expect(told).toEqual([])
      yield* Effect.repeat(letGoOnce, { times: 13 })
      const line = { level: "Error", text: expect.stringContaining("another session holds its lock") }
      expect(told).toEqual([line, line])
      yield* sequenceAll
      yield* checkLog
    })
  ))

it("what waits is counted among the newest records, whatever log_head says is done [F70]", () =>
  onDatabase((inSlice) =>
    Effect.gen(function* () {
      const before = yield* logHead
      expect([before.waiting, before.waitingSince]).toEqual([0, null])
      yield* inSlice(record(7))
      const head = yield* logHead
      expect([head.waiting, head.waitingSince]).toEqual([7, expect.any(Date)])
      expect((yield* gauges).get("log_waiting_records")).toBe(7)
      yield* sequenceAll
      expect((yield* logHead).waiting).toBe(0)
    })
  ))

it("a process that was long without the lock enters new records at once, and goes on from where the others are [F70]", () =>
  onDatabase((inSlice) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { sequence } = yield* Sequencer
      yield* Effect.andThen(recordMany(3 * PASSED + 100), sequenceAll).pipe(
        Effect.provide(Layer.fresh(Sequencer.layer))
      )
      for (let rounds = 0; rounds < 5; rounds++) {
        yield* record(1)
        const before = performance.now()
        expect(yield* sequence).toBe(1)
        expect(performance.now() - before).toBeLessThan(MOST_MILLISECONDS)
      }
      yield* checkLog
      const [head] = yield* sql`SELECT FROM log_head WHERE done = last_answer_seq()`
      expect(head).toBeDefined()
      // By now it has come to the end itself.
      yield* inSlice(record(1))
      expect(yield* sequence).toBe(1)
    })
  ))
