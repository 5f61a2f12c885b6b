/** How a payment comes about, step by step with the rule behind each, and what the totals of its plan rest on. */
import { h } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { dollars, month as monthName } from "../../messages/figures.ts"
import type { BookAnswer } from "../book/answer.ts"
import type { Explained } from "../book/compute.ts"
import { texts } from "../texts.ts"
import { nameOf } from "./Answer.ts"
import type { Actions, OpenWhy } from "./state.ts"

const { why: words } = texts

type Part = Explained["parts"][number]
type Step = Part["steps"][number]

/** Units that a value is read in without being named. */
const UNNAMED = ["fraction", "factor", "persons", "levels"]

const valueOf = ({ unit, value }: Step): string => {
  if (unit.startsWith("US dollars")) return dollars(value)
  const number = String(Math.round(value * 1e6) / 1e6)
  if (unit === "percent") return `${number}%`
  return UNNAMED.includes(unit) ? number : `${number} ${unit}`
}

const RuleLinks = ({ ids }: { readonly ids: ReadonlyArray<string> }) =>
  ids.map((id, index) => [index > 0 && ", ", h("a", { key: id, href: `/rules/${id}`, target: "_blank" }, id)])

const StepRow = ({ indexes, step }: Pick<BookAnswer, "indexes"> & { readonly step: Step }) =>
  h(
    "tr",
    null,
    h("th", { scope: "row" }, step.loan === null ? step.name : `${step.name}, ${words.loan(indexes[step.loan]! + 1)}`),
    h("td", { class: "amount" }, valueOf(step)),
    h("td", null, step.formula),
    h("td", null, h(RuleLinks, { ids: step.rules }))
  )

const PartTable = ({ indexes, part }: Pick<BookAnswer, "indexes"> & { readonly part: Part }) =>
  h(
    "div",
    { class: "wide", role: "region", "aria-label": texts.answer.plans[part.planType as never], tabIndex: 0 },
    h("h3", null, `${texts.answer.plans[part.planType as never]}: ${dollars(part.payment)}`),
    h(
      "table",
      { class: "steps" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          [words.step, words.value, words.formula, words.rules].map((title) =>
            h("th", { key: title, scope: "col" }, title)
          )
        )
      ),
      h(
        "tbody",
        null,
        part.steps.map((step, index) => h(StepRow, { key: index, step, indexes }))
      )
    )
  )

const Outcome = ({ answer, why: { line } }: { readonly answer: BookAnswer; readonly why: OpenWhy }) => {
  const { figures } = line
  return h(
    "section",
    null,
    h("h3", null, words.outcome),
    h(
      "p",
      null,
      words.totals({
        payments: line.months.length,
        paid: dollars(figures.totalOutOfPocket),
        forgiven: dollars(figures.amountForgiven),
        tax: dollars(figures.forgivenessTaxesOwed),
        cost: dollars(line.cost),
        worth: dollars(line.presentValue)
      })
    ),
    h("p", null, words.rests),
    h(
      "ul",
      null,
      figures.citations.map((id) =>
        h("li", { key: id }, h("a", { href: `/rules/${id}`, target: "_blank" }, answer.labels[id]))
      )
    ),
    h("p", null, words.leavesOut),
    h(
      "ul",
      null,
      figures.omissions.map((id) =>
        h("li", { key: id }, h("a", { href: `/rules/${id}`, target: "_blank" }, answer.labels[id]))
      )
    )
  )
}

export const Why = ({ actions, answer, why }: { answer: BookAnswer; why: OpenWhy; actions: Actions }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const { explanation, line, month } = why
  return h(
    "dialog",
    { ref: dialog, "aria-labelledby": "why", onClose: actions.closeWhy },
    h(
      "form",
      { method: "dialog" },
      h("h2", { id: "why" }, words.title(nameOf(line), explanation === undefined ? "" : monthName(explanation.date))),
      h("button", null, words.close)
    ),
    h(
      "label",
      null,
      words.month,
      h("input", {
        type: "number",
        min: 1,
        max: line.months.length,
        value: month + 1,
        onChange: ({ currentTarget }) => {
          const number = Math.floor(Math.min(Math.max(currentTarget.valueAsNumber || 1, 1), line.months.length))
          currentTarget.value = String(number)
          actions.explain(line, number - 1)
        }
      })
    ),
    explanation !== undefined && h("p", { role: "status" }, words.payment(dollars(explanation.payment))),
    explanation?.parts.map((part, index) => h(PartTable, { key: index, part, indexes: answer.indexes })),
    h(Outcome, { answer, why })
  )
}
