/** The explanation of a figure: a sentence in dollars, rows that add up to it, and their steps and rules. */
import { type ComponentChildren, Fragment, h } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { dollars, month as monthName, percent } from "../../messages/figures.ts"
import type { BookAnswer } from "../book/answer.ts"
import type { Explanation, Figure, Row, Said } from "../book/why/explanation.ts"
import { texts } from "../texts.ts"
import { formulaText, dialogTexts as words } from "../whyTexts.ts"
import { div, p, quiet, span } from "./elements.ts"
import { Fold } from "./Fold.ts"
import { nameOf } from "./lines.ts"
import type { Actions, OpenWhy } from "./state.ts"

type Explained = NonNullable<Explanation["steps"]>
type Part = Explained["parts"][number]
type Step = Part["steps"][number]
type Labels = Explanation["labels"]

/** Units of values that are shown as plain numbers. */
const UNNAMED = ["factor", "persons", "levels"]

const valueOf = ({ unit, value }: Step): string => {
  if (unit.startsWith("US dollars")) return dollars(value)
  if (unit === "fraction") return percent(value)
  const number = String(Math.round(value * 1e6) / 1e6)
  if (unit === "percent") return `${number}%`
  return UNNAMED.includes(unit) ? number : `${number} ${unit}`
}

const planName = (planType: string): string => texts.answer.plans[planType as keyof typeof texts.answer.plans]

const Section = ({ children, title }: { readonly title: string; readonly children?: ComponentChildren }) =>
  h(Fold, { class: "folded", summaryClass: "fold", summary: h("b", null, title) }, children)

const Formula = ({
  children,
  title = words.formula
}: {
  readonly title?: string
  readonly children?: ComponentChildren
}) => h("details", { class: "formula" }, h("summary", null, title), children)

const RuleLinks = ({ ids, labels }: { readonly ids: ReadonlyArray<string>; readonly labels: Labels }) =>
  ids.length === 0
    ? null
    : h(
        "small",
        { class: "sources" },
        ids.map((id) => h("a", { key: id, href: `/rules/${id}`, target: "_blank" }, labels[id] ?? id))
      )

const SIGNS = { part: "", less: "− ", sum: "", fact: "", heading: "" } as const

/** The basis of a row, shown on request: its formula, the rows behind it, the rules. */
const RowMore = ({ labels, row: { formula, rows, rules } }: { readonly row: Row; readonly labels: Labels }) =>
  formula === undefined && rows === undefined && rules.length === 0
    ? null
    : h(
        "dd",
        { class: "more" },
        h(
          Formula,
          { title: formula === undefined && rows === undefined ? words.rule : words.formula },
          formula !== undefined && h("p", null, formula),
          rows !== undefined && h(Rows, { rows, labels }),
          h(RuleLinks, { ids: rules, labels })
        )
      )

const Rows = ({ labels, rows }: { readonly rows: ReadonlyArray<Row>; readonly labels: Labels }) =>
  h(
    "dl",
    { class: "rows" },
    rows.map((row, index) =>
      h(
        "div",
        { key: index, class: `row-${row.role}` },
        h("dt", null, row.name),
        h("dd", null, `${SIGNS[row.role]}${row.shown}`),
        h(RowMore, { row, labels })
      )
    )
  )

const StepRow = ({ labels, step }: { readonly step: Step; readonly labels: Labels }) =>
  h(
    "li",
    null,
    span("step-name", step.name),
    h("b", null, valueOf(step)),
    h("div", null, h(RuleLinks, { ids: step.rules, labels }), h(Formula, null, h("p", null, formulaText(step.formula))))
  )

const StepList = ({ labels, steps }: { readonly steps: ReadonlyArray<Step>; readonly labels: Labels }) =>
  h(
    "ol",
    { class: "steps" },
    steps.map((step, index) => h(StepRow, { key: index, step, labels }))
  )

interface PartProps {
  readonly part: Part
  readonly labels: Labels
  /** Index in the draft of each loan. */
  readonly indexes: ReadonlyArray<number>
}

/** The steps of all loans together, then those of each loan, folded. */
const PartSteps = ({ indexes, labels, part: { payment, planType, steps } }: PartProps) => {
  const loans = [...new Set(steps.flatMap(({ loan }) => (loan === null ? [] : [loan])))]
  const of = (loan: number | null) => steps.filter((step) => step.loan === loan)
  return h(
    "section",
    null,
    h("h3", null, `${planName(planType)}: ${dollars(payment)}`),
    h(StepList, { steps: of(null), labels }),
    loans.map((loan) =>
      h(Section, { key: loan, title: words.loan(indexes[loan]! + 1) }, h(StepList, { steps: of(loan), labels }))
    )
  )
}

const Sentence = ({ isLead, said: { planType, text } }: { readonly said: Said; readonly isLead: boolean }) =>
  p(isLead ? "lead" : "", planType !== undefined && h("b", null, `${planName(planType)}: `), text)

interface WhyProps {
  readonly answer: BookAnswer
  readonly why: OpenWhy
  readonly actions: Actions
}

const MonthField = ({ actions, why: { figure, line, month } }: Omit<WhyProps, "answer">) =>
  h(
    "label",
    { class: "which" },
    words.month,
    h("input", {
      type: "number",
      min: 1,
      max: line.months.length,
      value: month + 1,
      onChange: ({ currentTarget }) => {
        const number = Math.floor(Math.min(Math.max(currentTarget.valueAsNumber || 1, 1), line.months.length))
        currentTarget.value = String(number)
        actions.explain(line, figure, number - 1)
      }
    }),
    words.ofMonths(line.months.length)
  )

const Steps = ({ answer, steps }: { readonly steps: Explained; readonly answer: BookAnswer }) => {
  const labels = Object.fromEntries(steps.rules.map(({ id, label }) => [id, label]))
  return h(
    Section,
    { title: words.steps },
    steps.parts.map((part, index) => h(PartSteps, { key: index, part, labels, indexes: answer.indexes }))
  )
}

const RuleList = ({ ids, labels }: { readonly ids: ReadonlyArray<string>; readonly labels: Labels }) =>
  h(
    "ul",
    null,
    ids.map((id) => h("li", { key: id }, h("a", { href: `/rules/${id}`, target: "_blank" }, labels[id] ?? id)))
  )

/** A tax is a figure only if something is forgiven. */
const othersOf = ({ figure, line }: OpenWhy): ReadonlyArray<Figure> =>
  (Object.keys(words.figures) as ReadonlyArray<Figure>).filter(
    (one) => one !== figure && (one !== "tax" || line.figures.amountForgiven > 0)
  )

const Folds = ({ actions, answer, why }: WhyProps) => {
  const { citations, omissions } = why.line.figures
  return h(
    Fragment,
    null,
    h(Section, { title: words.rules }, h(RuleList, { ids: citations, labels: answer.labels })),
    omissions.length > 0 &&
      h(Section, { title: words.leavesOut }, h(RuleList, { ids: omissions, labels: answer.labels })),
    h(
      Section,
      { key: why.figure, title: words.others },
      p(
        "others",
        othersOf(why).map((figure) =>
          quiet(words.figures[figure], () => actions.explain(why.line, figure), { key: figure })
        )
      )
    )
  )
}

const Explained = ({ actions, answer, explanation, why }: WhyProps & { readonly explanation: Explanation }) => {
  const { labels, notes, rows, said, steps } = explanation
  return div(
    "said",
    h(
      "div",
      { role: "status" },
      said.map((one, index) => h(Sentence, { key: index, said: one, isLead: index === 0 }))
    ),
    h(Rows, { rows, labels }),
    notes.map((note) => h("p", { key: note, class: "card note warn" }, note)),
    steps !== undefined && h(MonthField, { actions, why }),
    h("div", null, steps !== undefined && h(Steps, { steps, answer }), h(Folds, { actions, answer, why }))
  )
}

export const Why = ({ actions, answer, why }: WhyProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const { explanation, figure, line } = why
  useEffect(() => dialog.current?.showModal(), [])
  // A new figure starts at its top, and focus moves there, because its button is gone.
  useEffect(() => {
    dialog.current?.scrollTo(0, 0)
    if (dialog.current?.contains(document.activeElement) !== true) title.current?.focus()
  }, [figure])
  const date = explanation === undefined ? "" : ` · ${monthName(explanation.date)}`
  return h(
    "dialog",
    { ref: dialog, class: "computed", "aria-labelledby": "why", onClose: actions.closeWhy },
    h(
      "header",
      { class: "top" },
      h(
        "div",
        null,
        h("h2", { id: "why", ref: title, tabIndex: -1 }, words.figures[figure]),
        h("small", null, `${nameOf(line)}${date}`)
      ),
      h("form", { method: "dialog" }, h("button", { class: "quiet" }, words.close))
    ),
    explanation === undefined
      ? h("p", { class: "said", role: "status" }, words.computing)
      : h(Explained, { actions, answer, explanation, why })
  )
}
