/** The ids of the ledger entries that an answer uses, and of the omissions that bear on it. */
import { type Additions, added, allOf, type Circumstances, holdsAll, only } from "../../../ledger/circumstances.ts"
import type { Rule } from "../../../ledger/entry.ts"
import { bears, omissions } from "../../../ledger/omissions.ts"
import { federalStandardDeduction } from "../../../ledger/rules/federal-tax.ts"
import {
  consolidationStandardTerms,
  directPlusConsolidationTerms,
  fixedPlanPriorMonths,
  standardPlanTerms,
  tieredStandardPlanTerms
} from "../../../ledger/rules/fixed-plans.ts"
import {
  forgivenessTaxabilityFederal,
  forgivenessTaxMethod,
  irc108F1WorkBased,
  stateExemptionPersons,
  stateTaxOnForgivenessStates
} from "../../../ledger/rules/forgiveness-tax.ts"
import { ffelDirectPart } from "../../../ledger/rules/household.ts"
import { idrSunsetDefault, loanTypesEnded, newBorrowerTests } from "../../../ledger/rules/income-based.ts"
import {
  extraPaymentOrder,
  interestAccrual,
  leavingIncomeBased,
  pauseInterest,
  paymentApplicationOrder
} from "../../../ledger/rules/interest.ts"
import { consolidationLoanTypes, loanPrograms, loanTypeFamilies } from "../../../ledger/rules/loan-types.ts"
import { newLoanPlans202607 } from "../../../ledger/rules/new-loans.ts"
import { loansOutsideThePlan, planEligibilityMatrix } from "../../../ledger/rules/plan-eligibility.ts"
import { pslfQualifyingPlans, pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import { isWithFfel } from "../law/household.ts"
import type { Citation, Law } from "../law/law.ts"
import { PASSED_TO, successorsOf } from "../plans/ending.ts"
import type { IncomeDrivenPlan, Plan } from "../plans/plan.ts"
import { FEDERAL_BRACKETS } from "../tax/federal.ts"
import { isTaxingState, STATE_TAXES } from "../tax/state.ts"

/** The parts of a request, other than plan and circumstances, that decide its answer's rules. */
export interface Asked {
  /** Null if the request has no state. */
  readonly state: string | null
  /** The filing status, and different ones of later years. */
  readonly filingStatuses: ReadonlyArray<FilingStatus>
  readonly additions: Additions
}

const EVERY_ANSWER: Citation = { rules: [loanTypeFamilies, planEligibilityMatrix] }

const LOAN_CITATIONS: ReadonlyArray<Citation> = [
  { rules: [interestAccrual, paymentApplicationOrder], when: only.loans },
  { rules: [fixedPlanPriorMonths], when: only.shortened },
  { rules: [consolidationStandardTerms, consolidationLoanTypes], when: only.consolidationTable },
  { rules: [directPlusConsolidationTerms], when: only.directPlusConsolidation },
  { rules: [loansOutsideThePlan, standardPlanTerms], when: only.loansOutsidePlan }
]

/** Rules of dates, which apply only if a date was sent: tests, and loan types that prove one. */
const DATE_CITATIONS: ReadonlyArray<Citation> = [
  { rules: [newBorrowerTests, loanTypesEnded], added: added.dated },
  { rules: [newLoanPlans202607], added: added.newLoans },
  { rules: [tieredStandardPlanTerms], added: added.tiered }
]

const EXTRA_CITATION: Citation = { rules: [extraPaymentOrder], added: added.extra }

const PAUSE_CITATION: Citation = { rules: [pauseInterest], added: added.pauses }

const CHANGE_CITATION: Citation = { rules: [leavingIncomeBased], added: added.planChanges }

const FFEL_CITATION: Citation = { rules: [ffelDirectPart], when: only.ffelOutsidePlan }

const PSLF_CITATION: Citation = { rules: [pslfTerms, pslfQualifyingPlans, loanPrograms], when: only.pslfReaches }

/**
 * Citations of the successors of a plan that ends. Each applies only when a loan moves to that
 * successor.
 */
const successorCitations = (law: Law, plan: IncomeDrivenPlan, additions: Additions): ReadonlyArray<Citation> => {
  const ofSuccessor = (successor: IncomeDrivenPlan, rank: number): ReadonlyArray<Citation> =>
    [{ rules: successor.terms }, ...successor.citesForHousehold, ...successor.citesForLoans].map(
      ({ rules, when = 0 }) => ({ rules, when: when | PASSED_TO[rank]! })
    )
  return [
    { rules: [idrSunsetDefault], when: only.passedOver },
    ...successorsTo(law, plan, additions).flatMap(ofSuccessor)
  ]
}

/** Everything that an answer under a plan may cite, except the tax tables. */
const underPlan = (law: Law, plan: Plan, additions: Additions): ReadonlyArray<Citation> => [
  EVERY_ANSWER,
  { rules: plan.terms },
  ...(plan.kind === "income-driven" ? plan.citesForHousehold : []),
  ...(isWithFfel(law, plan.planType) ? [FFEL_CITATION] : []),
  ...LOAN_CITATIONS,
  ...plan.citesForLoans,
  ...(plan.kind === "income-driven" ? successorCitations(law, plan, additions) : []),
  PSLF_CITATION,
  ...DATE_CITATIONS,
  EXTRA_CITATION,
  PAUSE_CITATION,
  CHANGE_CITATION
]

const taxTables = ({ filingStatuses, state }: Asked): ReadonlyArray<Rule> => {
  const federal = [
    forgivenessTaxabilityFederal,
    forgivenessTaxMethod,
    ...filingStatuses.map((status) => FEDERAL_BRACKETS[status]),
    federalStandardDeduction
  ]
  if (!isTaxingState(state)) return federal
  const { countsPersons, schedule, treatment } = STATE_TAXES[state]
  const ofState = [stateTaxOnForgivenessStates, schedule, treatment]
  return [...federal, ...ofState, ...(countsPersons ? [stateExemptionPersons] : [])]
}

const everything = (law: Law, plan: Plan, asked: Asked): ReadonlyArray<Citation> => [
  ...underPlan(law, plan, asked.additions),
  { rules: taxTables(asked), when: only.taxed },
  { rules: [irc108F1WorkBased], when: only.pslfForgiven }
]

/** Everything that an answer to this request may cite. */
const citable = (law: Law, plan: Plan, asked: Asked): ReadonlyArray<Citation> =>
  everything(law, plan, asked).filter(({ added: needed = 0 }) => holdsAll(asked.additions, needed))

/** Distinct ids of the ledger entries that an answer uses. */
export const citationsOf = (law: Law, plan: Plan, asked: Asked, circumstances: Circumstances) => {
  const cited = law.cite(citable(law, plan, asked))
  return [...new Set(cited.filter(({ when }) => holdsAll(circumstances, when)).flatMap(({ ids }) => ids))]
}

const successorsTo = (law: Law, plan: Plan, additions: Additions): ReadonlyArray<IncomeDrivenPlan> =>
  plan.kind === "income-driven" ? successorsOf(law, plan, holdsAll(additions, added.newSince2014)) : []

/** Ids of the omissions that bear on an answer, under its plan and its successors. */
export const omissionsThatBear = (law: Law, plan: Plan, asked: Asked, circumstances: Circumstances) => {
  const repaying = [
    plan,
    ...successorsTo(law, plan, asked.additions).filter((_, rank) => holdsAll(circumstances, PASSED_TO[rank]!))
  ]
  const planTypes = repaying.map(({ planType }) => planType)
  return omissions.filter((omission) => bears(omission, planTypes, asked, circumstances)).map(({ id }) => id)
}

const EVERY_CIRCUMSTANCE: Circumstances = ~0

/** The circumstances that can change the basis of an answer. */
export const circumstancesThatMatter = (law: Law, plan: Plan, asked: Asked): Circumstances => {
  const successors = successorsTo(law, plan, asked.additions)
  const planTypes = [plan, ...successors].map(({ planType }) => planType)
  const bearing = omissions.filter((omission) => bears(omission, planTypes, asked, EVERY_CIRCUMSTANCE))
  return [
    ...citable(law, plan, asked).map(({ when = 0 }) => when),
    ...bearing.map(({ bearsOn }) => allOf(bearsOn.when ?? [])),
    ...successors.map((_, rank) => PASSED_TO[rank]!)
  ].reduce((asked, when) => asked | when, 0)
}

/** The states that a rule or an omission names. All others share one basis. */
export const NAMED_STATES: ReadonlyArray<string> = [
  ...new Set([
    ...Object.keys(STATE_TAXES),
    ...omissions.flatMap(({ bearsOn }) => [...(bearsOn.states ?? []), ...(bearsOn.statesExcept ?? [])])
  ])
]

const PLACES = new Map<string | null, number>(NAMED_STATES.map((state, place) => [state, place + 1]))

/** The number of a state among the named states, from 1; 0 for all other states. */
export const placeOf = (state: string | null): number => PLACES.get(state) ?? 0
