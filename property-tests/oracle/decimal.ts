/**
 * Decimal arithmetic on integers: a Decimal is a bigint counting units of 10^-40. Sums, differences and comparisons
 * are the plain bigint operators and exact; products and quotients are rounded to the nearest unit.
 * There is no floating point here, except that a JSON number comes in by its shortest decimal string: what was sent.
 *
 * Why 40 digits. One operation is off by at most 1e-40 times the size of the other factor. A level schedule multiplies
 * an early error by (1+i)^n, at worst (13/12)^360 < 1e13 (rate 1, thirty years). With balances up to 1e10 and some
 * thousand operations the worst total error is 1e10 * 1e13 * 1e4 * 1e-40 = 1e-13 dollars; at 10 % it is under 1e-23.
 * Thirty digits would leave 1e-3 in that worst case.
 *
 * Negative values occur in one place (the reduction for dependents); they are off by one unit at most.
 */
export type Decimal = bigint

const FRACTION_DIGITS = 40
export const ZERO: Decimal = 0n
export const ONE: Decimal = 10n ** BigInt(FRACTION_DIGITS)

const HALF: Decimal = ONE / 2n
const DECIMAL_TEXT = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/** The value of a decimal text such as "0.15", "12" or "1e-7"; digits after the fortieth are dropped. */
export function decimal(text: string): Decimal {
  const parts = DECIMAL_TEXT.exec(text)
  if (parts === null) throw new Error(`not a decimal number: ${text}`)
  const fraction = parts[3] ?? ""
  const digits = BigInt(`${parts[2]}${fraction}`)
  const shift = FRACTION_DIGITS - fraction.length + Number(parts[4] ?? "0")
  const size = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  return parts[1] === "-" ? -size : size
}

/** The decimal that a caller wrote: the shortest text that names this double. */
export const fromNumber = (value: number): Decimal => decimal(String(value))

export const fromInteger = (value: number): Decimal => BigInt(value) * ONE

export const mul = (a: Decimal, b: Decimal): Decimal => (a * b + HALF) / ONE

export const div = (a: Decimal, b: Decimal): Decimal => (a * ONE + b / 2n) / b

/** a * b / c with one rounding: a part of `a` in the ratio b to c, exact when b = c. */
export const mulDiv = (a: Decimal, b: Decimal, c: Decimal): Decimal => (a * b + c / 2n) / c

/** base to a whole power, by repeated squaring. */
export function power(base: Decimal, exponent: number): Decimal {
  let result = ONE
  let square = base
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = mul(result, square)
    square = mul(square, square)
  }
  return result
}

/** The k-th root of a number of at least 1: Newton's method on integers, from above, exact to the last digit. */
export function root(value: Decimal, k: number): Decimal {
  const degree = BigInt(k)
  const target = value * ONE ** (degree - 1n)
  let guess = value
  for (;;) {
    const next = ((degree - 1n) * guess + target / guess ** (degree - 1n)) / degree
    if (next >= guess) return guess
    guess = next
  }
}

/** The largest whole multiple of `unit` not above a value of at least 0, counted in units. */
export const wholeUnits = (value: Decimal, unit: Decimal): bigint => value / unit

export const smaller = (a: Decimal, b: Decimal): Decimal => (a < b ? a : b)

export const larger = (a: Decimal, b: Decimal): Decimal => (a > b ? a : b)

export const distance = (a: Decimal, b: Decimal): Decimal => (a > b ? a - b : b - a)
