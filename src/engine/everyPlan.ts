/**
 * The whole book under every plan that can be chosen, and the reason why each other plan is closed.
 */
import { saveVacatur } from "../../ledger/rules/save.ts"
import type { PlansRequest } from "../../schema/plans.ts"
import type { Refusal } from "./answer/refusals.ts"
import type { HouseholdScenario } from "./law/household.ts"
import type { Law } from "./law/law.ts"
import { endOf } from "./plans/ending.ts"
import type { Plan } from "./plans/plan.ts"
import { planOf, WIRE_PLANS } from "./plans/registry.ts"
import { type Projection, project } from "./projection.ts"
import type { EngineRequest } from "./run.ts"
import { isEmpty } from "./schedule/book.ts"
import type { StartMonth } from "./schedule/calendar.ts"
import { historyOf } from "./schedule/history.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"
import { allSteps, type Steps } from "./steps.ts"

/** A request without a plan. */
export interface BookRequest extends Omit<EngineRequest, "scenario"> {
  readonly scenario: HouseholdScenario
}

/** Why nobody can choose a plan: a judgment ended it, or the law did. */
export type NotElectable = { readonly _tag: "Vacated" } | { readonly _tag: "Ended" }

/** @rule save-vacatur, idr-sunset-default */
export const notElectable = (law: Law, plan: Plan, start: StartMonth): NotElectable | undefined => {
  const vacated: ReadonlyArray<string> = law.read(saveVacatur).notElectable
  if (vacated.includes(plan.planType)) return { _tag: "Vacated" }
  return endOf(law, plan, start) === 0 ? { _tag: "Ended" } : undefined
}

export interface OpenPlan {
  readonly plan: Plan
  /** As the borrower knows it: Tiered Standard where STANDARD is that for all loans. */
  readonly label: string
  readonly projection: Projection
}

export interface ClosedPlan {
  readonly plan: Plan
  readonly label: string
  readonly reason: NotElectable | Refusal
}

/** In the order of GET /v1/plan-types. */
export interface EveryPlan {
  readonly open: ReadonlyArray<OpenPlan>
  readonly closed: ReadonlyArray<ClosedPlan>
}

/** A request of the route as the engine takes it. */
export const bookOf = ({ loans, scenario }: PlansRequest): BookRequest => ({
  scenario: { ...scenario, planChanges: null, label: null },
  loans,
  includeYearly: false
})

/** Whether STANDARD is Tiered Standard for all loans. @rule new-loan-plans-2026-07 */
const isTiered = (law: Law, { loans, scenario }: BookRequest): boolean =>
  historyOf(law, scenario.firstBorrowedOn, loans)?.isNew === true &&
  loans.every((loan) => isEmpty(loan) || law.traitsOf[loan.loanType].direct)

/** Projects a request under one plan after another. It must have no contradictions. */
export function* projectEveryPlan(
  law: Law,
  request: BookRequest,
  start: StartMonth,
  workspace: Workspace
): Steps<EveryPlan> {
  const open: Array<OpenPlan> = []
  const closed: Array<ClosedPlan> = []
  const asNew = isTiered(law, request)
  for (const plan of WIRE_PLANS) {
    const { label } = (asNew ? planOf(plan.asNew) : plan).calculator
    const outcome =
      notElectable(law, plan, start) ??
      project(law, { ...request, scenario: { ...request.scenario, planType: plan.planType } }, start, workspace)
    if (outcome._tag === "Projection") open.push({ plan, label, projection: outcome })
    else closed.push({ plan, label, reason: outcome })
    yield
  }
  return { open, closed }
}

/** Projects a request under every plan. It must have no contradictions. */
export const everyPlan = (
  law: Law,
  request: BookRequest,
  start: StartMonth,
  workspace: Workspace = makeWorkspace()
): EveryPlan => allSteps(projectEveryPlan(law, request, start, workspace))
