/** The calendar month, UTC, that a call belongs to: the month of its arrival, whenever it is charged. */

export interface Period {
  readonly periodStart: Date
  readonly periodResetsAt: Date
}

export const monthOf = (instant: Date): Period => ({
  periodStart: new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), 1)),
  periodResetsAt: new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1))
})

/** As the database's `date`. */
export const dateText = (instant: Date): string => instant.toISOString().slice(0, 10)
