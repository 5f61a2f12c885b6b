/**
 * The plots: what is paid a month, what is owed, and the first payment against the total. The plans of the cards have their
 * color and their name at the line; all others are thin and gray, and are named when they are pointed at.
 */
import { type ComponentChildren, Fragment, h, type RefObject } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { MONTHS_PER_YEAR } from "../../engine/schedule/calendar.ts"
import { dollars, wholeDollars } from "../../messages/figures.ts"
import type { BookAnswer, Line } from "../book/answer.ts"
import { texts } from "../texts.ts"
import { type Card, paymentsOf } from "./goals.ts"
import { Labels, type Spot } from "./labels.ts"
import { dateOf, endMonthOf, isShown, nameOf, rises, shortOf, shownDifference } from "./lines.ts"
import { type Scale, scaleOf } from "./scale.ts"
import type { Actions } from "./state.ts"

const { answer: words, plots: plotWords } = texts

/** Pixels; without script the drawing is scaled from this width. */
const USUAL_WIDTH = 720
const NARROW = 480
const HEIGHT = 280
const NARROW_HEIGHT = 250
const LEFT = 46
const RIGHT = 14
const TOP = 16
const BOTTOM = 26
const TICKS = 4
/** A year at the axis takes this much. */
const YEAR_PIXELS = 56
/** An amount at the axis below takes this much. */
const TICK_PIXELS = 110
const DOT = 4
/** Months that the plot shows beyond the last end of a plan in color. */
const MORE_MONTHS = 8

const COMPACT = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumFractionDigits: 1
})

type View = keyof typeof plotWords.views
const VIEWS: ReadonlyArray<View> = ["pay", "owe", "trade"]

interface PlotProps {
  readonly answer: BookAnswer
  readonly cards: ReadonlyArray<Card>
  readonly actions: Actions | undefined
  /** In pixels. */
  readonly width: number
  /** The line that is pointed at. */
  readonly pointed: Line | undefined
  readonly onPoint: (line: Line | undefined) => void
}

const cardOf = (line: Line, cards: ReadonlyArray<Card>): Card | undefined =>
  cards.find((card) => card.line.key === line.key)
const classOf = (line: Line, { cards, pointed }: PlotProps): string =>
  `${cardOf(line, cards)?.color ?? "g"}${pointed?.key === line.key ? " pointed" : ""}`
const heightOf = (width: number): number => (width < NARROW ? NARROW_HEIGHT : HEIGHT)
const yearOf = (answer: BookAnswer, months: number): string => dateOf(answer.firstMonth, months).slice(0, 4)

/** Gray lines first, so that colored ones lie over them. */
const inOrder = ({ answer, cards }: PlotProps): ReadonlyArray<Line> => [
  ...answer.lines.filter((line) => cardOf(line, cards) === undefined),
  ...answer.lines.filter((line) => cardOf(line, cards) !== undefined).reverse()
]

const labelsOf = (width: number): Labels =>
  new Labels({ left: LEFT, right: width, top: 0, bottom: heightOf(width) - BOTTOM + 2 })

const Word = ({ children, kind, spot }: { spot: Spot | undefined; kind: string; children?: ComponentChildren }) =>
  spot === undefined
    ? null
    : h("text", { class: `word ${kind}`, x: spot.x, y: spot.y, "text-anchor": spot.anchor }, children)

const Grid = ({ width, y }: { readonly width: number; readonly y: Scale }) =>
  h(
    Fragment,
    null,
    y.ticks.map((tick) =>
      h(
        "g",
        { key: tick },
        h("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick) }),
        h("text", { x: LEFT - 6, y: y(tick) + 4, "text-anchor": "end" }, COMPACT.format(tick))
      )
    )
  )

/** Calendar years at their January, as many as have room. */
const Years = ({ answer, months, width, x }: Pick<PlotProps, "answer" | "width"> & { months: number; x: Scale }) => {
  const first = new Date(answer.firstMonth)
  const toJanuary = (MONTHS_PER_YEAR - first.getUTCMonth()) % MONTHS_PER_YEAR
  const room = Math.max(1, Math.floor((width - LEFT - RIGHT) / YEAR_PIXELS))
  const step = Math.max(1, Math.ceil(months / MONTHS_PER_YEAR / room))
  const ticks = Array.from({ length: Math.ceil(months / MONTHS_PER_YEAR / step) }, (_, index) => {
    const at = toJanuary + index * step * MONTHS_PER_YEAR
    return { at, year: yearOf(answer, at) }
  }).filter(({ at }) => at <= months && x(at) < width - RIGHT)
  return h(
    Fragment,
    null,
    ticks.map(({ at, year }) => h("text", { key: at, x: x(at), y: heightOf(width) - 8, "text-anchor": "middle" }, year))
  )
}

/** Points in months and dollars. */
type Points = ReadonlyArray<readonly [month: number, amount: number]>

/** A payment holds for its month; the last point is the end of the last month. */
const paymentPoints = ({ months }: Line): Points =>
  months.flatMap((paid, month): Points => {
    const isSame = month > 0 && Math.abs(months[month - 1]! - paid) < 0.005
    // A remainder in the last month is no change of the payment.
    if (isSame || month === months.length - 1) return []
    return month === 0
      ? [[0, paid]]
      : [
          [month, months[month - 1]!],
          [month, paid]
        ]
  })

const lastPayment = ({ months }: Line): number => months[Math.max(0, months.length - 2)]!

/** Each year's balance at its month, and what is forgiven as a drop. The last point is the month of the end. */
const balancePoints = (line: Line): Points =>
  line.figures.yearly!.flatMap(({ forgivenThisYear, interestBalance, principalBalance, year }): Points => {
    const month = Math.min(year * MONTHS_PER_YEAR, line.months.length)
    const balance = principalBalance + interestBalance
    return isShown(forgivenThisYear)
      ? [
          [month, balance + forgivenThisYear],
          [month, balance]
        ]
      : [[month, balance]]
  })

/** The range of months: that of the plans in color and a little more. */
const monthsShown = ({ answer, cards }: PlotProps): number => {
  const longest = Math.max(...answer.lines.map(({ months }) => months.length))
  const colored = Math.max(...cards.map(({ line }) => line.months.length))
  return Math.min(longest, colored + MORE_MONTHS + Math.round(colored / 12))
}

interface Curve {
  readonly line: Line
  readonly points: Points
  /** The last point is where the line ends. */
  readonly end: readonly [month: number, amount: number]
  readonly isPast: boolean
}

const shortened = (points: Points, months: number): Points => {
  const after = points.findIndex(([month]) => month > months)
  if (after < 1) return points
  const [fromMonth, from] = points[after - 1]!
  const [toMonth, to] = points[after]!
  const part = toMonth === fromMonth ? 0 : (months - fromMonth) / (toMonth - fromMonth)
  return [...points.slice(0, after), [months, from + (to - from) * part]]
}

const curveOf = (line: Line, kind: "pay" | "owe", months: number): Curve => {
  const own = kind === "pay" ? paymentPoints(line) : balancePoints(line)
  const last: readonly [number, number] = [line.months.length, kind === "pay" ? lastPayment(line) : 0]
  const all: Points = kind === "pay" ? [...own, last] : own
  const isPast = line.months.length > months
  const points = shortened(all, months)
  return { line, points, end: points.at(-1)!, isPast }
}

/** Spots for words at a point of a line, the best first. */
const around = (x: number, y: number, shifts: ReadonlyArray<number> = [0, 14, -14, 28, -28]): ReadonlyArray<Spot> =>
  shifts.flatMap(
    (shift): ReadonlyArray<Spot> => [
      { x: x - 8, y: y - 7 + shift, anchor: "end" },
      { x: x + 8, y: y - 7 + shift, anchor: "start" },
      { x: x - 8, y: y + 17 + shift, anchor: "end" },
      { x: x + 8, y: y + 17 + shift, anchor: "start" }
    ]
  )

const valueAt = (points: Points, month: number): number => {
  const after = points.findIndex(([at]) => at > month)
  if (after < 0) return points.at(-1)![1]
  if (after === 0) return points[0]![1]
  const [fromMonth, from] = points[after - 1]!
  const [toMonth, to] = points[after]!
  return from + ((to - from) * (month - fromMonth)) / (toMonth - fromMonth)
}

/** Along a line, above it and below it. */
const along = (points: Points, from: number, to: number, x: Scale, y: Scale): ReadonlyArray<Spot> =>
  [0, 0.12, 0.25, 0.4, 0.55, 0.7, 0.85].flatMap((part): ReadonlyArray<Spot> => {
    const month = from + (to - from) * part
    const at = y(valueAt(points, month))
    return [
      { x: x(month) + 4, y: at - 7, anchor: "start" },
      { x: x(month) + 4, y: at + 17, anchor: "start" },
      { x: x(month) + 4, y: at - 21, anchor: "start" },
      { x: x(month) + 4, y: at + 31, anchor: "start" }
    ]
  })

const nameWords = (kind: "pay" | "owe", line: Line, isNarrow: boolean): string => {
  const first = wholeDollars(line.figures.firstMonthPayment)
  if (kind === "owe" || isNarrow) return shortOf(line)
  return `${shortOf(line)} ${plotWords.payment(first, wholeDollars(line.highestPayment), rises(line))}`
}

const endWords = (line: Line): string => {
  const month = endMonthOf(line) ?? words.never
  return isShown(line.figures.amountForgiven) ? plotWords.forgiven(month) : plotWords.done(month)
}

const pathOf = (points: Points, x: Scale, y: Scale): string =>
  points
    .map(([month, value], index) => `${index === 0 ? "M" : "L"}${x(month).toFixed(1)} ${y(value).toFixed(1)}`)
    .join("")

interface TimePlotProps extends PlotProps {
  readonly kind: "pay" | "owe"
}

const Curves = ({ curves, x, y, ...props }: TimePlotProps & { curves: ReadonlyArray<Curve>; x: Scale; y: Scale }) =>
  h(
    Fragment,
    null,
    curves.map(({ end, isPast, line, points }) => {
      const d = pathOf(points, x, y)
      const isCard = cardOf(line, props.cards) !== undefined
      const dot = !isPast && h("circle", { cx: x(end[0]), cy: y(end[1]), r: isCard ? DOT : DOT - 1 })
      return h(
        "g",
        { key: line.key, class: `curve ${classOf(line, props)}` },
        h("path", { d }),
        props.kind === "pay" &&
          isCard &&
          !isPast &&
          h("line", { class: "drop", x1: x(end[0]), x2: x(end[0]), y1: y(end[1]), y2: y(0) }),
        dot,
        h(
          "path",
          {
            class: "reach",
            d,
            onPointerEnter: () => props.onPoint(line),
            onPointerLeave: () => props.onPoint(undefined)
          },
          h("title", null, nameOf(line))
        )
      )
    })
  )

interface Worded {
  readonly key: string
  readonly text: string
  readonly kind: string
  readonly spot: Spot | undefined
}

/** Where the words of a plot over time stand: names and ends in color first, then plans past the edge, then others. */
const wordsOf = (props: TimePlotProps, curves: ReadonlyArray<Curve>, x: Scale, y: Scale): ReadonlyArray<Worded> => {
  const { answer, cards, kind, width } = props
  const labels = labelsOf(width)
  const isNarrow = width < NARROW
  for (const { points } of curves) {
    const pixels = points.map(([month, value]): readonly [number, number] => [x(month), y(value)])
    for (const [index, point] of pixels.entries()) if (index > 0) labels.avoid(pixels[index - 1]!, point)
  }
  const colored = [...curves].filter(({ line }) => cardOf(line, cards) !== undefined).reverse()
  for (const { end, isPast } of colored) if (!isPast) labels.keepFree(x(end[0]), y(end[1]), DOT)
  const ends = colored
    .filter(({ isPast }) => !isPast)
    .map(({ end, line }): Worded => {
      const text = endWords(line)
      const at = x(end[0])
      const low: ReadonlyArray<Spot> = [0, 14, 28].flatMap(
        (up): ReadonlyArray<Spot> => [
          { x: at - 6, y: y(0) - 5 - up, anchor: "end" },
          { x: at + 6, y: y(0) - 5 - up, anchor: "start" }
        ]
      )
      const spots = kind === "pay" ? [...low, ...around(at, y(end[1]))] : [...low, ...around(at, y(0) - 30)]
      const spot = labels.place(text, spots)
      return { key: `${line.key} end`, text, kind: cardOf(line, cards)!.color, spot }
    })
  const names = colored.map(({ end, line, points }): Worded => {
    const text = nameWords(kind, line, isNarrow)
    const start = kind === "pay" ? 0 : end[0] / 3
    const color = cardOf(line, cards)!.color
    const spot = labels.place(text, along(points, start, end[0], x, y))
    return { key: `${line.key} name`, text, kind: `${color} name`, spot }
  })
  const gray = curves.filter(({ line }) => cardOf(line, cards) === undefined)
  const past = gray
    .filter(({ isPast }) => isPast)
    .map(({ end, line }): Worded => {
      const text = plotWords.past(shortOf(line), yearOf(answer, line.months.length - 1))
      const at = y(end[1])
      const spots = [-6, 16, -20, 30].map((shift): Spot => ({ x: width - 4, y: at + shift, anchor: "end" }))
      return { key: `${line.key} past`, text, kind: "g", spot: labels.place(text, spots) }
    })
  const others = isNarrow
    ? []
    : gray
        .filter(({ isPast }) => !isPast)
        .map(({ end, line }): Worded => {
          const text = shortOf(line)
          return { key: line.key, text, kind: "g", spot: labels.place(text, around(x(end[0]), y(end[1]), [0]), false) }
        })
  return [...ends, ...names, ...past, ...others]
}

const TimePlot = (props: TimePlotProps) => {
  const { answer, kind, width } = props
  const height = heightOf(width)
  const months = monthsShown(props)
  const curves = inOrder(props).map((line) => curveOf(line, kind, months))
  const most = Math.max(1, ...curves.flatMap(({ points }) => points.map(([, value]) => value)))
  const x = scaleOf([0, months], [LEFT, width - RIGHT], TICKS)
  const y = scaleOf([0, most], [height - BOTTOM, TOP], TICKS, true)
  const placed = wordsOf(props, curves, x, y)
  const unnamed = curves.filter(
    ({ isPast, line }) => isPast && !placed.some(({ key, spot }) => spot !== undefined && key === `${line.key} past`)
  )
  return h(
    Fragment,
    null,
    h(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": described(props) },
      h(Grid, { y, width }),
      h(Years, { answer, months, width, x }),
      h(Curves, { ...props, curves, x, y }),
      placed.map(({ key, kind: of, spot, text }) => h(Word, { key, kind: of, spot }, text))
    ),
    unnamed.length > 0 &&
      h(
        "p",
        { class: "small" },
        plotWords.pastLead,
        " ",
        unnamed.map(({ line }) => plotWords.toYear(shortOf(line), yearOf(answer, line.months.length - 1))).join("; "),
        "."
      )
  )
}

const TradePlot = (props: PlotProps) => {
  const { cards, onPoint, width } = props
  const height = heightOf(width) + 60
  const lines = inOrder(props)
  const firsts = lines.map(({ figures }) => figures.firstMonthPayment)
  const costs = lines.map(({ cost }) => cost)
  const [least, most] = [Math.min(...costs), Math.max(...costs)]
  const margin = Math.max((most - least) * 0.12, most * 0.02, 1)
  const x = scaleOf(
    [0, Math.max(...firsts, 1) * 1.08],
    [LEFT, width - RIGHT],
    Math.max(2, Math.floor(width / TICK_PIXELS))
  )
  const y = scaleOf([Math.max(0, least - margin), most + margin], [height - BOTTOM - 18, TOP + 18], TICKS)
  const labels = new Labels({ left: LEFT, right: width, top: 14, bottom: height - BOTTOM - 16 })
  for (const [index] of lines.entries()) labels.keepFree(x(firsts[index]!), y(costs[index]!), DOT)
  const placed = [...lines].reverse().map((line) => {
    const [atX, atY] = [x(line.figures.firstMonthPayment), y(line.cost)]
    const beside: ReadonlyArray<Spot> = [
      { x: atX + 9, y: atY + 4, anchor: "start" },
      { x: atX - 9, y: atY + 4, anchor: "end" },
      { x: atX, y: atY - 9, anchor: "middle" },
      { x: atX, y: atY + 19, anchor: "middle" }
    ]
    const text = shortOf(line)
    return { line, text, spot: labels.place(text, [...beside, ...around(atX, atY, [0])]) }
  })
  const unnamed = placed.filter(({ spot }) => spot === undefined)
  const drawing = h(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": described(props) },
    h(Grid, { y, width }),
    x.ticks.map((tick) =>
      h("text", { key: tick, x: x(tick), y: height - BOTTOM + 2, "text-anchor": "middle" }, COMPACT.format(tick))
    ),
    h("text", { x: width - RIGHT, y: height - 6, "text-anchor": "end" }, plotWords.x),
    h("text", { x: 2, y: 12 }, plotWords.y),
    lines.map((line) =>
      h(
        "g",
        {
          key: line.key,
          class: `curve ${classOf(line, props)}`,
          onPointerEnter: () => onPoint(line),
          onPointerLeave: () => onPoint(undefined)
        },
        h("circle", {
          cx: x(line.figures.firstMonthPayment),
          cy: y(line.cost),
          r: cardOf(line, cards) === undefined ? DOT : DOT + 2
        }),
        h(
          "circle",
          { class: "reach", cx: x(line.figures.firstMonthPayment), cy: y(line.cost), r: 12 },
          h("title", null, nameOf(line))
        )
      )
    ),
    placed.map(({ line, spot, text }) =>
      h(Word, { key: line.key, spot, kind: `${cardOf(line, cards)?.color ?? "g"} name` }, text)
    )
  )
  if (unnamed.length === 0) return drawing
  return h(
    Fragment,
    null,
    drawing,
    h("p", { class: "small" }, plotWords.unnamed, " ", unnamed.map(({ line }) => figuresWords(line)).join("; "), ".")
  )
}

const figuresWords = (line: Line): string =>
  plotWords.figures(shortOf(line), wholeDollars(line.figures.firstMonthPayment), wholeDollars(line.cost))

const pointedWords = (line: Line): string =>
  plotWords.pointed(
    nameOf(line),
    wholeDollars(line.figures.firstMonthPayment),
    wholeDollars(line.cost),
    endWords(line)
      .toLowerCase()
      .replace(/^(done|rest forgiven) (.)/, (_, end, letter) => `${end} ${letter.toUpperCase()}`)
  )

/** What a drawing shows, in a sentence for those who do not see it. */
const described = ({ cards }: PlotProps): string => `${cards.map(({ line }) => pointedWords(line)).join(". ")}.`

const lowestOf = (cards: ReadonlyArray<Card>): Line => cards.find(({ goals }) => goals.includes("first"))!.line
const cheapestOf = (cards: ReadonlyArray<Card>): Line => cards.find(({ goals }) => goals.includes("cost"))!.line

/** The title of a plot is its finding about the lowest payment and the lowest total. */
const findingOf = (view: View, cards: ReadonlyArray<Card>): string => {
  const { findings } = plotWords
  const lowest = lowestOf(cards)
  const cheapest = cheapestOf(cards)
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

/** Values of each month or year, as a table and as a file hold them. */
interface Data {
  readonly id: string
  readonly unit: string
  readonly firstName: number
  readonly valuesOf: (line: Line) => ReadonlyArray<number>
}

const DATA: Readonly<Record<"pay" | "owe", Data>> = {
  pay: { id: "payment-by-month", unit: plotWords.month, firstName: 1, valuesOf: ({ months }) => months },
  owe: {
    id: "balance-by-year",
    unit: plotWords.year,
    firstName: 0,
    valuesOf: ({ figures }) =>
      figures.yearly!.map(({ interestBalance, principalBalance }) => principalBalance + interestBalance)
  }
}

/** Of each year or month the values of all lines. */
const rowsOf = (lines: ReadonlyArray<Line>, { valuesOf }: Data): ReadonlyArray<ReadonlyArray<number | undefined>> => {
  const values = lines.map(valuesOf)
  return Array.from({ length: Math.max(...values.map((one) => one.length)) }, (_, row) => values.map((one) => one[row]))
}

/** RFC 4180. Names of plans hold commas and no quotation marks. */
const csvOf = (lines: ReadonlyArray<Line>, data: Data): string =>
  [
    [data.unit, ...lines.map((line) => `"${nameOf(line)}"`)].join(","),
    ...rowsOf(lines, data).map((row, at) =>
      [at + data.firstName, ...row.map((value) => value?.toFixed(2) ?? "")].join(",")
    )
  ].join("\r\n")

const DataTable = ({ data, lines }: { readonly lines: ReadonlyArray<Line>; readonly data: Data }) =>
  h(
    "div",
    { class: "wide", role: "region", "aria-label": plotWords.table, tabIndex: 0 },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, data.unit),
          lines.map((line) => h("th", { key: line.key, scope: "col" }, nameOf(line)))
        )
      ),
      h(
        "tbody",
        null,
        rowsOf(lines, data).map((row, at) =>
          h(
            "tr",
            { key: at },
            h("th", { scope: "row" }, at + data.firstName),
            row.map((value, index) => h("td", { key: index }, value === undefined ? "" : dollars(value)))
          )
        )
      )
    )
  )

/** The table is made when it is opened: it has up to 600 rows, and changes with each key that is typed. */
const DataOf = ({ actions, data, lines }: { actions: Actions; lines: ReadonlyArray<Line>; data: Data }) => {
  const [isOpen, setOpen] = useState(false)
  return h(
    "details",
    {
      class: "data",
      onToggle: ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open)
    },
    h(
      "summary",
      { class: "fold small" },
      h("span", null, plotWords.table),
      h("i", { class: "go", "aria-hidden": "true" })
    ),
    isOpen && h(DataTable, { data, lines }),
    h(
      "button",
      { type: "button", class: "quiet", onClick: () => actions.save(`${data.id}.csv`, csvOf(lines, data)) },
      plotWords.csv
    )
  )
}

/** The width of an element in whole pixels, once there is a screen. */
const useWidth = (of: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(USUAL_WIDTH)
  useEffect(() => {
    const element = of.current
    if (element === null) return undefined
    const watching = new ResizeObserver(([entry]) => {
      const measured = Math.floor(entry!.contentRect.width)
      if (measured > 0) setWidth(measured)
    })
    watching.observe(element)
    return () => watching.disconnect()
  }, [of])
  return width
}

const Drawn = ({ view, ...props }: PlotProps & { readonly view: View }) =>
  view === "trade" ? h(TradePlot, props) : h(TimePlot, { ...props, kind: view })

const ViewChoice = ({ onView, view }: { readonly view: View; readonly onView: (view: View) => void }) =>
  h(
    "fieldset",
    null,
    h("legend", { class: "vh" }, plotWords.show),
    h(
      "div",
      { class: "seg" },
      VIEWS.map((one) =>
        h(
          "label",
          { key: one },
          h("input", { type: "radio", name: "view", checked: one === view, onChange: () => onView(one) }),
          plotWords.views[one]
        )
      )
    )
  )

interface PlotsProps {
  readonly answer: BookAnswer
  readonly cards: ReadonlyArray<Card>
  readonly actions: Actions | undefined
  readonly children?: ComponentChildren
}

/** With script one plot at a time; without it all of them. */
export const Plots = (props: PlotsProps) => {
  const { actions, answer, cards, children } = props
  const [view, setView] = useState<View>("pay")
  const [pointed, setPointed] = useState<Line | undefined>(undefined)
  const room = useRef<HTMLDivElement>(null)
  const width = useWidth(room)
  const plot = { answer, cards, actions, width, pointed, onPoint: setPointed }
  const views = actions === undefined ? VIEWS : [view]
  return h(
    "figure",
    { class: "card plots" },
    views.map((one) =>
      h(
        Fragment,
        { key: one },
        h(
          "figcaption",
          { class: "top" },
          h("h2", null, findingOf(one, cards)),
          actions !== undefined && h(ViewChoice, { view, onView: setView })
        ),
        h("div", { class: "plot", ref: room }, h(Drawn, { ...plot, view: one }))
      )
    ),
    actions !== undefined &&
      h(
        "p",
        { class: "small pointing", "aria-hidden": "true" },
        pointed === undefined ? plotWords.point : pointedWords(pointed)
      ),
    actions !== undefined && view !== "trade" && h(DataOf, { actions, lines: answer.lines, data: DATA[view] }),
    children
  )
}
