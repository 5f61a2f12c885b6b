/** The ids of the ledger entries that an answer uses, and of the omissions that bear on it. */
import { allOf, type Circumstances, holdsAll, only } from "../../../ledger/circumstances.ts"
import type { Rule } from "../../../ledger/entry.ts"
import { bears, omissions } from "../../../ledger/omissions.ts"
import { federalStandardDeduction } from "../../../ledger/rules/federal-tax.ts"
import {
  consolidationStandardTerms,
  directPlusConsolidationTerms,
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
import { ffelDirectPart } from "../../../ledger/rules/household.ts"
import { idrSunsetDefault } from "../../../ledger/rules/income-based.ts"
import { interestAccrual, paymentApplicationOrder } from "../../../ledger/rules/interest.ts"
import { consolidationLoanTypes, loanPrograms, loanTypeFamilies } from "../../../ledger/rules/loan-types.ts"
import { loansOutsideThePlan, planEligibilityMatrix } from "../../../ledger/rules/plan-eligibility.ts"
import { pslfQualifyingPlans, pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import { type HouseholdScenario, isWithFfel } from "../law/household.ts"
import type { Citation, Law } from "../law/law.ts"
import { PASSED_TO, successorsOf } from "../plans/ending.ts"
import type { IncomeDrivenPlan, Plan } from "../plans/plan.ts"
import { FEDERAL_BRACKETS } from "../tax/federal.ts"
import { isTaxingState, STATE_TAXES } from "../tax/state.ts"

const EVERY_ANSWER: Citation = { rules: [loanTypeFamilies, planEligibilityMatrix] }

const LOAN_CITATIONS: ReadonlyArray<Citation> = [
  { rules: [interestAccrual, paymentApplicationOrder], when: only.loans },
  { rules: [fixedPlanPriorMonths], when: only.shortened },
  { rules: [consolidationStandardTerms, consolidationLoanTypes], when: only.consolidationTable },
  { rules: [directPlusConsolidationTerms], when: only.directPlusConsolidation },
  { rules: [loansOutsideThePlan, standardPlanTerms], when: only.loansOutsidePlan }
]

const FFEL_CITATION: Citation = { rules: [ffelDirectPart], when: only.ffelOutsidePlan }

const PSLF_CITATION: Citation = { rules: [pslfTerms, pslfQualifyingPlans, loanPrograms], when: only.pslfReaches }

/**
 * Citations of the successors of a plan that ends. Each applies only when a loan moves to that
 * successor.
 */
const successorCitations = (law: Law, plan: IncomeDrivenPlan): ReadonlyArray<Citation> => {
  const ofSuccessor = (successor: IncomeDrivenPlan, rank: number): ReadonlyArray<Citation> =>
    [{ rules: successor.terms }, ...successor.citesForHousehold, ...successor.citesForLoans].map(
      ({ rules, when = 0 }) => ({ rules, when: when | PASSED_TO[rank]! })
    )
  return [{ rules: [idrSunsetDefault], when: only.passedOver }, ...successorsOf(law, plan).flatMap(ofSuccessor)]
}

/** Everything that an answer under a plan may cite, except the tax tables. */
const underPlan = (law: Law, plan: Plan): ReadonlyArray<Citation> => [
  EVERY_ANSWER,
  { rules: plan.terms },
  ...(plan.kind === "income-driven" ? plan.citesForHousehold : []),
  ...(isWithFfel(law, plan.planType) ? [FFEL_CITATION] : []),
  ...LOAN_CITATIONS,
  ...plan.citesForLoans,
  ...(plan.kind === "income-driven" ? successorCitations(law, plan) : []),
  PSLF_CITATION
]

const taxTables = ({ filingStatus, state }: HouseholdScenario): ReadonlyArray<Rule> => {
  const federal = [
    forgivenessTaxabilityFederal,
    forgivenessTaxMethod,
    FEDERAL_BRACKETS[filingStatus],
    federalStandardDeduction
  ]
  if (!isTaxingState(state)) return federal
  const { countsPersons, schedule, treatment } = STATE_TAXES[state]
  const ofState = [stateTaxOnForgivenessStates, schedule, treatment]
  return [...federal, ...ofState, ...(countsPersons ? [stateExemptionPersons] : [])]
}

/** Everything that an answer may cite. */
const citable = (law: Law, plan: Plan, scenario: HouseholdScenario): ReadonlyArray<Citation> => [
  ...underPlan(law, plan),
  { rules: taxTables(scenario), when: only.taxed },
  { rules: [irc108F1WorkBased], when: only.pslfForgiven }
]

/** Distinct ids of the ledger entries that an answer uses. */
export const citationsOf = (law: Law, plan: Plan, scenario: HouseholdScenario, circumstances: Circumstances) => {
  const cited = law.cite(citable(law, plan, scenario))
  return [...new Set(cited.filter(({ when }) => holdsAll(circumstances, when)).flatMap(({ ids }) => ids))]
}

const successorsTo = (law: Law, plan: Plan): ReadonlyArray<Plan> =>
  plan.kind === "income-driven" ? successorsOf(law, plan) : []

/** Ids of the omissions that bear on an answer, under its plan and its successors. */
export const omissionsThatBear = (law: Law, plan: Plan, scenario: HouseholdScenario, circumstances: Circumstances) => {
  const repaying = [plan, ...successorsTo(law, plan).filter((_, rank) => holdsAll(circumstances, PASSED_TO[rank]!))]
  const planTypes = repaying.map(({ planType }) => planType)
  return omissions.filter((omission) => bears(omission, planTypes, scenario, circumstances)).map(({ id }) => id)
}

const EVERY_CIRCUMSTANCE: Circumstances = ~0

/** The circumstances that can change the basis of an answer. */
export const circumstancesThatMatter = (law: Law, plan: Plan, scenario: HouseholdScenario): Circumstances => {
  const successors = successorsTo(law, plan)
  const planTypes = [plan, ...successors].map(({ planType }) => planType)
  const bearing = omissions.filter((omission) => bears(omission, planTypes, scenario, EVERY_CIRCUMSTANCE))
  return [
    ...citable(law, plan, scenario).map(({ when = 0 }) => when),
    ...bearing.map(({ bearsOn }) => allOf(bearsOn.when ?? [])),
    ...successors.map((_, rank) => PASSED_TO[rank]!)
  ].reduce((asked, when) => asked | when, 0)
}

const NAMED_STATES: ReadonlySet<string> = new Set([
  ...Object.keys(STATE_TAXES),
  ...omissions.flatMap(({ bearsOn }) => [...(bearsOn.states ?? []), ...(bearsOn.statesExcept ?? [])])
])

/** The state if any rule or omission names it, else null: all other states share one basis. */
export const namedState = ({ state }: HouseholdScenario): string | null =>
  state !== null && NAMED_STATES.has(state) ? state : null
