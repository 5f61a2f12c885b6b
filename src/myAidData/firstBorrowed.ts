/**
 * The day since which a borrower has owed Direct or FFEL loans without a break. The file lists
 * repaid loans too, with their dates. A doubt that could move the day leaves it undefined.
 */
import { type Debt, STILL } from "./dates.ts"

/** Maximum time between a consolidation and the end of a loan that it repaid. */
const DAYS_TO_CONSOLIDATE = 90
/** Far more loans than anyone has; the search compares each with each. */
const MAX_DEBTS = 200
const MILLISECONDS_A_DAY = 86_400_000

const daysBetween = (from: string, until: string): number => (Date.parse(until) - Date.parse(from)) / MILLISECONDS_A_DAY

/** The consolidation in which a debt continues: the newest made by the debt's end or soon after. */
const successorOf = ({ from, until }: Debt, debts: ReadonlyArray<Debt>): Debt | undefined =>
  debts
    .filter((one) => one.isConsolidation && one.from !== undefined && one.from > (from ?? ""))
    .filter((one) => daysBetween(until!, one.from!) <= DAYS_TO_CONSOLIDATE)
    .filter((one) => one.until === undefined || one.until >= until!)
    .sort((a, b) => (a.from! < b.from! ? 1 : -1))[0]

/** The last day of a debt, including the consolidations in which it continues. */
const endOf = (debt: Debt, debts: ReadonlyArray<Debt>): string | undefined => {
  if (!debt.isConsolidated || debt.until === undefined) return debt.until
  const successor = successorOf(debt, debts)
  return successor === undefined ? undefined : endOf(successor, debts)
}

/** Whether the file has a loan that a consolidation repaid. */
const hasOrigin = ({ from }: Debt, debts: ReadonlyArray<Debt>): boolean =>
  debts.some(
    ({ isConsolidated, until }) =>
      isConsolidated && until !== undefined && Math.abs(daysBetween(from!, until)) <= DAYS_TO_CONSOLIDATE
  )

export const firstBorrowedOf = (debts: ReadonlyArray<Debt>): string | null => {
  if (debts.length > MAX_DEBTS) return null
  const timed = debts.map((debt) => ({ debt, from: debt.from, until: endOf(debt, debts) }))
  const open = timed.flatMap(({ debt, from, until }) =>
    debt.isKnown && until === STILL && from !== undefined ? [from] : []
  )
  let first = open.sort()[0]
  if (first === undefined) return null
  for (;;) {
    const day: string = first
    const older = timed.filter(({ from = "", until = STILL }) => from < day && until >= day)
    if (older.length === 0) break
    // The loan was repaid on that day, perhaps before and perhaps after the next loan was taken.
    if (
      older.some(({ debt, from, until }) => !debt.isKnown || from === undefined || until === undefined || until === day)
    )
      return null
    first = older.map(({ from }) => from!).sort()[0]!
  }
  const isComplete = timed.every(
    ({ debt, from, until = STILL }) =>
      !debt.isConsolidation || until < first! || from === undefined || hasOrigin(debt, debts)
  )
  return isComplete ? first : null
}
