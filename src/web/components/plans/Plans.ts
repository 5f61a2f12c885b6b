/** The list of plans: every plan once, in groups. */
import { h } from "preact"
import type { EnginePlan } from "../../../engine/index.ts"
import { wholeDollars } from "../../../messages/figures.ts"
import type { BookAnswer, ClosedPlan } from "../../book/answer.ts"
import type { Line } from "../../book/line.ts"
import { conditionOf } from "../../book/sure.ts"
import { texts } from "../../texts.ts"
import { div, p, span } from "../elements.ts"
import { Fold } from "../Fold.ts"
import { rowsOf, sortOf } from "../goals.ts"
import { type Actions, GOALS, type Goal, type State } from "../state.ts"
import type { AnswerProps } from "./figures.ts"
import { Row } from "./Row.ts"

const { answer: words } = texts

const Rows = ({ lines, ...props }: AnswerProps & { readonly lines: ReadonlyArray<Line> }) =>
  h(
    "ol",
    null,
    rowsOf(lines, props.state).map((row) => h(Row, { key: row.planType, row, ...props }))
  )

const SortBy = ({ actions, state }: { readonly actions: Actions; readonly state: State }) =>
  h(
    "label",
    { class: "soft" },
    words.sortBy,
    h(
      "select",
      {
        value: sortOf(state),
        onChange: ({ currentTarget }: { readonly currentTarget: HTMLSelectElement }) =>
          actions.sortBy(currentTarget.value as Goal)
      },
      GOALS.map((goal) => h("option", { key: goal, value: goal }, words.sorts[goal]))
    )
  )

/** Plans that are not open, each with its reasons in sentences. */
const ClosedList = ({ plans, yours = null }: { plans: ReadonlyArray<ClosedPlan>; yours?: EnginePlan | null }) =>
  h(
    "ul",
    { class: "closed" },
    plans.map(({ planType, reasons }) =>
      h(
        "li",
        { key: planType },
        h("b", null, words.plans[planType]),
        planType === yours && [" ", span("yours", words.yourPlan)],
        ": ",
        [...new Set(reasons.map((why) => words.reason(planType, why)))].join(" ")
      )
    )
  )

/** The missing answer of a group of plans: the day of the first debt, or else the day of a loan. */
const asksFor = (lines: ReadonlyArray<Line>, { indexes }: BookAnswer) => {
  const isOfLoan = lines.every((line) => conditionOf(line) === "recentLoan")
  const href = isOfLoan ? `#loan${indexes[0]! + 1}-madeOn` : "#firstBorrowed"
  const { dependsHelp, loansHelp, toAnswer } = words.groups
  return [isOfLoan ? loansHelp : dependsHelp, " ", h("a", { key: "answer", href }, toAnswer)]
}

const isApart = ({ notes }: Line): boolean => notes.includes("apart")

export const Plans = (props: AnswerProps) => {
  const { actions, answer, state } = props
  const open = answer.lines.filter((line) => conditionOf(line) === undefined)
  const dependent = answer.lines.filter((line) => conditionOf(line) !== undefined)
  return h(
    "section",
    { class: "card plans", "aria-labelledby": "list" },
    div("top", h("h2", { id: "list" }, words.title), h(SortBy, { actions, state })),
    answer.lines.some(isApart) &&
      p("lead-in", words.apart, answer.lines.some((line) => line.mayBeSplit) && ` ${words.community}`),
    answer.lines.some(({ notes }) => notes.includes("shortened")) && p("lead-in", words.shortened),
    h(
      "div",
      { class: "cols small", "aria-hidden": "true" },
      h("span", null, words.rowLabels.plan),
      span("pay", words.rowLabels.first),
      h("span", null, words.rowLabels.cost, " ", h("i", null, words.rowLabels.costHelp(wholeDollars(answer.owed)))),
      h("span", null, words.rowLabels.ends)
    ),
    h(Rows, { ...props, lines: open }),
    dependent.length > 0 &&
      div(
        "group",
        div("about", h("h3", null, words.groups.depends), h("p", null, ...asksFor(dependent, answer))),
        h(Rows, { ...props, lines: dependent })
      ),
    answer.closed.length > 0 &&
      h(
        Fold,
        {
          class: "group not-open",
          summaryClass: "fold",
          summary: h(
            "span",
            null,
            h("b", null, words.groups.closed),
            " ",
            span("soft", words.groups.closedCount(answer.closed.length))
          )
        },
        h(ClosedList, { plans: answer.closed, yours: answer.currentPlan })
      )
  )
}

/** Plans that would forgive a loan now, shown before the comparison. */
export const DonePlans = ({ done }: Pick<BookAnswer, "done">) =>
  h(
    "section",
    { class: "card note", "aria-labelledby": "done" },
    h("h2", { id: "done" }, words.done),
    h("p", null, words.doneLead),
    h(ClosedList, { plans: done })
  )

export const Remarks = ({ remarks }: Pick<BookAnswer, "remarks">) =>
  remarks.map((remark) => h("p", { key: JSON.stringify(remark), class: "card warn" }, words.remark(remark)))
