/**
 * The whole book under every plan, and of a married borrower under both returns: what the page shows. Figures are the
 * engine's; this file chooses what is computed, and adds what no answer of the service has: the highest payment and the
 * present value.
 */

import { omissionById, ruleById } from "../../../ledger/index.ts"
import { ibrNewTerms, ibrOldTerms, idrSunsetDefault } from "../../../ledger/rules/income-based.ts"
import { payeTerms } from "../../../ledger/rules/pay-as-you-earn.ts"
import { rapBasePaymentBands } from "../../../ledger/rules/repayment-assistance.ts"
import type { Loan } from "../../../schema/loan.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { Obstacle } from "../../engine/answer/refusals.ts"
import type { Exclusion } from "../../engine/calculator.ts"
import { Household } from "../../engine/law/household.ts"
import { currentLaw } from "../../engine/law/law.ts"
import { monthlyPayments, monthsOfForgiveness } from "../../engine/months.ts"
import { type EnginePlan, type Plan, TIERED_STANDARD } from "../../engine/plans/plan.ts"
import { CALCULATOR_PLANS } from "../../engine/plans/registry.ts"
import { costCents, type Projection, project } from "../../engine/projection.ts"
import { isEmpty } from "../../engine/schedule/book.ts"
import { dateOfMonth, MONTHS_PER_YEAR, type StartMonth } from "../../engine/schedule/calendar.ts"
import { type DateObstacle, dateObstacle } from "../../engine/schedule/history.ts"
import { forThreshold, fromCents, toCents } from "../../engine/schedule/rounding.ts"
import { GUARD_MONTHS } from "../../engine/schedule/tally.ts"
import { makeWorkspace } from "../../engine/schedule/workspace.ts"
import { isOddRate } from "../../messages/notes.ts"
import { CLOSED_PLANS, END_OF_PLANS, LOANS_OUTSIDE_PLAN, MONTHS_BEHIND_PLAN } from "../../messages/plans.ts"
import { type DateNote, dateNotes } from "./dates.ts"
import type { ReadBook } from "./reading.ts"

/** Something to be said of a line beside its figures. */
export type LineNote =
  | DateNote
  /** The plan ends in July 2028, and the loans pass to another. */
  | "ends"
  /** It cannot take some of the loans: they are repaid beside it. */
  | "beside"
  /** It asks that the payment by income be lower than that of ten years. */
  | "hardship"
  /** Its payments do not count for public service. */
  | "uncertified"
  /** Counted months shorten its term. */
  | "shortened"
  /** More is forgiven than is owed today. */
  | "grows"
  /** Two returns may cost more income tax than one. */
  | "apart"

/** A band of RAP that a growing income reaches. */
export interface NextBand {
  /** Index of the first month that is paid by it. */
  readonly month: number
  /** The income above which it begins, in dollars. */
  readonly over: number
  /** Shares of the income, as fractions. */
  readonly before: number
  readonly rate: number
}

/** A share, as a fraction, of the income above an amount in dollars. */
export interface IncomeShare {
  readonly rate: number
  readonly above: number
}

/** What moves the figures, as the household is read: the page says it next to them. */
export interface Assumptions {
  /** A year, as fractions. */
  readonly incomeGrowth: number
  readonly priceGrowth: number
  /** How many later changes of the household were typed. */
  readonly changes: number
  /** Paid each month beyond what is due, in dollars. */
  readonly extra: number
  /** Whether a loan has months that were paid, and unpaid interest. */
  readonly isPaid: boolean
  readonly hasInterest: boolean
}

/** The book under a plan, on a return. */
export interface Line {
  /** Tells the line from others. */
  readonly key: string
  readonly planType: EnginePlan
  /** The return, where it makes a difference that is shown; else null. */
  readonly filing: FilingStatus | null
  readonly figures: Projection
  /** Paid in each month, in dollars. */
  readonly months: ReadonlyArray<number>
  /** Indexes of the months at whose end something is forgiven. */
  readonly forgivenIn: ReadonlyArray<number>
  readonly highestPayment: number
  /** Index of the first month in which it is paid. */
  readonly highestMonth: number
  /** Paid plus tax, in dollars. */
  readonly cost: number
  readonly presentValue: number
  /** Paid beyond today's debt, in dollars; below 0 where less than it is paid. */
  readonly beyondDebt: number
  /** Of plans that take a share of the income above an amount: both, in the first year. */
  readonly incomeShare: IncomeShare | undefined
  /** The first year in which the income reaches a higher band of RAP; undefined if none. */
  readonly nextBand: NextBand | undefined
  /** The same plan with the extra payment of each month; undefined if none is typed. */
  readonly withExtra: Projection | undefined
  readonly notes: ReadonlyArray<LineNote>
  /** The plans of the loans that it cannot take. */
  readonly beside: ReadonlyArray<EnginePlan>
}

/** Why a plan is not open. Loans are named by their index in the draft, and only if it is known which one is meant. */
export type Reason =
  | Exclude<Obstacle, { readonly _tag: "ByDate" }>
  | DateObstacle
  | Extract<Exclusion, { readonly _tag: "Vacated" | "OnlyNewLoans" }>

export interface ClosedPlan {
  readonly planType: EnginePlan
  readonly reasons: ReadonlyArray<Reason>
}

const isOfCount = ({ _tag }: Reason): boolean => _tag === "ServiceDone" || _tag === "TimeServed"

/** It would forgive a loan now, if the count that was typed is right: it is not closed, but done. */
const isDone = ({ reasons }: ClosedPlan): boolean => reasons.some(isOfCount)

/** Something to be said of the book. */
export type Remark =
  /** A rate that no federal loan has, as it was typed perhaps by mistake; `loan` counts from 1. */
  | { readonly _tag: "OddRate"; readonly loan: number; readonly rate: number }
  /** Public-service payments are counted, but the borrower does not say that public service goes on. */
  | { readonly _tag: "NotServing" }

export interface BookAnswer {
  readonly lines: ReadonlyArray<Line>
  /** Plans that would forgive a loan before any payment. */
  readonly done: ReadonlyArray<ClosedPlan>
  readonly closed: ReadonlyArray<ClosedPlan>
  readonly remarks: ReadonlyArray<Remark>
  /** Index in the draft of each loan of the figures, which count no empty ones. */
  readonly indexes: ReadonlyArray<number>
  /** Principal and unpaid interest of today, in dollars. */
  readonly owed: number
  readonly assumes: Assumptions
  /** The day on which PAYE and ICR end. */
  readonly closesOn: string
  /** The instant at which the month of the first payment begins. */
  readonly firstMonth: string
  /** Names of the rules and omissions that the figures of the lines name by id. */
  readonly labels: Readonly<Record<string, string>>
}

const workspace = makeWorkspace()

/**
 * What the payments and the tax are worth on the day of the first payment, if money grows by `discount` a year. The tax is
 * due when the balance is forgiven.
 */
const presentValueOf = (months: Float64Array, tax: number, discount: number): number => {
  const month = (1 + discount) ** (-1 / MONTHS_PER_YEAR)
  let worth = 1
  let value = 0
  for (const paid of months) {
    value += paid * worth
    worth *= month
  }
  return fromCents(toCents(value + (tax * worth) / month))
}

/** Plans whose payments do not count for public service. @rule pslf-qualifying-plans */
const UNCERTIFIED: ReadonlyArray<EnginePlan> = ["EXTENDED", "GRADUATED", TIERED_STANDARD]

const notesOf = (
  plan: Plan,
  filing: FilingStatus,
  book: ReadBook,
  { amountForgiven, citations }: Projection
): ReadonlyArray<LineNote> => {
  const found: ReadonlyArray<readonly [LineNote, boolean]> = [
    ["ends", citations.includes(END_OF_PLANS)],
    ["beside", citations.includes(LOANS_OUTSIDE_PLAN)],
    ["hardship", plan.planType === "PAY AS YOU EARN"],
    ["uncertified", book.household.workingTowardsPslf && UNCERTIFIED.includes(plan.planType)],
    ["shortened", citations.includes(MONTHS_BEHIND_PLAN)],
    ["grows", amountForgiven > owedOf(book)],
    ["apart", plan.kind === "income-driven" && book.filings.length > 1 && filing === book.filings[1]]
  ]
  return [...dateNotes(plan.planType, book.history), ...found.flatMap(([note, holds]) => (holds ? [note] : []))]
}

const requestOf = (book: ReadBook, planType: EnginePlan, filingStatus: FilingStatus, extraMonthlyPayment = 0) => ({
  scenario: { ...book.household, planType, filingStatus, extraMonthlyPayment },
  loans: book.loans,
  includeYearly: true
})

/** A reason that names a loan as the draft counts it. Which loan the tick is about is not known, so it is not named. */
const shown = (reason: DateObstacle, { indexes, ticked }: ReadBook): DateObstacle => {
  if (!("by" in reason) || reason.by === null) return reason
  return { ...reason, by: reason.by === ticked ? null : indexes[reason.by]! }
}

/**
 * What no projection refuses: a plan that nobody can elect any more, and one of Standard and Tiered Standard, because
 * STANDARD of a borrower with a new loan is Tiered Standard for Direct loans.
 * @rule save-vacatur, new-loan-plans-2026-07
 */
const closedByLaw = ({ asNew, onlyNewLoans, planType }: Plan, book: ReadBook): ReadonlyArray<Reason> => {
  const { history, loans } = book
  if (CLOSED_PLANS.includes(planType)) return [{ _tag: "Vacated" }]
  if (onlyNewLoans && history?.isNew !== true) return [{ _tag: "OnlyNewLoans" }]
  if (asNew === planType || history === undefined) return []
  return loans.flatMap((loan) => {
    const traits = currentLaw.traitsOf[loan.loanType]
    const reason = isEmpty(loan) ? undefined : dateObstacle(currentLaw, { planType, asNew: planType }, traits, history)
    return reason === undefined ? [] : [shown(reason, book)]
  })
}

/** STANDARD, which for Direct loans beside a new one is Tiered Standard. @rule loans-outside-the-plan, new-loan-plans-2026-07 */
const besideOf = ({ history, loans }: ReadBook, { outside }: Projection): ReadonlyArray<EnginePlan> => {
  const isTiered = (position: number) =>
    history?.isNew === true && currentLaw.traitsOf[loans[position]!.loanType].direct
  return [...new Set(outside?.loans.map((position) => (isTiered(position) ? TIERED_STANDARD : "STANDARD")))]
}

const owedOf = ({ loans }: ReadBook): number =>
  fromCents(loans.reduce((cents, loan) => cents + toCents(loan.principalBalance) + toCents(loan.interestBalance), 0))

/** Principal and unpaid interest of today, in dollars, as a projection rounds them. */
export const owedToday = ({ yearly }: Projection): readonly [principal: number, interest: number] => {
  const opening = yearly?.[0]
  return [opening?.principalBalance ?? 0, opening?.interestBalance ?? 0]
}

const beyondDebtOf = (figures: Projection): number => {
  const [principal, interest] = owedToday(figures)
  return fromCents(toCents(figures.totalOutOfPocket) - toCents(principal) - toCents(interest))
}

/** The figures of a line hold no extra payment, so that both can be shown next to each other. */
const withExtraOf = (plan: Plan, filing: FilingStatus, book: ReadBook, start: StartMonth): Projection | undefined => {
  const extra = book.household.extraMonthlyPayment ?? 0
  if (extra === 0) return undefined
  const figures = project(currentLaw, requestOf(book, plan.planType, filing, extra), start, workspace)
  return figures._tag === "Refusal" ? undefined : figures
}

const NO_DEBT = { own: 0, directPrincipal: 0, ffelPrincipal: 0 }

/** The household of the first year, for what does not depend on its debts. */
const householdOf = (filingStatus: FilingStatus, { household }: ReadBook): Household =>
  new Household(currentLaw, { ...household, filingStatus }, NO_DEBT)

/** @rule ibr-new-terms, ibr-old-terms, paye-terms */
const shareTermsOf = (planType: EnginePlan) => {
  if (planType === "INCOME BASED") return currentLaw.read(ibrNewTerms)
  if (planType === "INCOME BASED (OLD)") return currentLaw.read(ibrOldTerms)
  return planType === "PAY AS YOU EARN" ? currentLaw.read(payeTerms) : undefined
}

/** @rule idr-family-size, poverty-guideline-* */
const incomeShareOf = ({ planType }: Plan, filing: FilingStatus, book: ReadBook): IncomeShare | undefined => {
  const terms = shareTermsOf(planType)
  if (terms === undefined) return undefined
  const { paymentRate, povertyMultiple } = terms
  const { guideline } = householdOf(filing, book)
  return { rate: paymentRate, above: fromCents(toCents(povertyMultiple * guideline)) }
}

/**
 * Why a payment under RAP jumps while the income grows evenly: it reaches a band with a higher share. Later changes of the
 * household are not followed.
 * @rule rap-base-payment-bands, idr-annual-recalculation
 */
const nextBandOf = ({ planType }: Plan, filing: FilingStatus, book: ReadBook, months: number): NextBand | undefined => {
  if (planType !== "REPAYMENT ASSISTANCE" || (book.household.changes ?? []).length > 0) return undefined
  const { bands } = currentLaw.read(rapBasePaymentBands)
  const household = householdOf(filing, book)
  const bandOf = (year: number) => {
    household.enter(year)
    return bands.find(({ notOver }) => notOver === null || forThreshold(household.income) <= notOver)!
  }
  const first = bandOf(0)
  for (let year = 1; year * MONTHS_PER_YEAR < months; year++) {
    const band = bandOf(year)
    if (band !== first && "rate" in band && "rate" in first && band.over !== null)
      return { month: year * MONTHS_PER_YEAR, over: band.over, before: first.rate, rate: band.rate }
  }
  return undefined
}

/** The book under one plan, or why it is closed to every loan. */
const lineOf = (plan: Plan, filing: FilingStatus, book: ReadBook, start: StartMonth): Line | ReadonlyArray<Reason> => {
  const request = requestOf(book, plan.planType, filing)
  const figures = project(currentLaw, request, start, workspace)
  if (figures._tag === "Refusal") {
    return figures.loans.map(({ obstacle }) => (obstacle._tag === "ByDate" ? shown(obstacle.reason, book) : obstacle))
  }
  const count = (figures.monthsToFinish ?? GUARD_MONTHS - 1) + 1
  const months = monthlyPayments(currentLaw, request, start, count, workspace)
  if ("_tag" in months) throw new RangeError("a projection without months")
  const forgivenIn =
    figures.amountForgiven === 0 ? [] : monthsOfForgiveness(currentLaw, request, start, count, workspace)
  if ("_tag" in forgivenIn) throw new RangeError("a projection without months")
  const highest = months.reduce((most, paid) => Math.max(most, paid), 0)
  return {
    key: `${plan.planType}/${filing}`,
    planType: plan.planType,
    filing: plan.kind === "income-driven" && book.filings.length > 1 ? filing : null,
    figures,
    months: Array.from(months),
    forgivenIn,
    highestPayment: fromCents(toCents(highest)),
    highestMonth: months.indexOf(highest),
    cost: fromCents(costCents(figures)),
    presentValue: presentValueOf(months, figures.forgivenessTaxesOwed, book.discount),
    beyondDebt: beyondDebtOf(figures),
    incomeShare: incomeShareOf(plan, filing, book),
    nextBand: nextBandOf(plan, filing, book, count),
    withExtra: withExtraOf(plan, filing, book, start),
    notes: notesOf(plan, filing, book, figures),
    beside: besideOf(book, figures)
  }
}

const isLine = (one: Line | ReadonlyArray<Reason>): one is Line => "key" in one

/** One reason said twice, of two loans of a type, is said once. */
const distinct = (reasons: ReadonlyArray<Reason>): ReadonlyArray<Reason> => [
  ...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()
]

const labelsOf = (lines: ReadonlyArray<Line>): Readonly<Record<string, string>> => {
  const ids = (of: "citations" | "omissions") => [...new Set(lines.flatMap(({ figures }) => figures[of]))]
  return Object.fromEntries([
    ...ids("citations").map((id) => [id, ruleById(id).label]),
    ...ids("omissions").map((id) => [id, omissionById(id).label])
  ])
}

const servesAnyYear = ({ changes, workingTowardsPslf }: ReadBook["household"]): boolean =>
  workingTowardsPslf || (changes ?? []).some((change) => change.workingTowardsPslf === true)

/** No federal loan was made at a higher rate. Above it, one that was typed is probably a slip. */
const HIGHEST_RATE = 0.15

const remarksOf = ({ household, indexes, loans }: ReadBook): ReadonlyArray<Remark> => [
  ...(loans.some(({ pslfCount }) => pslfCount > 0) && !servesAnyYear(household)
    ? [{ _tag: "NotServing" } as const]
    : []),
  ...loans.flatMap(
    ({ interestRate }, position): ReadonlyArray<Remark> =>
      interestRate > HIGHEST_RATE || isOddRate(interestRate)
        ? [{ _tag: "OddRate", loan: indexes[position]! + 1, rate: interestRate }]
        : []
  )
]

const isPaidOn = ({ idrMonthsInRepayment, pslfCount }: Loan): boolean => idrMonthsInRepayment + pslfCount > 0

export const answerOf = (book: ReadBook, start: StartMonth): BookAnswer => {
  const lines: Array<Line> = []
  const closed: Array<ClosedPlan> = []
  for (const plan of CALCULATOR_PLANS) {
    const byLaw = closedByLaw(plan, book)
    const filings = plan.kind === "fixed" ? book.filings.slice(0, 1) : book.filings
    const found = byLaw.length === 0 ? filings.map((filing) => lineOf(plan, filing, book, start)) : [byLaw]
    lines.push(...found.filter(isLine))
    if (!found.some(isLine))
      closed.push({ planType: plan.planType, reasons: distinct(found.flatMap((one) => (isLine(one) ? [] : one))) })
  }
  return {
    lines,
    done: closed.filter(isDone),
    closed: closed.filter((plan) => !isDone(plan)),
    remarks: remarksOf(book),
    indexes: book.indexes,
    owed: owedOf(book),
    assumes: {
      incomeGrowth: book.household.annualIncomeGrowth,
      priceGrowth: book.household.annualPriceGrowth ?? 0,
      changes: (book.household.changes ?? []).length,
      extra: book.household.extraMonthlyPayment ?? 0,
      isPaid: book.loans.some(isPaidOn),
      hasInterest: book.loans.some(({ interestBalance }) => interestBalance > 0)
    },
    closesOn: currentLaw.read(idrSunsetDefault).endsOn,
    firstMonth: dateOfMonth(start, 0),
    labels: labelsOf(lines)
  }
}
