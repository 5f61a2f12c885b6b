/**
 * The projection of one loan book under one plan, from the first month of repayment to the last.
 * It is a pure function of the law, the request and the start month.
 */
import { type Circumstances, holdsAll, only } from "../../ledger/circumstances.ts"
import type { Loan } from "../../schema/loan.ts"
import type { ForgivenessType, YearlyPoint } from "../../schema/projection.ts"
import { type Basis, basisOf } from "./answer/basis.ts"
import { askedBy, circumstancesOf } from "./answer/circumstances.ts"
import type { Refusal } from "./answer/refusals.ts"
import { mayHaveRemarks, NO_REMARKS, type Remark, remarksOn, remarksOnChange } from "./answer/remarks.ts"
import { type OpeningBalances, yearlySeries } from "./answer/series.ts"
import type { Law } from "./law/law.ts"
import type { EnginePlan } from "./plans/plan.ts"
import { type Changed, Repayment } from "./repayment.ts"
import { type EngineRequest, prepare, type Run } from "./run.ts"
import { dateOfMonth, MONTHS_PER_YEAR, type StartMonth } from "./schedule/calendar.ts"
import { fromCents, toCents, toRate, toWholeDollars } from "./schedule/rounding.ts"
import { GUARD_MONTHS, type Tally } from "./schedule/tally.ts"
import { makeWorkspace, type Workspace } from "./schedule/workspace.ts"
import { forEachTaxedYear } from "./tax/forgiveness.ts"

export type { EngineRequest } from "./run.ts"

/** Loans that the plan cannot take, which are repaid on STANDARD. */
interface LoansOutside {
  /** Positions in the request. */
  readonly loans: ReadonlyArray<number>
  /** Their part of the first payment, in whole dollars. */
  readonly year1MonthlyPayment: number
}

/** The borrower's payments and forgiveness, in the units of the API. */
export interface Figures {
  /** With cents, which only the keyless calculator and the start page show. */
  readonly firstMonthPayment: number
  readonly monthsToFinish: number | null
  readonly totalOutOfPocket: number
  readonly amountForgiven: number
  readonly forgivenessTaxesOwed: number
  readonly forgivenessType: Exclude<ForgivenessType, "Teacher">
  /** Payments and tax, discounted to the first month; undefined without a rate. */
  readonly presentValue: number | undefined
}

/** The figures of an answer, with the rules behind them. */
export interface Projection extends Figures, Basis {
  readonly _tag: "Projection"
  readonly label: string | null
  readonly planType: EnginePlan
  readonly year1MonthlyPayment: number
  readonly payoffOrForgivenessDate: string | null
  readonly weightedAverageInterestRate: number
  /** Whether the tests reproduce printed or hand-worked cases of the plan. */
  readonly parityVerified: boolean
  /** Undefined if the plan takes every loan. */
  readonly outside: LoansOutside | undefined
  readonly remarks: ReadonlyArray<Remark>
  readonly yearly?: ReadonlyArray<YearlyPoint>
}

/** Cost of an answer in cents: everything paid, plus the tax on forgiveness. */
export const costCents = ({
  forgivenessTaxesOwed,
  totalOutOfPocket
}: Pick<Figures, "forgivenessTaxesOwed" | "totalOutOfPocket">): number =>
  toCents(totalOutOfPocket) + toCents(forgivenessTaxesOwed)

/** The totals of a projection before rounding, in dollars. */
export interface UnroundedRun {
  readonly _tag: "UnroundedRun"
  readonly firstPayment: number
  readonly paid: number
  readonly accrued: number
  readonly waived: number
  readonly matched: number
  readonly forgivenTimeBased: number
  readonly forgivenPslf: number
  /** The balance after the last month that was run. */
  readonly principalLeft: number
  readonly interestLeft: number
}

/** Mean rate of all loans, weighted by principal; the plain mean if there is no principal. */
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

const typeOf = (timeBasedCents: number, pslfCents: number, allCents: number): Figures["forgivenessType"] => {
  if (allCents === 0) return "None"
  return pslfCents >= timeBasedCents ? "Pslf" : "TimeBased"
}

const outsideOf = ({ books: { outsidePlan }, tally }: Workspace): LoansOutside | undefined => {
  const { held, position } = outsidePlan
  if (held === 0) return undefined
  return {
    loans: [...position.subarray(0, held)].sort((one, other) => one - other),
    year1MonthlyPayment: toWholeDollars(tally.firstPaymentOutside)
  }
}

const allForgiven = ({ forgivenPslf, forgivenTimeBased, years }: Tally): number => {
  let sum = 0
  for (let year = 0; year < years; year++) sum += forgivenTimeBased[year]! + forgivenPslf[year]!
  return sum
}

/** The figures of a run, the circumstances that only its months show, and its changes of plan. */
interface Settled {
  readonly figures: Figures
  readonly shown: Circumstances
  readonly changed: ReadonlyArray<Changed>
}

/** What amounts of later months are worth in the first month. */
class Worth {
  dollars = 0
  private readonly rate: number

  /** @param rate per year */
  constructor(rate: number) {
    this.rate = rate
  }

  add(dollars: number, month: number): void {
    this.dollars += dollars * (1 + this.rate) ** (-month / MONTHS_PER_YEAR)
  }
}

/** Runs all months. Also returns the circumstances that only they show. */
const settle = (run: Run): Refusal | Settled => {
  const { household, law, workspace } = run
  const { tally } = workspace
  const repayment = new Repayment(run)
  const { discountRate } = run.scenario
  const worth = discountRate === null ? undefined : new Worth(discountRate)
  if (worth === undefined) repayment.advance(GUARD_MONTHS)
  else
    for (let month = 0; month < GUARD_MONTHS; month++) {
      const paid = tally.paid[Math.floor(month / MONTHS_PER_YEAR)]!
      repayment.advance(month + 1)
      worth.add(tally.paid[Math.floor(month / MONTHS_PER_YEAR)]! - paid, month)
    }
  if (repayment.refusal !== undefined) return repayment.refusal
  repayment.finish()
  const timeBasedCents = tally.hasForgiven ? toCents(tally.sumOf(tally.forgivenTimeBased)) : 0
  const pslfCents = tally.hasForgiven ? toCents(tally.sumOf(tally.forgivenPslf)) : 0
  const forgivenCents = timeBasedCents === 0 && pslfCents === 0 ? 0 : toCents(allForgiven(tally))
  let taxCents = 0
  if (timeBasedCents > 0)
    forEachTaxedYear(law, household, tally, (year, cents) => {
      taxCents += cents
      worth?.add(fromCents(cents), (year + 1) * MONTHS_PER_YEAR)
    })
  return {
    figures: {
      firstMonthPayment: fromCents(toCents(tally.firstPayment)),
      monthsToFinish: tally.unfinished ? null : tally.lastMonth,
      totalOutOfPocket: fromCents(toCents(tally.sumOf(tally.paid))),
      amountForgiven: fromCents(forgivenCents),
      forgivenessTaxesOwed: fromCents(taxCents),
      forgivenessType: typeOf(timeBasedCents, pslfCents, forgivenCents),
      presentValue: worth === undefined ? undefined : fromCents(toCents(worth.dollars))
    },
    changed: repayment.changed,
    shown: repayment.passed | (timeBasedCents > 0 ? only.taxed : 0) | (pslfCents > 0 ? only.pslfForgiven : 0)
  }
}

/** The figures of a projection alone, or the refusal: for answers that cite no rules. */
export const figuresOf = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  workspace: Workspace
): Figures | Refusal => {
  const run = prepare(law, request, start, workspace)
  if ("_tag" in run) return run
  const settled = settle(run)
  return "_tag" in settled ? settled : settled.figures
}

/** What any of several plans cites and leaves out. */
const joined = (bases: ReadonlyArray<Basis>): Basis => ({
  citations: [...new Set(bases.flatMap(({ citations }) => citations))],
  omissions: [...new Set(bases.flatMap(({ omissions }) => omissions))]
})

/**
 * Projects a request, or returns the refusal.
 * @param start the first month of repayment
 * @param workspace memory to work in; successive projections may share one
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
  const { plan } = run
  const { tally } = workspace
  // Must precede the months, because they change the books.
  const known = circumstancesOf(run)
  const asked = askedBy(run)
  const settled = settle(run)
  if ("_tag" in settled) return settled
  const { changed, figures, shown } = settled
  const circumstances = known | shown
  const first = basisOf(law, plan, asked, circumstances)
  const { citations, omissions } =
    changed.length === 0
      ? first
      : joined([first, ...changed.map((one) => basisOf(law, one.plan, askedBy(one), one.known | shown))])
  const finish = figures.monthsToFinish
  const projection: Projection = {
    _tag: "Projection",
    label: scenario.label,
    planType: plan.planType,
    year1MonthlyPayment: toWholeDollars(tally.firstPayment),
    firstMonthPayment: figures.firstMonthPayment,
    payoffOrForgivenessDate: finish === null ? null : dateOfMonth(start, finish),
    monthsToFinish: finish,
    totalOutOfPocket: figures.totalOutOfPocket,
    amountForgiven: figures.amountForgiven,
    forgivenessTaxesOwed: figures.forgivenessTaxesOwed,
    forgivenessType: figures.forgivenessType,
    presentValue: figures.presentValue,
    weightedAverageInterestRate: weightedRate(loans),
    parityVerified: plan.parityVerified,
    outside: outsideOf(workspace),
    remarks: mayHaveRemarks(scenario)
      ? [
          ...remarksOn(law, scenario, { start, rests: run.rests, lastMonth: finish, firstPayment: tally.firstPayment }),
          ...changed.flatMap(remarksOnChange)
        ]
      : NO_REMARKS,
    citations,
    omissions
  }
  if (!includeYearly) return projection
  const lastMonth = holdsAll(circumstances, only.loans) ? (finish ?? GUARD_MONTHS - 1) : -1
  return { ...projection, yearly: yearlySeries(tally, openingOf(loans), start, lastMonth) }
}

/**
 * Runs the first `until` months and returns unrounded totals. Tests use it to check that no money
 * is lost.
 */
export const runUntil = (
  law: Law,
  request: EngineRequest,
  start: StartMonth,
  until: number = GUARD_MONTHS,
  workspace: Workspace = makeWorkspace()
): UnroundedRun | Refusal => {
  const run = prepare(law, request, start, workspace)
  if ("_tag" in run) return run
  const repayment = new Repayment(run)
  repayment.advance(until)
  if (repayment.refusal !== undefined) return repayment.refusal
  repayment.finish()
  const { tally } = workspace
  return {
    _tag: "UnroundedRun",
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
