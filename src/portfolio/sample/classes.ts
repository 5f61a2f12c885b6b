/** The published classes of debt, as they are drawn: by state, and how many borrowers are in each. */
import { borrowersByStateAndDebt, debtClasses } from "./statistics.ts"
import { Weighted } from "./Weighted.ts"

interface Place {
  readonly state: string
  readonly debtClass: number
}

const PLACES = Object.entries(borrowersByStateAndDebt.value).flatMap(([state, [, ...borrowers]]) =>
  borrowers.map((count, debtClass): readonly [Place, number] => [{ state, debtClass }, count])
)

/** A state and a class of debt, as often as borrowers are in both. */
export const places = new Weighted(PLACES)

const ALL = PLACES.reduce((sum, [, count]) => sum + count, 0)

/** The share of borrowers in each class. */
export const classShares: ReadonlyArray<number> = debtClasses.value.map(
  (_, debtClass) =>
    PLACES.filter(([place]) => place.debtClass === debtClass).reduce((sum, [, count]) => sum + count, 0) / ALL
)

/**
 * How the debts of a class lie between its ends: at `from + width * unit ** power` for a unit drawn evenly, which makes the
 * mean the published one. The last class has no end.
 */
export const spreadOf = (
  debtClass: number
): { readonly from: number; readonly width: number; readonly power: number } => {
  const { from, mean } = debtClasses.value[debtClass]!
  const width = (debtClasses.value[debtClass + 1]?.from ?? Number.POSITIVE_INFINITY) - from
  return { from, width, power: width / (mean - from) - 1 }
}

/** The share of borrowers who owe more than some dollars. */
export const shareOver = (dollars: number): number =>
  classShares.reduce((sum, share, debtClass) => {
    const { from, power, width } = spreadOf(debtClass)
    if (dollars <= from) return sum + share
    return dollars >= from + width ? sum : sum + share * (1 - ((dollars - from) / width) ** (1 / power))
  }, 0)
