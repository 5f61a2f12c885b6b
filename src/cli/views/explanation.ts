/**
 * An explained payment as text: each step with its formula, the effect on each loan, and the rules.
 */
import type { ExplainedLoan, ExplainedRule, ExplainResult, PaymentPart } from "../../../schema/explanation.ts"
import { partTitle, stepName, stepValue } from "../../messages/explanation.ts"
import { dollars } from "../../messages/figures.ts"
import { explainedPayment } from "../../messages/summaries.ts"
import type { Screen } from "../output.ts"
import { omissionLines } from "./provenance.ts"
import { type Column, table } from "./table.ts"
import { padEnd, padStart, widthOf, wrap } from "./text.ts"

const INDENT = "    "

const loanCells: ReadonlyArray<Column<ExplainedLoan>> = [
  { title: "Loan", cell: ({ loan }) => String(loan + 1), align: "right" },
  { title: "Payment", cell: ({ payment }) => dollars(payment), align: "right" },
  { title: "Interest", cell: ({ toInterest }) => dollars(toInterest), align: "right", dropPriority: 1 },
  { title: "Older", cell: ({ toUnpaidInterest }) => dollars(toUnpaidInterest), align: "right", dropPriority: 4 },
  { title: "Principal", cell: ({ toPrincipal }) => dollars(toPrincipal), align: "right", dropPriority: 1 },
  { title: "Waived", cell: ({ interestWaived }) => dollars(interestWaived), align: "right", dropPriority: 3 },
  { title: "Matched", cell: ({ principalMatched }) => dollars(principalMatched), align: "right", dropPriority: 4 },
  { title: "Forgiven", cell: ({ forgiven }) => dollars(forgiven), align: "right", dropPriority: 5 },
  {
    title: "Left",
    cell: ({ interestLeft, principalLeft }) => dollars(principalLeft + interestLeft),
    align: "right",
    dropPriority: 2
  }
]

const loanLines = (loans: ReadonlyArray<ExplainedLoan>, { columns, style }: Screen): ReadonlyArray<string> => {
  const { head, rows } = table(loanCells, loans, columns)
  return [style.bold(head.trimEnd()), ...rows.map((row) => row.trimEnd())]
}

const partLines = (part: PaymentPart, screen: Screen): ReadonlyArray<string> => {
  const { loans, steps } = part
  const { columns, style } = screen
  const title = wrap(partTitle(part), columns).map(style.bold)
  if (loans.length === 0) return ["", ...title, "Nothing is owed in this month."]
  const width = Math.max(...steps.map((step) => widthOf(stepName(step))))
  const values = Math.max(...steps.map((step) => widthOf(stepValue(step))))
  const lines = steps.flatMap((step) => [
    `${padEnd(stepName(step), width)}  ${style.bold(padStart(stepValue(step), values))}`,
    ...wrap(`${step.formula} [${step.rules.join(", ")}]`, columns, INDENT).map(style.dim)
  ])
  return ["", ...title, ...lines, "", ...loanLines(loans, screen)]
}

/** A rule's definition, and the source that it was read in. */
const ruleLines = ({ citation, definition, id }: ExplainedRule, { columns, style }: Screen): ReadonlyArray<string> =>
  [...wrap(`${id}: ${definition}`, columns), ...wrap(citation, columns, INDENT)].map(style.dim)

export const explanationView =
  (answer: ExplainResult) =>
  (screen: Screen): string =>
    [
      ...wrap(explainedPayment(answer), screen.columns).map(screen.style.bold),
      ...answer.parts.flatMap((part) => partLines(part, screen)),
      "",
      ...(answer.notes ?? []).flatMap((note) => wrap(`Note: ${note}.`, screen.columns)),
      ...answer.rules.flatMap((rule) => ruleLines(rule, screen)),
      ...omissionLines(answer.knownOmissions, screen.columns).map(screen.style.dim),
      screen.style.dim(`Rules ${answer.ruleVersion}, computed ${answer.computedAtUtc}.`)
    ].join("\n")
