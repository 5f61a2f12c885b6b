/**
 * Explained payments (POST /v1/explain): the names, units and formulas of the steps that compute an
 * income-driven payment.
 */
import { ffelDirectPart } from "../../../ledger/rules/household.ts"
import { idrSmallPaymentRule, tenYearCapFloor } from "../../../ledger/rules/income-based.ts"
import { icrMinimumPayment } from "../../../ledger/rules/income-contingent.ts"
import { povertyGuideline } from "../../../ledger/rules/poverty-guideline.ts"
import { rapBasePaymentBands, rapDependentReduction } from "../../../ledger/rules/repayment-assistance.ts"
import { saveTerms } from "../../../ledger/rules/save.ts"
import type { EnginePlan, Law } from "../../engine/index.ts"
import {
  A_MONTH,
  A_YEAR,
  DOLLARS,
  FACTOR,
  FRACTION,
  LEVEL,
  MONTHS,
  PERCENT,
  plainNumber,
  plainPercent,
  type Wording
} from "./words.ts"

const guideline = (law: Law): string => {
  const { alaska, contiguous48AndDC, hawaii } = law.read(povertyGuideline)
  const of = ({ eachAdditional, firstPerson }: typeof alaska | typeof contiguous48AndDC | typeof hawaii) =>
    `${plainNumber(firstPerson)} + (family size - 1) x ${plainNumber(eachAdditional)}`
  return `${of(contiguous48AndDC)}; in Alaska ${of(alaska)}; in Hawaii ${of(hawaii)}; x prices, if they grow`
}

const bands = (law: Law): string => {
  const rates = law
    .read(rapBasePaymentBands)
    .bands.flatMap((band) => ("rate" in band ? [`${plainPercent(band.rate)} over ${plainNumber(band.over)}`] : []))
  return `the rate of the band that contains the income of the year: ${rates.join(", ")}; a band includes its upper end`
}

const flatBand = (law: Law): string => {
  const flat = law.read(rapBasePaymentBands).bands.find((band) => "flatAnnual" in band)!
  return `rate of the band x income of the year; ${plainNumber(flat.flatAnnual)} up to an income of ${plainNumber(flat.notOver)}`
}

const rateOf = (law: Law, planType: EnginePlan): string => {
  if (planType !== "SAVE") return "of the plan"
  const { paymentRateGraduate, paymentRateUndergraduate } = law.read(saveTerms)
  return `${plainPercent(paymentRateUndergraduate)} x (1 - graduate share) + ${plainPercent(paymentRateGraduate)} x graduate share`
}

const COUNTS = "a month without a payment because of this counts too"

const smallPayments = (law: Law, planType: EnginePlan): string => {
  const { below5, from5Below10, raisedBelow, zeroBelow } = law.read(idrSmallPaymentRule)
  const uncapped = planType === "SAVE" || planType === "REVISED PAY AS YOU EARN"
  return `${uncapped ? "payment by income" : "capped payment"}; ${below5} where that is below ${zeroBelow}, ${from5Below10} where it is below ${raisedBelow}; ${COUNTS}`
}

const COLUMN =
  "from the table's column for single filers, or from the one for all others; it is an assumption that the second includes separate filers"

const ofHousehold = {
  incomeBase: [
    "income base",
    A_YEAR,
    "adjusted gross income, and the spouse's on a joint return; at the start, or in the year of the last change"
  ],
  income: [
    "income of the year",
    A_YEAR,
    "income base x (1 + annualIncomeGrowth), once for each full year before the month, or since the last change"
  ],
  ownDebt: [
    "own debt",
    DOLLARS,
    (law) =>
      `principal + unpaid interest at the start, of the loans of this payment and, under ${law.read(ffelDirectPart).plans.join(", ")}, of students' FFEL loans`
  ],
  spouseDebt: ["spouse's debt", DOLLARS, "spouseFederalLoanBalance"],
  directPrincipal: ["Direct principal", DOLLARS, "principal of the plan's own loans at the start"],
  ffelPrincipal: ["FFEL principal", DOLLARS, "principal of the students' FFEL loans at the start"],
  directPart: ["Direct part", FRACTION, "Direct principal / (Direct principal + FFEL principal), held from the start"],
  share: ["share of the joint payment", FRACTION, "own debt / (own debt + spouse's debt), own debt as at the start"],
  familySize: [
    "family size",
    "persons",
    "familySize; if none was sent, the borrower, the spouse on a joint return, the dependents"
  ],
  prices: [
    "prices relative to the first year",
    FACTOR,
    "(1 + annualPriceGrowth), once for each full year before the month"
  ],
  povertyGuideline: ["poverty guideline", A_YEAR, guideline],
  povertyMultiple: ["multiple of the guideline", "times the guideline", "of the plan"],
  discretionaryIncome: [
    "discretionary income",
    A_YEAR,
    "income of the year - multiple of the guideline x poverty guideline, at least 0"
  ]
} as const satisfies Wording

const ofDebt = {
  amortizationMonths: ["months of the amortization", MONTHS, "in which level payments would repay each loan"],
  amortizedPayment: ["amortized payment", A_MONTH, `${LEVEL} and the months of the amortization`],
  tenYearPayment: ["ten-year payment", A_MONTH, "sum of the amortized payments; fixed from the first due month"],
  paymentCap: [
    "cap",
    A_MONTH,
    (law) =>
      `ten-year payment, at least ${law.read(tenYearCapFloor).monthly}; applying this minimum to the cap is this engine's reading of the law`
  ],
  cappedPayment: ["capped payment", A_MONTH, "the lesser of the payment by income and the cap"],
  twelveYearPayment: ["twelve-year payment", A_MONTH, "sum of the amortized payments; fixed from the first due month"],
  lowerIncome: ["lower row", A_YEAR, `income of the last row below the income of the year, ${COLUMN}`],
  lowerPercentage: ["percentage of the lower row", PERCENT, "of that row"],
  upperIncome: [
    "upper row",
    A_YEAR,
    "income of the first row that is not below the income of the year, of the same column"
  ],
  upperPercentage: ["percentage of the upper row", PERCENT, "of that row"],
  incomePercentage: [
    "income percentage factor",
    PERCENT,
    "interpolated between the two rows, whose incomes rise with prices, and rounded half up to two decimals; at either end of the table, the percentage of the row there"
  ],
  factoredPayment: ["payment by debt", A_MONTH, "income percentage factor / 100 x twelve-year payment"],
  lesserPayment: ["lesser payment", A_MONTH, "the lesser of the payment by income and the payment by debt"]
} as const satisfies Wording

/** Steps of an income-driven plan's payment. */
export const INCOME_STEPS = {
  ...ofHousehold,
  graduateShare: [
    "graduate share",
    FRACTION,
    "original amounts of graduate loans / original amounts of all loans; an original amount is disbursedAmount, or principalBalance if that is 0"
  ],
  paymentRate: ["payment rate", FRACTION, rateOf],
  incomePayment: [
    "payment by income",
    A_MONTH,
    "payment rate x discretionary income / 12 x share of the joint payment (1 if none) x Direct part (1 if none)"
  ],
  ...ofDebt,
  smallRuledPayment: ["payment of the plan", A_MONTH, smallPayments],
  raisedPayment: [
    "payment of the plan",
    A_MONTH,
    (law) => `lesser payment, at least ${law.read(icrMinimumPayment).minimumWhenPositive} unless it is 0; ${COUNTS}`
  ],
  bandRate: ["rate of the band", FRACTION, bands],
  annualPayment: ["base payment", A_YEAR, flatBand],
  dependentReduction: [
    "reduction for dependents",
    A_MONTH,
    (law) => `${law.read(rapDependentReduction).perDependentMonthly} x dependents`
  ],
  reducedPayment: [
    "reduced payment",
    A_MONTH,
    "(base payment / 12 - reduction for dependents (0 if none)) x share of the joint payment (1 if none); it may be below 0"
  ],
  minimumPayment: ["minimum", A_MONTH, "of the plan"],
  atLeastMinimum: ["payment of the plan", A_MONTH, "reduced payment, at least the minimum"]
} as const satisfies Wording
