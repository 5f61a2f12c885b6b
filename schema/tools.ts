/**
 * The four tools of the tool server: the input and output of each, from the same schemas as its route, and its
 * description for a model. A model reads nothing else, so the descriptions say units, defaults and limits. No tool
 * assumes an income.
 */
import { Schema } from "effect"
import { ComparisonRequest, ScenarioComparisonResult } from "./comparison.ts"
import { EligibilityRequest, EligibilityResult, PlanTypes } from "./eligibility.ts"
import { type ObjectSchema, toPortableJsonSchema } from "./portableJsonSchema.ts"
import { ProjectionRequest, ProjectionResult } from "./projection.ts"

/** get_plan_types takes nothing. */
export const NoArguments = Schema.Record(
  Schema.String,
  Schema.Never.annotate({ message: "is not a known property; remove it" })
).annotate({
  identifier: "NoArguments",
  description: "This tool takes no arguments: send {}.",
  message: "must be an empty JSON object: this tool takes no arguments"
})

/** The array of GET /v1/plan-types in an object, because a tool answers with one. */
export const PlanTypesResult = Schema.Struct({ planTypes: PlanTypes }).annotate({ identifier: "PlanTypesResult" })
export type PlanTypesResult = typeof PlanTypesResult.Type

export const TOOL_NAMES = ["run_projection", "compare_scenarios", "get_eligible_plans", "get_plan_types"] as const
export type ToolName = (typeof TOOL_NAMES)[number]

export const isToolName = (name: string): name is ToolName => (TOOL_NAMES as ReadonlyArray<string>).includes(name)

/** A tool as tools/list describes it. */
export interface ToolDescription {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

const FACTS =
  "Use the borrower's own facts and ask for what is missing: adjustedGrossIncome, filingStatus, dependents, state and workingTowardsPslf have no default, and a guessed income gives a wrong payment that looks right (send 0 only for a borrower who has none). Money is US dollars. interestRate and annualIncomeGrowth are fractions: 0.0654 means 6.54%. Left out: no spouse income, no spouse loans, income growth 0, no unpaid interest, no months counted toward forgiveness."

const RECORD =
  "The answer is recorded before it is returned: provenance.verifyUrl confirms it to anyone and shows no inputs. The record changes nothing else. Counts as one call of the month; a refused call is not counted."

const PLANS =
  "EXTENDED needs more than 30,000 dollars of principal and interest in the loan's program (Direct or FFEL). An FFEL loan in the book closes INCOME BASED, and one of a program that ended before 1998 closes PAY AS YOU EARN too, because the borrower is not new. INCOME CONTINGENT and PAY AS YOU EARN end on 1 July 2028: a loan still open then goes on under REPAYMENT ASSISTANCE or, where that plan cannot take it, INCOME BASED (OLD). SAVE and REVISED PAY AS YOU EARN show what would have been: nobody can elect them."

const OUT_OF_SCOPE = "It does not model private loans, consolidating loans, or the interest reduction for auto pay."

const PROJECTION = `Projects one federal loan book under one repayment plan: the first monthly payment, when the loans are paid off or forgiven, the total paid, the amount forgiven and the tax on it. With includeYearly true (default false) also the balances year by year.

It does not choose a plan or rank plans: use compare_scenarios for two or more plans or households, and get_eligible_plans when it is not known which plans the loans can take. ${PLANS} ${OUT_OF_SCOPE}

${FACTS}

${RECORD}`

const COMPARISON = `Projects 2 to 10 scenarios side by side, one projection per arm in arm order, and names the arm with the lowest total paid plus tax on forgiveness in lowestCostLabel. Commonly the same loans under different plans, or the same plan for different incomes or filing statuses. Give every scenario a label, or lowestCostLabel has no name to give. includeYearly (default false) adds the balances year by year to each arm.

It does not find out which plans the loans can take: call get_eligible_plans first, because one refused arm refuses the whole comparison, naming the arm. For a single plan use run_projection. The lowest total is not the lowest monthly payment: read year1MonthlyPayment for that. lowestCostLabel may name an arm under SAVE or REVISED PAY AS YOU EARN; the answer's knownOmissions then say so. ${PLANS} ${OUT_OF_SCOPE}

${FACTS}

${RECORD.replace("one call of the month", "one call of the month, however many arms")}`

const ELIGIBILITY = `Lists, for each loan, the repayment plans that it can elect. Decided by loan type, by the months that count already, and by what else is in the book; every plan listed is accepted by run_projection and compare_scenarios with the same loans, unless public service is on, the counts of another loan of the book refuse it, or the loan owes nothing. ${PLANS}

It does not compute payments or say which plan is best: use compare_scenarios for that. It needs no income or household. It does not decide whether an application would be approved.

Each loan needs loanType, principalBalance in US dollars and interestRate as a fraction (0.0654 means 6.54%); the rest is optional and 0 by default.

Counts as one call of the month; it is not a calculation, so nothing is recorded and provenance.answerId is null.`

const PLAN_TYPES_TEXT = `Lists the plan type strings that run_projection and compare_scenarios accept in scenario.planType. Takes no arguments.

It says nothing about whether loans qualify: use get_eligible_plans for that. The list is the same for everybody and changes only with a release, so one call is enough.

Counts as one call of the month; nothing is recorded.`

/** Hints: nothing is modified, the same call gives the same figures, and no external system is used. */
const describe = (
  name: ToolName,
  title: string,
  description: string,
  input: Schema.Constraint,
  output: Schema.Constraint
): ToolDescription => ({
  name,
  title,
  description,
  inputSchema: toPortableJsonSchema(input, true),
  outputSchema: toPortableJsonSchema(output, false),
  annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
})

/** Every tool, in the order of the specification. */
export const TOOLS: ReadonlyArray<ToolDescription> = [
  describe("run_projection", "Project one repayment plan", PROJECTION, ProjectionRequest, ProjectionResult),
  describe("compare_scenarios", "Compare 2 to 10 scenarios", COMPARISON, ComparisonRequest, ScenarioComparisonResult),
  describe("get_eligible_plans", "Plans each loan can elect", ELIGIBILITY, EligibilityRequest, EligibilityResult),
  describe("get_plan_types", "List the plan types", PLAN_TYPES_TEXT, NoArguments, PlanTypesResult)
]
