/**
 * The rules that an answer rests on: which constants it used, and which rules it knowingly left out. Ids only; the
 * ledger holds the texts. Both follow from a few facts, so facts seen before get the lists that were made for them.
 */
import { bears, omissions } from "../../../ledger/omissions.ts"
import { ByGrounds, type Grounds } from "../grounds.ts"
import type { EnginePlan } from "../law/household.ts"
import { isTaxingState } from "../tax/state.ts"
import { isFixed } from "./circumstances.ts"

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

/** What waives subsidized interest for the first months, on the plans that do. */
const SUBSIDY: Readonly<Partial<Record<EnginePlan, ReadonlyArray<string>>>> = {
  "INCOME BASED": ["idr-subsidized-interest-months", "subsidized-loan-types"],
  "INCOME BASED (OLD)": ["idr-subsidized-interest-months", "subsidized-loan-types"],
  "PAY AS YOU EARN": ["idr-subsidized-interest-months", "subsidized-loan-types"],
  "REVISED PAY AS YOU EARN": ["subsidized-loan-types"]
}

/** Of an income-driven plan: whose income, which family, counted and shared how. */
const incomeRules = (grounds: Grounds): ReadonlyArray<string> => {
  const { law, planType } = grounds
  if (isFixed(planType)) return []
  const rules = ["idr-income-base", "idr-annual-recalculation", "idr-forgiveness-count"]
  if (planType === "REPAYMENT ASSISTANCE") {
    if (grounds.hasDependents) rules.push("rap-dependent-reduction")
    if (grounds.facts.prorated) rules.push("rap-joint-proration")
    if (grounds.hasParentPlusBeside) rules.push("rap-loan-exclusions")
    return rules
  }
  rules.push("idr-family-size", law.ids.guideline, "poverty-guideline-region-rule")
  if (planType === "INCOME CONTINGENT") rules.push(law.ids.icrFactors)
  if (grounds.facts.prorated) rules.push("idr-joint-proration")
  if (grounds.hasSeveralLoans) rules.push("idr-payment-allocation")
  return rules
}

const bookRules = (grounds: Grounds): ReadonlyArray<string> => {
  const { planType } = grounds
  const rules: Array<string> = []
  if (grounds.hasLoans) rules.push("interest-accrual", "payment-application-order")
  if (grounds.isShortened) rules.push("fixed-plan-prior-months")
  if (grounds.usesConsolidationTable) rules.push("consolidation-standard-terms", "consolidation-loan-types")
  if (grounds.facts.mixed) rules.push("loans-outside-the-plan", ...STANDARD)
  if (grounds.hasSubsidizedLoan) rules.push(...(SUBSIDY[planType] ?? []))
  if (planType === "SAVE" || planType === "REVISED PAY AS YOU EARN") rules.push("graduate-loan-types")
  if (grounds.pslfReaches) rules.push("pslf-terms", "pslf-qualifying-plans", "loan-programs")
  return rules
}

/** States that deduct an exemption for each person. */
const COUNTING_PERSONS: ReadonlySet<string> = new Set(["IN", "WI"])

const taxRules = ({ facts, filingStatus, law, state }: Grounds): ReadonlyArray<string> => {
  if (!facts.taxed) return []
  const rules = [
    "forgiveness-taxability-federal",
    "forgiveness-tax-method",
    law.ids.federalBrackets[filingStatus],
    law.ids.standardDeduction
  ]
  if (isTaxingState(state)) {
    rules.push("state-tax-on-forgiveness-states", law.ids.stateTax[state], law.ids.stateTreatment[state])
    if (COUNTING_PERSONS.has(state)) rules.push("state-exemption-persons")
  }
  return rules
}

const citationsOf = (grounds: Grounds): ReadonlyArray<string> => {
  const ids = new Set([
    "loan-type-families",
    "plan-eligibility-matrix",
    ...PLAN_RULES[grounds.planType],
    ...incomeRules(grounds),
    ...bookRules(grounds),
    ...taxRules(grounds)
  ])
  if (grounds.facts.pslfForgiven) ids.add("irc-108-f-1-work-based")
  return Object.freeze([...ids])
}

const omissionsThatBear = (grounds: Grounds): ReadonlyArray<string> =>
  Object.freeze(omissions.filter((omission) => bears(omission, grounds.facts)).map(({ id }) => id))

const bases = new ByGrounds<Basis>()

/** Constants used and omissions that bear on an answer. */
export const basisOf = (grounds: Grounds): Basis => {
  const known = bases.find(grounds)
  if (known !== undefined) return known
  const basis = { citations: citationsOf(grounds), omissions: omissionsThatBear(grounds) }
  bases.keep(grounds, basis)
  return basis
}
