/**
 * Level payments loan by loan, at least a minimum in all: how STANDARD, EXTENDED and Tiered Standard repay a book, and
 * STANDARD the loans that another plan cannot take.
 */
import { standardPlanTerms } from "../../../ledger/rules/fixed-plans.ts"
import type { Law } from "../law/law.ts"
import { annuity } from "./annuity.ts"
import type { Book } from "./book.ts"
import { LEVEL, repayFixed } from "./fixed.ts"
import { forThreshold } from "./rounding.ts"
import type { Tally } from "./tally.ts"

/** What a fixed plan needs to repay a book. */
export interface FixedRepayment {
  readonly law: Law
  /** Its `monthsLeft` are set. */
  readonly book: Book
  /** The first month that is not run. */
  readonly until: number
  readonly tally: Tally
}

/**
 * Repays every loan by its own level payment over its `monthsLeft`; all are raised in proportion when they add up to less
 * than the minimum.
 * @law 34 CFR 685.208(b)(1)(i)   @rule standard-plan-terms
 */
export const repayLevel = ({ book, law, tally, until }: FixedRepayment): void => {
  const { interest, monthsLeft, payment, principal, rate, size } = book
  let total = 0
  for (let slot = 0; slot < size; slot++) {
    payment[slot] = annuity(principal[slot]! + interest[slot]!, rate[slot]!, monthsLeft[slot]!)
    total += payment[slot]!
  }
  const { minimumMonthly } = law.read(standardPlanTerms)
  const raise = forThreshold(total) < minimumMonthly ? minimumMonthly / total : 1
  for (let slot = 0; slot < size; slot++) {
    payment[slot]! *= raise
    repayFixed(book, slot, LEVEL, until, tally)
  }
}
