/**
 * The level payments of STANDARD, EXTENDED and Tiered Standard: one annuity per loan, with a
 * minimum over all loans. Loans outside the chosen plan are repaid the same way.
 */
import type { Rule } from "../../../ledger/entry.ts"
import { standardPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import { interestAccrual } from "../../../ledger/rules/interest.ts"
import type { Law } from "../law/law.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import type { Term, Trace } from "../law/trace.ts"
import { annuity } from "./annuity.ts"
import { type Book, NEVER } from "./book.ts"
import { forThreshold } from "./rounding.ts"

/** Loans with one minimum payment, and the rule of their level payments. */
interface LevelGroup {
  readonly terms: Rule
  /** Whether a loan of these traits is in the group; by default, every loan is. */
  readonly holds?: (traits: LoanTraits) => boolean
  /** Names of sum and raise in a trace, if another group already has the usual names. */
  readonly named?: { readonly sum: Term; readonly raise: Term }
}

const USUAL = { sum: "allLevelPayments", raise: "raise" } as const

/**
 * Sets the level payment of every loan of a group over its `monthsLeft`. If the payments add up to
 * less than the minimum, all are raised in proportion. Returns `NEVER`, because they do not rise
 * later.
 * @law 34 CFR 685.208(b)(1)(i)   @rule standard-plan-terms
 */
export const levelSchedule = (
  law: Law,
  book: Book,
  { holds, named = USUAL, terms }: LevelGroup,
  trace?: Trace
): number => {
  const { interest, monthsLeft, payment, position, principal, rate, size, traits } = book
  let total = 0
  for (let slot = 0; slot < size; slot++) {
    if (holds !== undefined && !holds(traits[slot]!)) continue
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
  trace?.(named.sum, total, terms)
  if (raise !== 1) trace?.(named.raise, raise, terms, standardPlanTerms)
  for (let slot = 0; slot < size; slot++) if (holds === undefined || holds(traits[slot]!)) payment[slot]! *= raise
  return NEVER
}
