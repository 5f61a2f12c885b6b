/** Shared by all plots: sizes, axes, the color of a line, and the placing of words. */
import { type ComponentChildren, Fragment, h, type RefObject } from "preact"
import { useEffect, useState } from "preact/hooks"
import type { BookAnswer } from "../../book/answer.ts"
import type { Line } from "../../book/line.ts"
import { type Card, cardOf, colorOf } from "../goals.ts"
import { Labels, type Spot } from "./labels.ts"
import type { Scale } from "./scale.ts"

/** Attributes of a plot. A translator would put HTML into its words, which SVG does not draw. */
export const PICTURE = { role: "img", translate: "no" } as const

/** In pixels, until the width on the screen is known. */
export const USUAL_WIDTH = 720
const NARROW_WIDTH = 480
const HEIGHT = 280
const NARROW_HEIGHT = 250
export const LEFT = 46
export const RIGHT = 14
export const TOP = 16
export const BOTTOM = 26
export const TICKS = 4
export const DOT = 4

export const COMPACT = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumFractionDigits: 1
})

export interface PlotProps {
  readonly answer: BookAnswer
  readonly cards: ReadonlyArray<Card>
  /** In pixels. */
  readonly width: number
  /** The line that is pointed at. */
  readonly pointed: Line | undefined
  readonly onPoint: (line: Line | undefined) => void
}

/** What a plot of totals alone needs. */
export type TotalsProps = Omit<PlotProps, "answer"> & { readonly answer: Pick<BookAnswer, "lines"> }

export const classOf = (line: Line, { cards, pointed }: Pick<PlotProps, "cards" | "pointed">): string =>
  `${colorOf(line, cards)}${pointed?.key === line.key ? " pointed" : ""}`
export const isNarrow = (width: number): boolean => width < NARROW_WIDTH
export const heightOf = (width: number): number => (isNarrow(width) ? NARROW_HEIGHT : HEIGHT)

/** A mouse names a line while it is over the line. A tap names it until the next tap. */
export const pointing = (line: Line, onPoint: PlotProps["onPoint"]) => ({
  onPointerEnter: () => onPoint(line),
  onPointerLeave: ({ pointerType }: PointerEvent) => {
    if (pointerType === "mouse") onPoint(undefined)
  }
})

/** Lines in drawing order: gray ones first, so that colored ones are on top. */
export const inOrder = ({ answer, cards }: Pick<TotalsProps, "answer" | "cards">): ReadonlyArray<Line> => [
  ...answer.lines.filter((line) => cardOf(line, cards) === undefined),
  ...answer.lines.filter((line) => cardOf(line, cards) !== undefined).reverse()
]

export const labelsOf = (width: number): Labels =>
  new Labels({ left: LEFT, right: width, top: 0, bottom: heightOf(width) - BOTTOM + 2 })

export const Word = ({
  children,
  kind,
  spot
}: {
  spot: Spot | undefined
  kind: string
  children?: ComponentChildren
}) =>
  spot === undefined
    ? null
    : h("text", { class: `word ${kind}`, x: spot.x, y: spot.y, "text-anchor": spot.anchor }, children)

export const Grid = ({ width, y }: { readonly width: number; readonly y: Scale }) =>
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

/** Spots for words at a point of a line, the best first. */
export const around = (
  x: number,
  y: number,
  shifts: ReadonlyArray<number> = [0, 14, -14, 28, -28]
): ReadonlyArray<Spot> =>
  shifts.flatMap(
    (shift): ReadonlyArray<Spot> => [
      { x: x - 8, y: y - 7 + shift, anchor: "end" },
      { x: x + 8, y: y - 7 + shift, anchor: "start" },
      { x: x - 8, y: y + 17 + shift, anchor: "end" },
      { x: x + 8, y: y + 17 + shift, anchor: "start" }
    ]
  )

/** The width of an element in whole pixels, once there is a screen. */
export const useWidth = (of: RefObject<HTMLElement | null>): number => {
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
