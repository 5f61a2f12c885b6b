/**
 * Which plans each loan can elect. Plans closed by law are never returned; nor is a plan whose projection of that loan
 * alone would be refused, so that every returned plan type is accepted by projection.
 */
import type { LoanEligibility } from "../../schema/eligibility.ts"
import type { Loan } from "../../schema/loan.ts"
import { PLAN_TYPES, type PlanType } from "../../schema/scenario.ts"
import type { Law, LoanTraits } from "./law/law.ts"
import { refusalOfLoan } from "./projection.ts"
import { balanceOf, isEmpty } from "./schedule/book.ts"
import { forThreshold, fromCents, toCents } from "./schedule/rounding.ts"

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
const canElect = (law: Law, traits: LoanTraits, plan: PlanType, priorIdrMonths: number, debt: ProgramDebt): boolean => {
  const code = traits.codes[plan]
  if (code === "C1") return priorIdrMonths >= 1
  if (code === "Y30") return forThreshold(traits.direct ? debt.direct : debt.ffel) > law.extendedBalanceOver
  return code === "Y"
}

/** The electable plans of each loan, in the order of the request. */
export const eligiblePlans = (law: Law, loans: ReadonlyArray<Loan>): ReadonlyArray<LoanEligibility> => {
  const debt = programDebt(law, loans)
  return loans.map((loan) => {
    const traits = law.traitsOf[loan.loanType]
    return {
      loanType: loan.loanType,
      balance: fromCents(toCents(balanceOf(loan))),
      eligiblePlanTypes: PLAN_TYPES.filter(
        (plan) =>
          canElect(law, traits, plan, loan.idrMonthsInRepayment, debt) && refusalOfLoan(law, loan, plan) === undefined
      )
    }
  })
}
