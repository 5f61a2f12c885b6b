/**
 * The check of the rules that the steps of an explained payment cite. Each number of the law in a
 * step or its formula must be in the value of a rule that the step cites. No step may cite a rule
 * of another plan. Texts are not checked.
 */
import { ruleById } from "../ledger/index.ts"
import type { ExplainResult, ExplanationStep } from "../schema/explanation.ts"

/** Steps whose value is a number of the law, not a computed one. */
const OF_THE_LAW = [
  "povertyMultiple",
  "paymentRate",
  "minimumPayment",
  "bandRate",
  "amortizationMonths",
  "lowerIncome",
  "lowerPercentage",
  "upperIncome",
  "upperPercentage",
  "term",
  "monthsLeft",
  "forgivenessMonths",
  "servicePayments"
]

/** Numbers of arithmetic, such as months per year and percent. */
const OF_ARITHMETIC = [0, 1, 2, 12, 100]

/** Rules of the plan STANDARD that other plans use too. */
const TABLES_OF_ALL = ["consolidation-standard-terms", "fixed-plan-prior-months"]
/**
 * Steps of a payment schedule. Under EXTENDED they may cite STANDARD's rule: its minimum payment
 * applies there too.
 */
const RAISED = ["raise", "scheduledPayment", "loanPayments"]

const numbersIn = (value: unknown): ReadonlyArray<number> => {
  if (typeof value === "number") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

const numbersOf = ({ rules }: ExplanationStep): ReadonlyArray<number> =>
  rules.flatMap((id) => numbersIn(ruleById(id).value))

/** The numbers in a formula, such as "1,000" and "5%". */
const written = (formula: string): ReadonlyArray<number> =>
  [...formula.matchAll(/(\d[\d,]*(?:\.\d+)?)(%?)/g)].map(
    ([, digits, percent]) => Number(digits!.replaceAll(",", "")) / (percent === "%" ? 100 : 1)
  )

const isComputed = ({ rules, term }: ExplanationStep, isBehind: boolean): boolean =>
  !OF_THE_LAW.includes(term) ||
  (rules.includes("save-terms") && ["paymentRate", "forgivenessMonths"].includes(term)) ||
  (term === "monthsLeft" && (isBehind || rules.includes("pause-interest")))

/** Stands for the plans of what is paid beyond the payments due, which goes to loans of any of them. */
const ANY_PLAN = "extra"

/** A couple's share is a rule of all plans by income but INCOME CONTINGENT. */
const isOfAnother = (id: string, { term }: ExplanationStep, planType: string): boolean => {
  const { plan } = ruleById(id)
  if (planType === ANY_PLAN) return false
  if (id === "idr-joint-proration") return planType === "INCOME CONTINGENT"
  if (["ALL", "PSLF", planType].includes(plan) || TABLES_OF_ALL.includes(id)) return false
  return !(id === "standard-plan-terms" && RAISED.includes(term))
}

const problemsOfStep = (step: ExplanationStep, planType: string, isBehind: boolean): ReadonlyArray<string> => {
  const { formula, rules, term, value } = step
  const known = numbersOf(step)
  const has = (number: number) => known.some((one) => Math.abs(one - number) < 1e-9)
  const shown = isComputed(step, isBehind) ? [] : [value]
  const missing = [...shown, ...written(formula).filter((number) => !OF_ARITHMETIC.includes(number))].filter(
    (number) => !has(number)
  )
  return [
    ...(rules.length === 0 ? [`${planType}: ${term} cites nothing`] : []),
    ...missing.map((number) => `${planType}: ${term} shows ${number}, which no value of ${rules.join(", ")} has`),
    ...rules.filter((id) => isOfAnother(id, step, planType)).map((id) => `${planType}: ${term} cites ${id}`)
  ]
}

/** The first five problems with an explanation's citations; none if all are right. */
export const citationProblemsOf = ({ parts }: Pick<ExplainResult, "parts">): ReadonlyArray<string> =>
  parts
    .flatMap(({ group, planType, steps }) => {
      const behind = new Set(steps.filter(({ term }) => term === "monthsBehind").map(({ loan }) => loan))
      return steps.flatMap((step) =>
        problemsOfStep(step, group === "extra" || group === "lump" ? ANY_PLAN : planType, behind.has(step.loan))
      )
    })
    .slice(0, 5)
