/** The start page but for its frame: the form on one side, the answer on the other. */
import { Fragment, h } from "preact"
import { month as monthName } from "../../messages/figures.ts"
import type { Outcome } from "../book/compute.ts"
import { texts } from "../texts.ts"
import { About, ClosedPlans, DonePlans, PlanTable, Remarks } from "./Answer.ts"
import { Household, Loans } from "./Book.ts"
import { MyAidData } from "./MyAidData.ts"
import { Plots } from "./Plots.ts"
import type { Actions, State } from "./state.ts"
import { Why } from "./Why.ts"

interface AppProps {
  readonly state: State
  /** Undefined on a page that runs no script. */
  readonly actions: Actions | undefined
}

/** The words of what is wrong, by field. */
const problemsOf = (outcome: Outcome | undefined): Readonly<Record<string, string>> =>
  outcome?._tag === "Wrong"
    ? Object.fromEntries(
        outcome.problems.map((one) => [
          one.field,
          one.problem === "contract"
            ? one.message
            : one.problem === "tooLate"
              ? texts.problem.tooLate(one.loan, one.date)
              : texts.problem[one.problem]
        ])
      )
    : {}

/** The label of a field by its name. */
const labelOf = (name: string): string => {
  const [, number, field] = /^loan(\d+)\.(.+)$/.exec(name) ?? []
  if (field === undefined) return texts.household.fields[name as keyof typeof texts.household.fields].label
  return `${texts.book.loan(Number(number))}: ${texts.book.fields[field as keyof typeof texts.book.fields].label}`
}

const Missing = ({ fields }: { readonly fields: ReadonlyArray<string> }) =>
  h(
    Fragment,
    null,
    h("p", null, texts.missing.lead),
    h(
      "ul",
      null,
      fields.map((field) => h("li", { key: field }, h("a", { href: `#${field.replace(".", "-")}` }, labelOf(field))))
    )
  )

const Outcomes = ({ actions, state }: AppProps) => {
  const { outcome } = state
  if (state.hasFailed) return h("p", { class: "problem" }, texts.answer.failed)
  if (outcome === undefined) return h("p", null, actions === undefined ? texts.missing.lead : texts.answer.computing)
  if (outcome._tag === "Missing") return h(Missing, { fields: outcome.fields })
  if (outcome._tag === "Wrong") return h("p", { class: "problem" }, texts.problem.summary(outcome.problems.length))
  const { answer } = outcome
  const hasLines = answer.lines.length > 0
  return h(
    Fragment,
    null,
    h(Remarks, answer),
    answer.done.length > 0 && h(DonePlans, answer),
    hasLines ? h(About, { answer }) : h("p", null, texts.answer.none),
    hasLines && h(PlanTable, { answer, state, actions }),
    answer.closed.length > 0 && h(ClosedPlans, answer),
    hasLines && h(Plots, { answer, state, actions }),
    h(
      "p",
      null,
      texts.footer.basis(answer.ruleVersion, monthName(answer.firstMonth), state.draft.household.discount || "0")
    )
  )
}

const Tools = ({ actions, notice }: { readonly actions: Actions; readonly notice: string }) =>
  h(
    "p",
    { class: "buttons tools" },
    h("button", { type: "button", onClick: actions.copyLink }, texts.tools.link),
    h("button", { type: "button", onClick: actions.print }, texts.tools.print),
    h("span", { role: "status" }, notice)
  )

const Inputs = ({ actions, state }: AppProps) => {
  const book = { draft: state.draft, generation: state.generation, problems: problemsOf(state.outcome), actions }
  return h(
    "form",
    {
      method: "post",
      action: "/",
      class: "inputs",
      noValidate: true,
      onSubmit: (event: Event) => actions !== undefined && event.preventDefault()
    },
    // Whoever presses Enter in a field presses the first button.
    h("button", { name: "action", value: "compute", class: actions === undefined ? "" : "hidden" }, texts.compute),
    h("p", { class: "private" }, actions === undefined ? texts.isSent : texts.isPrivate),
    h("a", { class: "to-plans", href: "#plans" }, texts.toPlans),
    h(
      Loans,
      { ...book, canUndo: state.before !== undefined },
      actions !== undefined && h(MyAidData, { actions, reading: state.reading })
    ),
    h(Household, book),
    actions === undefined && h("button", { name: "action", value: "compute" }, texts.compute)
  )
}

export const App = (props: AppProps) => {
  const { actions, state } = props
  const { outcome, why } = state
  return h(
    "div",
    { class: "page" },
    h(Inputs, props),
    h(
      "section",
      { class: "answer", "aria-labelledby": "plans", "aria-busy": state.isBusy },
      h("h2", { id: "plans" }, outcome?._tag === "Missing" ? texts.missing.title : texts.answer.title),
      actions !== undefined && outcome?._tag === "Answered" && h(Tools, { actions, notice: state.notice }),
      h(Outcomes, props)
    ),
    why !== undefined &&
      actions !== undefined &&
      outcome?._tag === "Answered" &&
      h(Why, { answer: outcome.answer, why, actions })
  )
}
