/** A plan in the list, with its conditions. For a married borrower, the row has both returns. */
import { Fragment, h } from "preact"
import { wholeDollars } from "../../../messages/figures.ts"
import type { BookAnswer } from "../../book/answer.ts"
import type { Line } from "../../book/line.ts"
import type { LineNote } from "../../book/standing.ts"
import { conditionOf } from "../../book/sure.ts"
import { texts } from "../../texts.ts"
import { div, p, span } from "../elements.ts"
import { Fold } from "../Fold.ts"
import { colorOf, type PlanRow } from "../goals.ts"
import { dateOf, detailId, nameOf } from "../lines.ts"
import { Details, NextSteps } from "./details.ts"
import { type AnswerProps, Figures } from "./figures.ts"

const { answer: words } = texts

const noteText = (line: Line, note: LineNote, answer: BookAnswer): string | undefined => {
  const { outside } = line.figures
  switch (note) {
    case "ends":
      return words.closes(answer.closesOn, words.successor(line.successors))
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
      return line.hasHardship ? words.hardship : words.noHardship(line.filing !== null)
    case "endsFirst":
    case "fromIncomeBased":
    case "leaving":
    case "uncertified":
    case "neverCertified":
    case "window":
    case "grows":
      return words[note]
    default:
      return undefined
  }
}

/** Sentences about the plan of a row, in full text size, because they name its drawbacks. */
const Notes = ({ answer, row: { chosen } }: { readonly row: PlanRow; readonly answer: BookAnswer }) => {
  const { figures, incomeShare, nextBand, planType } = chosen
  const isBegun = planType === answer.currentPlan && !chosen.isByIncome && !answer.assumes.isPaid
  const sentences = chosen.notes.flatMap((note) => {
    const text = noteText(chosen, note, answer)
    return text === undefined ? [] : [{ note, text }]
  })
  return h(
    Fragment,
    null,
    sentences.map(({ note, text }) => h("p", { key: note, class: note === "ends" ? "catch date" : "catch" }, text)),
    isBegun && p("catch", words.begun),
    planType === "REPAYMENT ASSISTANCE" && p("catch soft", words.rap),
    incomeShare !== undefined &&
      figures.firstMonthPayment === 0 &&
      p("catch", words.zero(wholeDollars(incomeShare.above))),
    chosen.edge !== undefined && p("catch", words.edge(chosen.edge)),
    chosen.ofNewTerm !== undefined && p("catch", words.ofNewTerm(wholeDollars(chosen.ofNewTerm))),
    nextBand !== undefined && p("catch", words.band(dateOf(answer.firstMonth, nextBand.month), nextBand))
  )
}

interface RowProps extends AnswerProps {
  readonly row: PlanRow
}

const Returns = ({ row, ...props }: RowProps) =>
  h(
    "fieldset",
    null,
    h("legend", { class: "vh" }, words.returnsOf(words.names[row.planType])),
    row.lines.map((line) => {
      const { filing } = line
      if (filing === null) return null
      return h(
        "label",
        { key: line.key, class: `line ${colorOf(line, props.cards)}${line === row.chosen ? " chosen" : ""}` },
        span(
          "way",
          h("input", {
            type: "radio",
            name: `return ${row.planType}`,
            checked: line === row.chosen,
            onChange: () => props.actions.chooseReturn(row.planType, filing)
          }),
          span("dot", words.ways[filing])
        ),
        h(Figures, { ...props, line })
      )
    })
  )

/** The text about a plan. Family size differs by return, so the amount is for one return. */
const aboutOf = ({ chosen: { filing, incomeShare }, planType }: PlanRow): string =>
  incomeShare === undefined
    ? words.abouts[planType]
    : `${words.abouts[planType]}, ${words.share(incomeShare)}${filing === null ? "" : `, ${words.filings[filing]}`}`

export const Row = (props: RowProps) => {
  const { answer, cards, row } = props
  const { chosen, lines, planType } = row
  const isTwo = lines.length > 1
  const condition = conditionOf(chosen)
  const name = words.names[planType]
  return h(
    "li",
    { class: isTwo ? "plan two" : `plan ${colorOf(chosen, cards)}` },
    div(
      "who",
      h("b", { class: "dot" }, isTwo || chosen.filing === null ? name : nameOf(chosen)),
      planType === answer.currentPlan && [" ", span("yours", words.yourPlan)],
      " ",
      span("small", aboutOf(row))
    ),
    isTwo ? h(Returns, props) : h(Figures, { ...props, line: chosen }),
    div(
      "catches",
      condition !== undefined && p("catch date", `Only ${words.condition(condition)}.`),
      h(Notes, { row, answer })
    ),
    h(
      Fold,
      { summary: span("vh", words.details(name)) },
      h(
        "div",
        { class: "detail", id: detailId(planType) },
        h(Details, { ...props, line: chosen }),
        h(NextSteps, { line: chosen, answer })
      )
    )
  )
}
