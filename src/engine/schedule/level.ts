/**
 * The level payments of STANDARD, EXTENDED and Tiered Standard: one annuity per loan, with a
 * minimum over all loans. Loans outside the chosen plan are repaid the same way.
 */
import type { Rule } from "../../../ledger/entry.ts"
import { standardPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import { interestAccrual } from "../../../ledger/rules/interest.ts"
import type { Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import { annuity } from "./annuity.ts"
import { type Book, NEVER } from "./book.ts"
import { forThreshold } from "./rounding.ts"

/**
 * Sets the level payment of every loan over its `monthsLeft`. If the payments add up to less than
 * the minimum, all are raised in proportion. Returns `NEVER`, because they do not rise later.
 * @param terms the rule of the level payments, for the trace
 * @law 34 CFR 685.208(b)(1)(i)   @rule standard-plan-terms
 */
export const levelSchedule = (law: Law, book: Book, terms: Rule, trace?: Trace): number => {
  const { interest, monthsLeft, payment, position, principal, rate, size } = book
  let total = 0
  for (let slot = 0; slot < size; slot++) {
    payment[slot] = annuity(principal[slot]! + interest[slot]!, rate[slot]!, monthsLeft[slot]!)
    total += payment[slot]!
    if (trace !== undefined) {
      const loanTrace = trace.of(position[slot]!)
      loanTrace("balance", principal[slot]! + interest[slot]!, terms)
      loanTrace("monthlyRate", rate[slot]!, interestAccrual)
      loanTrace("levelPayment", payment[slot]!, terms)
    }
  }
  const { minimumMonthly } = law.read(standardPlanTerms)
  const raise = forThreshold(total) < minimumMonthly ? minimumMonthly / total : 1
  trace?.("allLevelPayments", total, terms)
  if (raise !== 1) trace?.("raise", raise, terms, standardPlanTerms)
  for (let slot = 0; slot < size; slot++) payment[slot]! *= raise
  return NEVER
}
