/**
 * Generators of scenarios (plan, income and household) in JSON form. Many are near an income band,
 * a payment of $5 or $10, or a row of a table.
 */
import fc from "fast-check"
import { planTypes as allPlanTypes, type PlanType } from "../oracle/matrix.ts"
import { readFilingStatus, readPlanType, type WireScenario } from "../oracle/wire.ts"
import { around, cents, decimals, MAX_DOLLARS, respelled } from "./amounts.ts"
import type { RequestOptions } from "./books.ts"

const statusTexts = [
  "Single",
  "MarriedFilingJointly",
  "MFJ",
  "MarriedFilingSeparately",
  "MFS",
  "HeadOfHousehold",
  "HOH"
]

export const filingStatus = respelled(
  fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom("Single", "MFJ") },
    { weight: 3, arbitrary: fc.constantFrom(...statusTexts) }
  )
)

const states =
  "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR GU VI AS MP"

export const state = fc
  .oneof(
    { weight: 2, arbitrary: fc.constantFrom("AR", "IN", "MS", "NC", "WI") },
    { weight: 1, arbitrary: fc.constantFrom("AK", "HI") },
    { weight: 2, arbitrary: fc.constantFrom(...states.split(" ")) }
  )
  .chain((code) => fc.constantFrom(code, code, code.toLowerCase()))

export const dependents = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 30 }) }
)

/** Incomes at rows of the ICR factors, and of the Arkansas table plus its deduction. */
const tableIncome = fc.oneof(
  fc.constantFrom(13_717, 18_873, 29_819, 41_769, 52_462, 65_798, 79_138, 97_000, 250_560, 352_277, 409_433),
  fc
    .tuple(fc.integer({ min: 0, max: 29 }), fc.constantFrom(2_470, 4_940))
    .map(([row, free]) => 94_701 + row * 100 + free)
)

/**
 * Incomes. At a growth of 0.25 or 0.5, some multiples of 1,000 reach an edge exactly in a later
 * year.
 */
export const incomes = fc.oneof(
  { weight: 4, arbitrary: cents(150_000) },
  { weight: 3, arbitrary: around(fc.integer({ min: 0, max: 12 }).map((tens) => tens * 10_000)) },
  { weight: 2, arbitrary: around(tableIncome) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 200 }).map((thousands) => thousands * 1_000) },
  { weight: 1, arbitrary: decimals(200_000) },
  { weight: 1, arbitrary: cents(MAX_DOLLARS) }
)

export const growth = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constant(0.03) },
  { weight: 1, arbitrary: fc.constantFrom(0.01, 0.1, 0.25, 0.5) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 5_000 }).map((tenThousandths) => tenThousandths / 10_000) }
)

export const spouseIncome = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(null, 0) },
  { weight: 2, arbitrary: incomes },
  { weight: 1, arbitrary: cents(100_000) }
)

export const spouseLoans = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(null, 0) },
  { weight: 3, arbitrary: cents(150_000) },
  { weight: 1, arbitrary: fc.constantFrom(0.01, 10_000, 30_000, MAX_DOLLARS) }
)

const label = fc.oneof(fc.constant(null), fc.string({ maxLength: 80 }), fc.constantFrom("", "plan a", "plan b"))

const plainScenarios = (options: RequestOptions): fc.Arbitrary<WireScenario> =>
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

/**
 * Sets the income at which the plan bills about `due` dollars, before the rule for payments below
 * $5 and $10. If half of the principal is FFEL, $10 and $20 become $5 and $10.
 */
function billedAbout(scenario: WireScenario, due: number, offset: number): WireScenario {
  const { multiple, rate: part } = discretionaryTerms[readPlanType(scenario.planType)] ?? { multiple: 1.5, rate: 0.1 }
  const joint = readFilingStatus(scenario.filingStatus) === "MarriedFilingJointly"
  const guideline = guidelineByState[scenario.state.toUpperCase()] ?? { first: 15_960, each: 5_680 }
  const family = guideline.first + guideline.each * (scenario.dependents + (joint ? 1 : 0))
  const income = multiple * family + (due * 12) / part + offset
  const { spouseAdjustedGrossIncome: _, spouseFederalLoanBalance: __, ...alone } = scenario
  return { ...alone, adjustedGrossIncome: Math.max(0, Number(income.toFixed(2))) }
}

const discretionaryTerms: Partial<Record<PlanType, { readonly multiple: number; readonly rate: number }>> = {
  "INCOME BASED (OLD)": { multiple: 1.5, rate: 0.15 },
  "INCOME CONTINGENT": { multiple: 1, rate: 0.2 },
  SAVE: { multiple: 2.25, rate: 0.05 }
}

const guidelineByState: Readonly<Record<string, { readonly first: number; readonly each: number }>> = {
  AK: { first: 19_950, each: 7_100 },
  HI: { first: 18_360, each: 6_530 }
}

/** A couple whose incomes add up to `income` to the cent, but perhaps not in doubles. */
function sharedIncome(scenario: WireScenario, income: number, partOfSpouse: number): WireScenario {
  const all = Math.round(income * 100)
  const spouse = Math.floor((all / 10_000) * partOfSpouse)
  return {
    ...scenario,
    filingStatus: "MarriedFilingJointly",
    adjustedGrossIncome: (all - spouse) / 100,
    spouseAdjustedGrossIncome: spouse / 100
  }
}

/** An income that growth brings to `edge` after some years, within the precision of a double. */
function grownIncome(scenario: WireScenario, edge: number, annualIncomeGrowth: number, years: number): WireScenario {
  const { spouseAdjustedGrossIncome: _, ...alone } = scenario
  const adjustedGrossIncome = edge / (1 + annualIncomeGrowth) ** years
  return { ...alone, adjustedGrossIncome, annualIncomeGrowth }
}

/** Couples with federal loans on both sides, so that the payment is prorated, but for ICR. */
export const indebtedCouples = (options: RequestOptions): fc.Arbitrary<WireScenario> =>
  fc
    .tuple(plainScenarios(options), fc.oneof(cents(150_000), fc.constantFrom(0.01, 10_000, MAX_DOLLARS)))
    .map(([scenario, spouseFederalLoanBalance]) => ({
      ...scenario,
      filingStatus: "MarriedFilingJointly",
      spouseFederalLoanBalance
    }))

export function scenarios(options: RequestOptions = {}): fc.Arbitrary<WireScenario> {
  const plain = plainScenarios(options)
  const small = fc.tuple(plain, fc.constantFrom(0, 5, 10, 20), fc.constantFrom(0, 0, -0.01, 0.01, -1, 1))
  const edge = fc.integer({ min: 1, max: 10 }).map((tens) => tens * 10_000)
  const shared = fc.tuple(plain, fc.oneof(edge, incomes), fc.integer({ min: 1, max: 9_999 }))
  const grown = fc.tuple(plain, edge, fc.constantFrom(0.03, 0.1, 0.2, 0.5), fc.integer({ min: 1, max: 9 }))
  return fc.oneof(
    { weight: 8, arbitrary: plain },
    { weight: 3, arbitrary: small.map(([scenario, due, offset]) => billedAbout(scenario, due, offset)) },
    { weight: 2, arbitrary: indebtedCouples(options) },
    { weight: 2, arbitrary: shared.map(([scenario, income, part]) => sharedIncome(scenario, income, part)) },
    { weight: 1, arbitrary: grown.map(([scenario, ...growing]) => grownIncome(scenario, ...growing)) }
  )
}
