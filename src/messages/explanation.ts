/**
 * The answer of POST /v1/explain: the steps (intermediate values) of a payment, each with its name,
 * unit and formula, and the cited rules. The engine computes the values.
 */
import type { Rule } from "../../ledger/entry.ts"
import { ruleById } from "../../ledger/index.ts"
import type { ExplainResult, ExplanationStep } from "../../schema/explanation.ts"
import type { EnginePlan, Explanation, Law, LoanMonth, PaymentPart, Step, Term } from "../engine/index.ts"
import { counted, dollars, longMonth, monthAfter, percent } from "./figures.ts"
import { closedPlan, DATED, END_OF_ELECTION, END_OF_PLANS, endOfPlans } from "./plans.ts"
import { INCOME_STEPS } from "./steps/income.ts"
import { MONTH_STEPS } from "./steps/month.ts"
import { TAX_STEPS } from "./steps/tax.ts"
import { TERM_STEPS } from "./steps/terms.ts"
import type { Words } from "./steps/words.ts"

/** Name, unit and formula of every step that the engine traces. */
const WORDS: Readonly<Record<Term, Words>> = { ...INCOME_STEPS, ...TERM_STEPS, ...MONTH_STEPS, ...TAX_STEPS }

const SIGNIFICANT_DIGITS = 12
/** Removes the noise in a double's last digits without rounding to cents. */
const plain = (value: number): number => Number(value.toPrecision(SIGNIFICANT_DIGITS))

const idsOf = (law: Law, rules: ReadonlyArray<Rule>): ReadonlyArray<string> => law.cite([{ rules }])[0]?.ids ?? []

const stepOf =
  (law: Law, planType: EnginePlan) =>
  ({ loan, rules, term, value }: Step): ExplanationStep => {
    const [name, unit, formula] = WORDS[term]
    const text = typeof formula === "string" ? formula : formula(law, planType)
    return { term, name, loan, value: plain(value), unit, formula: text, rules: [...new Set(idsOf(law, rules))] }
  }

const loanOf = (loan: LoanMonth): LoanMonth =>
  Object.fromEntries(
    Object.entries(loan).map(([name, value]) => [name, typeof value === "number" ? plain(value) : value])
  ) as unknown as LoanMonth

const partOf = (law: Law, part: PaymentPart): ExplainResult["parts"][number] => ({
  group: part.group,
  planType: part.planType,
  payment: plain(part.payment),
  steps: part.steps.map(stepOf(law, part.planType)),
  loans: part.loans.map(loanOf)
})

const ruleOf = (id: string): ExplainResult["rules"][number] => {
  const { definition, effectiveDate, label, lastVerified, source, unit, value } = ruleById(id)
  const { authority, note, url } = source
  return { id, label, definition, unit, value, citation: note, authority, url, effectiveDate, lastVerified }
}

/** A sentence about the whole explanation, and the id of its rule. */
interface Note {
  readonly text: string
  readonly rule?: string
}

const notesOf = ({ lastMonth, month, parts, planType, projected }: Explanation): ReadonlyArray<Note> => {
  const closed = closedPlan(planType)
  const isOver = parts.every(({ loans }) => loans.length === 0)
  const last = lastMonth !== null && lastMonth < month ? `: the last payment was that of month ${lastMonth + 1}` : ""
  return [
    ...(closed === undefined ? [] : [{ text: closed, rule: END_OF_ELECTION }]),
    ...(projected.citations.includes(END_OF_PLANS)
      ? [{ text: endOfPlans(projected.citations), rule: END_OF_PLANS }]
      : []),
    ...(isOver ? [{ text: `Nothing is owed in month ${month + 1}${last}` }] : [])
  ]
}

/** Rules by which dates decide a borrower's plans and their successors. */
const DATE_RULES = [DATED, "new-borrower-tests", "new-loan-plans-2026-07"]

/** The rules of dates that the projection cites; none if no date was sent. */
const dateRulesOf = ({ projected: { citations } }: Explanation): ReadonlyArray<string> =>
  citations.includes(DATED) ? DATE_RULES.filter((id) => citations.includes(id)) : []

/** An explanation in words; `notes` may be empty. */
type Worded = Pick<ExplainResult, "label" | "planType" | "month" | "date" | "payment" | "parts" | "rules"> & {
  readonly notes: ReadonlyArray<string>
}

/** The explanation, without its provenance. */
export const explanationAnswer = (law: Law, explanation: Explanation): Worded => {
  const parts = explanation.parts.map((part) => partOf(law, part))
  const sentences = notesOf(explanation)
  const ofSteps = parts.flatMap(({ steps }) => steps.flatMap(({ rules }) => rules))
  const ofNotes = sentences.flatMap(({ rule }) => (rule === undefined ? [] : [rule]))
  const ids = new Set([...ofSteps, ...ofNotes, ...dateRulesOf(explanation)])
  return {
    label: explanation.label,
    planType: explanation.planType,
    month: explanation.month + 1,
    date: explanation.date,
    payment: explanation.paymentInCents,
    parts,
    rules: [...ids].map(ruleOf),
    notes: sentences.map(({ text }) => text)
  }
}

const NUMBER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 })

/** A value with its unit, such as $1,250.00 or 10%. */
export const stepValue = ({ unit, value }: ExplanationStep): string => {
  if (unit.startsWith("US dollars")) return `${dollars(value)}${unit.slice("US dollars".length)}`
  if (unit === "fraction") return percent(value)
  return `${NUMBER.format(value)} ${unit}`
}

export const stepName = ({ loan, name }: ExplanationStep): string =>
  loan === null ? name : `${name}, loan ${loan + 1}`

type Part = ExplainResult["parts"][number]

/** "until" and the month in which the loans of a paused part are due again, if it is one. */
const untilOf = ({ steps }: Part, { date, month }: Pick<ExplainResult, "date" | "month">): string => {
  const [due, ...others] = new Set(steps.flatMap(({ term, value }) => (term === "dueAgain" ? [value] : [])))
  return due === undefined || others.length > 0 ? "" : ` until ${longMonth(monthAfter(date, due - month))}`
}

/** The title of a part. The extra payment belongs to no plan. */
export const partTitle = (part: Part, answer: Pick<ExplainResult, "date" | "month">): string => {
  const { group, loans, planType } = part
  const count = counted(loans.length, "loan")
  switch (group) {
    case "plan":
      return `${planType}: ${count}`
    case "successor":
      return `${planType}, after the plan ended: ${count}`
    case "beside":
      return `${planType}, for loans that the plan cannot take: ${count}`
    case "extra":
      return `Extra payment, on ${count}`
    case "lump":
      return `Lump sum, on ${count}`
    case "paused":
      return `${planType}, paused${untilOf(part, answer)}: ${count}`
  }
}
