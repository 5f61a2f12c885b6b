/** Specs of the flags that describe a loan. They are repeated for each loan. */
import { LOAN_TYPES } from "../../../schema/loan.ts"
import { LOAN_NAMES } from "../../../schema/otherNames.ts"
import { counted } from "../views/text.ts"
import { parseDay } from "./days.ts"
import { day, type FlagSpec, itself, money, rate } from "./flagSpec.ts"
import { parseDollars, parseName, parsePercent, parseWhole } from "./parsers.ts"

const MAX_RATE = 100

/** The default. Every open plan takes it, and it has no subsidy that figures could overstate. */
const DEFAULT_TYPE = "DIRECT STAFFORD UNSUBSIDIZED"

const hyphenated = (type: string): string =>
  type
    .toLowerCase()
    .replace(/[^a-z]+/g, "-")
    .replace(/-$/, "")
const TYPES = ["direct-unsubsidized", "direct-subsidized", ...LOAN_TYPES.map(hyphenated)]
const SOME_TYPES = "direct-unsubsidized, direct-subsidized, direct-plus-graduate"

const TYPE: FlagSpec = {
  flag: "type",
  field: "loanType",
  metavar: "<type>",
  names: TYPES,
  about: "direct-unsubsidized, direct-subsidized or another loan type",
  read: parseName(LOAN_TYPES, {
    otherNames: LOAN_NAMES,
    send: `${SOME_TYPES}, or another of the loan types: ${LOAN_TYPES.join("; ")}`
  }),
  say: itself,
  absent: { send: `${SOME_TYPES}, or another of the loan types` }
}

/** The flag that every loan has. */
export const BALANCE = "balance"

const OF_ONE_LOAN: ReadonlyArray<FlagSpec> = [
  {
    flag: BALANCE,
    field: "principalBalance",
    metavar: "<dollars>",
    about: "Owed, without unpaid interest; for more loans, repeat the flags",
    read: parseDollars,
    say: (value) => `${money(value)} owed`,
    absent: { send: "US dollars, without unpaid interest" }
  },
  {
    flag: "rate",
    field: "interestRate",
    metavar: "<percent>",
    about: "Interest a year in percent: 6.54 or 6.54%",
    read: parsePercent(MAX_RATE),
    say: (value) => `at ${rate(value)}`,
    absent: { send: "percent a year, such as 6.54" }
  },
  TYPE,
  {
    flag: "interest",
    field: "interestBalance",
    metavar: "<dollars>",
    about: "Unpaid interest so far; else 0",
    read: parseDollars,
    say: (value) => `${money(value)} of unpaid interest`
  },
  {
    flag: "months",
    field: "idrMonthsInRepayment",
    metavar: "<number>",
    about: "Months counted toward income-driven forgiveness; else 0",
    read: parseWhole,
    say: (value) => `${counted(Number(value), "month")} counted`
  },
  {
    flag: "pslf-payments",
    field: "pslfCount",
    metavar: "<number>",
    about: "Payments counted for public service; else 0",
    read: parseWhole,
    say: (value) => `${counted(Number(value), "payment")} of public service counted`
  },
  {
    flag: "made",
    field: "madeOn",
    metavar: "<date>",
    about: "Its first disbursement: 2026-09-04, or 2026-09; else unknown",
    read: parseDay,
    say: (value) => `made on ${day(value)}`
  }
]

export const LOAN: ReadonlyArray<FlagSpec> = OF_ONE_LOAN.map((spec) => ({ ...spec, repeats: true }))

/** Loan flags of a projection. Here the type has a default; eligibility would depend on it. */
export const PROJECTED_LOAN: ReadonlyArray<FlagSpec> = LOAN.map((spec) =>
  spec.flag === TYPE.flag
    ? {
        ...spec,
        about: "direct-subsidized or another; else direct-unsubsidized is assumed",
        absent: { assumed: DEFAULT_TYPE }
      }
    : spec
)
