/**
 * From the arguments of a tool to an answer or a problem: decoded as strictly as the body of its route, and computed by
 * the calculations that are passed in. Knows nothing of the protocol, keys or records.
 */
import { Effect, type Schema } from "effect"
import type { BriefComparison, BriefEligibility, BriefProjection } from "../../schema/brief.ts"
import type { ComparisonRequest, ScenarioComparisonResult } from "../../schema/comparison.ts"
import type { EligibilityRequest, EligibilityResult } from "../../schema/eligibility.ts"
import { type Problem, ValidationProblem } from "../../schema/problems.ts"
import type { ProjectionRequest, ProjectionResult } from "../../schema/projection.ts"
import {
  ComparisonCall,
  EligibilityCall,
  NoArguments,
  type PlanTypesResult,
  ProjectionCall,
  type ToolName
} from "../../schema/tools.ts"
import { comparisonSummary, eligibilitySummary, projectionSummary } from "../messages/summaries.ts"
import { spanned } from "../platform/telemetry.ts"
import { decodeStrictly } from "../request/decode.ts"
import type { AnswerForms } from "../services/answers/forms.ts"

/** What a tool answers: an object that its output schema describes, and a text for whoever reads no objects. */
export interface Reply {
  readonly structured: object
  readonly text: string
}

type Forms<Whole, Brief> = Effect.Effect<AnswerForms<Whole, Brief>, Problem>

/** The calculations behind the tools: those of a key, or of the engine on this machine. */
export interface Calculations {
  readonly project: (request: ProjectionRequest) => Forms<ProjectionResult, BriefProjection>
  readonly compare: (request: ComparisonRequest) => Forms<ScenarioComparisonResult, BriefComparison>
  readonly eligiblePlans: (request: EligibilityRequest) => Forms<EligibilityResult, BriefEligibility>
  readonly planTypes: Effect.Effect<PlanTypesResult, Problem>
}

type ToolCall = (tool: ToolName, args: unknown) => Effect.Effect<Reply, Problem>

const decodeWith = <S extends Schema.ConstraintCodec<unknown, unknown>>(schema: S) => {
  const decode = decodeStrictly(schema)
  return (args: unknown): Effect.Effect<S["Type"], ValidationProblem> =>
    Effect.mapError(decode(args), (errors) => new ValidationProblem({ errors }))
}

const decodeProjection = decodeWith(ProjectionCall)
const decodeComparison = decodeWith(ComparisonCall)
const decodeEligibility = decodeWith(EligibilityCall)
const decodeNothing = decodeWith(NoArguments)

/** In full the text is the answer of the route; else it says in words what the object has in figures. */
const inDetail =
  <Request, Whole, Brief extends object>(
    compute: (request: Request) => Forms<Whole, Brief>,
    summary: (brief: Brief) => string
  ) =>
  ({ detail, ...request }: { readonly detail: "brief" | "full" } & Request): Effect.Effect<Reply, Problem> =>
    Effect.map(compute(request as Request), ({ brief, value }) => {
      const structured = brief()
      return { structured, text: detail === "full" ? JSON.stringify(value()) : summary(structured) }
    })

export const toolCallsOn = (calculations: Calculations): ToolCall => {
  const project = inDetail(calculations.project, projectionSummary)
  const compare = inDetail(calculations.compare, comparisonSummary)
  const eligiblePlans = inDetail(calculations.eligiblePlans, eligibilitySummary)
  const planTypes = Effect.map(calculations.planTypes, (structured) => ({
    structured,
    text: structured.planTypes.join("; ")
  }))
  const calls: Readonly<Record<ToolName, (args: unknown) => Effect.Effect<Reply, Problem>>> = {
    run_projection: (args) => Effect.flatMap(decodeProjection(args), project),
    compare_scenarios: (args) => Effect.flatMap(decodeComparison(args), compare),
    get_eligible_plans: (args) => Effect.flatMap(decodeEligibility(args), eligiblePlans),
    get_plan_types: (args) => Effect.andThen(decodeNothing(args), planTypes)
  }
  return spanned("Tools.call", (tool, args) =>
    Effect.andThen(Effect.annotateCurrentSpan("tool", tool), calls[tool](args))
  )
}
