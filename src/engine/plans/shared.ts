/** What the income-driven plans share: discretionary income, the ten-year cap, the small-payment rule, citations. */
import { only } from "../../../ledger/circumstances.ts"
import type { Rule, ValueOf } from "../../../ledger/entry.ts"
import {
  ffelDirectPart,
  idrAnnualRecalculation,
  idrFamilySize,
  idrIncomeBase,
  idrJointProration
} from "../../../ledger/rules/household.ts"
import {
  idrForgivenessCount,
  idrSmallPaymentRule,
  tenYearCapBasis,
  tenYearCapFloor
} from "../../../ledger/rules/income-based.ts"
import { idrPaymentAllocation, idrSubsidizedInterestMonths, interestAccrual } from "../../../ledger/rules/interest.ts"
import { graduateLoanTypes, subsidizedLoanTypes } from "../../../ledger/rules/loan-types.ts"
import { povertyGuideline, povertyGuidelineRegionRule } from "../../../ledger/rules/poverty-guideline.ts"
import { directPartOf, type Household } from "../law/household.ts"
import type { Citation, Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import { annuity } from "../schedule/annuity.ts"
import { type Book, someKind } from "../schedule/book.ts"
import { MONTHS_PER_YEAR } from "../schedule/calendar.ts"
import { forThreshold } from "../schedule/rounding.ts"
import type { Beginning, IncomeDrivenPlan } from "./plan.ts"

/** Of every income-driven plan: whose income, and how months count. */
export const INCOME_AND_COUNT: Citation = { rules: [idrIncomeBase, idrAnnualRecalculation, idrForgivenessCount] }

/** Of the plans that measure income against the poverty guideline. */
export const GUIDELINE: Citation = { rules: [idrFamilySize, povertyGuideline, povertyGuidelineRegionRule] }

/** Of the plans that share a joint payment, and split one payment over the loans. */
export const SHARED_AND_SPLIT: ReadonlyArray<Citation> = [
  { rules: [idrJointProration], when: only.prorated },
  { rules: [idrPaymentAllocation], when: only.severalLoans }
]

/** The rules by which a plan shares a joint payment. */
export const sharedBy = ({ citesForHousehold }: IncomeDrivenPlan): ReadonlyArray<Rule> =>
  citesForHousehold.filter(({ when }) => when === only.prorated).flatMap(({ rules }) => rules)

/** Of the plans that waive the interest of subsidized loans for the first months. */
export const SUBSIDY: ReadonlyArray<Citation> = [
  { rules: [idrSubsidizedInterestMonths, subsidizedLoanTypes], when: only.subsidizedLoan }
]

/** Of the plans whose terms differ for graduate debt. */
export const GRADUATE_DEBT: Citation = { rules: [graduateLoanTypes] }

/**
 * A rate of discretionary income, which is income above a multiple of the poverty guideline: the borrower's share of it,
 * in dollars a month.
 * @law 34 CFR 685.209(b); 20 U.S.C. 1098e(a)(3)
 */
export const discretionaryPayment = (
  household: Household,
  income: number,
  ofIncome: OfIncome,
  trace?: Trace
): number => {
  const { isWithFfel, paymentRate, povertyMultiple } = ofIncome
  const { guideline, share } = household
  const discretionary = Math.max(0, income - povertyMultiple * guideline)
  const payment = ((paymentRate * discretionary) / MONTHS_PER_YEAR) * share * (isWithFfel ? directPartOf(household) : 1)
  if (trace !== undefined) tellOfIncome(trace, household, ofIncome, discretionary, payment)
  return payment
}

const tellOfIncome = (
  trace: Trace,
  household: Household,
  { isWithFfel, paymentRate, povertyMultiple, rule }: OfIncome,
  discretionary: number,
  payment: number
): void => {
  const { directPrincipal, familySize, ffelPrincipal, guideline, share } = household
  trace("familySize", familySize, idrFamilySize)
  trace("povertyGuideline", guideline, povertyGuideline, povertyGuidelineRegionRule)
  trace("povertyMultiple", povertyMultiple, rule)
  trace("discretionaryIncome", discretionary, rule)
  trace("paymentRate", paymentRate, rule)
  const shared = share === 1 ? [] : [idrJointProration]
  if (share !== 1) trace("share", share, ...shared)
  const divided = isWithFfel && ffelPrincipal > 0 ? [ffelDirectPart] : []
  if (divided.length > 0) {
    trace("directPrincipal", directPrincipal, ...divided)
    trace("ffelPrincipal", ffelPrincipal, ...divided)
    trace("directPart", directPartOf(household), ...divided)
  }
  trace("incomePayment", payment, rule, ...shared, ...divided)
}

/** How a payment follows discretionary income, and the rule that says so. */
interface OfIncome {
  readonly paymentRate: number
  readonly povertyMultiple: number
  readonly rule: Rule
  /** Whether students' FFEL loans carry a part of the payment. */
  readonly isWithFfel: boolean
}

/** Sum of the level payments that repay each loan from its balance over `months`, in dollars a month. */
export const levelPayments = (book: Book, months: number, rule: Rule, trace?: Trace): number => {
  let sum = 0
  trace?.("amortizationMonths", months, rule)
  for (let j = 0; j < book.size; j++) {
    const balance = book.principal[j]! + book.interest[j]!
    const payment = annuity(balance, book.rate[j]!, months)
    sum += payment
    if (trace === undefined) continue
    const loanTrace = trace.of(book.position[j]!)
    loanTrace("balance", balance, rule)
    loanTrace("monthlyRate", book.rate[j]!, interestAccrual)
    loanTrace("amortizedPayment", payment, rule)
  }
  return sum
}

/**
 * The ten-year standard amount that caps a payment, in dollars a month.
 * @law 34 CFR 685.209(f)(2)(ii), (f)(3)(ii)   @rule ten-year-cap-basis, ten-year-cap-floor
 */
export const tenYearStandardPayment = (law: Law, book: Book, trace?: Trace): number => {
  const level = levelPayments(book, law.read(tenYearCapBasis).months, tenYearCapBasis, trace)
  const cap = Math.max(law.read(tenYearCapFloor).monthly, level)
  trace?.("tenYearPayment", level, tenYearCapBasis)
  trace?.("paymentCap", cap, tenYearCapFloor)
  return cap
}

/**
 * Under 5 dollars nothing is due; from 5 to under 10 dollars, 10.
 * @law 34 CFR 685.209(g)(1)   @rule idr-small-payment-rule
 */
const withSmallPaymentRule = (
  { below5, from5Below10, raisedBelow, zeroBelow }: ValueOf<typeof idrSmallPaymentRule>,
  payment: number
): number => {
  const tested = forThreshold(payment)
  if (tested < zeroBelow) return below5
  return tested < raisedBelow ? from5Below10 : payment
}

/**
 * Payment by income of the plans with the small-payment rule, in dollars a month: a rate of discretionary income, at most
 * `cap`.
 */
export const smallRuledPayment = (
  { household, law }: Beginning,
  ofIncome: OfIncome,
  cap = Number.POSITIVE_INFINITY
): ((income: number, trace?: Trace) => number) => {
  const smallPayments = law.read(idrSmallPaymentRule)
  return (income, trace) => {
    const lesser = Math.min(discretionaryPayment(household, income, ofIncome, trace), cap)
    const payment = withSmallPaymentRule(smallPayments, lesser)
    if (cap !== Number.POSITIVE_INFINITY) trace?.("cappedPayment", lesser, ofIncome.rule, tenYearCapBasis)
    trace?.("smallRuledPayment", payment, idrSmallPaymentRule, idrForgivenessCount)
    return payment
  }
}

/** Whether a loan of the book was for graduate study. Of the loan types only one says so. @rule graduate-loan-types */
export const hasGraduateLoan = (book: Book): boolean => someKind(book, ({ graduate }) => graduate)
