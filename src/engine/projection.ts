/**
 * One loan book under one plan, from the first month of repayment to the last. A pure function of the law, the request
 * and the start month. Knows nothing of keys, records or the wire's spelling.
 */
import { type Circumstances, holdsAll, only } from "../../ledger/circumstances.ts"
import type { Loan } from "../../schema/loan.ts"
import type { ForgivenessType, YearlyPoint } from "../../schema/projection.ts"
import { circumstancesOf } from "./answer/circumstances.ts"
import { type Basis, basisOf } from "./answer/citations.ts"
import { fixedArtifact, forgivenessArtifact, ineligible, type Refusal } from "./answer/refusals.ts"
import { type OpeningBalances, yearlySeries } from "./answer/series.ts"
import { type Household, type HouseholdScenario, householdOf } from "./law/household.ts"
import type { Law } from "./law/law.ts"
import { endOf, repayUnderSuccessors } from "./plans/ending.ts"
import type { EnginePlan, FixedPlan, IncomeDrivenPlan, Plan } from "./plans/plan.ts"
import { planOf } from "./plans/registry.ts"
import { repayOutsidePlan } from "./plans/standard.ts"
import { type Book, isEmpty, recordUnfinished } from "./schedule/book.ts"
import { dateOfMonth, type StartMonth } from "./schedule/calendar.ts"
import { setForgivenessMonths } from "./schedule/forgiveness.ts"
import { fillBooks, type Holdings, holdingsOf } from "./schedule/holdings.ts"
import { fromCents, toCents, toRate, toWholeDollars } from "./schedule/rounding.ts"
import { GUARD_MONTHS, type Tally } from "./schedule/tally.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"
import { forgivenessTaxCents } from "./tax/forgiveness.ts"

/** A request as the engine reads it: decoded, and with a state that may be unknown. */
export interface EngineRequest {
  readonly scenario: HouseholdScenario
  readonly loans: ReadonlyArray<Loan>
  readonly includeYearly: boolean
}

/** The figures of an answer, in the units of the wire, and the rules that they rest on. */
export interface Projection extends Basis {
  readonly _tag: "Projection"
  readonly label: string | null
  readonly planType: EnginePlan
  readonly year1MonthlyPayment: number
  /** The same payment with its cents, which only the keyless calculator shows. */
  readonly firstMonthPayment: number
  readonly payoffOrForgivenessDate: string | null
  readonly monthsToFinish: number | null
  readonly totalOutOfPocket: number
  readonly amountForgiven: number
  readonly forgivenessTaxesOwed: number
  readonly forgivenessType: Exclude<ForgivenessType, "Teacher">
  readonly weightedAverageInterestRate: number
  /** Whether printed or hand-worked cases of the plan are reproduced by the test suite. */
  readonly parityVerified: boolean
  readonly yearly?: ReadonlyArray<YearlyPoint>
}

/** Cost of an answer in cents: what is paid plus the tax on what is forgiven. */
export const costCents = ({
  forgivenessTaxesOwed,
  totalOutOfPocket
}: Pick<Projection, "forgivenessTaxesOwed" | "totalOutOfPocket">): number =>
  toCents(totalOutOfPocket) + toCents(forgivenessTaxesOwed)

/** What a projection adds up to before rounding, in dollars. */
export interface Trace {
  readonly _tag: "Trace"
  readonly firstPayment: number
  readonly paid: number
  readonly accrued: number
  readonly waived: number
  readonly matched: number
  readonly forgivenTimeBased: number
  readonly forgivenPslf: number
  /** Left at the horizon. */
  readonly principalLeft: number
  readonly interestLeft: number
}

/** A projection under way: its question, and the columns that it works in. */
interface Run {
  readonly law: Law
  readonly plan: Plan
  readonly scenario: HouseholdScenario
  readonly start: StartMonth
  readonly held: Holdings
  readonly household: Household
  readonly workspace: Workspace
}

/** Sets what is left of each loan's term. */
const setMonthsLeft = (law: Law, plan: FixedPlan, book: Book, held: Holdings): void => {
  for (let slot = 0; slot < book.size; slot++) {
    const term = plan.term(law, book.traits[slot]!, held)
    book.monthsLeft[slot] = term - plan.monthsBehind(law, book, slot, term)
  }
}

/** Dates the end of each own loan, or says why the prior months leave no answer for them. */
const dateEnds = (
  law: Law,
  plan: Plan,
  book: Book,
  held: Holdings,
  workingTowardsPslf: boolean
): Refusal | undefined => {
  if (plan.kind === "fixed") {
    setMonthsLeft(law, plan, book, held)
    return fixedArtifact(plan, book)
  }
  const months = plan.forgivenessMonths(law, book)
  setForgivenessMonths(law, book, months, workingTowardsPslf)
  return forgivenessArtifact(law, plan, book, months, workingTowardsPslf)
}

/** Why a projection of one loan that fits the plan, alone and without public service, would be refused. */
export const artifactOfLoan = (law: Law, plan: Plan, loan: Loan, { books }: Workspace): Refusal | undefined => {
  if (isEmpty(loan)) return undefined
  const { inPlan } = books
  inPlan.clear(1)
  inPlan.add(loan, law.traitsOf[loan.loanType], 0)
  return dateEnds(law, plan, inPlan, holdingsOf(law, plan, [loan]), false)
}

/** Fills the books and prepares a run over them, or says why the plan gives no answer. */
const prepare = (
  law: Law,
  { loans, scenario }: EngineRequest,
  start: StartMonth,
  workspace: Workspace
): Run | Refusal => {
  const plan = planOf(scenario.planType)
  const held = holdingsOf(law, plan, loans)
  const { inPlan, outsidePlan } = workspace.books
  fillBooks(workspace.books, law, plan, loans, held)
  const refusal =
    inPlan.size === 0
      ? ineligible(law, plan, loans, outsidePlan, held)
      : dateEnds(law, plan, inPlan, held, scenario.workingTowardsPslf)
  if (refusal !== undefined) return refusal
  return { law, plan, scenario, start, held, household: householdOf(law, scenario, inPlan.total), workspace }
}

/** Repays the own loans of an income-driven plan; says what it means for the answer that some outlived the plan. */
const repayIncomeDriven = (run: Run, plan: IncomeDrivenPlan, until: number): Circumstances => {
  const { household, law, start, workspace } = run
  const { books, tally } = workspace
  const { workingTowardsPslf } = run.scenario
  const end = endOf(law, plan, start)
  const here = { law, household, tally, until }
  const open = plan.repay({ ...here, book: books.inPlan, from: 0, until: Math.min(end, until) })
  if (open === 0) return 0
  if (end < until) return repayUnderSuccessors({ ...here, plan, books, from: end, workingTowardsPslf })
  recordUnfinished(books.inPlan, tally)
  return 0
}

/** Runs the months of prepared books into the tally. No month from `until` on is run. */
const repay = (run: Run, until: number): Circumstances => {
  const { held, law, plan, scenario, workspace } = run
  const { books, tally } = workspace
  tally.reset()
  let passed = 0
  if (plan.kind === "fixed") plan.repay({ law, book: books.inPlan, until, tally })
  else passed = repayIncomeDriven(run, plan, until)
  if (books.outsidePlan.size > 0) {
    repayOutsidePlan({ law, book: books.outsidePlan, until, tally }, held, scenario.workingTowardsPslf)
  }
  return passed
}

/** Weighted mean rate of every loan sent; the plain mean when there is no principal. */
const weightedRate = (loans: ReadonlyArray<Loan>): number => {
  let principal = 0
  let weighted = 0
  let plain = 0
  for (const loan of loans) {
    principal += loan.principalBalance
    weighted += loan.principalBalance * loan.interestRate
    plain += loan.interestRate
  }
  return toRate(principal > 0 ? weighted / principal : plain / loans.length)
}

const openingOf = (loans: ReadonlyArray<Loan>): OpeningBalances => {
  let principal = 0
  let interest = 0
  for (const loan of loans) {
    principal += loan.principalBalance
    interest += loan.interestBalance
  }
  return { principal, interest }
}

const typeOf = (timeBasedCents: number, pslfCents: number, allCents: number): Projection["forgivenessType"] => {
  if (allCents === 0) return "None"
  return pslfCents >= timeBasedCents ? "Pslf" : "TimeBased"
}

const allForgiven = ({ forgivenPslf, forgivenTimeBased, years }: Tally): number => {
  let sum = 0
  for (let year = 0; year < years; year++) sum += forgivenTimeBased[year]! + forgivenPslf[year]!
  return sum
}

/**
 * The projection of a request, or why there is none.
 * @param start the first month of repayment
 * @param workspace columns to work in; hand the same ones to one projection after the other
 */
export const project = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  workspace: Workspace = makeWorkspace()
): Projection | Refusal => {
  const { includeYearly, loans, scenario } = request
  const run = prepare(law, request, start, workspace)
  if ("_tag" in run) return run
  const { household, plan } = run
  const { books, tally } = workspace
  const known = circumstancesOf({ ...run, books })
  const passed = repay(run, GUARD_MONTHS)
  const timeBasedCents = toCents(tally.sumOf(tally.forgivenTimeBased))
  const pslfCents = toCents(tally.sumOf(tally.forgivenPslf))
  const forgivenCents = toCents(allForgiven(tally))
  const finish = tally.unfinished ? null : tally.lastMonth
  const circumstances = known | passed | (timeBasedCents > 0 ? only.taxed : 0) | (pslfCents > 0 ? only.pslfForgiven : 0)
  const { citations, omissions } = basisOf(law, plan, scenario, circumstances)
  const projection: Projection = {
    _tag: "Projection",
    label: scenario.label,
    planType: scenario.planType,
    year1MonthlyPayment: toWholeDollars(tally.firstPayment),
    firstMonthPayment: fromCents(toCents(tally.firstPayment)),
    payoffOrForgivenessDate: finish === null ? null : dateOfMonth(start, finish),
    monthsToFinish: finish,
    totalOutOfPocket: fromCents(toCents(tally.sumOf(tally.paid))),
    amountForgiven: fromCents(forgivenCents),
    forgivenessTaxesOwed: fromCents(timeBasedCents === 0 ? 0 : forgivenessTaxCents(law, household, tally)),
    forgivenessType: typeOf(timeBasedCents, pslfCents, forgivenCents),
    weightedAverageInterestRate: weightedRate(loans),
    parityVerified: plan.parityVerified,
    citations,
    omissions
  }
  if (!includeYearly) return projection
  const lastMonth = holdsAll(circumstances, only.loans) ? (finish ?? GUARD_MONTHS - 1) : -1
  return { ...projection, yearly: yearlySeries(tally, openingOf(loans), start, lastMonth) }
}

/** The same run, unrounded and cut off after `until` months: what the conservation of money is stated on. */
export const trace = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  until: number = GUARD_MONTHS,
  workspace: Workspace = makeWorkspace()
): Trace | Refusal => {
  const run = prepare(law, request, start, workspace)
  if ("_tag" in run) return run
  repay(run, until)
  const { tally } = workspace
  return {
    _tag: "Trace",
    firstPayment: tally.firstPayment,
    paid: tally.sumOf(tally.paid),
    accrued: tally.accrued,
    waived: tally.waived,
    matched: tally.matched,
    forgivenTimeBased: tally.sumOf(tally.forgivenTimeBased),
    forgivenPslf: tally.sumOf(tally.forgivenPslf),
    principalLeft: tally.openPrincipal,
    interestLeft: tally.openInterest
  }
}
