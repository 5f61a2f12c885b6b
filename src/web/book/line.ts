/**
 * The book under one plan, on one return. It has the engine's figures, and two that no answer of
 * the service has: the highest payment and the present value.
 */
import { ibrNewTerms, ibrOldTerms } from "../../../ledger/rules/income-based.ts"
import { payeTerms } from "../../../ledger/rules/pay-as-you-earn.ts"
import { rapBasePaymentBands } from "../../../ledger/rules/repayment-assistance.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import {
  type ChangeReason,
  costCents,
  currentLaw,
  type DateObstacle,
  type EnginePlan,
  type Exclusion,
  forThreshold,
  fromCents,
  GUARD_MONTHS,
  Household,
  indexOfMonth,
  MONTHS_PER_YEAR,
  monthByMonth,
  type Obstacle,
  type Plan,
  type Projection,
  project,
  type StartMonth,
  TIERED_STANDARD,
  toCents
} from "../../engine/index.ts"
import { notRefused, requestOf, scenarioOf, withoutCounts, workspace } from "./asking.ts"
import { isShown } from "./numbers.ts"
import { pausedOf, resumes } from "./pauses.ts"
import type { ReadBook } from "./reading.ts"
import { type Standing, standingOf } from "./standing.ts"

/** A band of RAP that a growing income reaches. */
export interface NextBand {
  /** Index of the first month in this band. */
  readonly month: number
  /** The income above which it begins, in dollars. */
  readonly over: number
  /** Shares of the income, as fractions. */
  readonly before: number
  readonly rate: number
}

/** A step of RAP just below the income. */
export interface Edge {
  /** The income up to which the payment is lower, and by how much a month, in dollars. */
  readonly over: number
  readonly less: number
}

/** A share, as a fraction, of the income above an amount in dollars. */
export interface IncomeShare {
  readonly rate: number
  readonly above: number
}

/** A change of plan as it was tried. */
export type Changed =
  | { readonly _tag: "Figures"; readonly cost: number; readonly firstPayment: number; readonly endsOn: string | null }
  /** The plan before it has ended by then. */
  | { readonly _tag: "Over" }
  | { readonly _tag: "Refused"; readonly reason: ChangeReason["_tag"] | "TakesNone" }

/** The book under a plan, on a return. */
export interface Line extends Standing {
  /** Identifies the line. */
  readonly key: string
  readonly planType: EnginePlan
  /** The name of a line that has one of its own. */
  readonly label?: string | null
  readonly isByIncome: boolean
  /** The return, if it makes a visible difference; else null. */
  readonly filing: FilingStatus | null
  readonly figures: Projection
  /** Paid in each month, in dollars. */
  readonly months: ReadonlyArray<number>
  /** The months before the first one that is due. */
  readonly paused: number
  /** Whether some loans are due later than others. */
  readonly resumes: boolean
  /** Indexes of the months that end with a forgiveness of half a dollar or more, or else of any amount. */
  readonly forgivenIn: ReadonlyArray<number>
  /** The same, including months in which less is forgiven. */
  readonly forgivenInAll: ReadonlyArray<number>
  readonly highestPayment: number
  /** Index of the first month with the highest payment. */
  readonly highestMonth: number
  /** Paid plus tax, in dollars. */
  readonly cost: number
  readonly presentValue: number
  /** Paid beyond today's debt, in dollars; negative if less than the debt is paid. */
  readonly beyondDebt: number
  /** The share of income and the amount above which it is taken, in the first year. */
  readonly incomeShare: IncomeShare | undefined
  /** The first year in which the income reaches a higher band of RAP; undefined if none. */
  readonly nextBand: NextBand | undefined
  /** A step of RAP just below the income; undefined if there is none. */
  readonly edge: Edge | undefined
  /** The first payment if no counted month shortens the term; undefined if none does. */
  readonly ofNewTerm: number | undefined
  /** The same plan with what is paid beyond what is due; undefined if nothing is typed. */
  readonly withExtra: Pick<Line, "cost" | "figures" | "paused"> | undefined
  /** The same plan with the change that the borrower tries; undefined if none is chosen. */
  readonly withChange: Changed | undefined
  /** The plans of the loans that this plan cannot take. */
  readonly beside: ReadonlyArray<EnginePlan>
}

/** The reason why a plan is not open. It names a loan by its index in the draft, if that loan is known. */
export type Reason =
  | Exclude<Obstacle, { readonly _tag: "ByDate" }>
  | DateObstacle
  | Extract<Exclusion, { readonly _tag: "Vacated" | "OnlyNewLoans" }>
  /** The plan ends before the first payment. */
  | { readonly _tag: "EndsFirst" }

/**
 * The value of the payments and the tax on the day of the first payment, if money grows by
 * `discount` a year. The tax is due at forgiveness.
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

/** Names the loan of a reason by its index in the draft. The tick names no loan, so its loan has no name. */
export const shown = (reason: DateObstacle, { indexes, ticked }: ReadBook): DateObstacle => {
  if (!("by" in reason) || reason.by === null) return reason
  return { ...reason, by: reason.by === ticked ? null : indexes[reason.by]! }
}

/** STANDARD; for Direct loans of a book with a new loan, Tiered Standard. @rule loans-outside-the-plan, new-loan-plans-2026-07 */
const besideOf = ({ history, loans }: ReadBook, { outside }: Projection): ReadonlyArray<EnginePlan> => {
  const isTiered = (position: number) =>
    history?.isNew === true && currentLaw.traitsOf[loans[position]!.loanType].direct
  return [...new Set(outside?.loans.map((position) => (isTiered(position) ? TIERED_STANDARD : "STANDARD")))]
}

/** Today's principal and unpaid interest, in dollars, as a projection rounds them. */
export const owedToday = ({ yearly }: Projection): readonly [principal: number, interest: number] => {
  const opening = yearly?.[0]
  return [opening?.principalBalance ?? 0, opening?.interestBalance ?? 0]
}

const costOf = (figures: Projection): number => fromCents(costCents(figures))

const beyondDebtOf = (figures: Projection): number => {
  const [principal, interest] = owedToday(figures)
  return fromCents(toCents(figures.totalOutOfPocket) - toCents(principal) - toCents(interest))
}

/** A separate projection, so that the page can show both side by side. */
const withExtraOf = (plan: Plan, filing: FilingStatus, book: ReadBook, start: StartMonth): Line["withExtra"] => {
  const { extraMonthlyPayment, lumpSums, monthlyBudget } = book.household
  if (!extraMonthlyPayment && !monthlyBudget && !lumpSums?.length) return undefined
  const figures = project(currentLaw, requestOf(book, plan.planType, filing, book.household), start, workspace)
  return figures._tag === "Refusal" ? undefined : { figures, cost: costOf(figures), paused: pausedOf(book, start) }
}

const withChangeOf = (plan: Plan, filing: FilingStatus, book: ReadBook, start: StartMonth): Line["withChange"] => {
  const { ownChange } = book
  if (ownChange === null) return undefined
  const { scenario, ...asked } = requestOf(book, plan.planType, filing)
  const month = indexOfMonth(start, ownChange.from)
  // A draft that was kept for long may name a month that is over.
  if (month < 0) return undefined
  const { loans } = month === 0 ? requestOf(book, ownChange.planType, filing) : asked
  const request = { ...asked, loans, scenario: { ...scenario, planChanges: [ownChange] } }
  const figures = project(currentLaw, request, start, workspace)
  if (figures._tag === "Refusal") return { _tag: "Refused", reason: figures.reason?._tag ?? "TakesNone" }
  const last = figures.monthsToFinish ?? GUARD_MONTHS
  if (last < month) return { _tag: "Over" }
  const { paid } = notRefused(monthByMonth(currentLaw, request, start, month + 1, workspace))
  const firstPayment = fromCents(toCents(paid[month] ?? 0))
  return { _tag: "Figures", cost: costOf(figures), firstPayment, endsOn: figures.payoffOrForgivenessDate }
}

/** The household of the first year. */
const householdOf = (filing: FilingStatus, book: ReadBook): Household => {
  const first = new Household(currentLaw, scenarioOf(book, filing))
  first.enter(0)
  return first
}

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
 * The reason why a payment under RAP jumps while income grows evenly: the income reaches a band
 * with a higher share. Ignores later changes of the household.
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

/** An income so little above a band of RAP is worth a word, in dollars. */
const NEAR = 1000

/** @rule rap-base-payment-bands */
const edgeOf = ({ planType }: Plan, filing: FilingStatus, book: ReadBook, start: StartMonth): Edge | undefined => {
  if (planType !== "REPAYMENT ASSISTANCE") return undefined
  const { income } = householdOf(filing, book)
  const near = (over: number | null) => over !== null && income > over && income - over <= NEAR
  const over = currentLaw.read(rapBasePaymentBands).bands.find((band) => near(band.over))?.over ?? 0
  const own = scenarioOf(book, filing)
  const adjustedGrossIncome = own.adjustedGrossIncome - (income - over)
  if (over === 0 || adjustedGrossIncome < 0) return undefined
  const { separately: _, ...alone } = book
  const firstOf = (household: ReadBook["household"]) => {
    const figures = project(currentLaw, requestOf({ ...alone, household }, planType, filing), start, workspace)
    return figures._tag === "Refusal" ? 0 : figures.firstMonthPayment
  }
  const less = firstOf(own) - firstOf({ ...own, adjustedGrossIncome })
  return less < 1 ? undefined : { over, less }
}

/**
 * The months of forgiveness that are shown. A year counts if its figure is half a dollar or more.
 * In such a year, the months with half a dollar or more count, or all months if there is none. The
 * months alone do not show whether a year counts, because the years' figures are rounded to add up.
 */
const shownMonths = (
  yearly: Projection["yearly"],
  forgivenIn: ReadonlyArray<number>,
  forgiven: Float64Array
): ReadonlyArray<number> =>
  yearly!.flatMap(({ forgivenThisYear, year }) => {
    if (!isShown(forgivenThisYear)) return []
    const months = forgivenIn.filter((month) => Math.floor(month / MONTHS_PER_YEAR) === year - 1)
    const shown = months.filter((month) => isShown(forgiven[month]!))
    return shown.length > 0 ? shown : months
  })

/** The line of a plan, or the reasons why the plan is closed to every loan. */
export const lineOf = (
  plan: Plan,
  filing: FilingStatus,
  book: ReadBook,
  start: StartMonth
): Line | ReadonlyArray<Reason> => {
  const request = requestOf(book, plan.planType, filing)
  const figures = project(currentLaw, request, start, workspace)
  if (figures._tag === "Refusal") {
    return figures.loans.map(({ obstacle }) => (obstacle._tag === "ByDate" ? shown(obstacle.reason, book) : obstacle))
  }
  const count = (figures.monthsToFinish ?? GUARD_MONTHS - 1) + 1
  const { forgiven, paid } = notRefused(monthByMonth(currentLaw, request, start, count, workspace))
  const paused = pausedOf(book, start)
  const highest = paid.reduce((most, paid) => Math.max(most, paid), 0)
  const forgivenInAll =
    figures.amountForgiven === 0 ? [] : Array.from(forgiven).flatMap((amount, month) => (amount > 0 ? [month] : []))
  const forgivenIn = shownMonths(figures.yearly, forgivenInAll, forgiven)
  const standing = standingOf({ plan, filing, book, start, figures, request })
  return {
    key: `${plan.planType}/${filing}`,
    planType: plan.planType,
    isByIncome: plan.kind === "income-driven",
    filing: plan.kind === "income-driven" && book.filings.length > 1 ? filing : null,
    figures,
    ...standing,
    months: Array.from(paid),
    paused,
    resumes: resumes(book, start),
    forgivenIn: forgivenIn.length > 0 ? forgivenIn : forgivenInAll,
    forgivenInAll,
    highestPayment: fromCents(toCents(highest)),
    highestMonth: paid.indexOf(highest, paused),
    cost: costOf(figures),
    presentValue: presentValueOf(paid, figures.forgivenessTaxesOwed, book.discount),
    beyondDebt: beyondDebtOf(figures),
    incomeShare: incomeShareOf(plan, filing, book),
    nextBand: nextBandOf(plan, filing, book, count),
    edge: edgeOf(plan, filing, book, start),
    ofNewTerm: standing.notes.includes("shortened")
      ? notRefused(project(currentLaw, { ...request, loans: withoutCounts(book.loans) }, start, workspace))
          .firstMonthPayment
      : undefined,
    withExtra: withExtraOf(plan, filing, book, start),
    withChange: withChangeOf(plan, filing, book, start),
    beside: besideOf(book, figures)
  }
}

export const isLine = (one: Line | ReadonlyArray<Reason>): one is Line => "key" in one
