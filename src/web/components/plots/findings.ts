/** The sentences of the plots: their findings, and descriptions of lines and drawings. */
import { MONTHS_PER_YEAR } from "../../../engine/index.ts"
import { wholeDollars } from "../../../messages/figures.ts"
import { answerTexts as words } from "../../answerTexts.ts"
import type { Line } from "../../book/line.ts"
import { isShown } from "../../book/numbers.ts"
import { plotTexts as plotWords } from "../../plotTexts.ts"
import { type Card, paymentsOf, winnerOf } from "../goals.ts"
import { endMonthOf, isPartForgiven, nameOf, rises, shortOf, shownDifference } from "../lines.ts"

export type View = keyof typeof plotWords.views

export const nameWords = (kind: "pay" | "owe", line: Line, isNarrow: boolean): string => {
  const first = wholeDollars(line.figures.firstMonthPayment)
  if (kind === "owe" || isNarrow) return shortOf(line)
  return `${shortOf(line)} ${plotWords.payment(first, wholeDollars(line.highestPayment), rises(line))}`
}

export const endWords = (line: Line): string => {
  const month = endMonthOf(line) ?? words.never
  return isShown(line.figures.amountForgiven) && !isPartForgiven(line)
    ? plotWords.forgiven(month)
    : plotWords.done(month)
}

export const figuresWords = (line: Line): string =>
  plotWords.figures(shortOf(line), wholeDollars(line.figures.firstMonthPayment), wholeDollars(line.cost))

export const pointedWords = (line: Line): string =>
  plotWords.pointed(
    nameOf(line),
    wholeDollars(line.figures.firstMonthPayment),
    wholeDollars(line.cost),
    endWords(line)
      .toLowerCase()
      .replace(/^(done|rest forgiven) (.)/, (_, end, letter) => `${end} ${letter.toUpperCase()}`)
  )

/** The description of a drawing, for screen readers. */
export const described = (cards: ReadonlyArray<Card>): string =>
  `${cards.map(({ line }) => pointedWords(line)).join(". ")}.`

/** The title of a plot is its finding about the lowest payment and the lowest total. */
export const findingOf = (view: View, cards: ReadonlyArray<Card>): string => {
  const { findings } = plotWords
  const lowest = winnerOf(cards, "first")
  const cheapest = winnerOf(cards, "cost")
  const lower = shownDifference(cheapest.figures.firstMonthPayment, lowest.figures.firstMonthPayment)
  if (view === "pay") {
    if (lowest === cheapest) return findings.one(shortOf(lowest))
    return lower > 0 && Number.isFinite(paymentsOf(lowest))
      ? findings.lower(shortOf(lowest), wholeDollars(lower), paymentsOf(lowest) - paymentsOf(cheapest))
      : findings.same
  }
  if (view === "trade") {
    const more = shownDifference(lowest.cost, cheapest.cost)
    return lower > 0 && more > 0 ? findings.trade(wholeDollars(lower), wholeDollars(more)) : findings.trades
  }
  const sorted = [...cards].map(({ line }) => line).sort((one, other) => one.months.length - other.months.length)
  const [soonest, last] = [sorted[0]!, sorted.at(-1)!]
  const years = Math.ceil(soonest.months.length / MONTHS_PER_YEAR)
  const point = last.figures.yearly![years]
  if (years * MONTHS_PER_YEAR >= last.months.length || point === undefined) return findings.owe
  return findings.left(years, shortOf(last), wholeDollars(point.principalBalance + point.interestBalance))
}
