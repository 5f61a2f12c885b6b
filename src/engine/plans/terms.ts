/** Terms of the fixed plans, in months, and how many of them are behind a loan. */
import type { Rule } from "../../../ledger/entry.ts"
import { consolidationStandardTerms, directPlusConsolidationTerms } from "../../../ledger/rules/fixed-plans.ts"
import type { Law } from "../law/law.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import type { Term, Trace } from "../law/trace.ts"
import type { Book } from "../schedule/book.ts"
import type { Holdings } from "../schedule/holdings.ts"
import { forThreshold } from "../schedule/rounding.ts"

/** The value, once it has been told. */
export const traced = (value: number, term: Term, rule: Rule, trace?: Trace): number => {
  trace?.(term, value, rule)
  return value
}

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
 * Term of a consolidation loan on STANDARD and GRADUATED: by the consolidations of its program, and the other loans of the
 * request up to the same amount.
 * @law 20 U.S.C. 1078-3(c)(2)(A)-(B), 1087e(a)(1); 34 CFR 685.220(i)   @rule consolidation-standard-terms, consolidation-loan-types
 */
export const consolidationTerm = (law: Law, { direct }: LoanTraits, held: Holdings, trace?: Trace): number => {
  const consolidated = direct ? held.directConsolidated : held.ffelConsolidated
  const others = held.total - consolidated
  const base = consolidated + Math.min(others, consolidated)
  trace?.("consolidationBase", base, consolidationStandardTerms)
  const term = termOfTier(law.read(consolidationStandardTerms).tiers, base)
  return traced(term, "term", consolidationStandardTerms, trace)
}

/**
 * Term of a DIRECT PLUS CONSOLIDATED on EXTENDED and GRADUATED: by all Direct loans of the request.
 * @law 34 CFR 685.208(d), (f), (i) of early 2023   @rule direct-plus-consolidation-terms
 */
export const directPlusConsolidationTerm = (law: Law, { direct }: Holdings, trace?: Trace): number => {
  trace?.("directBalance", direct, directPlusConsolidationTerms)
  const term = termOfTier(law.read(directPlusConsolidationTerms).extendedAndGraduated, direct)
  return traced(term, "term", directPlusConsolidationTerms, trace)
}

/** The months counted toward income-driven forgiveness stand for months of the term. @rule fixed-plan-prior-months */
export const countedMonths = (_law: Law, book: Book, slot: number): number => book.priorIdrMonths[slot]!
