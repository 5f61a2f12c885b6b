/** What happens to a borrower who does nothing, and the change of plan that costs less than one plan. */
import { h } from "preact"
import { type EnginePlan, TIERED_STANDARD } from "../../engine/index.ts"
import { dollarRange, month as monthName, wholeDollars } from "../../messages/figures.ts"
import type { BookAnswer } from "../book/answer.ts"
import type { Line } from "../book/line.ts"
import { isShown } from "../book/numbers.ts"
import { texts } from "../texts.ts"
import { div, p } from "./elements.ts"
import { Fold } from "./Fold.ts"
import { choicesOf, SelectField } from "./fields.ts"
import { orderBy, sureOf } from "./goals.ts"
import { PLANS } from "./Household.ts"
import { dateOf, nameOf, shownDifference } from "./lines.ts"
import { monthsAhead } from "./months.ts"
import type { Actions, State } from "./state.ts"

const { answer: answerWords, path: words } = texts

interface Props {
  readonly answer: BookAnswer
}

/** An application takes about two months, so one for an earlier month is due now. */
const MONTHS_TO_APPLY = 3

/** For loans in default, no plan is open yet. */
export const InDefault = () =>
  p("card warn", words.inDefault, " ", h("a", { href: "/answers/default", target: "_blank" }, words.waysOut))

export const DoingNothing = ({ answer }: Props) => {
  const { closesOn, currentPlan, firstMonth, lines, nothing, paused } = answer
  const due = monthName(dateOf(firstMonth, paused))
  const yours = answer.closed.find(({ planType }) => planType === currentPlan)
  if (nothing === undefined && yours !== undefined)
    return p(
      "card warn",
      words.closedYours(
        answerWords.plans[yours.planType],
        [...new Set(yours.reasons.map((why) => answerWords.reason(yours.planType, why)))].join(" ")
      )
    )
  if (nothing === undefined) return paused === 0 ? null : p("card warn", words.nothingDue(due))
  const plan = answerWords.plans[nothing.plan]
  const [lowest] = sureOf(lines)
    .filter(({ isByIncome, notes }) => isByIncome && !notes.includes("ends"))
    .toSorted(orderBy("first"))
  const { better } = nothing
  const title = {
    vacated: words.vacated(plan),
    ends: words.ends(currentPlan === null ? "" : answerWords.plans[currentPlan], closesOn, plan),
    begins: words.begins(due, plan)
  }[nothing.reason]
  return h(
    "section",
    { class: "card warn nothing", "aria-label": words.doingNothing },
    p("lead", title),
    p(
      "",
      nothing.filing !== null && `${words.onReturn(answerWords.ways[nothing.filing])} `,
      words.would(
        dollarRange(nothing.payments),
        nothing.costs && dollarRange(nothing.costs),
        nothing.reason === "ends"
      ),
      " ",
      nothing.payments[0] !== nothing.payments[1] && [words.counted(nothing.counted, nothing.payments), " "],
      nothing.reason !== "ends" &&
        lowest !== undefined && [words.instead(nameOf(lowest), wholeDollars(lowest.figures.firstMonthPayment)), " "],
      better !== undefined && [
        words.better(
          answerWords.plans[better.plan],
          wholeDollars(better.payment),
          monthName(dateOf(firstMonth, better.month)),
          wholeDollars(better.saved),
          monthName(dateOf(firstMonth, better.latestMonth))
        ),
        " "
      ],
      nothing.reason === "vacated"
        ? words.applyNow
        : nothing.reason === "begins" && paused < MONTHS_TO_APPLY
          ? words.applySoon
          : words.applyThen,
      nothing.reason === "vacated" && answer.isServing && ` ${words.buyBack}`
    )
  )
}

/** How far ahead a change can be tried, in months. */
const MONTHS_AHEAD = 300

interface OwnProps {
  readonly line: Line
  readonly answer: BookAnswer
  readonly state: State
  readonly actions: Actions
}

/** A change of plan that the reader tries, from the plan in focus. */
export const OwnChange = ({ actions, answer, line, state }: OwnProps) => {
  const { switchFrom, switchTo } = state.draft.household
  const { own } = words
  const { fields } = texts.household
  const pick = (field: "switchFrom" | "switchTo", choices: Readonly<Record<string, string>>) =>
    h(SelectField, {
      ...fields[field],
      name: field,
      value: state.draft.household[field],
      problem: undefined,
      onValue: (value) => actions.setHousehold(field, value),
      groups: [{ choices: choicesOf(choices, own.choose) }]
    })
  const plan = answerWords.plans[switchTo as EnginePlan] ?? ""
  const month = switchFrom === "" ? "" : monthName(`${switchFrom}-01`)
  const { withChange: tried } = line
  const saidOf = (): string => {
    if (tried === undefined) return own.none
    if (tried._tag === "Over") return own.over(nameOf(line), month)
    if (tried._tag === "Refused") return own.refused(tried.reason, plan, month)
    const end = tried.endsOn === null ? answerWords.never : monthName(tried.endsOn)
    const payment = wholeDollars(tried.firstPayment)
    return own.does(payment, month, wholeDollars(tried.cost), shownDifference(tried.cost, line.cost), end)
  }
  return h(
    Fold,
    {
      class: "card own",
      isNeeded: answer.lines.some(({ withChange }) => withChange !== undefined),
      summaryClass: "fold",
      summary: h("h2", null, own.title)
    },
    p("", own.lead(nameOf(line))),
    div("inputs", div("pair", pick("switchFrom", monthsAhead(MONTHS_AHEAD, switchFrom)), pick("switchTo", PLANS))),
    h("p", { role: "status", class: tried?._tag === "Refused" ? "catch date" : undefined }, saidOf())
  )
}

export const CheaperPath = ({ answer }: Pick<Props, "answer">) => {
  const { firstMonth, path } = answer
  if (path === undefined) return null
  const [first, second] = path.plans.map((plan) => answerWords.plans[plan])
  const at = (month: number) => monthName(dateOf(firstMonth, month))
  const against = path.isStaying ? words.staying : words.alone(answerWords.plans[path.against])
  return h(
    "section",
    { class: "card path", "aria-labelledby": "path" },
    p("small", words.tag),
    h(
      "h2",
      { id: "path", class: "lead" },
      words.title(first!, at(path.month - 1), second!, wholeDollars(path.saved), against)
    ),
    h(
      "ol",
      { class: "strip" },
      path.stages.map(({ month, payment, plan }, index) => {
        const next = path.stages[index + 1]
        const to = next === undefined ? monthName(path.endsOn) : at(next.month - 1)
        return h(
          "li",
          { key: month },
          h("b", null, words.part(answerWords.plans[plan], wholeDollars(payment))),
          ` ${words.span(at(month), to)}`
        )
      })
    ),
    p(
      "",
      path.stages.every(({ payment }) => path.highestPayment - payment >= 1) &&
        `${words.rises(wholeDollars(path.highestPayment))} `,
      words.total(wholeDollars(path.cost), monthName(path.endsOn)),
      path.filing !== null && ` ${words.onReturn(answerWords.ways[path.filing])}`,
      " ",
      path.latestMonth > path.month
        ? words.applyBetween(at(path.month), at(path.latestMonth))
        : path.month < MONTHS_TO_APPLY
          ? words.applyPath
          : words.apply(at(path.month))
    ),
    h("h3", null, words.undo),
    h(
      "ul",
      { class: "undo" },
      [
        ...words.undoes,
        ...(path.isService ? [words.leaving] : []),
        ...(isShown(path.forgiven) && !path.isService && answer.assumes.isPaid ? [words.counts] : []),
        ...(path.plans[1] === TIERED_STANDARD ? [words.tier] : []),
        ...(path.plans[0] === "INCOME BASED" || path.plans[0] === "INCOME BASED (OLD)" ? [words.joins] : [])
      ].map((text) => h("li", { key: text }, text))
    ),
    p("small", words.tried(path.tried))
  )
}
