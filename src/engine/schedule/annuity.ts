/** The annuity formula: the level payment that repays a balance, and its present value. */

/** Below this product of months and rate, the payment is balance / months to the last digit. */
const NEGLIGIBLE_GROWTH = 1e-16

/**
 * Level monthly payment, in dollars: B*i / (1 - (1+i)^-n), written so that tiny rates keep their
 * digits.
 * @param rate per month
 */
export const annuity = (balance: number, rate: number, months: number): number =>
  rate * months < NEGLIGIBLE_GROWTH ? balance / months : (balance * rate) / -Math.expm1(-months * Math.log1p(rate))

/** Present value of one dollar a month for a number of months. */
export const presentValueOfLevel = (rate: number, months: number): number =>
  rate * months < NEGLIGIBLE_GROWTH ? months : -Math.expm1(-months * Math.log1p(rate)) / rate
