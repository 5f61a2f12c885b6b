/**
 * Deadlines on a real database: the caller fails at once, and the statement is cleaned up in the
 * background.
 */
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { withDeadline } from "../../src/database/deadline.ts"
import { assert, layer } from "../support/effects.ts"
import { countOf, testServices } from "../support/services.ts"

const timedOut = () => "timed out" as const

/** Polls until `condition` holds, at most 500 times. */
const eventually = (condition: Effect.Effect<boolean, unknown, SqlClient.SqlClient>) =>
  condition.pipe(Effect.delay("10 millis"), Effect.repeat({ until: (holds) => holds, times: 500 }))

const isSleeping = (mark: string) =>
  Effect.map(
    countOf("pg_stat_activity", `state = 'active' AND query LIKE 'SELECT pg_sleep(1.5), ''${mark}''%'`),
    (n) => n > 0
  )

const sleep = (mark: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`SELECT pg_sleep(1.5), '${mark}'`))

layer(testServices())("a deadline", (it) => {
  it("does not affect work that ends in time, whether it succeeds or fails", function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* withDeadline(sql`SELECT 7 AS seven`, 1000, timedOut)
    assert.deepStrictEqual(row, { seven: 7 })
    const failure = yield* Effect.flip(withDeadline(sql`SELECT nothing FROM nowhere`, 1000, timedOut))
    assert.notStrictEqual(failure, "timed out")
  })

  it("fails the caller at once, then the query is canceled and its connection can be used again", function* () {
    const started = performance.now()
    const late = yield* Effect.flip(withDeadline(sleep("late"), 100, timedOut))
    assert.strictEqual(late, "timed out")
    assert.isBelow(performance.now() - started, 600)
    yield* eventually(Effect.map(isSleeping("late"), (sleeping) => !sleeping))
    const sql = yield* SqlClient.SqlClient
    const answers = yield* Effect.all(
      Array.from({ length: 24 }, () => sql`SELECT 1`),
      { concurrency: "unbounded" }
    )
    assert.lengthOf(answers, 24)
  })

  it("does not wait for a slow clean-up", function* () {
    const cleaned = yield* Deferred.make<void>()
    const release = yield* Deferred.make<void>()
    const work = Effect.never.pipe(
      Effect.onInterrupt(() => Effect.andThen(Deferred.await(release), Deferred.succeed(cleaned, undefined)))
    )
    assert.strictEqual(yield* Effect.flip(withDeadline(work, 20, timedOut)), "timed out")
    assert.isFalse(yield* Deferred.isDone(cleaned))
    yield* Deferred.succeed(release, undefined)
    yield* Deferred.await(cleaned)
  })

  it("lets work finish when its caller is interrupted", function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE mark (one int)`
    const work = Effect.andThen(Effect.sleep("100 millis"), sql`INSERT INTO mark VALUES (1)`)
    const caller = yield* Effect.forkChild(withDeadline(work, 2000, timedOut), { startImmediately: true })
    yield* Fiber.interrupt(caller)
    assert.strictEqual(yield* countOf("mark", "true"), 0)
    yield* eventually(Effect.map(countOf("mark", "true"), (count) => count === 1))
    assert.strictEqual(yield* countOf("mark", "true"), 1)
  })

  it.onTestClock("runs in real time, even if the fiber has another clock", function* () {
    yield* TestClock.setTime(0)
    assert.strictEqual(yield* Effect.flip(withDeadline(Effect.never, 20, timedOut)), "timed out")
  })
})
