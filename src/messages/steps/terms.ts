/**
 * Explained payments (POST /v1/explain): the names, units and formulas of the steps that compute
 * the term of a fixed plan and its scheduled payments.
 */
import {
  directPlusConsolidationTerms,
  graduatedSchedule,
  standardPlanTerms
} from "../../../ledger/rules/fixed-plans.ts"
import type { Law } from "../../engine/index.ts"
import { A_MONTH, DOLLARS, FACTOR, FRACTION, LEVEL, MONTHS, type Wording } from "./words.ts"

const ratio = (law: Law): string =>
  `${law.read(graduatedSchedule).lastOverFirst}^(1 / (levels - 1)): the last level is that many times the first; 1 if there is one level. If the first level is the interest of the first month, the ratio is solved so that the levels repay the balance. DIRECT PLUS CONSOLIDATED: always solved so, and 1 if every payment is the same`

const firstLevel = (law: Law): string =>
  `balance / sum over the months left, m = 1, 2, ..., of ratio^floor((m - 1) / ${law.read(graduatedSchedule).stepMonths}) / (1 + rate)^m; at least the interest of the first month. DIRECT PLUS CONSOLIDATED: the lowest amount from the lowest payment on whose last level is not above the highest payment; if there is none below the level payment over the months left, the greater of that and the lowest payment`

const raise = (law: Law, all: string): string => {
  const least = law.read(standardPlanTerms).minimumMonthly
  return `${least} / ${all}; after a pause (${least} - those set before) / those set now, at least 1`
}

/** The steps of a fixed plan's term, and of an amortization. */
export const TERM_STEPS = {
  consolidationBase: [
    "consolidation balance",
    DOLLARS,
    "consolidation loans of the program + other loans up to the same amount"
  ],
  tierBalance: ["tier balance", DOLLARS, "principal of the Direct loans"],
  directBalance: ["Direct balance", DOLLARS, "principal + unpaid interest of the Direct loans"],
  term: ["term", MONTHS, "of the plan, or of the table by the consolidation, tier or Direct balance shown before"],
  monthsBehind: [
    "months behind",
    MONTHS,
    "idrMonthsInRepayment; for a Direct loan on ten-year STANDARD the larger of it and pslfCount"
  ],
  monthsLeft: ["months left", MONTHS, "term - months behind (0 if none) - months due before a pause that has ended"],
  balance: [
    "balance",
    DOLLARS,
    "principal + unpaid interest at the start, as a pause ends, or as the plan takes over from one that has ended"
  ],
  monthlyRate: ["rate a month", FRACTION, "interestRate / 12"],
  levelPayment: ["level payment", A_MONTH, `${LEVEL} and the months left (the term if none are shown)`],
  allLevelPayments: ["all level payments", A_MONTH, "sum over the due loans; of those set before, as raised then"],
  allTieredPayments: ["all level payments of Tiered Standard", A_MONTH, "sum over the due Direct loans"],
  tieredRaise: ["raise of Tiered Standard", FACTOR, (law) => raise(law, "all level payments of Tiered Standard")],
  raise: ["raise", FACTOR, (law) => raise(law, "all level payments")],
  levels: ["levels", "levels", (law) => `months left / ${law.read(graduatedSchedule).stepMonths}, rounded up`],
  firstInterest: ["interest of the first month", A_MONTH, "principal x rate a month, as the levels are set"],
  tenYearLevel: [
    "ten-year payment of the loan",
    A_MONTH,
    (law) => `${LEVEL} and ${law.read(directPlusConsolidationTerms).standardTermMonths} months`
  ],
  leastPayment: [
    "lowest payment",
    A_MONTH,
    (law) =>
      `${law.read(directPlusConsolidationTerms).leastOverStandard} x ten-year payment of the loan, at least the interest of the first month`
  ],
  mostPayment: [
    "highest payment",
    A_MONTH,
    (law) => `${law.read(directPlusConsolidationTerms).mostOverStandard} x ten-year payment of the loan`
  ],
  levelRatio: ["ratio of the levels", FACTOR, ratio],
  firstLevel: ["first level", A_MONTH, firstLevel],
  scheduledPayment: [
    "scheduled payment",
    A_MONTH,
    (law, planType) =>
      planType === "GRADUATED"
        ? `first level x ratio for every full ${law.read(graduatedSchedule).stepMonths} months since the levels were set`
        : "level payment x raise (1 if none)"
  ]
} as const satisfies Wording
