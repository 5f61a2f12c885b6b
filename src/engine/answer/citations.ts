/**
 * The rules that an answer rests on: which entries of the ledger it used, and which omissions bear on it. Ids only; the
 * ledger holds the texts.
 */
import { type Circumstances, holdsAll, only } from "../../../ledger/circumstances.ts"
import type { Rule } from "../../../ledger/entry.ts"
import { bears, omissions } from "../../../ledger/omissions.ts"
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
import { idrSunsetDefault } from "../../../ledger/rules/income-based.ts"
import { interestAccrual, paymentApplicationOrder } from "../../../ledger/rules/interest.ts"
import { consolidationLoanTypes, loanPrograms, loanTypeFamilies } from "../../../ledger/rules/loan-types.ts"
import { loansOutsideThePlan, planEligibilityMatrix } from "../../../ledger/rules/plan-eligibility.ts"
import { pslfQualifyingPlans, pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { HouseholdScenario } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import { PASSED_TO, successorsOf } from "../plans/ending.ts"
import type { Citation, EnginePlan, IncomeDrivenPlan, Plan } from "../plans/plan.ts"
import { FEDERAL_BRACKETS } from "../tax/federal.ts"
import { isTaxingState, STATE_TAXES } from "../tax/state.ts"

export interface Basis {
  /** Ids of the ledger constants used. */
  readonly citations: ReadonlyArray<string>
  /** Ids of the ledger omissions that bear on the answer. */
  readonly omissions: ReadonlyArray<string>
}

const EVERY_ANSWER: Citation = { rules: [loanTypeFamilies, planEligibilityMatrix] }

const OF_THE_BOOK: ReadonlyArray<Citation> = [
  { rules: [interestAccrual, paymentApplicationOrder], when: only.loans },
  { rules: [fixedPlanPriorMonths], when: only.shortened },
  { rules: [consolidationStandardTerms, consolidationLoanTypes], when: only.consolidationTable },
  { rules: [loansOutsideThePlan, standardPlanTerms], when: only.loansOutsidePlan }
]

const OF_PUBLIC_SERVICE: Citation = { rules: [pslfTerms, pslfQualifyingPlans, loanPrograms], when: only.pslfReaches }

/** What the successors of an ending plan cite, each when a loan passes to it. */
const afterTheEnd = (law: Law, plan: IncomeDrivenPlan): ReadonlyArray<Citation> => {
  const ofSuccessor = (successor: IncomeDrivenPlan, rank: number): ReadonlyArray<Citation> =>
    [{ rules: successor.terms }, ...successor.citesForHousehold, ...successor.citesForLoans].map(
      ({ rules, when = 0 }) => ({ rules, when: when | PASSED_TO[rank]! })
    )
  return [{ rules: [idrSunsetDefault], when: only.passedOver }, ...successorsOf(law, plan).flatMap(ofSuccessor)]
}

/** Everything that answers under a plan may cite but the tax tables. */
const underPlan = (law: Law, plan: Plan): ReadonlyArray<Citation> => [
  EVERY_ANSWER,
  { rules: plan.terms },
  ...(plan.kind === "income-driven" ? plan.citesForHousehold : []),
  ...OF_THE_BOOK,
  ...plan.citesForLoans,
  ...(plan.kind === "income-driven" ? afterTheEnd(law, plan) : []),
  OF_PUBLIC_SERVICE
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

const citationsOf = (law: Law, plan: Plan, scenario: HouseholdScenario, circumstances: Circumstances) => {
  const cited = law.cite([
    ...underPlan(law, plan),
    { rules: taxTables(scenario), when: only.taxed },
    { rules: [irc108F1WorkBased], when: only.pslfForgiven }
  ])
  return [...new Set(cited.filter(({ when }) => holdsAll(circumstances, when)).flatMap(({ ids }) => ids))]
}

/** Of the plan, and of the successors that loans pass to. */
const omissionsThatBear = (law: Law, plan: Plan, scenario: HouseholdScenario, circumstances: Circumstances) => {
  const successors = plan.kind === "income-driven" ? successorsOf(law, plan) : []
  const repaying = [plan, ...successors.filter((_, rank) => holdsAll(circumstances, PASSED_TO[rank]!))]
  const planTypes = repaying.map(({ planType }) => planType)
  return omissions.filter((omission) => bears(omission, planTypes, scenario, circumstances)).map(({ id }) => id)
}

/** Most questions whose bases are kept for one law; when there are more, all are forgotten and listed again as they are asked for. */
const MOST_KEPT = 100_000

/** Bases by plan, state and filing status, then by circumstances. Numbers are looked up much faster than a joined text. */
class Kept {
  /** Bases that are alike are one: there are a few hundred of them. */
  private readonly distinct = new Map<string, Basis>()
  private readonly byQuestion = new Map<EnginePlan, Map<string | null, Map<FilingStatus, Map<Circumstances, Basis>>>>()
  private size = 0

  of({ filingStatus, planType, state }: HouseholdScenario): Map<Circumstances, Basis> | undefined {
    return this.byQuestion.get(planType)?.get(state)?.get(filingStatus)
  }

  /** The basis as it is kept. */
  keep(scenario: HouseholdScenario, circumstances: Circumstances, basis: Basis): Basis {
    if (this.size++ === MOST_KEPT) {
      this.byQuestion.clear()
      this.distinct.clear()
      this.size = 1
    }
    const one = this.only(basis)
    const byState = branch(this.byQuestion, scenario.planType)
    branch(branch(byState, scenario.state), scenario.filingStatus).set(circumstances, one)
    return one
  }

  private only(basis: Basis): Basis {
    const text = [...basis.citations, "", ...basis.omissions].join()
    const alike = this.distinct.get(text)
    if (alike !== undefined) return alike
    this.distinct.set(text, basis)
    return basis
  }
}

/** The map under a key, which is made when it is not there. */
const branch = <Key, K, V>(tree: Map<Key, Map<K, V>>, key: Key): Map<K, V> => {
  const found = tree.get(key) ?? new Map<K, V>()
  tree.set(key, found)
  return found
}

const keptByLaw = new WeakMap<Law, Kept>()

/**
 * Rules used and omissions that bear on an answer. What was listed lately is kept: listing costs a sixth of a projection of
 * one loan, and the same lists are asked for again and again.
 */
export const basisOf = (law: Law, plan: Plan, scenario: HouseholdScenario, circumstances: Circumstances): Basis => {
  const kept = keptByLaw.get(law) ?? new Kept()
  const known = kept.of(scenario)?.get(circumstances)
  if (known !== undefined) return known
  const basis = {
    citations: Object.freeze(citationsOf(law, plan, scenario, circumstances)),
    omissions: Object.freeze(omissionsThatBear(law, plan, scenario, circumstances))
  }
  keptByLaw.set(law, kept)
  return kept.keep(scenario, circumstances, basis)
}
