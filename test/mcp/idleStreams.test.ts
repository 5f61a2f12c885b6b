/** The idle stream: its content, its duration, and its end with the server. */
import { Effect, Exit, Fiber, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { idleStream, MAX_STREAMS_PER_KEY, makeStreamPlaces, STREAM_SECONDS } from "../../src/mcp/idleStreams.ts"
import { it } from "../support/effects.ts"

const decoder = new TextDecoder()

it.onTestClock("an idle stream carries comments every 15 seconds, and ends after 10 minutes", function* () {
  const fiber = yield* Effect.forkChild(Stream.runCollect(idleStream(() => true)))
  yield* TestClock.adjust(`${STREAM_SECONDS + 5} seconds`)
  const texts = Array.from(yield* Fiber.join(fiber), (chunk) => decoder.decode(chunk))
  expect(texts).toHaveLength(STREAM_SECONDS / 15)
  expect(texts.every((text) => text.startsWith(":") && text.endsWith("\n\n"))).toBe(true)
})

it.onTestClock("an idle stream ends within a second of the server's end", function* () {
  let listening = true
  const fiber = yield* Effect.forkChild(Stream.runCollect(idleStream(() => listening)))
  yield* TestClock.adjust("40 seconds")
  listening = false
  yield* TestClock.adjust("1 second")
  expect(Array.from(yield* Fiber.join(fiber))).toHaveLength(3)
})

it.onTestClock("a key has a bounded number of streams, and each place is freed when its scope ends", function* () {
  const { take } = makeStreamPlaces()
  const scopes = yield* Effect.forEach(Array.from({ length: MAX_STREAMS_PER_KEY }), () => Scope.make())
  for (const scope of scopes) expect(yield* Scope.provide(take("a"), scope)).toBe(true)
  expect(yield* Effect.scoped(take("a"))).toBe(false)
  expect(yield* Effect.scoped(take("b"))).toBe(true)
  yield* Scope.close(scopes[0]!, Exit.void)
  expect(yield* Effect.scoped(take("a"))).toBe(true)
  expect(yield* Effect.scoped(take("a"))).toBe(true)
})
