/**
 * Which plans each loan can elect. Plans closed by law are never returned; nor is a plan whose projection of that loan
 * alone would be refused, so that every returned plan type is accepted by projection.
 */
import { extendedPlanTerms } from "../../ledger/rules/fixed-plans.ts"
import type { LoanEligibility } from "../../schema/eligibility.ts"
import type { Loan } from "../../schema/loan.ts"
import type { PlanType } from "../../schema/scenario.ts"
import type { Law } from "./law/law.ts"
import type { LoanTraits } from "./law/loan-types.ts"
import type { Plan } from "./plans/plan.ts"
import { WIRE_PLANS } from "./plans/registry.ts"
import { refusalOfLoan } from "./projection.ts"
import { balanceOf, isEmpty } from "./schedule/book.ts"
import { forThreshold, fromCents, toCents } from "./schedule/rounding.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"

/** Debt of the request by program, in dollars. */
interface ProgramDebt {
  readonly direct: number
  readonly ffel: number
}

const programDebt = (law: Law, loans: ReadonlyArray<Loan>): ProgramDebt => {
  const debt = { direct: 0, ffel: 0 }
  for (const loan of loans) {
    if (isEmpty(loan)) continue
    const { direct, ffel } = law.traitsOf[loan.loanType]
    if (direct) debt.direct += balanceOf(loan)
    if (ffel) debt.ffel += balanceOf(loan)
  }
  return debt
}

/**
 * Whether the law lets the borrower elect the plan for the loan.
 * @law 34 CFR 685.208, 685.209   @rule plan-eligibility-matrix, extended-plan-terms
 */
const canElect = (law: Law, traits: LoanTraits, plan: Plan, priorIdrMonths: number, debt: ProgramDebt): boolean => {
  const eligibility = plan.openTo(traits)
  if (eligibility === "after-counted-month") return priorIdrMonths > 0
  if (eligibility === "above-balance") {
    return forThreshold(traits.direct ? debt.direct : debt.ffel) > law.read(extendedPlanTerms).balanceOver
  }
  return eligibility === "open"
}

/** The electable plans of each loan, in the order of the request. */
export const eligiblePlans = (
  law: Law,
  loans: ReadonlyArray<Loan>,
  workspace: Workspace = makeWorkspace()
): ReadonlyArray<LoanEligibility> => {
  const debt = programDebt(law, loans)
  const electable = (loan: Loan): ReadonlyArray<Plan> =>
    WIRE_PLANS.filter(
      (plan) =>
        canElect(law, law.traitsOf[loan.loanType], plan, loan.idrMonthsInRepayment, debt) &&
        refusalOfLoan(law, plan, loan, workspace) === undefined
    )
  return loans.map((loan) => ({
    loanType: loan.loanType,
    balance: fromCents(toCents(balanceOf(loan))),
    eligiblePlanTypes: electable(loan).map(({ planType }) => planType as PlanType)
  }))
}
