/**
 * The test of which loans of a request a plan takes, by the table of matrix.ts, by the other loans
 * and by dates. All answers of the oracle use it. `request` has no empty loans. refusal.ts tests
 * the counted months.
 */
import { type Plan, totalBalance } from "./book.ts"
import { borrowedBefore, borrowedFrom, type Dates, hasNewLoans } from "./dates.ts"
import { EXTENDED_OVER, newBorrowerFrom, PAY_AS_YOU_EARN_DISBURSED_FROM } from "./law.ts"
import { cellOf, discontinuedTypes, isDirect, PLUS_CONSOLIDATION, type PlanType, programOf } from "./matrix.ts"
import { type Edges, isOver } from "./thresholds.ts"
import type { Loan } from "./wire.ts"

/** 34 CFR 685.208(b)(4): more than $30,000 outstanding in the loan's own program. */
export function isOverExtendedLimit(loan: Loan, request: ReadonlyArray<Loan>, edges: Edges): boolean {
  const program = request.filter((other) => programOf(other.type) === programOf(loan.type))
  return isOver(totalBalance(program), EXTENDED_OVER, "30,000 for EXTENDED", edges)
}

const isFfel = (loan: Loan): boolean => programOf(loan.type) === "FFEL"

/** A type that PAY AS YOU EARN's test of a disbursement does not look at. */
const isOfParent = ({ type }: Loan): boolean => type === "DIRECT PARENT PLUS" || type === "DIRECT PLUS PARENT"

/**
 * 34 CFR 685.209(a)(1)(iii)(B) of 2023: a new borrower has a disbursement on or after October 1,
 * 2011. Dates prove the opposite only if every Direct loan that is not a parent's has one.
 */
function hasOnlyEarlyDisbursements({ loans }: Dates): boolean {
  const direct = loans.filter((loan) => isDirect(loan.type) && !isOfParent(loan))
  return direct.length > 0 && direct.every(({ madeOn }) => madeOn !== null && madeOn < PAY_AS_YOU_EARN_DISBURSED_FROM)
}

/**
 * 20 U.S.C. 1078(b)(9)(A)(iv); 34 CFR 685.208(b)(4)(i): EXTENDED is for borrowers who owed nothing
 * in the loan's program on October 7, 1998. A discontinued type proves such a debt for FFEL, a date
 * for its own program. A DIRECT PLUS CONSOLIDATED has the EXTENDED of its own time, without the
 * test.
 */
function owedIn1998(loan: Loan, { loans }: Dates): boolean {
  if (loan.type === PLUS_CONSOLIDATION) return false
  if (isFfel(loan) && loans.some(({ type }) => discontinuedTypes.has(type))) return true
  return loans.some(
    ({ madeOn, type }) =>
      programOf(type) === programOf(loan.type) && madeOn !== null && madeOn < newBorrowerFrom.extended
  )
}

/**
 * Whether dates close a plan to a loan of the borrower.
 * - New Direct loans have REPAYMENT ASSISTANCE and STANDARD alone: 20 U.S.C. 1087e(d)(1), (d)(7).
 * - Three plans are for new borrowers. INCOME BASED (OLD) is for the others: 20 U.S.C. 1098e(e).
 * - REVISED PAY AS YOU EARN and SAVE never asked for a new borrower.
 */
export function isClosedByDate(plan: PlanType, loan: Loan, dates: Dates): boolean {
  if (isDirect(loan.type) && hasNewLoans(dates)) return plan !== "REPAYMENT ASSISTANCE" && plan !== "STANDARD"
  switch (plan) {
    case "EXTENDED":
      return owedIn1998(loan, dates)
    case "INCOME BASED":
      return borrowedBefore(newBorrowerFrom.incomeBased, dates)
    case "INCOME BASED (OLD)":
      return borrowedFrom(newBorrowerFrom.incomeBased, dates)
    case "PAY AS YOU EARN":
      return borrowedBefore(newBorrowerFrom.payAsYouEarn, dates) || hasOnlyEarlyDisbursements(dates)
    default:
      return false
  }
}

/** The column of the table for a plan. The two closed plans take the loans of PAY AS YOU EARN. */
const columnOf = (plan: PlanType): PlanType =>
  plan === "REVISED PAY AS YOU EARN" || plan === "SAVE" ? "PAY AS YOU EARN" : plan

/**
 * Whether a plan takes a loan, given the other loans that are not empty and what dates prove. A
 * consolidation of PLUS loans may need a counted income-driven month. Only the calculator offers
 * TIERED STANDARD by that name, and tests its dates.
 */
export function takes(plan: Plan, loan: Loan, request: ReadonlyArray<Loan>, dates: Dates, edges: Edges): boolean {
  if (plan === "TIERED STANDARD") return isDirect(loan.type)
  if (isClosedByDate(plan, loan, dates)) return false
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

/** The loans of a request in the plan. */
export const takenBy = (plan: Plan, request: ReadonlyArray<Loan>, dates: Dates, edges: Edges): ReadonlyArray<Loan> =>
  request.filter((loan) => takes(plan, loan, request, dates, edges))
