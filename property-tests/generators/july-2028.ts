/**
 * Generators of requests that cross July 2028 under INCOME CONTINGENT or PAY AS YOU EARN, which end
 * in that month:
 * - counts of months that are complete near that month
 * - loans paid off just before it, and unpaid interest carried over
 * - loans that move to both successor plans in one book
 * - FFEL loans, which reduce the payment only until PAY AS YOU EARN ends
 * - couples, whose share becomes that of the loans under each successor
 */
import fc from "fast-check"
import { indexOfMonth } from "../oracle/calendar.ts"
import { CONTINGENT_PLANS_ENDED } from "../oracle/law.ts"
import type { PlanType } from "../oracle/matrix.ts"
import type { Start } from "../oracle/oracle.ts"
import type { WireLoan, WireProjection, WireScenario } from "../oracle/wire.ts"
import { bookTotal, cents, rate } from "./amounts.ts"
import type { RequestOptions } from "./books.ts"
import { indebtedCouples, scenarios } from "./scenarios.ts"

const endingPlans = ["INCOME CONTINGENT", "PAY AS YOU EARN"] as const satisfies ReadonlyArray<PlanType>

const monthOfEnd = (start: Start): number => indexOfMonth(CONTINGENT_PLANS_ENDED, start)

/**
 * Months already counted. With them, a count of `whole` months is complete about when the plans
 * end.
 */
const countEndingNear = (start: Start, whole: number): fc.Arbitrary<number> =>
  fc.integer({ min: -2, max: 2 }).map((offset) => Math.max(0, whole - 1 - monthOfEnd(start) + offset))

/** Counts that lead to forgiveness near July 2028 under PAY AS YOU EARN or INCOME CONTINGENT. */
export const idrMonthsEndingNear = (start: Start): fc.Arbitrary<number> =>
  fc.oneof(countEndingNear(start, 240), countEndingNear(start, 300))

export const pslfCountEndingNear = (start: Start): fc.Arbitrary<number> =>
  countEndingNear(start, 120).map((count) => Math.min(120, count))

const studentTypes = [
  "DIRECT STAFFORD SUBSIDIZED",
  "DIRECT STAFFORD UNSUBSIDIZED",
  "DIRECT PLUS GRADUATE",
  "DIRECT CONSOLIDATED SUBSIDIZED"
]
const plusConsolidations = ["DIRECT PARENT PLUS CONSOLIDATED"]

const studentType = fc.constantFrom(...studentTypes)
const plusConsolidationType = fc.constantFrom(...plusConsolidations)

/**
 * Types that neither plan takes. The first three reduce PAY AS YOU EARN's payment, and the second
 * three have no effect. A borrower with one of the last three cannot have PAY AS YOU EARN.
 */
const outsideType = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("FFEL STAFFORD SUBSIDIZED", "FFEL PLUS GRADUATE", "FFEL CONSOLIDATED") },
  { weight: 2, arbitrary: fc.constantFrom("FFEL PARENT PLUS", "DIRECT PARENT PLUS", "FEDERAL PERKINS") },
  { weight: 1, arbitrary: fc.constantFrom("DIRECT PLUS CONSOLIDATED", "FFEL REFINANCED", "FEDERALLY INSURED (FISL)") }
)

const loanAcross = (start: Start, types: fc.Arbitrary<string>, highestRate: number): fc.Arbitrary<WireLoan> =>
  fc.record({
    loanType: types,
    principalBalance: fc.oneof({ weight: 3, arbitrary: bookTotal }, { weight: 2, arbitrary: cents(3_000) }),
    interestBalance: fc.oneof(fc.constant(0), cents(5_000)),
    interestRate: rate(highestRate),
    idrMonthsInRepayment: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: idrMonthsEndingNear(start) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 239 }) }
    ),
    pslfCount: fc.oneof(
      { weight: 2, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: pslfCountEndingNear(start) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 119 }) }
    )
  })

/** Loans that move to one successor plan or to both, often with some that neither plan takes. */
const loansAcross = (start: Start, highestRate: number): fc.Arbitrary<ReadonlyArray<WireLoan>> => {
  const loans = (types: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
    fc.array(loanAcross(start, types, highestRate), { minLength, maxLength })
  const together = (...parts: ReadonlyArray<fc.Arbitrary<ReadonlyArray<WireLoan>>>) =>
    fc.tuple(...parts).map((books) => books.flat())
  return fc.oneof(
    { weight: 2, arbitrary: loans(studentType, 1, 3) },
    { weight: 1, arbitrary: loans(plusConsolidationType, 1, 2) },
    { weight: 2, arbitrary: together(loans(studentType, 1, 2), loans(outsideType, 1, 2)) },
    {
      weight: 4,
      arbitrary: together(loans(studentType, 1, 2), loans(plusConsolidationType, 1, 2), loans(outsideType, 0, 1))
    }
  )
}

/** Many are couples: the share ends or changes with the plan, and INCOME CONTINGENT has none. */
const endingScenarios = (options: RequestOptions): fc.Arbitrary<WireScenario> => {
  const ending = { ...options, plans: endingPlans }
  return fc.oneof({ weight: 3, arbitrary: scenarios(ending) }, { weight: 2, arbitrary: indebtedCouples(ending) })
}

const plainBorrower = {
  adjustedGrossIncome: 100_000,
  filingStatus: "Single",
  dependents: 0,
  state: "TX",
  workingTowardsPslf: false
}

/** Loans without interest that minimum payments (PAYE $50, ICR $5) pay off near the plans' end. */
const paidOffNear = (start: Start): fc.Arbitrary<WireProjection> =>
  fc
    .record({
      planType: fc.constantFrom(...endingPlans),
      months: fc.integer({ min: -1, max: 1 }).map((offset) => Math.max(0, monthOfEnd(start) + offset)),
      over: fc.constantFrom(0, 0, 0.004, 0.006, 0.01, -0.01),
      loanType: fc.constantFrom(...studentTypes, ...plusConsolidations)
    })
    .map(({ loanType, months, over, planType }) => {
      const least = planType === "PAY AS YOU EARN" ? 50 : 5
      const principalBalance = Math.max(0, Number((least * months + over).toFixed(6)))
      return { scenario: { ...plainBorrower, planType }, loans: [{ loanType, principalBalance, interestRate: 0 }] }
    })

export function requestsAcrossJuly2028(options: RequestOptions, start: Start): fc.Arbitrary<WireProjection> {
  const any = fc.record({
    scenario: endingScenarios(options),
    loans: loansAcross(start, options.highestRate ?? 1),
    includeYearly: fc.boolean()
  })
  return fc.oneof({ weight: 6, arbitrary: any }, { weight: 1, arbitrary: paidOffNear(start) })
}
