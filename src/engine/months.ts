/**
 * A projection month by month: its payments, for a curve, a maximum or a present value, and its
 * months of forgiveness. The loops of a projection run here for one month at a time. That is
 * slower, so a projection does not use it.
 */
import type { Refusal } from "./answer/refusals.ts"
import type { Law } from "./law/law.ts"
import { Repayment } from "./repayment.ts"
import { type EngineRequest, prepare } from "./run.ts"
import { MONTHS_PER_YEAR, type StartMonth } from "./schedule/calendar.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"

/** Sums over all loans, by month, in unrounded dollars. */
export interface Months {
  readonly paid: Float64Array
  /** At the end of the month. */
  readonly forgiven: Float64Array
}

/**
 * The payment and the forgiveness of each month, or the refusal.
 * @param count number of months from the first one; a projection has `monthsToFinish` + 1
 */
export const monthByMonth = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  count: number,
  workspace: Workspace = makeWorkspace()
): Months | Refusal => {
  const run = prepare(law, request, start, workspace)
  if ("_tag" in run) return run
  const { tally } = workspace
  const repayment = new Repayment(run)
  const [paid, forgiven] = [new Float64Array(count), new Float64Array(count)]
  for (let month = 0; month < count; month++) {
    tally.reset()
    repayment.advance(month + 1)
    // The columns of the tally are years.
    const year = Math.floor(month / MONTHS_PER_YEAR)
    paid[month] = tally.paid[year]!
    forgiven[month] = tally.forgivenTimeBased[year]! + tally.forgivenPslf[year]!
  }
  return repayment.refusal ?? { paid, forgiven }
}

/** The payments of `monthByMonth` alone. */
export const monthlyPayments = (...asked: Parameters<typeof monthByMonth>): Float64Array | Refusal => {
  const months = monthByMonth(...asked)
  return "_tag" in months ? months : months.paid
}
