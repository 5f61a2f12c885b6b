/** The groups of loans that are repaid together. */
import type { Law } from "./law/law.ts"
import type { Step } from "./law/trace.ts"
import type { FixedPlan, IncomeDrivenPlan } from "./plans/plan.ts"
import { repaymentAssistance } from "./plans/repayment-assistance.ts"
import { type Book, NEVER } from "./schedule/book.ts"
import type { Forgiving } from "./schedule/forgiveness.ts"
import type { IncomeDrivenTerms } from "./schedule/income-driven.ts"

/** Loans that are repaid together: in the plan, under a successor, or outside ("beside"). */
interface CommonGroup {
  readonly group: "plan" | "successor" | "beside"
  readonly book: Book
  /** The steps that set the terms, for an explanation. */
  readonly steps: Array<Step> | undefined
  readonly forgiving: Forgiving
  /** The number of due loans that are open. */
  open: number
  /** The month up to which due months are counted, and the next month that may forgive a loan. */
  countedTo: number
  nextForgiveness: number
}

export interface FixedGroup extends CommonGroup {
  readonly plan: FixedPlan
  /** Months between raises, or `NEVER`. */
  levelMonths: number
}

export interface IncomeDrivenGroup extends CommonGroup {
  readonly plan: IncomeDrivenPlan
  /** Undefined until one of the loans is due. */
  terms: IncomeDrivenTerms | undefined
  /** The ten-year amount of the loans then, where the plan changes; in dollars a month. */
  tenYear: number
}

export type Group = FixedGroup | IncomeDrivenGroup

export const isIncomeDriven = (group: Group): group is IncomeDrivenGroup => group.plan.kind === "income-driven"

export const fixedGroup = (
  group: "beside" | "plan",
  plan: FixedPlan,
  book: Book,
  steps: Array<Step> | undefined,
  month: number
): FixedGroup => ({
  group,
  plan,
  book,
  steps,
  levelMonths: NEVER,
  forgiving: { planMonths: NEVER, payments: NEVER, isRap: false },
  open: book.held,
  countedTo: month,
  nextForgiveness: NEVER
})

export const incomeDrivenGroup = (
  law: Law,
  group: "plan" | "successor",
  plan: IncomeDrivenPlan,
  book: Book,
  steps: Array<Step> | undefined,
  month: number
): IncomeDrivenGroup => ({
  group,
  plan,
  book,
  steps,
  terms: undefined,
  tenYear: 0,
  forgiving: {
    planMonths: plan.forgivenessMonths(law, book),
    payments: NEVER,
    isRap: plan === repaymentAssistance
  },
  open: book.held,
  countedTo: month,
  nextForgiveness: NEVER
})
