/** Pay a little more each month, an amount in all, or once: the effect on the plan of the goal. */
import { Fragment, h } from "preact"
import { useState } from "preact/hooks"
import { omissionRapExtraPayment } from "../../../ledger/omissions/income-driven.ts"
import { month as monthName, wholeDollars } from "../../messages/figures.ts"
import type { BookAnswer } from "../book/answer.ts"
import type { Line } from "../book/line.ts"
import { isShown } from "../book/numbers.ts"
import { texts } from "../texts.ts"
import { div, span } from "./elements.ts"
import { choicesOf, SelectField } from "./fields.ts"
import { problemsByField } from "./fieldWords.ts"
import { paymentsOf, sureOf } from "./goals.ts"
import { nameOf, shownDifference } from "./lines.ts"
import { monthsAhead } from "./months.ts"
import type { Actions, State } from "./state.ts"

const { extra: words } = texts.answer

/** The fields of the draft that hold the amounts, with their initial values. One of them is typed at most. */
const NOTHING = { extra: "0", budget: "", once: "" }
type Way = keyof typeof NOTHING
const WAYS: ReadonlyArray<Way> = ["extra", "budget", "once"]
const MOST = 500
const STEP = 25
/** How far ahead a one-time payment can be, in months. */
const MONTHS_AHEAD = 120

/** A budget that is less than what is due at some time, and the cheapest plan that it always pays. */
const aboveBudget = (line: Line, budget: number, lines: ReadonlyArray<Line>): string | undefined => {
  if (budget === 0 || line.highestPayment <= budget) return undefined
  const within = sureOf(lines).flatMap((one) =>
    one.highestPayment <= budget && one.withExtra !== undefined ? [{ one, cost: one.withExtra.cost }] : []
  )
  const [cheapest] = within.sort((one, other) => one.cost - other.cost)
  return [
    words.aboveBudget(nameOf(line), wholeDollars(line.highestPayment)),
    cheapest === undefined
      ? words.noneWithin
      : words.within(
          nameOf(cheapest.one),
          wholeDollars(cheapest.cost),
          shownDifference(cheapest.cost, cheapest.one.cost)
        )
  ].join(" ")
}

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
  const { household } = state.draft
  const [way, setWay] = useState<Way>(WAYS.find((one) => household[one] !== NOTHING[one]) ?? "extra")
  const typed = household[way] === NOTHING[way] ? "" : household[way]
  const set = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    actions.setHousehold(way, currentTarget.value === "" ? NOTHING[way] : currentTarget.value)
  const choose = (chosen: Way) => {
    setWay(chosen)
    if (household[way] !== NOTHING[way]) actions.setHousehold(way, NOTHING[way])
  }
  const amount = Number(typed)
  const problem = state.outcome?._tag === "Wrong" ? problemsByField(state.outcome.problems)[way] : undefined
  const { budget, extra, once } = answer.assumes
  const leadOf = () => {
    if (once !== null) return words.leadOnce(wholeDollars(once.amount), monthName(`${once.on}-01`), nameOf(line))
    return budget > 0
      ? words.leadInAll(wholeDollars(budget), nameOf(line))
      : words.lead(wholeDollars(extra), nameOf(line))
  }
  return div(
    "extra",
    h(
      "fieldset",
      null,
      h("legend", null, words.title),
      div(
        "ways",
        WAYS.map((one) =>
          h(
            "label",
            { key: one },
            h("input", { type: "radio", name: "way", checked: one === way, onChange: () => choose(one) }),
            words.ways[one]
          )
        )
      )
    ),
    way === "extra" &&
      h(
        Fragment,
        null,
        h("label", { for: "extra" }, words.label),
        h("input", {
          id: "extra",
          type: "range",
          min: 0,
          max: MOST,
          step: STEP,
          value: String(amount >= 0 ? Math.min(amount, MOST) : 0),
          onInput: set
        })
      ),
    span(
      "input",
      h("i", { "aria-hidden": "true" }, "$"),
      h("input", {
        type: "text",
        inputMode: "decimal",
        autoComplete: "off",
        id: way === "extra" ? undefined : way,
        "aria-label": words.amount[way],
        placeholder: "0",
        value: typed,
        onInput: set
      })
    ),
    way === "once" &&
      h(SelectField, {
        ...texts.household.fields.onceOn,
        name: "onceOn",
        value: household.onceOn,
        problem: undefined,
        onValue: (value) => actions.setHousehold("onceOn", value),
        groups: [{ choices: choicesOf(monthsAhead(MONTHS_AHEAD, household.onceOn), texts.household.chooseMonth) }]
      }),
    problem !== undefined && h("p", { class: "problem" }, problem),
    h(
      "p",
      { role: "status" },
      line.withExtra === undefined
        ? span("soft", words.none[way])
        : [
            h("b", { key: "lead" }, leadOf()),
            " ",
            aboveBudget(line, budget, answer.lines) ?? outcomeOf(line, line.withExtra, answer.lines),
            line.withExtra.figures.omissions.includes(omissionRapExtraPayment.id) && ` ${words.onRap}`
          ]
    )
  )
}
