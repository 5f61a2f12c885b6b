/**
 * The oracle's projection: the repayment with tax, dates and rounding. Rounded fields are integer
 * cents, dollars or millionths; `exact` has the values before rounding.
 */
import { totalOf } from "./book.ts"
import { dateOf, type Start } from "./calendar.ts"
import { type Decimal, div, fromInteger, mul, ONE, power, root, ZERO } from "./decimal.ts"
import type { PlanType } from "./matrix.ts"
import { planAtStart } from "./plan-changes.ts"
import type { OracleRefusal } from "./refusal.ts"
import { type Month, type Repayment, repay } from "./repayment.ts"
import { allowedCents, CENT, toCents, toDollars, toMillionths } from "./rounding.ts"
import { type ForgivenessTax, taxOnForgiveness } from "./tax.ts"
import type { Edges } from "./thresholds.ts"
import { type Borrower, type Loan, readBorrower, readLoans, readPlanType, type WireProjection } from "./wire.ts"
import { householdIn } from "./years.ts"

export type OracleForgivenessType = "Pslf" | "TimeBased" | "None"

export interface OraclePoint {
  readonly year: number
  readonly date: string
  readonly principalBalance: bigint
  readonly interestBalance: bigint
  readonly paymentsThisYear: bigint
  readonly cumulativePaid: bigint
  readonly forgivenThisYear: bigint
  readonly exact: {
    readonly principalBalance: Decimal
    readonly interestBalance: Decimal
    readonly cumulativePaid: Decimal
    readonly cumulativeForgiven: Decimal
  }
}

export interface YearTax extends ForgivenessTax {
  /** Counted from 0. */
  readonly year: number
}

/** Taxes are in it as rounded. The tolerance of their rounding allows a lowest and a highest. */
export interface PresentValue {
  readonly value: Decimal
  readonly lowest: Decimal
  readonly highest: Decimal
}

export interface OracleExact {
  readonly firstPayment: Decimal
  readonly totalOutOfPocket: Decimal
  readonly amountForgiven: Decimal
  readonly pslf: Decimal
  readonly timeBased: Decimal
  /**
   * One entry per projection year with time-based forgiveness. Federal and state are rounded
   * separately.
   */
  readonly taxes: ReadonlyArray<YearTax>
  readonly weightedAverageInterestRate: Decimal
  readonly months: ReadonlyArray<Month>
  /** Null unless a discount rate is sent. */
  readonly presentValue: PresentValue | null
}

export interface OracleProjection {
  readonly kind: "projection"
  readonly label: string | null
  readonly planType: PlanType
  readonly year1MonthlyPayment: bigint
  readonly payoffOrForgivenessDate: string | null
  readonly monthsToFinish: number | null
  readonly totalOutOfPocket: bigint
  readonly amountForgiven: bigint
  readonly forgivenessTaxesOwed: bigint
  readonly forgivenessType: OracleForgivenessType
  readonly weightedAverageInterestRate: bigint
  /** Null unless a discount rate is sent. */
  readonly presentValue: bigint | null
  /** Null unless requested. */
  readonly yearly: ReadonlyArray<OraclePoint> | null
  readonly exact: OracleExact
  readonly edges: Edges
}

/**
 * sum(rate * principal) / sum(principal) over all loans; the plain mean if no loan has principal.
 */
function averageRate(loans: ReadonlyArray<Loan>): Decimal {
  const principal = totalOf(loans.map((loan) => loan.principal))
  if (principal === ZERO) return div(totalOf(loans.map((loan) => loan.rate)), fromInteger(loans.length))
  return div(totalOf(loans.map((loan) => mul(loan.rate, loan.principal))), principal)
}

/** The tax of each projection year with time-based forgiveness, on that year's household. */
function taxesOf(borrower: Borrower, months: ReadonlyArray<Month>, edges: Edges): ReadonlyArray<YearTax> {
  const taxes: Array<YearTax> = []
  for (let year = 0; year * 12 < months.length; year++) {
    const forgiven = totalOf(months.slice(year * 12, year * 12 + 12).map((month) => month.timeBased))
    if (forgiven > ZERO) taxes.push({ year, ...taxOnForgiveness(householdIn(borrower, year), forgiven, edges) })
  }
  return taxes
}

export const taxCents = (taxes: ReadonlyArray<ForgivenessTax>): bigint =>
  taxes.reduce((sum, { federal, state }) => sum + toCents(federal) + toCents(state), 0n)

/**
 * What payments and taxes are worth in month 0: those of month m divided by (1+d)^(m/12), a year's
 * tax by (1+d)^(k+1).
 */
function presentValueOf(rate: Decimal, months: ReadonlyArray<Month>, taxes: ReadonlyArray<YearTax>): PresentValue {
  const monthly = root(ONE + rate, 12)
  const paid = totalOf(months.map((month, m) => div(month.paid, power(monthly, m))))
  const taxed = (round: (tax: Decimal) => bigint) =>
    totalOf(
      taxes.map(({ federal, state, year }) => div((round(federal) + round(state)) * CENT, power(ONE + rate, year + 1)))
    )
  return {
    value: paid + taxed(toCents),
    lowest: paid + taxed((tax) => allowedCents(tax).lowest),
    highest: paid + taxed((tax) => allowedCents(tax).highest)
  }
}

/** The type with the larger amount: PSLF on a tie, None if the rounded amount is 0. */
export function forgivenessTypeOf(pslf: Decimal, timeBased: Decimal): OracleForgivenessType {
  if (toCents(pslf + timeBased) === 0n) return "None"
  return toCents(pslf) >= toCents(timeBased) ? "Pslf" : "TimeBased"
}

const paidIn = (months: ReadonlyArray<Month>): Decimal => totalOf(months.map((month) => month.paid))

const forgivenIn = (months: ReadonlyArray<Month>): Decimal =>
  totalOf(months.map((month) => month.pslf + month.timeBased))

/** The yearly series: year 0 is the book as sent, then one point after each year. */
function yearlyPoints(
  loans: ReadonlyArray<Loan>,
  months: ReadonlyArray<Month>,
  start: Start
): ReadonlyArray<OraclePoint> {
  const opening = {
    principalBalance: totalOf(loans.map((loan) => loan.principal)),
    interestBalance: totalOf(loans.map((loan) => loan.interest)),
    cumulativePaid: ZERO,
    cumulativeForgiven: ZERO
  }
  const points = [pointOf(0, dateOf(start, 0), opening, null)]
  for (let year = 1; (year - 1) * 12 < months.length; year++) {
    const count = Math.min(year * 12, months.length)
    const last = months[count - 1]!
    const before = points[year - 1]!.exact
    const thisYear = months.slice((year - 1) * 12, count)
    const exact = {
      principalBalance: last.principal,
      interestBalance: last.interest,
      cumulativePaid: before.cumulativePaid + paidIn(thisYear),
      cumulativeForgiven: before.cumulativeForgiven + forgivenIn(thisYear)
    }
    points.push(pointOf(year, dateOf(start, count - 1), exact, before))
  }
  return points
}

/** A year's amount is the difference of two rounded running totals, so the years add up. */
function pointOf(
  year: number,
  date: string,
  exact: OraclePoint["exact"],
  before: OraclePoint["exact"] | null
): OraclePoint {
  const cumulativePaid = toCents(exact.cumulativePaid)
  return {
    year,
    date,
    principalBalance: toCents(exact.principalBalance),
    interestBalance: toCents(exact.interestBalance),
    paymentsThisYear: cumulativePaid - toCents(before?.cumulativePaid ?? ZERO),
    cumulativePaid,
    forgivenThisYear: toCents(exact.cumulativeForgiven) - toCents(before?.cumulativeForgiven ?? ZERO),
    exact
  }
}

/** The values before rounding. The first payment is the scheduled one of the first month due. */
export function exactOf(
  borrower: Borrower,
  loans: ReadonlyArray<Loan>,
  months: ReadonlyArray<Month>,
  edges: Edges
): OracleExact {
  const pslf = totalOf(months.map((month) => month.pslf))
  const timeBased = totalOf(months.map((month) => month.timeBased))
  const firstDue = months.find((month) => month.due)
  const taxes = taxesOf(borrower, months, edges)
  return {
    firstPayment: firstDue === undefined ? ZERO : firstDue.paid - firstDue.extra,
    totalOutOfPocket: paidIn(months),
    amountForgiven: pslf + timeBased,
    pslf,
    timeBased,
    taxes,
    weightedAverageInterestRate: averageRate(loans),
    months,
    presentValue: borrower.discountRate === null ? null : presentValueOf(borrower.discountRate, months, taxes)
  }
}

/**
 * Index of the last month: 0 for an empty book, null if the limit of months stopped the projection.
 */
const monthsToFinish = ({ finished, months }: Repayment): number | null =>
  finished ? Math.max(0, months.length - 1) : null

/** Projects a JSON request; `start` is the calendar month of month 0. */
export function oracleProject(request: WireProjection, start: Start): OracleProjection | OracleRefusal {
  const { scenario } = request
  const borrower = readBorrower(scenario)
  const { change, planType } = planAtStart(readPlanType(scenario.planType), borrower, start)
  const loans = readLoans(request.loans)
  const edges: Edges = []
  const repayment = repay(planType, borrower, loans, start, edges)
  if ("kind" in repayment) {
    const refused = repayment.change ?? change
    if (refused === null) return { ...repayment, planType }
    return { ...repayment, planType: borrower.planChanges[refused]!.plan, change: refused }
  }
  const exact = exactOf(borrower, loans, repayment.months, edges)
  const finish = monthsToFinish(repayment)
  return {
    kind: "projection",
    label: scenario.label ?? null,
    planType,
    year1MonthlyPayment: toDollars(exact.firstPayment),
    payoffOrForgivenessDate: finish === null ? null : dateOf(start, finish),
    monthsToFinish: finish,
    totalOutOfPocket: toCents(exact.totalOutOfPocket),
    amountForgiven: toCents(exact.amountForgiven),
    forgivenessTaxesOwed: taxCents(exact.taxes),
    forgivenessType: forgivenessTypeOf(exact.pslf, exact.timeBased),
    weightedAverageInterestRate: toMillionths(exact.weightedAverageInterestRate),
    presentValue: exact.presentValue === null ? null : toCents(exact.presentValue.value),
    yearly: request.includeYearly === true ? yearlyPoints(loans, repayment.months, start) : null,
    exact,
    edges
  }
}
