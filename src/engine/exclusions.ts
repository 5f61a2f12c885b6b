/**
 * Why the keyless calculator leaves a plan out, in one sentence in the words of its request: one loan without a position,
 * its own field names. Which plan is refused for what is decided by the law and the engine, not here.
 */
import type { CalculatorPlan } from "../../schema/calculator.ts"
import type { Loan } from "../../schema/loan.ts"
import { ASK_FOR_DISCHARGE, type Obstacle, type Refusal } from "./answer/refusals.ts"
import type { EnginePlan } from "./law/household.ts"
import type { Law } from "./law/law.ts"
import { forThreshold } from "./schedule/rounding.ts"

/** Plans open to a loan made on or after 1 July 2026. */
const OPEN_TO_NEW_LOANS: ReadonlySet<CalculatorPlan> = new Set(["tiered_standard", "rap"])

/** The loan type, and what is taken of it where it does not say all. */
const typeReason = (law: Law, loan: Loan): string => {
  const { plusConsolidation } = law.traitsOf[loan.loanType]
  const assumed = plusConsolidation ? ", which does not say whose PLUS loan it repaid and is taken as a parent's," : ""
  return `The loan type ${loan.loanType}${assumed} cannot elect it.`
}

/** @law 20 U.S.C. 1098e(a)(2)(B)   @rule plan-eligibility-matrix */
const windowReason = (law: Law, loan: Loan): string => {
  const { plusConsolidation } = law.traitsOf[loan.loanType]
  const taken = plusConsolidation ? ", taken as a consolidation of a parent's PLUS loan," : ""
  return `It opens to this loan${taken} only after a payment under an income-driven plan (ICR) between 4 July 2025 and 30 June 2028; priorIdrMonths was 0.`
}

/** Why the law keeps the plan from the loan, or undefined. */
export const closedReason = (
  law: Law,
  id: CalculatorPlan,
  plan: EnginePlan,
  loan: Loan,
  newLoan: boolean
): string | undefined => {
  if (law.notElectable.includes(plan)) return "It cannot be elected since the final judgment of 10 March 2026."
  const code = law.traitsOf[loan.loanType].codes[plan]
  if (code === "N") return typeReason(law, loan)
  if (newLoan && !OPEN_TO_NEW_LOANS.has(id)) {
    return "It is closed to loans made on or after 1 July 2026; borrowedOnOrAfterJul12026 was true."
  }
  if (code === "C1" && loan.idrMonthsInRepayment < 1) return windowReason(law, loan)
  if (!newLoan && id === "tiered_standard") {
    return "It is open only to loans made on or after 1 July 2026; send borrowedOnOrAfterJul12026 true for one."
  }
  if (code === "Y30" && !(forThreshold(loan.principalBalance) > law.extendedBalanceOver)) {
    return `It needs a balance over ${law.extendedBalanceOver} dollars.`
  }
  return undefined
}

const sentenceOf = (law: Law, loan: Loan, obstacle: Obstacle): string => {
  switch (obstacle._tag) {
    case "Closed":
      return obstacle.byOneMonth ? windowReason(law, loan) : typeReason(law, loan)
    case "TermSpent": {
      const outcome = obstacle.paymentsLeft < 1 ? "nothing to pay" : "the whole balance in one payment"
      const counts = `priorIdrMonths was ${obstacle.priorIdrMonths}, pslfCreditedMonths ${obstacle.pslfCount}`
      return `With the months already behind the loan it leaves ${outcome}; ${counts}.`
    }
    case "TimeServed":
      return `It would forgive the loan before any payment, with priorIdrMonths ${obstacle.counted} of ${obstacle.needed}; ${ASK_FOR_DISCHARGE}.`
    case "ServiceDone":
      return `It would forgive the loan before any payment, with pslfCreditedMonths ${obstacle.counted} of ${obstacle.needed} and pursuingPslf true; ${ASK_FOR_DISCHARGE}.`
  }
}

/** Why the engine gives no answer for the one loan of the calculator. */
export const refusedReason = (law: Law, loan: Loan, { loans }: Refusal): string =>
  loans.map(({ obstacle }) => sentenceOf(law, loan, obstacle)).join(" ")
