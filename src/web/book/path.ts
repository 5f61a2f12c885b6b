/**
 * The change of plan that costs less than the best plan alone, and what happens to a borrower who
 * does nothing.
 */
import { saveVacatur } from "../../../ledger/rules/save.ts"
import type { FilingStatus, PlanType } from "../../../schema/scenario.ts"
import {
  type BestPath,
  bestPath,
  costCents,
  currentLaw,
  type EnginePlan,
  endOf,
  explain,
  fromCents,
  indexOfMonth,
  isEmpty,
  monthByMonth,
  type Path,
  planOf,
  project,
  type StartMonth,
  TIERED_STANDARD,
  toCents
} from "../../engine/index.ts"
import { notRefused, requestOf, withoutCounts, workspace } from "./asking.ts"
import { closedByCounts, dateNotes } from "./dates.ts"
import type { Line } from "./line.ts"
import { pausedOf } from "./pauses.ts"
import type { ReadBook } from "./reading.ts"

/** A search of more loans would take too long between two keys. */
const MAX_LOANS = 10
/** A change is worth a borrower's trouble from so much on. */
const LEAST_SAVED = { dollars: 500, share: 0.01 }

const isWorth = (saved: number, cost: number): boolean =>
  saved >= Math.max(LEAST_SAVED.dollars, LEAST_SAVED.share * cost)

/** A time on one plan: its first month, as an index, and what is paid in it, in dollars. */
interface Stage {
  readonly plan: EnginePlan
  readonly month: number
  readonly payment: number
}

/** A plan, and a later change to another. */
export interface CheaperPath {
  readonly plans: readonly [EnginePlan, EnginePlan]
  /** Both plans, and the one to which the law moves the borrower when one of them ends. */
  readonly stages: ReadonlyArray<Stage>
  /** In dollars. */
  readonly highestPayment: number
  /** Index of the first month under the second plan. */
  readonly month: number
  /** The last month tried in which the change costs the same, as an index. */
  readonly latestMonth: number
  /** The return, if it makes a difference; else null. */
  readonly filing: FilingStatus | null
  /** Paid plus tax, in dollars. */
  readonly cost: number
  readonly tax: number
  readonly saved: number
  /** The plan alone that it is compared with, and whether that is the borrower's plan now. */
  readonly against: EnginePlan
  readonly isStaying: boolean
  readonly endsOn: string
  readonly forgiven: number
  readonly isService: boolean
  /** The number of paths that were projected. */
  readonly tried: number
}

/** What happens to a borrower who does nothing: nothing else is known to end or to begin. */
export interface Nothing {
  readonly reason: "vacated" | "ends" | "begins"
  readonly plan: EnginePlan
  /** First payments and costs, the lowest and the highest: the counted months may shorten the new plan or not. */
  readonly payments: readonly [number, number]
  /** Null if public service counts, because a new term keeps its counted payments. */
  readonly costs: readonly [number, number] | null
  /** The return, if it makes a difference; else null. */
  readonly filing: FilingStatus | null
  /** Months that count toward the new plan's term, if that is what makes the difference; else 0. */
  readonly counted: number
  /** The plan to which a change in time costs less, what it saves, and the last month tried; undefined if none. */
  readonly better: (Stage & { readonly saved: number; readonly latestMonth: number }) | undefined
}

const plansOf = ({ planChanges, planType }: Path): ReadonlyArray<PlanType> => [
  planType,
  ...planChanges.map((change) => change.planType)
]

/** Whether a borrower can surely have the plan: its tests are known to hold. */
const isSure = (planType: EnginePlan, book: ReadBook, start: StartMonth): boolean =>
  planType !== "PAY AS YOU EARN" &&
  dateNotes(planType, book, start).length === 0 &&
  closedByCounts(planType, book, start) === undefined

const isVacated = (plan: EnginePlan): boolean =>
  (currentLaw.read(saveVacatur).notElectable as ReadonlyArray<string>).includes(plan)

/** The plan that every path begins with. A plan that has ended must be left at once, so any other may come first. */
const firstPlanOf = ({ currentPlan }: ReadBook): PlanType | null =>
  currentPlan === null || isVacated(currentPlan) ? null : currentPlan

const searched = (book: ReadBook, filing: FilingStatus, start: StartMonth): BestPath | undefined => {
  const currentPlan = firstPlanOf(book)
  const request = { ...requestOf(book, "STANDARD", filing), loans: book.loans, currentPlan }
  const found = bestPath(currentLaw, request, start, workspace)
  return found._tag === "Refusal" ? undefined : found
}

interface OnReturn {
  readonly filing: FilingStatus
  readonly path: Path
  readonly tried: number
}

const cheapest = (all: ReadonlyArray<OnReturn>): OnReturn | undefined =>
  all.toSorted((one, other) => one.path.cost - other.path.cost)[0]

const isTieredFor = ({ history, loans }: Pick<ReadBook, "history" | "loans">): boolean =>
  history?.isNew === true && loans.some((loan) => !isEmpty(loan) && currentLaw.traitsOf[loan.loanType].direct)

/** The plan as the page names it: STANDARD of Direct loans is Tiered Standard for who has a new one. */
export const named = (plan: EnginePlan, book: Pick<ReadBook, "history" | "loans">): EnginePlan =>
  plan === "STANDARD" && isTieredFor(book) ? TIERED_STANDARD : plan

/** @rule idr-sunset-default */
const paymentsOf = (
  book: ReadBook,
  { planChanges, planType, projection }: Path,
  change: Path["planChanges"][number],
  filing: FilingStatus,
  start: StartMonth
): Pick<CheaperPath, "highestPayment" | "stages"> => {
  const { scenario, ...asked } = requestOf(book, planType, filing)
  const request = { ...asked, scenario: { ...scenario, planChanges } }
  const month = indexOfMonth(start, change.from)
  const end = endOf(currentLaw, planOf("PAY AS YOU EARN"), start)
  const { parts } = notRefused(explain(currentLaw, request, start, end, workspace))
  const moved = parts.find(({ group, loans }) => group === "successor" && loans.length > 0)?.planType
  const months = Math.max(month, end, projection.monthsToFinish ?? 0) + 1
  const { paid } = notRefused(monthByMonth(currentLaw, request, start, months, workspace))
  const paused = pausedOf(book, start)
  const stages = [
    // A pause may last longer than the first plan.
    { plan: named(planType, book), month: paused < month ? paused : 0 },
    { plan: named(change.planType, book), month },
    ...(moved === undefined || end === month ? [] : [{ plan: named(moved, book), month: end }])
  ]
  const paidIn = (payment: number | undefined) => fromCents(toCents(payment ?? 0))
  return {
    stages: stages
      .map((stage) => ({ ...stage, payment: paidIn(paid[stage.month]) }))
      .toSorted((one, other) => one.month - other.month),
    highestPayment: paidIn(Math.max(...paid))
  }
}

/** The cheapest path over both returns, if it changes the plan and saves enough. */
export const cheaperPath = (book: ReadBook, start: StartMonth): CheaperPath | undefined => {
  if (book.loans.length > MAX_LOANS) return undefined
  const current = firstPlanOf(book)
  const open = book.filings.flatMap((filing): ReadonlyArray<OnReturn> => {
    const { paths = [], projected = 0 } = searched(book, filing, start) ?? {}
    const isOpen = (path: Path) => plansOf(path).every((plan) => plan === current || isSure(plan, book, start))
    return paths.filter(isOpen).map((path) => ({ filing, path, tried: projected }))
  })
  const best = cheapest(open)
  const without = cheapest(open.filter(({ path }) => path.planChanges.length === 0))?.path
  const [change] = best?.path.planChanges ?? []
  if (best === undefined || without === undefined || change === undefined) return undefined
  const { filing, path, tried } = best
  const saved = fromCents(toCents(without.cost) - toCents(path.cost))
  if (!isWorth(saved, without.cost)) return undefined
  const { projection } = path
  return {
    plans: [named(path.planType, book), named(change.planType, book)],
    month: indexOfMonth(start, change.from),
    latestMonth: indexOfMonth(start, path.latestFrom ?? change.from),
    filing: book.filings.length > 1 ? filing : null,
    ...paymentsOf(book, path, change, filing, start),
    cost: path.cost,
    tax: projection.forgivenessTaxesOwed,
    saved,
    against: named(without.planType, book),
    isStaying: without.planType === current,
    endsOn: projection.payoffOrForgivenessDate!,
    forgiven: projection.amountForgiven,
    isService: projection.forgivenessType === "Pslf",
    tried
  }
}

/** The path measured against the cheapest plan alone; undefined if it does not cost enough less. */
export const pathShown = (
  path: CheaperPath | undefined,
  lines: ReadonlyArray<Line>,
  { currentPlan }: ReadBook
): CheaperPath | undefined => {
  const [least] = lines.toSorted((one, other) => one.cost - other.cost)
  if (path === undefined || least === undefined) return undefined
  const saved = fromCents(toCents(least.cost) - toCents(path.cost))
  if (!isWorth(saved, least.cost)) return undefined
  return { ...path, saved, against: least.planType, isStaying: least.planType === currentPlan }
}

/** STANDARD with the counted months, and with a new term. */
const standardOf = (book: ReadBook, start: StartMonth) =>
  [book.loans, withoutCounts(book.loans)].flatMap((loans) => {
    const outcome = project(currentLaw, { ...requestOf(book, "STANDARD", book.filings[0]), loans }, start, workspace)
    return outcome._tag === "Refusal" ? [] : [outcome]
  })

const ordered = (amounts: ReadonlyArray<number>): readonly [number, number] => [
  Math.min(...amounts),
  Math.max(...amounts)
]

const hasCounts = ({ idrMonthsInRepayment, pslfCount }: ReadBook["loans"][number]): boolean =>
  idrMonthsInRepayment + pslfCount > 0

/** Undefined if nothing is known to end or to begin. @rule save-vacatur, idr-sunset-default */
export const nothingOf = (
  book: ReadBook,
  lines: ReadonlyArray<Line>,
  path: CheaperPath | undefined,
  start: StartMonth
): Nothing | undefined => {
  const { currentPlan } = book
  const isSchool = (book.household.pauses ?? []).some(({ kind }) => kind === "InSchool")
  const isLeft = currentPlan !== null && isVacated(currentPlan)
  if (isLeft || (isSchool && currentPlan === null)) {
    const found = standardOf(book, start)
    if (found.length === 0) return undefined
    return {
      reason: isLeft ? "vacated" : "begins",
      plan: named("STANDARD", book),
      payments: ordered(found.map(({ firstMonthPayment }) => firstMonthPayment)),
      costs: book.loans.some(({ pslfCount }) => pslfCount > 0)
        ? null
        : ordered(found.map((one) => fromCents(costCents(one)))),
      filing: null,
      counted: Math.max(...book.loans.map((loan) => Math.max(loan.idrMonthsInRepayment, loan.pslfCount))),
      better: undefined
    }
  }
  const line = lines.find(({ planType }) => planType === currentPlan)
  const [successor] = line?.successors ?? []
  if (line === undefined || successor === undefined) return undefined
  const end = endOf(currentLaw, planOf(line.planType), start)
  const then = line.months[Math.max(end, line.paused)] ?? 0
  // A fixed term that counted months shorten is the servicer's to say.
  const isSaid = path?.isStaying && (planOf(path.plans[1]).kind !== "fixed" || !book.loans.some(hasCounts))
  const better =
    path !== undefined && isSaid
      ? {
          plan: path.plans[1],
          month: path.month,
          payment: path.stages.find(({ month }) => month === path.month)?.payment ?? 0,
          saved: path.saved,
          latestMonth: path.latestMonth
        }
      : undefined
  return {
    reason: "ends",
    plan: successor,
    payments: [then, then],
    costs: [line.cost, line.cost],
    filing: line.filing,
    counted: 0,
    better
  }
}
