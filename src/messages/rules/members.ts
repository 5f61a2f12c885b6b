/**
 * The display names and units of the members of the ledger's values, which are JSON objects. The
 * ledger has one unit per entry, but an entry may mix dollars, fractions and months.
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
  times: "lastOverFirst leastOverStandard maxRatio mostOverStandard povertyMultiple",
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

/** A member named by a year: its value is the rate from that year on. */
const YEAR = /^\d{4}$/

/** The unit of a member's numbers; undefined if the member is not listed here. */
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

const FORMATS: Readonly<Record<Measure, (amount: number) => string>> = {
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
  FORMATS[measureOf(member, unit) ?? "plain"](amount)

/** Names of members whose identifier is not readable when it is split into words. */
const NAMES: Readonly<Record<string, string>> = {
  agi: "AGI",
  appliedBefore: "Applied before these",
  balanceOver: "Only for a balance over",
  below5: "Payment below $5 becomes",
  cappedAtStandard: "Capped at the standard payment",
  cappedAtTenYearStandard: "Capped at the ten-year standard payment",
  carveOutWindow: "Window of the exception",
  citation: "What was read",
  codes: "May elect",
  consolidationRoundingUp: "Consolidations round up to a multiple of",
  contiguous48AndDC: "48 contiguous states and DC",
  DeathOrTotalPermanentDisability: "Death or total and permanent disability",
  eachAdditional: "Each additional person",
  enactedLaterRates: "Later rates enacted",
  exemptionAdditionalPerDependentChild: "Additional exemption for each dependent child",
  ffel: "FFEL",
  flatAnnual: "Flat amount a year",
  forgivenessMonths: "Time to forgiveness",
  forgivenessMonthsGraduate: "Time to forgiveness, with graduate loans",
  forgivenessMonthsUndergraduate: "Time to forgiveness, undergraduate loans alone",
  from5Below10: "Payment from $5 to below $10 becomes",
  HeadOfHousehold: "Head of household",
  jointUsesCombinedAgi: "Joint return uses combined AGI",
  lastOverFirst: "Last payment over first",
  leastOverStandard: "Lowest payment over the ten-year payment",
  legacyYearsMax: "Years for earlier borrowers, at most",
  MarriedFilingJointly: "Married, joint return",
  MarriedFilingSeparately: "Married, separate returns",
  max: "At most",
  maxRatio: "Last payment over first, at most",
  minimumMonthly: "Minimum a month",
  minimumWhenPositive: "Minimum unless 0",
  monthly: "A month",
  monthsBetween: "Between recalculations",
  mostOverStandard: "Highest payment over the ten-year payment",
  None: "No forgiveness",
  otherwiseShare: "Share otherwise",
  parentPlus: "Parent PLUS",
  percent: "Factor",
  perDependentMonthly: "For each dependent, a month",
  phaseOutRate: "Phase-out rate",
  phaseOutStart: "Phase-out begins at",
  plus: "PLUS",
  povertyMultiple: "Multiple of the poverty guideline",
  Pslf: "Public service",
  pslfProbablyTaxedByState: "Public service probably taxed by the state",
  reducedWhenALoanEnds: "Reduced when a loan ends",
  requiresOnTimePayment: "Requires on-time payment",
  spouseOnJointReturn: "Spouse, on a joint return",
  subsidizedUnsubsidized: "Subsidized and unsubsidized",
  sunset: "Ends",
  TimeBased: "After the plan's months",
  zeroBelow: "Becomes 0 below"
}

const CAMEL_OR_KEBAB = /^[a-z][A-Za-z0-9-]*$/

const splitWords = (member: string): string => {
  const words = member
    .replaceAll(/([a-z])([A-Z0-9])|-/g, "$1 $2")
    .toLowerCase()
    .trim()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
    .replace(/\bplus\b/, "PLUS")
    .replace(/\bffel\b/i, "FFEL")
    .replace(/\bagi\b/, "AGI")
}

/** An identifier in camel case, such as a member or a status. */
const JOINED = /^[A-Za-z]*[a-z][A-Z0-9][A-Za-z0-9]*$/

/** Whether a text is an identifier and not prose. */
export const isName = (text: string): boolean => JOINED.test(text)

/** The display name of a member. Plans, loan types and states are shown as they are. */
export const memberName = (member: string): string =>
  NAMES[member] ?? (CAMEL_OR_KEBAB.test(member) ? splitWords(member) : member)

const NOTHING: Readonly<Record<string, string>> = {
  below: "no limit",
  notOver: "no limit",
  outcome: "not known yet",
  over: "from 0",
  sunset: "never"
}

/** The text for a null value. */
export const nothingText = (member: string): string => NOTHING[member] ?? "none"
