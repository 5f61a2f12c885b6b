/**
 * STANDARD and EXTENDED: level payments loan by loan, at least a minimum in all, over the months left of the term. Also
 * the fresh STANDARD schedule of the loans that a plan cannot take, and Tiered Standard of the keyless calculator.
 */

import type { Law, LoanTraits, TermTier } from "../law/law.ts"
import { annuity } from "../schedule/annuity.ts"
import type { Book } from "../schedule/book.ts"
import { level, repayFixed } from "../schedule/fixed.ts"
import { pslfMonth } from "../schedule/forgiveness.ts"
import { forThreshold } from "../schedule/rounding.ts"
import type { Tally } from "../schedule/tally.ts"

/** First tier whose bound lies above the balance: a balance on a bound takes the longer term. */
const termOfTier = (tiers: ReadonlyArray<TermTier>, balance: number): number => {
  const tested = forThreshold(balance)
  return tiers.find(({ below }) => below === null || tested < below)!.months
}

/**
 * Term of STANDARD and GRADUATED, in months: ten years, or by the total education debt for a consolidation loan.
 * @law 34 CFR 685.208(b), 685.220(i)   @rule standard-plan-terms, consolidation-standard-terms
 */
export const standardTerm = (law: Law, traits: LoanTraits, totalDebt: number): number =>
  traits.consolidation ? termOfTier(law.consolidationTiers, totalDebt) : law.standardMonths

/**
 * Term of Tiered Standard, in months, for loans made from 1 July 2026.
 * @law 34 CFR 685.208(c)(1)(iii); 20 U.S.C. 1087e(d)(7)(A)(i)   @rule tiered-standard-plan-terms
 */
export const tieredTerm = (law: Law, balance: number): number => termOfTier(law.tieredStandardTiers, balance)

/**
 * Months already behind a loan on STANDARD. On the ten-year term qualifying public-service payments count as well,
 * because each of them was a month of repayment.
 */
export const standardPrior = (law: Law, book: Book, slot: number, term: number): number =>
  term === law.standardMonths ? Math.max(book.priorIdrMonths[slot]!, book.pslfCount[slot]!) : book.priorIdrMonths[slot]!

/**
 * Repays every loan by its own level payment over its `monthsLeft`; all are raised in proportion when they add up to less
 * than the minimum.
 * @law 34 CFR 685.208(b)(1)(i)   @rule standard-plan-terms
 */
const repayLevel = (law: Law, book: Book, horizonMonths: number, tally: Tally): void => {
  const { interest, monthsLeft, payment, principal, rate, size } = book
  let total = 0
  for (let slot = 0; slot < size; slot++) {
    payment[slot] = annuity(principal[slot]! + interest[slot]!, rate[slot]!, monthsLeft[slot]!)
    total += payment[slot]!
  }
  const raise = raiseToMinimum(law, total)
  for (let slot = 0; slot < size; slot++) {
    payment[slot]! *= raise
    repayFixed(book, slot, level, horizonMonths, tally)
  }
}

const raiseToMinimum = (law: Law, total: number): number =>
  forThreshold(total) < law.standardMinimum ? law.standardMinimum / total : 1

/** The plan's own loans on STANDARD. Payoff comes no later than PSLF would, so nothing is left to forgive. */
export const repayStandard = (law: Law, book: Book, totalDebt: number, horizonMonths: number, tally: Tally): void => {
  for (let slot = 0; slot < book.size; slot++) {
    const term = standardTerm(law, book.traits[slot]!, totalDebt)
    book.monthsLeft[slot] = term - standardPrior(law, book, slot, term)
  }
  repayLevel(law, book, horizonMonths, tally)
}

/**
 * Loans that the chosen plan cannot take: a fresh STANDARD term with its own minimum. Ten-year STANDARD is a qualifying
 * plan, so a public servant's Direct loan on it is forgiven after its 120th payment.
 * @law 34 CFR 685.210; 685.219(c)
 */
export const repayBeside = (
  law: Law,
  book: Book,
  totalDebt: number,
  workingTowardsPslf: boolean,
  horizonMonths: number,
  tally: Tally
): void => {
  for (let slot = 0; slot < book.size; slot++) {
    const term = standardTerm(law, book.traits[slot]!, totalDebt)
    book.monthsLeft[slot] = term
    if (workingTowardsPslf && term === law.standardMonths) book.forgivenAt[slot] = pslfMonth(law, book, slot)
  }
  repayLevel(law, book, horizonMonths, tally)
}

/**
 * One term for every loan, less its prior months: EXTENDED and Tiered Standard.
 * @law 34 CFR 685.208(b)(4)   @rule extended-plan-terms
 */
export const repayOverTerm = (law: Law, book: Book, term: number, horizonMonths: number, tally: Tally): void => {
  for (let slot = 0; slot < book.size; slot++) book.monthsLeft[slot] = term - book.priorIdrMonths[slot]!
  repayLevel(law, book, horizonMonths, tally)
}
