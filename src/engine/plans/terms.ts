/**
 * Terms of STANDARD, EXTENDED, GRADUATED and Tiered Standard that depend on balances, in months.
 * The payment over a term is `levelSchedule` in src/engine/schedule/level.ts, or
 * `graduatedScheduleOf` in src/engine/plans/graduated.ts.
 */
import type { Rule } from "../../../ledger/entry.ts"
import { consolidationStandardTerms, directPlusConsolidationTerms } from "../../../ledger/rules/fixed-plans.ts"
import type { Law } from "../law/law.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import type { Term, Trace } from "../law/trace.ts"
import type { Book } from "../schedule/book.ts"
import type { Holdings } from "../schedule/holdings.ts"
import { forThreshold } from "../schedule/rounding.ts"

/** Traces a value and returns it. */
export const traced = (value: number, term: Term, rule: Rule, trace?: Trace): number => {
  trace?.(term, value, rule)
  return value
}

interface TermTier {
  /** Exclusive upper bound of the balance, in dollars; null in the last row. */
  readonly below: number | null
  readonly months: number
}

/** Term of the first tier above the balance: a balance equal to a bound takes the longer term. */
export const termOfTier = (tiers: ReadonlyArray<TermTier>, balance: number): number => {
  const tested = forThreshold(balance)
  return tiers.find(({ below }) => below === null || tested < below)!.months
}

/**
 * Term of a consolidation loan on STANDARD and GRADUATED, by a balance. The balance is the sum of
 * all consolidations in the loan's program, plus other loans of the request up to the same amount.
 * @law 20 U.S.C. 1078-3(c)(2)(A)-(B), 1087e(a)(1); 34 CFR 685.220(i)
 * @rule consolidation-standard-terms, consolidation-loan-types
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
 * Term of a DIRECT PLUS CONSOLIDATED on EXTENDED and GRADUATED, by the balance of all Direct loans.
 * @law 34 CFR 685.208(d), (f), (i) of early 2023   @rule direct-plus-consolidation-terms
 */
export const directPlusConsolidationTerm = (law: Law, { direct }: Holdings, trace?: Trace): number => {
  trace?.("directBalance", direct, directPlusConsolidationTerms)
  const term = termOfTier(law.read(directPlusConsolidationTerms).extendedAndGraduated, direct)
  return traced(term, "term", directPlusConsolidationTerms, trace)
}

/** Counted income-driven months shorten the term. @rule fixed-plan-prior-months */
export const countedMonths = (_law: Law, book: Book, slot: number): number => book.priorIdrMonths[slot]!
