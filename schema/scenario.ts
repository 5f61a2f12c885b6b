/** The scenario of a projection: the household and the plan. */

import { Schema } from "effect"
import { MAX_CHANGES, MAX_LABEL_CHARACTERS } from "./bounds.ts"
import { FILING_NAMES, PLAN_NAMES, STATE_NAMES } from "./otherNames.ts"
import {
  addition,
  canonical,
  count,
  date,
  dollars,
  flag,
  fraction,
  laterYear,
  orElse,
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

const MAX_EXTRA_DOLLARS = 1_000_000

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
  workingTowardsPslf: addition(pslf)
}).annotate({
  identifier: "Change",
  description:
    "What changes in the scenario from a year on; everything else stays the same. Send at least one member other than fromYear.",
  message: "must be an object with fromYear and what changes"
})
export type Change = typeof Change.Type

const Changes = Schema.Array(Change)
  .annotate({
    description: `What changes in later years, at most ${MAX_CHANGES}, in order of fromYear.`,
    message: `must be an array of 0 to ${MAX_CHANGES} changes, each an object with fromYear and what changes`
  })
  .check(Schema.isBetweenLength(0, MAX_CHANGES, { message: `must hold at most ${MAX_CHANGES} changes` }))

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
  extraMonthlyPayment: addition(
    dollars(
      "Paid every month beyond what is due, at most what is owed: to the loan with the highest rate first. Default 0.",
      MAX_EXTRA_DOLLARS
    ),
    0
  )
}).annotate({
  identifier: "Scenario",
  description: "The household and the plan.",
  message: "must be a scenario object"
})
export type Scenario = typeof Scenario.Type
