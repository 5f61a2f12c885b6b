/**
 * The formulas shared by the income-driven plans other than RAP (IBR, PAYE, ICR, REPAYE, SAVE), and
 * their citations:
 * - `discretionaryPayment`: a rate of income above a multiple of the poverty guideline
 * - `tenYearStandardPayment`: the cap of IBR and PAYE
 * - `smallRuledPayment`: the first two with the rule for payments below $10
 * - `levelPayments`: the sum of level payments over a term, for the cap and for ICR
 */
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
import { directPartOf, type Household, isWithFfel, type SharedDebt } from "../law/household.ts"
import type { Citation, Law } from "../law/law.ts"
import type { Trace } from "../law/trace.ts"
import { annuity } from "../schedule/annuity.ts"
import { type Book, someKind } from "../schedule/book.ts"
import { MONTHS_PER_YEAR } from "../schedule/calendar.ts"
import { forThreshold } from "../schedule/rounding.ts"
import type { Beginning, EnginePlan } from "./plan.ts"

/** Cited by every income-driven plan: the income base and the counting of months. */
export const INCOME_AND_COUNT: Citation = { rules: [idrIncomeBase, idrAnnualRecalculation, idrForgivenessCount] }

/** Cited by the plans that measure income against the poverty guideline. */
export const GUIDELINE: Citation = { rules: [idrFamilySize, povertyGuideline, povertyGuidelineRegionRule] }

/** Cited by the plans that split one payment over the loans. */
export const SPLIT: Citation = { rules: [idrPaymentAllocation], when: only.severalLoans }

/** Cited by the plans that also prorate a joint payment. */
export const SHARED_AND_SPLIT: ReadonlyArray<Citation> = [{ rules: [idrJointProration], when: only.prorated }, SPLIT]

/** Cited by the plans that waive interest on subsidized loans in the first months. */
export const SUBSIDY: ReadonlyArray<Citation> = [
  { rules: [idrSubsidizedInterestMonths, subsidizedLoanTypes], when: only.subsidizedLoan }
]

/** Cited by the plans with other terms for graduate debt. */
export const GRADUATE_DEBT: Citation = { rules: [graduateLoanTypes] }

/**
 * The debts by which the payment of a book is divided with a spouse or with FFEL loans.
 * @rule idr-joint-proration, ffel-direct-part
 */
export const sharedDebtOf = ({ book, held, law }: Beginning, planType: EnginePlan): SharedDebt => {
  const { held: loans, startPrincipal, total } = book
  if (held.ffelStudent === 0 || !isWithFfel(law, planType)) return { own: total, directPrincipal: 0, ffelPrincipal: 0 }
  let directPrincipal = 0
  for (let slot = 0; slot < loans; slot++) directPrincipal += startPrincipal[slot]!
  return { own: total + held.ffelStudent, directPrincipal, ffelPrincipal: held.ffelStudentPrincipal }
}

/**
 * Payment by income, in dollars a month: rate x discretionary income / 12. If the plan divides it,
 * it is also x the borrower's share and the Direct part. Discretionary income is income above a
 * multiple of the poverty guideline.
 * @law 34 CFR 685.209(b); 20 U.S.C. 1098e(a)(3)
 */
export const discretionaryPayment = (household: Household, formula: IncomeFormula, trace?: Trace): number => {
  const { debt, paymentRate, povertyMultiple } = formula
  const { guideline, income } = household
  const discretionary = Math.max(0, income - povertyMultiple * guideline)
  const whole = (paymentRate * discretionary) / MONTHS_PER_YEAR
  const payment = debt === null ? whole : whole * household.shareOf(debt.own) * directPartOf(debt)
  if (trace !== undefined) traceIncome(trace, household, formula, discretionary, payment)
  return payment
}

const traceIncome = (
  trace: Trace,
  household: Household,
  { debt, paymentRate, povertyMultiple, rule }: IncomeFormula,
  discretionary: number,
  payment: number
): void => {
  const { familySize, guideline, prices } = household
  trace("familySize", familySize, idrFamilySize)
  if (prices !== 1) trace("prices", prices, povertyGuideline)
  trace("povertyGuideline", guideline, povertyGuideline, povertyGuidelineRegionRule)
  trace("povertyMultiple", povertyMultiple, rule)
  trace("discretionaryIncome", discretionary, rule)
  trace("paymentRate", paymentRate, rule)
  const shared = debt === null ? [] : traceShare(trace, household, debt.own, idrJointProration)
  const divided = debt === null || debt.ffelPrincipal === 0 ? [] : [ffelDirectPart]
  if (debt !== null && divided.length > 0) {
    trace("directPrincipal", debt.directPrincipal, ...divided)
    trace("ffelPrincipal", debt.ffelPrincipal, ...divided)
    trace("directPart", directPartOf(debt), ...divided)
  }
  trace("incomePayment", payment, rule, ...shared, ...divided)
}

/** Traces the share of a joint payment. Returns its rules; none if the payment is not shared. */
export const traceShare = (trace: Trace, household: Household, own: number, rule: Rule): ReadonlyArray<Rule> => {
  if (household.spouseDebt === 0) return []
  trace("ownDebt", own, rule)
  trace("spouseDebt", household.spouseDebt, rule)
  trace("share", household.shareOf(own), rule)
  return [rule]
}

/** The parameters of a payment by income, and their rule. */
interface IncomeFormula {
  readonly paymentRate: number
  readonly povertyMultiple: number
  readonly rule: Rule
  /** The debts by which the plan divides the payment; null if the plan does not divide it. */
  readonly debt: SharedDebt | null
}

/** Sum of the level payments that repay each loan over `months`, in dollars a month. */
export const levelPayments = (book: Book, months: number, rule: Rule, trace?: Trace): number => {
  let sum = 0
  trace?.("amortizationMonths", months, rule)
  for (let j = 0; j < book.held; j++) {
    if (book.isOpen[j] === 0) continue
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
 * The ten-year standard payment, in dollars a month, which caps IBR and PAYE. At least $50.
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
 * A payment below $5 becomes 0; one of $5 or more and below $10 becomes $10.
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

/** Payment by income, at most `cap`, after the small-payment rule, in dollars a month. */
export const smallRuledPayment = (
  { household, law }: Beginning,
  formula: IncomeFormula,
  cap = Number.POSITIVE_INFINITY
): ((trace?: Trace) => number) => {
  const smallPayments = law.read(idrSmallPaymentRule)
  return (trace) => {
    const lesser = Math.min(discretionaryPayment(household, formula, trace), cap)
    const payment = withSmallPaymentRule(smallPayments, lesser)
    if (cap !== Number.POSITIVE_INFINITY) trace?.("cappedPayment", lesser, formula.rule, tenYearCapBasis)
    trace?.("smallRuledPayment", payment, idrSmallPaymentRule, idrForgivenessCount)
    return payment
  }
}

/**
 * Whether the book has a loan for graduate study. Only one loan type shows it.
 * @rule graduate-loan-types
 */
export const hasGraduateLoan = (book: Book): boolean => someKind(book, ({ graduate }) => graduate)
