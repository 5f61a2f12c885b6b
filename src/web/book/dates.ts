/**
 * The borrower's dates: converts the form's two questions into dates of a request, and notes plans that the dates leave
 * open. The engine decides which plans dates close. Here, counted months close two more plans.
 */
import { newBorrowerTests } from "../../../ledger/rules/income-based.ts"
import { newLoanPlans202607 } from "../../../ledger/rules/new-loans.ts"
import { FIRST_DAY } from "../../../schema/bounds.ts"
import type { Loan } from "../../../schema/loan.ts"
import {
  currentLaw,
  type DateObstacle,
  type EnginePlan,
  firstOwedFrom,
  type History,
  indexOfMonth,
  isEmpty,
  owedBefore,
  type StartMonth
} from "../../engine/index.ts"
import type { Era } from "./draft.ts"

const { EXTENDED, "INCOME BASED": ibr, "PAY AS YOU EARN": paye } = currentLaw.read(newBorrowerTests)
const { loansMadeFrom } = currentLaw.read(newLoanPlans202607)

/**
 * The first day of an era as `firstBorrowedOn`. An era is the time between two days in the law, so
 * each of its days closes the same plans. No loan of the era is older than its first day.
 * @rule new-borrower-tests, new-loan-plans-2026-07
 */
export const ERA_BEGINS: Readonly<Record<Era, string>> = {
  before2007: FIRST_DAY,
  "2007": paye.newFrom,
  "2014": ibr.newFrom,
  "2026": loansMadeFrom
}

const isNew = ({ madeOn }: Loan): boolean => madeOn !== null && madeOn >= loansMadeFrom

/**
 * Applies the tick for a loan since July 2026: the first Direct loan without a date gets the first day of such loans. The
 * choice of the loan changes no figure, because one such loan decides for all Direct loans.
 * @returns also the loan's position, null if a loan has such a date already; undefined if none fits
 * @rule new-loan-plans-2026-07
 */
export const withNewLoan = (
  loans: ReadonlyArray<Loan>
): { readonly loans: ReadonlyArray<Loan>; readonly ticked: number | null } | undefined => {
  const owed = loans.filter((loan) => currentLaw.traitsOf[loan.loanType].direct && !isEmpty(loan))
  if (owed.some(isNew)) return { loans, ticked: null }
  const found = owed.find(
    ({ loanType, madeOn }) => madeOn === null && !currentLaw.traitsOf[loanType].directPlusConsolidation
  )
  if (found === undefined) return undefined
  return {
    loans: loans.map((loan) => (loan === found ? { ...loan, madeOn: loansMadeFrom } : loan)),
    ticked: loans.indexOf(found)
  }
}

/** The history and the loans of a draft, with their dates. */
interface Dated {
  readonly history: History | undefined
  readonly loans: ReadonlyArray<Loan>
}

/** The condition of a plan, if the borrower's dates leave it open. */
export type DateNote =
  /** The plan also requires a loan received since October 2011. */
  | "recentLoan"
  /** The plan requires a first loan before or since a day, and that day is not known. */
  | "ifSince2014"
  | "ifBefore2014"
  | "ifSince2007"
  | "ifSince1998"

/** Whether a loan has more counted months than have passed since a day, which proves an older debt. */
const countsFromBefore = (day: string, loans: ReadonlyArray<Loan>, start: StartMonth): boolean =>
  loans.some(
    ({ idrMonthsInRepayment, pslfCount }) => Math.max(idrMonthsInRepayment, pslfCount) > -indexOfMonth(start, day)
  )

/**
 * The reason why counted months close a plan for new borrowers, if the day of the first debt is not
 * known. No request is refused for it, because the engine uses dates and kinds of loans alone.
 * @rule new-borrower-tests
 */
export const closedByCounts = (
  planType: EnginePlan,
  { history, loans }: Dated,
  start: StartMonth
): DateObstacle | undefined => {
  const day = planType === "INCOME BASED" ? ibr.newFrom : planType === "PAY AS YOU EARN" ? paye.newFrom : undefined
  if (day === undefined || (history !== undefined && history.firstBorrowedOn !== null)) return undefined
  return countsFromBefore(day, loans, start) ? { _tag: "OwedBefore", day, by: null } : undefined
}

/** Whether dates, kinds of loans or counted months show a debt from before July 2014. */
const isOlderThan2014 = ({ history, loans }: Dated, start: StartMonth): boolean =>
  (history !== undefined && owedBefore(history, ibr.newFrom)) ||
  closedByCounts("INCOME BASED", { history, loans }, start) !== undefined ||
  loans.some((loan) => !isEmpty(loan) && currentLaw.traitsOf[loan.loanType].closes["INCOME BASED"] !== undefined)

/** Whether EXTENDED's test of the year 1998 applies to a loan. */
const isOf1998 = (loan: Loan): boolean => {
  const { directPlusConsolidation, eligibility } = currentLaw.traitsOf[loan.loanType]
  return !isEmpty(loan) && eligibility.EXTENDED !== "closed" && !directPlusConsolidation
}

const hasRecentLoan = ({ directDates }: History): boolean =>
  directDates.some(
    ([loanType, madeOn]) =>
      !(paye.exceptLoanTypes as ReadonlyArray<string>).includes(loanType) &&
      madeOn !== null &&
      madeOn >= paye.someDirectLoanFrom
  )

/** The note of a plan that the dates leave open. @rule new-borrower-tests */
export const dateNotes = (planType: EnginePlan, dated: Dated, start: StartMonth): ReadonlyArray<DateNote> => {
  const { history, loans } = dated
  const isSince = (day: string): boolean => history !== undefined && firstOwedFrom(history, day)
  switch (planType) {
    case "INCOME BASED":
      return isSince(ibr.newFrom) ? [] : ["ifSince2014"]
    case "INCOME BASED (OLD)":
      return isOlderThan2014(dated, start) ? [] : ["ifBefore2014"]
    case "EXTENDED":
      return isSince(EXTENDED.everyLoanFrom) || !loans.some(isOf1998) ? [] : ["ifSince1998"]
    case "PAY AS YOU EARN":
      if (history === undefined || !isSince(paye.newFrom)) return ["ifSince2007"]
      return isSince(paye.someDirectLoanFrom) || hasRecentLoan(history) ? [] : ["recentLoan"]
    default:
      return []
  }
}

/**
 * The reason why one Income-Based plan is closed to a borrower who is on the other, if the dates
 * leave it open: who is on one of them has passed its test.
 * @rule new-borrower-tests
 */
export const closedByPlan = (
  planType: EnginePlan,
  { currentPlan, ...dated }: Dated & { readonly currentPlan: EnginePlan | null },
  start: StartMonth
): DateObstacle | undefined => {
  if (dateNotes(planType, dated, start).length === 0) return undefined
  if (planType === "INCOME BASED" && currentPlan === "INCOME BASED (OLD)")
    return { _tag: "OwedBefore", day: ibr.newFrom, by: null }
  if (planType === "INCOME BASED (OLD)" && currentPlan === "INCOME BASED")
    return { _tag: "OwedSince", day: ibr.newFrom, instead: "INCOME BASED" }
  return undefined
}
