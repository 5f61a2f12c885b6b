/** The monthly payment or the debt over time. */
import { Fragment, h } from "preact"
import { MONTHS_PER_YEAR } from "../../../engine/index.ts"
import type { BookAnswer } from "../../book/answer.ts"
import { texts } from "../../texts.ts"
import { p } from "../elements.ts"
import { cardOf, colorOf } from "../goals.ts"
import { dateOf, nameOf, shortOf } from "../lines.ts"
import { type Curve, curveOf, monthsShown, type Points, valueAt } from "./curves.ts"
import { described, endWords, nameWords } from "./findings.ts"
import {
  around,
  BOTTOM,
  classOf,
  DOT,
  Grid,
  heightOf,
  inOrder,
  isNarrow,
  LEFT,
  labelsOf,
  PICTURE,
  type PlotProps,
  pointing,
  RIGHT,
  TICKS,
  TOP,
  Word
} from "./frame.ts"
import type { Spot } from "./labels.ts"
import { type Scale, scaleOf } from "./scale.ts"

const { plots: plotWords } = texts

/** The width of a year's label on the axis. */
const YEAR_PIXELS = 56

const yearOf = (answer: BookAnswer, months: number): string => dateOf(answer.firstMonth, months).slice(0, 4)

/** Labels of calendar years at their January, as many as fit. */
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

/** Spots for words along a line, above it and below it. */
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
            ...pointing(line, props.onPoint)
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

/** Places the words of a plot over time: first names and ends in color, then plans beyond the edge, then others. */
const wordsOf = (props: TimePlotProps, curves: ReadonlyArray<Curve>, x: Scale, y: Scale): ReadonlyArray<Worded> => {
  const { answer, cards, kind, width } = props
  const labels = labelsOf(width)
  for (const { points } of curves) {
    const pixels = points.map(([month, value]): readonly [number, number] => [x(month), y(value)])
    for (const [index, point] of pixels.entries()) if (index > 0) labels.avoid(pixels[index - 1]!, point)
  }
  const colored = [...curves].filter(({ line }) => cardOf(line, cards) !== undefined).reverse()
  for (const { end } of colored.filter(({ isPast }) => !isPast)) {
    labels.keepFree(x(end[0]), y(end[1]), DOT)
    if (kind === "pay") labels.avoid([x(end[0]), y(end[1])], [x(end[0]), y(0)])
  }
  const endsOnce = new Set<string>()
  const ends = colored
    .filter(({ isPast, line }) => !isPast && !endsOnce.has(endWords(line)) && endsOnce.add(endWords(line)))
    .map(({ end, line }): Worded => {
      const text = endWords(line)
      const at = x(end[0])
      const low: ReadonlyArray<Spot> = [0, 14, 28, 42, 56, 70].flatMap(
        (up): ReadonlyArray<Spot> => [
          { x: at - 6, y: y(0) - 5 - up, anchor: "end" },
          { x: at + 6, y: y(0) - 5 - up, anchor: "start" }
        ]
      )
      const spots = kind === "pay" ? [...low, ...around(at, y(end[1]))] : [...low, ...around(at, y(0) - 30)]
      const spot = labels.place(text, spots)
      return { key: `${line.key} end`, text, kind: colorOf(line, cards), spot }
    })
  const names = colored.map(({ end, line, points }): Worded => {
    const text = nameWords(kind, line, isNarrow(width))
    const start = kind === "pay" ? 0 : end[0] / 3
    const spot = labels.place(text, along(points, start, end[0], x, y))
    return { key: `${line.key} name`, text, kind: `${colorOf(line, cards)} name`, spot }
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
  const others = gray
    .filter(({ isPast }) => !isPast)
    .map(({ end, line }): Worded => {
      const text = shortOf(line)
      return { key: line.key, text, kind: "g", spot: labels.place(text, around(x(end[0]), y(end[1]), [0]), false) }
    })
  return [...ends, ...names, ...past, ...others]
}

export const TimePlot = (props: TimePlotProps) => {
  const { answer, kind, width } = props
  const height = heightOf(width)
  const months = monthsShown(answer, props.cards)
  const curves = inOrder(props).map((line) => curveOf(line, kind, months))
  const most = Math.max(1, ...curves.flatMap(({ points }) => points.map(([, value]) => value)))
  const x = scaleOf([0, months], [LEFT, width - RIGHT], TICKS)
  const y = scaleOf([0, most], [height - BOTTOM, TOP], TICKS, true)
  const placed = wordsOf(props, curves, x, y)
  const isPlaced = (of: string) => placed.some(({ key, spot }) => spot !== undefined && key === of)
  const isGray = ({ line }: Curve) => cardOf(line, props.cards) === undefined
  const past = curves.filter((curve) => curve.isPast && isGray(curve) && !isPlaced(`${curve.line.key} past`))
  const unnamed = curves.filter((curve) => !curve.isPast && isGray(curve) && !isPlaced(curve.line.key))
  return h(
    Fragment,
    null,
    h(
      "svg",
      { ...PICTURE, viewBox: `0 0 ${width} ${height}`, "aria-label": described(props.cards) },
      h(Grid, { y, width }),
      h(Years, { answer, months, width, x }),
      h(Curves, { ...props, curves, x, y }),
      placed.map(({ key, kind: of, spot, text }) => h(Word, { key, kind: of, spot }, text))
    ),
    unnamed.length > 0 && p("small", plotWords.unnamed, " ", unnamed.map(({ line }) => shortOf(line)).join(", "), "."),
    past.length > 0 &&
      p(
        "small",
        plotWords.pastLead,
        " ",
        past.map(({ line }) => plotWords.toYear(shortOf(line), yearOf(answer, line.months.length - 1))).join("; "),
        "."
      )
  )
}
