/**
 * The year-by-year series. Each year is the difference of two rounded running totals, so the years
 * add up exactly.
 */
import type { YearlyPoint } from "../../../schema/projection.ts"
import { dateOfMonth, MONTHS_PER_YEAR, type StartMonth } from "../schedule/calendar.ts"
import { fromCents, toCents } from "../schedule/rounding.ts"
import type { Tally } from "../schedule/tally.ts"

/** Balances of all loans as sent, in dollars. */
export interface OpeningBalances {
  readonly principal: number
  readonly interest: number
}

const openingPoint = (opening: OpeningBalances, start: StartMonth): YearlyPoint => ({
  year: 0,
  date: dateOfMonth(start, 0),
  principalBalance: fromCents(toCents(opening.principal)),
  interestBalance: fromCents(toCents(opening.interest)),
  paymentsThisYear: 0,
  cumulativePaid: 0,
  forgivenThisYear: 0
})

/** Points from the opening to the year of `lastMonth`; with `lastMonth` -1 only the opening. */
export const yearlySeries = (
  tally: Tally,
  opening: OpeningBalances,
  start: StartMonth,
  lastMonth: number
): Array<YearlyPoint> => {
  const points = [openingPoint(opening, start)]
  const years = Math.ceil((lastMonth + 1) / MONTHS_PER_YEAR)
  let paid = 0
  let forgiven = 0
  let paidCents = 0
  let forgivenCents = 0
  for (let k = 0; k < years; k++) {
    paid += tally.paid[k]!
    forgiven += tally.forgivenTimeBased[k]! + tally.forgivenPslf[k]!
    const paidSoFar = toCents(paid)
    const forgivenSoFar = toCents(forgiven)
    points.push({
      year: k + 1,
      date: dateOfMonth(start, Math.min((k + 1) * MONTHS_PER_YEAR - 1, lastMonth)),
      principalBalance: fromCents(toCents(tally.principalLeft[k]!)),
      interestBalance: fromCents(toCents(tally.interestLeft[k]!)),
      paymentsThisYear: fromCents(paidSoFar - paidCents),
      cumulativePaid: fromCents(paidSoFar),
      forgivenThisYear: fromCents(forgivenSoFar - forgivenCents)
    })
    paidCents = paidSoFar
    forgivenCents = forgivenSoFar
  }
  return points
}
