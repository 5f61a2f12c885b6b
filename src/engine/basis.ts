/**
 * The rules that an answer rests on: which constants it used, and which rules it knowingly left out. Ids only; the
 * ledger holds the texts.
 */
import type { OmissionEntry } from "../../ledger/entry.ts"
import { bears, type Facts, omissions } from "../../ledger/omissions.ts"
import type { Books } from "./book.ts"
import {
  countsOnStandard,
  type Forgiven,
  factsOf,
  isFixed,
  isProrated,
  onConsolidationTable,
  some,
  totalDebtOf
} from "./facts.ts"
import type { EnginePlan, HouseholdScenario } from "./household.ts"
import type { Law } from "./law.ts"
import { standardPrior, standardTerm } from "./plans/standard.ts"
import { isTaxingState } from "./tax/state.ts"

export interface Basis {
  /** Ids of the ledger constants used. */
  readonly citations: ReadonlyArray<string>
  /** Ids of the ledger omissions that bear on the answer. */
  readonly omissions: ReadonlyArray<string>
}

const STANDARD = ["standard-plan-terms"]
const SMALL_PAYMENT = ["idr-small-payment-rule"]
const CAPPED = [...SMALL_PAYMENT, "ten-year-cap-basis", "ten-year-cap-floor", ...STANDARD]

/** Constants that every answer of the plan uses. */
const PLAN_RULES: Readonly<Record<EnginePlan, ReadonlyArray<string>>> = {
  STANDARD,
  "TIERED STANDARD": ["tiered-standard-plan-terms", ...STANDARD],
  EXTENDED: ["extended-plan-terms", ...STANDARD],
  GRADUATED: ["graduated-plan-terms", "graduated-schedule"],
  "INCOME BASED": ["ibr-new-terms", ...CAPPED],
  "INCOME BASED (OLD)": ["ibr-old-terms", ...CAPPED],
  "INCOME CONTINGENT": ["icr-terms", "icr-factor-lookup", "icr-minimum-payment"],
  "PAY AS YOU EARN": ["paye-terms", ...CAPPED],
  "REVISED PAY AS YOU EARN": ["repaye-terms", "repaye-interest-subsidy", "save-vacatur", ...SMALL_PAYMENT],
  SAVE: ["save-terms", "save-early-forgiveness", "save-vacatur", ...SMALL_PAYMENT],
  "REPAYMENT ASSISTANCE": [
    "rap-base-payment-bands",
    "rap-minimum-payment",
    "rap-payment-cap",
    "rap-forgiveness-term",
    "rap-interest-waiver",
    "rap-payment-application",
    "rap-principal-match"
  ]
}

/** What waives subsidised interest for the first months, on the plans that do. */
const SUBSIDY: Readonly<Partial<Record<EnginePlan, ReadonlyArray<string>>>> = {
  "INCOME BASED": ["idr-subsidised-interest-months", "subsidised-loan-types"],
  "INCOME BASED (OLD)": ["idr-subsidised-interest-months", "subsidised-loan-types"],
  "PAY AS YOU EARN": ["idr-subsidised-interest-months", "subsidised-loan-types"],
  "REVISED PAY AS YOU EARN": ["subsidised-loan-types"]
}

/** Of an income-driven plan: whose income, which family, counted and shared how. */
const incomeRules = (law: Law, scenario: HouseholdScenario, { beside, own }: Books): ReadonlyArray<string> => {
  const rules = ["idr-income-base", "idr-annual-recalculation", "idr-forgiveness-count"]
  if (scenario.planType === "REPAYMENT ASSISTANCE") {
    if (scenario.dependents > 0) rules.push("rap-dependent-reduction")
    if (isProrated(scenario)) rules.push("rap-joint-proration")
    if (some(beside, ({ parentPlus }) => parentPlus)) rules.push("rap-loan-exclusions")
    return rules
  }
  rules.push("idr-family-size", law.ids.guideline, "poverty-guideline-region-rule")
  if (scenario.planType === "INCOME CONTINGENT") rules.push(law.ids.icrFactors)
  if (isProrated(scenario)) rules.push("idr-joint-proration")
  if (own.size > 1) rules.push("idr-payment-allocation")
  return rules
}

/** Whether months already counted shorten the term of a fixed plan. */
const isShortened = (law: Law, planType: EnginePlan, books: Books): boolean => {
  const { own } = books
  return some(own, (traits, slot) =>
    planType === "STANDARD"
      ? standardPrior(law, own, slot, standardTerm(law, traits, totalDebtOf(books))) > 0
      : own.priorIdrMonths[slot]! > 0
  )
}

const bookRules = (law: Law, scenario: HouseholdScenario, books: Books): ReadonlyArray<string> => {
  const { beside, own } = books
  const { planType } = scenario
  const rules: Array<string> = []
  if (own.size + beside.size > 0) rules.push("interest-accrual", "payment-application-order")
  if (isFixed(planType) && isShortened(law, planType, books)) rules.push("fixed-plan-prior-months")
  if (onConsolidationTable(planType, books).length > 0) {
    rules.push("consolidation-standard-terms", "consolidation-loan-types")
  }
  if (beside.size > 0) rules.push("loans-outside-the-plan", ...STANDARD)
  if (some(own, ({ subsidised }) => subsidised)) rules.push(...(SUBSIDY[planType] ?? []))
  if (planType === "SAVE" || planType === "REVISED PAY AS YOU EARN") rules.push("graduate-loan-types")
  if (scenario.workingTowardsPslf && qualifies(law, planType, books)) {
    rules.push("pslf-terms", "pslf-qualifying-plans", "loan-programmes")
  }
  return rules
}

/** Whether public-service forgiveness can reach a loan of the books. */
const qualifies = (law: Law, planType: EnginePlan, books: Books): boolean => {
  const totalDebt = totalDebtOf(books)
  return (
    (!isFixed(planType) && some(books.own, ({ direct }) => direct)) ||
    some(books.beside, (traits) => countsOnStandard(law, traits, totalDebt))
  )
}

/** States that deduct an exemption for each person. */
const COUNTING_PERSONS: ReadonlySet<string> = new Set(["IN", "WI"])

const taxRules = (law: Law, scenario: HouseholdScenario): ReadonlyArray<string> => {
  const rules = [
    "forgiveness-taxability-federal",
    "forgiveness-tax-method",
    law.ids.federalBrackets[scenario.filingStatus],
    law.ids.standardDeduction
  ]
  if (isTaxingState(scenario.state)) {
    rules.push(
      "state-tax-on-forgiveness-states",
      law.ids.stateTax[scenario.state],
      law.ids.stateTreatment[scenario.state]
    )
    if (COUNTING_PERSONS.has(scenario.state)) rules.push("state-exemption-persons")
  }
  return rules
}

/** The omissions that can bear on an answer of the plan, in the order of the ledger. */
const OMISSIONS_OF_PLAN: ReadonlyMap<string, ReadonlyArray<OmissionEntry>> = new Map(
  Object.keys(PLAN_RULES).map((plan) => [
    plan,
    omissions.filter(({ bearsOn }) => bearsOn.plans === undefined || bearsOn.plans.includes(plan))
  ])
)

const omissionsThatBear = (facts: Facts): ReadonlyArray<string> => {
  const ids: Array<string> = []
  for (const omission of OMISSIONS_OF_PLAN.get(facts.planType)!) if (bears(omission, facts)) ids.push(omission.id)
  return ids
}

/** Constants used and omissions that bear, for the books of one projection. */
export const basisOf = (law: Law, scenario: HouseholdScenario, books: Books, forgiven: Forgiven): Basis => {
  const { planType } = scenario
  const citations = new Set<string>(["loan-type-families", "plan-eligibility-matrix", ...PLAN_RULES[planType]])
  if (!isFixed(planType)) for (const id of incomeRules(law, scenario, books)) citations.add(id)
  for (const id of bookRules(law, scenario, books)) citations.add(id)
  if (forgiven.timeBased) for (const id of taxRules(law, scenario)) citations.add(id)
  if (forgiven.pslf) citations.add("irc-108-f-1-work-based")
  return { citations: [...citations], omissions: omissionsThatBear(factsOf(law, scenario, books, forgiven)) }
}
