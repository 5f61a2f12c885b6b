/** The cards: the plan that wins each goal, with one large figure for each. Choosing a card chooses the goal. */
import { Fragment, h } from "preact"
import { wholeDollars } from "../../messages/figures.ts"
import { answerTexts } from "../answerTexts.ts"
import type { BookAnswer } from "../book/answer.ts"
import type { Line } from "../book/line.ts"
import { isShown } from "../book/numbers.ts"
import { conditionOf } from "../book/sure.ts"
import { div, p, span } from "./elements.ts"
import { apartSaves, type Card, paymentsOf, winnerOf } from "./goals.ts"
import {
  amount,
  detailId,
  endMonthOf,
  forgivenMonthOf,
  leastOf,
  nameOf,
  putAsideOf,
  riseOf,
  rises,
  shownDifference
} from "./lines.ts"
import type { Actions, Goal, State } from "./state.ts"

const { cards: words, ...answerWords } = answerTexts

/** If more plans tie, they are counted and not named. */
const MAX_NAMED = 3

const endOf = (line: Line) => ({
  month: endMonthOf(line),
  forgiven: line.figures.amountForgiven,
  forgivenIn: forgivenMonthOf(line),
  isForgivenAtOnce: line.forgivenIn.length === 1,
  tax: line.figures.forgivenessTaxesOwed,
  uncountedTax: line.uncountedTax,
  aside: putAsideOf(line),
  isService: line.figures.forgivenessType === "Pslf"
})

const figureOf = (line: Line, goal: Goal) => {
  if (goal === "first") return amount(line.figures.firstMonthPayment)
  return goal === "cost" ? amount(line.cost) : (endMonthOf(line) ?? answerWords.never)
}

const stepOf = (line: Line, growth: number): string => {
  if (rises(line)) return words.rises(wholeDollars(line.highestPayment), riseOf(line))
  const least = leastOf(line)
  return least === undefined ? words.steady(line.isByIncome, growth) : words.falls(wholeDollars(least))
}

const paymentOf = (line: Line): string => {
  const { firstMonthPayment } = line.figures
  const least = leastOf(line)
  return least === undefined
    ? words.payment(firstMonthPayment, line.highestPayment, answerWords.length(paymentsOf(line)))
    : words.paymentFalls(wholeDollars(firstMonthPayment), wholeDollars(least))
}

/** The cost or saving of the chosen card, compared with the other card about money. */
const against = ({ goals, line }: Card, cards: ReadonlyArray<Card>): ReadonlyArray<string> => {
  const cheapest = winnerOf(cards, "cost")
  const lowest = winnerOf(cards, "first")
  if (!goals.includes("cost")) {
    const more = shownDifference(line.cost, cheapest.cost)
    const longer = paymentsOf(line) - paymentsOf(cheapest)
    return [
      ...(more > 0 ? [words.more(wholeDollars(more), nameOf(cheapest))] : []),
      ...(more > 0 && longer > 0 && Number.isFinite(longer) ? [words.longer(longer)] : [])
    ]
  }
  const less = shownDifference(lowest.cost, line.cost)
  return less > 0 ? [words.less(wholeDollars(less), nameOf(lowest))] : []
}

const keysOf = (lines: ReadonlyArray<Line>): string => lines.map(({ key }) => key).join()

const tiesOf = ({ goals, ties }: Card): ReadonlyArray<string> => {
  const tied = goals.filter((goal) => ties[goal].length > 0)
  const alike = tied.length > 1 && tied.every((goal) => keysOf(ties[goal]) === keysOf(ties[tied[0]!]))
  return (alike ? tied.slice(0, 1) : tied).map((goal) => {
    const named = ties[goal]
      .slice(0, MAX_NAMED)
      .map((line) => words.tie(nameOf(line), line.figures.firstMonthPayment, line.highestPayment))
    const others = ties[goal].length - named.length
    const plans = others > 0 ? [...named, words.others(others)] : named
    return alike ? words.tiedOnMore(plans, tied) : words.tied(goal, plans)
  })
}

const maybeOf = ({ goals, maybe }: Card): ReadonlyArray<string> => {
  const [best, other] = maybe
  const condition = best && conditionOf(best)
  if (best === undefined || condition === undefined) return []
  const [goal = "cost"] = goals
  const shown = (line: Line) =>
    goal === "soonest"
      ? (endMonthOf(line) ?? answerWords.never)
      : wholeDollars(goal === "first" ? line.figures.firstMonthPayment : line.cost)
  if (other === undefined) return [words.maybe(nameOf(best), shown(best), condition)]
  const name =
    best.filing === null ? answerWords.incomeBased : `${answerWords.incomeBased}, ${answerWords.filings[best.filing]}`
  return [words.either(name, goal, shown(best), condition, shown(other))]
}

/** The cause of the lowest total, if it is certain: the forgiveness, or interest alone. */
const cheapestBecause = ({ goals, line, ties }: Card, lines: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const others = lines.filter((one) => one !== line)
  if (!goals.includes("cost") || others.length === 0) return []
  const apart = apartSaves(line, lines)
  if (apart >= 1) return [words.apart(wholeDollars(apart))]
  const { amountForgiven, firstMonthPayment, forgivenessType } = line.figures
  if (isShown(amountForgiven)) {
    if (others.every(({ cost }) => cost >= line.cost + amountForgiven)) return []
    return [words.cheapest[forgivenessType === "Pslf" ? "service" : "forgiven"](wholeDollars(amountForgiven))]
  }
  if (!goals.includes("soonest") || line.beyondDebt <= 0) return []
  const paysMore = ({ figures }: Line) => firstMonthPayment > figures.firstMonthPayment
  // An income-driven plan may also cost less because it waives interest.
  if (line.isByIncome && !others.every(paysMore)) return []
  if (ties.soonest.length === 0) return [words.cheapest.soonest]
  return ties.soonest.every(paysMore) ? [words.cheapest.evenly] : []
}

const sentencesOf = (card: Card, cards: ReadonlyArray<Card>, { assumes, lines }: BookAnswer): ReadonlyArray<string> => {
  const { goals, line } = card
  const own = goals.includes("first")
    ? [
        stepOf(line, assumes.incomeGrowth),
        goals.includes("cost") ? words.end(endOf(line)) : words.total(wholeDollars(line.cost), endOf(line))
      ]
    : [paymentOf(line), goals.includes("cost") ? "" : words.total(wholeDollars(line.cost), endOf(line))]
  return [...own, ...against(card, cards), ...cheapestBecause(card, lines), ...tiesOf(card), ...maybeOf(card)].filter(
    (sentence) => sentence !== ""
  )
}

interface CardProps {
  readonly answer: BookAnswer
  readonly card: Card
  readonly cards: ReadonlyArray<Card>
  readonly state: State
  readonly actions: Actions
}

/** The label of a card. */
export const goalsOf = ({ goals }: Pick<Card, "goals">): string => words.both(goals.map((goal) => words.goals[goal]))

/** The figures of a card, large, and the name of its plan. */
export const CardFigures = ({ goals, line }: Pick<Card, "goals" | "line">) =>
  h(
    Fragment,
    null,
    div(
      "bigs",
      goals.map((goal) =>
        h("p", { key: goal, class: "big" }, figureOf(line, goal), " ", span("soft", words.units[goal]))
      )
    ),
    p("named", h("b", null, nameOf(line)))
  )

const CardView = ({ actions, answer, card, cards, state }: CardProps) => {
  const { color, goals, line } = card
  const isYours = state.goal !== undefined && goals.includes(state.goal)
  return div(
    `pick ${color}${goals.length > 1 ? " double" : ""}`,
    h(
      "label",
      { class: "goal" },
      cards.length > 1 &&
        h("input", {
          type: "radio",
          name: "goal",
          value: goals[0]!,
          checked: isYours,
          onChange: () => actions.setGoal(goals[0]!)
        }),
      h("span", null, goalsOf(card)),
      isYours && span("yours", words.yours)
    ),
    h(CardFigures, card),
    p("says", sentencesOf(card, cards, answer).join(" ")),
    line.notes.includes("apart") &&
      p("catch", answerWords.apartBriefly, line.mayBeSplit && ` ${answerWords.communityBriefly}`),
    line.uncountedTax === "territory" &&
      isShown(line.figures.forgivenessTaxesOwed) &&
      p("catch", answerWords.territoryTax),
    [line, ...card.maybe].some(({ notes }) => notes.includes("window")) && p("catch", answerWords.window),
    line.notes.includes("shortened") && p("catch", answerWords.shortened),
    line.notes.includes("ends") &&
      p("catch date", answerWords.closes(answer.closesOn, answerWords.successor(line.successors))),
    p(
      "to-steps small",
      h(
        "a",
        {
          href: `#${detailId(line.planType)}`,
          onClick: () => line.filing !== null && actions.chooseReturn(line.planType, line.filing)
        },
        words.toSteps
      )
    )
  )
}

const titleOf = ({ done, lines }: BookAnswer, cards: ReadonlyArray<Card>): string => {
  if (cards.length > 1) return words.question
  if (done.length > 0) return words.ifNotDone
  return new Set(lines.map(({ planType }) => planType)).size === 1 ? words.onlyPlan : words.oneWins
}

export const Cards = ({ actions, answer, cards, state }: Omit<CardProps, "card">) =>
  h(
    "fieldset",
    { class: "goals" },
    h("legend", { class: "q" }, titleOf(answer, cards)),
    (cards.length === 1 || answer.done.length > 0) &&
      p("soft one-wins", answer.done.length > 0 ? words.ifNotDoneBy : words.oneWinsBy),
    div(
      "cards",
      cards.map((card) => h(CardView, { key: card.color, answer, card, cards, state, actions }))
    )
  )

/** The topics of the cards, shown before anything is computed. */
export const GhostCards = () =>
  div(
    "cards",
    answerWords.ghosts.map(([title, text]) =>
      h("div", { key: title, class: "card ghost soft" }, p("goal", title), h("p", null, text))
    )
  )

/** The plans of the future list, each in a sentence. */
export const ComparedPlans = () =>
  h(
    "section",
    { class: "card", "aria-labelledby": "compared" },
    h("h2", { id: "compared" }, answerWords.compared),
    h(
      "dl",
      { class: "compared" },
      answerWords.comparedPlans.map(([plan, text]) =>
        h("div", { key: plan }, h("dt", null, plan), h("dd", { class: "soft" }, text))
      )
    )
  )
