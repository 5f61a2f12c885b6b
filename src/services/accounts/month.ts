/**
 * The calendar month (UTC) to which a call is charged: the month of its arrival, even if it is
 * charged later.
 */

export interface Period {
  readonly periodStart: Date
  readonly periodResetsAt: Date
}

export const monthOf = (instant: Date): Period => ({
  periodStart: new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), 1)),
  periodResetsAt: new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1))
})
