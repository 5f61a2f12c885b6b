/**
 * The keyless calculator (POST /v1/calculators/loan): one loan under every federal plan. Rates are
 * percent, not fractions.
 */
import { Schema } from "effect"
import { LOAN_TYPES, type LoanType } from "./loan.ts"
import { LOAN_NAMES } from "./otherNames.ts"
import {
  addition,
  canonical,
  cents,
  count,
  dollars,
  flag,
  integer,
  orElse,
  percent,
  ratePercent,
  required,
  text
} from "./primitives.ts"
import { ForgivenessType } from "./projection.ts"
import { FamilySize, FilingStatus, FirstBorrowedOn, State } from "./scenario.ts"

/** Short loan type names of the calculator, and the loan type that each means. */
export const CALCULATOR_LOAN_TYPES = {
  direct_subsidized: "DIRECT STAFFORD SUBSIDIZED",
  direct_unsubsidized: "DIRECT STAFFORD UNSUBSIDIZED",
  grad_plus_legacy: "DIRECT PLUS GRADUATE",
  parent_plus: "DIRECT PLUS PARENT",
  direct_consolidation: "DIRECT CONSOLIDATED UNSUBSIDIZED",
  direct_consolidation_with_plus: "DIRECT PARENT PLUS CONSOLIDATED"
} as const satisfies Record<string, LoanType>

const shortNames = Object.keys(CALCULATOR_LOAN_TYPES).join(", ")

const CalculatorLoanType = canonical(LOAN_TYPES, {
  description: `A loan type string of the API, or one of ${shortNames}.`,
  message: `must be a loan type string of the API, or one of ${shortNames}`,
  example: "direct_unsubsidized",
  otherNames: LOAN_NAMES,
  aliases: CALCULATOR_LOAN_TYPES
})

/** Absent and null both mean the value that `otherwise` describes. */
const nullable = <S extends Schema.Top>(schema: S, otherwise: string) =>
  orElse(Schema.NullOr(schema).annotate({ default: null, description: `Absent or null: ${otherwise}.` }), null)

export const KeylessLoanRequest = Schema.Struct({
  balance: required(dollars("Outstanding principal of the one loan."), "US dollars, such as 30000"),
  ratePct: required(ratePercent("Annual interest rate."), "0, or 1 or more: 6 means 6 percent"),
  borrowerAgi: required(
    dollars("The borrower's annual adjusted gross income; send 0 for no income."),
    "annual US dollars, 0 for no income"
  ),
  filingStatus: nullable(FilingStatus, "Single"),
  spouseAgi: nullable(
    dollars("The spouse's annual adjusted gross income; counted only for a joint return."),
    "0. Send it for a joint return; assumptions say if it is missing"
  ),
  spouseFederalLoanBalance: nullable(
    dollars("The spouse's Direct and FFEL student loans, none of a parent's and none in default; joint return only."),
    "0"
  ),
  dependents: orElse(count("Dependents claimed. Default 0.", 30, "dependents").annotate({ default: 0 }), 0),
  loanType: nullable(CalculatorLoanType, "direct_unsubsidized"),
  state: nullable(State, "the poverty guideline of the 48 states, and no state tax"),
  pursuingPslf: orElse(
    flag("Whether the borrower works toward public-service forgiveness. Default false.").annotate({ default: false }),
    false
  ),
  pslfCreditedMonths: orElse(
    count(
      "Qualifying public-service payments so far. On a Direct loan they also shorten a ten-year Standard term, even if pursuingPslf is false: the larger of this count and priorIdrMonths is deducted. Default 0.",
      120,
      "payments"
    ).annotate({ default: 0 }),
    0
  ),
  priorIdrMonths: orElse(
    count(
      "Months already counted toward income-driven forgiveness. They are also deducted from the term of every fixed plan except Tiered Standard. Default 0.",
      600,
      "months"
    ).annotate({ default: 0 }),
    0
  ),
  incomeGrowthPct: orElse(percent("Income growth per year. Default 0.", 50).annotate({ default: 0 }), 0),
  borrowedOnOrAfterJul12026: nullable(
    flag(
      "True for a loan made on or after 1 July 2026. Used for Direct loans only: such a loan can take Repayment Assistance and Tiered Standard, a Parent PLUS loan only Tiered Standard."
    ),
    "the loan was made before 1 July 2026, unless firstBorrowedOn is on or after that day"
  ),
  firstBorrowedOn: FirstBorrowedOn,
  familySize: addition(FamilySize)
}).annotate({
  identifier: "KeylessLoanRequest",
  description: "One loan and its household; rates and growth in percent.",
  message: "must be a JSON object with balance, ratePct and borrowerAgi"
})
export type KeylessLoanRequest = typeof KeylessLoanRequest.Type

/** Plans of the calculator, in the order of its answer. */
export const CALCULATOR_PLANS = [
  "standard",
  "tiered_standard",
  "extended",
  "graduated",
  "ibr_2014",
  "ibr",
  "paye",
  "icr",
  "repaye",
  "save",
  "rap"
] as const
export type CalculatorPlan = (typeof CALCULATOR_PLANS)[number]

const PlanId = Schema.Literals(CALCULATOR_PLANS).annotate({ description: "Plan id of the calculator." })

export const LoanCalcPlan = Schema.Struct({
  plan: PlanId,
  label: text("Name of the plan."),
  monthlyPayment: cents("Payment in the first month."),
  totalPaid: cents("All payments."),
  forgivenBalance: cents("Balance forgiven."),
  taxOnForgiveness: cents("Estimated income tax on it."),
  lifetimeCost: cents("totalPaid plus taxOnForgiveness."),
  monthsToPayoff: Schema.NullOr(integer("Index of the last month, counted from 0, when the loan is paid off.")),
  forgivenessAtMonth: Schema.NullOr(integer("Index of the forgiveness month, counted from 0.")),
  forgivenessType: ForgivenessType,
  parityVerified: Schema.Boolean.annotate({
    description: "True when published or hand-worked cases of the plan are reproduced by the test suite."
  })
}).annotate({ identifier: "LoanCalcPlan", description: "The loan under one plan." })
export type LoanCalcPlan = typeof LoanCalcPlan.Type

export const LoanCalcExcludedPlan = Schema.Struct({
  plan: PlanId,
  label: text("Name of the plan."),
  reason: text("Why the plan is left out, in one sentence.")
}).annotate({ identifier: "LoanCalcExcludedPlan", description: "A plan without figures for this loan." })
export type LoanCalcExcludedPlan = typeof LoanCalcExcludedPlan.Type

export const LoanCalcResult = Schema.Struct({
  asOf: text("Date of the computation, YYYY-MM-DD."),
  lowestMonthlyPlan: Schema.NullOr(PlanId).annotate({
    description: "The first plan with the lowest monthlyPayment; null if every plan is excluded."
  }),
  lowestLifetimeCostPlan: Schema.NullOr(PlanId).annotate({
    description: "The first plan with the lowest lifetimeCost; null if every plan is excluded."
  }),
  plans: Schema.Array(LoanCalcPlan).annotate({ description: "Every plan that the loan can be repaid under." }),
  excludedPlans: Schema.Array(LoanCalcExcludedPlan).annotate({ description: "The other plans, each with the reason." }),
  computedBy: text("Always repayment-of-record."),
  assumptions: Schema.Array(Schema.String).annotate({ description: "What the figures assume." })
}).annotate({ identifier: "LoanCalcResult", description: "The loan under every federal plan." })
export type LoanCalcResult = typeof LoanCalcResult.Type
