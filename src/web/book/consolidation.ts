/**
 * "What if I consolidated?": computes the book with a new Direct Consolidation Loan like any other
 * book, and lists the losses and gains of the borrower.
 */
import { idrSubsidizedInterestMonths } from "../../../ledger/rules/interest.ts"
import { newLoanPlans202607 } from "../../../ledger/rules/new-loans.ts"
import { MAX_DOLLARS } from "../../../schema/bounds.ts"
import type { Loan } from "../../../schema/loan.ts"
import {
  currentLaw,
  type EnginePlan,
  fromCents,
  historyOf,
  isEmpty,
  type LoanTraits,
  type StartMonth,
  toCents
} from "../../engine/index.ts"
import { answerOf, type BookAnswer } from "./answer.ts"
import type { Line } from "./line.ts"
import {
  averageCount,
  type Choice,
  choicesOf,
  consolidatedRate,
  type Group,
  lastDayBefore,
  monthsOf,
  paymentsOf,
  sumOf,
  traitsOf
} from "./newLoan.ts"
import type { ReadBook } from "./reading.ts"

/** The new loan that a loss or gain is about; null if there would be only one. */
type NewLoan = "students" | "parents" | null

/** Something that the borrower would lose or have to accept. */
export type Loss =
  | { readonly _tag: "Final" }
  /** Plans that take these loans today and would not take the new loan. */
  | { readonly _tag: "Plans"; readonly plans: ReadonlyArray<EnginePlan>; readonly left: ReadonlyArray<EnginePlan> }
  /** Direct Parent PLUS loans that are left out would be repaid only under Tiered Standard too. */
  | { readonly _tag: "ParentsLeft" }
  /** A count becomes an average, which is lower than the count of some student's loan. */
  | {
      readonly _tag: "Months" | "Payments"
      readonly of: NewLoan
      readonly highest: number
      readonly average: number
    }
  /** Counts of a parent's loans lose their use, because the one plan left forgives nothing. */
  | { readonly _tag: "ParentsCounts"; readonly of: NewLoan }
  /** The law leaves open whether months counted on FFEL loans still count. */
  | { readonly _tag: "FfelMonths" }
  /** Payments under Tiered Standard do not count for public service. */
  | { readonly _tag: "TieredPayments"; readonly hasOther: boolean }
  /**
   * The new rate, and the average before rounding up, as fractions. In dollars, the unpaid interest
   * that becomes principal, and the interest that both add in a year.
   */
  | {
      readonly _tag: "Interest"
      readonly of: NewLoan
      readonly average: number
      readonly rate: number
      readonly unpaid: number
      readonly more: number
    }
  /** Months for which a lost plan would still waive uncovered interest of a subsidized loan. */
  | { readonly _tag: "SubsidizedMonths"; readonly months: number; readonly plans: ReadonlyArray<EnginePlan> }
  | { readonly _tag: "PerkinsCancellation" | "HealthProfessions" | "Grace" }

export type Gain =
  | { readonly _tag: "OnePayment"; readonly of: NewLoan; readonly loans: number }
  /** Some of these loans cannot be in Repayment Assistance today. */
  | { readonly _tag: "OpensRap"; readonly forService: boolean }
  /** The average is higher than the count of some loan. */
  | { readonly _tag: "Months" | "Payments"; readonly of: NewLoan; readonly lowest: number; readonly average: number }

/** The book as it would be after one choice. */
export interface WhatIf {
  readonly choice: Choice
  /** Index in the draft of each loan that would go in. */
  readonly indexes: ReadonlyArray<number>
  /** The parts of the new loans, each as a loan. */
  readonly made: ReadonlyArray<Loan>
  /** All loans as they would be. */
  readonly loans: ReadonlyArray<Loan>
  /** The plans that take at least one of the new loans. */
  readonly lines: ReadonlyArray<Line>
  /** Keys of today's lines whose plans take at least one of the loans that would go in. */
  readonly todaysKeys: ReadonlyArray<string>
  readonly losses: ReadonlyArray<Loss>
  readonly gains: ReadonlyArray<Gain>
}

/** Whether a line's plan takes at least one of the loans at these positions. */
const takesSome = ({ figures: { outside } }: Line, positions: ReadonlyArray<number>): boolean =>
  positions.some((position) => outside?.loans.includes(position) !== true)

const unique = <T>(items: ReadonlyArray<T>): ReadonlyArray<T> => [...new Set(items)]

/** A choice: today's book and answer, and the new loans. */
interface Change {
  readonly book: ReadBook
  readonly today: BookAnswer
  readonly groups: ReadonlyArray<Group>
}

const newLoanOf = ({ groups }: Change, { isParents }: Group): NewLoan =>
  groups.length === 1 ? null : isParents ? "parents" : "students"

const repaidBy = ({ groups }: Change): ReadonlyArray<Loan> => groups.flatMap(({ repaid }) => repaid)

/** @rule new-loan-plans-2026-07 */
const plansLost = ({ groups, today }: Change): ReadonlyArray<Loss> => {
  const { parentPlus, plans: students } = currentLaw.read(newLoanPlans202607)
  const leftOf = ({ isParents }: Group): ReadonlyArray<EnginePlan> => (isParents ? parentPlus : students)
  const lost = groups.flatMap((group) =>
    today.lines
      .filter((line) => takesSome(line, group.positions) && !leftOf(group).includes(line.planType))
      .map(({ planType }) => planType)
  )
  const left = unique(groups.flatMap(leftOf))
  return lost.length === 0 ? [] : [{ _tag: "Plans", plans: unique(lost), left }]
}

const parentsLeft = ({ book: { history, loans }, groups }: Change): ReadonlyArray<Loss> => {
  const isLeft = (loan: Loan, position: number) =>
    traitsOf(loan).direct &&
    traitsOf(loan).parentPlus &&
    !isEmpty(loan) &&
    !groups.some(({ positions }) => positions.includes(position))
  return history?.isNew !== true && loans.some(isLeft) ? [{ _tag: "ParentsLeft" }] : []
}

/** The counts of a student's new loan: the highest, the lowest and their average; none if nothing is counted. */
const countsOf = (change: Change, countOf: (loan: Loan) => number) =>
  change.groups.flatMap((group) => {
    if (group.isParents) return []
    const counts = group.repaid.map(countOf)
    const [highest, lowest] = [Math.max(...counts), Math.min(...counts)]
    return highest === 0
      ? []
      : [{ of: newLoanOf(change, group), highest, lowest, average: averageCount(group.repaid, countOf) }]
  })

const COUNTS = [
  ["Months", monthsOf],
  ["Payments", paymentsOf]
] as const

const countsLost = (change: Change): ReadonlyArray<Loss> => {
  const lower = COUNTS.flatMap(([_tag, countOf]) =>
    countsOf(change, countOf)
      .filter(({ average, highest }) => average < highest)
      .map(({ average, highest, of }): Loss => ({ _tag, of, highest, average }))
  )
  const isUnclear = repaidBy(change).some(
    (loan) => traitsOf(loan).ffel && !traitsOf(loan).parentPlus && monthsOf(loan) > 0
  )
  const isCounted = (loan: Loan) => COUNTS.some(([, countOf]) => countOf(loan) > 0)
  const parents = change.groups.filter(({ isParents, repaid }) => isParents && repaid.some(isCounted))
  return [
    ...lower,
    ...(isUnclear ? [{ _tag: "FfelMonths" } as const] : []),
    ...parents.map((group): Loss => ({ _tag: "ParentsCounts", of: newLoanOf(change, group) }))
  ]
}

const countsGained = (change: Change): ReadonlyArray<Gain> =>
  COUNTS.flatMap(([_tag, countOf]) =>
    countsOf(change, countOf)
      .filter(({ average, lowest }) => average > lowest)
      .map(({ average, lowest, of }): Gain => ({ _tag, of, lowest, average }))
  )

/** A year's interest. Today it accrues on principal alone, afterwards on the whole debt. */
const interestOf = (loans: ReadonlyArray<Loan>): number =>
  sumOf(loans, ({ interestRate, principalBalance }) => principalBalance * interestRate)

const moneyLost = (change: Change): ReadonlyArray<Loss> =>
  change.groups.map((group): Loss => {
    const { made, repaid } = group
    const unpaid = fromCents(sumOf(repaid, ({ interestBalance }) => toCents(interestBalance)))
    const more = fromCents(toCents(interestOf(made) - interestOf(repaid)))
    return { _tag: "Interest", of: newLoanOf(change, group), ...consolidatedRate(repaid), unpaid, more }
  })

/** @rule idr-subsidized-interest-months */
const subsidyLost = (change: Change, lost: ReadonlyArray<Loss>): ReadonlyArray<Loss> => {
  const { months, plans } = currentLaw.read(idrSubsidizedInterestMonths)
  const waiving: ReadonlyArray<string> = plans
  const left = repaidBy(change)
    .filter((loan) => traitsOf(loan).subsidized)
    .map((loan) => months - loan.idrMonthsInRepayment)
  const most = Math.max(0, ...left)
  const closing = lost
    .flatMap((loss) => (loss._tag === "Plans" ? loss.plans : []))
    .filter((plan) => waiving.includes(plan))
  return most > 0 && closing.length > 0 ? [{ _tag: "SubsidizedMonths", months: most, plans: closing }] : []
}

const lossesOf = (change: Change): ReadonlyArray<Loss> => {
  const { book, groups } = change
  const repaid = repaidBy(change)
  const plans = plansLost(change)
  const has = (family: LoanTraits["family"]) => repaid.some((loan) => traitsOf(loan).family === family)
  const ofService: ReadonlyArray<Loss> = book.household.workingTowardsPslf
    ? [{ _tag: "TieredPayments", hasOther: groups.some(({ isParents }) => !isParents) }]
    : []
  return [
    { _tag: "Final" },
    ...plans,
    ...parentsLeft(change),
    ...countsLost(change),
    ...ofService,
    ...moneyLost(change),
    ...subsidyLost(change, plans),
    ...(has("perkins") ? [{ _tag: "PerkinsCancellation" } as const] : []),
    ...(has("health-professions") ? [{ _tag: "HealthProfessions" } as const] : []),
    { _tag: "Grace" }
  ]
}

const gainsOf = (change: Change): ReadonlyArray<Gain> => {
  const { book, groups } = change
  const students = groups.filter(({ isParents }) => !isParents).flatMap(({ repaid }) => repaid)
  const opensRap = students.some((loan) => traitsOf(loan).eligibility["REPAYMENT ASSISTANCE"] !== "open")
  return [
    ...(opensRap ? [{ _tag: "OpensRap", forService: book.household.workingTowardsPslf } as const] : []),
    ...countsGained(change),
    ...groups
      .filter(({ positions }) => positions.length > 1)
      .map((group): Gain => ({ _tag: "OnePayment", of: newLoanOf(change, group), loans: group.positions.length }))
  ]
}

/** A pause goes on for the loans that stay out. The new loans come first in the new book, and are due. */
const pausesAfter = (
  { household: { pauses }, loans }: ReadBook,
  isRepaid: (position: number) => boolean,
  made: number
): ReadBook["household"]["pauses"] => {
  const kept = [...loans.keys()].filter((position) => !isRepaid(position))
  return (pauses ?? []).flatMap((pause) => {
    const paused = kept.flatMap((position, at) =>
      pause.loans === null || pause.loans.includes(position) ? [made + at] : []
    )
    return paused.length === 0 ? [] : [{ ...pause, loans: paused }]
  })
}

/**
 * The book after each choice that its loans allow. None is offered before July 2026, or if the new
 * loan would exceed the largest balance of a request.
 */
export const whatIfs = (book: ReadBook, today: BookAnswer, start: StartMonth): ReadonlyArray<WhatIf> => {
  const { loansMadeFrom } = currentLaw.read(newLoanPlans202607)
  const madeOn = lastDayBefore(start)
  if (madeOn < loansMadeFrom) return []
  return choicesOf(book.loans, madeOn).flatMap(([choice, groups]) => {
    const made = groups.flatMap((group) => group.made)
    if (made.some(({ principalBalance }) => principalBalance > MAX_DOLLARS)) return []
    const isRepaid = (position: number) => groups.some(({ positions }) => positions.includes(position))
    const loans = [...made, ...book.loans.filter((_, position) => !isRepaid(position))]
    const history = historyOf(currentLaw, book.household.firstBorrowedOn, loans)
    // The new loans have no index in the draft, and the page names no loan of the new book.
    const indexes = loans.map((_, position) => position)
    const household = { ...book.household, pauses: pausesAfter(book, isRepaid, made.length) }
    const { lines } = answerOf({ ...book, household, loans, indexes, history, ticked: null }, start)
    const change = { book, today, groups }
    return [
      {
        choice,
        indexes: book.indexes.filter((_, position) => isRepaid(position)),
        made,
        loans,
        lines: lines.filter((line) => takesSome(line, [...made.keys()])),
        todaysKeys: today.lines
          .filter((line) => groups.some(({ positions }) => takesSome(line, positions)))
          .map(({ key }) => key),
        losses: lossesOf(change),
        gains: gainsOf(change)
      }
    ]
  })
}
