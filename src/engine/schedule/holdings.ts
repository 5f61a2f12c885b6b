/**
 * What the loans of a request decide together, loan by loan or not: debt by program, the part of it that is consolidated,
 * and whether one of them closes a plan to all. Empty loans are left out. Dollars of principal plus interest, as sent.
 */
import { extendedPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import type { Loan } from "../../../schema/loan.ts"
import type { Law } from "../law/law.ts"
import type { Closed, Eligibility, LoanTraits } from "../law/loan-types.ts"
import { type Books, balanceOf, isEmpty } from "./book.ts"
import { forThreshold } from "./rounding.ts"

/** What of a plan decides which loans it takes. */
interface Taking {
  readonly planType: string
  readonly openTo: (traits: LoanTraits) => Eligibility
}

export interface Holdings {
  readonly total: number
  readonly direct: number
  readonly ffel: number
  readonly directConsolidated: number
  readonly ffelConsolidated: number
  /** Principal of the Direct loans. */
  readonly directPrincipal: number
  /** Students' FFEL loans, and the principal of them. */
  readonly ffelStudent: number
  readonly ffelStudentPrincipal: number
  /** Position in the request of the first loan that closes the plan to others, or -1, and to which. */
  readonly closer: number
  readonly closed: Closed
}

export const holdingsOf = (law: Law, plan: Taking, loans: ReadonlyArray<Loan>): Holdings => {
  const held = {
    total: 0,
    direct: 0,
    ffel: 0,
    directConsolidated: 0,
    ffelConsolidated: 0,
    directPrincipal: 0,
    ffelStudent: 0,
    ffelStudentPrincipal: 0,
    closer: -1,
    closed: "all" as Closed
  }
  for (let position = 0; position < loans.length; position++) {
    const loan = loans[position]!
    if (isEmpty(loan)) continue
    const { closes, consolidation, direct, ffel, ffelStudent } = law.traitsOf[loan.loanType]
    const balance = balanceOf(loan)
    held.total += balance
    if (direct) {
      held.direct += balance
      held.directPrincipal += loan.principalBalance
    }
    if (ffelStudent) {
      held.ffelStudent += balance
      held.ffelStudentPrincipal += loan.principalBalance
    }
    if (ffel) held.ffel += balance
    if (consolidation && direct) held.directConsolidated += balance
    if (consolidation && ffel) held.ffelConsolidated += balance
    const closed = closes[plan.planType]
    if (held.closer >= 0 || closed === undefined) continue
    held.closer = position
    held.closed = closed
  }
  return held
}

/** What is owed in the program of a loan, in dollars. */
export const owedInProgram = ({ direct }: LoanTraits, held: Holdings): number => (direct ? held.direct : held.ffel)

/** Whether the program of the loan owes more than EXTENDED asks for. @rule extended-plan-terms */
const isAboveBalance = (law: Law, traits: LoanTraits, held: Holdings): boolean =>
  forThreshold(owedInProgram(traits, held)) > law.read(extendedPlanTerms).balanceOver

/** Whether another loan, or this one, closes the plan to it. @rule new-borrower-tests */
export const isClosedByAnother = ({ ffel }: LoanTraits, { closed, closer }: Holdings): boolean =>
  closer >= 0 && (closed === "all" || ffel)

/**
 * Whether the plan takes a loan. A plan closed by a judgment takes what it took before; a consolidation that repaid a PLUS
 * loan reaches the income-based plans with one counted month; EXTENDED asks for a balance over an amount in the
 * loan's program; a loan that shows that the borrower is not new closes a plan to all, or to those of its program.
 * @law 34 CFR 685.208, 685.209; 20 U.S.C. 1098e(a)(2), (e)
 * @rule plan-eligibility-matrix, extended-plan-terms, new-borrower-tests
 */
export const fits = (law: Law, plan: Taking, traits: LoanTraits, priorIdrMonths: number, held: Holdings): boolean => {
  if (isClosedByAnother(traits, held)) return false
  const eligibility = plan.openTo(traits)
  if (eligibility === "after-counted-month") return priorIdrMonths > 0
  if (eligibility === "above-balance") return isAboveBalance(law, traits, held)
  return eligibility !== "closed"
}

/** Fills the books of a request with its loans that have a balance, by what the plan takes. */
export const fillBooks = (
  { inPlan, outsidePlan }: Books,
  law: Law,
  plan: Taking,
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
