/**
 * The end of INCOME CONTINGENT and PAY AS YOU EARN on July 1, 2028, and the move of open loans to
 * their successor plans. The borrower is assumed to choose no other plan. No interest is
 * capitalized, and months already counted also count under the successor.
 */
import { type Account, timeBasedMonth } from "./accounts.ts"
import type { Plan } from "./book.ts"
import { indexOfMonth, type Start } from "./calendar.ts"
import { borrowedFrom, type Dates } from "./dates.ts"
import { monthsToForgiveness } from "./income-driven.ts"
import { CONTINGENT_PLANS_ENDED, newBorrowerFrom } from "./law.ts"
import { cellOf, type LoanType } from "./matrix.ts"
import type { Edges } from "./thresholds.ts"
import type { Loan } from "./wire.ts"

const successors = ["REPAYMENT ASSISTANCE", "INCOME BASED", "INCOME BASED (OLD)"] as const

type Successor = (typeof successors)[number]

/** The first month under a successor, or null if the plan does not end. */
export const endOf = (plan: Plan, start: Start): number | null =>
  plan === "INCOME CONTINGENT" || plan === "PAY AS YOU EARN" ? indexOfMonth(CONTINGENT_PLANS_ENDED, start) : null

/**
 * Pub. L. 119-21, section 82001(a)(3); 34 CFR 685.209(c)(7): REPAYMENT ASSISTANCE if it takes the
 * type. Otherwise INCOME BASED of a borrower known to be new on July 1, 2014 (20 U.S.C. 1098e(e)),
 * or INCOME BASED (OLD). They need no counted month for a consolidation here.
 */
function successorOf(type: LoanType, dates: Dates): Successor {
  if (cellOf(type, "REPAYMENT ASSISTANCE") === "Y") return "REPAYMENT ASSISTANCE"
  return borrowedFrom(newBorrowerFrom.incomeBased, dates) ? "INCOME BASED" : "INCOME BASED (OLD)"
}

/** The loan with its current balances, on which the successor's ten-year amount is based. */
const currentLoan = ({ interest, loan, principal }: Account): Loan => ({ ...loan, principal, interest })

/**
 * Moves the open loans of an ended plan to their successors in month `end`: one group per
 * successor, with its own payment. A loan whose counted months are already complete under the
 * successor is forgiven at the end of that month.
 */
export function moveToSuccessors(open: ReadonlyArray<Account>, dates: Dates, end: number, edges: Edges) {
  return successors.flatMap((plan) => {
    const accounts = open.filter((a) => successorOf(a.loan.type, dates) === plan)
    const loans = accounts.map(currentLoan)
    for (const a of accounts) {
      a.timeBasedMonth = Math.max(end, timeBasedMonth(a.loan, monthsToForgiveness(plan, loans, edges)))
    }
    return accounts.length === 0 ? [] : [{ plan, accounts, loans }]
  })
}
