/** The answer: what the choice is about, every open plan in a table, and the closed ones with their reasons. */
import { type ComponentChildren, Fragment, h } from "preact"
import { dollars, month as monthName, wholeDollars } from "../../messages/figures.ts"
import type { BookAnswer, ClosedPlan, Line, LineNote } from "../book/answer.ts"
import { texts } from "../texts.ts"
import { plottedOf } from "./plotted.ts"
import type { Actions, State } from "./state.ts"

const { answer: words } = texts
const MONTHS_PER_YEAR = 12

export const nameOf = ({ filing, planType }: Line): string =>
  filing === null ? words.plans[planType] : `${words.plans[planType]}, ${words.filings[filing]}`

/** The sentence about the choice: of equal plans the first, and how many others. */
const about = ({ lines, lowestCost, lowestFirst, soonest }: BookAnswer): string => {
  const named = ([key, ...others]: ReadonlyArray<string>) =>
    words.andOthers(nameOf(lines.find((line) => line.key === key)!), others.length)
  return words.about(named(lowestFirst), named(lowestCost), named(soonest))
}

const marksOf = ({ key }: Line, { lowestCost, lowestFirst, soonest }: BookAnswer): ReadonlyArray<string> => [
  ...(lowestFirst.includes(key) ? [words.marks.first] : []),
  ...(lowestCost.includes(key) ? [words.marks.cost] : []),
  ...(soonest.includes(key) ? [words.marks.soonest] : [])
]

const endOf = ({ figures: { forgivenessType, monthsToFinish, payoffOrForgivenessDate } }: Line): ComponentChildren => {
  if (monthsToFinish === null || payoffOrForgivenessDate === null) return words.never
  const payments = monthsToFinish + 1
  const length = words.years(Math.floor(payments / MONTHS_PER_YEAR), payments % MONTHS_PER_YEAR)
  return [
    monthName(payoffOrForgivenessDate),
    h("small", { key: "end" }, `${words.endings[forgivenessType]}, ${length}`)
  ]
}

interface CellProps {
  readonly line: Line
  readonly column: keyof typeof words.columns
  /** The month whose payment explains the figure. */
  readonly month: number
  readonly actions: Actions | undefined
  readonly children?: ComponentChildren
}

/** A figure of the table, which opens how it is computed. */
const Cell = ({ actions, children, column, line, month }: CellProps) =>
  h(
    "td",
    { role: "cell", "data-label": words.columns[column] },
    actions === undefined
      ? children
      : h(
          "button",
          {
            type: "button",
            class: "figure",
            title: words.why(words.columns[column], nameOf(line)),
            onClick: () => actions.explain(line, month)
          },
          children
        )
  )

/** An amount as people read it, with all its cents for those who look for them. */
const amount = (value: number, shown: (value: number) => string) => h("data", { value: String(value) }, shown(value))

interface RowProps {
  readonly line: Line
  readonly answer: BookAnswer
  readonly plotted: ReadonlyArray<string>
  readonly actions: Actions | undefined
}

const noteOf = ({ beside, figures: { outside } }: Line, note: LineNote, { indexes }: BookAnswer): string =>
  note === "beside" && outside !== undefined
    ? words.beside(
        outside.loans.map((position) => indexes[position]! + 1),
        beside.map((plan) => words.plans[plan]),
        wholeDollars(outside.year1MonthlyPayment)
      )
    : words.notes[note]

const PlanName = ({ actions, answer, line, plotted }: RowProps) => {
  const isPlotted = plotted.includes(line.key)
  const others = plotted.filter((key) => key !== line.key)
  return h(
    Fragment,
    null,
    actions !== undefined &&
      h("input", {
        type: "checkbox",
        checked: isPlotted,
        "aria-label": words.show(nameOf(line)),
        onChange: () => actions.plot(isPlotted ? others : [...others, line.key])
      }),
    nameOf(line),
    marksOf(line, answer).map((mark) => h("span", { key: mark, class: "mark" }, mark)),
    line.notes.map((note) => h("small", { key: note }, noteOf(line, note, answer)))
  )
}

const Row = (row: RowProps) => {
  const { actions, line } = row
  const { figures, highestMonth, highestPayment } = line
  const last = line.months.length - 1
  const cell = (column: keyof typeof words.columns, month: number, children: ComponentChildren) =>
    h(Cell, { key: column, line, column, month, actions }, children)
  return h(
    "tr",
    { role: "row" },
    h("th", { scope: "row", role: "rowheader" }, h(PlanName, row)),
    cell("first", 0, amount(figures.firstMonthPayment, dollars)),
    cell("highest", highestMonth, amount(highestPayment, dollars)),
    cell("paid", last, amount(figures.totalOutOfPocket, wholeDollars)),
    cell("forgiven", last, amount(figures.amountForgiven, wholeDollars)),
    cell("tax", last, amount(figures.forgivenessTaxesOwed, wholeDollars)),
    cell("cost", last, amount(line.cost, wholeDollars)),
    cell("worth", last, amount(line.presentValue, wholeDollars)),
    cell("ends", last, endOf(line))
  )
}

export const PlanTable = ({
  actions,
  answer,
  state
}: {
  answer: BookAnswer
  state: State
  actions: Actions | undefined
}) =>
  h(
    "div",
    { class: "wide", role: "region", "aria-label": words.table, tabIndex: 0 },
    h(
      "table",
      { role: "table", class: "plans" },
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          Object.entries(words.columns).map(([column, title]) =>
            h("th", { key: column, scope: "col", role: "columnheader" }, title)
          )
        )
      ),
      h(
        "tbody",
        { role: "rowgroup" },
        answer.lines.map((line) => h(Row, { key: line.key, line, answer, plotted: plottedOf(answer, state), actions }))
      )
    )
  )

const Reasons = ({ plans }: { readonly plans: ReadonlyArray<ClosedPlan> }) =>
  h(
    "dl",
    { class: "closed" },
    plans.map(({ planType, reasons }) =>
      h(
        Fragment,
        { key: planType },
        h("dt", null, words.plans[planType]),
        [...new Set(reasons.map((why) => words.reason(planType, why)))].map((sentence) =>
          h("dd", { key: sentence }, sentence)
        )
      )
    )
  )

/** What comes before all comparing: plans that would forgive a loan now. */
export const DonePlans = ({ done }: Pick<BookAnswer, "done">) =>
  h(
    "section",
    { class: "done", "aria-labelledby": "done" },
    h("h3", { id: "done" }, words.done),
    h("p", null, words.doneLead),
    h(Reasons, { plans: done })
  )

export const ClosedPlans = ({ closed }: Pick<BookAnswer, "closed">) =>
  h("section", { "aria-labelledby": "closed" }, h("h3", { id: "closed" }, words.closed), h(Reasons, { plans: closed }))

export const Remarks = ({ remarks }: Pick<BookAnswer, "remarks">) =>
  remarks.map((remark) => h("p", { key: JSON.stringify(remark), class: "remark" }, words.remark(remark)))

export const About = ({ answer }: { readonly answer: BookAnswer }) =>
  h("p", { class: "about", role: "status" }, about(answer), " ", words.advice)
