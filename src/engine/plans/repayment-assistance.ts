/**
 * REPAYMENT ASSISTANCE: RAP, the Repayment Assistance Plan, open since July 1, 2026.
 * Payment a month: 1 to 10 percent of the whole income, divided by 12, less $50 per dependent, at
 * least $10. The income's band sets the percentage; up to $10,000 the amount is $120 a year
 * instead. The balance is forgiven after 360 months.
 * Formula: `basePayment` and `applicableMonthlyPayment` in this file. The interest waiver and the
 * principal match are `payPool` in src/engine/schedule/pooled.ts.
 */
import { only } from "../../../ledger/circumstances.ts"
import {
  rapBasePaymentBands,
  rapDependentReduction,
  rapForgivenessTerm,
  rapInterestWaiver,
  rapJointProration,
  rapLoanExclusions,
  rapMinimumPayment,
  rapPaymentApplication,
  rapPaymentCap,
  rapPrincipalMatch
} from "../../../ledger/rules/repayment-assistance.ts"
import type { Household } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import { MONTHS_PER_YEAR } from "../schedule/calendar.ts"
import type { SpentBy } from "../schedule/income-driven.ts"
import { PooledTerms } from "../schedule/pooled.ts"
import { forThreshold } from "../schedule/rounding.ts"
import { incomeDrivenPlan } from "./plan.ts"
import { INCOME_AND_COUNT, traceShare } from "./shared.ts"
import { traced } from "./terms.ts"

/** A flat amount a year, or a rate of the whole income. A band includes its upper bound. */
interface Band {
  readonly notOver: number
  readonly flatAnnual: number | undefined
  readonly rate: number
}

/** A band as the ledger states it: the highest has no upper bound, the lowest no rate. */
interface StatedBand {
  readonly notOver: number | null
  readonly flatAnnual?: number
  readonly rate?: number
}

/** The bands as objects of one shape, which V8 reads much faster. */
const bandsOf = (law: Law): ReadonlyArray<Band> => {
  const stated: ReadonlyArray<StatedBand> = law.read(rapBasePaymentBands).bands
  return stated.map(({ flatAnnual, notOver, rate = 0 }) => ({
    notOver: notOver ?? Number.POSITIVE_INFINITY,
    flatAnnual,
    rate
  }))
}

/**
 * Base payment in dollars a year. The rate of the band applies to the whole income.
 * @law 20 U.S.C. 1087e(q)(4)(B); 34 CFR 685.209(f)(5)   @rule rap-base-payment-bands
 */
const basePayment = (bands: ReadonlyArray<Band>, income: number, trace?: Trace): number => {
  const tested = forThreshold(income)
  let rank = 0
  while (tested > bands[rank]!.notOver) rank++
  const { flatAnnual, rate } = bands[rank]!
  const annual = flatAnnual ?? income * rate
  if (flatAnnual === undefined) trace?.("bandRate", rate, rapBasePaymentBands)
  trace?.("annualPayment", annual, rapBasePaymentBands)
  return annual
}

/**
 * Monthly payment in dollars for a year's income, before it is limited to the debt. The borrower's
 * share of a couple's payment is applied before the minimum; `own` is the debt of the loans under
 * the plan at the start.
 * @law 20 U.S.C. 1087e(q)(4)(A); 34 CFR 685.209(f)(5), (g)(3)
 * @rule rap-dependent-reduction, rap-minimum-payment, rap-joint-proration
 */
const applicableMonthlyPayment = (law: Law, household: Household, own: number): ((trace?: Trace) => number) => {
  const bands = law.derived(bandsOf)
  const { perDependentMonthly } = law.read(rapDependentReduction)
  const minimum = law.read(rapMinimumPayment).monthly
  return (trace) => {
    const { dependents, income } = household
    const reduction = perDependentMonthly * dependents
    const reduced = (basePayment(bands, income, trace) / MONTHS_PER_YEAR - reduction) * household.shareOf(own)
    const payment = Math.max(minimum, reduced)
    if (trace !== undefined) traceSteps(trace, household, { own, reduction, reduced, minimum, payment })
    return payment
  }
}

type Steps = Readonly<Record<"own" | "reduction" | "reduced" | "minimum" | "payment", number>>

const traceSteps = (trace: Trace, household: Household, { minimum, own, payment, reduced, reduction }: Steps): void => {
  const less = household.dependents > 0 ? [rapDependentReduction] : []
  if (less.length > 0) trace("dependentReduction", reduction, ...less)
  const shared = traceShare(trace, household, own, rapJointProration)
  trace("reducedPayment", reduced, rapBasePaymentBands, ...less, ...shared)
  trace("minimumPayment", minimum, rapMinimumPayment)
  trace("atLeastMinimum", payment, rapMinimumPayment)
}

const SPENT_BY: SpentBy = {
  paid: [rapMinimumPayment],
  applied: [rapPaymentApplication],
  waived: rapInterestWaiver,
  matched: rapPrincipalMatch
}

/**
 * @law 20 U.S.C. 1087e(q); 34 CFR 685.209(h)(4)
 * @rule rap-forgiveness-term, rap-payment-cap, rap-loan-exclusions
 */
export const repaymentAssistance = incomeDrivenPlan({
  planType: "REPAYMENT ASSISTANCE",
  calculator: { id: "rap", label: "Repayment Assistance Plan" },
  parityVerified: true,
  openTo: ({ eligibility }) => eligibility["REPAYMENT ASSISTANCE"],
  terms: [
    rapBasePaymentBands,
    rapMinimumPayment,
    rapPaymentCap,
    rapForgivenessTerm,
    rapInterestWaiver,
    rapPaymentApplication,
    rapPrincipalMatch
  ],
  citesForHousehold: [
    INCOME_AND_COUNT,
    { rules: [rapDependentReduction], when: only.dependents },
    { rules: [rapJointProration], when: only.prorated },
    { rules: [rapLoanExclusions], when: only.parentPlusOutsidePlan }
  ],
  forgivenessMonths: (law, _book, trace) =>
    traced(law.read(rapForgivenessTerm).months, "forgivenessMonths", rapForgivenessTerm, trace),
  begin: ({ book, household, law }) =>
    new PooledTerms({
      payment: applicableMonthlyPayment(law, household, book.total),
      matchMax: law.read(rapPrincipalMatch).cap,
      rules: SPENT_BY
    })
})
