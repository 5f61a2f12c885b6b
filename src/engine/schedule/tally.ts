/**
 * The tally of a run: columns by projection year (paid, forgiven, left), and totals. All loans of a
 * projection share one tally, which is reset before the next projection.
 */
import { MONTHS_PER_YEAR } from "./calendar.ts"

/** A projection still open after this many months does not finish. Every plan ends long before. */
export const GUARD_MONTHS = 600
const YEARS = GUARD_MONTHS / MONTHS_PER_YEAR
const COLUMNS = ["paid", "forgivenTimeBased", "forgivenPslf", "principalLeft", "interestLeft"] as const

/** A column is a view of one array, so that one fill resets all columns. */
const columnOf = (columns: Float64Array, name: (typeof COLUMNS)[number]): Float64Array => {
  const from = COLUMNS.indexOf(name) * YEARS
  return columns.subarray(from, from + YEARS)
}

export class Tally {
  private readonly columns = new Float64Array(COLUMNS.length * YEARS)
  /** Dollars paid in each projection year. */
  readonly paid = columnOf(this.columns, "paid")
  readonly forgivenTimeBased = columnOf(this.columns, "forgivenTimeBased")
  readonly forgivenPslf = columnOf(this.columns, "forgivenPslf")
  /** Dollars left after the last month of each projection year. */
  readonly principalLeft = columnOf(this.columns, "principalLeft")
  readonly interestLeft = columnOf(this.columns, "interestLeft")
  /** Paid as due in the first month in which a loan is due, in dollars. */
  firstPayment = 0
  /** The part of `firstPayment` for loans outside the plan. */
  firstPaymentOutside = 0
  accrued = 0
  waived = 0
  matched = 0
  /** Index of the last month in which a balance was paid off or forgiven. */
  lastMonth = 0
  /** Whether a balance was forgiven. */
  hasForgiven = false
  /** Dollars still open after the last month. */
  openPrincipal = 0
  openInterest = 0
  /** Whether a balance was still open after the last month. */
  unfinished = false

  reset(): void {
    this.columns.fill(0)
    this.firstPayment = 0
    this.firstPaymentOutside = 0
    this.accrued = 0
    this.waived = 0
    this.matched = 0
    this.lastMonth = 0
    this.hasForgiven = false
    this.openPrincipal = 0
    this.openInterest = 0
    this.unfinished = false
  }

  /** Adds months of one projection year, starting at `month`. */
  add(month: number, paid: number, accrued: number, waived: number): void {
    this.paid[Math.floor(month / MONTHS_PER_YEAR)]! += paid
    this.accrued += accrued
    this.waived += waived
  }

  /** Adds to the balances left at the end of a projection year; `month` is the first of the next one. */
  leave(month: number, principal: number, interest: number): void {
    const year = month / MONTHS_PER_YEAR - 1
    this.principalLeft[year]! += principal
    this.interestLeft[year]! += interest
  }

  /** Records that a loan or the whole book ended in month `index`. */
  endedIn(index: number): void {
    if (index > this.lastMonth) this.lastMonth = index
  }

  forgive(month: number, dollars: number, asPslf: boolean): void {
    const year = Math.floor(month / MONTHS_PER_YEAR)
    const column = asPslf ? this.forgivenPslf : this.forgivenTimeBased
    column[year]! += dollars
    this.hasForgiven = true
  }

  /** Number of years that may be nonzero. */
  get years(): number {
    return this.unfinished ? YEARS : Math.floor(this.lastMonth / MONTHS_PER_YEAR) + 1
  }

  /** Sum of a column in year order, so that every caller gets the same double. */
  sumOf(column: Float64Array): number {
    const { years } = this
    let sum = 0
    for (let year = 0; year < years; year++) sum += column[year]!
    return sum
  }
}
