/**
 * The four MCP tools: input and output schemas, derived from those of the HTTP API, and the
 * descriptions for language models. A model reads the descriptions in every conversation and
 * nothing else, so they are short, and cover units, limits and pitfalls. No tool assumes an income.
 */

import { Schema } from "effect"
import { ARMS_RANGE } from "./bounds.ts"
import { BriefComparison, BriefEligibility, BriefProjection, DETAIL_MESSAGE, DETAILS } from "./brief.ts"
import { ComparisonRequest } from "./comparison.ts"
import { EligibilityRequest, PlanTypes } from "./eligibility.ts"
import { LOAN_TYPES } from "./loan.ts"
import { type Notes, type ObjectSchema, toPortableJsonSchema } from "./portableJsonSchema.ts"
import { orElse, SHAPE } from "./primitives.ts"
import { ProjectionRequest } from "./projection.ts"
import { Change, FILING_STATUSES, PLAN_TYPES } from "./scenario.ts"
import type { ObjectShape, TextShape } from "./shape.ts"

/** A tool that returns the full answer of the HTTP API returns the brief one as well. */
const DETAIL_SHAPE: TextShape = {
  kind: "text",
  message: DETAIL_MESSAGE,
  problemsOf: (text) => ((DETAILS as ReadonlyArray<string>).includes(text) ? [] : [DETAIL_MESSAGE])
}

const Detail = orElse(
  Schema.Literals(DETAILS).annotate({ default: "brief", message: DETAIL_MESSAGE, [SHAPE]: DETAIL_SHAPE }),
  "brief"
)

/** The arguments of a tool: the request body of its HTTP route, and the level of detail. */
export const ProjectionCall = Schema.Struct({ ...ProjectionRequest.fields, detail: Detail })
export const ComparisonCall = Schema.Struct({ ...ComparisonRequest.fields, detail: Detail })
export const EligibilityCall = Schema.Struct({ ...EligibilityRequest.fields, detail: Detail })

/** The message for get_plan_types called with arguments. */
const NO_ARGUMENTS_MESSAGE = "must be an empty JSON object: this tool takes no arguments"
export const NoArguments = Schema.Record(
  Schema.String,
  Schema.Never.annotate({ message: "is not a known property; remove it" })
).annotate({
  identifier: "NoArguments",
  description: "This tool takes no arguments: send {}.",
  message: NO_ARGUMENTS_MESSAGE,
  [SHAPE]: { kind: "object", message: NO_ARGUMENTS_MESSAGE, members: {} } satisfies ObjectShape
})

/** The array of GET /v1/plan-types, in an object because MCP tools have to return objects. */
export const PlanTypesResult = Schema.Struct({ planTypes: PlanTypes }).annotate({ identifier: "PlanTypesResult" })
export type PlanTypesResult = typeof PlanTypesResult.Type

export const TOOL_NAMES = ["run_projection", "compare_scenarios", "get_eligible_plans", "get_plan_types"] as const
export type ToolName = (typeof TOOL_NAMES)[number]

export const isToolName = (name: string): name is ToolName => (TOOL_NAMES as ReadonlyArray<string>).includes(name)

/** A tool as the MCP method tools/list describes it. */
export interface ToolDescription {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly openWorldHint: boolean
  }
}

/** The schema of an object with nothing but the types of its members. */
const typesOnly = ({ properties, ...object }: ObjectSchema): ObjectSchema => {
  const members = Object.entries(properties as Readonly<Record<string, { readonly type: unknown }>>)
  return { ...object, properties: Object.fromEntries(members.map(([name, { type }]) => [name, { type }])) }
}

const HOUSEHOLD = {
  planType: {
    enum: PLAN_TYPES,
    description:
      "REPAYMENT ASSISTANCE is RAP. INCOME BASED takes 10% of discretionary income (new borrowers since July 2014), INCOME BASED (OLD) 15%. PAY AS YOU EARN and INCOME CONTINGENT end on 1 July 2028. Nobody can elect SAVE or REVISED PAY AS YOU EARN any more. With a loan made since July 2026 STANDARD is Tiered Standard."
  },
  adjustedGrossIncome: { description: "US dollars a year; 0 only for no income." },
  spouseAdjustedGrossIncome: { description: "Needed in fact for MarriedFilingJointly; absent counts as 0." },
  spouseFederalLoanBalance: { description: "For MarriedFilingJointly." },
  filingStatus: { enum: FILING_STATUSES },
  dependents: { description: "Without the spouse; for RAP those claimed on the return." },
  state: { description: "Two-letter code." },
  annualIncomeGrowth: { description: "A fraction: 0.03 means 3%." },
  firstBorrowedOn: { description: "Since when Direct or FFEL loans are owed without a break." },
  annualPriceGrowth: { description: "A fraction; raises guidelines and federal tax tables." },
  changes: {
    items: typesOnly(toPortableJsonSchema(Change, true, {})),
    description: "From year fromYear on (2: months 13 to 24); bounds as above, incomes of that year."
  },
  extraMonthlyPayment: { description: "US dollars beyond what is due; highest rate first." }
} satisfies Notes

const LOANS = {
  loanType: {
    enum: LOAN_TYPES,
    description:
      "DIRECT STAFFORD is Direct Subsidized or Unsubsidized. DIRECT PLUS PARENT and DIRECT PARENT PLUS are the same loan."
  },
  principalBalance: { description: "US dollars." },
  interestBalance: { description: "Unpaid interest, US dollars." },
  interestRate: { description: "A fraction: 0.0654 means 6.54%." },
  disbursedAmount: { description: "0: the principal." },
  idrMonthsInRepayment: {
    description:
      "Months counted toward income-driven forgiveness (of RAP mostly for RAP alone); they shorten fixed terms too."
  },
  pslfCount: { description: "Payments counted for public service; likewise." },
  madeOn: { description: "First disbursement, or when a consolidation was made." }
} satisfies Notes

const DETAIL: Notes = { detail: { description: "full adds the texts of sources and omissions." } }

const ANSWER: Notes = {
  monthsToFinish: { description: "Counted from 0." },
  citations: { description: "Ids of rules." },
  knownOmissions: { description: "Ids of rules not applied." },
  textsHash: { description: "Proves this object, as it is, to POST /v1/verify/{answerId}." }
}

const PROJECTION = `Projects one federal loan book under one repayment plan: first monthly payment, payoff or forgiveness, total paid, amount forgiven and tax on it; with includeYearly the balances year by year.

It does not choose a plan: use compare_scenarios for two or more, get_eligible_plans to know which plans the loans can take. Ask the borrower for missing facts: a guessed income gives a payment that looks right. Not modeled: private loans, new consolidations, auto pay.

Recorded: provenance.verifyUrl confirms it to anyone and shows no inputs. One call of the month; a refused call is none.`

const COMPARISON = `Projects ${ARMS_RANGE} scenarios side by side, in arm order; lowestCostLabel names the arm with the lowest total paid plus tax, so label each apart. If nobody can elect it, notes name the lowest that can be.

It does not find out which plans the loans can take: call get_eligible_plans first, because one refused arm refuses all. For one plan use run_projection; all said there holds. One call of the month.`

const ELIGIBILITY = `Lists the plans that each loan can elect, by its type, its counted months and the rest of the book: EXTENDED needs more than 30,000 dollars in the loan's program; dates or older loans may close INCOME BASED, PAY AS YOU EARN and EXTENDED. One Direct loan or consolidation made since 1 July 2026 leaves all Direct loans only RAP and Tiered Standard. Nobody has both INCOME BASED and INCOME BASED (OLD).

It does not compute payments or name a best plan: use compare_scenarios, which accepts these plans for the same loans. It needs no income. One call of the month; not recorded.`

const PLAN_TYPES_TEXT = `Lists the plan types that run_projection and compare_scenarios accept. Takes no arguments. It says nothing about whether loans qualify: use get_eligible_plans for that. One call of the month; not recorded.`

/** Properties that run_projection describes already: a model that reads one tool reads all. */
const AS_FIRST: Notes = {
  planType: { description: "As for run_projection." },
  loanType: { description: "As for run_projection." },
  changes: { items: { type: "object" }, description: "As for run_projection." },
  interestRate: LOANS.interestRate
}

/** Plan types are not listed again: run_projection and get_plan_types list them. */
const LISTED: Notes = { eligiblePlanTypes: { items: { type: "string" } } }

/**
 * The hints say that a tool modifies nothing and uses no external system. The hints for tools that
 * modify something do not apply.
 */
const describe = (
  name: ToolName,
  title: string,
  description: string,
  input: ObjectSchema,
  output: ObjectSchema
): ToolDescription => ({
  name,
  title,
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: { readOnlyHint: true, openWorldHint: false }
})

const sent = (schema: Schema.Constraint, notes: Notes = {}) => toPortableJsonSchema(schema, true, notes)
const answered = (schema: Schema.Constraint, notes: Notes = {}) => toPortableJsonSchema(schema, false, notes)

/** Every tool, in the order of tools/list. */
export const TOOLS: ReadonlyArray<ToolDescription> = [
  describe(
    "run_projection",
    "Project one repayment plan",
    PROJECTION,
    sent(ProjectionCall, { ...HOUSEHOLD, ...LOANS, ...DETAIL }),
    answered(BriefProjection, ANSWER)
  ),
  describe(
    "compare_scenarios",
    `Compare ${ARMS_RANGE} scenarios`,
    COMPARISON,
    sent(ComparisonCall, AS_FIRST),
    answered(BriefComparison)
  ),
  describe(
    "get_eligible_plans",
    "Plans each loan can elect",
    ELIGIBILITY,
    sent(EligibilityCall, AS_FIRST),
    answered(BriefEligibility, LISTED)
  ),
  describe("get_plan_types", "List the plan types", PLAN_TYPES_TEXT, sent(NoArguments), answered(PlanTypesResult))
]
