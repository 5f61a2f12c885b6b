/**
 * The MCP tools: input and output schemas, derived from those of the HTTP API, and the descriptions
 * for language models. A model reads the descriptions in every conversation and nothing else, so
 * they are short, and cover units, limits and pitfalls. No tool assumes an income.
 */

import { Schema } from "effect"
import { ARMS_RANGE, IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_TO_SEND, isIdempotencyKey } from "./bounds.ts"
import {
  BriefComparison,
  BriefEligibility,
  BriefExplanation,
  BriefPlans,
  BriefProjection,
  DETAIL_MESSAGE,
  DETAILS
} from "./brief.ts"
import { ComparisonArm, ComparisonRequest } from "./comparison.ts"
import { EligibilityRequest, PlanTypes } from "./eligibility.ts"
import { ExplainRequest } from "./explanation.ts"
import { LOAN_TYPES } from "./loan.ts"
import { PlansRequest } from "./plans.ts"
import { type Notes, type ObjectSchema, toPortableJsonSchema } from "./portableJsonSchema.ts"
import { checkedText, orElse, SHAPE } from "./primitives.ts"
import { ProjectionRequest } from "./projection.ts"
import { Change, FILING_STATUSES, LumpSum, PAUSE_KINDS, Pause, PLAN_TYPES } from "./scenario.ts"
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

const KEY_MESSAGE = `must be ${IDEMPOTENCY_KEY_TO_SEND}`
/** The same as the header of the routes that record: tools have no headers of their own. */
const IdempotencyKey = orElse(
  Schema.NullOr(
    checkedText(KEY_MESSAGE, (text) => (isIdempotencyKey(text) ? [] : [KEY_MESSAGE]), {
      toJsonSchema: () => IDEMPOTENCY_KEY
    })
  ),
  null
)
const RECORDED = { detail: Detail, idempotencyKey: IdempotencyKey }

/** The arguments of a tool: the request body of its HTTP route, and the level of detail. */
export const ProjectionCall = Schema.Struct({ ...ProjectionRequest.fields, ...RECORDED })
export const ComparisonCall = Schema.Struct({ ...ComparisonRequest.fields, ...RECORDED })
export const EligibilityCall = Schema.Struct({ ...EligibilityRequest.fields, detail: Detail })
export const ExplanationCall = Schema.Struct({ ...ExplainRequest.fields, detail: Detail })

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

/** The tools of a key, and of `repay mcp`. */
export type KeyedTool = "run_projection" | "compare_scenarios" | "get_eligible_plans" | "get_plan_types" | OpenTool
/** The tools without a key. */
export type OpenTool = "compare_plans" | "explain_payment"

/** A tool as the MCP method tools/list describes it. */
export interface ToolDescription<Name extends string = string> {
  readonly name: Name
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly openWorldHint: boolean
  }
  /** The view of its answers, by the extension `io.modelcontextprotocol/ui`. */
  readonly _meta?: { readonly ui: { readonly resourceUri: string } }
}

/** The address of the view, which hosts that know no views ignore. */
export const ANSWER_VIEW = "ui://repayment-of-record/answer"

/** The schema of an object with nothing but the types of its members. */
const typesOnly = ({ properties, ...object }: ObjectSchema): ObjectSchema => {
  const members = Object.entries(properties as Readonly<Record<string, { readonly type: unknown }>>)
  return { ...object, properties: Object.fromEntries(members.map(([name, { type }]) => [name, { type }])) }
}

/** The items of a list in a request: their members by type. */
const itemsOf = (schema: Schema.Constraint, members: Notes = {}): ObjectSchema => {
  const { properties, ...object } = typesOnly(toPortableJsonSchema(schema, true, {}))
  return { ...object, properties: { ...(properties as object), ...members } }
}

const POSITIONS = { type: ["array", "null"], items: { type: "integer" } }

const HOUSEHOLD = {
  planType: {
    enum: PLAN_TYPES,
    description:
      "REPAYMENT ASSISTANCE is RAP. INCOME BASED takes 10% of discretionary income (new borrowers since July 2014), INCOME BASED (OLD) 15%. PAY AS YOU EARN and INCOME CONTINGENT end on 1 July 2028. Nobody can choose SAVE or REVISED PAY AS YOU EARN any more. With a loan made since July 2026 STANDARD is Tiered Standard."
  },
  adjustedGrossIncome: { description: "US dollars a year; 0 only for no income." },
  spouseAdjustedGrossIncome: { description: "Send it for a joint return; absent counts as 0." },
  spouseFederalLoanBalance: { description: "Joint return only; absent counts as 0. None in default." },
  filingStatus: { enum: FILING_STATUSES },
  dependents: { description: "Without the spouse. RAP counts those claimed on the return." },
  state: { description: "Two-letter code." },
  annualIncomeGrowth: { description: "A fraction: 0.03 means 3%." },
  firstBorrowedOn: { description: "The day since which the borrower has owed Direct or FFEL loans without a break." },
  annualPriceGrowth: { description: "A fraction; raises poverty guidelines and tax brackets." },
  changes: {
    items: itemsOf(Change),
    description: "What changes from year fromYear on (2: months 13 to 24). The limits above apply."
  },
  extraMonthlyPayment: { description: "US dollars on top of what is due; highest rate first." },
  familySize: { description: "As the servicer counts it, if not by the return. RAP counts dependents." },
  pauses: {
    items: itemsOf(Pause, { kind: { enum: PAUSE_KINDS }, loans: POSITIONS }),
    description:
      "Months (YYYY-MM) without a payment, up to the one before until. from: absent if it runs now. loans: positions from 0; absent: all."
  },
  monthlyBudget: { description: "US dollars paid in all each month, in place of extraMonthlyPayment." },
  lumpSums: { items: itemsOf(LumpSum), description: "Paid once each, in the month on (YYYY-MM)." },
  discountRate: { description: "A fraction; adds presentValue." }
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
  disbursedAmount: { description: "Amount first borrowed; 0 means the principal." },
  idrMonthsInRepayment: {
    description:
      "Months already counted toward income-driven forgiveness (RAP months mostly count for RAP alone). They shorten fixed terms too."
  },
  pslfCount: {
    description:
      "Payments already counted toward public service forgiveness. They shorten a Direct loan's ten-year STANDARD term too."
  },
  madeOn: { description: "Day of the first disbursement, or of the consolidation." }
} satisfies Notes

const DETAIL: Notes = { detail: { description: "full adds the texts of sources and omissions." } }
const KEY: Notes = {
  idempotencyKey: {
    description: "A new UUID for each call. To repeat a call, send the same again: it is charged once."
  }
}

const ANSWER: Notes = {
  monthsToFinish: { description: "Counted from 0: 119 is the 120th payment." },
  citations: { description: "Ids of rules." },
  knownOmissions: { description: "Ids of rules not applied." },
  textsHash: { description: "Proves this object, unchanged, at POST /v1/verify/{answerId}." }
}

const PROJECTION = `Computes one borrower's loans under ONE repayment plan: first monthly payment, date of payoff or forgiveness, total paid, amount forgiven and the tax on it. includeYearly adds the balances of each year.

It does not choose a plan: compare_plans computes every plan without a record, compare_scenarios records several. Ask the borrower for missing facts: a guessed income gives a payment that looks right. Not modeled: private loans, new consolidations, auto pay.

Recorded: anyone can confirm the answer at provenance.verifyUrl, which shows no inputs. Counts as one of the month's calls; a refused call does not count.`

const COMPARISON = `Computes ${ARMS_RANGE} scenarios side by side, usually the same loans under several plans; give each its own label. lowestCostLabel names the scenario with the lowest total paid plus tax. If nobody can choose its plan any more, notes name the cheapest scenario that can be chosen.

It does not find out which plans the loans qualify for: call get_eligible_plans first, because one refused scenario fails the whole call. For a single plan use run_projection; its fields mean the same. Recorded once. Counts as one of the month's calls.`

const ELIGIBILITY = `Lists the repayment plans that each loan qualifies for, by its type, its counted months, its dates and the other loans. Call it first; it needs no income. EXTENDED needs more than 30,000 dollars in the loan's program. Older loans or dates may close INCOME BASED, PAY AS YOU EARN and EXTENDED. One Direct loan or consolidation made since 1 July 2026 leaves all Direct loans only RAP and Tiered Standard. No borrower qualifies for both INCOME BASED and INCOME BASED (OLD): where both are listed, ask for firstBorrowedOn.

It does not compute payments or name a best plan: pass the same loans with these plans to compare_scenarios. Counts as one of the month's calls; not recorded.`

const PLAN_TYPES_TEXT = `Lists the plan types that the other tools take. Takes no arguments. It does not say which plans the loans qualify for: get_eligible_plans does, with plan types spelled the same way. Counts as one of the month's calls; not recorded.`

const EXPLANATION = `Explains the payment of one month step by step: each value with its formula and the id of its rule, and what the payment does to each loan. Use it to answer why a payment is what it is.`
const EXPLANATION_OF_KEY = `${EXPLANATION} Takes scenario and loans as run_projection does, and the month (1: the first payment).

It does not compute totals: use run_projection. Does not count as a call; not recorded.`
const NO_KEY = "Needs no key and ignores one; nothing is charged or recorded."
const EXPLANATION_OPEN = `${EXPLANATION}

Takes scenario and loans as compare_plans does, and the plan. It does not compute totals: use compare_plans. ${NO_KEY}`

const ALL_PLANS = `Computes a borrower's federal student loans under EVERY repayment plan that can be chosen: first payment, date of payoff or forgiveness, total paid, amount forgiven, the tax on it, and lifetimeCost (paid plus tax). excludedPlans says why the others cannot be chosen. It does not say why a payment is what it is: explain_payment does.

Send ALL loans in one call and never add up answers: an income-driven payment counts once for all loans. Ask the borrower first, and do not guess: for each loan its type (Direct or FFEL), principal, unpaid interest, rate, counted months and whether it was made since July 2026 (madeOn); since when the borrower has owed (firstBorrowedOn: before or since July 2014 decides which INCOME BASED is open); income, filing status, dependents, state, public service. If both spouses have loans, make one call for each, with both incomes and the other's loans as spouseFederalLoanBalance on a joint return; these two answers may be added.

bestPath also tries one later change of plan and names the cheapest of those tried, which is not advice; send currentPlan, which it alone uses, if the borrower is in a plan. A change can't be undone at will, and months may count for one plan alone. Not counted: private loans, new consolidations, auto pay, most state taxes.`
const ALL_PLANS_OF_KEY = `${ALL_PLANS} Not recorded and not a call of the month: for an answer that others can confirm, pass the plans worth a look to compare_scenarios or run_projection.`
const ALL_PLANS_OPEN = `${ALL_PLANS} ${NO_KEY}`

/** Properties that run_projection describes already: a model that reads one tool reads all. */
const AS_FIRST = {
  scenario: { type: "object", description: "As for run_projection." },
  loans: { type: "array", items: { type: "object" }, description: "As for run_projection." }
} satisfies Notes
/** A model calls get_eligible_plans first, so it has the loan types as well. */
const WITH_LOAN_TYPES: Notes = { loanType: { enum: LOAN_TYPES }, interestRate: LOANS.interestRate }

/** An object with other descriptions of some members. */
const replacing = (schema: ObjectSchema, members: Notes): ObjectSchema => ({
  ...schema,
  properties: { ...(schema["properties"] as object), ...members }
})

/** An object whose scenario and loans run_projection describes already. */
const asFirst = (schema: ObjectSchema): ObjectSchema => replacing(schema, AS_FIRST)

/** Plan types are not listed again: run_projection and get_plan_types list them. */
const LISTED: Notes = { eligiblePlanTypes: { items: { type: "string" } } }

const PATHS: Notes = {
  bestPath: { description: "At most 10 loans; counts as ten calls of the rate limit." },
  currentPlan: { enum: [...PLAN_TYPES, null], description: "The plan that the borrower is in." }
}

/** Where the same list has run_projection, compare_plans takes what it takes. */
const LIKE_PROJECTION: Notes = {
  ...PATHS,
  scenario: { type: "object", description: "As for run_projection, without planType, planChanges and label." },
  loans: AS_FIRST.loans
}

/** Without a key, compare_plans describes the household and the loans for both tools. */
const EXPLAINED: Notes = {
  scenario: {
    type: "object",
    properties: { planType: { enum: PLAN_TYPES, description: HOUSEHOLD.planType.description } },
    required: ["planType"],
    description: "As for compare_plans, with planType. planChanges: [{from: YYYY-MM, planType}] are later plans."
  },
  loans: { type: "array", items: { type: "object" }, description: "As for compare_plans." }
}

/** Tools whose answers have a view. */
const DRAWN: ReadonlyArray<string> = ["compare_plans", "compare_scenarios"]

/**
 * The hints say that a tool modifies nothing and uses no external system. The hints for tools that
 * modify something do not apply.
 */
const describe = <Name extends string>(
  name: Name,
  title: string,
  description: string,
  input: ObjectSchema,
  output: ObjectSchema
): ToolDescription<Name> => ({
  name,
  title,
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  ...(DRAWN.includes(name) ? { _meta: { ui: { resourceUri: ANSWER_VIEW } } } : {})
})

const sent = (schema: Schema.Constraint, notes: Notes = {}) => toPortableJsonSchema(schema, true, notes)
const answered = (schema: Schema.Constraint, notes: Notes = {}) => toPortableJsonSchema(schema, false, notes)

/** The outline of an answer: its text and the OpenAPI document describe the details. */
const outlined = (schema: Schema.Constraint) => typesOnly(answered(schema))

/** The tools of a key, in the order of tools/list. */
export const TOOLS: ReadonlyArray<ToolDescription<KeyedTool>> = [
  describe(
    "run_projection",
    "Project one repayment plan",
    PROJECTION,
    sent(ProjectionCall, { ...HOUSEHOLD, ...LOANS, ...DETAIL, ...KEY }),
    answered(BriefProjection, ANSWER)
  ),
  describe(
    "compare_scenarios",
    `Compare ${ARMS_RANGE} scenarios`,
    COMPARISON,
    sent(ComparisonCall, {
      arms: { items: asFirst(toPortableJsonSchema(ComparisonArm, true, {})) },
      idempotencyKey: { description: "As for run_projection." }
    }),
    outlined(BriefComparison)
  ),
  describe(
    "get_eligible_plans",
    "Plans each loan qualifies for",
    ELIGIBILITY,
    sent(EligibilityCall, WITH_LOAN_TYPES),
    answered(BriefEligibility, LISTED)
  ),
  describe("get_plan_types", "List the plan types", PLAN_TYPES_TEXT, sent(NoArguments), answered(PlanTypesResult)),
  describe(
    "explain_payment",
    "Explain the payment of a month",
    EXPLANATION_OF_KEY,
    asFirst(sent(ExplanationCall)),
    outlined(BriefExplanation)
  ),
  describe(
    "compare_plans",
    "All loans under every plan",
    ALL_PLANS_OF_KEY,
    replacing(sent(PlansRequest), LIKE_PROJECTION),
    outlined(BriefPlans)
  )
]

/** The tools without a key. */
export const OPEN_TOOLS: ReadonlyArray<ToolDescription<OpenTool>> = [
  describe(
    "compare_plans",
    "All loans under every plan",
    ALL_PLANS_OPEN,
    sent(PlansRequest, { ...HOUSEHOLD, ...LOANS, ...PATHS }),
    outlined(BriefPlans)
  ),
  describe(
    "explain_payment",
    "Explain the payment of a month",
    EXPLANATION_OPEN,
    replacing(sent(ExplanationCall, { month: { description: "1: the next payment." }, ...DETAIL }), EXPLAINED),
    outlined(BriefExplanation)
  )
]
