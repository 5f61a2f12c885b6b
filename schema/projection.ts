/**
 * Projection of a loan book (all loans of a request) under one plan: request, yearly series, answer
 * and provenance.
 */
import { Schema } from "effect"
import { LOANS_TO_SEND } from "./bounds.ts"
import { Loans } from "./loan.ts"
import { cents, flag, instant, integer, orElse, required, text } from "./primitives.ts"
import { Scenario } from "./scenario.ts"

export const IncludeYearly = orElse(
  flag("Send true to add the year-by-year series. Default false.").annotate({ default: false }),
  false
)

export const ProjectionRequest = Schema.Struct({
  scenario: required(Scenario, "a scenario object"),
  loans: required(Loans, LOANS_TO_SEND),
  includeYearly: IncludeYearly
}).annotate({
  identifier: "ProjectionRequest",
  description: "One loan book and the scenario to project it under.",
  message: "must be a JSON object with scenario and loans"
})
export type ProjectionRequest = typeof ProjectionRequest.Type

export const FORGIVENESS_TYPES = ["Pslf", "TimeBased", "Teacher", "None"] as const
export type ForgivenessType = (typeof FORGIVENESS_TYPES)[number]
export const ForgivenessType = Schema.Literals(FORGIVENESS_TYPES).annotate({
  description: "Which forgiveness ends the loans; the larger amount where both occur. Teacher never occurs."
})

export const YearlyPoint = Schema.Struct({
  year: integer("0 for the opening balance, then 1, 2, ... per year of repayment."),
  date: instant("The month in which the balances are read; year 0 is the repayment start."),
  principalBalance: cents("Outstanding principal of the whole book at date."),
  interestBalance: cents("Outstanding unpaid interest of the whole book at date."),
  paymentsThisYear: cents("Paid during this year; 0 for year 0."),
  cumulativePaid: cents("Paid from the start through this year; the last point equals totalOutOfPocket."),
  forgivenThisYear: cents("Forgiven during this year; all years add up to amountForgiven.")
}).annotate({ identifier: "YearlyPoint", description: "The loan book after one year of repayment." })
export type YearlyPoint = typeof YearlyPoint.Type

export const RuleCitation = Schema.Struct({
  id: text("Id of the constant in GET /v1/rules."),
  label: text("Short name."),
  authority: text("Who publishes it."),
  url: text("Where it is published."),
  effectiveDate: text("Date from which it applies, YYYY-MM-DD."),
  lastVerified: text("Date on which it was last checked, YYYY-MM-DD.")
}).annotate({ identifier: "RuleCitation", description: "A constant of the rules ledger that an answer used." })
export type RuleCitation = typeof RuleCitation.Type

export const RuleOmissionNote = Schema.Struct({
  id: text("Id of the omission in GET /v1/rules."),
  label: text("Short name."),
  detail: text("What is not applied, and what that does to the figures."),
  authority: text("Who publishes the rule."),
  url: text("Where it is published."),
  effectiveDate: text("Date from which the rule applies, YYYY-MM-DD."),
  expiresDate: text("Date on which the rule ends, YYYY-MM-DD; empty when no end is known."),
  lastVerified: text("Date on which it was last checked, YYYY-MM-DD.")
}).annotate({ identifier: "RuleOmissionNote", description: "A rule knowingly not applied to an answer." })
export type RuleOmissionNote = typeof RuleOmissionNote.Type

export const EngineProvenance = Schema.Struct({
  computedBy: text("Always repayment-of-record."),
  engine: text("The engine component that produced the numbers."),
  parityVerified: Schema.Boolean.annotate({
    description: "True when published or hand-worked cases of the plan are reproduced by the test suite."
  }),
  computedAtUtc: instant("When the answer was computed."),
  ruleVersion: text("Version of the rules ledger, rl1-<hex>."),
  citations: Schema.Array(RuleCitation).annotate({
    description: "The constants that this answer used, and no others."
  }),
  knownOmissions: Schema.optionalKey(
    Schema.Array(RuleOmissionNote).annotate({ description: "Rules knowingly not applied that affect this answer." })
  ),
  notes: Schema.optionalKey(
    Schema.Array(text("One sentence, with the field.")).annotate({
      description:
        "What the figures alone do not show: loans that the plan cannot take, which are repaid outside it, and their part of the first payment; a spouse's income that was not sent and counts as 0; an unusual interest rate, which was used as sent but may be a mistake; the arm with the lowest cost, if lowestCostLabel does not name it or nobody can elect its plan. Absent if there is nothing to say."
    })
  ),
  answerId: Schema.NullOr(Schema.String.annotate({ format: "uuid", description: "Public id of the record." })),
  verifyUrl: Schema.NullOr(text("Where anyone can confirm the record.")),
  answerSalt: Schema.NullOr(
    text(
      "Unguessable bytes in base64url; the service keeps no copy. They are random, or derived from the Idempotency-Key and a secret. Anyone who has the answer with its salt can compute the answerHash of the record; without the salt nobody can."
    )
  )
}).annotate({ identifier: "EngineProvenance", description: "Where the numbers of an answer come from." })
export type EngineProvenance = typeof EngineProvenance.Type

export const ProjectionResult = Schema.Struct({
  label: Schema.NullOr(text("The scenario's label.")),
  planType: Schema.NullOr(text("The plan, in canonical spelling.")),
  year1MonthlyPayment: Schema.Finite.annotate({
    description: "Payment in the first repayment month, without extraMonthlyPayment, whole US dollars, rounded half up."
  }),
  payoffOrForgivenessDate: Schema.NullOr(
    instant("Month in which the last loan is paid off or forgiven; null if the projection never ends.")
  ),
  monthsToFinish: Schema.NullOr(
    integer(
      "Index of that month counted from 0: a ten-year loan of 120 payments ends at 119. Unpaid interest bears none, so a loan that starts with it ends sooner."
    )
  ),
  totalOutOfPocket: cents("All that the borrower pays over the projection, tax not included."),
  amountForgiven: cents("Balance forgiven; 0 if the loans are paid off."),
  forgivenessTaxesOwed: cents(
    "Estimated federal and state income tax on the forgiven balance; public-service forgiveness is not taxed."
  ),
  forgivenessType: ForgivenessType,
  forgivenessTypeCode: Schema.Literals([0, 1, 2, 3]).annotate({
    description: "Deprecated, read forgivenessType: 0 Pslf, 1 TimeBased, 2 Teacher, 3 None.",
    readOnly: true,
    deprecated: true
  }),
  presentValue: Schema.optionalKey(
    cents("Payments and tax, discounted to the first month; present only when discountRate was sent.")
  ),
  weightedAverageInterestRate: Schema.Finite.annotate({
    description: "Mean rate of the book weighted by principal, a fraction with six decimals."
  }),
  yearly: Schema.optionalKey(
    Schema.NullOr(Schema.Array(YearlyPoint)).annotate({ description: "Present only when includeYearly was true." })
  ),
  provenance: EngineProvenance
}).annotate({ identifier: "ProjectionResult", description: "One loan book projected under one plan." })
export type ProjectionResult = typeof ProjectionResult.Type
