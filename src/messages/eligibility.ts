/** The notes of an eligibility answer: what is assumed, because requests contain no dates. */
import { newBorrowerTests } from "../../ledger/rules/income-based.ts"
import { newLoanPlans202607 } from "../../ledger/rules/new-loans.ts"
import type { LoanEligibility } from "../../schema/eligibility.ts"
import { currentLaw } from "../engine/law/law.ts"
import { longDate } from "./figures.ts"

/** @rule new-loan-plans-2026-07 */
const newLoans = (): string => {
  const from = longDate(currentLaw.read(newLoanPlans202607).loansMadeFrom)
  return `Every loan was read as made before ${from}: one Direct loan or consolidation made since leaves all of the borrower's Direct loans only REPAYMENT ASSISTANCE and Tiered Standard, Parent PLUS loans Tiered Standard alone`
}

/** @rule new-borrower-tests */
const newBorrower = (): string => {
  const tests = currentLaw.read(newBorrowerTests)
  const from = (plan: keyof typeof tests) => longDate(tests[plan].newFrom)
  return `The borrower was read as new on ${from("INCOME BASED")} for INCOME BASED, on ${from("PAY AS YOU EARN")} for PAY AS YOU EARN: who was not has INCOME BASED (OLD), who was has INCOME BASED, and nobody both`
}

/** The assumptions behind the listed plans; empty if no plan is listed. */
export const eligibilityNotes = (loans: ReadonlyArray<LoanEligibility>): ReadonlyArray<string> => {
  const lists = (plan: LoanEligibility["eligiblePlanTypes"][number]) =>
    loans.some(({ eligiblePlanTypes }) => eligiblePlanTypes.includes(plan))
  return [
    ...(loans.some(({ eligiblePlanTypes }) => eligiblePlanTypes.length > 0) ? [newLoans()] : []),
    ...(lists("INCOME BASED") || lists("PAY AS YOU EARN") ? [newBorrower()] : [])
  ]
}
