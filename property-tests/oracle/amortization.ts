/**
 * The level and the graduated schedule of the fixed plans. Both divide the balance by the present
 * value of one dollar a month. That value is a sum of positive terms, so it stays accurate at tiny
 * rates and at 0.
 */
import { type Decimal, div, fromInteger, larger, mul, mulDiv, ONE, power, root, ZERO } from "./decimal.ts"
import { GRADUATED_RATIO, GRADUATED_STEP_MONTHS, olderGraduated, TEN_YEARS } from "./law.ts"

const TWELVE = fromInteger(12)

/** Present value of a dollar due in one month: 1 / (1 + rate/12). */
const discount = (rate: Decimal): Decimal => div(TWELVE, TWELVE + rate)

/** v + v^2 + ... + v^n, by halving: S(2k) = S(k) (1 + v^k), S(k+1) = S(k) + v^(k+1). */
function presentValueOfOne(v: Decimal, n: number): Decimal {
  if (n === 0) return ZERO
  if (n % 2 === 1) return presentValueOfOne(v, n - 1) + power(v, n)
  return mul(presentValueOfOne(v, n / 2), ONE + power(v, n / 2))
}

/** The level monthly payment that repays a balance in n months. */
export const annuity = (balance: Decimal, rate: Decimal, n: number): Decimal =>
  div(balance, presentValueOfOne(discount(rate), n))

/**
 * The present value of each step of 24 months at one dollar a month. The last step may be shorter.
 */
function stepValues(rate: Decimal, n: number): ReadonlyArray<Decimal> {
  const v = discount(rate)
  const values: Array<Decimal> = []
  for (let from = 0; from < n; from += GRADUATED_STEP_MONTHS) {
    const months = Math.min(GRADUATED_STEP_MONTHS, n - from)
    values.push(mul(power(v, from), presentValueOfOne(v, months)))
  }
  return values
}

/**
 * sum of c_j g^j: present value of a schedule that starts at $1 and is multiplied by g each step.
 */
const valueOfRising = (values: ReadonlyArray<Decimal>, growth: Decimal): Decimal =>
  values.reduceRight((sum, value) => mul(sum, growth) + value, ZERO)

const slopeOfRising = (values: ReadonlyArray<Decimal>, growth: Decimal): Decimal =>
  values.reduceRight((sum, value, j) => (j === 0 ? sum : mul(sum, growth) + value * BigInt(j)), ZERO)

/**
 * The step factor at which a schedule that starts at `first` repays `balance`. The present value is
 * convex and increasing in the factor, so Newton's method from above decreases to the root.
 */
function solveGrowth(values: ReadonlyArray<Decimal>, first: Decimal, balance: Decimal, from: Decimal): Decimal {
  const target = div(balance, first)
  let growth = from
  for (;;) {
    const excess = valueOfRising(values, growth) - target
    if (excess <= ZERO) return growth
    const next = growth - div(excess, slopeOfRising(values, growth))
    if (next >= growth) return growth
    growth = next
  }
}

/**
 * 34 CFR 685.208(b)(6), in the Department's geometric form: the payment of each step of 24 months.
 * The last is three times the first. A first payment below the month's interest is raised to it,
 * and the factor is solved again.
 */
export function graduatedSteps(
  principal: Decimal,
  interest: Decimal,
  rate: Decimal,
  n: number
): ReadonlyArray<Decimal> {
  const balance = principal + interest
  const values = stepValues(rate, n)
  const steepest = values.length === 1 ? ONE : root(GRADUATED_RATIO, values.length - 1)
  const firstAtSteepest = div(balance, valueOfRising(values, steepest))
  const firstInterest = mulDiv(principal, rate, TWELVE)
  const interestOnly = firstAtSteepest < firstInterest
  const first = interestOnly ? firstInterest : firstAtSteepest
  const growth = interestOnly ? solveGrowth(values, first, balance, steepest) : steepest
  return values.map((_, step) => mul(first, power(growth, step)))
}

/**
 * 34 CFR 685.208(f)(3) as of 2023: the steps of a DIRECT PLUS CONSOLIDATED. No payment is below the
 * month's interest, nor below a half or above one and a half times the ten-year amount. The first
 * payment is the least within these bounds, so the factor between steps is the greatest: it is
 * bisected to the last digit, from 1 to more than the 3 between the bounds. With a factor of 1, the
 * level amount is raised to the lower bound, or stays above the upper one if few months are left.
 * The service tests bounds to six decimals. Payments move by less than that, so it is left out here.
 */
export function olderGraduatedSteps(
  principal: Decimal,
  interest: Decimal,
  rate: Decimal,
  n: number
): ReadonlyArray<Decimal> {
  const balance = principal + interest
  const values = stepValues(rate, n)
  const tenYear = annuity(balance, rate, TEN_YEARS)
  const least = larger(mulDiv(principal, rate, TWELVE), mul(olderGraduated.lowest, tenYear))
  const most = mul(olderGraduated.highest, tenYear)
  const firstWith = (growth: Decimal) => div(balance, valueOfRising(values, growth))
  const lastWith = (growth: Decimal) => mul(firstWith(growth), power(growth, values.length - 1))
  let [growth, tooSteep] = [ONE, fromInteger(4)]
  while (tooSteep - growth > 1n) {
    const middle = (growth + tooSteep) / 2n
    if (firstWith(middle) >= least && lastWith(middle) <= most) growth = middle
    else tooSteep = middle
  }
  return values.map((_, step) => larger(least, mul(firstWith(growth), power(growth, step))))
}
