/** The published debt classes: weights by state, and the distribution of debts within a class. */
import { borrowersByStateAndDebt, debtClasses } from "./statistics.ts"
import { Weighted } from "./Weighted.ts"

interface Place {
  readonly state: string
  readonly debtClass: number
}

const PLACES = Object.entries(borrowersByStateAndDebt.value).flatMap(([state, [, ...borrowers]]) =>
  borrowers.map((count, debtClass): readonly [Place, number] => [{ state, debtClass }, count])
)

/** A state and a debt class, weighted by their number of borrowers. */
export const places = new Weighted(PLACES)

const ALL = PLACES.reduce((sum, [, count]) => sum + count, 0)

export const classShares: ReadonlyArray<number> = debtClasses.value.map(
  (_, debtClass) =>
    PLACES.filter(([place]) => place.debtClass === debtClass).reduce((sum, [, count]) => sum + count, 0) / ALL
)

/**
 * The distribution of debts in a class: `from + width * unit ** power` for a uniform unit, which
 * yields the published mean. The last class has infinite width.
 */
export const spreadOf = (
  debtClass: number
): { readonly from: number; readonly width: number; readonly power: number } => {
  const { from, mean } = debtClasses.value[debtClass]!
  const width = (debtClasses.value[debtClass + 1]?.from ?? Number.POSITIVE_INFINITY) - from
  return { from, width, power: width / (mean - from) - 1 }
}

export const shareOver = (dollars: number): number =>
  classShares.reduce((sum, share, debtClass) => {
    const { from, power, width } = spreadOf(debtClass)
    if (dollars <= from) return sum + share
    return dollars >= from + width ? sum : sum + share * (1 - ((dollars - from) / width) ** (1 / power))
  }, 0)
