/**
 * Tests written as generators of Effects, with the services of a layer or without any. They run on
 * the real clock; those of `onTestClock` have one of their own.
 */
import { it as plain, layer as shared, type Vitest } from "@effect/vitest"
import { Effect, type Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"

export { assert, describe } from "@effect/vitest"

export type Body<R, Args extends ReadonlyArray<unknown> = []> = (
  ...args: Args
) => Generator<Effect.Effect<unknown, unknown, R>, unknown, never>

/**
 * Runs work on a test clock. The services must be built on the real clock: on a test clock, a jump
 * of years would make the driver's pool run its maintenance a million times.
 */
const onTestClock = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.provide(work, TestClock.layer())

const testsOf = <R>(tester: Vitest.Tester<R>) =>
  Object.assign((title: string, body: Body<R>, millis?: number) => tester(title, () => Effect.gen(body), millis), {
    onTestClock: (title: string, body: Body<R>) => tester(title, () => onTestClock(Effect.gen(body))),
    each:
      <T>(cases: ReadonlyArray<T>) =>
      (title: string, body: Body<R, [T]>, millis?: number) =>
        tester.each(cases)(title, (one) => Effect.gen(() => body(one)), millis)
  })

export const it = testsOf(plain.live)

/** A group of tests that share the services of a layer. */
export const layer =
  <R, E>(services: Layer.Layer<R, E>) =>
  (group: string, tests: (it: ReturnType<typeof testsOf<R | Scope.Scope>>) => void) =>
    shared(services, { excludeTestServices: true })(group, ({ effect }) => tests(testsOf(effect)))
