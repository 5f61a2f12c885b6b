/**
 * The test of which loans of a request a plan takes, by the table of matrix.ts and by the other
 * loans. All answers of the oracle use it. `request` has no empty loans. refusal.ts tests the
 * counted months.
 */
import { type Plan, totalBalance } from "./book.ts"
import { EXTENDED_OVER } from "./law.ts"
import { cellOf, discontinuedTypes, isDirect, PLUS_CONSOLIDATION, type PlanType, programOf } from "./matrix.ts"
import { type Edges, isOver } from "./thresholds.ts"
import type { Loan } from "./wire.ts"

/** 34 CFR 685.208(b)(4): more than $30,000 outstanding in the loan's own program. */
export function isOverExtendedLimit(loan: Loan, request: ReadonlyArray<Loan>, edges: Edges): boolean {
  const program = request.filter((other) => programOf(other.type) === programOf(loan.type))
  return isOver(totalBalance(program), EXTENDED_OVER, "30,000 for EXTENDED", edges)
}

const isFfel = (loan: Loan): boolean => programOf(loan.type) === "FFEL"

/**
 * Three plans are for new borrowers. An old loan with a balance proves that the borrower is not
 * new.
 * - INCOME BASED, 20 U.S.C. 1098e(e): every FFEL loan is older than July 1, 2014.
 * - PAY AS YOU EARN: discontinued types and a DIRECT PLUS CONSOLIDATED are older than October 1,
 *   2007.
 * - EXTENDED, 20 U.S.C. 1078(b)(9)(A)(iv): discontinued types are older than October 7, 1998. This
 *   test belongs to the FFEL program and closes the plan only to FFEL loans.
 */
function excludesBorrower(plan: Plan, loan: Loan, request: ReadonlyArray<Loan>): boolean {
  const owesDiscontinued = request.some(({ type }) => discontinuedTypes.has(type))
  const owesBefore2007 = owesDiscontinued || request.some(({ type }) => type === PLUS_CONSOLIDATION)
  if (plan === "EXTENDED") return owesDiscontinued && isFfel(loan)
  if (plan === "PAY AS YOU EARN") return owesBefore2007
  return plan === "INCOME BASED" && (owesBefore2007 || request.some(isFfel))
}

/** The column of the table for a plan. The two closed plans take the loans of PAY AS YOU EARN. */
const columnOf = (plan: PlanType): PlanType =>
  plan === "REVISED PAY AS YOU EARN" || plan === "SAVE" ? "PAY AS YOU EARN" : plan

/**
 * Whether a plan takes a loan, given the other loans that are not empty. A consolidation of PLUS
 * loans may need a counted income-driven month. calculator.ts also tests the loan's date.
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

/** The loans of a request in the plan, and those outside it. */
export function divide(plan: Plan, request: ReadonlyArray<Loan>, edges: Edges) {
  const taken = new Set(request.filter((loan) => takes(plan, loan, request, edges)))
  return { own: [...taken], outside: request.filter((loan) => !taken.has(loan)) }
}
