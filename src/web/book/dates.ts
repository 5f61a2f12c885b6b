/**
 * What the law's days and the borrower's decide before any loan is computed: which plans are closed, and of whom the others
 * are where it was not asked. A request of the service carries no days; the page asks for them.
 */
import { newLoanPlans202607 } from "../../../ledger/rules/new-loans.ts"
import { saveVacatur } from "../../../ledger/rules/save.ts"
import type { Exclusion } from "../../engine/calculator.ts"
import { currentLaw } from "../../engine/law/law.ts"
import type { EnginePlan, Plan } from "../../engine/plans/plan.ts"
import type { Era } from "./draft.ts"
import { ERA_BEGINS, type ReadBook } from "./reading.ts"

/** Why a plan is closed by a day. */
export type DateReason =
  | Extract<Exclusion, { readonly _tag: "Vacated" | "ClosedToNewLoans" | "OnlyNewLoans" }>
  | { readonly _tag: "OnlyNewBorrowers"; readonly from: string }
  | { readonly _tag: "NewBorrower"; readonly instead: EnginePlan }
  /** Its term follows the balance of Direct loans, and the book has others. */
  | { readonly _tag: "DirectLoansAlone" }

/** Of whom a plan is, where the borrower's days leave it open. */
export type DateNote =
  /** It asks for a loan received since October 2011 too. */
  | "recentLoan"
  /** It was not said when the borrower first borrowed, and the plan is for those before or since a day. */
  | "ifSince2014"
  | "ifBefore2014"
  | "ifSince2007"
  | "ifSince1998"

const isNamed = (plans: ReadonlyArray<EnginePlan>, { planType }: Plan): boolean => plans.includes(planType)

/** Whether the borrower first borrowed on or after the day with which an era begins; undefined if that was not said. */
const borrowedSince = ({ firstBorrowed }: ReadBook, era: Exclude<Era, "before2007">): boolean | undefined =>
  firstBorrowed === undefined
    ? undefined
    : firstBorrowed !== "before2007" && ERA_BEGINS[firstBorrowed] >= ERA_BEGINS[era]

/** Whether some loan is no Direct loan. */
const hasOlderPrograms = ({ loans }: ReadBook): boolean =>
  loans.some(({ loanType }) => !currentLaw.traitsOf[loanType].direct)

/** What the law and the borrower's dates close before any loan is looked at. @rule save-vacatur, new-loan-plans-2026-07, new-borrower-tests */
export const closedByDate = (plan: Plan, book: ReadBook): DateReason | undefined => {
  if (isNamed(currentLaw.read(saveVacatur).notElectable, plan)) return { _tag: "Vacated" }
  if (book.madeSince2026) {
    if (!isNamed(currentLaw.read(newLoanPlans202607).plans, plan)) return { _tag: "ClosedToNewLoans" }
    return plan.onlyNewLoans && hasOlderPrograms(book) ? { _tag: "DirectLoansAlone" } : undefined
  }
  if (plan.onlyNewLoans) return { _tag: "OnlyNewLoans" }
  const { planType } = plan
  if (planType === "INCOME BASED" && borrowedSince(book, "2014") === false) {
    return { _tag: "OnlyNewBorrowers", from: ERA_BEGINS["2014"] }
  }
  if (planType === "INCOME BASED (OLD)" && borrowedSince(book, "2014") === true) {
    return { _tag: "NewBorrower", instead: "INCOME BASED" }
  }
  if (planType === "PAY AS YOU EARN" && borrowedSince(book, "2007") === false) {
    return { _tag: "OnlyNewBorrowers", from: ERA_BEGINS["2007"] }
  }
  return undefined
}

/** What is asked of the borrower's dates and was not said. @rule new-borrower-tests */
const DATED: Readonly<Partial<Record<EnginePlan, DateNote>>> = {
  "INCOME BASED": "ifSince2014",
  "INCOME BASED (OLD)": "ifBefore2014",
  "PAY AS YOU EARN": "ifSince2007",
  EXTENDED: "ifSince1998"
}

export const dateNotes = ({ planType }: Plan, { firstBorrowed }: ReadBook): ReadonlyArray<DateNote> => {
  const dated = DATED[planType]
  if (firstBorrowed === undefined) return dated === undefined ? [] : [dated]
  if (planType === "PAY AS YOU EARN" && firstBorrowed === "2007") return ["recentLoan"]
  return planType === "EXTENDED" && firstBorrowed === "before2007" ? ["ifSince1998"] : []
}
