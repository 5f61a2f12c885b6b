/**
 * The generator of synthetic borrowers, based on published statistics (statistics.ts) and, where
 * none were found, on stated assumptions (assumptions.ts). Output is reproducible to the byte: each
 * borrower depends only on the seed and its own number.
 */
import { bookOf, debtOf, type SampledBook } from "./book.ts"
import { places } from "./classes.ts"
import { householdOf, type SampledHousehold } from "./household.ts"
import { onPlan, type SampledPlan } from "./plan.ts"
import { Random } from "./Random.ts"

export const SAMPLE_FORMATS = ["ndjson", "csv"] as const
export type SampleFormat = (typeof SAMPLE_FORMATS)[number]

export interface SampleOptions {
  /** A whole number from 0 to 2^32 - 1. */
  readonly seed: number
  readonly count: number
  /** Loans of every borrower; by default 1 to 9, depending on the kind of borrower. */
  readonly loans?: number | undefined
  /** NDJSON has a line per borrower; CSV has a header and a line per loan. */
  readonly format?: SampleFormat | undefined
}

interface Sampled {
  readonly borrowerId: string
  readonly household: SampledHousehold
  readonly book: SampledBook
  readonly plan: SampledPlan
}

const ID_DIGITS = 9

const random = new Random()

const sampled = (seed: number, index: number, loans: number | undefined): Sampled => {
  random.begin(seed, index)
  const { debtClass, state } = places.draw(random)
  const household = householdOf(state, debtClass, random)
  const book = bookOf(debtOf(debtClass, random), loans, random)
  const plan = onPlan(book, household.workingTowardsPslf, random)
  return { borrowerId: `B${String(index + 1).padStart(ID_DIGITS, "0")}`, household, book, plan }
}

/** Dollars as JSON writes them. Avoids formatting a fraction, which takes most of a line's time. */
const dollars = (cents: number): string => {
  const over = cents % 100
  const whole = (cents - over) / 100
  if (over === 0) return `${whole}`
  return over % 10 === 0 ? `${whole}.${over / 10}` : `${whole}.${over < 10 ? "0" : ""}${over}`
}

/** Only payments on Direct loans count toward public-service forgiveness. */
const served = (loanType: string, { pslfCount }: SampledPlan): number => (loanType.startsWith("DIRECT") ? pslfCount : 0)

const ndjsonLine = ({ book, borrowerId, household: own, plan }: Sampled): string => {
  let loans = ""
  for (const loan of book.loans) {
    loans +=
      `${loans === "" ? "" : ","}{"loanType":"${loan.loanType}","principalBalance":${dollars(loan.principalCents)}` +
      `,"interestBalance":${dollars(loan.interestCents)},"interestRate":${loan.interestRate}` +
      `,"disbursedAmount":${dollars(loan.disbursedCents)},"idrMonthsInRepayment":${plan.idrMonthsInRepayment}` +
      `,"pslfCount":${served(loan.loanType, plan)}}`
  }
  return (
    `{"borrowerId":"${borrowerId}","adjustedGrossIncome":${own.adjustedGrossIncome}` +
    `,"spouseAdjustedGrossIncome":${own.spouseAdjustedGrossIncome}` +
    `,"spouseFederalLoanBalance":${own.spouseFederalLoanBalance},"filingStatus":"${own.filingStatus}"` +
    `,"dependents":${own.dependents},"state":"${own.state}","workingTowardsPslf":${own.workingTowardsPslf}` +
    `,"annualIncomeGrowth":${own.annualIncomeGrowth},"currentPlan":"${plan.currentPlan}","loans":[${loans}]}`
  )
}

const CSV_HEAD =
  "borrowerId,adjustedGrossIncome,spouseAdjustedGrossIncome,spouseFederalLoanBalance,filingStatus,dependents,state," +
  "workingTowardsPslf,annualIncomeGrowth,currentPlan,loanType,principalBalance,interestBalance,interestRate," +
  "disbursedAmount,idrMonthsInRepayment,pslfCount"

/** Values need no quotes: none contains a comma or a quote. Null is an empty cell. */
const csvRows = ({ book, borrowerId, household: own, plan }: Sampled): string => {
  const first =
    `${borrowerId},${own.adjustedGrossIncome},${own.spouseAdjustedGrossIncome ?? ""}` +
    `,${own.spouseFederalLoanBalance ?? ""},${own.filingStatus},${own.dependents},${own.state}` +
    `,${own.workingTowardsPslf},${own.annualIncomeGrowth},${plan.currentPlan}`
  let rows = ""
  for (const loan of book.loans) {
    rows +=
      `${rows === "" ? "" : "\n"}${first},${loan.loanType},${dollars(loan.principalCents)},${dollars(loan.interestCents)}` +
      `,${loan.interestRate},${dollars(loan.disbursedCents)},${plan.idrMonthsInRepayment},${served(loan.loanType, plan)}`
  }
  return rows
}

/** The lines of a file of borrowers without line ends; the rows of a borrower are consecutive. */
export function* sampleBorrowers({ count, format = "ndjson", loans, seed }: SampleOptions): Generator<string, void> {
  const write = format === "csv" ? csvRows : ndjsonLine
  if (format === "csv") yield CSV_HEAD
  for (let index = 0; index < count; index++) yield write(sampled(seed, index, loans))
}
