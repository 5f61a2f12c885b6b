/**
 * GRADUATED: the Graduated plan, ten years of payments that rise every 24 months. A consolidation
 * loan has 10 to 30 years. Payment a month, loan by loan: levels rise geometrically until the last
 * is three times the first. No payment is below the interest of the first month. Formula:
 * `graduatedScheduleOf` in this file, run by `repayLoan` in src/engine/schedule/fixed.ts.
 *
 * The law bounds the ratio and leaves the schedule open. This schedule matches the Loan Simulator.
 *
 * DIRECT PLUS CONSOLIDATED has the plan from before July 2006, of 12 to 30 years. Each payment is
 * between half and one and a half times the ten-year payment. Its levels start as low as that
 * allows: `boundedScheduleOf` in this file.
 */

import type { ValueOf } from "../../../ledger/entry.ts"
import {
  consolidationStandardTerms,
  directPlusConsolidationTerms,
  graduatedPlanTerms,
  graduatedSchedule
} from "../../../ledger/rules/fixed-plans.ts"
import { interestAccrual, pauseInterest } from "../../../ledger/rules/interest.ts"
import type { Law } from "../law/law.ts"
import type { LoanTraits } from "../law/loan-types.ts"
import type { Trace } from "../law/trace.ts"
import { annuity, presentValueOfLevel } from "../schedule/annuity.ts"
import { type Book, NOT_SET } from "../schedule/book.ts"
import type { Holdings } from "../schedule/holdings.ts"
import { forThreshold } from "../schedule/rounding.ts"
import { fixedPlan } from "./plan.ts"
import { consolidationTerm, countedMonths, directPlusConsolidationTerm, traced } from "./terms.ts"

/** Input of a loan's schedule: dollars, rate per month, payments left. */
interface GraduatedLoan {
  readonly principal: number
  readonly interest: number
  readonly rate: number
  readonly months: number
}

interface GraduatedSchedule {
  /** Payment of the first level, in dollars a month. */
  readonly first: number
  /** Each level divided by the previous level. */
  readonly ratio: number
}

/**
 * Present value of a schedule that starts at one dollar, and its derivative with respect to the
 * ratio.
 */
const presentValue = (rate: number, months: number, levelMonths: number, ratio: number) => {
  const discountOfLevel = Math.exp(-levelMonths * Math.log1p(rate))
  let value = 0
  let slope = 0
  let discount = 1
  let factor = 1
  for (let from = 0; from < months; from += levelMonths) {
    const worth = presentValueOfLevel(rate, Math.min(levelMonths, months - from)) * discount
    const rank = from / levelMonths
    value += worth * factor
    slope += rank === 0 ? 0 : (worth * rank * factor) / ratio
    discount *= discountOfLevel
    factor *= ratio
  }
  return { value, slope }
}

const NEWTON_STEPS = 100

/**
 * The ratio, at least 1, at which payments that start at `first` repay the balance. Newton's method
 * from above converges because the sum is convex in the ratio.
 */
const solveRatio = (balance: number, first: number, rate: number, months: number, levelMonths: number): number => {
  let ratio = 1
  while (first * presentValue(rate, months, levelMonths, ratio).value < balance) ratio *= 2
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const { slope, value } = presentValue(rate, months, levelMonths, ratio)
    const next = ratio - (value - balance / first) / slope
    if (!(next < ratio)) break
    ratio = Math.max(1, next)
  }
  return ratio
}

/**
 * First payment and ratio of the levels. A first payment below the month's interest is raised to
 * it, and the ratio is solved so that the schedule still ends on time.
 * @law 34 CFR 685.208(b)(6)   @rule graduated-plan-terms, graduated-schedule
 */
const graduatedScheduleOf = (
  { lastOverFirst, stepMonths }: Pick<ValueOf<typeof graduatedSchedule>, "lastOverFirst" | "stepMonths">,
  { interest, months, principal, rate }: GraduatedLoan
): GraduatedSchedule => {
  const levels = Math.ceil(months / stepMonths)
  const ratio = levels === 1 ? 1 : lastOverFirst ** (1 / (levels - 1))
  const balance = principal + interest
  const first = balance / presentValue(rate, months, stepMonths, ratio).value
  const interestOnly = principal * rate
  if (first >= interestOnly) return { first, ratio }
  return { first: interestOnly, ratio: solveRatio(balance, interestOnly, rate, months, stepMonths) }
}

/** The lowest and the highest payment that the law allows for a loan, in dollars a month. */
interface Bounds {
  readonly least: number
  readonly most: number
}

/** @law 34 CFR 685.208(f)(3) of early 2023   @rule direct-plus-consolidation-terms */
const boundsOf = (law: Law, { interest, principal, rate }: GraduatedLoan, loanTrace?: Trace): Bounds => {
  const { leastOverStandard, mostOverStandard, standardTermMonths } = law.read(directPlusConsolidationTerms)
  const tenYear = annuity(principal + interest, rate, standardTermMonths)
  const bounds = { least: Math.max(principal * rate, leastOverStandard * tenYear), most: mostOverStandard * tenYear }
  loanTrace?.("tenYearLevel", tenYear, directPlusConsolidationTerms)
  loanTrace?.("leastPayment", bounds.least, directPlusConsolidationTerms)
  loanTrace?.("mostPayment", bounds.most, directPlusConsolidationTerms)
  return bounds
}

/** Halvings of a range of ratios; after these, a double cannot represent a closer ratio. */
const HALVINGS = 100

/**
 * First payment and ratio of the levels of a DIRECT PLUS CONSOLIDATED: the lowest first payment with
 * which all levels stay within the bounds. A higher one makes the last level lower. If even equal
 * payments reach a bound, every month has that payment, or the lower bound if that is more.
 * @law 34 CFR 685.208(f)(3) of early 2023   @rule direct-plus-consolidation-terms, graduated-schedule
 */
const boundedScheduleOf = (
  { stepMonths }: Pick<ValueOf<typeof graduatedSchedule>, "stepMonths">,
  { least, most }: Bounds,
  { interest, months, principal, rate }: GraduatedLoan
): GraduatedSchedule => {
  const steps = Math.ceil(months / stepMonths) - 1
  const balance = principal + interest
  const level = annuity(balance, rate, months)
  if (steps === 0 || least >= level || level >= most) return { first: Math.max(least, level), ratio: 1 }
  const steepest = solveRatio(balance, least, rate, months, stepMonths)
  if (forThreshold(least * steepest ** steps) <= forThreshold(most)) return { first: least, ratio: steepest }
  const firstAt = (ratio: number): number => balance / presentValue(rate, months, stepMonths, ratio).value
  let [ratio, above] = [1, steepest]
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (ratio + above) / 2
    if (firstAt(middle) * middle ** steps <= most) ratio = middle
    else above = middle
  }
  return { first: firstAt(ratio), ratio }
}

/** Sets the first payments that due loans do not have yet, from a month until their `monthsLeft`. */
const schedule = (law: Law, book: Book, month: number, _held: Holdings, trace?: Trace): number => {
  const terms = law.read(graduatedSchedule)
  for (let slot = 0; slot < book.size; slot++) {
    if (book.setIn[slot] !== NOT_SET || book.isOpen[slot] === 0) continue
    book.setIn[slot] = month
    const months = book.monthsLeft[slot]! - month
    const loan = { principal: book.principal[slot]!, interest: book.interest[slot]!, rate: book.rate[slot]!, months }
    const loanTrace = trace?.of(book.position[slot]!)
    loanTrace?.("balance", loan.principal + loan.interest, graduatedSchedule)
    if (month > 0) loanTrace?.("monthsLeft", months, pauseInterest)
    loanTrace?.("monthlyRate", loan.rate, interestAccrual)
    loanTrace?.("levels", Math.ceil(months / terms.stepMonths), graduatedSchedule)
    loanTrace?.("firstInterest", loan.principal * loan.rate, graduatedSchedule)
    const isBounded = book.traits[slot]!.directPlusConsolidation
    const { first, ratio } = isBounded
      ? boundedScheduleOf(terms, boundsOf(law, loan, loanTrace), loan)
      : graduatedScheduleOf(terms, loan)
    book.payment[slot] = first
    book.levelRatio[slot] = ratio
    const setBy = isBounded ? [graduatedSchedule, directPlusConsolidationTerms] : [graduatedSchedule]
    loanTrace?.("levelRatio", ratio, ...setBy)
    loanTrace?.("firstLevel", first, ...setBy)
  }
  return terms.stepMonths
}

/** @rule graduated-plan-terms, consolidation-standard-terms, direct-plus-consolidation-terms */
const term = (law: Law, traits: LoanTraits, held: Holdings, trace?: Trace): number => {
  if (traits.consolidation) return consolidationTerm(law, traits, held, trace)
  if (traits.directPlusConsolidation) return directPlusConsolidationTerm(law, held, trace)
  return traced(law.read(graduatedPlanTerms).months, "term", graduatedPlanTerms, trace)
}

export const graduated = fixedPlan({
  planType: "GRADUATED",
  calculator: { id: "graduated", label: "Graduated" },
  parityVerified: true,
  openTo: ({ eligibility }) => eligibility.GRADUATED,
  terms: [graduatedPlanTerms, graduatedSchedule],
  term,
  termRule: ({ consolidation, directPlusConsolidation }) => {
    if (consolidation) return consolidationStandardTerms
    return directPlusConsolidation ? directPlusConsolidationTerms : graduatedPlanTerms
  },
  monthsBehind: countedMonths,
  countsForPslf: () => false,
  schedule
})
