/**
 * The level payments of STANDARD, EXTENDED and Tiered Standard: one annuity per loan, with a
 * minimum over all loans. Loans outside the chosen plan are repaid the same way.
 */
import type { Rule } from "../../../ledger/entry.ts"
import { standardPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import { interestAccrual, pauseInterest } from "../../../ledger/rules/interest.ts"
import type { Law } from "../law/law.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import type { Term, Trace } from "../law/trace.ts"
import { annuity } from "./annuity.ts"
import { type Book, NEVER, NOT_SET } from "./book.ts"
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
 * Sets the level payments that a group's due loans do not have yet, from a month until their
 * `monthsLeft`. If the payments of the due loans add up to less than the minimum, those set now are
 * raised in proportion. Returns `NEVER`, because they do not rise later.
 * @law 34 CFR 685.208(b)(1)(i)   @rule standard-plan-terms
 */
export const levelSchedule = (
  law: Law,
  book: Book,
  month: number,
  { holds, named = USUAL, terms }: LevelGroup,
  trace?: Trace
): number => {
  const { interest, isOpen, monthsLeft, payment, position, principal, rate, setIn, size, traits } = book
  let before = 0
  let total = 0
  for (let slot = 0; slot < size; slot++) {
    if (isOpen[slot] === 0 || (holds !== undefined && !holds(traits[slot]!))) continue
    if (setIn[slot] !== NOT_SET) {
      before += payment[slot]!
      continue
    }
    payment[slot] = annuity(principal[slot]! + interest[slot]!, rate[slot]!, monthsLeft[slot]! - month)
    total += payment[slot]!
    if (trace !== undefined) {
      const loanTrace = trace.of(position[slot]!)
      loanTrace("balance", principal[slot]! + interest[slot]!, terms)
      if (month > 0) loanTrace("monthsLeft", monthsLeft[slot]! - month, pauseInterest)
      loanTrace("monthlyRate", rate[slot]!, interestAccrual)
      loanTrace("levelPayment", payment[slot]!, terms)
    }
  }
  if (total === 0) return NEVER
  const { minimumMonthly } = law.read(standardPlanTerms)
  const raise = forThreshold(before + total) < minimumMonthly ? (minimumMonthly - before) / total : 1
  trace?.(named.sum, before + total, terms)
  if (raise !== 1 && month === 0) trace?.(named.raise, raise, terms, standardPlanTerms)
  for (let slot = 0; slot < size; slot++) {
    if (isOpen[slot] === 0 || setIn[slot] !== NOT_SET || (holds !== undefined && !holds(traits[slot]!))) continue
    payment[slot]! *= raise
    setIn[slot] = month
    if (month > 0) trace?.of(position[slot]!)(named.raise, raise, terms, standardPlanTerms)
  }
  return NEVER
}
