/**
 * The requests of the engine bench: sixteen borrowers, so that no plan is timed on one atypical
 * book. Incomes and balances are spread so that income-driven plans mostly run to forgiveness.
 * Nothing is measured here.
 */
import type { Loan } from "../../schema/loan.ts"
import type { FilingStatus, PlanType } from "../../schema/scenario.ts"
import { type EngineRequest, NO_ADDITIONS } from "../../src/engine/index.ts"

export const BORROWERS = 16
export const BOOK_SIZES = [1, 3, 10] as const
export const START = { year: 2027, month: 1 }

/** Description of the inputs, printed above every table of figures. */
export const INPUTS =
  "16 borrowers: income 45,000 to 60,000 growing 3 % a year, family of one or two, six states; debt 31,000 to 120,000 " +
  "in all, cut into the loans of the book; 4.5 % to 7.5 %; Direct subsidized, unsubsidized and graduate PLUS; no prior months"

const MIN_INCOME = 45_000
const INCOME_STEP = 1_000
/** Above the minimum of EXTENDED. */
const MIN_DEBT = 31_000
const MAX_DEBT = 120_000
const STATES = ["CA", "NC", "NY", "OH", "TX", "WI"] as const
const TYPES = ["DIRECT STAFFORD UNSUBSIDIZED", "DIRECT STAFFORD SUBSIDIZED", "DIRECT PLUS GRADUATE"] as const
const RATES = [0.0653, 0.0499, 0.0754, 0.0453, 0.0605] as const
/** Coprime to the number of borrowers, so that debt does not simply rise with income. */
const SHUFFLE = 7

const cycled = <A>(list: ReadonlyArray<A>, index: number): A => list[index % list.length]!

const statusOf = (borrower: number): FilingStatus => (borrower % 4 === 3 ? "HeadOfHousehold" : "Single")

const debtOf = (borrower: number): number =>
  MIN_DEBT + (((borrower * SHUFFLE) % BORROWERS) * (MAX_DEBT - MIN_DEBT)) / (BORROWERS - 1)

/** A debt split into different loans. None has unpaid interest, so all end in the same month. */
export const loansOf = (borrower: number, size: number): ReadonlyArray<Loan> => {
  const weights = Array.from({ length: size }, (_, slot) => 2 + (slot % 3))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight, slot): Loan => {
    const principalBalance = Math.round((debtOf(borrower) * weight * 100) / all) / 100
    return {
      loanType: cycled(TYPES, slot),
      principalBalance,
      interestBalance: 0,
      interestRate: cycled(RATES, borrower + slot),
      disbursedAmount: 0,
      idrMonthsInRepayment: 0,
      pslfCount: 0,
      madeOn: null
    }
  })
}

const scenarioOf = (borrower: number, planType: PlanType): EngineRequest["scenario"] => ({
  planType,
  adjustedGrossIncome: MIN_INCOME + borrower * INCOME_STEP,
  spouseAdjustedGrossIncome: null,
  spouseFederalLoanBalance: null,
  filingStatus: statusOf(borrower),
  dependents: borrower % 4 === 3 ? 1 : 0,
  state: cycled(STATES, borrower),
  workingTowardsPslf: false,
  annualIncomeGrowth: 0.03,
  label: null,
  ...NO_ADDITIONS
})

export const requestsOf = (planType: PlanType, size: number): ReadonlyArray<EngineRequest> =>
  Array.from({ length: BORROWERS }, (_, borrower) => ({
    scenario: scenarioOf(borrower, planType),
    loans: loansOf(borrower, size),
    includeYearly: false
  }))
