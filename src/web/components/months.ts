/** Months to choose from. */
import { dateOfMonth, startMonthOf } from "../../engine/index.ts"
import { month } from "../../messages/figures.ts"
import { isMonth } from "../book/draft.ts"

/** How far ahead the end of a pause can be chosen, in months. */
export const MONTHS_PAUSED = 48

/** From this month on, and the chosen one. */
export const monthsAhead = (count: number, chosen: string): Readonly<Record<string, string>> => {
  const start = startMonthOf(new Date())
  const months = Array.from({ length: count }, (_, ahead) => dateOfMonth(start, ahead - 1).slice(0, "YYYY-MM".length))
  const all = isMonth(chosen) && !months.includes(chosen) ? [chosen, ...months] : months
  return Object.fromEntries(all.map((one) => [one, month(`${one}-01`)]))
}
