/**
 * The loans that a Direct Consolidation Loan would repay, and the new loan with its rate, balances
 * and counts. Decision 0037 has the rules.
 */
import { inForceOn } from "../../../ledger/entry.ts"
import { directLoanInterestRateFormula } from "../../../ledger/rules/interest-rates.ts"
import type { Loan, LoanType } from "../../../schema/loan.ts"
import {
  currentLaw,
  fromCents,
  isEmpty,
  type LoanTraits,
  RELEASE_DATE,
  type StartMonth,
  toCents
} from "../../engine/index.ts"

/** The loans that would be consolidated: a student's, a parent's, or both as two loans of their own. */
export type Choice = "students" | "both" | "parents"

export const traitsOf = ({ loanType }: Loan): LoanTraits => currentLaw.traitsOf[loanType]

/**
 * Whether a Direct Consolidation Loan may repay a loan. The law names no INCOME CONTINGENT loans.
 * @law 34 CFR 685.220(b)   @rule loan-type-families
 */
const canGoIn = (loan: Loan): boolean => !isEmpty(loan) && traitsOf(loan).family !== "income-contingent-loan"

const isDirectConsolidation = (loan: Loan): boolean => {
  const { consolidation, direct, directPlusConsolidation } = traitsOf(loan)
  return direct && (consolidation || directPlusConsolidation)
}

/** A Direct consolidation is not consolidated again without another loan. Two rows are often one loan. */
const canBeConsolidated = (loans: ReadonlyArray<Loan>): boolean => loans.some((loan) => !isDirectConsolidation(loan))

/** The balance that a new loan repays, in cents: principal and unpaid interest. */
const centsOf = ({ interestBalance, principalBalance }: Loan): number => toCents(principalBalance + interestBalance)

/** Rates have at most 14 decimals: percentages are typed with 12. As integers, an average of an exact eighth stays exact. */
const RATE_UNITS = 1e14
const unitsOf = (rate: number): bigint => BigInt(Math.round(rate * RATE_UNITS))

export const sumOf = <T>(items: ReadonlyArray<T>, amount: (item: T) => number): number =>
  items.reduce((sum, item) => sum + amount(item), 0)

interface Rate {
  /** The average before it is rounded up. */
  readonly average: number
  readonly rate: number
}

/**
 * The average of the rates, weighted by each loan's debt, and the same rounded up to an eighth of a percent.
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

/** The average of a count, weighted by the debt of each loan, rounded half up. */
export const averageCount = (loans: ReadonlyArray<Loan>, countOf: (loan: Loan) => number): number =>
  Math.floor(sumOf(loans, (loan) => countOf(loan) * centsOf(loan)) / sumOf(loans, centsOf) + 0.5)

/** Months count on Direct and FFEL loans only, because no income-driven plan takes the others. */
export const monthsOf = (loan: Loan): number => {
  const { direct, ffel } = traitsOf(loan)
  return direct || ffel ? loan.idrMonthsInRepayment : 0
}

/** Payments count for public service on Direct loans only. @rule pslf-qualifying-plans */
export const paymentsOf = (loan: Loan): number => (traitsOf(loan).direct ? loan.pslfCount : 0)

/** The parts of the new loan, in their order in the new book. @law 34 CFR 685.220(c)   @rule subsidized-loan-types */
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
export const lastDayBefore = ({ month, year }: StartMonth): string =>
  new Date(Date.UTC(year, month - 1, 0)).toISOString().slice(0, RELEASE_DATE.length)

/** One new loan, in its parts, and the loans that it repays. */
export interface Group {
  readonly isParents: boolean
  readonly positions: ReadonlyArray<number>
  readonly repaid: ReadonlyArray<Loan>
  readonly made: ReadonlyArray<Loan>
}

export const choicesOf = (
  loans: ReadonlyArray<Loan>,
  madeOn: string
): ReadonlyArray<readonly [Choice, ReadonlyArray<Group>]> => {
  const groupOf = (isParents: boolean): Group | undefined => {
    const positions = loans.flatMap((loan, position) =>
      canGoIn(loan) && traitsOf(loan).parentPlus === isParents ? [position] : []
    )
    const repaid = positions.map((position) => loans[position]!)
    if (!canBeConsolidated(repaid)) return undefined
    return { isParents, positions, repaid, made: consolidated(repaid, isParents, madeOn) }
  }
  const [students, parents] = [groupOf(false), groupOf(true)]
  if (students === undefined) return parents === undefined ? [] : [["parents", [parents]]]
  return parents === undefined
    ? [["students", [students]]]
    : [
        ["students", [students]],
        ["both", [students, parents]]
      ]
}
