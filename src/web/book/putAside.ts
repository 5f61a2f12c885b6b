/** The amount to put aside for the tax on forgiveness. */
import { fromCents, toCents } from "../../engine/index.ts"

interface TaxDue {
  readonly tax: number
  /** Index of the last month of the tax's year. */
  readonly until: number
}

/** The whole dollars to put aside each month, so that each year's tax is saved by the year's end. */
export const putAside = (years: ReadonlyArray<TaxDue>): number => {
  let due = 0
  return Math.max(
    ...years.map(({ tax, until }) => {
      due = fromCents(toCents(due + tax))
      return Math.ceil(due / (until + 1))
    })
  )
}
