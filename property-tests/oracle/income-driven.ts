/**
 * The monthly payment and the months to forgiveness of the seven income-driven plans, one function
 * per provision. A payment may exceed what is owed here; spending.ts limits it.
 */
import { type Account, balanceNow } from "./accounts.ts"
import { annuity } from "./amortization.ts"
import {
  graduateOriginal,
  hasGraduateLoan,
  type IncomeDrivenPlan,
  type Plan,
  totalBalance,
  totalOf,
  totalOriginal,
  totalPrincipal
} from "./book.ts"
import {
  type Decimal,
  decimal,
  distance,
  div,
  fromInteger,
  larger,
  mul,
  mulDiv,
  ONE,
  smaller,
  wholeUnits,
  ZERO
} from "./decimal.ts"
import { discretionaryIncome, incomeBase, shareOfCouple } from "./household.ts"
import {
  contingentFactors,
  discretionary,
  MIN_LEVEL_PAYMENT,
  REPAYE_GRADUATE_MONTHS,
  repaymentAssistance,
  save,
  smallPayment,
  TEN_YEARS,
  TWELVE_YEARS
} from "./law.ts"
import { ffelStudentTypes } from "./matrix.ts"
import { type Edges, isBelow, isOver } from "./thresholds.ts"
import type { Borrower, Loan } from "./wire.ts"
import { type Household, householdIn } from "./years.ts"

const TWELVE = fromInteger(12)
const HUNDRED = fromInteger(100)
const BILLIONTH = decimal("0.000000001")
const HUNDREDTH = decimal("0.01")
const FACTOR_REACH = decimal("0.000000000001")

const levelTotal = (accounts: ReadonlyArray<Account>, months: number): Decimal =>
  totalOf(accounts.map((a) => annuity(balanceNow(a), a.loan.rate, months)))

/** The ten-year amount of the loans of a group, closed ones as 0: at least $50. */
export const tenYearAmount = (accounts: ReadonlyArray<Account>): Decimal =>
  larger(MIN_LEVEL_PAYMENT, levelTotal(accounts, TEN_YEARS))

/** 34 CFR 685.209(g)(1): a payment below $5 becomes 0; one from $5 to below $10 becomes $10. */
function smallPaymentRule(amount: Decimal, edges: Edges): Decimal {
  if (isBelow(amount, smallPayment.nothingBelow, "payment of 5", edges)) return ZERO
  return isBelow(amount, smallPayment.lifted, "payment of 10", edges) ? smallPayment.lifted : amount
}

/** 34 CFR 685.209(g)(2): a positive payment of INCOME CONTINGENT is at least $5. */
function contingentSmallPaymentRule(amount: Decimal, edges: Edges): Decimal {
  if (!isOver(amount, ZERO, "payment of 0", edges)) return amount
  return isBelow(amount, smallPayment.contingentMin, "payment of 5", edges) ? smallPayment.contingentMin : amount
}

/**
 * The income percentage factor: linear between the rows of the table, rounded half up to two
 * decimals, and constant beyond the ends of the table. The incomes of the table rise with prices.
 */
function contingentFactor(household: Household, edges: Edges): Decimal {
  const income = incomeBase(household)
  const table = household.status === "Single" ? contingentFactors.single : contingentFactors.marriedOrHeadOfHousehold
  const rows = table.map((row) => ({ income: mul(row.income, household.prices), percent: row.percent }))
  const upper = rows.findIndex((row) => income <= row.income)
  if (upper === 0) return rows[0]!.percent
  if (upper === -1) return rows[rows.length - 1]!.percent
  const a = rows[upper - 1]!
  const b = rows[upper]!
  const exact = a.percent + mulDiv(b.percent - a.percent, income - a.income, b.income - a.income)
  const toBillionth = wholeUnits(exact + BILLIONTH / 2n, BILLIONTH) * BILLIONTH
  const rounded = wholeUnits(toBillionth + HUNDREDTH / 2n, HUNDREDTH) * HUNDREDTH
  const tie = wholeUnits(exact, HUNDREDTH) * HUNDREDTH + HUNDREDTH / 2n - BILLIONTH / 2n
  if (distance(exact, tie) < FACTOR_REACH) edges.push("rounding of the income percentage factor")
  return rounded
}

/**
 * 34 CFR 685.209(f)(5): one percent of the whole income for each band of $10,000 that is begun
 * above the first, at most ten percent. A band includes its upper end.
 */
function assistanceAnnual(income: Decimal, edges: Edges): Decimal {
  const { bandWidth, highestPercent, lowIncome, lowIncomeAnnual } = repaymentAssistance
  let percent = 0
  for (let band = 0; band < highestPercent; band++) {
    if (isOver(income, lowIncome + bandWidth * BigInt(band), "income band", edges)) percent = band + 1
  }
  return percent === 0 ? lowIncomeAnnual : mulDiv(income, fromInteger(percent), HUNDRED)
}

/** The values that stay fixed for a plan, or under a successor plan. */
export interface Basis {
  readonly borrower: Borrower
  /** The borrower's balance at the start, in the share of a couple's payment. */
  readonly shareBalance: Decimal
  /** The part of the payment for Direct loans, below 1 if FFEL loans reduce the payment. */
  readonly direct: Decimal
  readonly edges: Edges
}

/** rate * discretionary income, of a year. */
const annualPart = (household: Household, rate: Decimal, multiple: Decimal): Decimal =>
  mul(rate, discretionaryIncome(household, multiple))

/** rate * discretionary income / 12 * share. */
const monthlyPart = (basis: Basis, household: Household, rate: Decimal, multiple: Decimal): Decimal =>
  mulDiv(annualPart(household, rate, multiple), shareOfCouple(household, basis.shareBalance), TWELVE)

/** The same times the Direct part, for the three plans in which FFEL loans reduce the payment. */
const directMonthlyPart = (basis: Basis, household: Household, rate: Decimal, multiple: Decimal): Decimal =>
  mul(monthlyPart(basis, household, rate, multiple), basis.direct)

/**
 * 34 CFR 685.209(f)(2)-(3): the payment by income, capped at the ten-year amount (at least $50).
 */
function cappedPayment(
  basis: Basis,
  household: Household,
  cap: Decimal,
  plan: "INCOME BASED" | "INCOME BASED (OLD)" | "PAY AS YOU EARN"
) {
  const { multiple, rate } = discretionary[plan]
  const partOf = plan === "PAY AS YOU EARN" ? directMonthlyPart : monthlyPart
  return smallPaymentRule(smaller(partOf(basis, household, rate, multiple), cap), basis.edges)
}

/**
 * 34 CFR 685.209(f)(4): the lesser of 20 percent of discretionary income, without a couple's share,
 * and the factor times the twelve-year amount.
 */
function contingentPayment(basis: Basis, household: Household, twelveYear: Decimal): Decimal {
  const { multiple, rate } = discretionary["INCOME CONTINGENT"]
  const partOfIncome = div(annualPart(household, rate, multiple), TWELVE)
  const partOfLevel = mulDiv(twelveYear, contingentFactor(household, basis.edges), HUNDRED)
  return contingentSmallPaymentRule(smaller(partOfIncome, partOfLevel), basis.edges)
}

/** 80 FR 67203: like PAY AS YOU EARN, without a cap. */
function revisedPayment(basis: Basis, household: Household): Decimal {
  const { multiple, rate } = discretionary["REVISED PAY AS YOU EARN"]
  return smallPaymentRule(directMonthlyPart(basis, household, rate, multiple), basis.edges)
}

/**
 * 88 FR 43820: 5 percent for undergraduate and 10 for graduate debt, weighted by original amounts.
 */
function saveRate(loans: ReadonlyArray<Loan>): Decimal {
  const all = totalOriginal(loans)
  const graduate = all === ZERO ? ZERO : div(graduateOriginal(loans), all)
  return mul(save.undergraduateRate, ONE - graduate) + mul(save.graduateRate, graduate)
}

/**
 * 34 CFR 685.209(f)(5), (g)(3): a twelfth of the annual base, less $50 per dependent, times the
 * share, at least $10. None of these amounts rises with prices.
 */
function assistancePayment(basis: Basis, household: Household): Decimal {
  const { minimum, perDependent } = repaymentAssistance
  const month = div(assistanceAnnual(incomeBase(household), basis.edges), TWELVE)
  const reduced = month - perDependent * BigInt(household.dependents)
  return larger(minimum, mul(reduced, shareOfCouple(household, basis.shareBalance)))
}

/** The plans that, by the regulation of 2023, divide the payment between Direct and FFEL loans. */
const dividesByProgram = (plan: Plan): boolean =>
  plan === "PAY AS YOU EARN" || plan === "REVISED PAY AS YOU EARN" || plan === "SAVE"

/** 34 CFR 685.209(a)(2)(ii)(A), (B)(3), (c)(2)(ii)(A) of early 2023: the Direct part. */
function directPart(own: ReadonlyArray<Loan>, ffel: ReadonlyArray<Loan>): Decimal {
  const all = totalPrincipal([...own, ...ffel])
  return all === ZERO ? ONE : div(totalPrincipal(own), all)
}

/**
 * The basis of a projection, from the loans in the plan and the FFEL loans that reduce its payment.
 */
export function basisOf(
  plan: Plan,
  borrower: Borrower,
  own: ReadonlyArray<Loan>,
  request: ReadonlyArray<Loan>,
  edges: Edges
): Basis {
  const ffel = dividesByProgram(plan) ? request.filter(({ type }) => ffelStudentTypes.has(type)) : []
  return { borrower, shareBalance: totalBalance([...own, ...ffel]), direct: directPart(own, ffel), edges }
}

/**
 * The monthly payment by projection year, from the household in force in it. The caps are of the
 * balances of now, also of paused loans.
 */
export function billing(
  plan: IncomeDrivenPlan,
  basis: Basis,
  accounts: ReadonlyArray<Account>
): (year: number) => Decimal {
  const household = (year: number) => householdIn(basis.borrower, year)
  switch (plan) {
    case "INCOME BASED":
    case "INCOME BASED (OLD)":
    case "PAY AS YOU EARN": {
      const cap = tenYearAmount(accounts)
      return (year) => cappedPayment(basis, household(year), cap, plan)
    }
    case "INCOME CONTINGENT": {
      const twelveYear = levelTotal(accounts, TWELVE_YEARS)
      return (year) => contingentPayment(basis, household(year), twelveYear)
    }
    case "REVISED PAY AS YOU EARN":
      return (year) => revisedPayment(basis, household(year))
    case "SAVE": {
      const rate = saveRate(accounts.map(({ loan }) => loan))
      return (year) => smallPaymentRule(directMonthlyPart(basis, household(year), rate, save.multiple), basis.edges)
    }
    case "REPAYMENT ASSISTANCE":
      return (year) => assistancePayment(basis, household(year))
  }
}

/**
 * 88 FR 43820: 120 months up to $12,000 of original debt, 12 more for each further started $1,000,
 * at most 240 or 300.
 */
function saveMonths(loans: ReadonlyArray<Loan>, edges: Edges): number {
  const maximum = hasGraduateLoan(loans) ? save.graduateMonths : save.undergraduateMonths
  const original = totalOriginal(loans)
  let months = save.earlyMonths
  let reached = save.earlyOriginal
  while (months < maximum && isOver(original, reached, "early forgiveness of small originals", edges)) {
    months += save.stepMonths
    reached += save.stepOriginal
  }
  return months
}

/** 34 CFR 685.209(k): counted months to forgiveness. */
export function monthsToForgiveness(plan: IncomeDrivenPlan, loans: ReadonlyArray<Loan>, edges: Edges): number {
  switch (plan) {
    case "SAVE":
      return saveMonths(loans, edges)
    case "REPAYMENT ASSISTANCE":
      return repaymentAssistance.months
    case "REVISED PAY AS YOU EARN":
      return hasGraduateLoan(loans) ? REPAYE_GRADUATE_MONTHS : discretionary[plan].months
    default:
      return discretionary[plan].months
  }
}
