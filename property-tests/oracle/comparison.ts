/**
 * The oracle's comparison: a projection of each scenario (arm), and the label of the cheapest. If
 * one arm is refused, the whole comparison is.
 */
import type { Start } from "./calendar.ts"
import { type OracleProjection, oracleProject } from "./projection.ts"
import type { OracleRefusal } from "./refusal.ts"
import type { WireComparison } from "./wire.ts"

export interface OracleComparison {
  readonly kind: "comparison"
  readonly projections: ReadonlyArray<OracleProjection>
  readonly lowestCostLabel: string | null
}

export interface OracleComparisonRefusal {
  readonly kind: "refused arms"
  /** All refused arms, ascending. */
  readonly arms: ReadonlyArray<{ readonly arm: number; readonly refusal: OracleRefusal }>
}

const costOf = (projection: OracleProjection): bigint => projection.totalOutOfPocket + projection.forgivenessTaxesOwed

/** The label of the arm with the lowest rounded payments plus tax: the first on a tie. */
function labelOfCheapest(projections: ReadonlyArray<OracleProjection>): string | null {
  let cheapest = projections[0]!
  for (const projection of projections) {
    if (costOf(projection) < costOf(cheapest)) cheapest = projection
  }
  return cheapest.label
}

export function oracleCompare(request: WireComparison, start: Start): OracleComparison | OracleComparisonRefusal {
  const includeYearly = request.includeYearly === true
  const answers = request.arms.map((arm) => oracleProject({ ...arm, includeYearly }, start))
  const arms = answers.flatMap((answer, arm) => (answer.kind === "projection" ? [] : [{ arm, refusal: answer }]))
  if (arms.length > 0) return { kind: "refused arms", arms }
  const projections = answers.filter((answer) => answer.kind === "projection")
  return { kind: "comparison", projections, lowestCostLabel: labelOfCheapest(projections) }
}
