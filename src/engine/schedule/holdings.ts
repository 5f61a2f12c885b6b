/**
 * What the loans of a request decide together, loan by loan or not: debt by program, the part of it that is consolidated,
 * and whether one of them closes a plan to all. Empty loans are left out. Dollars of principal plus interest, as sent.
 */
import { extendedPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import type { Loan } from "../../../schema/loan.ts"
import type { Law } from "../law/law.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import type { Plan } from "../plans/plan.ts"
import { type Books, balanceOf, isEmpty } from "./book.ts"
import { forThreshold } from "./rounding.ts"

export interface Holdings {
  readonly total: number
  readonly direct: number
  readonly ffel: number
  readonly directConsolidated: number
  readonly ffelConsolidated: number
  /** Position in the request of the first loan that closes the plan to all, or -1. */
  readonly closer: number
}

export const holdingsOf = (law: Law, plan: Plan, loans: ReadonlyArray<Loan>): Holdings => {
  const held = { total: 0, direct: 0, ffel: 0, directConsolidated: 0, ffelConsolidated: 0, closer: -1 }
  for (let position = 0; position < loans.length; position++) {
    const loan = loans[position]!
    if (isEmpty(loan)) continue
    const { closes, consolidation, direct, ffel } = law.traitsOf[loan.loanType]
    const balance = balanceOf(loan)
    held.total += balance
    if (direct) held.direct += balance
    if (ffel) held.ffel += balance
    if (consolidation && direct) held.directConsolidated += balance
    if (consolidation && ffel) held.ffelConsolidated += balance
    if (held.closer < 0 && closes.length > 0 && closes.includes(plan.planType)) held.closer = position
  }
  return held
}

/** What is owed in the program of a loan, in dollars. */
export const owedInProgram = ({ direct }: LoanTraits, held: Holdings): number => (direct ? held.direct : held.ffel)

/** Whether the program of the loan owes more than EXTENDED asks for. @rule extended-plan-terms */
const isAboveBalance = (law: Law, traits: LoanTraits, held: Holdings): boolean =>
  forThreshold(owedInProgram(traits, held)) > law.read(extendedPlanTerms).balanceOver

/**
 * Whether the plan takes a loan. A plan closed by a judgment takes what it took before; a consolidation that repaid a PLUS
 * loan reaches the income-based plans with one counted month; EXTENDED asks for a balance over an amount in the
 * loan's program; a loan that shows that the borrower is not new closes a plan to all.
 * @law 34 CFR 685.208, 685.209; 20 U.S.C. 1098e(a)(2), (e)
 * @rule plan-eligibility-matrix, extended-plan-terms, new-borrower-tests
 */
export const fits = (law: Law, plan: Plan, traits: LoanTraits, priorIdrMonths: number, held: Holdings): boolean => {
  if (held.closer >= 0) return false
  const eligibility = plan.openTo(traits)
  if (eligibility === "after-counted-month") return priorIdrMonths > 0
  if (eligibility === "above-balance") return isAboveBalance(law, traits, held)
  return eligibility !== "closed"
}

/** Fills the books of a request with its loans that have a balance, by what the plan takes. */
export const fillBooks = (
  { inPlan, outsidePlan }: Books,
  law: Law,
  plan: Plan,
  loans: ReadonlyArray<Loan>,
  held: Holdings
): void => {
  inPlan.clear(loans.length)
  outsidePlan.clear(loans.length)
  for (let position = 0; position < loans.length; position++) {
    const loan = loans[position]!
    if (isEmpty(loan)) continue
    const traits = law.traitsOf[loan.loanType]
    const book = fits(law, plan, traits, loan.idrMonthsInRepayment, held) ? inPlan : outsidePlan
    book.add(loan, traits, position)
  }
}
