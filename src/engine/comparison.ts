/** The comparison of two to ten scenarios (arms), and the one that costs least. */

import type { Refusal } from "./answer/refusals.ts"
import type { Law } from "./law/law.ts"
import { costCents, type EngineRequest, type Projection, project } from "./projection.ts"
import type { StartMonth } from "./schedule/calendar.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"

export interface Comparison {
  readonly _tag: "Comparison"
  readonly projections: ReadonlyArray<Projection>
  readonly lowestCostLabel: string | null
}

/** All refused arms of a comparison, by index. */
export interface RefusedArms {
  readonly _tag: "RefusedArms"
  readonly arms: ReadonlyArray<{ readonly arm: number; readonly refusal: Refusal }>
}

export interface EngineComparison {
  readonly arms: ReadonlyArray<Omit<EngineRequest, "includeYearly">>
  readonly includeYearly: boolean
}

/**
 * Index of the cheapest arm that `counts` accepts. The first of equal arms wins; -1 if there is
 * none.
 */
export const lowestOf = <Arm extends Parameters<typeof costCents>[0]>(
  arms: ReadonlyArray<Arm>,
  counts: (arm: Arm) => boolean = () => true
): number => {
  let lowest = -1
  arms.forEach((arm, index) => {
    if (counts(arm) && (lowest === -1 || costCents(arm) < costCents(arms[lowest]!))) lowest = index
  })
  return lowest
}

export const compare = (
  law: Law,
  request: EngineComparison,
  start: StartMonth,
  workspace: Workspace = makeWorkspace()
): Comparison | RefusedArms => {
  const projections: Array<Projection> = []
  const refused: Array<RefusedArms["arms"][number]> = []
  request.arms.forEach(({ loans, scenario }, arm) => {
    const outcome = project(law, { scenario, loans, includeYearly: request.includeYearly }, start, workspace)
    if (outcome._tag === "Refusal") refused.push({ arm, refusal: outcome })
    else projections.push(outcome)
  })
  if (refused.length > 0) return { _tag: "RefusedArms", arms: refused }
  return { _tag: "Comparison", projections, lowestCostLabel: projections[lowestOf(projections)]!.label }
}
