/**
 * Generators of amounts near the thresholds of the law (edges), and of text in another spelling.
 */
import fc from "fast-check"

export const MAX_DOLLARS = 100_000_000

export const cents = (maximum: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: Math.round(maximum * 100) }).map((amount) => amount / 100)

export const decimals = (maximum: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.integer({ min: 0, max: Math.floor(maximum) - 1 }), fc.integer({ min: 0, max: 999_999_999 }))
    .map(([whole, billionths]) => Number(`${whole}.${String(billionths).padStart(9, "0")}`))

/** A value on an edge, or off it by a dollar, a cent or a millionth of a dollar. */
export const around = (edges: fc.Arbitrary<number>): fc.Arbitrary<number> =>
  fc.tuple(edges, fc.constantFrom(0, 0, -0.01, 0.01, -1, 1, -0.000001, 0.000001)).map(([edge, offset]) => {
    const value = Math.max(0, edge + offset)
    return Math.min(MAX_DOLLARS, Number(value.toFixed(6)))
  })

/**
 * Totals of all loans, often near edges: terms of consolidations, Tiered Standard, EXTENDED, SAVE.
 */
export const bookTotal = fc.oneof(
  { weight: 4, arbitrary: cents(200_000) },
  {
    weight: 3,
    arbitrary: around(fc.constantFrom(7_500, 10_000, 20_000, 25_000, 30_000, 40_000, 50_000, 60_000, 100_000))
  },
  { weight: 2, arbitrary: around(fc.integer({ min: 0, max: 20 }).map((step) => 12_000 + step * 1_000)) },
  { weight: 1, arbitrary: cents(1_000) },
  { weight: 1, arbitrary: cents(MAX_DOLLARS) }
)

const tinyBalance = fc.constantFrom(0, 0.004, 0.005, 0.01, 0.02)

export const anyBalance = fc.oneof(
  { weight: 12, arbitrary: bookTotal },
  { weight: 2, arbitrary: tinyBalance },
  { weight: 1, arbitrary: decimals(100_000) }
)

export const anyUnpaidInterest = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: cents(5_000) },
  { weight: 1, arbitrary: tinyBalance },
  { weight: 1, arbitrary: cents(MAX_DOLLARS) },
  { weight: 1, arbitrary: decimals(1_000) }
)

export const atMost = (amount: fc.Arbitrary<number>, maximum = MAX_DOLLARS): fc.Arbitrary<number> =>
  amount.map((value) => Math.min(value, maximum))

export const rate = (highest: number): fc.Arbitrary<number> =>
  fc
    .oneof(
      { weight: 8, arbitrary: fc.integer({ min: 100, max: 1_000 }).map((hundredths) => hundredths / 10_000) },
      { weight: 2, arbitrary: fc.constantFrom(0, 0, 1e-9, 1e-6, 0.00125, 0.3, 1) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_000_000_000 }).map((billionths) => billionths / 1e9) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 3_000 }).map((hundredths) => hundredths / 10_000) }
    )
    .map((value) => Math.min(value, highest))

/** The text as it is, in lower case, or with spaces around it. */
export const respelled = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.constantFrom("as is", "as is", "as is", "lower", "padded"))
    .map(([name, spelling]) => (spelling === "as is" ? name : spelling === "lower" ? name.toLowerCase() : ` ${name} `))
