/**
 * The plans that a rule or an omission is about. For a rule these are the plans that cite it and
 * those that it names.
 */
import type { OmissionEntry, Rule } from "../../../ledger/entry.ts"
import { type Plan, WIRE_PLANS } from "../../engine/index.ts"

const ALL_PLANS: ReadonlyArray<string> = WIRE_PLANS.map(({ planType }) => planType)

/** The rules that answers cite because of this plan. */
const citedBy = (plan: Plan): ReadonlyArray<Rule> => [
  ...plan.terms,
  ...[...(plan.kind === "income-driven" ? plan.citesForHousehold : []), ...plan.citesForLoans].flatMap(
    ({ rules }) => rules
  )
]

const citing = WIRE_PLANS.map((plan) => ({ planType: plan.planType as string, rules: new Set(citedBy(plan)) }))

/** The plans that cite a rule or that it names. A rule without any belongs to all plans. */
export const plansOfRule = (rule: Rule): ReadonlyArray<string> => {
  const named = rule.entries.map(({ plan }) => plan)
  const found = citing.filter(({ planType, rules }) => rules.has(rule) || named.includes(planType))
  return found.length === 0 ? ALL_PLANS : found.map(({ planType }) => planType)
}

/**
 * The plans that an omission bears on. An omission without any belongs to all plans, because it is
 * about borrowing or Tiered Standard.
 */
export const plansOfOmission = ({ bearsOn }: OmissionEntry): ReadonlyArray<string> => {
  const found = ALL_PLANS.filter((plan) => bearsOn.plans?.includes(plan) ?? true)
  return found.length === 0 ? ALL_PLANS : found
}

const PROGRAMS: Readonly<Record<string, string>> = {
  PSLF: "Public Service Loan Forgiveness, under any plan",
  TEACHER: "Teacher Loan Forgiveness, under any plan"
}

/** The plans as text; `program` is the `plan` member of an entry, such as PSLF. */
export const plansText = (plans: ReadonlyArray<string>, program: string): string =>
  PROGRAMS[program] ?? (plans.length === ALL_PLANS.length ? "every plan" : plans.join(", "))
