/**
 * The plots: monthly payment, debt, and first payment against total. Plans of the cards have a color and their name at the
 * line. All others are thin and gray, and show their name when pointed at or tapped.
 */
import { type ComponentChildren, h } from "preact"
import { useRef, useState } from "preact/hooks"
import type { BookAnswer } from "../../book/answer.ts"
import type { Line } from "../../book/line.ts"
import { texts } from "../../texts.ts"
import { div } from "../elements.ts"
import type { Card } from "../goals.ts"
import type { Actions } from "../state.ts"
import { DATA, DataOf } from "./data.ts"
import { findingOf, pointedWords, type View } from "./findings.ts"
import { type PlotProps, useWidth } from "./frame.ts"
import { TimePlot } from "./TimePlot.ts"
import { TradePlot } from "./TradePlot.ts"

const { plots: plotWords } = texts

const VIEWS: ReadonlyArray<View> = ["pay", "owe", "trade"]

const Drawn = ({ view, ...props }: PlotProps & { readonly view: View }) =>
  view === "trade" ? h(TradePlot, props) : h(TimePlot, { ...props, kind: view })

const ViewChoice = ({ onView, view }: { readonly view: View; readonly onView: (view: View) => void }) =>
  h(
    "fieldset",
    null,
    h("legend", { class: "vh" }, plotWords.show),
    div(
      "seg",
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
  readonly actions: Actions
  readonly children?: ComponentChildren
}

/** One plot at a time. */
export const Plots = (props: PlotsProps) => {
  const { actions, answer, cards, children } = props
  const [view, setView] = useState<View>("pay")
  const [pointed, setPointed] = useState<Line | undefined>(undefined)
  const room = useRef<HTMLDivElement>(null)
  const width = useWidth(room)
  const plot = { answer, cards, width, pointed, onPoint: setPointed }
  return h(
    "figure",
    { class: "card plots" },
    h("figcaption", { class: "top" }, h("h2", null, findingOf(view, cards)), h(ViewChoice, { view, onView: setView })),
    h("div", { class: "plot", ref: room }, h(Drawn, { ...plot, view, key: view })),
    h(
      "p",
      { class: "small pointing", "aria-hidden": "true" },
      pointed === undefined ? plotWords.point : pointedWords(pointed)
    ),
    view !== "trade" && h(DataOf, { actions, answer, data: DATA[view] }),
    children
  )
}
