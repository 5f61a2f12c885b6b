/**
 * Explained payments (POST /v1/explain): the request, the steps (the intermediate values of one
 * month's payment), and the effect on each loan.
 */
import { Schema } from "effect"
import { LOANS_TO_SEND } from "./bounds.ts"
import { Loans } from "./loan.ts"
import { cents, instant, integer, ordinal, orElse, required, text } from "./primitives.ts"
import { FORGIVENESS_TYPES, IncludeYearly, RuleCitation, RuleOmissionNote } from "./projection.ts"
import { RuleConstantEntry } from "./rules.ts"
import { Scenario } from "./scenario.ts"

/** The number of months that a projection covers, under every plan. */
export const MAX_MONTHS = 600

export const ExplainRequest = Schema.Struct({
  scenario: required(Scenario, "a scenario object"),
  loans: required(Loans, LOANS_TO_SEND),
  includeYearly: IncludeYearly,
  month: orElse(
    ordinal("The month to explain: 1 is the first payment. Default 1.", MAX_MONTHS, "months").annotate({ default: 1 }),
    1
  )
}).annotate({
  identifier: "ExplainRequest",
  description:
    "The request of a projection, and the month whose payment is explained. includeYearly is accepted and changes nothing.",
  message: "must be a JSON object with scenario and loans"
})
export type ExplainRequest = typeof ExplainRequest.Type

/** An amount not rounded to cents, so that the steps add up. */
const exact = (description: string) =>
  Schema.Finite.annotate({ description: `${description} US dollars, not rounded to cents.`, format: "double" })

const loanIndex = integer("Index of the loan in the request, counted from 0.")

export const ExplanationStep = Schema.Struct({
  term: text("Name of the step for programs: the same under every plan and in every version."),
  name: text("Name of the step for people."),
  loan: Schema.NullOr(loanIndex),
  value: Schema.Finite.annotate({
    description: "The value that the next steps use, not rounded to cents.",
    format: "double"
  }),
  unit: text("Unit of the value."),
  formula: text("How the value follows from those above it."),
  rules: Schema.Array(text("Id of a rule.")).annotate({ description: "The rules behind it, by their ids in `rules`." })
}).annotate({
  identifier: "ExplanationStep",
  description: "One intermediate value of a payment. If loan is null, it is for all loans."
})
export type ExplanationStep = typeof ExplanationStep.Type

export const ExplainedLoan = Schema.Struct({
  loan: loanIndex,
  principal: exact("Principal as the month begins."),
  unpaidInterest: exact("Unpaid interest as the month begins."),
  owed: exact("Principal and unpaid interest as the month begins, plus the month's interest."),
  payment: exact("Part of the payment that goes to this loan."),
  interestAccrued: exact("Interest of the month."),
  toInterest: exact("Part of the payment that goes to the month's interest."),
  toUnpaidInterest: exact("Part of the payment that goes to older unpaid interest."),
  toPrincipal: exact("Part of the payment that goes to principal."),
  interestWaived: exact("Interest of the month that is waived."),
  interestAdded: exact("Interest of the month that joins the unpaid interest."),
  principalMatched: exact("Reduction of principal on top of what is paid on it."),
  forgiven: exact("Forgiven at the end of the month."),
  forgivenessType: Schema.Literals(FORGIVENESS_TYPES).annotate({
    description: "Kind of forgiveness; None if nothing is forgiven. Teacher never occurs."
  }),
  principalLeft: exact("Principal after the month."),
  interestLeft: exact("Unpaid interest after the month.")
}).annotate({ identifier: "ExplainedLoan", description: "What the month did to a loan." })
export type ExplainedLoan = typeof ExplainedLoan.Type

export const PaymentPart = Schema.Struct({
  group: Schema.Literals(["plan", "successor", "beside", "extra", "lump", "paused"]).annotate({
    description:
      "plan: loans on the plan asked for; successor: loans that moved to another plan when that plan ended; beside: loans that the plan cannot take, on STANDARD; extra: payments beyond what is due, made after the payments due, on loans of the other parts; lump: lump sums, made after those; paused: loans on which nothing is due."
  }),
  planType: text("The plan that these loans are on in this month."),
  payment: exact("What is paid on these loans in this month."),
  steps: Schema.Array(ExplanationStep).annotate({ description: "How the payment is computed, step by step." }),
  loans: Schema.Array(ExplainedLoan).annotate({
    description: "The loans of this part that were open as the month began; none when all are paid or forgiven."
  })
}).annotate({ identifier: "PaymentPart", description: "Loans that share a payment." })
export type PaymentPart = typeof PaymentPart.Type

export const ExplainedRule = Schema.Struct({
  ...RuleCitation.fields,
  definition: RuleConstantEntry.fields.definition,
  unit: RuleConstantEntry.fields.unit,
  value: RuleConstantEntry.fields.value,
  citation: text("The citation of the law, and what of it was read.")
}).annotate({ identifier: "ExplainedRule", description: "A rule behind a step or a note." })

export type ExplainedRule = typeof ExplainedRule.Type

export const ExplainResult = Schema.Struct({
  label: Schema.NullOr(text("The scenario's label.")),
  planType: text("The plan asked for, in canonical spelling."),
  month: integer("The month, counted from 1."),
  date: instant("The month of the payment."),
  payment: cents("The payment of the month, over all parts."),
  parts: Schema.Array(PaymentPart).annotate({
    description: "Loans that share a payment; the parts add up to the payment."
  }),
  rules: Schema.Array(ExplainedRule).annotate({ description: "Every rule that a step names, and those behind notes." }),
  knownOmissions: Schema.Array(RuleOmissionNote).annotate({
    description: "Rules knowingly not applied that affect the projection that this month belongs to."
  }),
  notes: Schema.optionalKey(
    Schema.Array(text("One sentence.")).annotate({
      description:
        "Says if nobody can elect the plan any more, if the plan ends and what follows it, if nothing is owed in the month, and which values of the request may be mistakes. Absent if there is nothing to say."
    })
  ),
  computedBy: text("Always repayment-of-record."),
  computedAtUtc: instant("When the explanation was computed."),
  ruleVersion: text("Version of the rules ledger, rl1-<hex>.")
}).annotate({ identifier: "ExplainResult", description: "How the payment of one month comes about." })
export type ExplainResult = typeof ExplainResult.Type
