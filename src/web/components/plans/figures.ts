/** The figures of a row: first payment, total with its parts as a bar, and end. */
import { Fragment, h } from "preact"
import { wholeDollars } from "../../../messages/figures.ts"
import { answerTexts as words } from "../../answerTexts.ts"
import type { BookAnswer } from "../../book/answer.ts"
import type { Line } from "../../book/line.ts"
import { isShown } from "../../book/numbers.ts"
import { span } from "../elements.ts"
import { type Card, paymentsOf } from "../goals.ts"
import { amount, endMonthOf, forgivenMonthOf, isPartForgiven, leastOf, riseOf, rises } from "../lines.ts"
import type { Actions, State } from "../state.ts"

export interface AnswerProps {
  readonly answer: BookAnswer
  readonly cards: ReadonlyArray<Card>
  readonly state: State
  readonly actions: Actions
}

export interface LineProps extends AnswerProps {
  readonly line: Line
}

interface WithFigure {
  readonly figureOf: (more: NonNullable<Line["withExtra"]>) => string
}

/** What paying more does to a figure, in small words; nothing where it changes nothing, or the budget is too little. */
const WithExtra = ({ answer: { assumes }, figureOf, line }: LineProps & WithFigure) => {
  const { budget, extra, once } = assumes
  const { withExtra } = line
  const isTooLittle = once === null && budget > 0 && line.highestPayment > budget
  if (withExtra === undefined || withExtra.cost === line.cost || isTooLittle) return null
  const figure = figureOf(withExtra)
  if (once !== null) return span("small", words.withOnce(wholeDollars(once.amount), figure))
  return span(
    "small",
    budget > 0 ? words.withBudget(wholeDollars(budget), figure) : words.withExtra(wholeDollars(extra), figure)
  )
}

const Payment = ({ line }: LineProps) => {
  const { firstMonthPayment } = line.figures
  const least = leastOf(line)
  const then = rises(line)
    ? words.thenUpTo(wholeDollars(line.highestPayment), riseOf(line))
    : least !== undefined
      ? words.thenLess(wholeDollars(least))
      : words.thenFixed(line.isByIncome)
  return span(
    "pay",
    span("vh", `${words.rowLabels.first} `),
    h("b", null, amount(firstMonthPayment)),
    span("then", then)
  )
}

interface TrackProps {
  /** What the whole width stands for. */
  readonly most: number
  /** Each begins where the one before it ends. */
  readonly parts: Readonly<Partial<Record<"debt" | "beyond" | "tax", number>>>
}

/** A bar of amounts. */
export const Track = ({ most, parts }: TrackProps) => {
  const scaled = (value: number) => (most > 0 ? (value / most) * 100 : 0)
  let from = 0
  return h(
    "svg",
    { class: "track", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    h("rect", { class: "ground", x: 0, y: 1, width: 100, height: 8 }),
    Object.entries(parts).map(([kind, width]) => {
      const x = scaled(from).toFixed(2)
      from += width
      return width > 0 && h("rect", { key: kind, class: kind, x, y: 1, width: scaled(width).toFixed(2), height: 8 })
    })
  )
}

/** Today's debt, the amount paid beyond it, and the tax. All lines have one scale. */
const Bar = ({ answer, line }: LineProps) => {
  const { forgivenessTaxesOwed: tax, totalOutOfPocket } = line.figures
  const debt = Math.min(totalOutOfPocket, answer.owed)
  const most = Math.max(...answer.lines.map(({ cost }) => cost), answer.owed)
  return h(Track, { most, parts: { debt, beyond: totalOutOfPocket - debt, tax } })
}

const Cost = (props: LineProps) => {
  const { line } = props
  return span(
    "cost",
    h(Bar, props),
    h("b", null, amount(line.cost), span("k", ` ${words.cards.units.cost}`)),
    span("small", words.beyond(line.beyondDebt, line.figures.forgivenessTaxesOwed)),
    h(WithExtra, { ...props, figureOf: ({ cost }) => wholeDollars(cost) })
  )
}

const End = (props: LineProps) => {
  const { line } = props
  const month = endMonthOf(line)
  const forgivenMonth = forgivenMonthOf(line)
  const after = (payments: number) => {
    if (!isShown(line.figures.amountForgiven) || forgivenMonth === undefined) return words.after(payments)
    return isPartForgiven(line) ? words.partForgiven(payments, forgivenMonth) : words.forgiven(payments)
  }
  return span(
    "end",
    span("vh", `${words.rowLabels.ends} `),
    h("b", null, month ?? words.never),
    month !== undefined && span("small", after(paymentsOf(line))),
    h(WithExtra, { ...props, figureOf: (more) => endMonthOf(more) ?? words.never })
  )
}

/** The figures of a line. If there are two returns, each can be chosen. */
export const Figures = (props: LineProps) => h(Fragment, null, h(Payment, props), h(Cost, props), h(End, props))
