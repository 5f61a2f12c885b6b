/**
 * Tests of the hash of a request's inputs. All spellings that decode to the same value must have
 * one hash. Any other request must have another.
 */

import canonicalize from "canonicalize"
import { Effect, Redacted } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ComparisonRequest } from "../schema/comparison.ts"
import { ProjectionRequest } from "../schema/projection.ts"
import { requestWriter } from "../src/request/canonical.ts"
import { decodeStrictly } from "../src/request/decode.ts"
import { inputsHashOf } from "../src/services/answers/inputsHash.ts"
import { runs, seedOr } from "../test/support/random.ts"
import { comparisonRequests, projectionRequests } from "./generators/requests.ts"

const seed = seedOr(20261121)
const RUNS = runs(15, 75)

const of = (eventType: string, canonicalRequest: string) =>
  inputsHashOf(Redacted.make("a pepper"), eventType, canonicalRequest)

type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** A number in one of its JSON spellings. */
const numberText = (value: number, way: number): string =>
  [String(value), value.toExponential(), Number.isInteger(value) && value < 1e15 ? `${value}.00` : String(value)][way]!

/** Text that has one spelling. */
const AS_IT_IS = ["label", "madeOn", "firstBorrowedOn", "from", "until", "on"]

/** A name such as a plan in lower case or padded, which decodes to the same value. */
const wordText = (value: string, name: string, way: number): string =>
  JSON.stringify(AS_IT_IS.includes(name) ? value : [value, value.toLowerCase(), ` ${value}\t`][way]!)

/** Whether a list holds the positions of a pause, whose order is of no account. */
const isPositions = (list: ReadonlyArray<Json>, name: string): boolean =>
  name === "loans" && list.every((item) => typeof item === "number")

/**
 * The value in another spelling: other order of fields and of a pause's loans, form of numbers, case
 * of names, and spaces.
 */
const written = (value: Json, random: () => number, name = ""): string => {
  const way = Math.floor(random() * 3)
  if (typeof value === "number") return numberText(value, way)
  if (typeof value === "string") return wordText(value, name, way)
  if (Array.isArray(value)) {
    const items = isPositions(value, name) ? value.toSorted(() => random() - 0.5) : value
    return `[ ${items.map((item) => written(item, random, name)).join(" ,\n")}]`
  }
  if (value === null || typeof value === "boolean") return String(value)
  const members = Object.entries(value).toSorted(() => random() - 0.5)
  return `{${members.map(([member, one]) => `${JSON.stringify(member)} : ${written(one as Json, random, member)}`).join(",")}}`
}

/** Values that differ from this one in one place. */
const neighbours = (value: Json): ReadonlyArray<Json> => {
  if (typeof value === "number") return [value + 1, value - 1, value / 2]
  if (typeof value === "boolean") return [!value]
  if (typeof value === "string")
    return ["SAVE", "STANDARD", "MFJ", "Single", "NC", "TX", "DIRECT PLUS GRADUATE", "other"]
  if (value === null) return [1, "other"]
  if (Array.isArray(value))
    return [
      ...value.flatMap((item, index) => neighbours(item as Json).map((other) => value.toSpliced(index, 1, other))),
      [...value, value[0] as Json],
      value.slice(1),
      value.toReversed()
    ]
  return Object.entries(value).flatMap(([name, member]) =>
    neighbours(member as Json).map((other) => ({ ...value, [name]: other }))
  )
}

/** Optional fields, and below what they add nothing if they are amounts. */
const ADDITIONS: Readonly<Record<string, number | undefined>> = {
  ...{ madeOn: undefined, firstBorrowedOn: undefined, familySize: undefined, discountRate: undefined },
  ...{ changes: undefined, pauses: undefined, planChanges: undefined, lumpSums: undefined },
  ...{ annualPriceGrowth: Number.MIN_VALUE, extraMonthlyPayment: 0.005, monthlyBudget: 0.005 }
}

/** Without additions that add nothing, which requests of before could not send. */
const withoutDefaults = (value: Json, within = "", loans = 0): Json => {
  if (Array.isArray(value)) return value.map((item) => withoutDefaults(item, within, loans))
  if (typeof value !== "object" || value === null) return value
  const count = "scenario" in value ? (value["loans"] as ReadonlyArray<Json>).length : loans
  const adds = ([name, member]: readonly [string, Json]) => {
    if (within === "changes" || within === "pauses") return member !== null
    const isLittle = typeof member === "number" && member < (ADDITIONS[name] ?? 0)
    const isNothing = member === null || isLittle || (Array.isArray(member) && member.length === 0)
    return !(name in ADDITIONS && isNothing)
  }
  const told = ([name, member]: readonly [string, Json]): ReadonlyArray<readonly [string, Json]> => {
    if (!Array.isArray(member) || !isPositions(member, name)) return [[name, withoutDefaults(member, name, count)]]
    return member.length === count ? [] : [[name, member.toSorted((a, b) => Number(a) - Number(b))]]
  }
  return Object.fromEntries(Object.entries(value).filter(adds).flatMap(told))
}

const textOfAdded = (value: unknown): string => JSON.stringify(withoutDefaults(value as Json))

const check = async <A extends object>(
  schema: typeof ProjectionRequest | typeof ComparisonRequest,
  eventType: string,
  requests: fc.Arbitrary<A>,
  count = RUNS
) => {
  const decode = decodeStrictly(schema)
  const textOf = requestWriter(schema)
  const decoded = (wire: unknown) => Effect.runPromise(Effect.option(decode(wire)))
  const seen = { same: 0, other: 0 }
  const random = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }))
  const holds = async (request: A, stream: Iterator<number>) => {
    const meant = await decoded(request)
    if (meant._tag === "None") throw new Error("the generator makes valid requests")
    expect(textOf(meant.value)).toBe(canonicalize(withoutDefaults(meant.value as Json)))
    const hash = of(eventType, textOf(meant.value))
    // Once as sent, once with every default filled in.
    for (const value of [request, meant.value]) {
      const text = written(value as Json, () => stream.next().value as number)
      const again = await decoded(JSON.parse(text))
      expect([text, again._tag === "Some" && of(eventType, textOf(again.value))]).toEqual([text, hash])
      seen.same++
    }
    for (const neighbour of neighbours(meant.value as Json)) {
      const other = await decoded(neighbour)
      if (other._tag === "None" || textOfAdded(other.value) === textOfAdded(meant.value)) continue
      expect([JSON.stringify(neighbour), of(eventType, textOf(other.value))]).not.toEqual([
        JSON.stringify(neighbour),
        hash
      ])
      seen.other++
    }
  }
  await fc.assert(fc.asyncProperty(requests, random, holds), { numRuns: count, seed })
  expect(seen.same).toBe(2 * count)
  expect(seen.other).toBeGreaterThan(10 * count)
}

describe("the hash of inputs is equal for every spelling of a request and differs for other requests [F54]", () => {
  it.each([{}, { additions: true }, { additions: true, lives: true }])("of a projection with %j", (options) =>
    check(ProjectionRequest, "calc.projection.run", projectionRequests({ maxLoans: 3, ...options }))
  )

  it.each([{}, { lives: true }])("of a comparison with %j", (options) =>
    check(
      ComparisonRequest,
      "calc.comparison.run",
      comparisonRequests({ maxLoans: 2, ...options }),
      Math.ceil(RUNS / 10)
    )
  )
})
