/**
 * How the payment of one month comes about: every intermediate, traced by the functions that compute it for a projection as
 * they compute it, and what the month did to each loan. The months before it are run as a projection runs them. Words, units
 * and formulas are not found here.
 */
import type { Basis } from "./answer/basis.ts"
import type { Refusal } from "./answer/refusals.ts"
import { fixedOwnPart, partBeside } from "./explained/fixed.ts"
import { incomeDrivenParts } from "./explained/incomeDriven.ts"
import type { PaymentPart, Question } from "./explained/part.ts"
import type { Law } from "./law/law.ts"
import { type Step, traceInto } from "./law/trace.ts"
import type { EnginePlan } from "./plans/plan.ts"
import { project } from "./projection.ts"
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
  /** Dollars, not rounded, and with whole cents. */
  readonly payment: number
  readonly paymentInCents: number
  readonly parts: ReadonlyArray<PaymentPart>
  /** Index of the last month, or null where there is none, and what the whole projection rests on and leaves out. */
  readonly lastMonth: number | null
  readonly projected: Basis
}

const ownParts = (question: Question): ReadonlyArray<PaymentPart> => {
  const { plan, workspace } = question.run
  if (workspace.books.inPlan.size === 0) return []
  return plan.kind === "income-driven" ? incomeDrivenParts(question, plan) : [fixedOwnPart(question, plan)]
}

/**
 * How the payment of a month comes about, or why the plan gives no answer. What is left out of it is what is left out of the
 * projection that it is a month of, so that is run as well.
 * @param month index from 0
 */
export const explain = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  month: number,
  workspace: Workspace = makeWorkspace()
): Explanation | Refusal => {
  const termSteps: Array<Step> = []
  const ends: Array<Step> = []
  const projection = project(law, { ...request, includeYearly: false }, start, workspace)
  const run = prepare(law, request, start, workspace, { terms: traceInto(termSteps), ends: traceInto(ends) })
  if ("_tag" in run) return run
  if (projection._tag === "Refusal") return projection
  const question = { run, month, termSteps, ends }
  const parts = [...ownParts(question), ...partBeside(question)]
  const payment = parts.reduce((sum, part) => sum + part.payment, 0)
  return {
    _tag: "Explanation",
    label: run.scenario.label,
    planType: run.plan.planType,
    month,
    date: dateOfMonth(start, month),
    payment,
    paymentInCents: fromCents(toCents(payment)),
    parts,
    lastMonth: projection.monthsToFinish,
    projected: { citations: projection.citations, omissions: projection.omissions }
  }
}
