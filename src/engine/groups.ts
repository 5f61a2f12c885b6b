/** The groups of loans that are repaid together. */
import type { Law } from "./law/law.ts"
import type { Step } from "./law/trace.ts"
import type { FixedPlan, IncomeDrivenPlan, Plan } from "./plans/plan.ts"
import { repaymentAssistance } from "./plans/repayment-assistance.ts"
import { planForLoan, standard } from "./plans/standard.ts"
import { type Book, Counts, NEVER } from "./schedule/book.ts"
import type { Forgiving } from "./schedule/forgiveness.ts"
import type { Holdings } from "./schedule/holdings.ts"
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

/** What a group begins with. */
interface Beginning extends Pick<CommonGroup, "book" | "group" | "steps"> {
  readonly law: Law
  readonly plan: Plan
  readonly held: Holdings
  readonly month: number
}

/** A group of a book's loans, all due, with what their months count for. */
export const beginGroup = ({ book, group, held, law, month, plan, steps }: Beginning): Group => {
  setCounts(law, plan, book, held)
  const planMonths = plan.kind === "income-driven" ? plan.forgivenessMonths(law, book) : NEVER
  const forgiving = { planMonths, payments: NEVER, isRap: plan === repaymentAssistance }
  const open = book.held
  // Written out, because every projection makes one and a spread is slow.
  return plan.kind === "income-driven"
    ? {
        group,
        book,
        steps,
        forgiving,
        open,
        plan,
        countedTo: month,
        nextForgiveness: NEVER,
        terms: undefined,
        tenYear: 0
      }
    : { group, book, steps, forgiving, open, plan, countedTo: month, nextForgiveness: NEVER, levelMonths: NEVER }
}

/** Sets what a due month of each loan counts for. */
const setCounts = (law: Law, plan: Plan, book: Book, held: Holdings): void => {
  for (let slot = 0; slot < book.held; slot++) book.counts[slot] = countsOf(law, plan, book, slot, held)
}

const countsOf = (law: Law, plan: Plan, book: Book, slot: number, held: Holdings): number => {
  const traits = book.traits[slot]!
  const pslf = traits.direct ? Counts.pslf : 0
  if (plan.kind === "income-driven")
    return Counts.rap | Counts.incomeDriven | pslf | (plan === repaymentAssistance ? 0 : Counts.other)
  if (plan !== standard) return 0
  const of = planForLoan(plan, traits, held)
  if (of !== plan) return Counts.rap
  return of.countsForPslf(law, of.term(law, traits, held)) ? Counts.rap | Counts.other | pslf : 0
}
