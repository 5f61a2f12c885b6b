/**
 * What a run of months adds up to: columns by projection year, and totals. One tally serves every loan of a projection,
 * and is reused by the next projection, because the engine runs one at a time and never waits inside.
 */
import { MONTHS_PER_YEAR } from "./calendar.ts"

/** A projection that is still open after this many months has no finish. The longest plan ends long before. */
export const GUARD_MONTHS = 600
const YEARS = GUARD_MONTHS / MONTHS_PER_YEAR

export class Tally {
  /** Dollars paid in each projection year. */
  readonly paid = new Float64Array(YEARS)
  readonly forgivenTimeBased = new Float64Array(YEARS)
  readonly forgivenPslf = new Float64Array(YEARS)
  /** Dollars left after the last month of each projection year. */
  readonly principalLeft = new Float64Array(YEARS)
  readonly interestLeft = new Float64Array(YEARS)
  /** Paid in month 0. */
  firstPayment = 0
  accrued = 0
  waived = 0
  matched = 0
  /** Index of the last month in which a balance was paid off or forgiven. */
  lastMonth = 0
  /** Left when the months ran out. */
  openPrincipal = 0
  openInterest = 0
  /** Whether a balance was still open when the months ran out. */
  unfinished = false

  reset(): void {
    this.paid.fill(0)
    this.forgivenTimeBased.fill(0)
    this.forgivenPslf.fill(0)
    this.principalLeft.fill(0)
    this.interestLeft.fill(0)
    this.firstPayment = 0
    this.accrued = 0
    this.waived = 0
    this.matched = 0
    this.lastMonth = 0
    this.openPrincipal = 0
    this.openInterest = 0
    this.unfinished = false
  }

  /** A loan or the whole book ended in month `index`. */
  endedIn(index: number): void {
    if (index > this.lastMonth) this.lastMonth = index
  }

  forgive(month: number, dollars: number, asPslf: boolean): void {
    const year = Math.floor(month / MONTHS_PER_YEAR)
    const column = asPslf ? this.forgivenPslf : this.forgivenTimeBased
    column[year]! += dollars
  }
}

/** Sum of a column, in year order so that every reader of the column gets the same double. */
export const sumOf = (column: Float64Array): number => {
  let sum = 0
  for (let year = 0; year < column.length; year++) sum += column[year]!
  return sum
}
