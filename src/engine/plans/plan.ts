/**
 * What a plan is. Each stands in a file of its own, whole: what it cites, how long it runs, how it repays, what the
 * keyless calculator calls it, and which loans it takes. registry.ts lists them.
 */
import type { Rule } from "../../../ledger/entry.ts"
import type { CalculatorPlan } from "../../../schema/calculator.ts"
import type { PlanType } from "../../../schema/scenario.ts"
import type { Household } from "../law/household.ts"
import type { Citation, Law } from "../law/law.ts"
import type { Eligibility, LoanTraits } from "../law/loan-types.ts"
import type { Trace } from "../law/trace.ts"
import type { Book } from "../schedule/book.ts"
import type { Holdings } from "../schedule/holdings.ts"
import type { IncomeDrivenTerms } from "../schedule/income-driven.ts"

/** Not a plan of the wire: only the keyless calculator shows it. */
export const TIERED_STANDARD = "TIERED STANDARD"

export type EnginePlan = PlanType | typeof TIERED_STANDARD

interface PlanBasics {
  readonly planType: EnginePlan
  /** Id and name of the plan in the keyless calculator. */
  readonly calculator: { readonly id: CalculatorPlan; readonly label: string }
  /** Whether the test suite reproduces printed or hand-worked cases of the plan. A test fails when it has none. */
  readonly parityVerified: boolean
  /** Whether it takes a kind of loan. */
  readonly openTo: (traits: LoanTraits) => Eligibility
  /** Whether only loans made from 1 July 2026 on may take it. */
  readonly onlyNewLoans: boolean
  /** The plan's own terms, which every answer under it cites. */
  readonly terms: ReadonlyArray<Rule>
  /** What answers cite because of the loans of the book. */
  readonly citesForLoans: ReadonlyArray<Citation>
}

/** A plan with a term: it pays the loans off and never forgives. */
export interface FixedPlan extends PlanBasics {
  readonly kind: "fixed"
  /** Months of the loan's term, before any are behind it. */
  readonly term: (law: Law, traits: LoanTraits, held: Holdings, trace?: Trace) => number
  /** Months of that term that are behind the loan. */
  readonly monthsBehind: (law: Law, book: Book, slot: number, term: number) => number
  /** The rule that sets the term of a kind of loan. */
  readonly termRule: (traits: LoanTraits) => Rule
  /** Whether payments on a Direct loan of such a term count for public service. */
  readonly countsForPslf: (law: Law, term: number) => boolean
  /** Sets the first payment of each loan of the book, whose `monthsLeft` are set; returns after how many months it rises. */
  readonly schedule: (law: Law, book: Book, trace?: Trace) => number
}

/** What an income-driven plan sets its terms by: a book as it comes under the plan. */
export interface Beginning {
  readonly law: Law
  readonly household: Household
  readonly book: Book
}

/** A plan whose payment follows income, and which forgives what is left after its months. */
export interface IncomeDrivenPlan extends PlanBasics {
  readonly kind: "income-driven"
  /** Payments to forgiveness, prior ones included. */
  readonly forgivenessMonths: (law: Law, book: Book, trace?: Trace) => number
  /** What answers cite because of the household. */
  readonly citesForHousehold: ReadonlyArray<Citation>
  /** Its terms for a book, which hold until the plan or the book ends. */
  readonly begin: (beginning: Beginning, trace?: Trace) => IncomeDrivenTerms
}

export type Plan = FixedPlan | IncomeDrivenPlan

/** What most plans do not say. */
type Unsaid = "kind" | "onlyNewLoans" | "citesForLoans"
type Said<P extends Plan> = Omit<P, Unsaid> & Partial<Pick<P, Exclude<Unsaid, "kind">>>

// Both list every member, in one order: objects of one shape are read several times as fast.

export const fixedPlan = (plan: Said<FixedPlan>): FixedPlan => ({
  kind: "fixed",
  planType: plan.planType,
  calculator: plan.calculator,
  parityVerified: plan.parityVerified,
  openTo: plan.openTo,
  onlyNewLoans: plan.onlyNewLoans ?? false,
  terms: plan.terms,
  citesForLoans: plan.citesForLoans ?? [],
  schedule: plan.schedule,
  term: plan.term,
  monthsBehind: plan.monthsBehind,
  termRule: plan.termRule,
  countsForPslf: plan.countsForPslf
})

export const incomeDrivenPlan = (plan: Said<IncomeDrivenPlan>): IncomeDrivenPlan => ({
  kind: "income-driven",
  planType: plan.planType,
  calculator: plan.calculator,
  parityVerified: plan.parityVerified,
  openTo: plan.openTo,
  onlyNewLoans: plan.onlyNewLoans ?? false,
  terms: plan.terms,
  citesForLoans: plan.citesForLoans ?? [],
  begin: plan.begin,
  forgivenessMonths: plan.forgivenessMonths,
  citesForHousehold: plan.citesForHousehold
})
