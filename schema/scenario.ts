/** The scenario of a projection: the household and the plan. */

import { Schema } from "effect"
import {
  MAX_CHANGES,
  MAX_DOLLARS,
  MAX_LABEL_CHARACTERS,
  MAX_LOANS,
  MAX_LUMP_SUMS,
  MAX_PAUSES,
  MAX_PLAN_CHANGES
} from "./bounds.ts"
import { FILING_NAMES, PLAN_NAMES, STATE_NAMES } from "./otherNames.ts"
import {
  addedAmount,
  addition,
  canonical,
  count,
  date,
  dollars,
  flag,
  fraction,
  laterYear,
  month,
  orElse,
  people,
  required,
  SHAPE
} from "./primitives.ts"
import { type TextShape, textProblems } from "./shape.ts"

/** Every plan type string, in the order of GET /v1/plan-types. */
export const PLAN_TYPES = [
  "STANDARD",
  "EXTENDED",
  "GRADUATED",
  "INCOME BASED",
  "INCOME BASED (OLD)",
  "INCOME CONTINGENT",
  "PAY AS YOU EARN",
  "REVISED PAY AS YOU EARN",
  "SAVE",
  "REPAYMENT ASSISTANCE"
] as const
export type PlanType = (typeof PLAN_TYPES)[number]

export const FILING_STATUSES = ["Single", "MarriedFilingJointly", "MarriedFilingSeparately", "HeadOfHousehold"] as const
export type FilingStatus = (typeof FILING_STATUSES)[number]

/** The 50 states, DC and five territories, by postal code. */
export const STATES = [
  ..."AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH".split(
    " "
  ),
  ..."OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR GU VI AS MP".split(" ")
]

export const PlanType = canonical(PLAN_TYPES, {
  description: `The repayment plan. Case and surrounding space are ignored. One of: ${PLAN_TYPES.join("; ")}. INCOME CONTINGENT and PAY AS YOU EARN end on 1 July 2028: loans still open then move to a successor plan, as the law does if the borrower chooses no other. EXTENDED needs more than 30,000 dollars owed in the loan's program.`,
  message: `must be one of the plan types: ${PLAN_TYPES.join("; ")}`,
  example: "REPAYMENT ASSISTANCE",
  otherNames: PLAN_NAMES
})

export const FILING_ALIASES = {
  MFJ: "MarriedFilingJointly",
  MFS: "MarriedFilingSeparately",
  HOH: "HeadOfHousehold"
} as const

export const FilingStatus = canonical(FILING_STATUSES, {
  description:
    "Federal tax filing status: Single, MarriedFilingJointly (MFJ), MarriedFilingSeparately (MFS) or HeadOfHousehold (HOH). Case is ignored.",
  message: "must be Single, MarriedFilingJointly (MFJ), MarriedFilingSeparately (MFS) or HeadOfHousehold (HOH)",
  example: "Single",
  otherNames: FILING_NAMES,
  aliases: FILING_ALIASES
})

export const State = canonical(STATES, {
  description:
    "Two-letter code of a US state, DC, PR, GU, VI, AS or MP. Chooses the poverty guideline (AK, HI, others) and the state tax on forgiven balances (AR, IN, MS, NC, WI).",
  message: "must be a two-letter US state code: one of the 50 states, DC, PR, GU, VI, AS or MP, such as NC",
  example: "NC",
  otherNames: STATE_NAMES,
  pattern: "^[A-Za-z]{2}$"
})

/** The limit of a label, in words. */
const LABEL_LENGTH = `at most ${MAX_LABEL_CHARACTERS} characters`

const LABEL_MESSAGE = `must be text of ${LABEL_LENGTH}, or null`
const LABEL_SHAPE: TextShape = {
  kind: "text",
  message: LABEL_MESSAGE,
  maxCharacters: MAX_LABEL_CHARACTERS,
  lengthMessage: `must be ${LABEL_LENGTH}`
}

export const Label = Schema.NullOr(
  Schema.String.annotate({
    description: `Echoed in the projection's label; ${LABEL_LENGTH}.`,
    [SHAPE]: LABEL_SHAPE
  }).check(
    Schema.makeFilter((label: string) => textProblems(LABEL_SHAPE, label)[0], {
      toJsonSchema: () => ({ maxLength: MAX_LABEL_CHARACTERS })
    })
  )
).annotate({ default: null, message: LABEL_MESSAGE })

export const FirstBorrowedOn = addition(
  date(
    "The day since which the borrower has owed Direct or FFEL loans without a break; loans repaid in full before a later one was taken do not count. If left out, the earliest madeOn is used if every such loan has one and none is a consolidation; otherwise the day is unknown."
  )
)

const MAX_MONTHLY_DOLLARS = 1_000_000

export const FamilySize = people(
  "The family as the servicer counts it for the poverty guideline, in place of the return's: such as a child whom the other parent claims, or a parent whom the borrower supports. It holds until another is sent; a later change of filingStatus or dependents does not move it. REPAYMENT ASSISTANCE and taxes go on with dependents.",
  32
)

/** The last year of repayment that a change may begin with. */
const LAST_YEAR = 50

const spouseIncome = dollars(
  "The spouse's annual adjusted gross income; send it for MarriedFilingJointly: absent or null counts as 0 there, and provenance.notes say so. Not counted for any other status."
)
const spouseBalance = dollars(
  "The balance of the spouse's Direct and FFEL student loans, without Parent PLUS loans, consolidations that repaid one, and loans in default; prorates the payment only for MarriedFilingJointly, and not under INCOME CONTINGENT."
)
const dependents = count("Dependents claimed on the return; a spouse is never one.", 30, "dependents")
const pslf = flag("Whether the borrower works toward Public Service Loan Forgiveness.")
const extra = dollars(
  "Paid every month beyond what is due, at most what is owed: to the due loan with the highest rate first.",
  MAX_MONTHLY_DOLLARS
)
const budget = dollars(
  "What the borrower pays in all each month: what is beyond the payment due is paid as extraMonthlyPayment is. Not beside an extraMonthlyPayment above 0.",
  MAX_MONTHLY_DOLLARS
)

/** What of a scenario changes in a later year. */
export const Change = Schema.Struct({
  fromYear: required(
    laterYear(
      "The change holds from the first month of this year of repayment on: 2 begins with the 13th payment. Must be later than the previous change's.",
      LAST_YEAR
    ),
    "a year of repayment, 2 to 50, such as 3"
  ),
  adjustedGrossIncome: addition(dollars("The borrower's income of that year; it grows from there.")),
  spouseAdjustedGrossIncome: addition(dollars("The spouse's income of that year; it grows from there.")),
  spouseFederalLoanBalance: addition(spouseBalance),
  filingStatus: addition(FilingStatus),
  dependents: addition(dependents),
  workingTowardsPslf: addition(pslf),
  familySize: addition(FamilySize),
  extraMonthlyPayment: addition(extra),
  monthlyBudget: addition(budget)
}).annotate({
  identifier: "Change",
  description:
    "What changes in the scenario from a year on; everything else stays the same. Send at least one member other than fromYear.",
  message: "must be an object with fromYear and what changes"
})
export type Change = typeof Change.Type

/** A list of at most `max` things. */
const listOf = <S extends Schema.Top>(
  item: S,
  max: number,
  { description, each, things }: { readonly description: string; readonly each: string; readonly things: string }
) =>
  Schema.Array(item)
    .annotate({ description, message: `must be an array of 0 to ${max} ${things}, each ${each}` })
    .check(Schema.isBetweenLength(0, max, { message: `must hold at most ${max} ${things}` }))

const Changes = listOf(Change, MAX_CHANGES, {
  description: `What changes in later years, at most ${MAX_CHANGES}, in order of fromYear.`,
  things: "changes",
  each: "an object with fromYear and what changes"
})

export const PAUSE_KINDS = ["InSchool", "Deferment", "Forbearance"] as const
export type PauseKind = (typeof PAUSE_KINDS)[number]

/** The greatest position of a loan, counted from 0. */
const LAST_POSITION = MAX_LOANS - 1

/** Months without a payment. */
export const Pause = Schema.Struct({
  kind: required(
    canonical(PAUSE_KINDS, {
      description:
        "InSchool: in school or in the grace period, before a first payment. Interest of a subsidized loan stands still in InSchool and Deferment, not in Forbearance.",
      message: `must be one of ${PAUSE_KINDS.join(", ")}`,
      example: "Deferment",
      otherNames: { names: {}, told: {}, advice: {} }
    }),
    PAUSE_KINDS.join(", ")
  ),
  from: addition(month("The first month of the pause. Absent or null: it runs already.")),
  until: required(
    month("The first month that is due again, at most ten years ahead."),
    "the first month that is due again, such as 2027-05"
  ),
  loans: addition(
    Schema.Array(count("A position in loans, counted from 0.", LAST_POSITION, "loans, counted from 0"))
      .annotate({
        description: "The paused loans, by position. Absent or null: all.",
        message: "must be an array of positions"
      })
      .check(Schema.isBetweenLength(1, MAX_LOANS, { message: `must hold 1 to ${MAX_LOANS} positions` }))
  )
}).annotate({
  identifier: "Pause",
  description: "Months in which nothing is due on some loans, and which count for no forgiveness.",
  message: "must be an object with kind and until"
})
export type Pause = typeof Pause.Type

/** A plan that the borrower chooses in a later month. */
export const PlanChange = Schema.Struct({
  from: required(
    month("The first month under the plan. The last change that is not after the first month is the plan asked for."),
    "a month, such as 2028-06"
  ),
  planType: required(PlanType, `one of ${PLAN_TYPES.join("; ")}`)
}).annotate({
  identifier: "PlanChange",
  description:
    "Every open loan is repaid from that month on as a request with this plan would have it. Unpaid interest joins the principal where the borrower leaves INCOME BASED or INCOME BASED (OLD), which may be left for STANDARD or REPAYMENT ASSISTANCE alone.",
  message: "must be an object with from and planType"
})
export type PlanChange = typeof PlanChange.Type

export const LumpSum = Schema.Struct({
  on: required(month("The month in which it is paid, after the month's payments."), "a month, such as 2027-03"),
  amount: required(
    dollars("Paid over all open loans, paused ones too, the highest rate first.", MAX_DOLLARS, 0.01),
    "US dollars, such as 5000"
  )
}).annotate({
  identifier: "LumpSum",
  description: "An amount that is paid once.",
  message: "must be an object with on and amount"
})
export type LumpSum = typeof LumpSum.Type

export const Scenario = Schema.Struct({
  planType: required(PlanType, `one of ${PLAN_TYPES.join("; ")}`),
  adjustedGrossIncome: required(
    dollars("The borrower's annual adjusted gross income; send 0 for no income."),
    "annual US dollars, 0 for no income"
  ),
  spouseAdjustedGrossIncome: orElse(Schema.NullOr(spouseIncome).annotate({ default: null }), null),
  spouseFederalLoanBalance: orElse(Schema.NullOr(spouseBalance).annotate({ default: null }), null),
  filingStatus: required(FilingStatus, "Single, MarriedFilingJointly, MarriedFilingSeparately or HeadOfHousehold"),
  dependents: required(dependents, "a whole number, 0 to 30"),
  state: required(State, "a two-letter US state code, such as NC"),
  workingTowardsPslf: required(pslf, "true or false"),
  annualIncomeGrowth: orElse(fraction("Growth of both incomes per year. Default 0.", 0.5).annotate({ default: 0 }), 0),
  label: orElse(Label, null),
  firstBorrowedOn: FirstBorrowedOn,
  annualPriceGrowth: addition(
    fraction(
      "Growth of prices per year, by which the poverty guideline, the incomes of the ICR factor table and the federal tax brackets and deduction rise. Default 0.",
      0.1
    ),
    0
  ),
  changes: addition(Changes, []),
  extraMonthlyPayment: addedAmount(extra),
  familySize: addition(FamilySize),
  pauses: addition(
    listOf(Pause, MAX_PAUSES, {
      description: `Months without a payment, at most ${MAX_PAUSES}. Pauses of one loan may touch, not overlap.`,
      things: "pauses",
      each: "an object with kind and until"
    }),
    []
  ),
  planChanges: addition(
    listOf(PlanChange, MAX_PLAN_CHANGES, {
      description: `The plans that the borrower chooses later, at most ${MAX_PLAN_CHANGES}, in order of from.`,
      things: "changes of plan",
      each: "an object with from and planType"
    }),
    []
  ),
  monthlyBudget: addedAmount(budget),
  lumpSums: addition(
    listOf(LumpSum, MAX_LUMP_SUMS, {
      description: `Amounts that are paid once, at most ${MAX_LUMP_SUMS}.`,
      things: "lump sums",
      each: "an object with on and amount"
    }),
    []
  ),
  discountRate: addition(
    fraction("Adds presentValue to the projection: payments and tax, discounted at this rate per year.", 0.2)
  )
}).annotate({
  identifier: "Scenario",
  description: "The household and the plan.",
  message: "must be a scenario object"
})
export type Scenario = typeof Scenario.Type
