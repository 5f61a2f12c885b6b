/** An answer of the tools, drawn with the start page's cards, its plot of totals and its list of plans. */
import { Fragment, h } from "preact"
import { useRef, useState } from "preact/hooks"
import { wholeDollars } from "../../messages/figures.ts"
import { answerTexts as words } from "../answerTexts.ts"
import type { Line } from "../book/line.ts"
import { isShown } from "../book/numbers.ts"
import { conditionOf } from "../book/sure.ts"
import { chatTexts as ownWords } from "../chatTexts.ts"
import { CardFigures, goalsOf } from "../components/Cards.ts"
import { div, p, span } from "../components/elements.ts"
import { type Card, cardsOf, colorOf, orderBy, paymentsOf } from "../components/goals.ts"
import { amount, endMonthOf, nameOf } from "../components/lines.ts"
import { Track } from "../components/plans/figures.ts"
import { findingOf, pointedWords } from "../components/plots/findings.ts"
import { useWidth } from "../components/plots/frame.ts"
import { TradePlot } from "../components/plots/TradePlot.ts"
import { plotTexts as plotWords } from "../plotTexts.ts"

interface DrawnProps {
  readonly lines: ReadonlyArray<Line>
  readonly cards: ReadonlyArray<Card>
}

const Cards = ({ cards }: Pick<DrawnProps, "cards">) =>
  div(
    "cards",
    cards.map((card) =>
      div(`pick ${card.color}`, p("goal", goalsOf(card)), h(CardFigures, { key: card.color, ...card }))
    )
  )

const Plot = ({ cards, lines }: DrawnProps) => {
  const [pointed, setPointed] = useState<Line | undefined>(undefined)
  const room = useRef<HTMLDivElement>(null)
  const width = useWidth(room)
  return h(
    "figure",
    { class: "card plots" },
    h("figcaption", null, h("h2", null, findingOf("trade", cards))),
    h(
      "div",
      { class: "plot", ref: room },
      h(TradePlot, { answer: { lines }, cards, width, pointed, onPoint: setPointed })
    ),
    h(
      "p",
      { class: "small pointing", "aria-hidden": "true" },
      pointed === undefined ? plotWords.point : pointedWords(pointed)
    )
  )
}

const forgivenWords = ({ figures: { amountForgiven, forgivenessTaxesOwed } }: Line): string =>
  ownWords.forgiven(wholeDollars(amountForgiven), isShown(forgivenessTaxesOwed) && wholeDollars(forgivenessTaxesOwed))

const Row = ({ cards, line, most }: { readonly line: Line; readonly most: number } & Pick<DrawnProps, "cards">) => {
  const month = endMonthOf(line)
  const condition = conditionOf(line)
  return h(
    "li",
    { class: `plan ${colorOf(line, cards)}` },
    div("who", h("b", { class: "dot" }, nameOf(line)), line.label != null && span("small", words.plans[line.planType])),
    span("pay", h("b", null, amount(line.figures.firstMonthPayment)), " ", span("small k", words.rowLabels.first)),
    span(
      "cost",
      h(Track, { most, parts: { debt: line.figures.totalOutOfPocket, tax: line.figures.forgivenessTaxesOwed } }),
      h("b", null, amount(line.cost)),
      isShown(line.figures.amountForgiven) && span("small", forgivenWords(line))
    ),
    span(
      "end",
      h("b", null, month ?? words.never),
      month !== undefined && span("small", words.after(paymentsOf(line)))
    ),
    condition !== undefined && div("catches", p("catch date", `Only ${words.condition(condition)}.`))
  )
}

const List = ({ cards, lines }: DrawnProps) =>
  h(
    "section",
    { class: "card plans", "aria-labelledby": "list" },
    div("top", h("h2", { id: "list" }, words.title)),
    div(
      "cols small",
      span("", words.rowLabels.plan),
      span("pay", words.rowLabels.first),
      span("", words.rowLabels.cost),
      span("", words.rowLabels.ends)
    ),
    h(
      "ol",
      null,
      lines
        .toSorted(orderBy("cost"))
        .map((line) => h(Row, { key: line.key, line, cards, most: Math.max(...lines.map(({ cost }) => cost)) }))
    )
  )

/** @param lines undefined if there are none that can be drawn */
export const Answer = ({ lines }: { readonly lines: ReadonlyArray<Line> | undefined }) => {
  if (lines === undefined) return h("p", { role: "status", class: "card note" }, ownWords.nothing)
  const drawn = { lines, cards: cardsOf({ lines }) }
  return h(
    Fragment,
    null,
    h("h1", { class: "vh" }, ownWords.title),
    h(Cards, drawn),
    h(Plot, drawn),
    h(List, drawn),
    p("small", ownWords.about)
  )
}
