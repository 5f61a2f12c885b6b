/** The sentences about plans that have ended or will end. */
import { idrSunsetDefault } from "../../ledger/rules/income-based.ts"
import { saveVacatur } from "../../ledger/rules/save.ts"
import { currentLaw } from "../engine/index.ts"
import { longDate, month } from "./figures.ts"

/** The plans that can't be elected anymore. */
export const CLOSED_PLANS: ReadonlyArray<string | null> = currentLaw.read(saveVacatur).notElectable

export const isElectable = ({ planType }: { readonly planType: string | null }): boolean =>
  !CLOSED_PLANS.includes(planType)

/** The id of the rule that an answer cites when loans move to a successor plan. */
export const END_OF_PLANS = "idr-sunset-default"

/** The id of the rule that an answer cites when the plan cannot take some of the loans. */
export const LOANS_OUTSIDE_PLAN = "loans-outside-the-plan"
/** The id of the rule that an answer cites when counted months shorten a fixed plan. */
export const MONTHS_BEHIND_PLAN = "fixed-plan-prior-months"
/** The id of the rule by which the closed plans can't be elected anymore. */
export const END_OF_ELECTION = "save-vacatur"

/** The sentence about a plan that can't be elected anymore; undefined for other plans. */
export const closedPlan = (planType: string | null): string | undefined =>
  CLOSED_PLANS.includes(planType)
    ? `${planType} cannot be elected since ${longDate(currentLaw.read(saveVacatur).vacatedOn)}; these figures show what it would be`
    : undefined

/** The id of the rule of interest that joins the principal where Income-Based is left. */
export const LEAVING_INCOME_BASED = "leaving-income-based"

/** The id of the rule that an answer cites when dates were sent. */
export const DATED = "loan-types-ended"

/** The sentence for answers that cite `END_OF_PLANS`. */
export const endOfPlans = (citations: ReadonlyArray<string>): string => {
  const { endsOn, newBorrowersFrom, plans, successors, successorsOfNewBorrowers } = currentLaw.read(idrSunsetDefault)
  const ofNew = ` (${successorsOfNewBorrowers.at(-1)} if the dates show no debt before ${longDate(newBorrowersFrom)})`
  const next = `${successors.join(" or else ")}${citations.includes(DATED) ? ofNew : ""}`
  return `${plans.join(" and ")} end in ${month(endsOn)}. Open loans move to ${next}, unless the borrower chooses another, such as IBR`
}
