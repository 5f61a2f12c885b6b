/**
 * The end of INCOME CONTINGENT and PAY AS YOU EARN on July 1, 2028, and the successor plans of open
 * loans. The borrower is assumed to choose no other plan. No interest is capitalized, and months
 * already counted also count under the successor.
 */
import { borrowedFrom, type Dates } from "./dates.ts"
import { newBorrowerFrom } from "./law.ts"
import { cellOf, type LoanType } from "./matrix.ts"

export const successors = ["REPAYMENT ASSISTANCE", "INCOME BASED", "INCOME BASED (OLD)"] as const

type Successor = (typeof successors)[number]

/**
 * Pub. L. 119-21, section 82001(a)(3); 34 CFR 685.209(c)(7): REPAYMENT ASSISTANCE if it takes the
 * type. Otherwise INCOME BASED of a borrower known to be new on July 1, 2014 (20 U.S.C. 1098e(e)),
 * or INCOME BASED (OLD). They need no counted month for a consolidation here.
 */
export function successorOf(type: LoanType, dates: Dates): Successor {
  if (cellOf(type, "REPAYMENT ASSISTANCE") === "Y") return "REPAYMENT ASSISTANCE"
  return borrowedFrom(newBorrowerFrom.incomeBased, dates) ? "INCOME BASED" : "INCOME BASED (OLD)"
}
