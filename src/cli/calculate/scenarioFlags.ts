/** Specs of the flags that describe a household and its plan. */
import { Result } from "effect"
import { FILING_NAMES, PLAN_NAMES, STATE_NAMES } from "../../../schema/otherNames.ts"
import { FILING_ALIASES, FILING_STATUSES, PLAN_TYPES, STATES } from "../../../schema/scenario.ts"
import { counted } from "../views/text.ts"
import { parseDay } from "./days.ts"
import { day, type FlagSpec, itself, money, rate } from "./flagSpec.ts"
import { parseDollars, parseName, parsePercent, parseText, parseWhole, parseYesOrNo } from "./parsers.ts"

const MAX_GROWTH = 50
const MAX_PRICE_GROWTH = 10
const MAX_DISCOUNT = 20

const PLANS = ["RAP", "IBR-NEW", "IBR-OLD", "PAYE", "ICR", "SAVE", "REPAYE", "standard", "graduated", "extended"]
export const ANY_PLAN = `one of ${PLANS.join(", ")}`
const parsePlan = parseName(PLAN_TYPES, { otherNames: PLAN_NAMES, send: ANY_PLAN })

/** The names that the flag offers, by plan type. */
const SHORT_NAMES = new Map(PLANS.map((name) => [Result.getOrThrow(parsePlan(name)), name]))

export const shortPlanName = (planType: string): string => SHORT_NAMES.get(planType) ?? planType

export const PLAN: FlagSpec = {
  flag: "plan",
  field: "planType",
  metavar: "<plan>",
  names: PLANS,
  about: "RAP, IBR-NEW, IBR-OLD, PAYE, ICR, standard, graduated, extended",
  read: (text) =>
    Result.mapError(parsePlan(text), (message) => message.replaceAll(/"([^"]+)"/g, (_, name) => shortPlanName(name))),
  say: itself,
  absent: { send: ANY_PLAN }
}

const STATUSES = ["single", "mfj", "mfs", "hoh"]

export const INCOME: FlagSpec = {
  flag: "income",
  field: "adjustedGrossIncome",
  metavar: "<dollars>",
  about: "The borrower's adjusted gross income a year",
  read: parseDollars,
  say: (value) => `income ${money(value)}`,
  absent: { send: "US dollars a year, 0 for no income" }
}

export const STATUS: FlagSpec = {
  flag: "status",
  field: "filingStatus",
  metavar: "<status>",
  names: STATUSES,
  about: "single, mfj, mfs or hoh; else single is assumed",
  read: parseName(FILING_STATUSES, {
    aliases: FILING_ALIASES,
    otherNames: FILING_NAMES,
    send: "single, mfj, mfs or hoh"
  }),
  say: (value) => `filing ${value}`,
  absent: { assumed: "Single" }
}

export const DEPENDENTS: FlagSpec = {
  flag: "dependents",
  field: "dependents",
  metavar: "<number>",
  about: "Dependents without the spouse; else none are assumed",
  read: parseWhole,
  say: (value) => counted(Number(value), "dependent"),
  absent: { assumed: 0 }
}

const STATE: FlagSpec = {
  flag: "state",
  field: "state",
  metavar: "<code>",
  names: STATES,
  about: "Two letters, such as NC; else TX is assumed",
  read: parseName(STATES, { otherNames: STATE_NAMES, send: "two letters, such as NC" }),
  say: (value) => `state ${value}`,
  absent: { assumed: "TX" }
}

export const PSLF: FlagSpec = {
  flag: "pslf",
  field: "workingTowardsPslf",
  about: "Works toward PSLF, or --no-pslf; else it is assumed not to",
  read: parseYesOrNo,
  say: (value) => (value === true ? "public service" : "no public service"),
  absent: { assumed: false }
}

const GROWTH: FlagSpec = {
  flag: "growth",
  field: "annualIncomeGrowth",
  metavar: "<percent>",
  about: "Growth of income a year, such as 3; else 0",
  read: parsePercent(MAX_GROWTH),
  say: (value) => `income growing by ${rate(value)} a year`
}

export const HOUSEHOLD: ReadonlyArray<FlagSpec> = [INCOME, STATUS, DEPENDENTS, STATE, PSLF, GROWTH]

/** Has an effect only on a joint return. */
export const SPOUSE_INCOME: FlagSpec = {
  flag: "spouse-income",
  field: "spouseAdjustedGrossIncome",
  metavar: "<dollars>",
  about: "The spouse's income a year, with --status mfj",
  read: parseDollars,
  say: (value) => `spouse's income ${money(value)}`
}

export const SPOUSE_BALANCE: FlagSpec = {
  flag: "spouse-balance",
  field: "spouseFederalLoanBalance",
  metavar: "<dollars>",
  about: "The spouse's federal loans, with --status mfj",
  read: parseDollars,
  say: (value) => `spouse's loans ${money(value)}`
}

export const FIRST_BORROWED: FlagSpec = {
  flag: "first-borrowed",
  field: "firstBorrowedOn",
  metavar: "<date>",
  about: "Since when something was owed without a break; else unknown",
  read: parseDay,
  say: (value) => `first borrowed on ${day(value)}`
}

export const PRICE_GROWTH: FlagSpec = {
  flag: "price-growth",
  field: "annualPriceGrowth",
  metavar: "<percent>",
  about: "Growth of prices a year, such as 2.5; else 0",
  read: parsePercent(MAX_PRICE_GROWTH),
  say: (value) => `prices growing by ${rate(value)} a year`
}

export const EXTRA: FlagSpec = {
  flag: "extra",
  field: "extraMonthlyPayment",
  metavar: "<dollars>",
  about: "Paid every month beyond what is due; else 0",
  read: parseDollars,
  say: (value) => `${money(value)} extra a month`
}

export const BUDGET: FlagSpec = {
  flag: "budget",
  field: "monthlyBudget",
  metavar: "<dollars>",
  about: "Paid every month in all, in place of --extra; else what is due",
  read: parseDollars,
  say: (value) => (value === 0 ? "no budget" : `${money(value)} a month in all`)
}

export const FAMILY: FlagSpec = {
  flag: "family",
  field: "familySize",
  metavar: "<number>",
  about: "People as the servicer counts them; else those of the return",
  read: parseWhole,
  say: (value) => `a family of ${value}`
}

export const DISCOUNT: FlagSpec = {
  flag: "discount",
  field: "discountRate",
  metavar: "<percent>",
  about: "Adds the value of today, discounted by this a year, such as 3",
  read: parsePercent(MAX_DISCOUNT),
  say: (value) => `discounted by ${rate(value)} a year`
}

export const LABEL: FlagSpec = {
  flag: "label",
  field: "label",
  metavar: "<text>",
  about: "A name for the answer",
  read: parseText,
  say: (value) => `label ${JSON.stringify(value)}`
}

export const YEARLY: FlagSpec = {
  flag: "yearly",
  field: "includeYearly",
  about: "The years in the JSON; the table of project has them always",
  read: parseYesOrNo,
  say: (value) => (value === true ? "with its years" : "without its years")
}
