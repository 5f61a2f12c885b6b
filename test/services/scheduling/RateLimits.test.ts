/** Short-term rate limits: their pace, their bounded memory, and a clock that is set back. */
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeBucket, RateLimits } from "../../../src/services/scheduling/RateLimits.ts"
import { assert, describe, it } from "../../support/effects.ts"
import { testConfig } from "../../support/settings.ts"

const limitsOf = (variables: Readonly<Record<string, string>> = {}) =>
  RateLimits.pipe(Effect.provide(RateLimits.layer), Effect.provide(testConfig(variables)))

describe("a rate limit", () => {
  it.onTestClock("lets its full number of calls pass at once, and then one at a time", function* () {
    const limits = yield* limitsOf({ RATE_LIMIT_VERIFY: "6/m" })
    for (let call = 0; call < 6; call++) yield* limits.consume("verify", "one")
    const refused = yield* Effect.flip(limits.consume("verify", "one"))
    assert.deepInclude(refused, { _tag: "RateLimited", retryAfterSeconds: 10 })
    yield* limits.consume("verify", "another")
    yield* limits.consume("claim", "one")

    yield* TestClock.adjust("9999 millis")
    assert.strictEqual((yield* Effect.flip(limits.consume("verify", "one"))).retryAfterSeconds, 1)
    yield* TestClock.adjust("1 millis")
    yield* limits.consume("verify", "one")
    yield* Effect.flip(limits.consume("verify", "one"))
    yield* TestClock.adjust("1 hour")
    for (let call = 0; call < 6; call++) yield* limits.consume("verify", "one")
    yield* Effect.flip(limits.consume("verify", "one"))
  })

  it.onTestClock("that is off limits nothing", function* () {
    const limits = yield* limitsOf({ RATE_LIMIT_MINT: "off" })
    for (let call = 0; call < 1000; call++) yield* limits.consume("mint", "one")
  })

  it("gives the subnets of one IPv6 network 4 times as much by /56 and 16 times as much by /48", function* () {
    const passed = (subnets: ReadonlyArray<number>) => {
      const bucket = makeBucket({ calls: 5, seconds: 3600 })
      const calls = subnets.flatMap((subnet) =>
        Array.from({ length: 6 }, () => `2001:db8:9:${subnet.toString(16)}::/64`)
      )
      return calls.filter((client) => bucket.consume(client, 0) === 0).length
    }
    const subnets = (step: number) => Array.from({ length: 100 }, (_, index) => index * step)
    assert.deepStrictEqual([passed([7]), passed(subnets(1)), passed(subnets(257))], [5, 20, 80])
    const bucket = makeBucket({ calls: 1, seconds: 3600 })
    for (let network = 0; network < 100; network++)
      assert.strictEqual(bucket.consume(`2001:db8:${network}:1::/64`, 0), 0)
  })

  it("evicts the client that was seen least recently, and no other [F37]", function* () {
    const bucket = makeBucket({ calls: 1, seconds: 60 }, 1000)
    for (let client = 0; client < 1_000_000; client++) bucket.consume(`c${client}`, 0)
    assert.strictEqual(bucket.size(), 1000)
    assert.isAbove(bucket.consume("c999999", 0), 0)
    assert.isAbove(bucket.consume("c999000", 0), 0)
    assert.strictEqual(bucket.consume("c998999", 0), 0)
  })

  it("grants no extra call when the clock is set back, and blocks no client longer than its window [F11]", function* () {
    const bucket = makeBucket({ calls: 2, seconds: 10 })
    assert.strictEqual(bucket.consume("one", 100_000), 0)
    assert.strictEqual(bucket.consume("one", 100_000), 0)
    assert.isAbove(bucket.consume("one", 95_000), 0)
    assert.isAtMost(bucket.consume("one", 0), 10_000)
    assert.strictEqual(bucket.consume("one", 110_000), 0)
  })
})

describe("a clock that is set back", () => {
  /** A clock whose wall time and monotonic time are independent, as in an operating system. */
  const clockOf = (wall: () => number, elapsed: () => number): Clock.Clock => {
    const nanos = (millis: number) => BigInt(Math.round(millis)) * 1_000_000n
    return {
      currentTimeMillisUnsafe: wall,
      currentTimeMillis: Effect.sync(wall),
      currentTimeNanosUnsafe: () => nanos(wall()),
      currentTimeNanos: Effect.sync(() => nanos(wall())),
      monotonicTimeNanosUnsafe: () => nanos(elapsed()),
      monotonicTimeNanos: Effect.sync(() => nanos(elapsed())),
      sleep: () => Effect.void
    }
  }

  it("by a year refuses no client that keeps the limit [F11]", function* () {
    let wall = Date.UTC(2027, 0, 1)
    let elapsed = 1_000_000
    const clock = clockOf(
      () => wall,
      () => elapsed
    )
    yield* Effect.gen(function* () {
      const limits = yield* limitsOf()
      for (let call = 0; call < 40; call++) yield* limits.consume("key", "one")
      yield* Effect.flip(limits.consume("key", "one"))
      wall -= 365 * 86_400_000
      elapsed += 1000
      for (let call = 0; call < 40; call++) yield* limits.consume("key", "one")
      yield* Effect.flip(limits.consume("key", "one"))
    }).pipe(Effect.provideService(Clock.Clock, clock))
  })
})

describe("a limit that is counted afterwards", () => {
  it.onTestClock("refuses a client that has used it up, and no other", function* () {
    const limits = yield* limitsOf({ RATE_LIMIT_REFUSED: "10/s" })
    yield* limits.count("refused", "one")
    yield* limits.count("refused", "one", 1)
    yield* limits.check("refused", "one")
    yield* limits.count("refused", "one", 38)
    const { retryAfterSeconds } = yield* Effect.flip(limits.check("refused", "one"))
    assert.strictEqual(retryAfterSeconds, 4)
    yield* limits.check("refused", "another")
    yield* TestClock.adjust("4 seconds")
    yield* limits.check("refused", "one")
  })

  it.onTestClock("makes no client wait longer than a minute", function* () {
    const limits = yield* limitsOf({ RATE_LIMIT_REFUSED: "10/s" })
    for (let body = 0; body < 1000; body++) yield* limits.count("refused", "one", 128)
    assert.strictEqual((yield* Effect.flip(limits.check("refused", "one"))).retryAfterSeconds, 61)
  })
})

describe("a call that counts as ten", () => {
  const search = Effect.fnUntraced(function* (limits: RateLimits["Service"]) {
    yield* limits.consume("keyless", "one")
    yield* limits.consume("keyless", "one", 9)
  })

  it.onTestClock("does so at the limit, too, and tells how long to wait", function* () {
    const limits = yield* limitsOf({ RATE_LIMIT_KEYLESS: "60/m" })
    let searches = 0
    for (let second = 0; second < 600; second++) {
      while ((yield* Effect.exit(search(limits)))._tag === "Success") searches++
      yield* TestClock.adjust("1 second")
    }
    // 60 calls at once, and 600 in ten minutes, some of them refused as the first of ten.
    assert.isAtMost(searches, 66)
    assert.isAtLeast(searches, 5)
    yield* TestClock.adjust("1 minute")
    for (let call = 0; call < 55; call++) yield* limits.consume("keyless", "one")
    assert.strictEqual((yield* Effect.flip(search(limits))).retryAfterSeconds, 5)
  })

  it.onTestClock("is possible where the limit is lower, in an empty window", function* () {
    const limits = yield* limitsOf({ RATE_LIMIT_KEYLESS: "3/h" })
    yield* search(limits)
    yield* Effect.flip(limits.consume("keyless", "one"))
  })
})
