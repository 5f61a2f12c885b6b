/**
 * The best path: the plan, or the plan and one later change to another, with the lowest cost of
 * those tried. Every plan that can be elected is tried alone and before every other one.
 */
import { omissionInterestOnLeavingIbr, omissionLeavingIbr } from "../../ledger/omissions/income-driven.ts"
import { idrSunsetDefault } from "../../ledger/rules/income-based.ts"
import type { PlanChange, PlanType } from "../../schema/scenario.ts"
import type { Refusal } from "./answer/refusals.ts"
import { notElectable } from "./everyPlan.ts"
import type { Law } from "./law/law.ts"
import { monthlyPayments } from "./months.ts"
import { planOf, WIRE_PLANS } from "./plans/registry.ts"
import { standard } from "./plans/standard.ts"
import { costCents, type Figures, figuresOf, type Projection, project } from "./projection.ts"
import type { EngineRequest } from "./run.ts"
import { dateOfMonth, indexOfMonth, MONTHS_PER_YEAR, type StartMonth } from "./schedule/calendar.ts"
import { fromCents, toCents } from "./schedule/rounding.ts"
import { GUARD_MONTHS } from "./schedule/tally.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"
import { allSteps, type Steps } from "./steps.ts"

/** The request of a projection, whose plan and changes of plan are replaced. */
export interface PathsRequest extends EngineRequest {
  /** The plan that the borrower is in, with which every path then begins; null if unknown. */
  readonly currentPlan: PlanType | null
}

/** A plan, and at most one later change to another. */
export interface Path {
  readonly planType: PlanType
  readonly planChanges: ReadonlyArray<PlanChange>
  /** What is paid and the tax on forgiveness, in dollars; with a `discountRate`, what they are worth today. */
  readonly cost: number
  /** Paid in the month of the change, in dollars; null without one. */
  readonly paymentAfterChange: number | null
  /** The last of the months tried in which the same change costs the same, YYYY-MM; null if no later one does. */
  readonly latestFrom: string | null
  /** The answer to the request with these plans. */
  readonly projection: Projection
}

export interface BestPath {
  readonly _tag: "BestPath"
  /** The best path of each pair of plans and of each plan alone, the cheapest first. */
  readonly paths: ReadonlyArray<Path>
  /** The first of them. */
  readonly best: Path
  /** If the current plan has ended: the move to STANDARD, which is made for who does not choose, or else the best. */
  readonly bestWithoutChange: Path
  /** The number of paths that were projected to their end. */
  readonly projected: number
}

type Plans = Pick<Path, "planChanges" | "planType">

const NO_CHANGE: ReadonlyArray<PlanChange> = []

/** A change is tried after each of the years in the first half of the longest projection. */
const YEARS = GUARD_MONTHS / MONTHS_PER_YEAR / 2

/** Omissions about borrowers whose plan is unknown. */
const OF_UNKNOWN_PLAN: ReadonlyArray<string> = [omissionLeavingIbr.id, omissionInterestOnLeavingIbr.id]

/** The omissions of a projection, with those about a borrower whose plan is unknown only if it is. */
export const omissionsOf = ({ omissions }: Projection, currentPlan: PlanType | null): ReadonlyArray<string> =>
  currentPlan === null ? omissions : omissions.filter((id) => !OF_UNKNOWN_PLAN.includes(id))

/** The months in which a change is tried: the last one before plans end and the one after, too. */
const monthsOfChange = (law: Law, start: StartMonth, isPlanKnown: boolean): ReadonlyArray<number> => {
  const end = indexOfMonth(start, law.read(idrSunsetDefault).endsOn)
  const years = Array.from({ length: YEARS }, (_, year) => (year + 1) * MONTHS_PER_YEAR)
  const months = new Set([...(isPlanKnown ? [1] : []), end - 1, end, ...years])
  return [...months].filter((month) => month > 0).sort((one, other) => one - other)
}

/** A path that has an end. */
interface Candidate extends Plans {
  /** Its place in the order of preference between paths of equal cost. */
  readonly order: number
  /** The least that it may cost, in cents. */
  readonly least: number
}

/** The cost, or with a discount rate less than it is worth: each year is paid at its end, and all tax at the end. */
const leastOf = ({ scenario }: PathsRequest, figures: Figures, { tally }: Workspace): number => {
  if (scenario.discountRate === null) return costCents(figures)
  const worthAfter = (years: number) => (1 + scenario.discountRate!) ** -years
  let dollars = figures.forgivenessTaxesOwed * worthAfter(tally.years)
  for (let year = 0; year < tally.years; year++) dollars += tally.paid[year]! * worthAfter(year + 1)
  return toCents(dollars) - 1
}

const withPlans = (request: PathsRequest, { planChanges, planType }: Plans): EngineRequest => ({
  scenario: { ...request.scenario, planType, planChanges },
  loans: request.loans,
  includeYearly: request.includeYearly
})

/**
 * The paths that have an end, in order of preference, or the first refusal if no plan has an answer.
 * Yields every few projections.
 */
function* candidatesOf(
  law: Law,
  request: PathsRequest,
  start: StartMonth,
  workspace: Workspace
): Steps<ReadonlyArray<Candidate> | Refusal> {
  const { currentPlan, scenario } = request
  const electable = WIRE_PLANS.filter((plan) => notElectable(law, plan, start) === undefined).map(
    ({ planType }) => planType as PlanType
  )
  // A value of today takes months one by one, which is slower.
  const undiscounted = { ...request, scenario: { ...scenario, discountRate: null } }
  const candidates: Array<Candidate> = []
  const attempt = (plans: Plans): Figures | Refusal => {
    const figures = figuresOf(law, withPlans(undiscounted, plans), start, workspace)
    if (!("_tag" in figures) && figures.monthsToFinish !== null)
      candidates.push({ ...plans, order: candidates.length, least: leastOf(request, figures, workspace) })
    return figures
  }
  let refusal: Refusal | undefined
  const alone = (currentPlan === null ? electable : [currentPlan]).flatMap((planType) => {
    const figures = attempt({ planType, planChanges: NO_CHANGE })
    if (!("_tag" in figures)) return [{ planType, lastMonth: figures.monthsToFinish ?? GUARD_MONTHS }]
    refusal ??= figures
    return []
  })
  if (candidates.length === 0) return refusal!
  // Nobody can stay in a plan that a judgment ended.
  const isLeft = currentPlan !== null && notElectable(law, planOf(currentPlan), start)?._tag === "Vacated"
  for (const month of isLeft ? [1] : monthsOfChange(law, start, currentPlan !== null)) {
    const from = dateOfMonth(start, month).slice(0, "YYYY-MM".length)
    for (const { lastMonth, planType: first } of alone) {
      // Nothing would be open.
      if (lastMonth < month) continue
      for (const planType of electable) attempt({ planType: first, planChanges: [{ from, planType }] })
      yield
    }
  }
  const leaving = candidates.filter(({ planChanges }) => planChanges.length > 0)
  return isLeft && leaving.length > 0 ? leaving : candidates
}

type Costed = Candidate & { readonly cents: number; readonly latestFrom: string | null }

const byCost = (one: Costed, other: Costed): number => one.cents - other.cents || one.order - other.order

/** Of two paths of a pair that cost the same. */
const earlierOf = (one: Costed, other: Costed): Costed => {
  const [, latestFrom] = [one, other].map((path) => path.latestFrom ?? path.planChanges[0]!.from).sort()
  return { ...(one.order < other.order ? one : other), latestFrom: latestFrom! }
}

/** The best path of each pair of plans and of each plan alone, the cheapest first. */
function* bestOfPairs(
  candidates: ReadonlyArray<Candidate>,
  centsOf: (path: Candidate) => number
): Steps<ReadonlyArray<Costed>> {
  const best = new Map<string, Costed>()
  for (const path of candidates.toSorted((one, other) => one.least - other.least)) {
    const pair = [path.planType, ...path.planChanges.map(({ planType }) => planType)].join()
    const before = best.get(pair)
    if (before !== undefined && before.cents < path.least) continue
    const costed = { ...path, cents: centsOf(path), latestFrom: null }
    yield
    if (before === undefined || costed.cents < before.cents) best.set(pair, costed)
    else if (costed.cents === before.cents) best.set(pair, earlierOf(before, costed))
  }
  return [...best.values()].sort(byCost)
}

/** The search for the best path. Other projections may use the workspace between its steps. */
export function* searchBestPath(
  law: Law,
  request: PathsRequest,
  start: StartMonth,
  workspace: Workspace
): Steps<BestPath | Refusal> {
  const candidates = yield* candidatesOf(law, request, start, workspace)
  if ("_tag" in candidates) return candidates
  const centsOf = (path: Candidate): number => {
    if (request.scenario.discountRate === null) return path.least
    return toCents((figuresOf(law, withPlans(request, path), start, workspace) as Figures).presentValue!)
  }
  const paths: Array<Path> = []
  for (const { cents, latestFrom, planChanges, planType } of yield* bestOfPairs(candidates, centsOf)) {
    yield
    const asked = withPlans(request, { planType, planChanges })
    const projection = project(law, asked, start, workspace) as Projection
    const [change] = planChanges
    const months = change === undefined ? 0 : indexOfMonth(start, change.from) + 1
    const payments = monthlyPayments(law, asked, start, months, workspace) as Float64Array
    paths.push({
      planType,
      planChanges,
      cost: fromCents(cents),
      paymentAfterChange: change === undefined ? null : fromCents(toCents(payments.at(-1)!)),
      latestFrom,
      projection: { ...projection, omissions: omissionsOf(projection, request.currentPlan) }
    })
  }
  const best = paths[0]!
  // Every plan alone ends, so one without a change is among them, unless it must be left.
  const bestWithoutChange =
    paths.find(({ planChanges }) => planChanges.length === 0) ??
    paths.find(({ planChanges: [change] }) => change?.planType === standard.planType) ??
    best
  return { _tag: "BestPath", paths, best, bestWithoutChange, projected: candidates.length }
}

/**
 * The path with the lowest cost, and those after it. Between equal costs fewer changes come first,
 * then the earlier month, then the order of the plan types. A refusal is that of `currentPlan`, or
 * that of the first plan if no plan has an answer.
 */
export const bestPath = (
  law: Law,
  request: PathsRequest,
  start: StartMonth,
  workspace: Workspace = makeWorkspace()
): BestPath | Refusal => allSteps(searchBestPath(law, request, start, workspace))
