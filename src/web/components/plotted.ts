/** Which lines of an answer are plotted: those that somebody ticked, or those that stand out. */
import type { BookAnswer, Line } from "../book/answer.ts"
import type { State } from "./state.ts"

/** More lines than this cannot be told apart. */
export const MAX_PLOTTED = 6

/** Keys of lines; those of plans that are no longer in the answer are passed over. */
export const plottedOf = (answer: BookAnswer, { plotted }: Pick<State, "plotted">): ReadonlyArray<string> => {
  const { lines, lowestCost, lowestFirst, soonest } = answer
  const wanted = plotted ?? [lowestFirst, lowestCost, soonest].flatMap((keys) => keys.slice(0, 1))
  return lines.filter(({ key }) => wanted.includes(key)).map(({ key }) => key)
}

/** What a plot shows of a plan: a value for each year or month from the beginning on. */
export interface Curve {
  readonly line: Line
  readonly values: ReadonlyArray<number>
}

export const balances = (line: Line): Curve => ({
  line,
  values: line.figures.yearly!.map(({ interestBalance, principalBalance }) => principalBalance + interestBalance)
})

export const payments = (line: Line): Curve => ({ line, values: line.months })

/** With the tax in the year in which the balance is forgiven. */
export const costs = (line: Line): Curve => {
  const { forgivenessTaxesOwed, yearly } = line.figures
  const last = yearly!.length - 1
  return {
    line,
    values: yearly!.map(({ cumulativePaid }, year) => cumulativePaid + (year === last ? forgivenessTaxesOwed : 0))
  }
}
