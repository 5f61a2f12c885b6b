/**
 * Computes the whole book under every plan, for a married borrower on both returns. Some plans are
 * closed, each with reasons. Also makes the remarks about the book.
 */
import { omissionById, ruleById } from "../../../ledger/index.ts"
import { idrSunsetDefault } from "../../../ledger/rules/income-based.ts"
import { pslfTerms } from "../../../ledger/rules/public-service-forgiveness.ts"
import type { Loan } from "../../../schema/loan.ts"
import {
  CALCULATOR_PLANS,
  currentLaw,
  dateObstacle,
  dateOfMonth,
  type EnginePlan,
  isEmpty,
  type Plan,
  type StartMonth
} from "../../engine/index.ts"
import { isOddRate } from "../../messages/notes.ts"
import { CLOSED_PLANS } from "../../messages/plans.ts"
import { closedByCounts, closedByPlan } from "./dates.ts"
import { isLine, type Line, lineOf, type Reason, shown } from "./line.ts"
import { type CheaperPath, cheaperPath, type Nothing, named, nothingOf, pathShown } from "./path.ts"
import { dueFrom, endsFirst, pausedOf } from "./pauses.ts"
import { owedOf, type ReadBook } from "./reading.ts"

/** Assumptions that change the figures, such as growth. The page shows them beside the figures. */
export interface Assumptions {
  /** Rates per year, as fractions. */
  readonly incomeGrowth: number
  readonly priceGrowth: number
  /** The number of later changes of the household. */
  readonly changes: number
  /** Paid each month beyond what is due, in dollars. */
  readonly extra: number
  /** Paid each month in all, in dollars; 0 for what is due. */
  readonly budget: number
  /** A one-time payment, in dollars, and its month as YYYY-MM; null if none is typed. */
  readonly once: { readonly amount: number; readonly on: string } | null
  /** Whether a loan has counted months, and whether one has unpaid interest. */
  readonly isPaid: boolean
  readonly hasInterest: boolean
  /** Whether the borrower earns nothing until the end. */
  readonly isWithoutIncome: boolean
}

export interface ClosedPlan {
  readonly planType: EnginePlan
  readonly reasons: ReadonlyArray<Reason>
}

const isOfCount = ({ _tag }: Reason): boolean => _tag === "ServiceDone" || _tag === "TimeServed"

/** Whether the plan would forgive a loan now, by the typed count. It is then done, not closed. */
const isDone = ({ reasons }: ClosedPlan): boolean => reasons.some(isOfCount)

/** A remark about the book. */
export type Remark =
  /** A rate that no federal loan has, perhaps typed by mistake. `loan` counts from 1. */
  | { readonly _tag: "OddRate"; readonly loan: number; readonly rate: number }
  /** Loans have counted public-service payments, but the borrower has not ticked public service. */
  | { readonly _tag: "NotServing"; readonly isDone: boolean }
  /** The borrower pays later, but the last month without a payment is not chosen. */
  | { readonly _tag: "NoMonth" }

export interface BookAnswer {
  readonly lines: ReadonlyArray<Line>
  /** Plans that would forgive a loan before any payment. */
  readonly done: ReadonlyArray<ClosedPlan>
  readonly closed: ReadonlyArray<ClosedPlan>
  readonly remarks: ReadonlyArray<Remark>
  /** For each loan of the figures, its index in the draft. The draft may have empty loans, too. */
  readonly indexes: ReadonlyArray<number>
  /** Today's principal and unpaid interest, in dollars. */
  readonly owed: number
  readonly assumes: Assumptions
  /** Whether a loan is of a kind that SAVE took. */
  readonly mayBeOnSave: boolean
  /** The day on which PAYE and ICR end. */
  readonly closesOn: string
  /** The start of the first month of the figures. */
  readonly firstMonth: string
  /** The months until the first payment, if all loans are paused. */
  readonly paused: number
  /** Loans that are due later than others: numbers on the page, and the index of the month. */
  readonly later: ReadonlyArray<{ readonly loans: ReadonlyArray<number>; readonly month: number }>
  readonly currentPlan: EnginePlan | null
  /** Whether the borrower works in public service now. */
  readonly isServing: boolean
  readonly isInSchool: boolean
  /** Whether a separate return carries half of both incomes. */
  readonly isHalved: boolean
  readonly nothing: Nothing | undefined
  readonly path: CheaperPath | undefined
  /** The label of each rule and omission in the figures, by its id. */
  readonly labels: Readonly<Record<string, string>>
}

/**
 * Reasons to close a plan that no projection refuses. Nobody can elect some plans anymore. One of Standard and Tiered
 * Standard is closed, because a new loan turns STANDARD of Direct loans into Tiered Standard.
 * @rule save-vacatur, new-loan-plans-2026-07
 */
const closedByLaw = (plan: Plan, book: ReadBook, start: StartMonth): ReadonlyArray<Reason> => {
  const { asNew, onlyNewLoans, planType } = plan
  const { history, loans } = book
  if (CLOSED_PLANS.includes(planType)) return [{ _tag: "Vacated" }]
  if (planType !== book.currentPlan && endsFirst(plan, book, start)) return [{ _tag: "EndsFirst" }]
  if (onlyNewLoans && history?.isNew !== true) return [{ _tag: "OnlyNewLoans" }]
  const known = closedByPlan(planType, book, start) ?? closedByCounts(planType, book, start)
  if (known !== undefined) return [known]
  if (asNew === planType || history === undefined) return []
  return loans.flatMap((loan) => {
    const traits = currentLaw.traitsOf[loan.loanType]
    const reason = isEmpty(loan) ? undefined : dateObstacle(currentLaw, { planType, asNew: planType }, traits, history)
    return reason === undefined ? [] : [shown(reason, book)]
  })
}

/** Removes duplicate reasons, such as those of two loans of one type. */
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

/** @rule pslf-terms */
const PSLF_PAYMENTS = currentLaw.read(pslfTerms).payments

/** No federal loan was made at a higher rate, so a higher one is probably a typing mistake. */
const HIGHEST_RATE = 0.15

const remarksOf = ({ household, indexes, isMonthMissing, loans }: ReadBook): ReadonlyArray<Remark> => [
  ...(isMonthMissing ? [{ _tag: "NoMonth" } as const] : []),
  ...(loans.some(({ pslfCount }) => pslfCount > 0) && !servesAnyYear(household)
    ? [{ _tag: "NotServing", isDone: loans.some(({ pslfCount }) => pslfCount >= PSLF_PAYMENTS) } as const]
    : []),
  ...loans.flatMap(
    ({ interestRate }, position): ReadonlyArray<Remark> =>
      interestRate > HIGHEST_RATE || isOddRate(interestRate)
        ? [{ _tag: "OddRate", loan: indexes[position]! + 1, rate: interestRate }]
        : []
  )
]

const isPaidOn = ({ idrMonthsInRepayment, pslfCount }: Loan): boolean => idrMonthsInRepayment + pslfCount > 0

const laterOf = (book: ReadBook, paused: number, start: StartMonth): BookAnswer["later"] => {
  const due = dueFrom(book, start)
  const months = [...new Set(due)].filter((month) => month !== undefined && month > paused)
  return months.map((month) => ({
    month: month!,
    loans: due.flatMap((one, position) => (one === month ? [book.indexes[position]! + 1] : []))
  }))
}

/** The book under every plan, and the plans that are closed. */
export const linesOf = (book: ReadBook, start: StartMonth) => {
  const lines: Array<Line> = []
  const closed: Array<ClosedPlan> = []
  for (const plan of CALCULATOR_PLANS) {
    const byLaw = closedByLaw(plan, book, start)
    const filings = plan.kind === "fixed" ? book.filings.slice(0, 1) : book.filings
    const found = byLaw.length === 0 ? filings.map((filing) => lineOf(plan, filing, book, start)) : [byLaw]
    lines.push(...found.filter(isLine))
    if (!found.some(isLine))
      closed.push({ planType: plan.planType, reasons: distinct(found.flatMap((one) => (isLine(one) ? [] : one))) })
  }
  return { lines, closed }
}

export const answerOf = (book: ReadBook, start: StartMonth): BookAnswer => {
  const { closed, lines } = linesOf(book, start)
  const paused = pausedOf(book, start)
  const path = cheaperPath(book, start)
  return {
    lines,
    paused,
    later: laterOf(book, paused, start),
    currentPlan: book.currentPlan === null ? null : named(book.currentPlan, book),
    isServing: book.household.workingTowardsPslf,
    isInSchool: (book.household.pauses ?? []).some(({ kind }) => kind === "InSchool"),
    isHalved: book.separately?.adjustedGrossIncome !== undefined,
    nothing: nothingOf(book, lines, path, start),
    path: pathShown(path, lines, book),
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
      budget: book.household.monthlyBudget ?? 0,
      once: book.household.lumpSums?.[0] ?? null,
      isPaid: book.loans.some(isPaidOn),
      hasInterest: book.loans.some(({ interestBalance }) => interestBalance > 0),
      isWithoutIncome:
        book.household.adjustedGrossIncome === 0 &&
        !book.household.changes?.some(({ adjustedGrossIncome }) => adjustedGrossIncome)
    },
    mayBeOnSave: book.loans.some(
      (loan) => !isEmpty(loan) && currentLaw.traitsOf[loan.loanType].eligibility.SAVE !== "closed"
    ),
    closesOn: currentLaw.read(idrSunsetDefault).endsOn,
    firstMonth: dateOfMonth(start, 0),
    labels: labelsOf(lines)
  }
}
