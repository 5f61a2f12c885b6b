/**
 * Which loans of a request a plan takes: the table, and what the other loans of the request change
 * in it. Projection, comparison, eligibility and the calculator all ask here. `request` is again
 * without empty loans. Whether the counted months leave anything to project is in refusal.ts.
 */
import { type Plan, totalBalance } from "./book.ts"
import { EXTENDED_OVER } from "./law.ts"
import { cellOf, discontinuedTypes, isDirect, PLUS_CONSOLIDATION, type PlanType, programOf } from "./matrix.ts"
import { type Edges, isOver } from "./thresholds.ts"
import type { Loan } from "./wire.ts"

/** 34 CFR 685.208(b)(4): more than 30,000 outstanding in the loan's own program. */
export function isOverExtendedLimit(loan: Loan, request: ReadonlyArray<Loan>, edges: Edges): boolean {
  const program = request.filter((other) => programOf(other.type) === programOf(loan.type))
  return isOver(totalBalance(program), EXTENDED_OVER, "30,000 for EXTENDED", edges)
}

const isFfel = (loan: Loan): boolean => programOf(loan.type) === "FFEL"

/**
 * Three plans are for new borrowers. An old loan with a balance shows that the borrower is not new.
 * - INCOME BASED, 20 U.S.C. 1098e(e): every FFEL loan is older than 1 July 2014.
 * - PAY AS YOU EARN: discontinued types and a DIRECT PLUS CONSOLIDATED are older than 1 October
 *   2007.
 * - EXTENDED, 20 U.S.C. 1078(b)(9)(A)(iv): discontinued types are older than 7 October 1998. That
 *   test is of the FFEL program and closes the plan to FFEL loans alone.
 */
function excludesBorrower(plan: Plan, loan: Loan, request: ReadonlyArray<Loan>): boolean {
  const owesDiscontinued = request.some(({ type }) => discontinuedTypes.has(type))
  const owesBefore2007 = owesDiscontinued || request.some(({ type }) => type === PLUS_CONSOLIDATION)
  if (plan === "EXTENDED") return owesDiscontinued && isFfel(loan)
  if (plan === "PAY AS YOU EARN") return owesBefore2007
  return plan === "INCOME BASED" && (owesBefore2007 || request.some(isFfel))
}

/** The two closed plans take what PAY AS YOU EARN takes by the table. */
const columnOf = (plan: PlanType): PlanType =>
  plan === "REVISED PAY AS YOU EARN" || plan === "SAVE" ? "PAY AS YOU EARN" : plan

/**
 * Whether a plan takes a loan, given the loans of the request that are not empty. A consolidation
 * of PLUS loans may need a counted income-driven month. Only the calculator knows the date that
 * Tiered Standard asks for as well.
 */
export function takes(plan: Plan, loan: Loan, request: ReadonlyArray<Loan>, edges: Edges): boolean {
  if (plan === "TIERED STANDARD") return isDirect(loan.type)
  if (excludesBorrower(plan, loan, request)) return false
  switch (cellOf(loan.type, columnOf(plan))) {
    case "Y":
      return true
    case "Y30":
      return isOverExtendedLimit(loan, request, edges)
    case "C1":
      return loan.idrMonths >= 1
    default:
      return false
  }
}

/** The loans of a request under the plan itself and those repaid beside it. */
export function divide(plan: Plan, request: ReadonlyArray<Loan>, edges: Edges) {
  const taken = new Set(request.filter((loan) => takes(plan, loan, request, edges)))
  return { own: [...taken], beside: request.filter((loan) => !taken.has(loan)) }
}
