/**
 * Which loans of a request a plan takes: the table, and what the other loans of the request change in it. Projection,
 * comparison, eligibility and the calculator all ask here. `request` is again without empty loans. Whether the counted months leave anything to project is in
 * refusal.ts.
 */
import { type Plan, totalBalance } from "./book.ts"
import { EXTENDED_OVER } from "./law.ts"
import { cellOf, discontinuedTypes, type PlanType, programOf } from "./matrix.ts"
import { type Edges, isOver } from "./thresholds.ts"
import type { Loan } from "./wire.ts"

/** 34 CFR 685.208(b)(4): more than 30,000 outstanding in the loan's own program. */
export function isOverExtendedLimit(loan: Loan, request: ReadonlyArray<Loan>, edges: Edges): boolean {
  const program = request.filter((other) => programOf(other.type) === programOf(loan.type))
  return isOver(totalBalance(program), EXTENDED_OVER, "30,000 for EXTENDED", edges)
}

/**
 * Two plans are for new borrowers. An FFEL loan is older than 1 July 2014 (20 U.S.C. 1098e(e)), and one of the types that were
 * discontinued before 1998 is older than 1 October 2007 as well: who owes one is no new borrower, for any loan.
 */
function excludesBorrower(plan: Plan, request: ReadonlyArray<Loan>): boolean {
  const owesDiscontinued = request.some((loan) => discontinuedTypes.has(loan.type))
  if (plan === "PAY AS YOU EARN") return owesDiscontinued
  if (plan === "INCOME BASED") return owesDiscontinued || request.some((loan) => programOf(loan.type) === "FFEL")
  return false
}

/** The two closed plans take what PAY AS YOU EARN takes by the table. */
const columnOf = (plan: PlanType): PlanType =>
  plan === "REVISED PAY AS YOU EARN" || plan === "SAVE" ? "PAY AS YOU EARN" : plan

/** Whether a plan takes a loan, given the loans of the request that are not empty. A consolidation of PLUS loans may need a counted income-driven month. */
export function takes(plan: Plan, loan: Loan, request: ReadonlyArray<Loan>, edges: Edges): boolean {
  if (plan === "TIERED STANDARD") return true
  if (excludesBorrower(plan, request)) return false
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
