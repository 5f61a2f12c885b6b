/**
 * The explanation of the tax on forgiveness. The functions that compute a projection trace their
 * own intermediate results, so no formula is repeated here.
 */
import type { Refusal } from "../answer/refusals.ts"
import type { Law } from "../law/law.ts"
import { type Step, traceInto } from "../law/trace.ts"
import { Repayment } from "../repayment.ts"
import { type EngineRequest, prepare } from "../run.ts"
import type { StartMonth } from "../schedule/calendar.ts"
import { GUARD_MONTHS } from "../schedule/tally.ts"
import { makeWorkspace } from "../schedule/workspace.ts"
import { forEachTaxedYear } from "../tax/forgiveness.ts"

/** The steps of the tax on forgiveness, year by year, or the refusal; empty if there is no tax. */
export const explainTax = (law: Law, request: EngineRequest, start: StartMonth): ReadonlyArray<Step> | Refusal => {
  const run = prepare(law, request, start, makeWorkspace())
  if ("_tag" in run) return run
  const repayment = new Repayment(run)
  repayment.advance(GUARD_MONTHS)
  if (repayment.refusal !== undefined) return repayment.refusal
  repayment.finish()
  const steps: Array<Step> = []
  forEachTaxedYear(law, run.household, run.workspace.tally, () => undefined, traceInto(steps))
  return steps
}
