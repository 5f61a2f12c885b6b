/**
 * How a payment is told in steps. Whoever explains hands a trace to the functions that compute the payment, and hears each
 * intermediate as they compute it, with the rules behind it. Whoever projects hands none, and pays for none. Words are not
 * found here: src/wording/steps has them.
 */
import type { Rule } from "../../../ledger/entry.ts"

/** What an intermediate is. */
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
  | "levels"
  | "firstInterest"
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
  | "principalMatched"
  | "forgivenessMonths"
  | "originalDebt"
  | "countedMonths"
  | "forgivenessMonth"
  | "servicePayments"
  | "countedPayments"
  | "serviceMonth"
  | "forgivenTimeBased"
  | "forgivenPslf"

/** Hears an intermediate. */
export interface Trace {
  (term: Term, value: number, ...rules: ReadonlyArray<Rule>): void
  /** The same for what is of one loan, by its position in the request. */
  readonly of: (position: number) => Trace
}

/** An intermediate as it was computed: money in dollars, not rounded. */
export interface Step {
  readonly term: Term
  readonly value: number
  /** Position of the loan in the request; null for what is of all loans together. */
  readonly loan: number | null
  readonly rules: ReadonlyArray<Rule>
}

/** A trace that adds what it hears to a list. */
export const traceInto = (steps: Array<Step>, loan: number | null = null): Trace =>
  Object.assign(
    (term: Term, value: number, ...rules: ReadonlyArray<Rule>) => {
      steps.push({ term, value, loan, rules })
    },
    { of: (position: number) => traceInto(steps, position) }
  )
