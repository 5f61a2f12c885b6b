/**
 * The end of INCOME CONTINGENT and PAY AS YOU EARN on July 1, 2028, and the move of open loans to
 * their successor plans. The borrower is assumed to choose no other plan. No interest is
 * capitalized, and months already counted also count under the successor.
 */
import { type Account, incomeDrivenForgiveness } from "./accounts.ts"
import type { Plan } from "./book.ts"
import { indexOfMonth, type Start } from "./calendar.ts"
import { monthsToForgiveness } from "./income-driven.ts"
import { CONTINGENT_PLANS_ENDED } from "./law.ts"
import { cellOf, type LoanType } from "./matrix.ts"
import type { Edges } from "./thresholds.ts"
import type { Loan } from "./wire.ts"

const successors = ["REPAYMENT ASSISTANCE", "INCOME BASED (OLD)"] as const

type Successor = (typeof successors)[number]

/** The first month under a successor, or null if the plan does not end. */
export const endOf = (plan: Plan, start: Start): number | null =>
  plan === "INCOME CONTINGENT" || plan === "PAY AS YOU EARN" ? indexOfMonth(CONTINGENT_PLANS_ENDED, start) : null

/**
 * Pub. L. 119-21, section 82001(a)(3); 34 CFR 685.209(c)(7): REPAYMENT ASSISTANCE if it takes the
 * type, otherwise INCOME BASED (OLD), which needs no counted month for a consolidation here.
 */
const successorOf = (type: LoanType): Successor =>
  cellOf(type, "REPAYMENT ASSISTANCE") === "Y" ? "REPAYMENT ASSISTANCE" : "INCOME BASED (OLD)"

/** The loan with its current balances, on which the successor's ten-year amount is based. */
const currentLoan = ({ interest, loan, principal }: Account): Loan => ({ ...loan, principal, interest })

/**
 * Moves the open loans of an ended plan to their successors: one group per successor, with its own
 * payment. Whether PSLF or time comes first is decided again.
 */
export function moveToSuccessors(open: ReadonlyArray<Account>, towardsPslf: boolean, edges: Edges) {
  return successors.flatMap((plan) => {
    const accounts = open.filter((a) => successorOf(a.loan.type) === plan)
    const loans = accounts.map(currentLoan)
    for (const a of accounts) {
      a.forgiveness = incomeDrivenForgiveness(a.loan, monthsToForgiveness(plan, loans, edges), towardsPslf)
    }
    return accounts.length === 0 ? [] : [{ plan, accounts, loans }]
  })
}
