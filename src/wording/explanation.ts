/**
 * An explained payment in words: of each step its name, its unit and its formula, and of each rule behind one its citation.
 * The values are the engine's. Numbers of the law are read from the ledger.
 */
import type { Rule } from "../../ledger/entry.ts"
import { ruleById } from "../../ledger/index.ts"
import type { ExplainResult, ExplanationStep } from "../../schema/explanation.ts"
import type { Explanation, PaymentPart } from "../engine/explanation.ts"
import type { Law } from "../engine/law/law.ts"
import type { Step, Term } from "../engine/note.ts"
import type { EnginePlan } from "../engine/plans/plan.ts"
import type { LoanMonth } from "../engine/schedule/month.ts"
import { INCOME_STEPS } from "./steps/income.ts"
import { MONTH_STEPS } from "./steps/month.ts"
import { TERM_STEPS } from "./steps/terms.ts"
import type { Words } from "./steps/words.ts"

/** Every step that the engine tells. */
const WORDS: Readonly<Record<Term, Words>> = { ...INCOME_STEPS, ...TERM_STEPS, ...MONTH_STEPS }

const SIGNIFICANT_DIGITS = 12
/** Doubles show their noise in the last digits; none of it is shown, and cents are not rounded to. */
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
  const { effectiveDate, label, lastVerified, source } = ruleById(id)
  return { id, label, citation: source.note, authority: source.authority, url: source.url, effectiveDate, lastVerified }
}

/** The explanation, but for who computed it. */
export const explanationAnswer = (
  law: Law,
  explanation: Explanation
): Omit<ExplainResult, "notes" | "computedBy" | "computedAtUtc" | "ruleVersion"> => {
  const parts = explanation.parts.map((part) => partOf(law, part))
  const ids = new Set(parts.flatMap(({ steps }) => steps.flatMap(({ rules }) => rules)))
  return {
    label: explanation.label,
    planType: explanation.planType,
    month: explanation.month + 1,
    date: explanation.date,
    payment: explanation.paymentInCents,
    parts,
    rules: [...ids].map(ruleOf)
  }
}
