/**
 * The explanation of one month's payment: every intermediate result, and the effect on each loan.
 * The functions that compute a projection trace their own intermediate results, so no formula is
 * repeated here. Names, units and formulas are in src/messages/steps.
 */
import type { Basis } from "./answer/basis.ts"
import type { Refusal } from "./answer/refusals.ts"
import { partsWithExtra } from "./explained/extra.ts"
import { payFixed } from "./explained/fixed.ts"
import { payIncomeDriven } from "./explained/incomeDriven.ts"
import type { PaymentPart } from "./explained/part.ts"
import { pausedParts } from "./explained/paused.ts"
import { isIncomeDriven } from "./groups.ts"
import type { Law } from "./law/law.ts"
import { type Step, traceInto } from "./law/trace.ts"
import type { EnginePlan } from "./plans/plan.ts"
import { type Projection, project } from "./projection.ts"
import { Repayment } from "./repayment.ts"
import { type EngineRequest, prepare } from "./run.ts"
import { dateOfMonth, type StartMonth } from "./schedule/calendar.ts"
import { fromCents, toCents } from "./schedule/rounding.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"

export type { PaymentPart } from "./explained/part.ts"

export interface Explanation {
  readonly _tag: "Explanation"
  readonly label: string | null
  readonly planType: EnginePlan
  /** Index of the month, from 0. */
  readonly month: number
  readonly date: string
  /** Dollars, not rounded. */
  readonly payment: number
  /** Dollars, rounded to whole cents. */
  readonly paymentInCents: number
  readonly parts: ReadonlyArray<PaymentPart>
  /** Index of the last month of the projection, or null if it does not finish. */
  readonly lastMonth: number | null
  /** Citations, omissions and remarks of the whole projection. */
  readonly projected: Basis & Pick<Projection, "remarks">
}

/**
 * Explains the payment of a month, or returns the refusal. The whole projection runs as well,
 * because its omissions apply to each of its months.
 * @param month index from 0
 */
export const explain = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  month: number,
  workspace: Workspace = makeWorkspace()
): Explanation | Refusal => {
  const steps: Array<Step> = []
  const projection = project(law, { ...request, includeYearly: false }, start, workspace)
  const run = prepare(law, request, start, workspace, traceInto(steps))
  if ("_tag" in run) return run
  if (projection._tag === "Refusal") return projection
  const repayment = new Repayment(run, steps)
  repayment.reach(month)
  const question = { run, repayment, month }
  const paid = repayment.groups.map((group) =>
    isIncomeDriven(group) ? payIncomeDriven(question, group) : payFixed(question, group)
  )
  const paused = pausedParts(question)
  const parts = [...partsWithExtra(question, paid), ...paused]
  const payment = parts.reduce((sum, part) => sum + part.payment, 0)
  return {
    _tag: "Explanation",
    label: run.scenario.label,
    planType: repayment.plan.planType,
    month,
    date: dateOfMonth(start, month),
    payment,
    paymentInCents: fromCents(toCents(payment)),
    parts,
    lastMonth: projection.monthsToFinish,
    projected: { citations: projection.citations, omissions: projection.omissions, remarks: projection.remarks }
  }
}
