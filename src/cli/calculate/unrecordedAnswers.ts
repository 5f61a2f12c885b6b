/** Calculations of the command line: unrecorded answers, and refused plans as failed commands. */
import { Effect } from "effect"
import type { ComparisonRequest } from "../../../schema/comparison.ts"
import type { CoupleRequest } from "../../../schema/couple.ts"
import type { EligibilityRequest } from "../../../schema/eligibility.ts"
import type { ExplainRequest } from "../../../schema/explanation.ts"
import type { PathsRequest } from "../../../schema/paths.ts"
import type { PlansRequest } from "../../../schema/plans.ts"
import type { ProjectionRequest } from "../../../schema/projection.ts"
import type { PlanRefused, RequestContradicted } from "../../engine/Engine.ts"
import { currentLaw } from "../../engine/index.ts"
import { contradictionMessages } from "../../messages/contradictions.ts"
import type { Naming } from "../../messages/naming.ts"
import { refusalErrors } from "../../messages/refusals.ts"
import {
  bestPathUnrecorded,
  compareUnrecorded,
  coupleUnrecorded,
  eligiblePlansUnrecorded,
  explainUnrecorded,
  plansUnrecorded,
  projectUnrecorded
} from "../../services/answers/local.ts"
import { badInput, type CommandFailed, refused } from "../failures.ts"
import { OF_FILES } from "./naming.ts"
import { CURRENT } from "./requestFlags.ts"
import { PLAN } from "./scenarioFlags.ts"

const asLines = (errors: ReadonlyArray<readonly [field: string, message: string]>): ReadonlyArray<string> =>
  errors.map(([field, message]) => `${field}: ${message}`)

/**
 * Every reason for a refusal, each with its path in the request. A contradiction is invalid input
 * and must be fixed first, so it hides the others.
 */
const planRefused =
  (naming: Naming) =>
  ({ arms }: PlanRefused): CommandFailed => {
    const contradicted = arms.filter(({ refusal }) => refusal.kind === "contradiction")
    const linesOf = (told: PlanRefused["arms"]) =>
      told.flatMap((arm) => asLines(refusalErrors(currentLaw, arm, naming)))
    return contradicted.length > 0 ? badInput(...linesOf(contradicted)) : refused(...linesOf(arms))
  }

const answerOf = <Answer>({ value }: { readonly value: () => Answer }): Answer => value()

export const project = (request: ProjectionRequest, naming = OF_FILES) =>
  projectUnrecorded(request).pipe(Effect.map(answerOf), Effect.mapError(planRefused(naming)))

export const compare = (request: ComparisonRequest, naming = OF_FILES) =>
  compareUnrecorded(request).pipe(Effect.map(answerOf), Effect.mapError(planRefused(naming)))

/** Without a current plan it is refused only if no plan has an answer for the loans. */
export const bestPath = (request: PathsRequest, naming = OF_FILES) => {
  const sendPlan = (plans: ReadonlyArray<string>) => naming.sendPlan(plans).replaceAll(`--${PLAN.flag}`, `--${CURRENT}`)
  return Effect.mapError(bestPathUnrecorded(request), planRefused({ ...naming, sendPlan }))
}

/** Every plan that can be chosen. */
export const plans = (request: PlansRequest, naming = OF_FILES) =>
  plansUnrecorded(request, naming).pipe(
    Effect.catchTags({
      RequestContradicted: (failure) => Effect.fail(contradicted(naming)(failure)),
      PlanRefused: (failure) => Effect.fail(planRefused(naming)(failure))
    })
  )

export const explain = (request: ExplainRequest, naming = OF_FILES) =>
  Effect.mapError(explainUnrecorded(request), planRefused(naming))

/** The fields of a request whose dates contradict each other or the calendar. */
const contradicted =
  (naming: Naming) =>
  ({ contradictions }: RequestContradicted): CommandFailed =>
    badInput(...asLines(contradictionMessages(contradictions, [], naming)))

export const eligiblePlans = (request: EligibilityRequest, naming = OF_FILES) =>
  eligiblePlansUnrecorded(request).pipe(Effect.map(answerOf), Effect.mapError(contradicted(naming)))

/** A couple on both kinds of return. */
export const couple = (request: CoupleRequest) =>
  Effect.mapError(coupleUnrecorded(request), contradicted(OF_FILES)).pipe(
    Effect.flatMap((answer) =>
      answer === undefined ? badInput("first.loans: neither owes anything") : Effect.succeed(answer)
    )
  )
