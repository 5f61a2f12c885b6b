/**
 * The payments of a projection month by month, for a curve, a maximum or a present value. The loops
 * of a projection run here for one month at a time. That is slower, so a projection does not use
 * it.
 */
import type { Refusal } from "./answer/refusals.ts"
import type { Law } from "./law/law.ts"
import { Repayment } from "./repayment.ts"
import { type EngineRequest, prepare } from "./run.ts"
import { MONTHS_PER_YEAR, type StartMonth } from "./schedule/calendar.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"

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
  const { tally } = workspace
  const repayment = new Repayment(run)
  return Float64Array.from({ length: count }, (_, month) => {
    tally.reset()
    repayment.advance(month + 1)
    return tally.paid[Math.floor(month / MONTHS_PER_YEAR)]!
  })
}
