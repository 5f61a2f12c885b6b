/** Pay a little more each month: the effect on the plan of the goal. */
import { h } from "preact"
import { omissionRapExtraPayment } from "../../../ledger/omissions/income-driven.ts"
import { wholeDollars } from "../../messages/figures.ts"
import type { BookAnswer } from "../book/answer.ts"
import type { Line } from "../book/line.ts"
import { isShown } from "../book/numbers.ts"
import { texts } from "../texts.ts"
import { div, span } from "./elements.ts"
import { paymentsOf } from "./goals.ts"
import { nameOf, shownDifference } from "./lines.ts"
import type { Actions, State } from "./state.ts"

const { extra: words } = texts.answer

/** The field of the draft that holds the amount. */
const FIELD = "extra"
/** The initial value of the field. */
const NOTHING = "0"
const MOST = 500
const STEP = 25

const outcomeOf = (line: Line, withExtra: NonNullable<Line["withExtra"]>, lines: ReadonlyArray<Line>): string => {
  const saved = shownDifference(line.cost, withExtra.cost)
  if (saved < 0 && isShown(line.figures.amountForgiven)) return words.costs(-saved)
  const sooner = paymentsOf(line) - paymentsOf(withExtra)
  const costs = lines.flatMap((one) => (one.withExtra === undefined ? [] : [{ one, cost: one.withExtra.cost }]))
  const [cheapest] = costs.sort((one, other) => one.cost - other.cost)
  return [
    words.saves(Number.isFinite(sooner) ? sooner : 0, saved),
    ...(cheapest !== undefined && shownDifference(withExtra.cost, cheapest.cost) > 0
      ? [words.others(nameOf(cheapest.one), wholeDollars(cheapest.cost))]
      : [])
  ].join(" ")
}

interface ExtraProps {
  readonly answer: BookAnswer
  readonly line: Line
  readonly state: State
  readonly actions: Actions
}

export const Extra = ({ actions, answer, line, state }: ExtraProps) => {
  const { [FIELD]: value = NOTHING } = state.draft.household
  const typed = value === NOTHING ? "" : value
  const set = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    actions.setHousehold(FIELD, currentTarget.value === "" ? NOTHING : currentTarget.value)
  const amount = Number(typed)
  return div(
    "extra",
    h("label", { for: "extra" }, words.label),
    h("input", {
      id: "extra",
      type: "range",
      min: 0,
      max: MOST,
      step: STEP,
      value: String(amount >= 0 ? Math.min(amount, MOST) : 0),
      onInput: set
    }),
    span(
      "input",
      h("i", { "aria-hidden": "true" }, "$"),
      h("input", {
        type: "text",
        inputMode: "decimal",
        autoComplete: "off",
        "aria-label": words.amount,
        placeholder: "0",
        value: typed,
        onInput: set
      })
    ),
    h(
      "p",
      { role: "status" },
      line.withExtra === undefined
        ? span("soft", words.none)
        : [
            h("b", { key: "lead" }, words.lead(wholeDollars(answer.assumes.extra), nameOf(line))),
            " ",
            outcomeOf(line, line.withExtra, answer.lines),
            line.withExtra.figures.omissions.includes(omissionRapExtraPayment.id) && ` ${words.onRap}`
          ]
    )
  )
}
