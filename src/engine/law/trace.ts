/**
 * The trace of a computation: its intermediate results (steps), each with the rules behind it. An
 * explanation passes a trace to the functions that compute the payment. A projection passes none,
 * so tracing costs it nothing. Names and formulas of the steps are in src/messages/steps.
 */
import type { Rule } from "../../../ledger/entry.ts"

/** The name of an intermediate result. */
export type Term =
  | "incomeBase"
  | "income"
  | "ownDebt"
  | "spouseDebt"
  | "share"
  | "directPrincipal"
  | "ffelPrincipal"
  | "directPart"
  | "familySize"
  | "prices"
  | "povertyGuideline"
  | "povertyMultiple"
  | "discretionaryIncome"
  | "graduateShare"
  | "paymentRate"
  | "incomePayment"
  | "amortizationMonths"
  | "amortizedPayment"
  | "tenYearPayment"
  | "paymentCap"
  | "cappedPayment"
  | "twelveYearPayment"
  | "lowerIncome"
  | "lowerPercentage"
  | "upperIncome"
  | "upperPercentage"
  | "incomePercentage"
  | "factoredPayment"
  | "lesserPayment"
  | "smallRuledPayment"
  | "raisedPayment"
  | "bandRate"
  | "annualPayment"
  | "dependentReduction"
  | "reducedPayment"
  | "minimumPayment"
  | "atLeastMinimum"
  | "consolidationBase"
  | "tierBalance"
  | "directBalance"
  | "term"
  | "monthsBehind"
  | "monthsLeft"
  | "balance"
  | "monthlyRate"
  | "levelPayment"
  | "allLevelPayments"
  | "raise"
  | "allTieredPayments"
  | "tieredRaise"
  | "levels"
  | "firstInterest"
  | "tenYearLevel"
  | "leastPayment"
  | "mostPayment"
  | "levelRatio"
  | "firstLevel"
  | "scheduledPayment"
  | "interestAccrued"
  | "owed"
  | "payment"
  | "loanPayments"
  | "toInterest"
  | "toUnpaidInterest"
  | "toPrincipal"
  | "subsidizedMonth"
  | "waivedShare"
  | "interestWaived"
  | "interestAdded"
  | "interestJoined"
  | "principalMatched"
  | "forgivenessMonths"
  | "originalDebt"
  | "countedMonths"
  | "forgivenessMonth"
  | "servicePayments"
  | "countedPayments"
  | "serviceMonth"
  | "dueAgain"
  | "extraSent"
  | "lumpSent"
  | "owedAfterPayments"
  | "extraPayment"
  | "forgivenTimeBased"
  | "forgivenPslf"
  | "taxYear"
  | "taxIncome"
  | "taxForgiven"
  | "standardDeduction"
  | "taxableWith"
  | "taxableWithout"
  | "bracketRate"
  | "bracketSlice"
  | "bracketTax"
  | "federalTaxWith"
  | "federalTaxWithout"
  | "federalTax"
  | "stateTaxWith"
  | "stateTaxWithout"
  | "stateTax"

/** Receives an intermediate result for all loans together. */
export interface Trace {
  (term: Term, value: number, ...rules: ReadonlyArray<Rule>): void
  /** The trace of one loan, by its position in the request. */
  readonly of: (position: number) => Trace
}

/** An intermediate result as computed. Money is in unrounded dollars. */
export interface Step {
  readonly term: Term
  readonly value: number
  /** Position of the loan in the request; null for all loans together. */
  readonly loan: number | null
  readonly rules: ReadonlyArray<Rule>
}

/** A trace that appends steps to a list. */
export const traceInto = (steps: Array<Step>, loan: number | null = null): Trace =>
  Object.assign(
    (term: Term, value: number, ...rules: ReadonlyArray<Rule>) => {
      steps.push({ term, value, loan, rules })
    },
    { of: (position: number) => traceInto(steps, position) }
  )
