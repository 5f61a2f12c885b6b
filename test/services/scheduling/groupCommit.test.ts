/** Group commit: which items share a batch, and that no caller's end affects the others. */
import { Deferred, Effect, Fiber, Result } from "effect"
import { SqlClient } from "effect/sql"
import { Charging } from "../../../src/services/answers/Charging.ts"
import { makeGroupCommit } from "../../../src/services/scheduling/groupCommit.ts"
import { assert, describe, it, layer } from "../../support/effects.ts"
import { countOf, entry, newCaller, tally, testServices } from "../../support/services.ts"

class Unavailable {
  readonly _tag = "Unavailable"
}

/** A group commit whose batches wait for a gate. Numbers of the same sign may share a batch. */
const gatedCommit = Effect.fnUntraced(function* (deadlineMilliseconds = 5000) {
  const batches: Array<ReadonlyArray<number>> = []
  const gate = yield* Deferred.make<void>()
  const state = { isAway: false }
  const { commit } = yield* makeGroupCommit<number, string, Unavailable>({
    work: "test",
    commit: (batch) => {
      batches.push(batch)
      return Effect.as(
        Deferred.await(gate),
        batch.map((item) => (state.isAway ? Result.fail(new Unavailable()) : Result.succeed(`done ${item}`)))
      )
    },
    isOutage: (results) => results.every(Result.isFailure),
    isSameBatch: (first, next) => Math.sign(first) === Math.sign(next),
    deadlineMilliseconds,
    unavailable: () => new Unavailable()
  })
  const start = (item: number, key = "key") => Effect.forkChild(commit(key, item), { startImmediately: true })
  return { batches, commit, open: Deferred.succeed(gate, undefined), start, state }
})

const resultsOf = <A, E>(callers: ReadonlyArray<Fiber.Fiber<A, E>>) =>
  Effect.forEach(callers, (caller) => Effect.result(Fiber.join(caller)))

describe("a group commit", () => {
  it("commits a lone item at once, then those that arrived meanwhile together, each with its own answer", function* () {
    const { batches, open, start } = yield* gatedCommit()
    const callers = yield* Effect.forEach([1, 2, 3, 4], (item) => start(item))
    assert.deepStrictEqual(batches, [[1]])
    yield* open
    const answers = yield* Effect.forEach(callers, Fiber.join)
    assert.deepStrictEqual(answers, ["done 1", "done 2", "done 3", "done 4"])
    assert.deepStrictEqual(batches, [[1], [2, 3, 4]])
  })

  it("separates keys, and items that may not share a batch", function* () {
    const { batches, open, start } = yield* gatedCommit()
    const callers = [yield* start(1), yield* start(2), yield* start(-3), yield* start(4), yield* start(5, "other")]
    assert.deepStrictEqual(batches, [[1], [5]])
    yield* open
    yield* Effect.forEach(callers, Fiber.join)
    assert.deepStrictEqual(batches.slice(2), [[2], [-3], [4]])
  })

  it("commits at most 128 items together, and refuses those beyond a queue of 1,024", function* () {
    const { batches, open, start } = yield* gatedCommit()
    const first = yield* start(1)
    const waiting = yield* Effect.forEach(Array.from({ length: 1025 }), (_, index) => start(index + 2))
    yield* open
    yield* Fiber.join(first)
    assert.deepStrictEqual(tally(yield* resultsOf(waiting)), { ok: 1024, Unavailable: 1 })
    assert.deepStrictEqual(
      batches.map(({ length }) => length),
      [1, ...Array.from({ length: 8 }, () => 128)]
    )
  })

  it("overtakes a batch that takes too long, which then leaves the queue to the overtaking one", function* () {
    const slow = yield* Deferred.make<void>()
    const batches: Array<ReadonlyArray<number>> = []
    const { commit, isBusy } = yield* makeGroupCommit<number, string, Unavailable>({
      work: "test",
      commit: (batch) => {
        batches.push(batch)
        const done = batch.map((item) => (item === 1 ? Result.fail(new Unavailable()) : Result.succeed(`done ${item}`)))
        return Effect.as(batch.includes(1) ? Deferred.await(slow) : Effect.sleep("5 millis"), done)
      },
      isOutage: (results) => results.every(Result.isFailure),
      isSameBatch: () => true,
      deadlineMilliseconds: 5000,
      patienceMilliseconds: 30,
      unavailable: () => new Unavailable()
    })
    const start = (item: number) => Effect.forkChild(commit("key", item), { startImmediately: true })
    const first = yield* start(1)
    const others = yield* Effect.forEach([2, 3], start)
    assert.deepStrictEqual(batches, [[1]])
    assert.deepStrictEqual(yield* Effect.forEach(others, Fiber.join), ["done 2", "done 3"])
    // The slow batch fails as in an outage; items that overtook it do not fail with it.
    const late = yield* Effect.forEach([4, 5, 6], start)
    yield* Deferred.succeed(slow, undefined)
    assert.deepStrictEqual(tally(yield* resultsOf([first, ...late])), { ok: 3, Unavailable: 1 })
    assert.deepStrictEqual(batches.slice(0, 2), [[1], [2, 3]])
    assert.deepStrictEqual(batches.flat(), [1, 2, 3, 4, 5, 6])
    assert.strictEqual(yield* commit("key", 7), "done 7")
    yield* Effect.sleep("10 millis")
    assert.isFalse(isBusy("key"))
  })

  it("lets a step-by-step commit skip items whose callers have given up", function* () {
    const committed: Array<number> = []
    const gates = new Map([1, 2].map((item) => [item, Deferred.makeUnsafe<void>()]))
    const ended = yield* Deferred.make<void>()
    const { commit } = yield* makeGroupCommit<number, string, Unavailable>({
      work: "test",
      commit: Effect.fnUntraced(function* (batch, isAbandoned) {
        const results: Array<Result.Result<string, Unavailable>> = []
        for (const [index, item] of batch.entries()) {
          if (isAbandoned(index)) {
            results.push(Result.fail(new Unavailable()))
            continue
          }
          const gate = gates.get(item)
          if (gate !== undefined) yield* Deferred.await(gate)
          committed.push(item)
          results.push(Result.succeed(`done ${item}`))
        }
        if (batch.includes(2)) yield* Deferred.succeed(ended, undefined)
        return results
      }),
      isOutage: () => false,
      isSameBatch: () => true,
      deadlineMilliseconds: 150,
      unavailable: () => new Unavailable()
    })
    const callers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (item) =>
      Effect.forkChild(commit("key", item), { startImmediately: true })
    )
    yield* Deferred.succeed(gates.get(1)!, undefined)
    assert.deepStrictEqual(tally(yield* resultsOf(callers)), { ok: 1, Unavailable: 5 })
    yield* Deferred.succeed(gates.get(2)!, undefined)
    yield* Deferred.await(ended)
    assert.deepStrictEqual(committed, [1, 2])
  })

  it("fails all callers if a commit ends in a defect", function* () {
    const { commit } = yield* makeGroupCommit<number, string, Unavailable>({
      work: "test",
      commit: () => Effect.andThen(Effect.sleep("20 millis"), Effect.die("a defect")),
      isOutage: () => false,
      isSameBatch: () => true,
      deadlineMilliseconds: 5000,
      unavailable: () => new Unavailable()
    })
    const callers = yield* Effect.forEach([1, 2, 3], (item) =>
      Effect.forkChild(commit("key", item), { startImmediately: true })
    )
    assert.deepStrictEqual(tally(yield* resultsOf(callers)), { Unavailable: 3 })
  })

  it("continues for other callers if one is interrupted, in the current batch or in the queue", function* () {
    const { batches, open, start } = yield* gatedCommit()
    const [first, second, third] = [yield* start(1), yield* start(2), yield* start(3)]
    yield* Fiber.interrupt(first)
    yield* Fiber.interrupt(second)
    yield* open
    assert.strictEqual(yield* Fiber.join(third), "done 3")
    assert.deepStrictEqual(batches, [[1], [2, 3]])
  })

  it("fails a queued caller at its deadline, and does not commit its item", function* () {
    const { batches, open, start } = yield* gatedCommit(100)
    const first = yield* start(1)
    const started = performance.now()
    assert.deepStrictEqual(tally(yield* resultsOf([yield* start(2), yield* start(3)])), { Unavailable: 2 })
    assert.isBelow(performance.now() - started, 1000)
    const last = yield* start(4)
    yield* open
    assert.strictEqual(yield* Fiber.join(first), "done 1")
    assert.strictEqual(yield* Fiber.join(last), "done 4")
    assert.deepStrictEqual(batches, [[1], [4]])
  })

  it("fails the whole queue if a batch meets an outage, and then works again", function* () {
    const { batches, commit, open, start, state } = yield* gatedCommit()
    state.isAway = true
    const callers = yield* Effect.forEach([1, 2, 3], (item) => start(item))
    yield* open
    assert.deepStrictEqual(tally(yield* resultsOf(callers)), { Unavailable: 3 })
    state.isAway = false
    assert.strictEqual(yield* commit("key", 4), "done 4")
    assert.deepStrictEqual(batches, [[1], [4]])
  })
})

layer(testServices())("on PostgreSQL, charges of one key", (it) => {
  it("that wait for its row share one statement, even if one caller is interrupted", function* () {
    const sql = yield* SqlClient.SqlClient
    const charging = yield* Charging
    const caller = yield* newCaller()
    const [locked, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const lock = sql`SELECT FROM api_key WHERE id = ${caller.keyId} FOR UPDATE`.pipe(
      Effect.andThen(Deferred.succeed(locked, undefined)),
      Effect.andThen(Deferred.await(release))
    )
    const holder = yield* Effect.forkChild(sql.withTransaction(lock))
    yield* Deferred.await(locked)
    const callers = yield* Effect.forEach(Array.from({ length: 5 }), () =>
      Effect.forkChild(charging.record(caller, entry()), { startImmediately: true })
    )
    yield* Fiber.interrupt(callers[2]!)
    yield* Deferred.succeed(release, undefined)
    yield* Fiber.join(holder)

    const results = yield* resultsOf(callers.toSpliced(2, 1))
    const counts = results.map((result) => (Result.isSuccess(result) ? result.success.used : 0))
    assert.deepStrictEqual(counts, [1, 2, 4, 5])
    assert.strictEqual(yield* countOf("answer", `key_id = '${caller.keyId}'`), 5)
    // Rows of one statement share a transaction id: the first call alone, then four together.
    const batches = yield* sql<{ readonly rows: number }>`
      SELECT count(*)::int AS rows FROM answer WHERE key_id = ${caller.keyId} GROUP BY xmin::text ORDER BY 1`
    assert.deepStrictEqual(
      batches.map(({ rows }) => rows),
      [1, 4]
    )
  })
})
