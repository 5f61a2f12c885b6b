/** What to put aside for the tax on what is forgiven. */
import { fromCents, toCents } from "../../engine/schedule/rounding.ts"

interface TaxDue {
  readonly tax: number
  /** Index of the last month of the year for which it is due. */
  readonly until: number
}

/** What to put aside each month so that the tax of every year is there by its end, in whole dollars. */
export const putAside = (years: ReadonlyArray<TaxDue>): number => {
  let due = 0
  return Math.max(
    ...years.map(({ tax, until }) => {
      due = fromCents(toCents(due + tax))
      return Math.ceil(due / (until + 1))
    })
  )
}
