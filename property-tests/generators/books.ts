/**
 * Generators of loans and of books (all loans of one borrower) in JSON form. Counts, totals and
 * tiny balances are often near thresholds of the law.
 */
import fc from "fast-check"
import { loanTypes as allLoanTypes, type PlanType } from "../oracle/matrix.ts"
import type { Start } from "../oracle/oracle.ts"
import type { WireLoan } from "../oracle/wire.ts"
import { anyBalance, anyUnpaidInterest, atMost, bookTotal, rate, respelled } from "./amounts.ts"

export interface RequestOptions {
  /** Plans to draw from, evenly. All ten by default. */
  readonly plans?: ReadonlyArray<PlanType>
  /** Loan types to draw from. All 29 by default, mostly those that income-driven plans take. */
  readonly loanTypes?: ReadonlyArray<string>
  /** Maximum number of loans in a book; 10 by default. If it is 100, a few books have 100 loans. */
  readonly maxLoans?: number
  /**
   * Highest interest rate; 1 (100 percent) by default. Cents are compared exactly only up to 0.30.
   */
  readonly highestRate?: number
  /** Highest principal and highest unpaid interest of one loan; 100,000,000 by default. */
  readonly highestBalance?: number
  /**
   * First month of repayment, from which some requests cross July 2028. December 2026 by default.
   */
  readonly start?: Start
  /**
   * Whether requests may also have dates, price growth, changes by year and extra payments. Without
   * it, the same seed draws the same requests as before these fields.
   */
  readonly additions?: boolean
  /** Whether requests may also have pauses, family sizes, budgets, lump sums and discount rates. */
  readonly lives?: boolean
  /** Whether requests may also have changes of plan. */
  readonly changesOfPlan?: boolean
}

const countEdges = [
  1, 35, 36, 59, 60, 118, 119, 120, 121, 143, 144, 179, 180, 238, 239, 240, 241, 298, 299, 300, 301, 358, 359, 360, 361,
  600
]

export const idrMonths = fc.oneof(
  { weight: 10, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 117 }) },
  { weight: 3, arbitrary: fc.constantFrom(...countEdges) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 600 }) }
)

export const pslfCount = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 117 }) },
  { weight: 2, arbitrary: fc.constantFrom(1, 60, 118, 119, 120) }
)

const studentTypes = [
  "DIRECT STAFFORD SUBSIDIZED",
  "DIRECT STAFFORD UNSUBSIDIZED",
  "DIRECT PLUS GRADUATE",
  "DIRECT CONSOLIDATED SUBSIDIZED",
  "DIRECT CONSOLIDATED UNSUBSIDIZED",
  "DIRECT STAFFORD SUBSIDIZED (SULA ELIGIBLE)"
]

const plusTypes = ["DIRECT PARENT PLUS", "DIRECT PLUS CONSOLIDATED", "DIRECT PARENT PLUS CONSOLIDATED"]

const loanType = (types: ReadonlyArray<string> | undefined): fc.Arbitrary<string> =>
  respelled(
    types === undefined
      ? fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...studentTypes) },
          { weight: 2, arbitrary: fc.constantFrom(...allLoanTypes) },
          { weight: 1, arbitrary: fc.constantFrom(...plusTypes) }
        )
      : fc.constantFrom(...types)
  )

export type LoanWithoutPrincipal = Omit<WireLoan, "principalBalance">

export const loanTerms = (options: RequestOptions): fc.Arbitrary<LoanWithoutPrincipal> =>
  fc.record(
    {
      loanType: loanType(options.loanTypes),
      interestBalance: atMost(anyUnpaidInterest, options.highestBalance),
      interestRate: rate(options.highestRate ?? 1),
      disbursedAmount: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: bookTotal }),
      idrMonthsInRepayment: idrMonths,
      pslfCount
    },
    { requiredKeys: ["loanType", "interestRate"] }
  )

const loans = (options: RequestOptions = {}): fc.Arbitrary<WireLoan> =>
  fc
    .tuple(loanTerms(options), atMost(anyBalance, options.highestBalance))
    .map(([terms, principalBalance]) => ({ ...terms, principalBalance }))

/** Splits a total by weights into whole cents. The last part is the exact remainder. */
export function cutInParts(total: number, weights: ReadonlyArray<number>): ReadonlyArray<number> {
  const weightSum = weights.reduce((sum, weight) => sum + weight, 0)
  const parts = weights.map((weight) => Math.floor((total * 100 * weight) / weightSum))
  const others = parts.slice(0, -1).reduce((sum, part) => sum + part, 0)
  const last = Number((total - others / 100).toFixed(6))
  return [...parts.slice(0, -1).map((part) => part / 100), Math.max(0, last)]
}

/** A book without unpaid interest. Its total principal is often near an edge. */
const bookOfTotal = (options: RequestOptions, maximum: number): fc.Arbitrary<ReadonlyArray<WireLoan>> =>
  fc
    .tuple(
      atMost(bookTotal, options.highestBalance),
      fc.array(fc.tuple(loanTerms(options), fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: maximum })
    )
    .map(([total, parts]) => {
      const principals = cutInParts(
        total,
        parts.map(([, weight]) => weight)
      )
      return parts.map(([{ interestBalance: _, ...terms }], i) => ({ ...terms, principalBalance: principals[i] ?? 0 }))
    })

const arrayOfLoans = (options: RequestOptions, minLength: number, maxLength: number) =>
  fc.array(loans(options), { minLength, maxLength, size: "max" })

/** Books of mostly 1 to 3 loans, sometimes up to 10, rarely 100. Loans are drawn independently. */
export function books(options: RequestOptions = {}): fc.Arbitrary<ReadonlyArray<WireLoan>> {
  const maximum = options.maxLoans ?? 10
  const sizes = [
    { weight: 90, arbitrary: arrayOfLoans(options, 1, 1) },
    { weight: 50, arbitrary: arrayOfLoans(options, Math.min(2, maximum), Math.min(3, maximum)) },
    { weight: 40, arbitrary: bookOfTotal(options, Math.min(3, maximum)) },
    { weight: 15, arbitrary: arrayOfLoans(options, Math.min(4, maximum), Math.min(10, maximum)) }
  ]
  const largest = { weight: 1, arbitrary: arrayOfLoans(options, 100, 100) }
  return fc.oneof(...(maximum >= 100 ? [...sizes, largest] : sizes))
}
