/** Calculations of the command line: unrecorded answers, and refused plans as failed commands. */
import { Effect } from "effect"
import type { ComparisonRequest } from "../../../schema/comparison.ts"
import type { EligibilityRequest } from "../../../schema/eligibility.ts"
import type { ExplainRequest } from "../../../schema/explanation.ts"
import type { ProjectionRequest } from "../../../schema/projection.ts"
import type { PlanRefused } from "../../engine/Engine.ts"
import { currentLaw } from "../../engine/law/law.ts"
import { refusalMessages } from "../../messages/refusals.ts"
import { planPath } from "../../request/fieldPath.ts"
import {
  compareUnrecorded,
  eligiblePlansUnrecorded,
  explainUnrecorded,
  projectUnrecorded
} from "../../services/answers/unrecorded.ts"
import { type CommandFailed, refused } from "../failures.ts"

/** Every reason for a refusal, each with the path of the plan in the request. */
const planRefused = ({ arms }: PlanRefused): CommandFailed =>
  refused(
    ...arms.flatMap(({ arm, instead, refusal }) =>
      refusalMessages(currentLaw, refusal, instead).map((message) => `${planPath(arm)}: ${message}`)
    )
  )

const answerOf = <Answer>({ value }: { readonly value: () => Answer }): Answer => value()

export const project = (request: ProjectionRequest) =>
  projectUnrecorded(request).pipe(Effect.map(answerOf), Effect.mapError(planRefused))

export const compare = (request: ComparisonRequest) =>
  compareUnrecorded(request).pipe(Effect.map(answerOf), Effect.mapError(planRefused))

export const explain = (request: ExplainRequest) => Effect.mapError(explainUnrecorded(request), planRefused)

export const eligiblePlans = (request: EligibilityRequest) => Effect.map(eligiblePlansUnrecorded(request), answerOf)
