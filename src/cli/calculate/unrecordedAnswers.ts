/** The calculations of the command line: unrecorded answers, and a refused plan as a failed command. */
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

/** Every refused plan, where the request names it. */
const planRefused = ({ arms }: PlanRefused): CommandFailed =>
  refused(
    ...arms.flatMap(({ arm, instead, refusal }) =>
      refusalMessages(currentLaw, refusal, instead).map((message) => `${planPath(arm)}: ${message}`)
    )
  )

const whole = <Whole>({ value }: { readonly value: () => Whole }): Whole => value()

export const project = (request: ProjectionRequest) =>
  projectUnrecorded(request).pipe(Effect.map(whole), Effect.mapError(planRefused))

export const compare = (request: ComparisonRequest) =>
  compareUnrecorded(request).pipe(Effect.map(whole), Effect.mapError(planRefused))

export const explain = (request: ExplainRequest) => Effect.mapError(explainUnrecorded(request), planRefused)

export const eligiblePlans = (request: EligibilityRequest) => Effect.map(eligiblePlansUnrecorded(request), whole)
