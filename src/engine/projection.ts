/**
 * One loan book under one plan, from the first month of repayment to the last. A pure function of the law, the request
 * and the start month. Knows nothing of keys, records or the wire's spelling.
 */
import { holdsAll, only } from "../../ledger/circumstances.ts"
import type { Loan } from "../../schema/loan.ts"
import type { ForgivenessType, YearlyPoint } from "../../schema/projection.ts"
import { circumstancesOf } from "./answer/circumstances.ts"
import { type Basis, basisOf } from "./answer/citations.ts"
import { fixedArtifact, forgivenessArtifact, ineligible, type Refusal } from "./answer/refusals.ts"
import { type OpeningBalances, yearlySeries } from "./answer/series.ts"
import { type Household, type HouseholdScenario, householdOf } from "./law/household.ts"
import type { Law } from "./law/law.ts"
import type { EnginePlan, FixedPlan, Plan } from "./plans/plan.ts"
import { planOf } from "./plans/registry.ts"
import { repayOutsidePlan } from "./plans/standard.ts"
import { type Book, fillBooks, recordUnfinished, totalDebtOf } from "./schedule/book.ts"
import { dateOfMonth, type StartMonth } from "./schedule/calendar.ts"
import { setForgivenessMonths } from "./schedule/forgiveness.ts"
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

/** Sets what is left of each loan's term. */
const setMonthsLeft = (law: Law, plan: FixedPlan, book: Book, totalDebt: number): void => {
  for (let slot = 0; slot < book.size; slot++) {
    const term = plan.term(law, book.traits[slot]!, totalDebt)
    book.monthsLeft[slot] = term - plan.monthsBehind(law, book, slot, term)
  }
}

/** Fills the books and dates the end of each own loan, or says why the plan gives no answer for them. */
const prepare = (
  law: Law,
  plan: Plan,
  loans: ReadonlyArray<Loan>,
  workingTowardsPslf: boolean,
  { books }: Workspace
): Refusal | undefined => {
  const { inPlan, outsidePlan } = books
  fillBooks(books, law, loans, plan.openTo)
  if (inPlan.size === 0) return ineligible(law, plan, loans, outsidePlan)
  if (plan.kind === "fixed") {
    setMonthsLeft(law, plan, inPlan, totalDebtOf(books))
    return fixedArtifact(plan, inPlan)
  }
  const months = plan.forgivenessMonths(law, inPlan)
  setForgivenessMonths(law, inPlan, months, workingTowardsPslf)
  return forgivenessArtifact(law, plan, inPlan, months, workingTowardsPslf)
}

/** Why a projection of one loan alone, without public service, would be refused. */
export const refusalOfLoan = (law: Law, plan: Plan, loan: Loan, workspace: Workspace): Refusal | undefined =>
  prepare(law, plan, [loan], false, workspace)

/** Runs the months of prepared books into the tally. No month from `until` on is run. */
const repay = (
  law: Law,
  plan: Plan,
  household: Household,
  workingTowardsPslf: boolean,
  until: number,
  { books, tally }: Workspace
): void => {
  const { inPlan: book, outsidePlan } = books
  const totalDebt = totalDebtOf(books)
  tally.reset()
  if (plan.kind === "fixed") plan.repay({ law, book, until, tally })
  else if (plan.repay({ law, book, household, from: 0, until, tally }) > 0) recordUnfinished(book, tally)
  if (outsidePlan.size > 0) repayOutsidePlan({ law, book: outsidePlan, until, tally }, totalDebt, workingTowardsPslf)
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
  { includeYearly, loans, scenario }: EngineRequest,
  start: StartMonth,
  workspace: Workspace = makeWorkspace()
): Projection | Refusal => {
  const plan = planOf(scenario.planType)
  const { books, tally } = workspace
  const refusal = prepare(law, plan, loans, scenario.workingTowardsPslf, workspace)
  if (refusal !== undefined) return refusal
  const known = circumstancesOf({ law, plan, books, scenario })
  const household = householdOf(law, scenario, books.inPlan.total)
  repay(law, plan, household, scenario.workingTowardsPslf, GUARD_MONTHS, workspace)
  const timeBasedCents = toCents(tally.sumOf(tally.forgivenTimeBased))
  const pslfCents = toCents(tally.sumOf(tally.forgivenPslf))
  const forgivenCents = toCents(allForgiven(tally))
  const finish = tally.unfinished ? null : tally.lastMonth
  const circumstances = known | (timeBasedCents > 0 ? only.taxed : 0) | (pslfCents > 0 ? only.pslfForgiven : 0)
  const { citations, omissions } = basisOf(law, scenario, circumstances)
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
  { loans, scenario }: EngineRequest,
  until: number = GUARD_MONTHS,
  workspace: Workspace = makeWorkspace()
): Trace | Refusal => {
  const plan = planOf(scenario.planType)
  const { books, tally } = workspace
  const refusal = prepare(law, plan, loans, scenario.workingTowardsPslf, workspace)
  if (refusal !== undefined) return refusal
  const household = householdOf(law, scenario, books.inPlan.total)
  repay(law, plan, household, scenario.workingTowardsPslf, until, workspace)
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
