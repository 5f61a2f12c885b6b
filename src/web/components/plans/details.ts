/** The content of an open row: figures with explanations, and the next steps. */
import { type ComponentChildren, h } from "preact"
import { dollars, wholeDollars } from "../../../messages/figures.ts"
import type { BookAnswer } from "../../book/answer.ts"
import type { Line } from "../../book/line.ts"
import { bareOf, isShown } from "../../book/numbers.ts"
import type { Figure } from "../../book/why/explanation.ts"
import { texts } from "../../texts.ts"
import { p } from "../elements.ts"
import { amount, endMonthOf, FigureButton, rises } from "../lines.ts"
import type { LineProps } from "./figures.ts"

const { answer: words } = texts

const SERVICERS = "https://studentaid.gov/manage-loans/repayment/servicers"
const APPLICATION = "https://studentaid.gov/idr/"
const PUBLIC_SERVICE = "https://studentaid.gov/pslf/"

export const Details = ({ actions, line, state }: LineProps) => {
  const { figures } = line
  const money = (figure: Figure, value: number, shown = wholeDollars(value)) => ({
    figure,
    shown,
    child: amount(value, shown)
  })
  const isForgiven = isShown(figures.amountForgiven)
  const isTaxed = isShown(figures.forgivenessTaxesOwed)
  const end = endMonthOf(line) ?? words.never
  const shown = [
    money("first", figures.firstMonthPayment, dollars(figures.firstMonthPayment)),
    ...(rises(line) ? [money("highest", line.highestPayment, dollars(line.highestPayment))] : []),
    money("paid", figures.totalOutOfPocket),
    ...(line.beyondDebt > 0 ? [money("interest", line.beyondDebt)] : []),
    ...(isForgiven ? [money("forgiven", figures.amountForgiven)] : []),
    ...(isTaxed ? [money("tax", figures.forgivenessTaxesOwed), money("cost", line.cost)] : []),
    { figure: "ends" as const, shown: end, child: end },
    money("worth", line.presentValue)
  ]
  return h(
    "div",
    null,
    h("h3", null, words.adds, line.filing !== null && `, ${words.filings[line.filing]}`),
    h(
      "dl",
      null,
      shown.map(({ child, figure, shown }) =>
        h(
          "div",
          { key: figure },
          h("dt", null, words.figures[figure]),
          h("dd", null, h(FigureButton, { actions, line, figure, shown }, child))
        )
      )
    ),
    p("small", words.worthHelp(bareOf(state.draft.household.discount) || "0")),
    p("small", words.press, isTaxed && ` ${words.pressTax}`)
  )
}

/** A sentence with a link in it. */
const linked = ([before, text, after]: ReadonlyArray<string>, href: string) => [
  before,
  h("a", { key: href, href, target: "_blank", rel: "noreferrer" }, text),
  after
]

const wayTo = ({ isByIncome, isOfSchool }: Line) => {
  if (isOfSchool) return words.steps.school
  return isByIncome ? linked(words.steps.idr, APPLICATION) : linked(words.steps.fixed, SERVICERS)
}

export const NextSteps = ({ answer, line }: { readonly line: Line; readonly answer: BookAnswer }) => {
  const { currentPlan, isHalved, isInSchool, mayBeOnSave } = answer
  const isYours = line.planType === currentPlan
  const ends = line.notes.includes("ends")
  const steps: ReadonlyArray<ComponentChildren> = [
    ...(isYours ? [] : [wayTo(line)]),
    ends ? words.steps.by(answer.closesOn, isYours) : words.steps.anytime(line.closedBy),
    ...(currentPlan === "SAVE" || (currentPlan === null && mayBeOnSave && !isInSchool)
      ? [words.steps.save(currentPlan !== null)]
      : []),
    ...(isYours ? [] : [words.steps.until]),
    ...(line.notes.includes("opensIbr") ? [words.steps.opensIbr] : []),
    ...(line.filing === "MarriedFilingSeparately" ? [isHalved ? words.steps.halved : words.steps.separate] : []),
    words.steps.ask,
    ...(line.isByIncome ? [words.steps.income] : []),
    ...(line.figures.forgivenessType === "Pslf" ? [linked(words.steps.service, PUBLIC_SERVICE)] : [])
  ]
  return h(
    "div",
    null,
    h("h3", null, words.next),
    h(
      "ol",
      { class: "steps" },
      steps.map((step, index) => h("li", { key: index }, step))
    )
  )
}
