/**
 * The rules that an answer rests on: which constants it used, and which rules it knowingly left out. Ids only; the
 * ledger holds the texts.
 */
import { bears, type Facts, omissions } from "../../ledger/omissions.ts"
import type { Book, Books } from "./book.ts"
import { type EnginePlan, type HouseholdScenario, isJoint } from "./household.ts"
import type { Law } from "./law.ts"
import { isTaxingState } from "./tax/state.ts"

export interface Basis {
  /** Ids of the ledger constants used. */
  readonly citations: ReadonlyArray<string>
  /** Ids of the ledger omissions that bear on the answer. */
  readonly omissions: ReadonlyArray<string>
}

const STANDARD = ["standard-plan-terms"]
const SMALL_PAYMENT = ["idr-small-payment-rule"]
const CAPPED = [...SMALL_PAYMENT, "ten-year-cap-floor", ...STANDARD]

/** Constants that every answer of the plan uses. */
const PLAN_RULES: Readonly<Record<EnginePlan, ReadonlyArray<string>>> = {
  STANDARD,
  "TIERED STANDARD": ["tiered-standard-plan-terms", ...STANDARD],
  EXTENDED: ["extended-plan-terms", ...STANDARD],
  GRADUATED: ["graduated-plan-terms", "graduated-schedule"],
  "INCOME BASED": ["ibr-new-terms", ...CAPPED],
  "INCOME BASED (OLD)": ["ibr-old-terms", ...CAPPED],
  "INCOME CONTINGENT": ["icr-terms", "icr-minimum-payment"],
  "PAY AS YOU EARN": ["paye-terms", ...CAPPED],
  "REVISED PAY AS YOU EARN": ["repaye-terms", "repaye-interest-subsidy", ...SMALL_PAYMENT],
  SAVE: ["save-terms", "save-early-forgiveness", ...SMALL_PAYMENT],
  "REPAYMENT ASSISTANCE": [
    "rap-base-payment-bands",
    "rap-minimum-payment",
    "rap-payment-cap",
    "rap-forgiveness-term",
    "rap-interest-waiver",
    "rap-principal-match"
  ]
}

const FIXED: ReadonlySet<EnginePlan> = new Set(["STANDARD", "TIERED STANDARD", "EXTENDED", "GRADUATED"])
/** Plans that waive subsidised interest for the first months. */
const SUBSIDISING: ReadonlySet<EnginePlan> = new Set(["INCOME BASED", "INCOME BASED (OLD)", "PAY AS YOU EARN"])

const some = (book: Book, holds: (slot: number) => boolean): boolean => {
  for (let slot = 0; slot < book.size; slot++) if (holds(slot)) return true
  return false
}

const incomeRules = (law: Law, scenario: HouseholdScenario): ReadonlyArray<string> => {
  const rules = ["idr-income-base"]
  if (scenario.planType === "REPAYMENT ASSISTANCE") {
    if (scenario.dependents > 0) rules.push("rap-dependent-reduction")
  } else {
    rules.push("idr-family-size", law.ids.guideline, "poverty-guideline-region-rule")
    if (scenario.planType === "INCOME CONTINGENT") rules.push(law.ids.icrFactors)
  }
  return rules
}

const prorationRules = (scenario: HouseholdScenario): ReadonlyArray<string> => {
  if (!isJoint(scenario.filingStatus) || (scenario.spouseFederalLoanBalance ?? 0) === 0) return []
  return [scenario.planType === "REPAYMENT ASSISTANCE" ? "rap-joint-proration" : "idr-joint-proration"]
}

const bookRules = (scenario: HouseholdScenario, { beside, own }: Books): ReadonlyArray<string> => {
  const rules: Array<string> = []
  const onStandardTerm = scenario.planType === "STANDARD" || scenario.planType === "GRADUATED"
  const isConsolidation = (book: Book) => (slot: number) => book.traits[slot]!.consolidation
  if ((onStandardTerm && some(own, isConsolidation(own))) || some(beside, isConsolidation(beside))) {
    rules.push("consolidation-standard-terms")
  }
  if (beside.size > 0) rules.push("standard-plan-terms")
  if (SUBSIDISING.has(scenario.planType) && some(own, (slot) => own.traits[slot]!.subsidised)) {
    rules.push("idr-subsidised-interest-months", "subsidised-loan-types")
  }
  const weighsGraduate = scenario.planType === "SAVE" || scenario.planType === "REVISED PAY AS YOU EARN"
  if (weighsGraduate) rules.push("graduate-loan-types")
  if (scenario.workingTowardsPslf && qualifies(scenario, own, beside)) rules.push("pslf-terms")
  return rules
}

/** Whether public-service forgiveness can reach a loan of the book. */
const qualifies = (scenario: HouseholdScenario, own: Book, beside: Book): boolean =>
  (!FIXED.has(scenario.planType) && some(own, (slot) => own.traits[slot]!.direct)) ||
  some(beside, (slot) => beside.traits[slot]!.direct)

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
  }
  return rules
}

const factsOf = (scenario: HouseholdScenario, { beside, own }: Books, taxed: boolean): Facts => ({
  planType: scenario.planType,
  state: scenario.state,
  filingStatus: scenario.filingStatus,
  taxed,
  pslf: scenario.workingTowardsPslf,
  mixed: beside.size > 0,
  growth: scenario.annualIncomeGrowth > 0,
  consolidation: some(own, (slot) => own.traits[slot]!.consolidation),
  graduateUnsubsidised: some(own, (slot) => own.traits[slot]!.mayBeGraduate)
})

/** Constants used and omissions that bear, for the books of one projection. */
export const basisOf = (
  law: Law,
  scenario: HouseholdScenario,
  books: Books,
  forgivenessType: "Pslf" | "TimeBased" | "None",
  taxed: boolean
): Basis => {
  const citations = new Set<string>(["loan-type-families", "plan-eligibility-matrix", ...PLAN_RULES[scenario.planType]])
  if (!FIXED.has(scenario.planType)) for (const id of incomeRules(law, scenario)) citations.add(id)
  for (const id of prorationRules(scenario)) citations.add(id)
  for (const id of bookRules(scenario, books)) citations.add(id)
  if (taxed) for (const id of taxRules(law, scenario)) citations.add(id)
  if (forgivenessType === "Pslf") citations.add("irc-108-f-1-work-based")
  const facts = factsOf(scenario, books, taxed)
  return {
    citations: [...citations],
    omissions: omissions.filter((omission) => bears(omission, facts)).map(({ id }) => id)
  }
}
