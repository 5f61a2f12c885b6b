/**
 * What differs between an answer in doubles and an exact one, and how far the answer may be off. Cents must agree,
 * except that a value within twice the rounding tolerance below a half cent may show either cent; a value of a very
 * large book may also miss by what some hundred sums in doubles lose, 1e-14 of the debt grown over the projection
 * (less than the tolerance for a debt below a million at common rates). With a rate over 0.30 amounts hold to 1e-4.
 */
import { type Decimal, decimal, div, fromInteger, fromNumber, larger, mul, ONE, power, ZERO } from "./decimal.ts"
import type { OracleExact } from "./projection.ts"
import { type Allowed, allowedCents, allowedDollars, allowedMillionths } from "./rounding.ts"

const HIGHEST_EXACT_RATE = 0.3
const COARSE_PART = decimal("0.0001")
const DRIFT_PART = ZERO
const CENT = decimal("0.01")
const MILLIONTH = decimal("0.000001")

/** Dollars that an answer may be off: `coarse` after rounding, `drift` before it. */
interface Margins {
  readonly coarse: Decimal
  readonly drift: Decimal
}

const NO_MARGINS: Margins = { coarse: ZERO, drift: ZERO }

/** The debt at the start, as far as the first month still shows it. */
function debtOf(exact: OracleExact): Decimal {
  const first = exact.months[0]
  if (first === undefined) return ZERO
  return first.principal + first.interest + first.paid + first.matched + first.pslf + first.timeBased
}

/** `highestRate` is the highest rate among the loans; over 0.30 the larger of debt and payments sets the margin. */
function marginsOf(highestRate: number, exact: OracleExact): Margins {
  const debt = debtOf(exact)
  const monthly = ONE + div(fromNumber(highestRate), fromInteger(12))
  const drift = mul(mul(debt, DRIFT_PART), power(monthly, exact.months.length))
  if (highestRate <= HIGHEST_EXACT_RATE) return { coarse: ZERO, drift }
  return { coarse: mul(larger(debt, exact.totalOutOfPocket), COARSE_PART) + CENT, drift }
}

/** An amount in whole cents as it is shown, so that differences have no noise of doubles. */
export const shownCents = (amount: number): bigint => fromNumber(amount) / CENT

export class Differences {
  readonly found: Array<string> = []
  readonly isCoarse: boolean
  readonly #margins: Margins

  private constructor(margins: Margins) {
    this.#margins = margins
    this.isCoarse = margins.coarse > ZERO
  }

  static strict = (): Differences => new Differences(NO_MARGINS)

  static of = (highestRate: number, exact: OracleExact): Differences => new Differences(marginsOf(highestRate, exact))

  same(what: string, shown: unknown, expected: unknown): void {
    if (shown !== expected) this.found.push(`${what}: ${String(shown)}, not ${String(expected)}`)
  }

  cents(what: string, shown: number, exact: Decimal): void {
    this.#amount(what, shown, allowedCents(exact, this.#margins.drift), CENT, this.#margins.coarse)
  }

  dollars(what: string, shown: number, exact: Decimal): void {
    this.#amount(what, shown, allowedDollars(exact, this.#margins.drift), ONE, this.#margins.coarse)
  }

  millionths(what: string, shown: number, exact: Decimal): void {
    this.#amount(what, shown, allowedMillionths(exact), MILLIONTH, ZERO)
  }

  /** A sum of amounts that are each rounded to the cent by themselves. */
  centsOfEach(what: string, shown: number, parts: ReadonlyArray<Decimal>): void {
    const each = parts.map((part) => allowedCents(part, this.#margins.drift))
    const sum = {
      lowest: each.reduce((total, part) => total + part.lowest, 0n),
      highest: each.reduce((total, part) => total + part.highest, 0n)
    }
    this.#amount(what, shown, sum, CENT, this.#margins.coarse)
  }

  #amount(what: string, shown: number, { highest, lowest }: Allowed, unit: Decimal, coarse: Decimal): void {
    const value = fromNumber(shown)
    const whole = value % unit === ZERO
    if (whole && value >= lowest * unit - coarse && value <= highest * unit + coarse) return
    this.found.push(`${what}: ${shown}, not ${lowest === highest ? lowest : `${lowest} to ${highest}`} units`)
  }
}
