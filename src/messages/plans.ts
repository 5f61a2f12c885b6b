/** What is said of plans wherever their names are shown. */
import { idrSunsetDefault } from "../../ledger/rules/income-based.ts"
import { saveVacatur } from "../../ledger/rules/save.ts"
import { currentLaw } from "../engine/law/law.ts"
import { longDate, month } from "./figures.ts"

/** The plans that nobody can elect any more. */
export const CLOSED_PLANS: ReadonlyArray<string | null> = currentLaw.read(saveVacatur).notElectable

/** Whether the plan is none that nobody can elect any more. */
export const isElectable = ({ planType }: { readonly planType: string | null }): boolean =>
  !CLOSED_PLANS.includes(planType)

/** The rule that an answer cites where a plan ends and another goes on. */
export const END_OF_PLANS = "idr-sunset-default"

/** The rule that an answer cites where the plan cannot take some of the loans. */
export const LOANS_BESIDE = "loans-outside-the-plan"
/** The rule by which nobody can elect a plan any more. */
export const END_OF_ELECTION = "save-vacatur"

/** Said of a plan that nobody can elect any more; undefined of others. */
export const closedPlan = (planType: string | null): string | undefined =>
  CLOSED_PLANS.includes(planType)
    ? `Nobody can elect ${planType} since ${longDate(currentLaw.read(saveVacatur).vacatedOn)}: this is what it would be`
    : undefined

/** Said of an answer that cites the end of plans: it happens there, unless the borrower has chosen before. */
export const endOfPlans = (): string => {
  const { endsOn, plans, successors } = currentLaw.read(idrSunsetDefault)
  return `What is open under ${plans.join(" or ")} in ${month(endsOn)} goes on under ${successors.join(", else ")}, unless the borrower chooses another, such as IBR`
}
