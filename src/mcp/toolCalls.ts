/**
 * From the arguments of a tool to an answer or a problem: decoded as strictly as the body of its route, and computed by
 * the calculations that are passed in. Knows nothing of the protocol, keys or records.
 */
import { Effect, type Schema } from "effect"
import { ComparisonRequest, type ScenarioComparisonResult } from "../../schema/comparison.ts"
import { EligibilityRequest, type EligibilityResult } from "../../schema/eligibility.ts"
import { type Problem, ValidationProblem } from "../../schema/problems.ts"
import { ProjectionRequest, type ProjectionResult } from "../../schema/projection.ts"
import { NoArguments, type PlanTypesResult, type ToolName } from "../../schema/tools.ts"
import { decodeStrictly } from "../request/decode.ts"
import { spanned } from "../telemetry.ts"

/** What a tool answers: the value, or its JSON text. */
export interface Written<A extends object> {
  readonly value: () => A
  readonly text: () => string
}

export const written = <A extends object>(value: A): Written<A> => ({
  value: () => value,
  text: () => JSON.stringify(value)
})

/** The calculations behind the tools: those of a key, or of the engine on this machine. */
export interface Calculations {
  readonly project: (request: ProjectionRequest) => Effect.Effect<Written<ProjectionResult>, Problem>
  readonly compare: (request: ComparisonRequest) => Effect.Effect<Written<ScenarioComparisonResult>, Problem>
  readonly eligiblePlans: (request: EligibilityRequest) => Effect.Effect<Written<EligibilityResult>, Problem>
  readonly planTypes: Effect.Effect<Written<PlanTypesResult>, Problem>
}

type ToolCall = (tool: ToolName, args: unknown) => Effect.Effect<Written<object>, Problem>

const decodeWith = <S extends Schema.ConstraintCodec<unknown, unknown>>(schema: S) => {
  const decode = decodeStrictly(schema)
  return (args: unknown): Effect.Effect<S["Type"], ValidationProblem> =>
    Effect.mapError(decode(args), (errors) => new ValidationProblem({ errors }))
}

const decodeProjection = decodeWith(ProjectionRequest)
const decodeComparison = decodeWith(ComparisonRequest)
const decodeEligibility = decodeWith(EligibilityRequest)
const decodeNothing = decodeWith(NoArguments)

export const toolCallsOn = (calculations: Calculations): ToolCall => {
  const calls: Readonly<Record<ToolName, (args: unknown) => Effect.Effect<Written<object>, Problem>>> = {
    run_projection: (args) => Effect.flatMap(decodeProjection(args), calculations.project),
    compare_scenarios: (args) => Effect.flatMap(decodeComparison(args), calculations.compare),
    get_eligible_plans: (args) => Effect.flatMap(decodeEligibility(args), calculations.eligiblePlans),
    get_plan_types: (args) => Effect.andThen(decodeNothing(args), calculations.planTypes)
  }
  return spanned("Tools.call", (tool, args) =>
    Effect.andThen(Effect.annotateCurrentSpan("tool", tool), calls[tool](args))
  )
}
