/**
 * The plans that each loan can elect. Plans closed by law are excluded, and plans that would refuse
 * a projection of that loan alone. So a projection accepts every plan type returned.
 */
import type { LoanEligibility } from "../../schema/eligibility.ts"
import type { Loan } from "../../schema/loan.ts"
import type { PlanType } from "../../schema/scenario.ts"
import type { Refusal } from "./answer/refusals.ts"
import type { Law } from "./law/law.ts"
import type { Plan } from "./plans/plan.ts"
import { WIRE_PLANS } from "./plans/registry.ts"
import { artifactOfLoan } from "./run.ts"
import { balanceOf } from "./schedule/book.ts"
import { historyOf } from "./schedule/history.ts"
import { fits, holdingsOf } from "./schedule/holdings.ts"
import { fromCents, toCents } from "./schedule/rounding.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"

/**
 * The plans that all refused loans can elect, as alternatives to the one requested. Empty if
 * another plan would not help (answer/refusals.ts).
 */
export const plansInstead = (
  law: Law,
  { change, kind, loans: refused }: Refusal,
  borrowed: BorrowedLoans,
  workspace: Workspace
): ReadonlyArray<PlanType> => {
  if (kind !== "ineligible" || change !== null) return []
  const electable = eligiblePlans(law, borrowed, workspace)
  const [first, ...others] = refused.map(({ position }) => electable[position]!.eligiblePlanTypes)
  return (first ?? []).filter((planType) => others.every((plans) => plans.includes(planType)))
}

/** Loans, and the day since which their borrower has owed, if it was sent. */
export interface BorrowedLoans {
  readonly firstBorrowedOn: string | null
  readonly loans: ReadonlyArray<Loan>
}

/** The electable plans of each loan, in request order. The request must have no contradictions. */
export const eligiblePlans = (
  law: Law,
  { firstBorrowedOn, loans }: BorrowedLoans,
  workspace: Workspace = makeWorkspace()
): ReadonlyArray<LoanEligibility> => {
  const history = historyOf(law, firstBorrowedOn, loans)
  const plans = WIRE_PLANS.map((plan) => ({ plan, held: holdingsOf(law, plan, loans, history) }))
  const electable = (loan: Loan): ReadonlyArray<Plan> => {
    const traits = law.traitsOf[loan.loanType]
    return plans
      .filter(
        ({ held, plan }) =>
          plan.openTo(traits) !== "vacated" &&
          fits(law, plan, traits, loan.idrMonthsInRepayment, held) &&
          artifactOfLoan(law, plan, loan, history, workspace) === undefined
      )
      .map(({ plan }) => plan)
  }
  return loans.map((loan) => ({
    loanType: loan.loanType,
    balance: fromCents(toCents(balanceOf(loan))),
    eligiblePlanTypes: electable(loan).map(({ planType }) => planType as PlanType)
  }))
}
