/**
 * What the members of the ledger's values are called, and in what their numbers are counted: the ledger gives one unit for
 * an entry, which may hold dollars, fractions and months beside each other. Nothing is computed but percents.
 */
import { dollars, percent, wholeDollars } from "../figures.ts"

const COUNTED_IN = {
  dollars:
    "Single MarriedFilingJointly MarriedFilingSeparately HeadOfHousehold aggregate aggregatePerStudent agi annual annualPerStudent balanceOver baseBalance below below5 cap eachAdditional exemptionAdditionalPerDependentChild exemptionPerDependent exemptionPerPerson firstPerson flatAnnual from from5Below10 higher lifetimeExcludingParentPlus lower max minimumMonthly minimumWhenPositive monthly notOver over perDependentMonthly phaseOutStart raisedBelow revenueAbove stepBalance subtract zeroBelow zeroBracket",
  fractions:
    "consolidationRoundingUp floor graduate indexRate otherwiseShare paymentRate paymentRateGraduate paymentRateUndergraduate phaseOutRate plus rate rateCut subsidizedUnsubsidized undergraduate",
  percents: "percent",
  months:
    "amortizationMonths baseMonths forgivenessMonths forgivenessMonthsGraduate forgivenessMonthsUndergraduate months monthsBetween standardTermMonths stepMonths subsidizedFullMonths subsidizedInterestBenefitMonths usualStepMonths",
  years: "legacyYearsMax years",
  times: "lastOverFirst maxRatio povertyMultiple",
  persons: "borrower eachDependent spouseOnJointReturn",
  plain:
    "annualMultiplier monthlyMultiplier payments percentDecimals periodsPerYear standardDeductionYear tableTaxYear taxYear year"
} as const
type Measure = keyof typeof COUNTED_IN

const measures = new Map(
  Object.entries(COUNTED_IN).flatMap(([measure, members]) =>
    members.split(" ").map((member) => [member, measure as Measure] as const)
  )
)

/** Rates by the year from which they apply. */
const YEAR = /^\d{4}$/

/** In what the numbers of a member are counted; undefined for a member that is not listed here. */
export const measureOf = (member: string, unit: string): Measure | undefined => {
  if (unit === "persons") return "persons"
  return YEAR.test(member) ? "fractions" : measures.get(member)
}

const PERCENT = 100
const MONTHS_PER_YEAR = 12

const counted = (amount: number, one: string): string => `${amount} ${one}${amount === 1 ? "" : "s"}`

const months = (amount: number): string =>
  amount % MONTHS_PER_YEAR === 0
    ? `${counted(amount, "month")} (${counted(amount / MONTHS_PER_YEAR, "year")})`
    : counted(amount, "month")

const SAID: Readonly<Record<Measure, (amount: number) => string>> = {
  dollars: (amount) => (Number.isInteger(amount) ? wholeDollars(amount) : dollars(amount)),
  fractions: percent,
  percents: (amount) => percent(amount / PERCENT),
  months,
  years: (amount) => counted(amount, "year"),
  times: (amount) => `${amount} times`,
  persons: (amount) => counted(amount, "person"),
  plain: String
}

/** A number of the ledger with its unit. */
export const amountText = (amount: number, member: string, unit: string): string =>
  SAID[measureOf(member, unit) ?? "plain"](amount)

/** Where the name in the data, taken apart, is not what a reader would call it. */
const NAMES: Readonly<Record<string, string>> = {
  agi: "AGI",
  below5: "Payment below $5 becomes",
  citation: "What was read",
  codes: "May elect",
  contiguous48AndDC: "48 contiguous states and DC",
  DeathOrTotalPermanentDisability: "Death or total and permanent disability",
  eachAdditional: "Each additional person",
  ffel: "FFEL",
  flatAnnual: "Flat amount a year",
  from5Below10: "Payment from $5 to below $10 becomes",
  HeadOfHousehold: "Head of household",
  jointUsesCombinedAgi: "Joint return uses combined AGI",
  lastOverFirst: "Last payment over first",
  legacyYearsMax: "Years for earlier borrowers, at most",
  MarriedFilingJointly: "Married, joint return",
  MarriedFilingSeparately: "Married, separate returns",
  max: "At most",
  minimumMonthly: "Minimum a month",
  monthly: "A month",
  None: "No forgiveness",
  parentPlus: "Parent PLUS",
  perDependentMonthly: "For each dependent, a month",
  percent: "Factor",
  plus: "PLUS",
  povertyMultiple: "Multiple of the poverty guideline",
  Pslf: "Public service",
  pslfProbablyTaxedByState: "Public service probably taxed by the state",
  subsidizedUnsubsidized: "Subsidized and unsubsidized",
  sunset: "Ends",
  takenAsParentPlus: "Taken as Parent PLUS",
  TimeBased: "After the plan's months"
}

const CAMEL_OR_KEBAB = /^[a-z][A-Za-z0-9-]*$/

const takenApart = (member: string): string => {
  const words = member
    .replaceAll(/([a-z])([A-Z0-9])|-/g, "$1 $2")
    .toLowerCase()
    .trim()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
    .replace(/\bplus\b/, "PLUS")
    .replace(/\bffel\b/i, "FFEL")
    .replace(/\bagi\b/, "AGI")
}

/** A member as a reader would call it. Plans, loan types and states have their names already. */
export const memberName = (member: string): string =>
  NAMES[member] ?? (CAMEL_OR_KEBAB.test(member) ? takenApart(member) : member)

const NOTHING: Readonly<Record<string, string>> = {
  below: "no limit",
  notOver: "no limit",
  outcome: "not known yet",
  over: "from 0",
  sunset: "never"
}

/** What the absence of a value says. */
export const nothingText = (member: string): string => NOTHING[member] ?? "none"
