/**
 * The payments of a projection month by month, for a curve, a maximum or a present value. The loops
 * of a projection run here for one month at a time. That is slower, so a projection does not use
 * it.
 */
import type { Refusal } from "./answer/refusals.ts"
import type { Law } from "./law/law.ts"
import { endOf, moveToSuccessors } from "./plans/ending.ts"
import type { IncomeDrivenPlan } from "./plans/plan.ts"
import { scheduleOutsidePlan } from "./plans/standard.ts"
import { type EngineRequest, outsidePlanOf, prepare, type Run } from "./run.ts"
import type { Book } from "./schedule/book.ts"
import { MONTHS_PER_YEAR, type StartMonth } from "./schedule/calendar.ts"
import { repayFixed } from "./schedule/fixed.ts"
import type { IncomeDrivenTerms } from "./schedule/income-driven.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"

/** A run, and the array that receives the sum paid in each month. */
interface Months {
  readonly run: Run
  readonly paid: Float64Array
}

/**
 * Runs month `from` of a group of loans and adds it to the tally. Returns the number of loans that
 * may still be open.
 */
type RunMonth = (from: number) => number

const addMonths = ({ paid, run }: Months, from: number, until: number, runMonth: RunMonth): void => {
  const { tally } = run.workspace
  for (let month = from; month < until; month++) {
    tally.reset()
    const open = runMonth(month)
    paid[month]! += tally.paid[Math.floor(month / MONTHS_PER_YEAR)]!
    if (open === 0) return
  }
}

const addFixed = (months: Months, book: Book, levelMonths: number): void => {
  const { tally } = months.run.workspace
  addMonths(months, 0, months.paid.length, (from) => {
    repayFixed({ book, from, until: from + 1, tally }, levelMonths)
    return book.size
  })
}

const addIncomeDriven = (months: Months, plan: IncomeDrivenPlan): void => {
  const { household, law, scenario, start, workspace } = months.run
  const { books, tally } = workspace
  const ofTerms =
    (terms: IncomeDrivenTerms, book: Book): RunMonth =>
    (from) =>
      terms.repay({ book, household, tally, from, until: from + 1 })
  const all = months.paid.length
  const end = Math.min(endOf(law, plan, start), all)
  addMonths(months, 0, end, ofTerms(plan.begin({ law, household, book: books.inPlan }), books.inPlan))
  const passage = { law, plan, books, household, workingTowardsPslf: scenario.workingTowardsPslf }
  if (end < all) moveToSuccessors(passage, ({ terms }) => addMonths(months, end, all, ofTerms(terms, books.passed)))
}

/**
 * The sum that all loans pay in each month, in unrounded dollars, or the refusal.
 * @param count number of months from the first one; a projection has `monthsToFinish` + 1
 */
export const monthlyPayments = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  count: number,
  workspace: Workspace = makeWorkspace()
): Float64Array | Refusal => {
  const run = prepare(law, request, start, workspace)
  if ("_tag" in run) return run
  const months = { run, paid: new Float64Array(count) }
  const { inPlan, outsidePlan } = workspace.books
  if (run.plan.kind === "income-driven") addIncomeDriven(months, run.plan)
  else addFixed(months, inPlan, run.plan.schedule(law, inPlan))
  if (outsidePlan.size > 0) addFixed(months, outsidePlan, scheduleOutsidePlan(outsidePlanOf(run)))
  return months.paid
}
