/** The notes of an eligibility answer: assumptions in place of dates that were not sent. */
import { newBorrowerTests } from "../../ledger/rules/income-based.ts"
import { newLoanPlans202607 } from "../../ledger/rules/new-loans.ts"
import type { EligibilityRequest, LoanEligibility } from "../../schema/eligibility.ts"
import { currentLaw, historyOf, type Law } from "../engine/index.ts"
import { longDate } from "./figures.ts"
import { dateNotes } from "./notes.ts"

/** The assumption about loans without a date. @rule new-loan-plans-2026-07 */
const newLoans = (law: Law): string => {
  const from = longDate(law.read(newLoanPlans202607).loansMadeFrom)
  return `is assumed to be made before ${from}. One Direct loan or consolidation made since then leaves only REPAYMENT ASSISTANCE and Tiered Standard for all Direct loans, and only Tiered Standard for Parent PLUS loans`
}

const newFrom = (law: Law, plan: "INCOME BASED" | "PAY AS YOU EARN"): string =>
  longDate(law.read(newBorrowerTests)[plan].newFrom)

/** The assumption about the borrower, if dates close INCOME BASED. @rule new-borrower-tests */
const newForPaye = (law: Law): string =>
  `The borrower is assumed to be new on ${newFrom(law, "PAY AS YOU EARN")} for PAY AS YOU EARN`

/** The assumption about the borrower otherwise. @rule new-borrower-tests */
const newBorrower = (law: Law): string => {
  const ofIncomeBased = newFrom(law, "INCOME BASED")
  return `The borrower is assumed to be new on ${ofIncomeBased} for INCOME BASED, and on ${newFrom(law, "PAY AS YOU EARN")} for PAY AS YOU EARN. Borrowers who were new on ${ofIncomeBased} have INCOME BASED; everyone else has INCOME BASED (OLD)`
}

/** The assumptions behind the listed plans, as far as dates do not decide; empty if no plan is listed. */
export const eligibilityNotes = (
  loans: ReadonlyArray<LoanEligibility>,
  request: EligibilityRequest
): ReadonlyArray<string> => {
  const lists = (plan: LoanEligibility["eligiblePlanTypes"][number]) =>
    loans.some(({ eligiblePlanTypes }) => eligiblePlanTypes.includes(plan))
  const history = historyOf(currentLaw, request.firstBorrowedOn, request.loans)
  const isFirstKnown = typeof history?.firstBorrowedOn === "string"
  const isNewnessKnown = history?.isNew === true || history?.isAllDated === true
  const whose = history === undefined ? "Every loan" : "Every loan without madeOn"
  const isPayeAlone = history !== undefined && !lists("INCOME BASED")
  return [
    ...dateNotes(currentLaw, request),
    ...(loans.some(({ eligiblePlanTypes }) => eligiblePlanTypes.length > 0) && !isNewnessKnown
      ? [`${whose} ${currentLaw.derived(newLoans)}`]
      : []),
    ...((lists("INCOME BASED") || lists("PAY AS YOU EARN")) && !isFirstKnown
      ? [currentLaw.derived(isPayeAlone ? newForPaye : newBorrower)]
      : [])
  ]
}
