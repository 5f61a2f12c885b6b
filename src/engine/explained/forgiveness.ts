/**
 * The explanation of what is forgiven and of the tax on it. The functions that compute a projection
 * trace their own intermediate results, so no formula is repeated here.
 */
import type { Refusal } from "../answer/refusals.ts"
import type { Law } from "../law/law.ts"
import { type Step, traceInto } from "../law/trace.ts"
import { Repayment } from "../repayment.ts"
import { type EngineRequest, prepare } from "../run.ts"
import { MONTHS_PER_YEAR, type StartMonth } from "../schedule/calendar.ts"
import { GUARD_MONTHS } from "../schedule/tally.ts"
import { makeWorkspace, type Workspace } from "../schedule/workspace.ts"
import { forgivenessTaxCents } from "../tax/forgiveness.ts"

/** The steps of the tax on forgiveness, year after year, or the refusal. Without a tax there are none. */
export const explainTax = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  workspace: Workspace = makeWorkspace()
): ReadonlyArray<Step> | Refusal => {
  const run = prepare(law, request, start, workspace)
  if ("_tag" in run) return run
  const repayment = new Repayment(run)
  repayment.advance(GUARD_MONTHS)
  repayment.finish()
  const steps: Array<Step> = []
  forgivenessTaxCents(law, run.household, workspace.tally, traceInto(steps))
  return steps
}

/**
 * The months, counted from 0, at whose end something is forgiven, or the refusal.
 * @param count number of months to look at, from the first one
 */
export const monthsOfForgiveness = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  count: number,
  workspace: Workspace = makeWorkspace()
): ReadonlyArray<number> | Refusal => {
  const run = prepare(law, request, start, workspace)
  if ("_tag" in run) return run
  const { tally } = workspace
  const repayment = new Repayment(run)
  return Array.from({ length: count }, (_, month) => month).filter((month) => {
    tally.reset()
    repayment.advance(month + 1)
    const year = Math.floor(month / MONTHS_PER_YEAR)
    return tally.forgivenTimeBased[year]! + tally.forgivenPslf[year]! > 0
  })
}
