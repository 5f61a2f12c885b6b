/** The list of plans: every plan once, in groups, each row with its figures, what is uncertain, and the next step. */
import { type ComponentChildren, Fragment, h } from "preact"
import { dollars, wholeDollars } from "../../messages/figures.ts"
import type { BookAnswer, ClosedPlan, Line, LineNote } from "../book/answer.ts"
import type { Figure } from "../book/why/explanation.ts"
import { texts } from "../texts.ts"
import { Fold } from "./Fold.ts"
import { type Card, conditionOf, type PlanRow, paymentsOf, rowsOf, sortOf } from "./goals.ts"
import {
  amount,
  costOf,
  dateOf,
  endMonthOf,
  FigureButton,
  isByIncome,
  isShown,
  leastOf,
  nameOf,
  rises
} from "./lines.ts"
import { type Actions, GOALS, type Goal, type State } from "./state.ts"

const { answer: words } = texts

const SERVICERS = "https://studentaid.gov/manage-loans/repayment/servicers"
const APPLICATION = "https://studentaid.gov/idr/"

interface AnswerProps {
  readonly answer: BookAnswer
  readonly cards: ReadonlyArray<Card>
  readonly state: State
  readonly actions: Actions | undefined
}

interface LineProps extends AnswerProps {
  readonly line: Line
}

const colorOf = ({ key }: Line, cards: ReadonlyArray<Card>): string =>
  cards.find(({ line }) => line.key === key)?.color ?? "g"

const extraOf = ({ assumes }: BookAnswer): string => wholeDollars(assumes.extra)

const Payment = ({ line }: LineProps) => {
  const { firstMonthPayment } = line.figures
  const least = leastOf(line)
  const then = rises(line)
    ? words.thenUpTo(wholeDollars(line.highestPayment), isByIncome(line))
    : least !== undefined
      ? words.thenLess(wholeDollars(least))
      : words.thenFixed
  return h(
    "span",
    { class: "pay" },
    h("span", { class: "vh" }, `${words.rowLabels.first} `),
    h("b", null, amount(firstMonthPayment)),
    h("span", { class: "then" }, then)
  )
}

/** Today's debt, what is paid beyond it, and the tax, of all lines to the same scale. */
const Bar = ({ answer, line }: LineProps) => {
  const most = Math.max(...answer.lines.map(({ cost }) => cost), answer.owed)
  const { forgivenessTaxesOwed, totalOutOfPocket } = line.figures
  const debt = Math.min(totalOutOfPocket, answer.owed)
  const scaled = (value: number) => (most > 0 ? (value / most) * 100 : 0)
  const part = (kind: string, from: number, width: number) =>
    width > 0 &&
    h("rect", { class: kind, x: scaled(from).toFixed(2), y: 1, width: scaled(width).toFixed(2), height: 8 })
  return h(
    "svg",
    { class: "track", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    h("rect", { class: "ground", x: 0, y: 1, width: 100, height: 8 }),
    part("debt", 0, debt),
    part("beyond", debt, totalOutOfPocket - debt),
    part("tax", totalOutOfPocket, forgivenessTaxesOwed)
  )
}

const Cost = (props: LineProps) => {
  const { answer, line } = props
  return h(
    "span",
    { class: "cost" },
    h(Bar, props),
    h("b", null, amount(line.cost), h("span", { class: "k" }, ` ${words.cards.units.cost}`)),
    h("span", { class: "small" }, words.beyond(line.beyondDebt, line.figures.forgivenessTaxesOwed)),
    line.withExtra !== undefined &&
      h("span", { class: "small" }, words.withExtra(extraOf(answer), wholeDollars(costOf(line.withExtra))))
  )
}

const End = ({ answer, line }: LineProps) => {
  const month = endMonthOf(line)
  const { withExtra } = line
  const after = isShown(line.figures.amountForgiven) ? words.forgiven : words.after
  return h(
    "span",
    { class: "end" },
    h("span", { class: "vh" }, `${words.rowLabels.ends} `),
    h("b", null, month ?? words.never),
    month !== undefined && h("span", { class: "small" }, after(paymentsOf(line))),
    withExtra !== undefined &&
      h("span", { class: "small" }, words.withExtra(extraOf(answer), endMonthOf({ figures: withExtra }) ?? words.never))
  )
}

/** Where the loans of a plan that ends are repaid: RAP, or Income-Based for those that RAP can't take. */
const successorOf = ({ lines }: BookAnswer): string => {
  const rap = lines.find(({ planType }) => planType === "REPAYMENT ASSISTANCE")
  if (rap === undefined) return words.successors.ibr
  return rap.notes.includes("beside") ? words.successors.both : words.successors.rap
}

const noteText = (line: Line, note: LineNote, answer: BookAnswer): string | undefined => {
  const { outside } = line.figures
  switch (note) {
    case "ends":
      return words.closes(answer.closesOn, successorOf(answer))
    case "beside":
      return (
        outside &&
        words.beside(
          outside.loans.map((position) => answer.indexes[position]! + 1),
          line.beside.map((plan) => words.plans[plan]),
          wholeDollars(outside.year1MonthlyPayment)
        )
      )
    case "hardship":
      return words.hardship
    default:
      return undefined
  }
}

/** Sentences about the plan of a row, in the size of the text, because they hold the catches. */
const Notes = ({ answer, row: { chosen } }: { readonly row: PlanRow; readonly answer: BookAnswer }) => {
  const { nextBand } = chosen
  const sentences = chosen.notes.flatMap((note) => {
    const text = noteText(chosen, note, answer)
    return text === undefined ? [] : [{ note, text }]
  })
  return h(
    Fragment,
    null,
    sentences.map(({ note, text }) => h("p", { key: note, class: note === "ends" ? "catch date" : "catch" }, text)),
    nextBand !== undefined &&
      h("p", { class: "catch" }, words.band(dateOf(answer.firstMonth, nextBand.month), nextBand))
  )
}

const Details = ({ actions, line, state }: LineProps) => {
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
    h("p", { class: "small" }, words.worthHelp(state.draft.household.discount || "0")),
    actions !== undefined && h("p", { class: "small" }, words.press)
  )
}

const external = (href: string, text: string) => h("a", { key: href, href, target: "_blank", rel: "noreferrer" }, text)

const NextSteps = ({ closesOn, line }: { readonly line: Line; readonly closesOn: string }) => {
  const isIncome = isByIncome(line)
  const [before, link, after] = isIncome ? words.steps.idr : words.steps.fixed
  const steps: ReadonlyArray<ComponentChildren> = [
    [before, external(isIncome ? APPLICATION : SERVICERS, link!), after],
    ...(line.notes.includes("ends") ? [words.steps.by(closesOn)] : []),
    words.steps.ask,
    ...(isIncome ? [words.steps.income] : []),
    ...(line.figures.forgivenessType === "Pslf" ? [words.steps.service] : [])
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

interface RowProps extends AnswerProps {
  readonly row: PlanRow
}

/** The figures of a line; of a married borrower's two, each can be chosen. */
const Figures = (props: LineProps) => h(Fragment, null, h(Payment, props), h(Cost, props), h(End, props))

const Returns = ({ row, ...props }: RowProps) =>
  h(
    "fieldset",
    null,
    h("legend", { class: "vh" }, words.returnsOf(words.names[row.planType])),
    row.lines.map((line) => {
      const { filing } = line
      if (filing === null) return null
      return h(
        props.actions === undefined ? "div" : "label",
        { key: line.key, class: `line ${colorOf(line, props.cards)}${line === row.chosen ? " chosen" : ""}` },
        h(
          "span",
          { class: "way" },
          props.actions !== undefined &&
            h("input", {
              type: "radio",
              name: `return ${row.planType}`,
              checked: line === row.chosen,
              onChange: () => props.actions?.chooseReturn(row.planType, filing)
            }),
          h("span", { class: "dot" }, words.ways[filing])
        ),
        h(Figures, { ...props, line })
      )
    })
  )

/** Both returns of a plan have a family size of their own, so that only one return shows its amount. */
const aboutOf = ({ chosen: { filing, incomeShare }, planType }: PlanRow): string =>
  incomeShare === undefined
    ? words.abouts[planType]
    : `${words.abouts[planType]}, ${words.share(incomeShare)}${filing === null ? "" : `, ${words.filings[filing]}`}`

const Row = (props: RowProps) => {
  const { answer, cards, row } = props
  const { chosen, lines, planType } = row
  const isTwo = lines.length > 1
  const condition = conditionOf(chosen)
  const name = words.names[planType]
  return h(
    "li",
    { class: isTwo ? "plan two" : `plan ${colorOf(chosen, cards)}` },
    h(
      "div",
      { class: "who" },
      h("b", { class: "dot" }, isTwo || chosen.filing === null ? name : nameOf(chosen)),
      " ",
      h("span", { class: "small" }, aboutOf(row))
    ),
    isTwo ? h(Returns, props) : h(Figures, { ...props, line: chosen }),
    h(
      "div",
      { class: "catches" },
      condition !== undefined && h("p", { class: "catch date" }, `Only ${words.condition(condition)}.`),
      h(Notes, { row, answer })
    ),
    h(
      Fold,
      { summary: h("span", { class: "vh" }, words.details(name)) },
      h(
        "div",
        { class: "detail" },
        h(Details, { ...props, line: chosen }),
        h(NextSteps, { line: chosen, closesOn: answer.closesOn })
      )
    )
  )
}

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

/** A plan that is not open is one sentence, or a few where its loans differ. */
const ClosedList = ({ plans }: { readonly plans: ReadonlyArray<ClosedPlan> }) =>
  h(
    "ul",
    { class: "closed" },
    plans.map(({ planType, reasons }) =>
      h(
        "li",
        { key: planType },
        h("b", null, words.plans[planType]),
        ": ",
        [...new Set(reasons.map((why) => words.reason(planType, why)))].join(" ")
      )
    )
  )

const isApart = ({ notes }: Line): boolean => notes.includes("apart")

export const Plans = (props: AnswerProps) => {
  const { actions, answer, state } = props
  const open = answer.lines.filter((line) => conditionOf(line) === undefined)
  const dependent = answer.lines.filter((line) => conditionOf(line) !== undefined)
  return h(
    "section",
    { class: "card plans", "aria-labelledby": "list" },
    h("div", { class: "top" }, h("h2", { id: "list" }, words.title), actions && h(SortBy, { actions, state })),
    answer.lines.some(isApart) && h("p", { class: "lead-in" }, words.apart),
    h(
      "div",
      { class: "cols small", "aria-hidden": "true" },
      h("span", null, words.rowLabels.plan),
      h("span", { class: "pay" }, words.rowLabels.first),
      h("span", null, words.rowLabels.cost, " ", h("i", null, words.rowLabels.costHelp(wholeDollars(answer.owed)))),
      h("span", null, words.rowLabels.ends)
    ),
    h(Rows, { ...props, lines: open }),
    dependent.length > 0 &&
      h(
        "div",
        { class: "group" },
        h(
          "div",
          { class: "about" },
          h("h3", null, words.groups.depends),
          h("p", null, words.groups.dependsHelp, " ", h("a", { href: "#firstBorrowed" }, words.groups.toAnswer))
        ),
        h(Rows, { ...props, lines: dependent })
      ),
    answer.closed.length > 0 &&
      h(
        Fold,
        {
          class: "group not-open",
          isOpen: actions === undefined,
          summaryClass: "fold",
          summary: h(
            "span",
            null,
            h("b", null, words.groups.closed),
            " ",
            h("span", { class: "soft" }, words.groups.closedCount(answer.closed.length))
          )
        },
        h(ClosedList, { plans: answer.closed })
      )
  )
}

/** Plans that would forgive a loan now come before all comparing. */
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

/** The list on paper, with cents. */
export const PrintedPlans = ({ answer, state }: AnswerProps) =>
  h(
    "table",
    { class: "printed" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        words.printedColumns.map((title) => h("th", { key: title, scope: "col" }, title))
      )
    ),
    h(
      "tbody",
      null,
      rowsOf(answer.lines, state)
        .flatMap(({ lines }) => lines.map((line) => ({ line, isFirst: line === lines[0] })))
        .map(({ isFirst, line }) => {
          const { figures } = line
          const condition = conditionOf(line)
          return h(
            "tr",
            { key: line.key },
            h(
              "th",
              { scope: "row" },
              nameOf(line),
              isFirst && condition !== undefined && h("small", null, words.condition(condition)),
              isFirst &&
                line.notes.includes("ends") &&
                h("small", null, words.closes(answer.closesOn, successorOf(answer)))
            ),
            [
              figures.firstMonthPayment,
              line.highestPayment,
              figures.totalOutOfPocket,
              figures.amountForgiven,
              figures.forgivenessTaxesOwed,
              line.cost
            ].map((value, index) => h("td", { key: index }, dollars(value))),
            h("td", null, endMonthOf(line) ?? words.never)
          )
        })
    )
  )
