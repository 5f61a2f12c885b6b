/** Terms of the fixed plans, in months, and how many of them are behind a loan. */
import { consolidationStandardTerms } from "../../../ledger/rules/fixed-plans.ts"
import type { Law } from "../law/law.ts"
import type { Book } from "../schedule/book.ts"
import { forThreshold } from "../schedule/rounding.ts"

/** A row of a table of terms. */
interface TermTier {
  /** Balances below this many dollars; null for the rest. */
  readonly below: number | null
  readonly months: number
}

/** First tier whose bound lies above the balance: a balance on a bound takes the longer term. */
export const termOfTier = (tiers: ReadonlyArray<TermTier>, balance: number): number => {
  const tested = forThreshold(balance)
  return tiers.find(({ below }) => below === null || tested < below)!.months
}

/**
 * Term of a consolidation loan on STANDARD and GRADUATED, by the total education debt.
 * @law 34 CFR 685.208(b), 685.220(i)   @rule consolidation-standard-terms
 */
export const consolidationTerm = (law: Law, totalDebt: number): number =>
  termOfTier(law.read(consolidationStandardTerms).tiers, totalDebt)

/** The months counted toward income-driven forgiveness stand for months of the term. @rule fixed-plan-prior-months */
export const countedMonths = (_law: Law, book: Book, slot: number): number => book.priorIdrMonths[slot]!
