/**
 * Fixed-point decimal arithmetic: a Decimal is a bigint that counts units of 10^-40. Sums,
 * differences and comparisons are plain bigint operators and exact; products and quotients round to
 * the nearest unit. A JSON number is read by its shortest decimal string, which is the number as
 * sent.
 *
 * Why 40 digits: one operation has an error of at most 1e-40 times the other factor. A level
 * schedule multiplies an early error by (1+i)^n, at worst (13/12)^360 < 1e13 (rate 1, thirty
 * years). With balances up to 1e10 and some thousand operations, the worst total error is 1e10 *
 * 1e13 * 1e4 * 1e-40 = 1e-13 dollars; at 10 percent it is below 1e-23. Thirty digits would leave
 * 1e-3 in the worst case.
 *
 * A value is negative only if the reduction for dependents exceeds the payment. Its rounding may
 * then be off by one unit.
 */
export type Decimal = bigint

const FRACTION_DIGITS = 40
export const ZERO: Decimal = 0n
export const ONE: Decimal = 10n ** BigInt(FRACTION_DIGITS)

const HALF: Decimal = ONE / 2n
const DECIMAL_TEXT = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/** The value of a decimal text such as "0.15", "12" or "1e-7"; drops digits after the fortieth. */
export function decimal(text: string): Decimal {
  const parts = DECIMAL_TEXT.exec(text)
  if (parts === null) throw new Error(`not a decimal number: ${text}`)
  const fraction = parts[3] ?? ""
  const digits = BigInt(`${parts[2]}${fraction}`)
  const shift = FRACTION_DIGITS - fraction.length + Number(parts[4] ?? "0")
  const size = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift)
  return parts[1] === "-" ? -size : size
}

/** The decimal that a caller wrote: the shortest text of this double. */
export const fromNumber = (value: number): Decimal => decimal(String(value))

/** The double nearest to a value of at least 0. */
export const toNumber = (value: Decimal): number =>
  Number(`${value / ONE}.${String(value % ONE).padStart(FRACTION_DIGITS, "0")}`)

export const fromInteger = (value: number): Decimal => BigInt(value) * ONE

export const mul = (a: Decimal, b: Decimal): Decimal => (a * b + HALF) / ONE

export const div = (a: Decimal, b: Decimal): Decimal => (a * ONE + b / 2n) / b

/** a * b / c with one rounding; exact if b = c. */
export const mulDiv = (a: Decimal, b: Decimal, c: Decimal): Decimal => (a * b + c / 2n) / c

/** An integer power, by repeated squaring. */
export function power(base: Decimal, exponent: number): Decimal {
  let result = ONE
  let square = base
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = mul(result, square)
    square = mul(square, square)
  }
  return result
}

/** The k-th root of a number of at least 1, exact to the last digit: Newton's method from above. */
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

/** The number of whole units in a value of at least 0. */
export const wholeUnits = (value: Decimal, unit: Decimal): bigint => value / unit

export const smaller = (a: Decimal, b: Decimal): Decimal => (a < b ? a : b)

export const larger = (a: Decimal, b: Decimal): Decimal => (a > b ? a : b)

export const distance = (a: Decimal, b: Decimal): Decimal => (a > b ? a - b : b - a)
