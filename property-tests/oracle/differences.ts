/**
 * The collector of differences between an answer in doubles and the exact one. Cents must agree.
 * Near a half cent either cent is accepted: up to twice the rounding tolerance below it, or within
 * the error of doubles for debts over $100,000. Above a rate of 0.30 the tolerance is 1e-4 of the
 * debt or of the total paid.
 */
import { type Decimal, decimal, fromNumber, larger, mul, ONE, ZERO } from "./decimal.ts"
import type { OracleExact } from "./projection.ts"
import { type Allowed, allowedCents, allowedDollars, allowedMillionths, CENT } from "./rounding.ts"

const HIGHEST_EXACT_RATE = 0.3
const COARSE_PART = decimal("0.0001")
/**
 * The error of doubles as a part of the debt. It grows by (1 + rate/12) a month: to about this at a
 * rate of 0.30 in 360 months.
 */
const DOUBLES_PART = decimal("0.000000000001")
const MIN_REACH = decimal("0.0000001")
const MILLIONTH = decimal("0.000001")

/** The debt at the start, reconstructed from the first month. */
function debtOf(exact: OracleExact): Decimal {
  const first = exact.months[0]
  if (first === undefined) return ZERO
  return first.principal + first.interest + first.paid + first.matched + first.pslf + first.timeBased
}

/** Tolerance after rounding, in dollars; `highestRate` is the highest rate among the loans. */
const marginOf = (highestRate: number, exact: OracleExact): Decimal =>
  highestRate <= HIGHEST_EXACT_RATE ? ZERO : mul(larger(debtOf(exact), exact.totalOutOfPocket), COARSE_PART) + CENT

/** Tolerance before rounding, in dollars; 0 for debts of up to $100,000. */
const reachOf = (exact: OracleExact): Decimal => {
  const reach = mul(debtOf(exact), DOUBLES_PART)
  return reach > MIN_REACH ? reach : ZERO
}

/** A shown amount in whole cents, without the noise of doubles. */
export const shownCents = (amount: number): bigint => fromNumber(amount) / CENT

export class Differences {
  readonly found: Array<string> = []
  readonly isCoarse: boolean
  readonly #margin: Decimal
  readonly #reach: Decimal

  private constructor(margin: Decimal, reach: Decimal) {
    this.#margin = margin
    this.#reach = reach
    this.isCoarse = margin > ZERO
  }

  static strict = (): Differences => new Differences(ZERO, ZERO)

  static of = (highestRate: number, exact: OracleExact): Differences =>
    new Differences(marginOf(highestRate, exact), reachOf(exact))

  same(what: string, shown: unknown, expected: unknown): void {
    if (shown !== expected) this.found.push(`${what}: ${String(shown)}, not ${String(expected)}`)
  }

  cents(what: string, shown: number, exact: Decimal, highest = exact): void {
    const allowed = {
      lowest: allowedCents(exact, this.#reach).lowest,
      highest: allowedCents(highest, this.#reach).highest
    }
    this.#amount(what, shown, allowed, CENT, this.#margin)
  }

  dollars(what: string, shown: number, exact: Decimal): void {
    this.#amount(what, shown, allowedDollars(exact), ONE, this.#margin)
  }

  millionths(what: string, shown: number, exact: Decimal): void {
    this.#amount(what, shown, allowedMillionths(exact), MILLIONTH, ZERO)
  }

  /** Compares a sum of amounts that are rounded to the cent separately. */
  centsOfEach(what: string, shown: number, parts: ReadonlyArray<Decimal>): void {
    const each = parts.map((part) => allowedCents(part))
    const sum = {
      lowest: each.reduce((total, part) => total + part.lowest, 0n),
      highest: each.reduce((total, part) => total + part.highest, 0n)
    }
    this.#amount(what, shown, sum, CENT, this.#margin)
  }

  #amount(what: string, shown: number, { highest, lowest }: Allowed, unit: Decimal, coarse: Decimal): void {
    const value = fromNumber(shown)
    const whole = value % unit === ZERO
    if (whole && value >= lowest * unit - coarse && value <= highest * unit + coarse) return
    this.found.push(`${what}: ${shown}, not ${lowest === highest ? lowest : `${lowest} to ${highest}`} units`)
  }
}
