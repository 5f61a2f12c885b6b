/**
 * The interfaces of a repayment plan, fixed or income-driven, and their constructors.
 * Each plan is one file of this folder: its terms, citations, eligibility, formula and calculator
 * name. registry.ts lists the plans.
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

/** Not a plan type of the API, because only the keyless calculator shows it. */
export const TIERED_STANDARD = "TIERED STANDARD"

export type EnginePlan = PlanType | typeof TIERED_STANDARD

interface PlanBasics {
  readonly planType: EnginePlan
  /** Id and name of the plan in the keyless calculator. */
  readonly calculator: { readonly id: CalculatorPlan; readonly label: string }
  /**
   * Whether tests reproduce printed or hand-worked cases of the plan. A test fails if there are
   * none.
   */
  readonly parityVerified: boolean
  /** Whether the plan takes a kind of loan. */
  readonly openTo: (traits: LoanTraits) => Eligibility
  /** Whether only loans made on or after July 1, 2026 may elect it. */
  readonly onlyNewLoans: boolean
  /** The plan that Direct loans get under this name, if the borrower has such a loan. */
  readonly asNew: EnginePlan
  /** The plan's own terms, which every answer under it cites. */
  readonly terms: ReadonlyArray<Rule>
  /** Citations that depend on the loans of the book. */
  readonly citesForLoans: ReadonlyArray<Citation>
}

/** A plan with a fixed term: it pays the loans off and forgives nothing. */
export interface FixedPlan extends PlanBasics {
  readonly kind: "fixed"
  /** Months of the loan's full term. */
  readonly term: (law: Law, traits: LoanTraits, held: Holdings, trace?: Trace) => number
  /** Months of that term that are already used up. */
  readonly monthsBehind: (law: Law, book: Book, slot: number, term: number) => number
  /** The rule that sets the term of a kind of loan. */
  readonly termRule: (traits: LoanTraits) => Rule
  /** Whether payments on a Direct loan with this term count for PSLF. */
  readonly countsForPslf: (law: Law, term: number) => boolean
  /**
   * Sets the first payment of each due loan that has none yet, from a month until its `monthsLeft`;
   * returns the months between raises.
   */
  readonly schedule: (law: Law, book: Book, month: number, held: Holdings, trace?: Trace) => number
}

/**
 * The input of an income-driven plan's terms. `book` has the balances at entry to the plan, and
 * `held` those of the whole request at the start.
 */
export interface Beginning {
  readonly law: Law
  readonly household: Household
  readonly book: Book
  readonly held: Holdings
}

/** A plan whose payment follows income. It forgives the balance after a number of months. */
export interface IncomeDrivenPlan extends PlanBasics {
  readonly kind: "income-driven"
  /** Payments to forgiveness, prior ones included. */
  readonly forgivenessMonths: (law: Law, book: Book, trace?: Trace) => number
  /** Citations that depend on the household. */
  readonly citesForHousehold: ReadonlyArray<Citation>
  /** The terms for a book of loans, valid until the plan ends or the book is repaid. */
  readonly begin: (beginning: Beginning, trace?: Trace) => IncomeDrivenTerms
}

export type Plan = FixedPlan | IncomeDrivenPlan

/** Properties with a default. */
type Defaulted = "kind" | "onlyNewLoans" | "asNew" | "citesForLoans"
type PlanSpec<P extends Plan> = Omit<P, Defaulted> & Partial<Pick<P, Exclude<Defaulted, "kind">>>

// Both constructors list every property in one order, because V8 reads objects of one shape faster.

export const fixedPlan = (plan: PlanSpec<FixedPlan>): FixedPlan => ({
  kind: "fixed",
  planType: plan.planType,
  calculator: plan.calculator,
  parityVerified: plan.parityVerified,
  openTo: plan.openTo,
  onlyNewLoans: plan.onlyNewLoans ?? false,
  asNew: plan.asNew ?? plan.planType,
  terms: plan.terms,
  citesForLoans: plan.citesForLoans ?? [],
  schedule: plan.schedule,
  term: plan.term,
  monthsBehind: plan.monthsBehind,
  termRule: plan.termRule,
  countsForPslf: plan.countsForPslf
})

export const incomeDrivenPlan = (plan: PlanSpec<IncomeDrivenPlan>): IncomeDrivenPlan => ({
  kind: "income-driven",
  planType: plan.planType,
  calculator: plan.calculator,
  parityVerified: plan.parityVerified,
  openTo: plan.openTo,
  onlyNewLoans: plan.onlyNewLoans ?? false,
  asNew: plan.asNew ?? plan.planType,
  terms: plan.terms,
  citesForLoans: plan.citesForLoans ?? [],
  begin: plan.begin,
  forgivenessMonths: plan.forgivenessMonths,
  citesForHousehold: plan.citesForHousehold
})
