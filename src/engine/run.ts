/**
 * The preparation of a run: sorts the loans into books, and sets the terms of fixed plans.
 * repayment.ts runs the months.
 */
import { fixedPlanPriorMonths } from "../../ledger/rules/fixed-plans.ts"
import type { Loan } from "../../schema/loan.ts"
import { contradictionsOf } from "./answer/contradictions.ts"
import { contradictory, fixedArtifact, forgivenessArtifact, ineligible, type Refusal } from "./answer/refusals.ts"
import { type Era, erasOf, Household, type HouseholdScenario } from "./law/household.ts"
import type { Law } from "./law/law.ts"
import type { Trace } from "./law/trace.ts"
import { type PlannedPlans, plansOf, refusedAtOnce } from "./planChange.ts"
import type { EnginePlan, FixedPlan, Plan } from "./plans/plan.ts"
import { planForLoan } from "./plans/standard.ts"
import { type Book, type Books, isEmpty } from "./schedule/book.ts"
import type { StartMonth } from "./schedule/calendar.ts"
import { type History, historyOf } from "./schedule/history.ts"
import { fillBooks, type Holdings, holdingsOf } from "./schedule/holdings.ts"
import { type Rests, restsOf } from "./schedule/pauses.ts"
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
  readonly books: Books
  /** The plan of month 0. */
  readonly plan: Plan
  readonly planned: PlannedPlans
  /** The plans that were left before this one. */
  readonly left: ReadonlyArray<Plan>
  readonly loans: ReadonlyArray<Loan>
  readonly scenario: EngineScenario
  readonly eras: ReadonlyArray<Era>
  readonly start: StartMonth
  readonly held: Holdings
  readonly rests: Rests
  readonly household: Household
  readonly workspace: Workspace
}

/** Sets the months of each loan's term that are behind it and left. */
const setMonthsLeft = (law: Law, plan: FixedPlan, book: Book, held: Holdings, trace?: Trace): void => {
  for (let slot = 0; slot < book.size; slot++) {
    const loanTrace = trace?.of(book.position[slot]!)
    const traits = book.traits[slot]!
    const of = planForLoan(plan, traits, held)
    const term = of.term(law, traits, held, loanTrace)
    const behind = of.monthsBehind(law, book, slot, term)
    book.monthsBehind[slot] = behind
    book.monthsLeft[slot] = term - behind
    if (behind > 0) loanTrace?.("monthsBehind", behind, fixedPlanPriorMonths)
    loanTrace?.("monthsLeft", term - behind, behind > 0 ? fixedPlanPriorMonths : of.termRule(traits))
  }
}

/**
 * Sets the terms of a fixed plan, or returns the refusal if the counts of prior months leave no
 * answer.
 * @param isServing whether the first month is one of public service
 */
const setTerms = (
  law: Law,
  plan: Plan,
  book: Book,
  { held, isServing }: { readonly held: Holdings; readonly isServing: boolean },
  trace?: Trace
): Refusal | undefined => {
  if (plan.kind === "income-driven")
    return forgivenessArtifact(law, plan, book, plan.forgivenessMonths(law, book), isServing)
  setMonthsLeft(law, plan, book, held, trace)
  return fixedArtifact(plan, book)
}

/**
 * The refusal of a projection of this loan alone, without PSLF, or undefined. The loan must fit the
 * plan. The whole request gives the borrower's history. Only counted months can cause a refusal.
 */
export const artifactOfLoan = (
  law: Law,
  plan: Plan,
  loan: Loan,
  history: History | undefined,
  { books }: Workspace
): Refusal | undefined => {
  if (isEmpty(loan) || (loan.idrMonthsInRepayment === 0 && loan.pslfCount === 0)) return undefined
  const { inPlan } = books
  inPlan.clear(1)
  inPlan.add(loan, law.traitsOf[loan.loanType], 0)
  const held = holdingsOf(law, plan, [loan], history)
  return setTerms(law, plan, inPlan, { held, isServing: false })
}

/** Fills the books and prepares a run, or returns the refusal. */
export const prepare = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  workspace: Workspace,
  trace?: Trace
): Run | Refusal => {
  const { loans, scenario } = request
  const contradicted = contradictory(scenario.planType, contradictionsOf(law, request, start))
  if (contradicted !== undefined) return contradicted
  const planned = plansOf(scenario, start)
  const refusedPlans = refusedAtOnce(law, planned, start)
  if (refusedPlans !== undefined) return refusedPlans
  const plan = planned.first
  const held = holdingsOf(law, plan, loans, historyOf(law, scenario.firstBorrowedOn, loans))
  const eras = erasOf(scenario)
  const { inPlan, outsidePlan } = workspace.books
  fillBooks(workspace.books, law, plan, loans, held)
  const refusal =
    inPlan.size === 0
      ? ineligible(law, plan, loans, outsidePlan, held)
      : setTerms(law, plan, inPlan, { held, isServing: scenario.workingTowardsPslf }, trace)
  if (refusal !== undefined) return { ...refusal, change: planned.firstChange }
  const household = new Household(law, scenario)
  const rests = restsOf(law, loans, scenario.pauses, start)
  const { books } = workspace
  return { law, books, plan, planned, left: [], loans, scenario, eras, start, held, rests, household, workspace }
}
