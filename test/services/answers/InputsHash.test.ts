/** The hash of inputs: RFC 8785 text, equal for equal inputs, different for any other, and keyed. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { canonicalJson, InputsHash } from "../../../src/services/answers/InputsHash.ts"
import { testConfig } from "../../support/settings.ts"

const hashes = (variables: Readonly<Record<string, string>> = {}) =>
  Effect.scoped(Effect.provide(InputsHash, InputsHash.layer)).pipe(Effect.provide(testConfig(variables)))

describe("canonical JSON", () => {
  /** RFC 8785, section 3.2.2 (numbers) and 3.2.3 (sorting of names by UTF-16 code units). */
  it("is that of RFC 8785", () => {
    const numbers = JSON.parse("[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001, -0]")
    assert.strictEqual(canonicalJson({ numbers }), '{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0]}')
    const names = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 }
    assert.strictEqual(
      canonicalJson(names),
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}'
    )
  })
})

describe("the hash of inputs", () => {
  it.effect("does not depend on the order of members, and does on everything else", () =>
    Effect.gen(function* () {
      const { of } = yield* hashes()
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

  it.effect("cannot be made without the pepper", () =>
    Effect.gen(function* () {
      const other = yield* hashes({ SECRET_PEPPER: "another pepper that is long enough too" })
      assert.notStrictEqual((yield* hashes()).of("e", 1), other.of("e", 1))
    })
  )
})
