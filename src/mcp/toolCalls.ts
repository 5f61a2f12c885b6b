/**
 * Calls of tools. Arguments are decoded as strictly as the body of the route, and the calculations
 * that are passed in compute the answer or problem. Knows nothing of the protocol, keys or records.
 */
import { Effect, type Schema } from "effect"
import type {
  BriefComparison,
  BriefEligibility,
  BriefExplanation,
  BriefPlans,
  BriefProjection
} from "../../schema/brief.ts"
import type { ComparisonRequest, ScenarioComparisonResult } from "../../schema/comparison.ts"
import type { EligibilityRequest, EligibilityResult } from "../../schema/eligibility.ts"
import type { ExplainRequest, ExplainResult } from "../../schema/explanation.ts"
import { PlansRequest, type PlansResult } from "../../schema/plans.ts"
import { type Problem, ValidationProblem } from "../../schema/problems.ts"
import type { ProjectionRequest, ProjectionResult } from "../../schema/projection.ts"
import {
  ComparisonCall,
  EligibilityCall,
  ExplanationCall,
  type KeyedTool,
  NoArguments,
  type OpenTool,
  type PlanTypesResult,
  ProjectionCall
} from "../../schema/tools.ts"
import {
  comparisonSummary,
  eligibilitySummary,
  explanationSummary,
  plansSummary,
  projectionSummary
} from "../messages/summaries.ts"
import { spanned } from "../platform/telemetry.ts"
import { decodeStrictly } from "../request/decode.ts"
import { type AnswerForms, briefExplanation } from "../services/answers/local.ts"

/** The answer of a tool: an object as in its output schema, and a text for clients without objects. */
export interface Reply {
  readonly structured: object
  readonly text: string
}

type Forms<Whole, Brief> = Effect.Effect<AnswerForms<Whole, Brief>, Problem>

/** The calculations of both surfaces, which are neither charged nor recorded. */
export interface OpenCalculations {
  readonly plans: (request: PlansRequest) => Effect.Effect<PlansResult, Problem>
  readonly explain: (request: ExplainRequest) => Effect.Effect<ExplainResult, Problem>
}

/** A calculation that a key records. With the same idempotency key, a second call repeats the first. */
type Recording<Request, Whole, Brief> = (request: Request, idempotencyKey: string | null) => Forms<Whole, Brief>

/** The calculations behind the tools of a key, and of the engine on this machine. */
export interface Calculations extends OpenCalculations {
  readonly project: Recording<ProjectionRequest, ProjectionResult, BriefProjection>
  readonly compare: Recording<ComparisonRequest, ScenarioComparisonResult, BriefComparison>
  readonly eligiblePlans: (request: EligibilityRequest) => Forms<EligibilityResult, BriefEligibility>
  readonly planTypes: Effect.Effect<PlanTypesResult, Problem>
}

/** Calls one of the tools of a surface. */
type ToolCall<Name extends string> = (tool: Name, args: unknown) => Effect.Effect<Reply, Problem>

const decodeWith = <S extends Schema.ConstraintCodec<unknown, unknown>>(schema: S) => {
  const decode = decodeStrictly(schema)
  return (args: unknown): Effect.Effect<S["Type"], ValidationProblem> =>
    Effect.mapError(decode(args), (errors) => new ValidationProblem({ errors }))
}

const decodeProjection = decodeWith(ProjectionCall)
const decodeComparison = decodeWith(ComparisonCall)
const decodeEligibility = decodeWith(EligibilityCall)
const decodeExplanation = decodeWith(ExplanationCall)
const decodePlans = decodeWith(PlansRequest)
const decodeNothing = decodeWith(NoArguments)

/** The arguments of a tool that are not in the body of its route. */
interface Options {
  readonly detail: "brief" | "full"
  readonly idempotencyKey?: string | null
}

/** In full, the text is the route's answer. Otherwise it has the object's figures in words. */
const inDetail =
  <Request, Whole, Brief extends object>(
    compute: (request: Request, idempotencyKey: string | null) => Forms<Whole, Brief>,
    summary: (brief: Brief) => string
  ) =>
  ({ detail, idempotencyKey = null, ...request }: Options & Request): Effect.Effect<Reply, Problem> =>
    Effect.map(compute(request as Request, idempotencyKey), ({ brief, value }) => {
      const structured = brief()
      return { structured, text: detail === "full" ? JSON.stringify(value()) : summary(structured) }
    })

const calling = <Name extends string>(
  calls: Readonly<Record<Name, (args: unknown) => Effect.Effect<Reply, Problem>>>
): ToolCall<Name> =>
  spanned("Tools.call", (tool, args) => Effect.andThen(Effect.annotateCurrentSpan("tool", tool), calls[tool](args)))

const withoutLabel = <A extends { readonly label: string }>({ label: _, ...others }: A): Omit<A, "label"> => others

/** Ids in place of the names of rules, and types in place of those of plans. */
const briefPlans = ({ citations, ...answer }: PlansResult): BriefPlans => ({
  ...answer,
  plans: answer.plans.map(withoutLabel),
  excludedPlans: answer.excludedPlans.map(withoutLabel),
  bestPath: answer.bestPath && withoutLabel(answer.bestPath),
  citations: citations.map(({ id }) => id),
  knownOmissions: answer.knownOmissions.map(({ id }) => id)
})

const plansOn =
  ({ plans }: OpenCalculations) =>
  (args: unknown): Effect.Effect<Reply, Problem> =>
    Effect.flatMap(decodePlans(args), (request) =>
      Effect.map(plans(request), (answer) => ({
        structured: briefPlans(answer),
        text: plansSummary(answer, request.bestPath)
      }))
    )

const explainOn = ({ explain }: OpenCalculations) => {
  const forms = (request: ExplainRequest): Forms<ExplainResult, BriefExplanation> =>
    Effect.map(explain(request), (answer) => ({ value: () => answer, brief: () => briefExplanation(answer) }))
  const explained = inDetail(forms, explanationSummary)
  return (args: unknown) => Effect.flatMap(decodeExplanation(args), explained)
}

export const toolCallsOn = (calculations: Calculations): ToolCall<KeyedTool> => {
  const project = inDetail(calculations.project, projectionSummary)
  const compare = inDetail(calculations.compare, comparisonSummary)
  const eligiblePlans = inDetail(calculations.eligiblePlans, eligibilitySummary)
  const planTypes = Effect.map(calculations.planTypes, (structured) => ({
    structured,
    text: structured.planTypes.join("; ")
  }))
  return calling({
    run_projection: (args) => Effect.flatMap(decodeProjection(args), project),
    compare_scenarios: (args) => Effect.flatMap(decodeComparison(args), compare),
    get_eligible_plans: (args) => Effect.flatMap(decodeEligibility(args), eligiblePlans),
    get_plan_types: (args) => Effect.andThen(decodeNothing(args), planTypes),
    compare_plans: plansOn(calculations),
    explain_payment: explainOn(calculations)
  })
}

export const openToolCallsOn = (calculations: OpenCalculations): ToolCall<OpenTool> =>
  calling({
    compare_plans: plansOn(calculations),
    explain_payment: explainOn(calculations)
  })
