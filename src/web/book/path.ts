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
  fromCents,
  indexOfMonth,
  isEmpty,
  type Path,
  planOf,
  project,
  type StartMonth,
  TIERED_STANDARD,
  toCents
} from "../../engine/index.ts"
import { requestOf, withoutCounts, workspace } from "./asking.ts"
import { closedByCounts, dateNotes } from "./dates.ts"
import type { Line } from "./line.ts"
import type { ReadBook } from "./reading.ts"

/** A search of more loans would take too long between two keys. */
const MAX_LOANS = 10
/** A change is worth a borrower's trouble from so much on. */
const LEAST_SAVED = { dollars: 500, share: 0.01 }

/** A plan, and a later change to another. */
export interface CheaperPath {
  readonly plans: readonly [EnginePlan, EnginePlan]
  /** Index of the first month under the second plan. */
  readonly month: number
  /** The last month tried in which the change costs the same, as an index. */
  readonly latestMonth: number
  /** The return, if it makes a difference; else null. */
  readonly filing: FilingStatus | null
  /** In the first month and in that of the change, in dollars. */
  readonly payments: readonly [number, number]
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
  /** Months that count toward the new plan's term, if that is what makes the difference; else 0. */
  readonly counted: number
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
  const found = bestPath(currentLaw, { ...requestOf(book, "STANDARD", filing), currentPlan }, start, workspace)
  return found._tag === "Refusal" ? undefined : found
}

interface OnReturn {
  readonly filing: FilingStatus
  readonly path: Path
  readonly tried: number
}

const cheapest = (all: ReadonlyArray<OnReturn>): OnReturn | undefined =>
  all.toSorted((one, other) => one.path.cost - other.path.cost)[0]

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
  if (saved < Math.max(LEAST_SAVED.dollars, LEAST_SAVED.share * without.cost)) return undefined
  const { projection } = path
  return {
    plans: [path.planType, change.planType],
    month: indexOfMonth(start, change.from),
    latestMonth: indexOfMonth(start, path.latestFrom ?? change.from),
    filing: book.filings.length > 1 ? filing : null,
    payments: [projection.firstMonthPayment, path.paymentAfterChange ?? 0],
    cost: path.cost,
    tax: projection.forgivenessTaxesOwed,
    saved,
    against: without.planType,
    isStaying: without.planType === current,
    endsOn: projection.payoffOrForgivenessDate!,
    forgiven: projection.amountForgiven,
    isService: projection.forgivenessType === "Pslf",
    tried
  }
}

/** STANDARD with the counted months, and with a new term. */
const standardOf = (book: ReadBook, start: StartMonth) =>
  [book.loans, withoutCounts(book.loans)].flatMap((loans) => {
    const outcome = project(currentLaw, { ...requestOf(book, "STANDARD", book.filings[0]), loans }, start, workspace)
    return outcome._tag === "Refusal" ? [] : [outcome]
  })

const isTieredFor = ({ history, loans }: ReadBook): boolean =>
  history?.isNew === true && loans.some((loan) => !isEmpty(loan) && currentLaw.traitsOf[loan.loanType].direct)

const ordered = (amounts: ReadonlyArray<number>): readonly [number, number] => [
  Math.min(...amounts),
  Math.max(...amounts)
]

/** Undefined if nothing is known to end or to begin. @rule save-vacatur, idr-sunset-default */
export const nothingOf = (
  book: ReadBook,
  lines: ReadonlyArray<Line>,
  paused: number,
  start: StartMonth
): Nothing | undefined => {
  const { currentPlan } = book
  const isSchool = (book.household.pauses ?? []).some(({ kind }) => kind === "InSchool") && paused > 0
  const isLeft = currentPlan !== null && isVacated(currentPlan)
  if (isLeft || (isSchool && currentPlan === null)) {
    const found = standardOf(book, start)
    if (found.length === 0) return undefined
    return {
      reason: isLeft ? "vacated" : "begins",
      plan: isTieredFor(book) ? TIERED_STANDARD : "STANDARD",
      payments: ordered(found.map(({ firstMonthPayment }) => firstMonthPayment)),
      costs: book.loans.some(({ pslfCount }) => pslfCount > 0)
        ? null
        : ordered(found.map((one) => fromCents(costCents(one)))),
      counted: Math.max(...book.loans.map((loan) => Math.max(loan.idrMonthsInRepayment, loan.pslfCount)))
    }
  }
  const line = lines.find(({ planType }) => planType === currentPlan)
  const [successor] = line?.successors ?? []
  if (line === undefined || successor === undefined) return undefined
  const end = endOf(currentLaw, planOf(line.planType), start)
  const then = line.months[end] ?? 0
  return { reason: "ends", plan: successor, payments: [then, then], costs: [line.cost, line.cost], counted: 0 }
}
