/**
 * One loan book under one plan, from the first month of repayment to the last. A pure function of the law, the request
 * and the start month. Knows nothing of keys, records or the wire's spelling.
 */
import type { Loan } from "../../schema/loan.ts"
import type { ForgivenessType, YearlyPoint } from "../../schema/projection.ts"
import { type Basis, basisOf } from "./answer/citations.ts"
import { fixedArtifact, forgivenessArtifact, ineligible, type Refusal } from "./answer/refusals.ts"
import { type OpeningBalances, yearlySeries } from "./answer/series.ts"
import { groundsOf } from "./grounds.ts"
import { type EnginePlan, type Household, type HouseholdScenario, householdOf } from "./law/household.ts"
import type { Law } from "./law/law.ts"
import { PLANS } from "./plans/registry.ts"
import { repayBeside } from "./plans/standard.ts"
import { type Books, fillBooks, makeBooks } from "./schedule/book.ts"
import { dateOfMonth, type StartMonth } from "./schedule/calendar.ts"
import { setForgivenessMonths } from "./schedule/forgiveness.ts"
import { fromCents, toCents, toRate, toWholeDollars } from "./schedule/rounding.ts"
import { GUARD_MONTHS, Tally } from "./schedule/tally.ts"
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

/** The engine runs one projection at a time and never waits inside one, so one set of columns serves all. */
const books: Books = makeBooks()
const tally = new Tally()

/** Fills the books and dates their forgiveness, or says why the plan gives no answer for them. */
const prepare = (law: Law, planType: EnginePlan, loans: ReadonlyArray<Loan>, pslf: boolean): Refusal | undefined => {
  const { beside, own } = books
  fillBooks(books, law, loans, planType)
  if (own.size === 0) return ineligible(law, planType, loans, beside)
  const { forgivenessMonths } = PLANS[planType]
  if (forgivenessMonths === undefined) return fixedArtifact(law, planType, own, own.total + beside.total)
  const months = forgivenessMonths(law, own)
  setForgivenessMonths(law, own, months, pslf)
  return forgivenessArtifact(law, planType, own, months, pslf)
}

/** Why a projection of one loan alone, without public service, would be refused. */
export const refusalOfLoan = (law: Law, loan: Loan, planType: EnginePlan): Refusal | undefined =>
  prepare(law, planType, [loan], false)

/** Runs the months into the tally, or says why not. */
const run = (law: Law, request: EngineRequest, horizonMonths: number): Household | Refusal => {
  const { loans, scenario } = request
  const { beside, own } = books
  tally.reset()
  const refusal = prepare(law, scenario.planType, loans, scenario.workingTowardsPslf)
  if (refusal !== undefined) return refusal
  const household = householdOf(law, scenario)
  const totalDebt = own.total + beside.total
  PLANS[scenario.planType].repay({ law, book: own, household, totalDebt, horizonMonths, tally })
  if (beside.size > 0) repayBeside(law, beside, totalDebt, scenario.workingTowardsPslf, horizonMonths, tally)
  return household
}

const isRefusal = (outcome: Household | Refusal): outcome is Refusal => "_tag" in outcome

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

const allForgiven = (): number => {
  const { forgivenPslf, forgivenTimeBased, years } = tally
  let sum = 0
  for (let year = 0; year < years; year++) sum += forgivenTimeBased[year]! + forgivenPslf[year]!
  return sum
}

/**
 * The projection of a request, or why there is none.
 * @param start the first month of repayment
 */
export const project = (law: Law, request: EngineRequest, start: StartMonth): Projection | Refusal => {
  const { includeYearly, loans, scenario } = request
  const outcome = run(law, request, GUARD_MONTHS)
  const isEmptyBook = books.own.size + books.beside.size === 0
  if (isRefusal(outcome)) return outcome
  const timeBasedCents = toCents(tally.sumOf(tally.forgivenTimeBased))
  const forgivenCents = toCents(allForgiven())
  const finish = tally.unfinished ? null : tally.lastMonth
  const pslfCents = toCents(tally.sumOf(tally.forgivenPslf))
  const forgiven = { timeBased: timeBasedCents > 0, pslf: pslfCents > 0 }
  const { citations, omissions } = basisOf(groundsOf(law, scenario, books, forgiven))
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
    forgivenessTaxesOwed: fromCents(timeBasedCents === 0 ? 0 : forgivenessTaxCents(law, outcome, tally)),
    forgivenessType: typeOf(timeBasedCents, pslfCents, forgivenCents),
    weightedAverageInterestRate: weightedRate(loans),
    citations,
    omissions
  }
  if (!includeYearly) return projection
  const lastMonth = isEmptyBook ? -1 : (finish ?? GUARD_MONTHS - 1)
  return { ...projection, yearly: yearlySeries(tally, openingOf(loans), start, lastMonth) }
}

/** The same run, unrounded and cut off after `horizonMonths`: what the conservation of money is stated on. */
export const trace = (law: Law, request: EngineRequest, horizonMonths: number = GUARD_MONTHS): Trace | Refusal => {
  const outcome = run(law, request, horizonMonths)
  if (isRefusal(outcome)) return outcome
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
