/** Tests of the hash of inputs: equal for equal inputs, different for any other, and keyed. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { canonicalJson } from "../../../src/proof/commitment.ts"
import { InputsHash } from "../../../src/services/answers/InputsHash.ts"
import { testConfig } from "../../support/settings.ts"

const hashes = (variables: Readonly<Record<string, string>> = {}) =>
  Effect.scoped(Effect.provide(InputsHash, InputsHash.layer)).pipe(Effect.provide(testConfig(variables)))

describe("the hash of inputs [F54]", () => {
  it.effect("depends on everything except the order of members", () =>
    Effect.gen(function* () {
      const { of: ofText } = yield* hashes()
      const of = (eventType: string, request: unknown) => ofText(eventType, canonicalJson(request))
      const base = of("calc.projection.run", { a: 1, b: [1, 2], c: null })
      assert.match(base, /^h1-[0-9a-f]{64}$/)
      assert.strictEqual(of("calc.projection.run", { c: null, b: [1, 2], a: 1.0 }), base)
      const others = [
        of("calc.comparison.run", { a: 1, b: [1, 2], c: null }),
        of("calc.projection.run", { a: 1, b: [2, 1], c: null }),
        of("calc.projection.run", { a: 1, b: [1, 2], c: 0 }),
        of("calc.projection.run", { a: "1", b: [1, 2], c: null })
      ]
      assert.strictEqual(new Set([base, ...others]).size, 5)
    })
  )

  it.effect("depends on the pepper", () =>
    Effect.gen(function* () {
      const other = yield* hashes({ SECRET_PEPPER: "another pepper that is long enough too" })
      assert.notStrictEqual((yield* hashes()).of("e", "1"), other.of("e", "1"))
    })
  )
})
