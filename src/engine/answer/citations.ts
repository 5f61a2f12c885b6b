/**
 * The rules that an answer rests on: which entries of the ledger it used, and which omissions bear on it. Ids only; the
 * ledger holds the texts.
 */
import type { Circumstances } from "../../../ledger/entry.ts"
import { bears, type OmissionEntry, omissionsOfPlan } from "../../../ledger/index.ts"
import { federalStandardDeduction } from "../../../ledger/rules/federal-tax.ts"
import {
  consolidationStandardTerms,
  fixedPlanPriorMonths,
  standardPlanTerms
} from "../../../ledger/rules/fixed-plans.ts"
import {
  forgivenessTaxabilityFederal,
  forgivenessTaxMethod,
  irc108F1WorkBased,
  stateExemptionPersons,
  stateTaxOnForgivenessStates
} from "../../../ledger/rules/forgiveness-tax.ts"
import { interestAccrual, paymentApplicationOrder } from "../../../ledger/rules/interest.ts"
import { consolidationLoanTypes, loanPrograms, loanTypeFamilies } from "../../../ledger/rules/loan-types.ts"
import { loansOutsideThePlan, planEligibilityMatrix } from "../../../ledger/rules/plan-eligibility.ts"
import { pslfQualifyingPlans, pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { HouseholdScenario } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import type { Citation, EnginePlan, Plan } from "../plans/plan.ts"
import { CALCULATOR_PLANS } from "../plans/registry.ts"
import { FEDERAL_BRACKETS } from "../tax/federal.ts"
import { isTaxingState, STATE_TAXES, type TaxingState } from "../tax/state.ts"

export interface Basis {
  /** Ids of the ledger constants used. */
  readonly citations: ReadonlyArray<string>
  /** Ids of the ledger omissions that bear on the answer. */
  readonly omissions: ReadonlyArray<string>
}

const EVERY_ANSWER: Citation = { rules: [loanTypeFamilies, planEligibilityMatrix] }

const OF_THE_BOOK: ReadonlyArray<Citation> = [
  { rules: [interestAccrual, paymentApplicationOrder], when: "loans" },
  { rules: [fixedPlanPriorMonths], when: "shortened" },
  { rules: [consolidationStandardTerms, consolidationLoanTypes], when: "consolidationTable" },
  { rules: [loansOutsideThePlan, standardPlanTerms], when: "loansOutsidePlan" }
]

const OF_PUBLIC_SERVICE: Citation = { rules: [pslfTerms, pslfQualifyingPlans, loanPrograms], when: "pslfReaches" }

/** Everything that answers under a plan may cite but the tax tables. */
const underPlan = (plan: Plan): ReadonlyArray<Citation> => [
  EVERY_ANSWER,
  { rules: plan.terms },
  ...(plan.kind === "income-driven" ? plan.citesForHousehold : []),
  ...OF_THE_BOOK,
  ...(plan.citesForLoans ?? []),
  OF_PUBLIC_SERVICE,
  { rules: [forgivenessTaxabilityFederal, forgivenessTaxMethod], when: "taxed" }
]

const UNDER_PLAN = new Map<EnginePlan, ReadonlyArray<Citation>>(
  CALCULATOR_PLANS.map((plan) => [plan.planType, underPlan(plan)])
)

const federalTables = (status: FilingStatus): ReadonlyArray<Citation> => [
  { rules: [FEDERAL_BRACKETS[status], federalStandardDeduction], when: "taxed" }
]

const FEDERAL_TABLES: Readonly<Record<FilingStatus, ReadonlyArray<Citation>>> = {
  Single: federalTables("Single"),
  MarriedFilingJointly: federalTables("MarriedFilingJointly"),
  MarriedFilingSeparately: federalTables("MarriedFilingSeparately"),
  HeadOfHousehold: federalTables("HeadOfHousehold")
}

const stateTables = (state: TaxingState): ReadonlyArray<Citation> => {
  const { countsPersons, schedule, treatment } = STATE_TAXES[state]
  return [
    {
      rules: [stateTaxOnForgivenessStates, schedule, treatment, ...(countsPersons ? [stateExemptionPersons] : [])],
      when: "taxed"
    }
  ]
}

const STATE_TABLES: Readonly<Record<TaxingState, ReadonlyArray<Citation>>> = {
  AR: stateTables("AR"),
  IN: stateTables("IN"),
  MS: stateTables("MS"),
  NC: stateTables("NC"),
  WI: stateTables("WI")
}

const OF_FORGIVENESS: ReadonlyArray<Citation> = [{ rules: [irc108F1WorkBased], when: "pslfForgiven" }]

/** Adds the ids that hold in the circumstances, each once. */
const addCited = (
  ids: Array<string>,
  law: Law,
  citations: ReadonlyArray<Citation>,
  circumstances: Circumstances
): void => {
  for (const { ids: cited, when } of law.cite(citations)) {
    if (when !== undefined && !circumstances[when]) continue
    for (const id of cited) if (!ids.includes(id)) ids.push(id)
  }
}

const citationsOf = (
  law: Law,
  { filingStatus, planType, state }: HouseholdScenario,
  circumstances: Circumstances
): ReadonlyArray<string> => {
  const ids: Array<string> = []
  addCited(ids, law, UNDER_PLAN.get(planType)!, circumstances)
  if (circumstances.taxed) {
    addCited(ids, law, FEDERAL_TABLES[filingStatus], circumstances)
    if (isTaxingState(state)) addCited(ids, law, STATE_TABLES[state], circumstances)
  }
  addCited(ids, law, OF_FORGIVENESS, circumstances)
  return ids
}

const OMISSIONS = new Map<EnginePlan, ReadonlyArray<OmissionEntry>>(
  CALCULATOR_PLANS.map(({ planType }) => [planType, omissionsOfPlan(planType)])
)

const omissionsThatBear = (scenario: HouseholdScenario, circumstances: Circumstances): ReadonlyArray<string> => {
  const ids: Array<string> = []
  for (const omission of OMISSIONS.get(scenario.planType)!) {
    if (bears(omission, scenario, circumstances)) ids.push(omission.id)
  }
  return ids
}

/** Rules used and omissions that bear on an answer. */
export const basisOf = (law: Law, scenario: HouseholdScenario, circumstances: Circumstances): Basis => ({
  citations: citationsOf(law, scenario, circumstances),
  omissions: omissionsThatBear(scenario, circumstances)
})
