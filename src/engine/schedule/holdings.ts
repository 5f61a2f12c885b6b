/**
 * The eligibility of loans for a plan, and the holdings: totals over the loans of the request that
 * decide eligibility and terms. Empty loans are skipped. Amounts are dollars of principal plus
 * interest, unless named principal.
 */
import { extendedPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import type { Loan } from "../../../schema/loan.ts"
import type { Law } from "../law/law.ts"
import type { Closed, Eligibility, LoanTraits } from "../law/loan-types.ts"
import { type Books, balanceOf, isEmpty } from "./book.ts"
import { dateObstacle, type History } from "./history.ts"
import { forThreshold } from "./rounding.ts"

/** The properties of a plan that decide which loans it takes. */
interface PlanEligibility {
  readonly planType: string
  readonly asNew: string
  readonly openTo: (traits: LoanTraits) => Eligibility
}

export interface Holdings {
  readonly total: number
  readonly direct: number
  readonly ffel: number
  /** The same, of the loans that are open when the plan begins. */
  readonly directOwed: number
  readonly ffelOwed: number
  readonly directConsolidated: number
  readonly ffelConsolidated: number
  /** Principal of the Direct loans. */
  readonly directPrincipal: number
  /** Students' FFEL loans, not those of parents. */
  readonly ffelStudent: number
  readonly ffelStudentPrincipal: number
  /** Position of the first loan that closes the plan to others, or -1. */
  readonly closer: number
  /** The loans to which that loan closes the plan. */
  readonly closed: Closed
  /** The borrower's history; undefined if the request has no dates. */
  readonly history: History | undefined
}

export const holdingsOf = (
  law: Law,
  plan: PlanEligibility,
  loans: ReadonlyArray<Loan>,
  history: History | undefined
): Holdings => {
  const held = {
    total: 0,
    direct: 0,
    ffel: 0,
    directOwed: 0,
    ffelOwed: 0,
    directConsolidated: 0,
    ffelConsolidated: 0,
    directPrincipal: 0,
    ffelStudent: 0,
    ffelStudentPrincipal: 0,
    closer: -1,
    closed: "all" as Closed,
    history
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
  held.directOwed = held.direct
  held.ffelOwed = held.ffel
  return held
}

/** Balance of all loans in a loan's program, in dollars. */
export const owedInProgram = ({ direct }: LoanTraits, held: Holdings): number =>
  direct ? held.directOwed : held.ffelOwed

/** Whether the program's debt exceeds EXTENDED's threshold. @rule extended-plan-terms */
const isAboveBalance = (law: Law, traits: LoanTraits, held: Holdings): boolean =>
  forThreshold(owedInProgram(traits, held)) > law.read(extendedPlanTerms).balanceOver

/** Whether a loan, maybe this one, closes the plan to this loan. @rule new-borrower-tests */
export const isClosedByAnother = ({ ffel }: LoanTraits, { closed, closer }: Holdings): boolean =>
  closer >= 0 && (closed === "all" || ffel)

/**
 * Whether the plan takes a loan.
 * - A plan closed by a judgment takes the same loans as before.
 * - A consolidation that repaid a PLUS loan needs one counted month for the income-based plans.
 * - EXTENDED needs a minimum balance in the loan's program.
 * - A loan that proves a borrower not new closes the plan to all loans, or to those of its program.
 * - Dates that were sent may close it, too (history.ts).
 * @law 34 CFR 685.208, 685.209; 20 U.S.C. 1098e(a)(2), (e)
 * @rule plan-eligibility-matrix, extended-plan-terms, new-borrower-tests
 */
export const fits = (
  law: Law,
  plan: PlanEligibility,
  traits: LoanTraits,
  priorIdrMonths: number,
  held: Holdings
): boolean => {
  if (isClosedByAnother(traits, held)) return false
  if (held.history !== undefined && dateObstacle(law, plan, traits, held.history) !== undefined) return false
  const eligibility = plan.openTo(traits)
  if (eligibility === "after-counted-month") return priorIdrMonths > 0
  if (eligibility === "above-balance") return isAboveBalance(law, traits, held)
  return eligibility !== "closed"
}

/** Fills the books with the loans that have a balance, by whether the plan takes them. */
export const fillBooks = (
  { inPlan, outsidePlan }: Books,
  law: Law,
  plan: PlanEligibility,
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
