/** The first payment of each plan against its total. */
import { Fragment, h } from "preact"
import type { Line } from "../../book/line.ts"
import { plotTexts as plotWords } from "../../plotTexts.ts"
import { p } from "../elements.ts"
import { cardOf, colorOf } from "../goals.ts"
import { nameOf, shortOf } from "../lines.ts"
import { described, figuresWords } from "./findings.ts"
import {
  around,
  BOTTOM,
  COMPACT,
  classOf,
  DOT,
  Grid,
  heightOf,
  inOrder,
  LEFT,
  PICTURE,
  pointing,
  RIGHT,
  TICKS,
  TOP,
  type TotalsProps,
  Word
} from "./frame.ts"
import { Labels, type Spot } from "./labels.ts"
import { scaleOf } from "./scale.ts"

/** The width of an amount's label on the lower axis. */
const TICK_PIXELS = 110

export const TradePlot = (props: TotalsProps) => {
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
  const dotOf = ({ cost, figures }: Line) => ({ cx: x(figures.firstMonthPayment), cy: y(cost) })
  for (const { cx, cy } of lines.map(dotOf)) labels.keepFree(cx, cy, DOT)
  const placed = [...lines].reverse().map((line) => {
    const { cx: atX, cy: atY } = dotOf(line)
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
    { ...PICTURE, viewBox: `0 0 ${width} ${height}`, "aria-label": described(cards) },
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
          ...pointing(line, onPoint)
        },
        h("circle", {
          ...dotOf(line),
          r: cardOf(line, cards) === undefined ? DOT : DOT + 2
        }),
        h("circle", { class: "reach", ...dotOf(line), r: 12 }, h("title", null, nameOf(line)))
      )
    ),
    placed.map(({ line, spot, text }) => h(Word, { key: line.key, spot, kind: `${colorOf(line, cards)} name` }, text))
  )
  if (unnamed.length === 0) return drawing
  return h(
    Fragment,
    null,
    drawing,
    p("small", plotWords.unnamed, " ", unnamed.map(({ line }) => figuresWords(line)).join("; "), ".")
  )
}
