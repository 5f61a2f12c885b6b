/** The list on paper, with cents. */
import { h } from "preact"
import { dollars } from "../../../messages/figures.ts"
import { conditionOf } from "../../book/sure.ts"
import { texts } from "../../texts.ts"
import { rowsOf } from "../goals.ts"
import { endMonthOf, nameOf } from "../lines.ts"
import type { AnswerProps } from "./figures.ts"

const { answer: words } = texts

export const PrintedPlans = ({ answer, state }: AnswerProps) =>
  h(
    "table",
    { class: "printed" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        words.printedColumns.map((title) => h("th", { key: title, scope: "col" }, title))
      )
    ),
    h(
      "tbody",
      null,
      rowsOf(answer.lines, state)
        .flatMap(({ lines }) => lines.map((line) => ({ line, isFirst: line === lines[0] })))
        .map(({ isFirst, line }) => {
          const { figures } = line
          const condition = conditionOf(line)
          return h(
            "tr",
            { key: line.key },
            h(
              "th",
              { scope: "row" },
              nameOf(line),
              isFirst && condition !== undefined && h("small", null, words.condition(condition)),
              isFirst &&
                line.notes.includes("ends") &&
                h("small", null, words.closes(answer.closesOn, words.successor(line.successors)))
            ),
            [
              figures.firstMonthPayment,
              line.highestPayment,
              figures.totalOutOfPocket,
              figures.amountForgiven,
              figures.forgivenessTaxesOwed,
              line.cost
            ].map((value, index) => h("td", { key: index }, dollars(value))),
            h("td", null, endMonthOf(line) ?? words.never)
          )
        })
    )
  )
