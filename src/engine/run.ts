/**
 * The preparation and execution of a run. The preparation sorts the loans into books and sets the
 * last month of each loan. The execution runs the months and adds them to the tally, from which
 * projections, explanations and monthly payments read their results.
 */
import type { Circumstances } from "../../ledger/circumstances.ts"
import { fixedPlanPriorMonths } from "../../ledger/rules/fixed-plans.ts"
import type { Loan } from "../../schema/loan.ts"
import { fixedArtifact, forgivenessArtifact, ineligible, type Refusal } from "./answer/refusals.ts"
import {
  type Household,
  type HouseholdScenario,
  type HouseholdTrace,
  householdOf,
  isWithFfel,
  type SharedDebt
} from "./law/household.ts"
import type { Law } from "./law/law.ts"
import type { Trace } from "./law/trace.ts"
import { endOf, repayUnderSuccessors } from "./plans/ending.ts"
import type { EnginePlan, FixedPlan, IncomeDrivenPlan, Plan } from "./plans/plan.ts"
import { planOf } from "./plans/registry.ts"
import { sharedBy } from "./plans/shared.ts"
import { type OutsidePlan, scheduleOutsidePlan } from "./plans/standard.ts"
import { type Book, isEmpty, recordUnfinished } from "./schedule/book.ts"
import type { StartMonth } from "./schedule/calendar.ts"
import { repayFixed } from "./schedule/fixed.ts"
import { setForgivenessMonths } from "./schedule/forgiveness.ts"
import { fillBooks, type Holdings, holdingsOf } from "./schedule/holdings.ts"
import type { Workspace } from "./schedule/workspace.ts"

/** The scenario of a household under one plan. */
export type EngineScenario = HouseholdScenario & { readonly planType: EnginePlan }

/** A decoded request. The state may be unknown. */
export interface EngineRequest {
  readonly scenario: EngineScenario
  readonly loans: ReadonlyArray<Loan>
  readonly includeYearly: boolean
}

/** A prepared run: the request, and the workspace with its filled books. */
export interface Run {
  readonly law: Law
  readonly plan: Plan
  readonly scenario: EngineScenario
  readonly start: StartMonth
  readonly held: Holdings
  readonly household: Household
  readonly workspace: Workspace
}

/** The traces of a run's preparation: the terms of payments, and the months of forgiveness. */
interface Traces {
  readonly terms: Trace
  readonly ends: Trace
}

/** Sets the months left of each loan's term. */
const setMonthsLeft = (law: Law, plan: FixedPlan, book: Book, held: Holdings, trace?: Trace): void => {
  for (let slot = 0; slot < book.size; slot++) {
    const loanTrace = trace?.of(book.position[slot]!)
    const term = plan.term(law, book.traits[slot]!, held, loanTrace)
    const behind = plan.monthsBehind(law, book, slot, term)
    book.monthsLeft[slot] = term - behind
    if (behind > 0) loanTrace?.("monthsBehind", behind, fixedPlanPriorMonths)
    loanTrace?.("monthsLeft", term - behind, behind > 0 ? fixedPlanPriorMonths : plan.termRule(book.traits[slot]!))
  }
}

/**
 * Sets the last month of each loan in the plan, or returns the refusal if the counts of prior
 * months leave no answer.
 */
const setLastMonths = (
  law: Law,
  plan: Plan,
  book: Book,
  held: Holdings,
  workingTowardsPslf: boolean,
  traces?: Traces
): Refusal | undefined => {
  if (plan.kind === "fixed") {
    setMonthsLeft(law, plan, book, held, traces?.terms)
    return fixedArtifact(plan, book)
  }
  const months = plan.forgivenessMonths(law, book, traces?.ends)
  setForgivenessMonths(law, book, months, workingTowardsPslf, traces?.ends)
  return forgivenessArtifact(law, plan, book, months, workingTowardsPslf)
}

/**
 * The refusal of a projection of this loan alone, without PSLF, or undefined. The loan must fit the
 * plan.
 */
export const artifactOfLoan = (law: Law, plan: Plan, loan: Loan, { books }: Workspace): Refusal | undefined => {
  if (isEmpty(loan)) return undefined
  const { inPlan } = books
  inPlan.clear(1)
  inPlan.add(loan, law.traitsOf[loan.loanType], 0)
  return setLastMonths(law, plan, inPlan, holdingsOf(law, plan, [loan]), false)
}

/** The trace of the household; undefined if the payment does not follow income. */
const householdTraceOf = (plan: Plan, { terms }: Traces): HouseholdTrace | undefined =>
  plan.kind === "income-driven" ? { trace: terms, sharedBy: sharedBy(plan) } : undefined

/**
 * The debts by which a payment is divided with a spouse or with FFEL loans.
 * @rule idr-joint-proration, rap-joint-proration, ffel-direct-part
 */
const sharedDebtOf = (law: Law, { planType }: Plan, { principal, size, total }: Book, held: Holdings): SharedDebt => {
  if (held.ffelStudent === 0 || !isWithFfel(law, planType)) return { own: total, directPrincipal: 0, ffelPrincipal: 0 }
  let directPrincipal = 0
  for (let slot = 0; slot < size; slot++) directPrincipal += principal[slot]!
  return { own: total + held.ffelStudent, directPrincipal, ffelPrincipal: held.ffelStudentPrincipal }
}

/** Fills the books and prepares a run, or returns the refusal. */
export const prepare = (
  law: Law,
  { loans, scenario }: EngineRequest,
  start: StartMonth,
  workspace: Workspace,
  traces?: Traces
): Run | Refusal => {
  const plan = planOf(scenario.planType)
  const held = holdingsOf(law, plan, loans)
  const { inPlan, outsidePlan } = workspace.books
  fillBooks(workspace.books, law, plan, loans, held)
  const refusal =
    inPlan.size === 0
      ? ineligible(law, plan, loans, outsidePlan, held)
      : setLastMonths(law, plan, inPlan, held, scenario.workingTowardsPslf, traces)
  if (refusal !== undefined) return refusal
  const household = householdOf(
    law,
    scenario,
    sharedDebtOf(law, plan, inPlan, held),
    traces && householdTraceOf(plan, traces)
  )
  return { law, plan, scenario, start, held, household, workspace }
}

/**
 * Repays an income-driven plan's loans. Returns the circumstances of loans that outlive the plan.
 */
const repayIncomeDriven = (run: Run, plan: IncomeDrivenPlan, until: number): Circumstances => {
  const { household, law, start, workspace } = run
  const { books, tally } = workspace
  const { workingTowardsPslf } = run.scenario
  const end = endOf(law, plan, start)
  const terms = plan.begin({ law, household, book: books.inPlan })
  const open = terms.repay({ book: books.inPlan, household, tally, from: 0, until: Math.min(end, until) })
  if (open === 0) return 0
  if (end < until) {
    return repayUnderSuccessors({ law, plan, books, household, workingTowardsPslf }, { from: end, until, tally })
  }
  recordUnfinished(books.inPlan, tally)
  return 0
}

/** The loans of a run that its plan cannot take. */
export const outsidePlanOf = ({ held, law, scenario, workspace }: Run): OutsidePlan => ({
  law,
  book: workspace.books.outsidePlan,
  held,
  workingTowardsPslf: scenario.workingTowardsPslf
})

/**
 * Runs the months before `until` and adds them to the tally. Returns the circumstances of loans
 * that outlive the plan.
 */
export const repay = (run: Run, until: number): Circumstances => {
  const { law, plan, workspace } = run
  const { books, tally } = workspace
  tally.reset()
  let passed = 0
  if (plan.kind === "fixed") {
    repayFixed({ book: books.inPlan, from: 0, until, tally }, plan.schedule(law, books.inPlan))
  } else passed = repayIncomeDriven(run, plan, until)
  if (books.outsidePlan.size > 0) {
    const ofThePlan = tally.firstPayment
    repayFixed({ book: books.outsidePlan, from: 0, until, tally }, scheduleOutsidePlan(outsidePlanOf(run)))
    tally.firstPaymentOutside = tally.firstPayment - ofThePlan
  }
  return passed
}
