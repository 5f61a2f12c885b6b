/**
 * REPAYMENT ASSISTANCE: a band rate of the whole income, less 50 dollars a dependent, and at least 10. What interest the
 * payment leaves is waived, and principal is matched. How a payment is spent is in schedule/pooled.ts.
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
import type { Note } from "../law/trace.ts"
import { MONTHS_PER_YEAR } from "../schedule/calendar.ts"
import type { SpentBy } from "../schedule/income-driven.ts"
import { PooledTerms } from "../schedule/pooled.ts"
import { forThreshold } from "../schedule/rounding.ts"
import { incomeDrivenPlan } from "./plan.ts"
import { INCOME_AND_COUNT } from "./shared.ts"
import { told } from "./terms.ts"

/** A flat amount a year, or a rate of the whole income, up to an income that it includes. */
interface Band {
  readonly notOver: number
  readonly flatAnnual: number | undefined
  readonly rate: number
}

/** A band as the ledger states it: the highest has no end, the lowest no rate. */
interface StatedBand {
  readonly notOver: number | null
  readonly flatAnnual?: number
  readonly rate?: number
}

/** The bands in one shape, which is read much faster year by year. */
const bandsOf = (law: Law): ReadonlyArray<Band> => {
  const stated: ReadonlyArray<StatedBand> = law.read(rapBasePaymentBands).bands
  return stated.map(({ flatAnnual, notOver, rate = 0 }) => ({
    notOver: notOver ?? Number.POSITIVE_INFINITY,
    flatAnnual,
    rate
  }))
}

/**
 * Base payment in dollars a year. A band includes its upper bound, and its rate applies to the whole income.
 * @law 20 U.S.C. 1087e(q)(4)(B); 34 CFR 685.209(f)(5)   @rule rap-base-payment-bands
 */
const basePayment = (bands: ReadonlyArray<Band>, income: number, note?: Note): number => {
  const tested = forThreshold(income)
  let rank = 0
  while (tested > bands[rank]!.notOver) rank++
  const { flatAnnual, rate } = bands[rank]!
  const annual = flatAnnual ?? income * rate
  if (flatAnnual === undefined) note?.("bandRate", rate, rapBasePaymentBands)
  note?.("annualPayment", annual, rapBasePaymentBands)
  return annual
}

/**
 * Monthly payment in dollars for a year's income, before "at most what is owed". Proration comes before the minimum.
 * @law 20 U.S.C. 1087e(q)(4)(A); 34 CFR 685.209(f)(5), (g)(3)
 * @rule rap-dependent-reduction, rap-minimum-payment, rap-joint-proration
 */
const applicableMonthlyPayment = (law: Law, household: Household): ((income: number, note?: Note) => number) => {
  const { dependents, share } = household
  const bands = bandsOf(law)
  const reduction = law.read(rapDependentReduction).perDependentMonthly * dependents
  const minimum = law.read(rapMinimumPayment).monthly
  return (income, note) => {
    const reduced = (basePayment(bands, income, note) / MONTHS_PER_YEAR - reduction) * share
    const payment = Math.max(minimum, reduced)
    if (note !== undefined) tell(note, household, { reduction, reduced, minimum, payment })
    return payment
  }
}

type Steps = Readonly<Record<"reduction" | "reduced" | "minimum" | "payment", number>>

const tell = (note: Note, { dependents, share }: Household, { minimum, payment, reduced, reduction }: Steps): void => {
  const less = dependents > 0 ? [rapDependentReduction] : []
  const shared = share === 1 ? [] : [rapJointProration]
  if (dependents > 0) note("dependentReduction", reduction, ...less)
  if (share !== 1) note("share", share, ...shared)
  note("reducedPayment", reduced, rapBasePaymentBands, ...less, ...shared)
  note("minimumPayment", minimum, rapMinimumPayment)
  note("atLeastMinimum", payment, rapMinimumPayment)
}

const SPENT_BY: SpentBy = {
  paid: [rapMinimumPayment],
  applied: [rapPaymentApplication],
  waived: rapInterestWaiver,
  matched: rapPrincipalMatch
}

/** @law 20 U.S.C. 1087e(q); 34 CFR 685.209(h)(4)   @rule rap-forgiveness-term, rap-payment-cap, rap-loan-exclusions */
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
  forgivenessMonths: (law, _book, note) =>
    told(law.read(rapForgivenessTerm).months, "forgivenessMonths", rapForgivenessTerm, note),
  begin: ({ household, law }) =>
    new PooledTerms({
      payment: applicableMonthlyPayment(law, household),
      matchMax: law.read(rapPrincipalMatch).cap,
      rules: SPENT_BY
    })
})
