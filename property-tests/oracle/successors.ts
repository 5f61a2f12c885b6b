/**
 * The end of INCOME CONTINGENT and PAY AS YOU EARN on 1 July 2028: when it comes in a projection, and what then becomes
 * of the loans that are still open. Only borrowers who do not choose are modeled. Nothing capitalizes, and the months
 * already counted count under the successor too. How a group of loans is billed and paid is in repayment.ts.
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

/** The month from which a plan's own loans are repaid under a successor, or null when the plan does not end. */
export const endOf = (plan: Plan, start: Start): number | null =>
  plan === "INCOME CONTINGENT" || plan === "PAY AS YOU EARN" ? indexOfMonth(CONTINGENT_PLANS_ENDED, start) : null

/**
 * Pub. L. 119-21, section 82001(a)(3); 34 CFR 685.209(c)(7): REPAYMENT ASSISTANCE where it takes the type, else
 * INCOME BASED (OLD), which does not ask a consolidation of PLUS loans for a counted month here.
 */
const successorOf = (type: LoanType): Successor =>
  cellOf(type, "REPAYMENT ASSISTANCE") === "Y" ? "REPAYMENT ASSISTANCE" : "INCOME BASED (OLD)"

/** The loan as it stands now: the successor's ten-year amount is of what is owed when the month begins. */
const asItStands = ({ interest, loan, principal }: Account): Loan => ({ ...loan, principal, interest })

/**
 * Passes the open loans of a plan that has ended to their successors: a group for each successor, with a payment of its
 * own. Whether public service or time comes first is asked again.
 */
export function passOver(open: ReadonlyArray<Account>, towardsPslf: boolean, edges: Edges) {
  return successors.flatMap((plan) => {
    const accounts = open.filter((a) => successorOf(a.loan.type) === plan)
    const loans = accounts.map(asItStands)
    for (const a of accounts) {
      a.forgiveness = incomeDrivenForgiveness(a.loan, monthsToForgiveness(plan, loans, edges), towardsPslf)
    }
    return accounts.length === 0 ? [] : [{ plan, accounts, loans }]
  })
}
