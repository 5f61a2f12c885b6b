/**
 * Valid requests as JSON carries them, for property tests: fast-check arbitraries that aim at the edges of the law
 * (income bands, the 5 and 10 dollar payments, counted months, balance tiers, dust) and shrink. Every generator is a
 * composition of fast-check's own, so a counterexample shrinks to the edge that broke. Invalid requests are not made.
 */
import fc from "fast-check"
import { loanTypes as allLoanTypes, planTypes as allPlanTypes, type PlanType } from "./oracle/matrix.ts"
import type {
  WireArm,
  WireCalculation,
  WireComparison,
  WireEligibility,
  WireLoan,
  WireProjection,
  WireScenario
} from "./oracle/wire.ts"

export interface RequestOptions {
  /** Plans to draw from, evenly. All ten by default. */
  readonly plans?: ReadonlyArray<PlanType>
  /** Loan types to draw from. All 29 by default, with weight on those that income-driven plans take. */
  readonly loanTypes?: ReadonlyArray<string>
  /** The most loans in a book; 10 by default, and rarely 100 when 100 is allowed. */
  readonly mostLoans?: number
  /** Highest interest rate; 1 by default. Cents are only promised up to 0.30. */
  readonly highestRate?: number
  /** Highest principal and highest unpaid interest of one loan; 100,000,000 by default. */
  readonly highestBalance?: number
}

const MOST_DOLLARS = 100_000_000

const cents = (most: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: Math.round(most * 100) }).map((amount) => amount / 100)

const decimals = (most: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.integer({ min: 0, max: Math.floor(most) - 1 }), fc.integer({ min: 0, max: 999_999_999 }))
    .map(([whole, billionths]) => Number(`${whole}.${String(billionths).padStart(9, "0")}`))

/** A value on an edge or a little to either side of it, in whole cents or finer. */
const around = (edges: fc.Arbitrary<number>): fc.Arbitrary<number> =>
  fc.tuple(edges, fc.constantFrom(0, 0, -0.01, 0.01, -1, 1, -0.000001, 0.000001)).map(([edge, offset]) => {
    const value = Math.max(0, edge + offset)
    return Math.min(MOST_DOLLARS, Number(value.toFixed(6)))
  })

/** Edges of a book's total: consolidation and Tiered Standard terms, EXTENDED, early forgiveness of small originals. */
const bookTotal = fc.oneof(
  { weight: 4, arbitrary: cents(200_000) },
  {
    weight: 3,
    arbitrary: around(fc.constantFrom(7_500, 10_000, 20_000, 25_000, 30_000, 40_000, 50_000, 60_000, 100_000))
  },
  { weight: 2, arbitrary: around(fc.integer({ min: 0, max: 20 }).map((step) => 12_000 + step * 1_000)) },
  { weight: 1, arbitrary: cents(1_000) },
  { weight: 1, arbitrary: cents(MOST_DOLLARS) }
)

const tinyBalance = fc.constantFrom(0, 0.004, 0.005, 0.01, 0.02)

const anyBalance = fc.oneof(
  { weight: 12, arbitrary: bookTotal },
  { weight: 2, arbitrary: tinyBalance },
  { weight: 1, arbitrary: decimals(100_000) }
)

const anyUnpaidInterest = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: cents(5_000) },
  { weight: 1, arbitrary: tinyBalance },
  { weight: 1, arbitrary: cents(MOST_DOLLARS) },
  { weight: 1, arbitrary: decimals(1_000) }
)

const atMost = (amount: fc.Arbitrary<number>, most = MOST_DOLLARS): fc.Arbitrary<number> =>
  amount.map((value) => Math.min(value, most))

const rate = (highest: number): fc.Arbitrary<number> =>
  fc
    .oneof(
      { weight: 8, arbitrary: fc.integer({ min: 100, max: 1_000 }).map((hundredths) => hundredths / 10_000) },
      { weight: 2, arbitrary: fc.constantFrom(0, 0, 1e-9, 1e-6, 0.00125, 0.3, 1) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_000_000_000 }).map((billionths) => billionths / 1e9) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 3_000 }).map((hundredths) => hundredths / 10_000) }
    )
    .map((value) => Math.min(value, highest))

const countEdges = [
  1, 35, 36, 59, 60, 118, 119, 120, 121, 238, 239, 240, 241, 298, 299, 300, 301, 358, 359, 360, 361, 600
]

const idrMonths = fc.oneof(
  { weight: 10, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 117 }) },
  { weight: 3, arbitrary: fc.constantFrom(...countEdges) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 600 }) }
)

const pslfCount = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 117 }) },
  { weight: 2, arbitrary: fc.constantFrom(1, 60, 118, 119, 120) }
)

/** The same text in another case, and sometimes with spaces around it. */
const respelled = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.constantFrom("as is", "as is", "as is", "lower", "padded"))
    .map(([name, spelling]) => (spelling === "as is" ? name : spelling === "lower" ? name.toLowerCase() : ` ${name} `))

const studentTypes = [
  "DIRECT STAFFORD SUBSIDIZED",
  "DIRECT STAFFORD UNSUBSIDIZED",
  "DIRECT PLUS GRADUATE",
  "DIRECT CONSOLIDATED SUBSIDIZED",
  "DIRECT CONSOLIDATED UNSUBSIDIZED",
  "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)"
]

const plusTypes = ["DIRECT PARENT PLUS", "DIRECT PLUS CONSOLIDATED", "DIRECT PARENT PLUS CONSOLIDATED"]

const loanType = (types: ReadonlyArray<string> | undefined): fc.Arbitrary<string> =>
  respelled(
    types === undefined
      ? fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...studentTypes) },
          { weight: 2, arbitrary: fc.constantFrom(...allLoanTypes) },
          { weight: 1, arbitrary: fc.constantFrom(...plusTypes) }
        )
      : fc.constantFrom(...types)
  )

type LoanWithoutPrincipal = Omit<WireLoan, "principalBalance">

const loanTerms = (options: RequestOptions): fc.Arbitrary<LoanWithoutPrincipal> =>
  fc.record(
    {
      loanType: loanType(options.loanTypes),
      interestBalance: atMost(anyUnpaidInterest, options.highestBalance),
      interestRate: rate(options.highestRate ?? 1),
      disbursedAmount: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: bookTotal }),
      idrMonthsInRepayment: idrMonths,
      pslfCount
    },
    { requiredKeys: ["loanType", "interestRate"] }
  )

export const loans = (options: RequestOptions = {}): fc.Arbitrary<WireLoan> =>
  fc
    .tuple(loanTerms(options), atMost(anyBalance, options.highestBalance))
    .map(([terms, principalBalance]) => ({ ...terms, principalBalance }))

/** A total cut into whole cents by weights, the rest on the last loan, so that the sum hits the total. */
function cutInParts(total: number, weights: ReadonlyArray<number>): ReadonlyArray<number> {
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0)
  const parts = weights.map((weight) => Math.floor((total * 100 * weight) / weightSum))
  const others = parts.slice(0, -1).reduce((sum, part) => sum + part, 0)
  const last = Number((total - others / 100).toFixed(6))
  return [...parts.slice(0, -1).map((part) => part / 100), Math.max(0, last)]
}

/** A book without unpaid interest whose principal adds up to an edge. */
const bookOfTotal = (options: RequestOptions, most: number): fc.Arbitrary<ReadonlyArray<WireLoan>> =>
  fc
    .tuple(
      atMost(bookTotal, options.highestBalance),
      fc.array(fc.tuple(loanTerms(options), fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: most })
    )
    .map(([total, parts]) => {
      const principals = cutInParts(
        total,
        parts.map(([, weight]) => weight)
      )
      return parts.map(([{ interestBalance: _, ...terms }], i) => ({ ...terms, principalBalance: principals[i] ?? 0 }))
    })

const arrayOfLoans = (options: RequestOptions, minLength: number, maxLength: number) =>
  fc.array(loans(options), { minLength, maxLength, size: "max" })

/** 1, 2 or 3 loans mostly, up to 10 sometimes, 100 rarely. */
export function books(options: RequestOptions = {}): fc.Arbitrary<ReadonlyArray<WireLoan>> {
  const most = options.mostLoans ?? 10
  const sizes = [
    { weight: 90, arbitrary: arrayOfLoans(options, 1, 1) },
    { weight: 50, arbitrary: arrayOfLoans(options, Math.min(2, most), Math.min(3, most)) },
    { weight: 40, arbitrary: bookOfTotal(options, Math.min(3, most)) },
    { weight: 15, arbitrary: arrayOfLoans(options, Math.min(4, most), Math.min(10, most)) }
  ]
  const largest = { weight: 1, arbitrary: arrayOfLoans(options, 100, 100) }
  return fc.oneof(...(most >= 100 ? [...sizes, largest] : sizes))
}

const statusTexts = [
  "Single",
  "MarriedFilingJointly",
  "MFJ",
  "MarriedFilingSeparately",
  "MFS",
  "HeadOfHousehold",
  "HOH"
]

const filingStatus = respelled(
  fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom("Single", "MFJ") },
    { weight: 3, arbitrary: fc.constantFrom(...statusTexts) }
  )
)

const states =
  "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR GU VI AS MP"

const state = fc
  .oneof(
    { weight: 2, arbitrary: fc.constantFrom("AR", "IN", "MS", "NC", "WI") },
    { weight: 1, arbitrary: fc.constantFrom("AK", "HI") },
    { weight: 2, arbitrary: fc.constantFrom(...states.split(" ")) }
  )
  .chain((code) => fc.constantFrom(code, code, code.toLowerCase()))

const dependents = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 30 }) }
)

/** Multiples of the 2026 guideline that plans exempt, and the incomes above them at which 0, 5 or 10 dollars are due. */
const smallPaymentIncome = fc
  .tuple(
    fc.constantFrom(15_960, 19_950, 18_360),
    fc.constantFrom(5_680, 5_680, 7_100, 6_530),
    fc.integer({ min: 0, max: 4 }),
    fc.constantFrom(1, 1.5, 2.25),
    fc.constantFrom(0.05, 0.1, 0.15, 0.2),
    fc.constantFrom(0, 5, 10)
  )
  .map(([first, each, others, multiple, part, due]) => (first + each * others) * multiple + (due * 12) / part)

/** Rows of the income percentage factors. */
const factorIncome = fc.constantFrom(
  13_717,
  18_873,
  29_819,
  41_769,
  52_462,
  65_798,
  79_138,
  97_000,
  250_560,
  352_277,
  409_433
)

/** Incomes that a growth of 0.25, 0.5 or 0.03 brings to an edge in a later year are among the thousands. */
export const incomes = fc.oneof(
  { weight: 4, arbitrary: cents(150_000) },
  { weight: 3, arbitrary: around(fc.integer({ min: 0, max: 12 }).map((tens) => tens * 10_000)) },
  { weight: 3, arbitrary: around(smallPaymentIncome) },
  { weight: 1, arbitrary: around(factorIncome) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 200 }).map((thousands) => thousands * 1_000) },
  { weight: 1, arbitrary: decimals(200_000) },
  { weight: 1, arbitrary: cents(MOST_DOLLARS) }
)

const growth = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constant(0.03) },
  { weight: 1, arbitrary: fc.constantFrom(0.01, 0.1, 0.25, 0.5) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 5_000 }).map((tenThousandths) => tenThousandths / 10_000) }
)

const spouseIncome = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(null, 0) },
  { weight: 2, arbitrary: incomes },
  { weight: 1, arbitrary: cents(100_000) }
)

const spouseLoans = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(null, 0) },
  { weight: 3, arbitrary: cents(150_000) },
  { weight: 1, arbitrary: fc.constantFrom(0.01, 10_000, 30_000, MOST_DOLLARS) }
)

const label = fc.oneof(fc.constant(null), fc.string({ maxLength: 80 }), fc.constantFrom("", "plan a", "plan b"))

export const scenarios = (options: RequestOptions = {}): fc.Arbitrary<WireScenario> =>
  fc.record(
    {
      planType: respelled(fc.constantFrom(...(options.plans ?? allPlanTypes))),
      adjustedGrossIncome: incomes,
      spouseAdjustedGrossIncome: spouseIncome,
      spouseFederalLoanBalance: spouseLoans,
      filingStatus,
      dependents,
      state,
      workingTowardsPslf: fc.boolean(),
      annualIncomeGrowth: growth,
      label
    },
    { requiredKeys: ["planType", "adjustedGrossIncome", "filingStatus", "dependents", "state", "workingTowardsPslf"] }
  )

export const projectionRequests = (options: RequestOptions = {}): fc.Arbitrary<WireProjection> =>
  fc.record(
    { scenario: scenarios(options), loans: books(options), includeYearly: fc.boolean() },
    { requiredKeys: ["scenario", "loans"] }
  )

/** Arms that share one book, as callers mostly send them, or that have their own. */
const arms = (options: RequestOptions): fc.Arbitrary<ReadonlyArray<WireArm>> => {
  const own = fc.record({ scenario: scenarios(options), loans: books(options) })
  const shared = fc
    .tuple(books(options), fc.array(scenarios(options), { minLength: 2, maxLength: 10 }))
    .map(([book, all]) => all.map((scenario) => ({ scenario, loans: book })))
  return fc.oneof(
    { weight: 3, arbitrary: shared },
    { weight: 1, arbitrary: fc.array(own, { minLength: 2, maxLength: 4 }) },
    { weight: 1, arbitrary: own.chain((arm) => fc.constant([arm, arm])) }
  )
}

export const comparisonRequests = (options: RequestOptions = {}): fc.Arbitrary<WireComparison> =>
  fc.record({ arms: arms(options), includeYearly: fc.boolean() }, { requiredKeys: ["arms"] })

export const eligibilityRequests = (options: RequestOptions = {}): fc.Arbitrary<WireEligibility> =>
  fc.record({ loans: books(options) })

const calculatorLoanType = respelled(
  fc.oneof(
    fc.constantFrom(
      "direct_subsidized",
      "direct_unsubsidized",
      "grad_plus_legacy",
      "parent_plus",
      "direct_consolidation",
      "direct_consolidation_with_plus"
    ),
    fc.constantFrom(...allLoanTypes)
  )
)

const percentOf = (fraction: fc.Arbitrary<number>): fc.Arbitrary<number> =>
  fraction.map((value) => Number((value * 100).toFixed(7)))

const orNull = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<A | null> =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: value })

export const calculationRequests = (options: RequestOptions = {}): fc.Arbitrary<WireCalculation> =>
  fc.record(
    {
      balance: atMost(anyBalance, options.highestBalance),
      ratePct: percentOf(rate(options.highestRate ?? 1)),
      borrowerAgi: incomes,
      filingStatus: orNull(filingStatus),
      spouseAgi: spouseIncome,
      spouseFederalLoanBalance: spouseLoans,
      dependents,
      loanType: orNull(calculatorLoanType),
      state: orNull(state),
      pursuingPslf: fc.boolean(),
      pslfCreditedMonths: pslfCount,
      priorIdrMonths: idrMonths,
      incomeGrowthPct: percentOf(growth),
      borrowedOnOrAfterJul12026: fc.constantFrom(null, false, false, true)
    },
    { requiredKeys: ["balance", "ratePct", "borrowerAgi"] }
  )
