/** Pay a little more each month: what that does to the plan of the goal. */
import { h } from "preact"
import { wholeDollars } from "../../messages/figures.ts"
import type { BookAnswer, Line } from "../book/answer.ts"
import { texts } from "../texts.ts"
import { paymentsOf } from "./goals.ts"
import { costOf, isShown, nameOf, shownDifference } from "./lines.ts"
import type { Actions, State } from "./state.ts"

const { extra: words } = texts.answer

/** The field of the draft that holds the amount. */
const FIELD = "extra"
/** The usual value of the field. */
const NOTHING = "0"
const MOST = 500
const STEP = 25

const outcomeOf = (line: Line, cheapest: Line): string => {
  const { withExtra } = line
  if (withExtra === undefined) return ""
  const saved = shownDifference(line.cost, costOf(withExtra))
  if (saved < 0 && isShown(line.figures.amountForgiven)) return words.costs(-saved)
  const sooner = paymentsOf(line) - paymentsOf({ figures: withExtra })
  const beaten = shownDifference(cheapest.cost, costOf(withExtra))
  return [
    words.saves(Number.isFinite(sooner) ? sooner : 0, saved),
    ...(cheapest !== line && beaten > 0 ? [words.beats(wholeDollars(beaten), nameOf(cheapest))] : [])
  ].join(" ")
}

interface ExtraProps {
  readonly answer: BookAnswer
  readonly line: Line
  readonly cheapest: Line
  readonly state: State
  readonly actions: Actions
}

export const Extra = ({ actions, answer, cheapest, line, state }: ExtraProps) => {
  const { [FIELD]: value = NOTHING } = state.draft.household
  const typed = value === NOTHING ? "" : value
  const set = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    actions.setHousehold(FIELD, currentTarget.value === "" ? NOTHING : currentTarget.value)
  const amount = Number(typed)
  return h(
    "div",
    { class: "extra" },
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
    h(
      "span",
      { class: "input" },
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
        ? h("span", { class: "soft" }, words.none)
        : [
            h("b", { key: "lead" }, words.lead(wholeDollars(answer.assumes.extra), nameOf(line))),
            " ",
            outcomeOf(line, cheapest)
          ]
    )
  )
}
