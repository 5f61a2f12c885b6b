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
import { decodeStrictly, type StrictSchema } from "../src/request/decode.ts"
import { inputsHashOf } from "../src/services/answers/inputsHash.ts"
import { runs, seedOr } from "../test/support/random.ts"
import { comparisonRequests, projectionRequests } from "./generators/requests.ts"

const seed = seedOr(20261121)
const RUNS = runs(40, 150)

const of = (eventType: string, canonicalRequest: string) =>
  inputsHashOf(Redacted.make("a pepper"), eventType, canonicalRequest)

type Json = string | number | boolean | null | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** A number in one of its JSON spellings. */
const numberText = (value: number, way: number): string =>
  [String(value), value.toExponential(), Number.isInteger(value) && value < 1e15 ? `${value}.00` : String(value)][way]!

/** Text that has one spelling. */
const AS_IT_IS = ["label", "madeOn", "firstBorrowedOn"]

/** A name such as a plan in lower case or padded, which decodes to the same value. */
const wordText = (value: string, name: string, way: number): string =>
  JSON.stringify(AS_IT_IS.includes(name) ? value : [value, value.toLowerCase(), ` ${value}\t`][way]!)

/**
 * The value in another spelling: other order of fields, form of numbers, case of names, and spaces.
 */
const written = (value: Json, random: () => number, name = ""): string => {
  const way = Math.floor(random() * 3)
  if (typeof value === "number") return numberText(value, way)
  if (typeof value === "string") return wordText(value, name, way)
  if (Array.isArray(value)) return `[ ${value.map((item) => written(item, random, name)).join(" ,\n")}]`
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

const ADDITIONS = ["madeOn", "firstBorrowedOn", "annualPriceGrowth", "changes", "extraMonthlyPayment"]

/** Without additions that add nothing, which requests of before could not send. */
const withoutDefaults = (value: Json, isChange = false): Json => {
  if (Array.isArray(value)) return value.map((item) => withoutDefaults(item, isChange))
  if (typeof value !== "object" || value === null) return value
  const adds = ([name, member]: readonly [string, Json]) => {
    if (isChange) return member !== null
    const isNothing = member === null || member === 0 || (Array.isArray(member) && member.length === 0)
    return !(ADDITIONS.includes(name) && isNothing)
  }
  const members = Object.entries(value).filter(adds)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutDefaults(member, name === "changes")]))
}

const textOfAdded = (value: unknown): string => JSON.stringify(withoutDefaults(value as Json))

const check = async <A extends object>(
  schema: StrictSchema,
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
  it.each([false, true])("of a projection; with additions: %s", (additions) =>
    check(ProjectionRequest, "calc.projection.run", projectionRequests({ maxLoans: 3, additions }))
  )

  it("of a comparison", () =>
    check(ComparisonRequest, "calc.comparison.run", comparisonRequests({ maxLoans: 2 }), Math.ceil(RUNS / 10)))
})
