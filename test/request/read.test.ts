/** The problems of a refused request: the same as a full decoding finds, with bounded work. */
import { Effect, Result, Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { comparisonRequests } from "../../property-tests/generators/requests.ts"
import { ComparisonRequest } from "../../schema/comparison.ts"
import { STRICT_PARSE_OPTIONS } from "../../schema/primitives.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import { NoArguments, ProjectionCall } from "../../schema/tools.ts"
import { decodeStrictly } from "../../src/request/decode.ts"
import { boundedErrors } from "../../src/request/fieldErrors.ts"
import { fieldErrors } from "../../src/request/validation.ts"
import type { Json } from "../support/edges.ts"
import { comparison, loan, projection, scenario } from "../support/requests.ts"
import { changed, changesTo } from "./damage.ts"

const strictly = decodeStrictly(ComparisonRequest)
const refusalOf = (value: unknown) => {
  const result = Effect.runSync(Effect.result(strictly(value)))
  return Result.isFailure(result) ? result.failure : undefined
}

/** The full decoding by Effect alone, for comparison. */
const fullDecoding = Schema.decodeUnknownResult(ComparisonRequest, STRICT_PARSE_OPTIONS)

const NONSENSE = [null, -1, 6.8, "X", true, [], {}, [1], { a: 1 }, 1e9]

/** A valid request with some members replaced, removed or added. */
const spoiled = fc
  .tuple(comparisonRequests(), changesTo(NONSENSE))
  .map(([request, all]) => changed(request as unknown as Json, all))

type Errors = Readonly<Record<string, ReadonlyArray<string>>>

const lines = (errors: Errors): ReadonlyArray<string> =>
  Object.entries(errors)
    .flatMap(([field, messages]) => messages.map((message) => `${field} ${message}`))
    .sort()

const withoutAdvice = (line: string): string => line.replace(/, or (?:leave it out|send it as .+)$/, "")

/** A full decoding reports the length of a list only if all of its items are valid. */
const isLength = (line: string): boolean => / must hold \d+ to \d+ (?:arms|loans)$/.test(line)

describe("the arguments of a tool", () => {
  it.each([
    [{ ...projection, detail: 5 }, { detail: ["must be brief or full"] }],
    [{ ...projection, detail: "everything" }, { detail: ["must be brief or full"] }]
  ])("must name a known level of detail", (value, errors) => {
    const outcome = Effect.runSync(Effect.result(decodeStrictly(ProjectionCall)(value)))
    expect(Result.isFailure(outcome) && outcome.failure).toEqual(errors)
  })

  it.each([[[]], ["x"], [null], [5]])("must be an empty object for a tool that takes none: not %j", (value) => {
    const outcome = Effect.runSync(Effect.result(decodeStrictly(NoArguments)(value)))
    expect(Result.isFailure(outcome) && Object.values(outcome.failure)).toEqual([
      ["must be an empty JSON object: this tool takes no arguments"]
    ])
  })
})

describe("the problems of a request", () => {
  it("are those that a full decoding finds", () => {
    let refused = 0
    fc.assert(
      fc.property(spoiled, (value) => {
        const whole = fullDecoding(value)
        const reported = refusalOf(value)
        const expected = lines(Result.isFailure(whole) ? fieldErrors(whole.failure.issue) : {})
        if (expected.length > 0) refused++
        const found = lines(reported ?? {}).map(withoutAdvice)
        expect(found.filter((line) => !isLength(line))).toEqual(expected.filter((line) => !isLength(line)))
        expect(found).toEqual(expect.arrayContaining([...expected]))
      }),
      { numRuns: 500 }
    )
    expect(refused).toBeGreaterThan(250)
  })

  it("of a list that is too long are its length and those outside it, not those of its items", () => {
    const arms = Array.from({ length: 11 }, () => ({ scenario: {}, loans: [{}] }))
    expect(refusalOf({ arms, extra: 1 })).toEqual({
      extra: ["is not a known property; remove it"],
      arms: ["must hold 2 to 10 arms"]
    })
  })

  it("of a list that is too short are its length and those of its items", () => {
    const [arm] = comparison.arms
    const errors = refusalOf({ arms: [{ ...arm, loans: [{ ...loan, interestRate: 6.8 }] }] })
    expect(Object.keys(errors!)).toEqual(["arms", "arms[0].loans[0].interestRate"])
  })
})

/** A loan that records that it was read. */
const watched = (seen: Set<number>, index: number, fields: object): object =>
  Object.defineProperty({ ...fields }, "loanType", {
    enumerable: true,
    get: () => {
      seen.add(index)
      return "X"
    }
  })

describe("a refusal", () => {
  const seenOf = (count: number): ReadonlyArray<number> => {
    const seen = new Set<number>()
    const loans = Array.from({ length: count }, (_, index) => watched(seen, index, { ...loan, principalBalance: -1 }))
    const refused = Effect.runSync(Effect.flip(decodeStrictly(ProjectionRequest)({ ...projection, loans })))
    expect(Object.keys(refused).length).toBeGreaterThan(0)
    return [...seen]
  }

  it("looks for no more problems than it reports [F30]", () => {
    // Two problems per loan, fifty in total.
    expect(Math.max(...seenOf(100))).toBeLessThanOrEqual(26)
  })

  it("reports 24,000 bytes of problems, and not a byte more", () => {
    const problem = (field: string, bytes: number) =>
      [field, "x".repeat(bytes - JSON.stringify([field, ""]).length)] as const
    const reported = (bytes: number) => Object.keys(boundedErrors([problem("loans", 10_000), problem("arms", bytes)]))
    expect(reported(14_000)).toEqual(["loans", "arms"])
    expect(reported(14_001)).toEqual(["loans"])
  })

  it("does not read the items of a list that is too long [F30]", () => {
    expect(seenOf(101)).toEqual([])
    expect(seenOf(4000)).toEqual([])
  })

  it("does not read the loans if there are too many arms [F30]", () => {
    const seen = new Set<number>()
    const arms = Array.from({ length: 11 }, (_, index) => ({ scenario, loans: [watched(seen, index, loan)] }))
    expect(refusalOf({ arms })).toEqual({ arms: ["must hold 2 to 10 arms"] })
    expect([...seen]).toEqual([])
  })
})
