/**
 * "What if I consolidated?": the book with a new Direct Consolidation Loan, computed like any other book, and what the
 * borrower would lose and gain. Decision 0037 says which loans go in, and how rate, balances and counts come about.
 */
import { inForceOn } from "../../../ledger/entry.ts"
import { idrSubsidizedInterestMonths } from "../../../ledger/rules/interest.ts"
import { directLoanInterestRateFormula } from "../../../ledger/rules/interest-rates.ts"
import { newLoanPlans202607 } from "../../../ledger/rules/new-loans.ts"
import { MAX_DOLLARS } from "../../../schema/bounds.ts"
import type { Loan, LoanType } from "../../../schema/loan.ts"
import { currentLaw, RELEASE_DATE } from "../../engine/law/law.ts"
import type { LoanTraits } from "../../engine/law/loan-types.ts"
import type { EnginePlan } from "../../engine/plans/plan.ts"
import { isEmpty } from "../../engine/schedule/book.ts"
import type { StartMonth } from "../../engine/schedule/calendar.ts"
import { historyOf } from "../../engine/schedule/history.ts"
import { fromCents, toCents } from "../../engine/schedule/rounding.ts"
import { answerOf, type BookAnswer, type Line } from "./answer.ts"
import type { ReadBook } from "./reading.ts"

/** The loans that would be consolidated: a student's, a parent's, or both as two loans of their own. */
export type Choice = "students" | "both" | "parents"

/** The new loan that a loss or gain is about; null if there would be only one. */
type NewLoan = "students" | "parents" | null

/** Something that the borrower would lose or have to accept. */
export type Loss =
  | { readonly _tag: "Final" }
  /** Plans that take these loans today and would not take the new loan. */
  | { readonly _tag: "Plans"; readonly plans: ReadonlyArray<EnginePlan>; readonly left: ReadonlyArray<EnginePlan> }
  /** Direct Parent PLUS loans that are left out would be repaid only under Tiered Standard too. */
  | { readonly _tag: "ParentsLeft" }
  /** A count becomes an average, which is lower than that of some loan of a student's. */
  | {
      readonly _tag: "Months" | "Payments"
      readonly of: NewLoan
      readonly highest: number
      readonly average: number
    }
  /** Counts of a parent's loans lead nowhere: the one plan that is left forgives nothing. */
  | { readonly _tag: "ParentsCounts"; readonly of: NewLoan }
  /** It is not settled whether months counted on FFEL loans count on. */
  | { readonly _tag: "FfelMonths" }
  /** Payments under Tiered Standard do not count for public service. */
  | { readonly _tag: "TieredPayments"; readonly hasOther: boolean }
  /**
   * Rates as fractions, the average before it is rounded up; unpaid interest that becomes principal, and the interest that
   * both add in a year, in dollars.
   */
  | {
      readonly _tag: "Interest"
      readonly of: NewLoan
      readonly average: number
      readonly rate: number
      readonly unpaid: number
      readonly more: number
    }
  /** Months in which a plan that is lost would still waive the uncovered interest of a subsidized loan. */
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
  /** The new loans, each part of them as a loan. */
  readonly made: ReadonlyArray<Loan>
  /** All loans as they would be. */
  readonly loans: ReadonlyArray<Loan>
  /** The plans that take some of the new loans. */
  readonly lines: ReadonlyArray<Line>
  /** Keys of today's lines whose plans take some of the loans that would go in. */
  readonly todaysKeys: ReadonlyArray<string>
  readonly losses: ReadonlyArray<Loss>
  readonly gains: ReadonlyArray<Gain>
}

const traitsOf = ({ loanType }: Loan): LoanTraits => currentLaw.traitsOf[loanType]

/**
 * Whether a Direct Consolidation Loan may repay a loan. No text names the loans of the INCOME CONTINGENT program.
 * @law 34 CFR 685.220(b)   @rule loan-type-families
 */
const canGoIn = (loan: Loan): boolean => !isEmpty(loan) && traitsOf(loan).family !== "income-contingent-loan"

const isDirectConsolidation = (loan: Loan): boolean => {
  const { consolidation, direct, directPlusConsolidation } = traitsOf(loan)
  return direct && (consolidation || directPlusConsolidation)
}

/** A Direct consolidation is not consolidated again without another loan; two rows are often the parts of one. */
const canBeConsolidated = (loans: ReadonlyArray<Loan>): boolean => loans.some((loan) => !isDirectConsolidation(loan))

/** The balance that a new loan repays, in cents: principal and unpaid interest. */
const centsOf = ({ interestBalance, principalBalance }: Loan): number => toCents(principalBalance + interestBalance)

/** Rates have at most 14 decimals: percentages are typed with 12. As integers, an average that is an exact eighth stays it. */
const RATE_UNITS = 1e14
const unitsOf = (rate: number): bigint => BigInt(Math.round(rate * RATE_UNITS))

const sumOf = <T>(items: ReadonlyArray<T>, amount: (item: T) => number): number =>
  items.reduce((sum, item) => sum + amount(item), 0)

interface Rate {
  /** Before it is rounded up. */
  readonly average: number
  readonly rate: number
}

/**
 * The average of the rates, weighted by what each loan owes, and the same rounded up to an eighth of a percent.
 * @law 20 U.S.C. 1087e(b)(8)(D)   @rule direct-loan-interest-rate-formula
 */
export const consolidatedRate = (loans: ReadonlyArray<Loan>): Rate => {
  const { consolidationRoundingUp } = inForceOn(directLoanInterestRateFormula, RELEASE_DATE)!.value
  const step = unitsOf(consolidationRoundingUp)
  const owed = BigInt(sumOf(loans, centsOf))
  const weighted = loans.reduce((sum, loan) => sum + unitsOf(loan.interestRate) * BigInt(centsOf(loan)), 0n)
  const steps = (weighted + owed * step - 1n) / (owed * step)
  return { average: Number(weighted) / Number(owed) / RATE_UNITS, rate: Number(steps * step) / RATE_UNITS }
}

/** A count weighted by what each loan owes, to the nearest whole number, half up. */
const averageCount = (loans: ReadonlyArray<Loan>, countOf: (loan: Loan) => number): number =>
  Math.floor(sumOf(loans, (loan) => countOf(loan) * centsOf(loan)) / sumOf(loans, centsOf) + 0.5)

/** Months count on Direct and FFEL loans: no plan by income takes the others. */
const monthsOf = (loan: Loan): number => {
  const { direct, ffel } = traitsOf(loan)
  return direct || ffel ? loan.idrMonthsInRepayment : 0
}

/** Payments for public service are made on Direct loans alone. @rule pslf-qualifying-plans */
const paymentsOf = (loan: Loan): number => (traitsOf(loan).direct ? loan.pslfCount : 0)

/** The parts of the new loan, in the order in which they stand in the new book. @law 34 CFR 685.220(c) @rule subsidized-loan-types */
const partsOf = (loans: ReadonlyArray<Loan>, isParents: boolean): ReadonlyArray<readonly [LoanType, Array<Loan>]> => {
  if (isParents) return [["DIRECT PARENT PLUS CONSOLIDATED", [...loans]]]
  const parts: ReadonlyArray<readonly [LoanType, Array<Loan>]> = [
    ["DIRECT CONSOLIDATED SUBSIDIZED", loans.filter((loan) => traitsOf(loan).subsidized)],
    ["DIRECT CONSOLIDATED UNSUBSIDIZED", loans.filter((loan) => !traitsOf(loan).subsidized)]
  ]
  return parts.filter(([, repaid]) => repaid.length > 0)
}

/** The new loan as its parts: one rate and one count for all of them. */
const consolidated = (loans: ReadonlyArray<Loan>, isParents: boolean, madeOn: string): ReadonlyArray<Loan> => {
  const { rate } = consolidatedRate(loans)
  const idrMonthsInRepayment = averageCount(loans, monthsOf)
  const pslfCount = averageCount(loans, paymentsOf)
  return partsOf(loans, isParents).map(([loanType, repaid]) => ({
    loanType,
    principalBalance: fromCents(sumOf(repaid, centsOf)),
    interestBalance: 0,
    interestRate: rate,
    disbursedAmount: 0,
    idrMonthsInRepayment,
    pslfCount,
    madeOn
  }))
}

/** The last day before the first payment, as YYYY-MM-DD. */
const lastDayBefore = ({ month, year }: StartMonth): string =>
  new Date(Date.UTC(year, month - 1, 0)).toISOString().slice(0, RELEASE_DATE.length)

/** One new loan: the positions of the loans that it repays. */
interface Group {
  readonly isParents: boolean
  readonly positions: ReadonlyArray<number>
}

const choicesOf = (loans: ReadonlyArray<Loan>): ReadonlyArray<readonly [Choice, ReadonlyArray<Group>]> => {
  const groupOf = (isParents: boolean): Group => ({
    isParents,
    positions: loans.flatMap((loan, position) =>
      canGoIn(loan) && traitsOf(loan).parentPlus === isParents ? [position] : []
    )
  })
  const [students, parents] = [groupOf(false), groupOf(true)]
  const isPossible = ({ positions }: Group) => canBeConsolidated(positions.map((position) => loans[position]!))
  if (!isPossible(students)) return isPossible(parents) ? [["parents", [parents]]] : []
  return isPossible(parents)
    ? [
        ["students", [students]],
        ["both", [students, parents]]
      ]
    : [["students", [students]]]
}

/** Whether a line's plan takes one of the loans at these positions, which are not all repaid beside it. */
const takesSome = ({ figures: { outside } }: Line, positions: ReadonlyArray<number>): boolean =>
  positions.some((position) => outside?.loans.includes(position) !== true)

const unique = <T>(items: ReadonlyArray<T>): ReadonlyArray<T> => [...new Set(items)]

/** What a choice is judged by: today's book and answer, and the new loans. */
interface Change {
  readonly book: ReadBook
  readonly today: BookAnswer
  readonly groups: ReadonlyArray<Group>
  readonly made: ReadonlyArray<Loan>
}

const newLoanOf = ({ groups }: Change, { isParents }: Group): NewLoan =>
  groups.length === 1 ? null : isParents ? "parents" : "students"

const repaidBy = ({ book, groups }: Change): ReadonlyArray<Loan> =>
  groups.flatMap(({ positions }) => positions.map((position) => book.loans[position]!))

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
    const loans = group.positions.map((position) => change.book.loans[position]!)
    const counts = loans.map(countOf)
    const [highest, lowest] = [Math.max(...counts), Math.min(...counts)]
    return highest === 0
      ? []
      : [{ of: newLoanOf(change, group), highest, lowest, average: averageCount(loans, countOf) }]
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
  const isCounted = (position: number) => COUNTS.some(([, countOf]) => countOf(change.book.loans[position]!) > 0)
  const parents = change.groups.filter(({ isParents, positions }) => isParents && positions.some(isCounted))
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

/** Interest of a year on what bears it: principal alone today, everything afterwards. */
const interestOf = (loans: ReadonlyArray<Loan>): number =>
  sumOf(loans, ({ interestRate, principalBalance }) => principalBalance * interestRate)

const moneyLost = (change: Change): ReadonlyArray<Loss> =>
  change.groups.flatMap((group): ReadonlyArray<Loss> => {
    const of = newLoanOf(change, group)
    const loans = group.positions.map((position) => change.book.loans[position]!)
    const { average, rate } = consolidatedRate(loans)
    const unpaid = fromCents(sumOf(loans, ({ interestBalance }) => toCents(interestBalance)))
    const more = fromCents(toCents(interestOf(consolidated(loans, group.isParents, "")) - interestOf(loans)))
    return [{ _tag: "Interest", of, average, rate, unpaid, more }]
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
  const students = groups.filter(({ isParents }) => !isParents).flatMap(({ positions }) => positions)
  const opensRap = students.some(
    (position) => traitsOf(book.loans[position]!).eligibility["REPAYMENT ASSISTANCE"] !== "open"
  )
  return [
    ...(opensRap ? [{ _tag: "OpensRap", forService: book.household.workingTowardsPslf } as const] : []),
    ...countsGained(change),
    ...groups
      .filter(({ positions }) => positions.length > 1)
      .map((group): Gain => ({ _tag: "OnePayment", of: newLoanOf(change, group), loans: group.positions.length }))
  ]
}

/**
 * The book after each choice that its loans allow. None is offered while a consolidation would still be an older loan, or
 * if the new loan would owe more than a request may say.
 */
export const whatIfs = (book: ReadBook, today: BookAnswer, start: StartMonth): ReadonlyArray<WhatIf> => {
  const { loansMadeFrom } = currentLaw.read(newLoanPlans202607)
  const madeOn = lastDayBefore(start)
  if (madeOn < loansMadeFrom) return []
  return choicesOf(book.loans).flatMap(([choice, groups]) => {
    const made = groups.flatMap(({ isParents, positions }) =>
      consolidated(
        positions.map((position) => book.loans[position]!),
        isParents,
        madeOn
      )
    )
    if (made.some(({ principalBalance }) => principalBalance > MAX_DOLLARS)) return []
    const isRepaid = (position: number) => groups.some(({ positions }) => positions.includes(position))
    const loans = [...made, ...book.loans.filter((_, position) => !isRepaid(position))]
    const history = historyOf(currentLaw, book.household.firstBorrowedOn, loans)
    // The new loans have no place in the draft, and nothing that is shown of the new book names a loan.
    const indexes = loans.map((_, position) => position)
    const { lines } = answerOf({ ...book, loans, indexes, history, ticked: null }, start)
    const change = { book, today, groups, made }
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
