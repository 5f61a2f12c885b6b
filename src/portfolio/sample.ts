/**
 * The generator of synthetic borrowers, to try and to measure portfolios. All shares and amounts
 * are assumptions, not statistics of real borrowers. Output is the same to the byte on any machine,
 * because each borrower depends only on the seed and its own number.
 */
import type { LoanType } from "../../schema/loan.ts"
import { type FilingStatus, type PlanType, STATES } from "../../schema/scenario.ts"
import { BORROWER_COLUMNS, type Borrower, LOAN_COLUMNS } from "./read/borrower.ts"

export const SAMPLE_FORMATS = ["ndjson", "csv"] as const
export type SampleFormat = (typeof SAMPLE_FORMATS)[number]

export interface SampleOptions {
  /** A whole number from 0 to 2^32 - 1. */
  readonly seed: number
  readonly count: number
  /** Loans of every borrower; by default 1 to 9. */
  readonly loans?: number | undefined
  /** NDJSON has a line per borrower; CSV has a header and a line per loan. */
  readonly format?: SampleFormat | undefined
}

/** Values with their shares in percent, which add up to 100. */
type Shares<A> = ReadonlyArray<readonly [percent: number, value: A]>

interface Book {
  readonly types: ReadonlyArray<LoanType>
  /** The plans, other than STANDARD, that are open to all of these loans. */
  readonly plans: "all" | "fixed" | "none"
}

const BOOKS: Shares<Book> = [
  [56, { types: ["DIRECT STAFFORD SUBSIDIZED", "DIRECT STAFFORD UNSUBSIDIZED"], plans: "all" }],
  [8, { types: ["DIRECT STAFFORD UNSUBSIDIZED", "DIRECT PLUS GRADUATE"], plans: "all" }],
  [14, { types: ["DIRECT CONSOLIDATED SUBSIDIZED", "DIRECT CONSOLIDATED UNSUBSIDIZED"], plans: "all" }],
  [1, { types: ["DIRECT PLUS CONSOLIDATED"], plans: "fixed" }],
  [7, { types: ["DIRECT PLUS PARENT"], plans: "fixed" }],
  [1, { types: ["DIRECT PARENT PLUS CONSOLIDATED"], plans: "fixed" }],
  [8, { types: ["FFEL STAFFORD SUBSIDIZED", "FFEL STAFFORD UNSUBSIDIZED", "FFEL CONSOLIDATED"], plans: "fixed" }],
  [1, { types: ["FFEL PLUS PARENT"], plans: "fixed" }],
  [3, { types: ["FEDERAL PERKINS", "DIRECT STAFFORD SUBSIDIZED"], plans: "none" }],
  [
    1,
    { types: ["FFEL REFINANCED", "HEALTH PROFESSIONS STUDENT LOAN (HPSL)", "INCOME CONTINGENT (ICL)"], plans: "none" }
  ]
]

const PLANS: Shares<PlanType> = [
  [40, "STANDARD"],
  [10, "GRADUATED"],
  [8, "EXTENDED"],
  [13, "SAVE"],
  [8, "INCOME BASED"],
  [8, "INCOME BASED (OLD)"],
  [6, "PAY AS YOU EARN"],
  [3, "INCOME CONTINGENT"],
  [4, "REPAYMENT ASSISTANCE"]
]
const FIXED: ReadonlyArray<PlanType> = ["STANDARD", "GRADUATED", "EXTENDED"]

/** The law's own bound, by loan program (34 CFR 685.208(b)(4)); these books have one program. */
const EXTENDED_OVER = 30_000

const STATUSES: Shares<FilingStatus> = [
  [48, "Single"],
  [36, "MarriedFilingJointly"],
  [14, "HeadOfHousehold"],
  [2, "MarriedFilingSeparately"]
]
const DEPENDENTS: Shares<number> = [
  [50, 0],
  [22, 1],
  [18, 2],
  [10, 4]
]

/** Deciles in dollars: a tenth of the borrowers is between each two. */
const INCOMES = [0, 9_000, 20_000, 29_000, 37_000, 45_000, 54_000, 66_000, 82_000, 110_000, 260_000]
const DEBTS = [500, 3_000, 6_000, 9_500, 14_000, 19_000, 25_500, 34_000, 48_000, 80_000, 260_000]

const WITHOUT_INCOME = 0.08
const SPOUSE_WITH_INCOME = 0.75
const SPOUSE_WITH_LOANS = 0.2
const WITH_PSLF = 0.1
const WITH_PRICE_GROWTH = 0.5
const WITH_CHANGE = 0.05
const WITH_UNPAID_INTEREST = 0.35

const PRICE_GROWTH = 0.02
const MAX_INCOME_GROWTH_PERCENT = 4
const MAX_BASIS_POINTS = 908
const MIN_BASIS_POINTS = 275
const MAX_UNPAID_SHARE = 0.08
const MAX_DISBURSED_OVER_PRINCIPAL = 1.3
const MAX_LOANS_DRAWN = 9
const MAX_COUNTED_MONTHS = 200
const MAX_COUNTED_ON_FIXED_PLANS = 60
const MAX_PSLF_PAYMENTS = 115
const CHANGE_YEARS = [2, 5, 10]

/** Rounds that PractRand discards after seeding. */
const DISCARDED_ROUNDS = 15
const TWO_TO_32 = 2 ** 32

/** Uniform numbers in [0, 1), by sfc32 of Chris Doty-Humphrey's PractRand; not cryptographic. */
const uniform = (seed: number, borrower: number): (() => number) => {
  let [a, b, c, counter] = [seed | 0, borrower | 0, 0, 1]
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / TWO_TO_32
  }
  for (let round = 0; round < DISCARDED_ROUNDS; round++) next()
  return next
}

const drawsOf = (unit: () => number) => {
  const whole = (min: number, max: number) => min + Math.floor(unit() * (max - min + 1))
  return {
    unit,
    chance: (share: number) => unit() < share,
    /** Both ends are included. */
    whole,
    oneOf: <A>(values: ReadonlyArray<A>): A => values[whole(0, values.length - 1)]!,
    byShare: <A>(shares: Shares<A>): A => {
      let at = unit() * 100
      for (const [percent, value] of shares) {
        if (at < percent) return value
        at -= percent
      }
      return shares.at(-1)![1]
    },
    /** Whole dollars. Each step is equally likely, and so is each amount within it. */
    between: (steps: ReadonlyArray<number>): number => {
      const step = whole(0, steps.length - 2)
      return steps[step]! + Math.floor((steps[step + 1]! - steps[step]!) * unit())
    }
  }
}
type Draws = ReturnType<typeof drawsOf>

const cents = (dollars: number): number => Math.round(dollars * 100) / 100

const planOf = (draws: Draws, { plans }: Book, debt: number): PlanType => {
  const plan = draws.byShare(PLANS)
  const isOpen = plans === "all" || (plans === "fixed" && FIXED.includes(plan))
  return isOpen && (plan !== "EXTENDED" || debt > EXTENDED_OVER) ? plan : "STANDARD"
}

/** @param debt dollars, of which the loan has half to one and a half times as much */
const loanOf = (draws: Draws, { types }: Book, debt: number) => {
  const principal = debt * (0.5 + draws.unit())
  return {
    loanType: draws.oneOf(types),
    principalBalance: cents(principal),
    interestBalance: draws.chance(WITH_UNPAID_INTEREST) ? cents(principal * MAX_UNPAID_SHARE * draws.unit()) : 0,
    interestRate: draws.whole(MIN_BASIS_POINTS, MAX_BASIS_POINTS) / 10_000,
    disbursedAmount: cents(principal * (1 + draws.unit() * (MAX_DISBURSED_OVER_PRINCIPAL - 1))),
    idrMonthsInRepayment: 0,
    pslfCount: 0
  }
}

type Sampled = typeof Borrower.Encoded

const borrowerOf = ({ loans, seed }: SampleOptions, index: number): Sampled => {
  const draws = drawsOf(uniform(seed, index))
  const { between, byShare, chance, oneOf, unit, whole } = draws
  const book = byShare(BOOKS)
  const count = loans ?? 1 + Math.floor(MAX_LOANS_DRAWN * unit() ** 2)
  const debt = between(DEBTS)
  const bare = Array.from({ length: count }, () => loanOf(draws, book, debt / count))
  const owed = bare.reduce((sum, { interestBalance, principalBalance }) => sum + principalBalance + interestBalance, 0)
  const currentPlan = planOf(draws, book, owed)
  const idrMonthsInRepayment = whole(0, FIXED.includes(currentPlan) ? MAX_COUNTED_ON_FIXED_PLANS : MAX_COUNTED_MONTHS)
  const workingTowardsPslf = chance(WITH_PSLF)
  const pslfCount = workingTowardsPslf ? whole(0, Math.min(MAX_PSLF_PAYMENTS, idrMonthsInRepayment)) : 0
  const filingStatus = byShare(STATUSES)
  const isJoint = filingStatus === "MarriedFilingJointly"
  return {
    borrowerId: `B${String(index + 1).padStart(9, "0")}`,
    adjustedGrossIncome: chance(WITHOUT_INCOME) ? 0 : between(INCOMES),
    spouseAdjustedGrossIncome: isJoint ? (chance(SPOUSE_WITH_INCOME) ? between(INCOMES) : 0) : null,
    spouseFederalLoanBalance: isJoint && chance(SPOUSE_WITH_LOANS) ? between(DEBTS) : null,
    filingStatus,
    dependents: filingStatus === "Single" ? 0 : byShare(DEPENDENTS),
    state: oneOf(STATES),
    workingTowardsPslf,
    annualIncomeGrowth: whole(0, MAX_INCOME_GROWTH_PERCENT) / 100,
    annualPriceGrowth: chance(WITH_PRICE_GROWTH) ? PRICE_GROWTH : 0,
    changes: chance(WITH_CHANGE) ? [{ fromYear: oneOf(CHANGE_YEARS), adjustedGrossIncome: between(INCOMES) }] : [],
    extraMonthlyPayment: 0,
    currentPlan,
    // Only payments on Direct loans count toward public-service forgiveness.
    loans: bare.map((loan) => ({
      ...loan,
      idrMonthsInRepayment,
      pslfCount: loan.loanType.startsWith("DIRECT") ? pslfCount : 0
    }))
  }
}

/** Text has neither comma nor quote, but JSON in a cell does. Not sent is an empty cell. */
const cellOf = (value: unknown): string => {
  if (!Array.isArray(value)) return value == null ? "" : String(value)
  return value.length === 0 ? "" : `"${JSON.stringify(value).replaceAll('"', '""')}"`
}
const cellsOf = (record: Readonly<Record<string, unknown>>, columns: ReadonlyArray<string>): string =>
  columns.map((column) => cellOf(record[column])).join(",")

const csvRows = (borrower: Sampled): string => {
  const own = cellsOf(borrower, BORROWER_COLUMNS)
  return borrower.loans.map((loan) => `${own},${cellsOf(loan, LOAN_COLUMNS)}`).join("\n")
}

/** The lines of a file of borrowers without line ends; the rows of a borrower are consecutive. */
export function* sampleBorrowers(options: SampleOptions): Generator<string, void> {
  const write = options.format === "csv" ? csvRows : (borrower: Sampled) => JSON.stringify(borrower)
  if (options.format === "csv") yield [...BORROWER_COLUMNS, ...LOAN_COLUMNS].join(",")
  for (let index = 0; index < options.count; index++) yield write(borrowerOf(options, index))
}

const BLOCK_CHARACTERS = 1 << 18

/** The text of a file of borrowers in blocks, because a write for each line would be slow. */
export function* sampleBlocks(options: SampleOptions): Generator<string, void> {
  let block = ""
  for (const line of sampleBorrowers(options)) {
    block += `${line}\n`
    if (block.length < BLOCK_CHARACTERS) continue
    yield block
    block = ""
  }
  if (block !== "") yield block
}
