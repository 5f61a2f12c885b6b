/**
 * The facts of a request that flags can tell: how each is written, what is said of it, and what happens where it is
 * absent. A fact that the HTTP API never assumes is required, or assumed and said to be. Knows nothing of how flags are
 * parsed.
 */
import { LOAN_TYPES } from "../../schema/loan.ts"
import { FILING_ALIASES, FILING_STATUSES, PLAN_TYPES, STATES } from "../../schema/scenario.ts"
import { dollars, percent } from "../wording/figures.ts"
import { dollarsRead, nameRead, percentRead, type Reading, textRead, wholeRead, yesOrNoRead } from "./readings.ts"
import { counted } from "./views/text.ts"

type Value = string | number | boolean

/** Of an absent fact: what to send, or what is assumed and why it matters. Without either the API has a default. */
type Absence = { readonly send: string } | { readonly assumed: Value; readonly because?: string }

export interface Fact {
  readonly flag: string
  /** The field of the request, within its scenario or its loan. */
  readonly field: string
  /** None: a flag without a value. */
  readonly metavar?: string
  /** The names that a shell offers; others may be known too. */
  readonly names?: ReadonlyArray<string>
  readonly about: string
  readonly read: Reading<Value>
  readonly say: (value: Value) => string
  readonly absent?: Absence
}

const money = (value: Value): string => dollars(Number(value))
const rate = (value: Value): string => percent(Number(value))
const itself = (value: Value): string => String(value)

const MAX_RATE = 100
const MAX_GROWTH = 50

const SHORT_PLANS = {
  RAP: "REPAYMENT ASSISTANCE",
  "IBR-NEW": "INCOME BASED",
  "NEW-IBR": "INCOME BASED",
  "IBR-OLD": "INCOME BASED (OLD)",
  "OLD-IBR": "INCOME BASED (OLD)",
  PAYE: "PAY AS YOU EARN",
  REPAYE: "REVISED PAY AS YOU EARN",
  ICR: "INCOME CONTINGENT"
}
const EITHER_IBR = "IBR-NEW (new borrowers from July 2014 on) or IBR-OLD (earlier borrowers)"
const PLANS = ["RAP", "IBR-NEW", "IBR-OLD", "PAYE", "ICR", "SAVE", "REPAYE", "standard", "graduated", "extended"]
const ANY_PLAN = `one of ${PLANS.join(", ")}`

export const PLAN: Fact = {
  flag: "plan",
  field: "planType",
  metavar: "<plan>",
  names: PLANS,
  about: "RAP, IBR-NEW, IBR-OLD, PAYE, ICR, standard, graduated, extended",
  read: nameRead(PLAN_TYPES, { short: SHORT_PLANS, ambiguous: { IBR: EITHER_IBR }, send: ANY_PLAN }),
  say: itself,
  absent: { send: ANY_PLAN }
}

const STATUSES = ["single", "mfj", "mfs", "hoh"]

export const HOUSEHOLD: ReadonlyArray<Fact> = [
  {
    flag: "income",
    field: "adjustedGrossIncome",
    metavar: "<dollars>",
    about: "The borrower's adjusted gross income a year",
    read: dollarsRead,
    say: (value) => `income ${money(value)}`,
    absent: { send: "US dollars a year, 0 for no income" }
  },
  {
    flag: "status",
    field: "filingStatus",
    metavar: "<status>",
    names: STATUSES,
    about: "single, mfj, mfs or hoh; else single is assumed",
    read: nameRead(FILING_STATUSES, { short: FILING_ALIASES, send: "single, mfj, mfs or hoh" }),
    say: (value) => `filing ${value}`,
    absent: { assumed: "Single" }
  },
  {
    flag: "dependents",
    field: "dependents",
    metavar: "<number>",
    about: "Dependents without the spouse; else none are assumed",
    read: wholeRead,
    say: (value) => counted(Number(value), "dependent"),
    absent: { assumed: 0 }
  },
  {
    flag: "state",
    field: "state",
    metavar: "<code>",
    names: STATES,
    about: "Two letters, such as NC; else TX is assumed",
    read: nameRead(STATES, { send: "two letters, such as NC" }),
    say: (value) => `state ${value}`,
    absent: { assumed: "TX", because: "AK and HI have other guidelines, and some states tax what is forgiven" }
  },
  {
    flag: "pslf",
    field: "workingTowardsPslf",
    about: "Works toward PSLF, or --no-pslf; else it is assumed not to",
    read: yesOrNoRead,
    say: (value) => (value === true ? "public service" : "no public service"),
    absent: { assumed: false }
  },
  {
    flag: "growth",
    field: "annualIncomeGrowth",
    metavar: "<percent>",
    about: "Growth of income a year, such as 3; else 0",
    read: percentRead(MAX_GROWTH),
    say: (value) => `income growing by ${rate(value)} a year`
  }
]

/** Counted on a joint return alone. */
export const SPOUSE_INCOME: Fact = {
  flag: "spouse-income",
  field: "spouseAdjustedGrossIncome",
  metavar: "<dollars>",
  about: "The spouse's income a year, with --status mfj",
  read: dollarsRead,
  say: (value) => `spouse's income ${money(value)}`
}

export const SPOUSE_BALANCE: Fact = {
  flag: "spouse-balance",
  field: "spouseFederalLoanBalance",
  metavar: "<dollars>",
  about: "The spouse's federal loans, with --status mfj",
  read: dollarsRead,
  say: (value) => `spouse's loans ${money(value)}`
}

export const LABEL: Fact = {
  flag: "label",
  field: "label",
  metavar: "<text>",
  about: "A name for the answer",
  read: textRead,
  say: (value) => `label ${JSON.stringify(value)}`
}

export const YEARLY: Fact = {
  flag: "yearly",
  field: "includeYearly",
  about: "Years in the JSON too; tables have them always",
  read: yesOrNoRead,
  say: (value) => (value === true ? "with its years" : "without its years")
}

/** No interest is paid for an unsubsidized loan, so none is left out of the figures; every open plan takes it. */
const USUAL_TYPE = "DIRECT STAFFORD UNSUBSIDIZED"

/** Of names that an FFEL loan has too, none is short for the Direct loan. */
const SHORT_TYPES = {
  "direct-unsubsidized": USUAL_TYPE,
  "direct-subsidized": "DIRECT STAFFORD SUBSIDIZED"
}

const hyphenated = (type: string): string =>
  type
    .toLowerCase()
    .replace(/[^a-z]+/g, "-")
    .replace(/-$/, "")
const TYPES = [...Object.keys(SHORT_TYPES), ...LOAN_TYPES.map(hyphenated)]
const SOME_TYPES = "direct-unsubsidized, direct-subsidized, direct-plus-graduate"

const TYPE: Fact = {
  flag: "type",
  field: "loanType",
  metavar: "<type>",
  names: TYPES,
  about: "direct-unsubsidized, direct-subsidized or another loan type",
  read: nameRead(LOAN_TYPES, {
    short: SHORT_TYPES,
    send: `${SOME_TYPES}, or another of the loan types: ${LOAN_TYPES.join("; ")}`
  }),
  say: itself,
  absent: { send: `${SOME_TYPES}, or another of the loan types` }
}

export const LOAN: ReadonlyArray<Fact> = [
  {
    flag: "balance",
    field: "principalBalance",
    metavar: "<dollars>",
    about: "What is owed, without unpaid interest",
    read: dollarsRead,
    say: (value) => `${money(value)} owed`,
    absent: { send: "US dollars, without unpaid interest" }
  },
  {
    flag: "rate",
    field: "interestRate",
    metavar: "<percent>",
    about: "Interest a year in percent: 6.54 or 6.54%",
    read: percentRead(MAX_RATE),
    say: (value) => `at ${rate(value)}`,
    absent: { send: "percent a year, such as 6.54" }
  },
  TYPE,
  {
    flag: "interest",
    field: "interestBalance",
    metavar: "<dollars>",
    about: "Unpaid interest so far; else 0",
    read: dollarsRead,
    say: (value) => `${money(value)} of unpaid interest`
  },
  {
    flag: "months",
    field: "idrMonthsInRepayment",
    metavar: "<number>",
    about: "Months counted toward income-driven forgiveness; else 0",
    read: wholeRead,
    say: (value) => `${counted(Number(value), "month")} counted`
  },
  {
    flag: "pslf-payments",
    field: "pslfCount",
    metavar: "<number>",
    about: "Payments counted for public service; else 0",
    read: wholeRead,
    say: (value) => `${counted(Number(value), "payment")} of public service counted`
  }
]

/** The loan of a projection, whose type may stay open: what plans take it is not the question there. */
export const PROJECTED_LOAN: ReadonlyArray<Fact> = LOAN.map((fact) =>
  fact === TYPE
    ? {
        ...TYPE,
        about: "direct-subsidized or another; else direct-unsubsidized is assumed",
        absent: { assumed: USUAL_TYPE }
      }
    : fact
)

/** Every fact that a flag tells. */
export const FACTS: ReadonlyArray<Fact> = [PLAN, ...HOUSEHOLD, SPOUSE_INCOME, SPOUSE_BALANCE, LABEL, YEARLY, ...LOAN]
