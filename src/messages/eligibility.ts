/** The notes of an eligibility answer: what is assumed where dates were not sent. */
import { newBorrowerTests } from "../../ledger/rules/income-based.ts"
import { newLoanPlans202607 } from "../../ledger/rules/new-loans.ts"
import type { EligibilityRequest, LoanEligibility } from "../../schema/eligibility.ts"
import { currentLaw } from "../engine/law/law.ts"
import { historyOf } from "../engine/schedule/history.ts"
import { longDate } from "./figures.ts"
import { dateNotes } from "./notes.ts"

/**
 * @param whose the loans that were read so
 * @rule new-loan-plans-2026-07
 */
const newLoans = (whose: "Every loan" | "Every loan without madeOn"): string => {
  const from = longDate(currentLaw.read(newLoanPlans202607).loansMadeFrom)
  return `${whose} is assumed to be made before ${from}. One Direct loan or consolidation made since then leaves only REPAYMENT ASSISTANCE and Tiered Standard for all Direct loans, and only Tiered Standard for Parent PLUS loans`
}

/**
 * @param isPayeAlone whether dates close INCOME BASED
 * @rule new-borrower-tests
 */
const newBorrower = (isPayeAlone: boolean): string => {
  const tests = currentLaw.read(newBorrowerTests)
  const from = (plan: "INCOME BASED" | "PAY AS YOU EARN") => longDate(tests[plan].newFrom)
  if (isPayeAlone) return `The borrower is assumed to be new on ${from("PAY AS YOU EARN")} for PAY AS YOU EARN`
  return `The borrower is assumed to be new on ${from("INCOME BASED")} for INCOME BASED, and on ${from("PAY AS YOU EARN")} for PAY AS YOU EARN. Borrowers who were new on ${from("INCOME BASED")} have INCOME BASED; everyone else has INCOME BASED (OLD)`
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
      ? [newLoans(whose)]
      : []),
    ...((lists("INCOME BASED") || lists("PAY AS YOU EARN")) && !isFirstKnown ? [newBorrower(isPayeAlone)] : [])
  ]
}
