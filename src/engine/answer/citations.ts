/**
 * The rules that an answer rests on: which entries of the ledger it used, and which omissions bear on it. Ids only; the
 * ledger holds the texts.
 */
import { type Circumstances, holdsAll, only } from "../../../ledger/circumstances.ts"
import { type Bearing, bears, omissionsOfPlan } from "../../../ledger/omissions.ts"
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
  ...plan.citesForLoans,
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

/** Adds the ids that hold in the circumstances. */
const addCited = (
  ids: Array<string>,
  law: Law,
  citations: ReadonlyArray<Citation>,
  circumstances: Circumstances
): void => {
  for (const { ids: cited, when } of law.cite(citations)) {
    if (!holdsAll(circumstances, when)) continue
    for (const id of cited) ids.push(id)
  }
}

const citationsOf = (
  law: Law,
  { filingStatus, planType, state }: HouseholdScenario,
  circumstances: Circumstances
): ReadonlyArray<string> => {
  const ids: Array<string> = []
  addCited(ids, law, UNDER_PLAN.get(planType)!, circumstances)
  if (holdsAll(circumstances, only.taxed)) {
    addCited(ids, law, FEDERAL_TABLES[filingStatus], circumstances)
    if (isTaxingState(state)) addCited(ids, law, STATE_TABLES[state], circumstances)
  }
  addCited(ids, law, OF_FORGIVENESS, circumstances)
  return ids
}

const OMISSIONS = new Map<EnginePlan, ReadonlyArray<Bearing>>(
  CALCULATOR_PLANS.map(({ planType }) => [planType, omissionsOfPlan(planType)])
)

const omissionsThatBear = (scenario: HouseholdScenario, circumstances: Circumstances): ReadonlyArray<string> => {
  const ids: Array<string> = []
  for (const omission of OMISSIONS.get(scenario.planType)!) {
    if (bears(omission, scenario, circumstances)) ids.push(omission.id)
  }
  return ids
}

/** Bases by circumstances, for one law, plan, filing status and state. */
type Kept = Map<Circumstances, Basis>

/** More than occur: only a few of the circumstances can hold under a plan, and no answer brings others together. */
const MOST_KEPT = 4096

const keptByQuestion = new WeakMap<Law, Map<EnginePlan, Map<FilingStatus, Map<string | null, Kept>>>>()

const branch = <K, V>(tree: Map<K, V>, key: K, make: () => V): V => {
  const found = tree.get(key) ?? make()
  tree.set(key, found)
  return found
}

const keptFor = (law: Law, { filingStatus, planType, state }: HouseholdScenario): Kept => {
  const kept = keptByQuestion.get(law)?.get(planType)?.get(filingStatus)?.get(state)
  if (kept !== undefined) return kept
  const byPlan = keptByQuestion.get(law) ?? new Map()
  keptByQuestion.set(law, byPlan)
  return branch(
    branch(
      branch(byPlan, planType, () => new Map()),
      filingStatus,
      () => new Map()
    ),
    state,
    () => new Map()
  )
}

/**
 * Rules used and omissions that bear on an answer. What was listed once is kept: listing costs a sixth of a projection of
 * one loan, and the same few lists are asked for again and again.
 */
export const basisOf = (law: Law, scenario: HouseholdScenario, circumstances: Circumstances): Basis => {
  const kept = keptFor(law, scenario)
  const known = kept.get(circumstances)
  if (known !== undefined) return known
  const basis = {
    citations: Object.freeze(citationsOf(law, scenario, circumstances)),
    omissions: Object.freeze(omissionsThatBear(scenario, circumstances))
  }
  if (kept.size < MOST_KEPT) kept.set(circumstances, basis)
  return basis
}
