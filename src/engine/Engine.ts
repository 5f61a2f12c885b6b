/**
 * The engine as an Effect service. The start month comes from the clock, and a refusal is the
 * failure `PlanRefused`.
 */
import { Clock, Context, Data, Effect, Layer } from "effect"
import { MAX_LOANS_OF_PATHS } from "../../schema/bounds.ts"
import type { KeylessLoanRequest } from "../../schema/calculator.ts"
import type { ComparisonArm, ComparisonRequest } from "../../schema/comparison.ts"
import type { CoupleRequest } from "../../schema/couple.ts"
import type { EligibilityRequest, LoanEligibility } from "../../schema/eligibility.ts"
import type { ExplainRequest } from "../../schema/explanation.ts"
import type { PathsRequest } from "../../schema/paths.ts"
import type { PlansRequest } from "../../schema/plans.ts"
import type { ProjectionRequest } from "../../schema/projection.ts"
import type { PlanType } from "../../schema/scenario.ts"
import { type Contradiction, contradictionsOf, contradictoryDates } from "./answer/contradictions.ts"
import type { Refusal } from "./answer/refusals.ts"
import { type BestPath, bestPath, searchBestPath } from "./bestPath.ts"
import { type Calculation, calculate, contradictionsOfLoan } from "./calculator.ts"
import { type Comparison, compare } from "./comparison.ts"
import { type Couple, contradictionsOfCouple, coupleOf } from "./couple.ts"
import { eligiblePlans, plansInstead } from "./eligibility.ts"
import { bookOf, type EveryPlan, projectEveryPlan } from "./everyPlan.ts"
import { type Explanation, explain } from "./explanation.ts"
import { currentLaw } from "./law/law.ts"
import { standard } from "./plans/standard.ts"
import { type Projection, project } from "./projection.ts"
import { type StartMonth, startMonthOf } from "./schedule/calendar.ts"
import { makeWorkspace } from "./schedule/workspace.ts"
import { allSteps, type Steps } from "./steps.ts"

interface RefusedArm {
  /** Index of the scenario (arm) in a comparison; null in a projection. */
  readonly arm: number | null
  readonly refusal: Refusal
  /**
   * Plans that the refused loans can elect instead. Empty if only the counts of prior months
   * prevent an answer (an artifact: see answer/refusals.ts).
   */
  readonly instead: ReadonlyArray<PlanType>
  /** The field of the plan, if it is not that of the scenario. */
  readonly field?: string
}

/** The failure of a request whose plan has no answer for its loans. */
export class PlanRefused extends Data.TaggedError("PlanRefused")<{ readonly arms: ReadonlyArray<RefusedArm> }> {}

/** The failure of a request without a plan that contradicts itself or the calendar. */
export class RequestContradicted extends Data.TaggedError("RequestContradicted")<{
  readonly contradictions: ReadonlyArray<Contradiction>
}> {}

export interface Computed<A> {
  readonly figures: A
  readonly computedAt: Date
}

/** The book under every plan; the best path, if it was asked for and some plan has an answer. */
export interface Plans extends EveryPlan {
  readonly path: BestPath | undefined
}

/** Does steps to their end, perhaps with pauses between them. */
export type RunSteps = <A>(steps: Steps<A>) => Effect.Effect<A>

const atOnce: RunSteps = (steps) => Effect.sync(() => allSteps(steps))

export class Engine extends Context.Service<
  Engine,
  {
    /** Projections and comparisons start now, or at the time of an earlier answer. */
    readonly project: (request: ProjectionRequest, at?: Date) => Effect.Effect<Computed<Projection>, PlanRefused>
    readonly explain: (request: ExplainRequest) => Effect.Effect<Computed<Explanation>, PlanRefused>
    readonly compare: (request: ComparisonRequest, at?: Date) => Effect.Effect<Computed<Comparison>, PlanRefused>
    readonly bestPath: (request: PathsRequest) => Effect.Effect<Computed<BestPath>, PlanRefused>
    readonly plans: (
      request: PlansRequest,
      run?: RunSteps
    ) => Effect.Effect<Computed<Plans>, PlanRefused | RequestContradicted>
    /** Undefined if neither owes anything. */
    readonly couple: (request: CoupleRequest) => Effect.Effect<Computed<Couple | undefined>, RequestContradicted>
    readonly eligiblePlans: (
      request: EligibilityRequest
    ) => Effect.Effect<Computed<ReadonlyArray<LoanEligibility>>, RequestContradicted>
    readonly calculate: (request: KeylessLoanRequest) => Effect.Effect<Computed<Calculation>, RequestContradicted>
  }
>()("repayment-of-record/Engine") {
  static readonly layer = Layer.sync(Engine, () => {
    const workspace = makeWorkspace()
    const refused = (arms: ReadonlyArray<RefusedArm>) => new PlanRefused({ arms })
    const refusedArm = (arm: number | null, refusal: Refusal, { loans, scenario }: ComparisonArm): RefusedArm => ({
      arm,
      refusal,
      instead: plansInstead(currentLaw, refusal, { loans, firstBorrowedOn: scenario.firstBorrowedOn }, workspace)
    })
    // No spans, because most calculations take less time than a span, and Answers already has one.
    return Engine.of({
      project: (request, at) =>
        computed((start) => {
          const outcome = project(currentLaw, request, start, workspace)
          return outcome._tag === "Refusal" ? refused([refusedArm(null, outcome, request)]) : outcome
        }, at),
      explain: (request) =>
        computed((start) => {
          const outcome = explain(currentLaw, request, start, request.month - 1, workspace)
          return outcome._tag === "Refusal" ? refused([refusedArm(null, outcome, request)]) : outcome
        }),
      compare: (request, at) =>
        computed((start) => {
          const outcome = compare(currentLaw, request, start, workspace)
          if (outcome._tag !== "RefusedArms") return outcome
          return refused(outcome.arms.map(({ arm, refusal }) => refusedArm(arm, refusal, request.arms[arm]!)))
        }, at),
      bestPath: (request) =>
        computed((start) => {
          const outcome = bestPath(currentLaw, request, start, workspace)
          return outcome._tag === "Refusal" ? refused([refusedPath(outcome, request.currentPlan)]) : outcome
        }),
      plans: Effect.fnUntraced(function* (request, run = atOnce) {
        const computedAt = new Date(yield* Clock.currentTimeMillis)
        const start = startMonthOf(computedAt)
        const { currentPlan } = request
        const book = bookOf(request)
        const contradictions = contradictionsOfPlans(request, contradictionsOf(currentLaw, book, start))
        if (contradictions.length > 0) return yield* new RequestContradicted({ contradictions })
        const every = yield* run(projectEveryPlan(currentLaw, book, start, workspace))
        if (!request.bestPath) return { figures: { ...every, path: undefined }, computedAt }
        const planType = currentPlan ?? standard.planType
        const asked = { ...book, scenario: { ...book.scenario, planType }, currentPlan }
        const path = yield* run(searchBestPath(currentLaw, asked, start, workspace))
        if (path._tag === "BestPath") return { figures: { ...every, path }, computedAt }
        if (currentPlan === null) return { figures: { ...every, path: undefined }, computedAt }
        return yield* refused([refusedPath(path, currentPlan)])
      }),
      couple: (request) =>
        computed((start) => {
          const contradictions = contradictionsOfCouple(currentLaw, request, start)
          if (contradictions.length > 0) return new RequestContradicted({ contradictions })
          return coupleOf(currentLaw, request, start, workspace)
        }),
      eligiblePlans: (request) =>
        computed((start) => {
          const dated = { ...request, path: ["firstBorrowedOn"] }
          const contradictions = contradictoryDates(currentLaw, dated, start)
          if (contradictions.length > 0) return new RequestContradicted({ contradictions })
          return eligiblePlans(currentLaw, request, workspace)
        }),
      calculate: (request) =>
        computed((start) => {
          const contradictions = contradictionsOfLoan(currentLaw, request, start)
          if (contradictions.length > 0) return new RequestContradicted({ contradictions })
          return calculate(currentLaw, request, start, workspace)
        })
    })
  })
}

/**
 * The refusal of a search for the best path, at the field of its cause. The current plan is a fact,
 * so no other plan is offered instead. A contradiction names its own fields.
 */
const refusedPath = (refusal: Refusal, currentPlan: PlanType | null): RefusedArm => {
  const refused = { arm: null, refusal, instead: [] }
  return refusal.kind === "contradiction"
    ? refused
    : { ...refused, field: currentPlan === null ? "loans" : "currentPlan" }
}

const contradictionsOfPlans = (
  { bestPath: isAsked, loans }: PlansRequest,
  others: ReadonlyArray<Contradiction>
): ReadonlyArray<Contradiction> =>
  isAsked && loans.length > MAX_LOANS_OF_PATHS
    ? [...others, { _tag: "TooManyLoans", path: ["bestPath"], most: MAX_LOANS_OF_PATHS }]
    : others

type Failure = PlanRefused | RequestContradicted

/** Figures of now or of `at`, by the start month of the projection. */
const computed = <A>(
  compute: (start: StartMonth) => A,
  at?: Date
): Effect.Effect<Computed<Exclude<A, Failure>>, Extract<A, Failure>> =>
  Effect.flatMap(Clock.currentTimeMillis, (millis) => {
    const computedAt = at ?? new Date(millis)
    const figures = compute(startMonthOf(computedAt))
    return figures instanceof PlanRefused || figures instanceof RequestContradicted
      ? Effect.fail(figures as Extract<A, Failure>)
      : Effect.succeed({ figures: figures as Exclude<A, Failure>, computedAt })
  })
