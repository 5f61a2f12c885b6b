/** The curves of the plots, for random books: a plan ends in the month that the list says, and a forgiveness is a drop. */
import { h } from "preact"
import { renderToString } from "preact-render-to-string"
import { expect, it } from "vitest"
import { month as monthName } from "../../src/messages/figures.ts"
import type { BookAnswer } from "../../src/web/book/answer.ts"
import { explainFigure } from "../../src/web/book/compute.ts"
import { type Draft, emptyChange, emptyDraft, emptyLoan } from "../../src/web/book/draft.ts"
import type { Line } from "../../src/web/book/line.ts"
import { isShown } from "../../src/web/book/numbers.ts"
import { cardsOf, paymentsOf } from "../../src/web/components/goals.ts"
import { dateOf, endMonthOf, shortOf } from "../../src/web/components/lines.ts"
import { type Curve, curveOf, monthsShown } from "../../src/web/components/plots/curves.ts"
import { USUAL_WIDTH } from "../../src/web/components/plots/frame.ts"
import { TimePlot } from "../../src/web/components/plots/TimePlot.ts"
import { answered as answeredAt, answeredBooks } from "../support/books.ts"
import { newSeedOr, runs } from "../support/random.ts"

const NOW = new Date("2026-11-22T12:00:00Z")
const BOOKS = runs(60, 250)
/** A plot without an edge. */
const ALL_MONTHS = Number.POSITIVE_INFINITY

/** Eleven cents of it are forgiven years after all the rest. */
const CENTS_LATER: Draft = {
  loans: [
    {
      ...emptyLoan,
      type: "DIRECT PARENT PLUS CONSOLIDATED",
      balance: "0.08",
      rate: "8.26",
      interest: "0.03",
      months: "141"
    },
    { ...emptyLoan, type: "DIRECT PARENT PLUS", balance: "88945.42", rate: "9.18", interest: "8999.93", pslf: "88" }
  ],
  household: { ...emptyDraft.household, income: "23870.99", state: "AR", service: "yes" },
  changes: [{ ...emptyChange, year: "29", service: "ends" }]
}

/** The last year forgives 49.47 cents, and its figure shows 50, because the figures of the years add up. */
const ROUNDED_UP: Draft = {
  loans: [
    { ...emptyLoan, type: "DIRECT STAFFORD UNSUBSIDIZED", balance: "0.13", rate: "5.99", interest: "0.17" },
    { ...emptyLoan, type: "DIRECT STAFFORD UNSUBSIDIZED", balance: "20000.37", rate: "5.05", months: "36" }
  ],
  household: { ...emptyDraft.household, income: "0", state: "TX", firstBorrowed: "2007" },
  changes: []
}

/** The drops of a curve of balances: month, balance before, balance after. */
const dropsOf = ({ points }: Curve) =>
  points.flatMap(([month, after], index) => {
    const [before, amount] = points[index - 1] ?? []
    return before === month ? [[month, amount!, after] as const] : []
  })

const KINDS = ["pay", "owe"] as const

/** HTML of both plots over time. */
const plotsOf = (answer: BookAnswer): string => {
  const plot = { answer, cards: cardsOf(answer), width: USUAL_WIDTH, pointed: undefined, onPoint: () => undefined }
  return KINDS.map((kind) => renderToString(h(TimePlot, { ...plot, kind }))).join("")
}

/** How often the plots say that a plan goes on past the edge of a plot, until a year. */
const saidPast = (html: string, line: Line, year: string): number => {
  const said = html.matchAll(new RegExp(`(?:>|: |; )${shortOf(line)}(?:, to ${year} →| to ${year}(?:;|\\.))`, "g"))
  return [...said].length
}

it(`every curve of ${BOOKS} random books ends where the list says`, () => {
  const seen = { cut: 0, whole: 0, dropped: 0 }
  const books = answeredBooks(BOOKS, newSeedOr(20261127), NOW)
  const cases = [CENTS_LATER, ROUNDED_UP].map((draft) => ({ draft, answered: answeredAt(draft, NOW) }))
  for (const { answered, draft } of [...books, ...cases]) {
    const { answer } = answered
    const edge = monthsShown(answer, cardsOf(answer))
    const html = plotsOf(answer)
    for (const line of answer.lines) {
      const where = `${line.key} of ${JSON.stringify(draft)}`
      const { amountForgiven, yearly } = line.figures
      const months = line.paused + paymentsOf(line)
      const lastMonth = dateOf(answer.firstMonth, months - 1)
      expect(endMonthOf(line), where).toBe(monthName(lastMonth))

      for (const kind of KINDS) {
        const { end, isPast } = curveOf(line, kind, edge)
        expect([isPast, end[0]], where).toEqual([months > edge, Math.min(months, edge)])
        const whole = curveOf(line, kind, ALL_MONTHS)
        expect([whole.isPast, whole.end[0]], where).toEqual([false, months])
      }
      expect(saidPast(html, line, lastMonth.slice(0, 4)), where).toBe(months > edge ? 2 : 0)
      seen[months > edge ? "cut" : "whole"]++

      expect(curveOf(line, "pay", ALL_MONTHS).points[0], where).toEqual([0, line.months[0]])
      const owed = curveOf(line, "owe", ALL_MONTHS)
      for (const { interestBalance, principalBalance, year } of yearly!) {
        const points = owed.points.filter(([month]) => month === Math.min(12 * year, months))
        expect(points.at(-1)![1], where).toBeCloseTo(principalBalance + interestBalance, 6)
      }
      expect(owed.end[1], where).toBeCloseTo(0, 2)
      const drops = dropsOf(owed)
      const forgiven = yearly!.filter(({ forgivenThisYear }) => isShown(forgivenThisYear))
      expect(drops.length, where).toBe(forgiven.length)
      drops.forEach(([, before, after], index) => {
        expect(before - forgiven[index]!.forgivenThisYear, where).toBeCloseTo(after, 6)
      })
      const hidden = yearly!.filter((one) => !forgiven.includes(one)).map(({ forgivenThisYear }) => forgivenThisYear)
      const dropped = [...drops.map(([, before, after]) => before - after), ...hidden]
      expect(
        dropped.reduce((sum, one) => sum + one, 0),
        where
      ).toBeCloseTo(amountForgiven, 1)

      const { date } = explainFigure(draft, { line, figure: "forgiven", month: 0 }, NOW)!
      if (drops.length > 0) {
        const [month] = drops.at(-1)!
        expect(monthName(dateOf(answer.firstMonth, month - 1)), where).toBe(monthName(date))
        seen.dropped++
      }
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(BOOKS / 2)
})
