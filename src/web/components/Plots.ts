/** Three plots of the chosen plans, each with the same data as a table and as CSV. */
import { scaleLinear } from "d3-scale"
import { curveLinear, curveStepAfter, line as pathOf } from "d3-shape"
import { h } from "preact"
import { useState } from "preact/hooks"
import { dollars, wholeDollars } from "../../messages/figures.ts"
import type { BookAnswer } from "../book/answer.ts"
import { texts } from "../texts.ts"
import { nameOf } from "./Answer.ts"
import { balances, type Curve, costs, MAX_PLOTTED, payments, plottedOf } from "./plotted.ts"
import type { Actions, State } from "./state.ts"

const { plots: words } = texts

const WIDTH = 380
const HEIGHT = 230
const LEFT = 58
const BOTTOM = 34
const TOP = 10
const RIGHT = 12
const TICKS = 5

interface PlotProps {
  readonly id: string
  readonly title: string
  readonly curves: ReadonlyArray<Curve>
  /** Values a year. */
  readonly perYear: number
  readonly actions: Actions | undefined
}

const COMPACT = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumFractionDigits: 1
})

const scalesOf = ({ curves, perYear }: PlotProps) => {
  const years = Math.max(1, ...curves.map(({ values }) => (values.length - 1) / perYear))
  const most = curves.reduce((top, { values }) => values.reduce((a, b) => Math.max(a, b), top), 1)
  return {
    x: scaleLinear([0, years], [LEFT, WIDTH - RIGHT]),
    y: scaleLinear([0, most], [HEIGHT - BOTTOM, TOP]).nice(TICKS)
  }
}

const Axes = ({ x, y }: ReturnType<typeof scalesOf>) =>
  h(
    "g",
    { class: "axes" },
    y
      .ticks(TICKS)
      .map((tick) =>
        h(
          "g",
          { key: tick },
          h("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick) }),
          h("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, COMPACT.format(tick))
        )
      ),
    x
      .ticks(TICKS)
      .map((tick) => h("text", { key: tick, x: x(tick), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" }, tick)),
    h("text", { x: WIDTH - RIGHT, y: HEIGHT - 4, "text-anchor": "end" }, words.axis)
  )

const Drawing = (props: PlotProps) => {
  const { curves, perYear, title } = props
  const { x, y } = scalesOf(props)
  const path = pathOf<number>()
    .x((_, index) => x(index / perYear))
    .y((value) => y(value))
    .curve(perYear === 1 ? curveLinear : curveStepAfter)
  return h(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title },
    h(Axes, { x, y }),
    curves.map(({ line, values }, index) =>
      h("path", { key: line.key, class: `curve c${index}`, d: path([...values]) ?? "" })
    )
  )
}

/** The values as everybody can read them, and programs too: of each year or month those of all curves. */
const rowsOf = ({ curves }: PlotProps): ReadonlyArray<ReadonlyArray<number | undefined>> =>
  Array.from({ length: Math.max(...curves.map(({ values }) => values.length)) }, (_, row) =>
    curves.map(({ values }) => values[row])
  )

/** What a row stands for: years are counted from the beginning, payments from the first. */
const nameOfRow = ({ perYear }: PlotProps, row: number): number => (perYear === 1 ? row : row + 1)
const nameOfRows = ({ perYear }: PlotProps): string => (perYear === 1 ? words.year : words.month)

/** RFC 4180. Names of plans hold commas and no quotation marks. */
const csvOf = (plot: PlotProps): string =>
  [
    [nameOfRows(plot), ...plot.curves.map(({ line }) => `"${nameOf(line)}"`)].join(","),
    ...rowsOf(plot).map((row, at) => [nameOfRow(plot, at), ...row.map((value) => value?.toFixed(2) ?? "")].join(","))
  ].join("\r\n")

const DataTable = (plot: PlotProps) =>
  h(
    "div",
    { class: "wide", role: "region", "aria-label": plot.title, tabIndex: 0 },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, nameOfRows(plot)),
          plot.curves.map(({ line }) => h("th", { key: line.key, scope: "col" }, nameOf(line)))
        )
      ),
      h(
        "tbody",
        null,
        rowsOf(plot).map((row, at) =>
          h(
            "tr",
            { key: at },
            h("th", { scope: "row" }, nameOfRow(plot, at)),
            row.map((value, index) => h("td", { key: index }, value === undefined ? "" : dollars(value)))
          )
        )
      )
    )
  )

/** The table is made when somebody opens it: it has up to 600 rows, and changes with each key that is typed. */
const Data = (plot: PlotProps) => {
  const [isOpen, setOpen] = useState(plot.actions === undefined)
  return h(
    "details",
    {
      onToggle: ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) =>
        setOpen(currentTarget.open || plot.actions === undefined)
    },
    h("summary", null, words.table),
    isOpen && h(DataTable, plot),
    plot.actions !== undefined &&
      h("button", { type: "button", onClick: () => plot.actions?.save(`${plot.id}.csv`, csvOf(plot)) }, words.csv)
  )
}

const Plot = (plot: PlotProps) =>
  h("figure", { id: plot.id }, h("figcaption", null, plot.title), h(Drawing, plot), h(Data, plot))

const Legend = ({ curves }: { readonly curves: ReadonlyArray<Curve> }) =>
  h(
    "ul",
    { class: "legend" },
    curves.map(({ line }, index) =>
      h(
        "li",
        { key: line.key },
        h("svg", { viewBox: "0 0 28 8", "aria-hidden": "true" }, h("path", { class: `curve c${index}`, d: "M0 4H28" })),
        `${nameOf(line)}: ${wholeDollars(line.cost)}`
      )
    )
  )

export const Plots = ({
  actions,
  answer,
  state
}: {
  answer: BookAnswer
  state: State
  actions: Actions | undefined
}) => {
  const plotted = plottedOf(answer, state).slice(0, MAX_PLOTTED)
  const lines = answer.lines.filter(({ key }) => plotted.includes(key))
  const plot = (id: string, title: string, curve: (line: (typeof lines)[number]) => Curve, perYear: number) =>
    h(Plot, { id, title, curves: lines.map(curve), perYear, actions })
  return h(
    "section",
    { "aria-labelledby": "plots" },
    h("h3", { id: "plots" }, words.title),
    h("p", { class: "help" }, words.choose),
    lines.length > 0 && h(Legend, { curves: lines.map(balances) }),
    lines.length > 0 &&
      h(
        "div",
        { class: "plots" },
        plot("balance-by-year", words.balance, balances, 1),
        plot("payment-by-month", words.payment, payments, 12),
        plot("cost-by-year", words.cost, costs, 1)
      )
  )
}
