/**
 * The oracle's best path: it projects every plan alone, and every pair of plans with a month in
 * which the second replaces the first, and keeps the cheapest. It projects each path from month 0,
 * so a search takes seconds. A caller may name fewer months of change.
 *
 * Readings of the rules where they leave room:
 * - Every plan can be elected except REVISED PAY AS YOU EARN and SAVE, and from July 2028 on INCOME
 *   CONTINGENT and PAY AS YOU EARN.
 * - A candidate is a path that is allowed, closes within the limit of months, and has an open loan
 *   at its change.
 * - Only candidates are counted. A path with a void change closes too, but it repeats the path of
 *   its first plan alone, which has been counted.
 * - With a current plan, the best path without a change is that plan alone.
 * - REVISED PAY AS YOU EARN and SAVE have ended. Who is on one of them cannot stay, so the change is
 *   in month 1. Who does not choose is moved to STANDARD, so that takes the place of the best path
 *   without a change; if it has no candidate, the best path does. Only a book that closes in month 0
 *   has that plan alone.
 * - If there is no candidate, the answer has no best path. It is not a refusal.
 */
import { monthsFrom, monthText, type Start } from "./calendar.ts"
import { CONTINGENT_PLANS_ENDED } from "./law.ts"
import { type PlanType, planTypes } from "./matrix.ts"
import { type OracleProjection, oracleProject } from "./projection.ts"
import type { OracleRefusal } from "./refusal.ts"
import type { Edges } from "./thresholds.ts"
import { readPlanType, type WireLoan, type WirePlanChange, type WireProjection, type WireScenario } from "./wire.ts"

/** A plan and its changes may be sent and are replaced. */
export interface WirePaths {
  readonly scenario: Omit<WireScenario, "planType"> & { readonly planType?: string }
  readonly loans: ReadonlyArray<WireLoan>
}

export interface PathsOptions {
  /** The plan that the borrower is on, which then begins every path. */
  readonly currentPlan?: string | null
  /** Months of change, counted from month 0. All of the rules by default, a search of seconds. */
  readonly months?: ReadonlyArray<number>
}

/** A first plan, and the plan and month of its change. */
interface Route {
  readonly first: PlanType
  readonly change: { readonly month: number; readonly plan: PlanType } | null
}

export interface OraclePath {
  readonly planType: PlanType
  /** One change at most. */
  readonly planChanges: ReadonlyArray<WirePlanChange>
  /** Month of the change, counted from month 0. Null without a change. */
  readonly month: number | null
  /** Payments and tax in cents, or the present value if a discount rate is sent. */
  readonly cost: bigint
  readonly totalOutOfPocket: bigint
  readonly forgivenessTaxesOwed: bigint
  readonly presentValue: bigint | null
  readonly monthsToFinish: number
  readonly edges: Edges
}

export interface OraclePaths {
  readonly kind: "paths"
  readonly best: OraclePath | null
  readonly bestWithoutChange: OraclePath | null
  /** How many paths were projected to their end: the candidates. */
  readonly projected: number
  readonly candidates: ReadonlyArray<OraclePath>
  /** How many paths were tried and are no candidates, and why. */
  readonly others: { readonly refused: number; readonly stillOpen: number; readonly voidChange: number }
}

const ended: ReadonlyArray<PlanType> = ["REVISED PAY AS YOU EARN", "SAVE"]
const endingIn2028: ReadonlyArray<PlanType> = ["INCOME CONTINGENT", "PAY AS YOU EARN"]

/** The plans that can be elected in month 0, in the order of /v1/plan-types. */
export const electableFrom = (start: Start): ReadonlyArray<PlanType> =>
  planTypes.filter(
    (plan) => !ended.includes(plan) && !(endingIn2028.includes(plan) && monthsFrom(start, CONTINGENT_PLANS_ENDED) <= 0)
  )

const YEARS_OF_CHANGE = 25

/** June and July 2028: the last months in which a choice comes before the successor plans. */
const monthsAround2028 = (start: Start): ReadonlyArray<number> => {
  const july = monthsFrom(start, CONTINGENT_PLANS_ENDED)
  return [july - 1, july]
}

/** Months of change: each whole year, June and July 2028, and month 1 of a borrower on a plan. */
function monthsOfChange(start: Start, hasCurrentPlan: boolean): ReadonlyArray<number> {
  const years = Array.from({ length: YEARS_OF_CHANGE }, (_, year) => 12 * (year + 1))
  return [...years, ...monthsAround2028(start), ...(hasCurrentPlan ? [1] : [])]
}

/** Months ahead, ascending, each once. */
const inOrder = (months: ReadonlyArray<number>): ReadonlyArray<number> =>
  [...new Set(months)].filter((month) => month > 0).toSorted((a, b) => a - b)

/** Every plan alone, then every pair of plans with each month. Many pairs are refused later. */
function routesFrom(
  firsts: ReadonlyArray<PlanType>,
  electable: ReadonlyArray<PlanType>,
  months: ReadonlyArray<number>
): ReadonlyArray<Route> {
  const alone = firsts.map((first): Route => ({ first, change: null }))
  const pairs = firsts.flatMap((first) =>
    electable.flatMap((plan) => months.map((month): Route => ({ first, change: { month, plan } })))
  )
  return [...alone, ...pairs]
}

const changesOf = ({ change }: Route, start: Start): ReadonlyArray<WirePlanChange> =>
  change === null ? [] : [{ from: monthText(start, change.month), planType: change.plan }]

const requestOf = ({ loans, scenario }: WirePaths, route: Route, start: Start): WireProjection => ({
  scenario: { ...scenario, planType: route.first, planChanges: changesOf(route, start) },
  loans
})

function pathOf(answer: OracleProjection, route: Route, start: Start): OraclePath | keyof OraclePaths["others"] {
  const { edges, forgivenessTaxesOwed, monthsToFinish, presentValue, totalOutOfPocket } = answer
  if (monthsToFinish === null) return "stillOpen"
  const month = route.change?.month ?? null
  if (month !== null && monthsToFinish < month) return "voidChange"
  return {
    planType: route.first,
    planChanges: changesOf(route, start),
    month,
    cost: presentValue ?? totalOutOfPocket + forgivenessTaxesOwed,
    totalOutOfPocket,
    forgivenessTaxesOwed,
    presentValue,
    monthsToFinish,
    edges
  }
}

/** What decides between paths of one cost: fewer changes, the earlier month, the order of plans. */
const rankOf = ({ month, planChanges, planType }: OraclePath): ReadonlyArray<number> => [
  planChanges.length,
  month ?? 0,
  planTypes.indexOf(planType),
  ...planChanges.map((change) => planTypes.indexOf(readPlanType(change.planType)))
]

function isBetter(a: OraclePath, b: OraclePath): boolean {
  if (a.cost !== b.cost) return a.cost < b.cost
  const [ofA, ofB] = [rankOf(a), rankOf(b)]
  const differing = ofA.findIndex((value, i) => value !== ofB[i])
  return differing !== -1 && ofA[differing]! < ofB[differing]!
}

/** The cheapest path, whatever the order of the list. Null of an empty list. */
export const bestOf = (paths: ReadonlyArray<OraclePath>): OraclePath | null =>
  paths.reduce<OraclePath | null>((best, path) => (best === null || isBetter(path, best) ? path : best), null)

/**
 * The best path of a request, or why the current plan is refused. The request is in JSON form;
 * `start` is the calendar month of month 0.
 */
export function oraclePaths(
  request: WirePaths,
  start: Start,
  { currentPlan = null, months }: PathsOptions = {}
): OraclePaths | OracleRefusal {
  const current = currentPlan === null ? null : readPlanType(currentPlan)
  if (current !== null) {
    const staying = oracleProject(requestOf(request, { first: current, change: null }, start), start)
    if (staying.kind !== "projection") return staying
  }
  const hasEnded = current !== null && ended.includes(current)
  const electable = electableFrom(start)
  const firsts = current === null ? electable : [current]
  const routes = routesFrom(firsts, electable, inOrder(months ?? monthsOfChange(start, current !== null))).filter(
    ({ change }) => !hasEnded || change === null || change.month === 1
  )
  const tried: Array<OraclePath> = []
  const others = { refused: 0, stillOpen: 0, voidChange: 0 }
  for (const route of routes) {
    const answer = oracleProject(requestOf(request, route, start), start)
    const path = answer.kind === "projection" ? pathOf(answer, route, start) : "refused"
    if (typeof path === "string") others[path] += 1
    else tried.push(path)
  }
  const leaving = tried.filter(({ month }) => month !== null)
  const candidates = hasEnded && leaving.length > 0 ? leaving : tried
  const best = bestOf(candidates)
  const toStandard = candidates.filter(({ planChanges: [change] }) => change?.planType === "STANDARD")
  const without = bestOf(candidates.filter(({ month }) => month === null))
  return {
    kind: "paths",
    best,
    bestWithoutChange: without ?? (hasEnded ? (bestOf(toStandard) ?? best) : null),
    projected: candidates.length,
    candidates,
    others
  }
}
