/**
 * An explained payment as text: each step with its formula, the effect on each loan, and the rules.
 */
import type { ExplainedLoan, ExplainedRule, ExplainResult, PaymentPart } from "../../../schema/explanation.ts"
import { partTitle, stepName, stepValue } from "../../messages/explanation.ts"
import { dollars } from "../../messages/figures.ts"
import { explainedPayment, leavingLines } from "../../messages/summaries.ts"
import type { Screen } from "../output.ts"
import { omissionLines } from "./provenance.ts"
import { type Column, numbers, tableLines } from "./table.ts"
import { padEnd, padStart, widthOf, wrap } from "./text.ts"

const INDENT = "    "

const LOANS: ReadonlyArray<Column<ExplainedLoan>> = [
  numbers("Loan", ({ loan }) => String(loan + 1)),
  numbers("Payment", ({ payment }) => dollars(payment)),
  numbers("Interest", ({ toInterest }) => dollars(toInterest), 1),
  numbers("Older", ({ toUnpaidInterest }) => dollars(toUnpaidInterest), 4),
  numbers("Principal", ({ toPrincipal }) => dollars(toPrincipal), 1),
  numbers("Waived", ({ interestWaived }) => dollars(interestWaived), 3),
  numbers("Matched", ({ principalMatched }) => dollars(principalMatched), 4),
  numbers("Forgiven", ({ forgiven }) => dollars(forgiven), 5),
  numbers("Left", ({ interestLeft, principalLeft }) => dollars(principalLeft + interestLeft), 2)
]

const partLines = (part: PaymentPart, answer: ExplainResult, screen: Screen): ReadonlyArray<string> => {
  const { loans, steps } = part
  const { columns, style } = screen
  const title = wrap(partTitle(part, answer), columns).map(style.bold)
  if (loans.length === 0) {
    const isPaused = answer.parts.some(({ group }) => group === "paused")
    return ["", ...title, `Nothing is ${isPaused ? "due" : "owed"} in this month.`]
  }
  const width = Math.max(...steps.map((step) => widthOf(stepName(step))))
  const values = Math.max(...steps.map((step) => widthOf(stepValue(step))))
  const lines = steps.flatMap((step) => [
    `${padEnd(stepName(step), width)}  ${style.bold(padStart(stepValue(step), values))}`,
    ...wrap(`${step.formula} [${step.rules.join(", ")}]`, columns, INDENT).map(style.dim)
  ])
  return ["", ...title, ...lines, "", ...tableLines(LOANS, loans, screen)]
}

/** A rule's definition, and the source that it was read in. */
const ruleLines = ({ citation, definition, id }: ExplainedRule, { columns, style }: Screen): ReadonlyArray<string> =>
  [...wrap(`${id}: ${definition}`, columns), ...wrap(citation, columns, INDENT)].map(style.dim)

export const explanationView =
  (answer: ExplainResult) =>
  (screen: Screen): string =>
    [
      ...wrap(explainedPayment(answer), screen.columns).map(screen.style.bold),
      ...leavingLines(answer).flatMap((line) => wrap(line, screen.columns)),
      ...answer.parts.flatMap((part) => partLines(part, answer, screen)),
      "",
      ...(answer.notes ?? []).flatMap((note) => wrap(`Note: ${note}.`, screen.columns)),
      ...answer.rules.flatMap((rule) => ruleLines(rule, screen)),
      ...omissionLines(answer.knownOmissions, screen.columns).map(screen.style.dim),
      screen.style.dim(`Rules ${answer.ruleVersion}, computed ${answer.computedAtUtc}.`)
    ].join("\n")
