/** Requests to the engine about a book. */
import { leavingIncomeBased } from "../../../ledger/rules/interest.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import {
  currentLaw,
  type EnginePlan,
  fromCents,
  type HouseholdScenario,
  makeWorkspace,
  NO_ADDITIONS,
  type Refusal,
  toCents
} from "../../engine/index.ts"
import type { ReadBook } from "./reading.ts"

/** Memory of the engine that successive calls share. */
export const workspace = makeWorkspace()

/** What is paid beyond what is due, in dollars: an amount each month, all that is paid in a month, or sums. */
export type Beyond = Pick<HouseholdScenario, "extraMonthlyPayment" | "lumpSums" | "monthlyBudget">

/** The household on a return. */
export const scenarioOf = ({ household, separately }: ReadBook, filingStatus: FilingStatus): HouseholdScenario => ({
  ...household,
  ...(filingStatus === "MarriedFilingSeparately" ? separately : {}),
  filingStatus
})

export const INCOME_BASED = currentLaw.read(leavingIncomeBased)

export const isAmong = (plans: ReadonlyArray<string>, plan: EnginePlan | null): plan is EnginePlan =>
  plan !== null && plans.includes(plan)

/** Whether the borrower would leave Income-Based for the plan. @rule leaving-income-based */
export const isLeaving = (planType: EnginePlan, { currentPlan }: Pick<ReadBook, "currentPlan">): boolean =>
  isAmong(INCOME_BASED.plans, currentPlan) && !isAmong(INCOME_BASED.plans, planType)

/** The loans as the plan takes them over: for who leaves Income-Based, unpaid interest is principal. @rule leaving-income-based */
export const loansFor = (planType: EnginePlan, book: ReadBook): ReadBook["loans"] =>
  isLeaving(planType, book)
    ? book.loans.map((loan) =>
        currentLaw.traitsOf[loan.loanType].eligibility["INCOME BASED"] === "closed"
          ? loan
          : {
              ...loan,
              principalBalance: fromCents(toCents(loan.principalBalance) + toCents(loan.interestBalance)),
              interestBalance: 0
            }
      )
    : book.loans

/** The request of a line. Its main figures have nothing beyond what is due. */
export const requestOf = (
  book: ReadBook,
  planType: EnginePlan,
  filingStatus: FilingStatus,
  beyond: Beyond = NO_ADDITIONS
) => ({
  scenario: {
    ...scenarioOf(book, filingStatus),
    planType,
    extraMonthlyPayment: beyond.extraMonthlyPayment,
    monthlyBudget: beyond.monthlyBudget,
    lumpSums: beyond.lumpSums
  },
  loans: loansFor(planType, book),
  includeYearly: true
})

/** The loans with a new term: no month or payment is counted so far. */
export const withoutCounts = (loans: ReadBook["loans"]): ReadBook["loans"] =>
  loans.map((loan) => ({ ...loan, idrMonthsInRepayment: 0, pslfCount: 0 }))

/** A line has a projection, so the engine refuses no other request about it. */
export const notRefused = <T extends object>(outcome: T | Refusal): T => {
  if ("_tag" in outcome && outcome._tag === "Refusal") throw new RangeError("a line without a projection")
  return outcome as T
}
