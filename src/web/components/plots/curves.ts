/** The curves of the plots over time, in months and dollars: payments as steps, balances by year. */
import { MONTHS_PER_YEAR } from "../../../engine/index.ts"
import type { BookAnswer } from "../../book/answer.ts"
import type { Line } from "../../book/line.ts"
import { isShown } from "../../book/numbers.ts"
import type { Card } from "../goals.ts"

/** Months that a plot shows beyond the last end of a plan in color. */
const MORE_MONTHS = 8

/** Points in months and dollars. */
export type Points = ReadonlyArray<readonly [month: number, amount: number]>

/** Payments as steps, each one month wide. The last point is the end of the last month. */
const paymentPoints = ({ months }: Line): Points =>
  months.flatMap((paid, month): Points => {
    const isSame = month > 0 && Math.abs(months[month - 1]! - paid) < 0.005
    // A remainder in the last month is no change of the payment.
    if (isSame || (month > 0 && month === months.length - 1)) return []
    return month === 0
      ? [[0, paid]]
      : [
          [month, months[month - 1]!],
          [month, paid]
        ]
  })

const lastPayment = ({ months }: Line): number => months[Math.max(0, months.length - 2)]!

/** The end of the last month of a year with a forgiveness. */
const dropOf = ({ forgivenIn }: Line, year: number): number =>
  forgivenIn.findLast((month) => Math.floor(month / MONTHS_PER_YEAR) === year - 1)! + 1

/** The balance at the end of each year, with forgiveness as a drop. The last point is the end. */
const balancePoints = (line: Line): Points =>
  line.figures.yearly!.flatMap(
    ({ forgivenThisYear, interestBalance, principalBalance, year }, index, years): Points => {
      const month = Math.min(year * MONTHS_PER_YEAR, line.months.length)
      const balance = principalBalance + interestBalance
      if (!isShown(forgivenThisYear)) return [[month, balance]]
      const drop = dropOf(line, year)
      const before = years[index - 1]!
      const from = before.principalBalance + before.interestBalance
      const part = (drop - before.year * MONTHS_PER_YEAR) / (month - before.year * MONTHS_PER_YEAR)
      const high = from + (balance + forgivenThisYear - from) * part
      return [[drop, high], [drop, high - forgivenThisYear], ...(drop < month ? [[month, balance] as const] : [])]
    }
  )

/** The range of months: that of the plans in color, plus a margin. */
export const monthsShown = (answer: BookAnswer, cards: ReadonlyArray<Card>): number => {
  const longest = Math.max(...answer.lines.map(({ months }) => months.length))
  const colored = Math.max(...cards.map(({ line }) => line.months.length))
  return Math.min(longest, colored + MORE_MONTHS + Math.round(colored / MONTHS_PER_YEAR))
}

export interface Curve {
  readonly line: Line
  readonly points: Points
  /** The last point is where the line ends. */
  readonly end: readonly [month: number, amount: number]
  readonly isPast: boolean
}

/** The amount of a curve at a month. */
export const valueAt = (points: Points, month: number): number => {
  const after = points.findIndex(([at]) => at > month)
  if (after < 0) return points.at(-1)![1]
  if (after === 0) return points[0]![1]
  const [fromMonth, from] = points[after - 1]!
  const [toMonth, to] = points[after]!
  return from + ((to - from) * (month - fromMonth)) / (toMonth - fromMonth)
}

const shortened = (points: Points, months: number): Points => {
  const after = points.findIndex(([month]) => month > months)
  return after < 1 ? points : [...points.slice(0, after), [months, valueAt(points, months)]]
}

export const curveOf = (line: Line, kind: "pay" | "owe", months: number): Curve => {
  const own = kind === "pay" ? paymentPoints(line) : balancePoints(line)
  const last: readonly [number, number] = [line.months.length, kind === "pay" ? lastPayment(line) : 0]
  const all: Points = kind === "pay" ? [...own, last] : own
  const isPast = line.months.length > months
  const points = shortened(all, months)
  return { line, points, end: points.at(-1)!, isPast }
}
