/**
 * The account of a loan in repayment: balances, fixed schedule if any, and what forgiveness needs.
 * This file opens the accounts of a book (all loans of a request) and applies a payment to one
 * loan. repayment.ts has the order of events in a month.
 */
import { annuity, graduatedSteps, olderGraduatedSteps } from "./amortization.ts"
import {
  balanceOf,
  type FixedPlan,
  type IncomeDrivenPlan,
  isFixed,
  monthsSpent,
  type Plan,
  termOf,
  totalOf
} from "./book.ts"
import { type Dates, repaidOn } from "./dates.ts"
import { type Decimal, fromInteger, mulDiv, smaller, ZERO } from "./decimal.ts"
import { monthsToForgiveness } from "./income-driven.ts"
import { GRADUATED_STEP_MONTHS, MIN_LEVEL_PAYMENT } from "./law.ts"
import { PLUS_CONSOLIDATION } from "./matrix.ts"
import { qualifiesForPslf } from "./refusal.ts"
import type { Edges } from "./thresholds.ts"
import type { Loan } from "./wire.ts"

const TWELVE = fromInteger(12)

export interface Schedule {
  readonly amountIn: (month: number) => Decimal
  /** In this month the payment is all that is owed. */
  readonly lastMonth: number
}

export interface Account {
  readonly loan: Loan
  /** Null under an income-driven plan, which has one payment for the whole book. */
  readonly schedule: Schedule | null
  /** Whether the plan under which the loan is repaid qualifies for PSLF. */
  readonly qualifies: boolean
  /** Months counted for PSLF. One is added in each month with public service if `qualifies`. */
  pslfCount: number
  /**
   * The month at whose end time forgives the loan, or null under a fixed plan. Changes only if the
   * plan ends in July 2028 and a successor plan takes over the loan.
   */
  timeBasedMonth: number | null
  principal: Decimal
  interest: Decimal
  open: boolean
  /** `accrued` is this month's interest; `uncovered` is the part of it that the payment left. */
  accrued: Decimal
  uncovered: Decimal
  paid: Decimal
}

const account = (
  loan: Loan,
  terms: Pick<Account, "schedule" | "qualifies"> & { readonly timeBasedMonth: number | null }
): Account => ({
  loan,
  ...terms,
  pslfCount: loan.pslfCount,
  principal: loan.principal,
  interest: loan.interest,
  open: true,
  accrued: ZERO,
  uncovered: ZERO,
  paid: ZERO
})

export const owedBy = (a: Account): Decimal => a.principal + a.interest + a.accrued

/** Accrues a month's interest: principal * rate / 12. Unpaid interest bears none. */
export function accrue(a: Account): void {
  a.accrued = mulDiv(a.principal, a.loan.rate, TWELVE)
  a.uncovered = a.accrued
  a.paid = ZERO
}

/** 34 CFR 685.211(a)(1): pays the month's interest, then older unpaid interest, then principal. */
export function spend(a: Account, payment: Decimal): void {
  const toMonth = smaller(payment, a.accrued)
  const toOlder = smaller(payment - toMonth, a.interest)
  const toPrincipal = smaller(payment - toMonth - toOlder, a.principal)
  a.uncovered = a.accrued - toMonth
  a.interest -= toOlder
  a.principal -= toPrincipal
  a.paid += toMonth + toOlder + toPrincipal
}

/** Pays unpaid interest, then principal, after the scheduled payment. Returns the amount. */
export function payToBalance(a: Account, payment: Decimal): Decimal {
  const toInterest = smaller(payment, a.interest)
  const toPrincipal = smaller(payment - toInterest, a.principal)
  a.interest -= toInterest
  a.principal -= toPrincipal
  a.paid += toInterest + toPrincipal
  return toInterest + toPrincipal
}

/** 34 CFR 685.208(b): level amounts over the months left, together at least $50 a month. */
function levelSchedules(loans: ReadonlyArray<Loan>, monthsLeft: ReadonlyArray<number>): ReadonlyArray<Schedule> {
  const levels = loans.map((loan, i) => annuity(balanceOf(loan), loan.rate, monthsLeft[i]!))
  const total = totalOf(levels)
  return levels.map((level, i) => {
    const amount = total < MIN_LEVEL_PAYMENT ? mulDiv(level, MIN_LEVEL_PAYMENT, total) : level
    return { amountIn: () => amount, lastMonth: monthsLeft[i]! - 1 }
  })
}

function graduatedSchedule({ interest, principal, rate, type }: Loan, monthsLeft: number): Schedule {
  const steps =
    type === PLUS_CONSOLIDATION
      ? olderGraduatedSteps(principal, interest, rate, monthsLeft)
      : graduatedSteps(principal, interest, rate, monthsLeft)
  return { amountIn: (month) => steps[Math.floor(month / GRADUATED_STEP_MONTHS)]!, lastMonth: monthsLeft - 1 }
}

/** The months of a fixed term that are used up when the projection begins. */
type Spent = (plan: FixedPlan, loan: Loan, term: number) => number

/** The accounts of loans on one fixed plan. On a level plan they have one minimum of $50. */
function accountsOn(
  plan: FixedPlan,
  loans: ReadonlyArray<Loan>,
  request: ReadonlyArray<Loan>,
  spent: Spent,
  edges: Edges
) {
  const terms = loans.map((loan) => termOf(plan, loan, request, edges))
  const monthsLeft = loans.map((loan, i) => terms[i]! - spent(plan, loan, terms[i]!))
  const schedules =
    plan === "GRADUATED"
      ? loans.map((loan, i) => graduatedSchedule(loan, monthsLeft[i]!))
      : levelSchedules(loans, monthsLeft)
  return loans.map((loan, i) =>
    account(loan, {
      schedule: schedules[i]!,
      qualifies: qualifiesForPslf(plan, loan, terms[i]!),
      timeBasedMonth: null
    })
  )
}

/**
 * The accounts of a fixed plan. If STANDARD is tiered for Direct loans, they and the other loans
 * are two groups with a minimum each.
 */
function fixedAccounts(
  plan: FixedPlan,
  loans: ReadonlyArray<Loan>,
  request: ReadonlyArray<Loan>,
  dates: Dates,
  spent: Spent,
  edges: Edges
) {
  const isTiered = (loan: Loan) => repaidOn(plan, loan, dates) === "TIERED STANDARD"
  const [tiered, others] = [loans.filter(isTiered), loans.filter((loan) => !isTiered(loan))]
  return [
    ...accountsOn("TIERED STANDARD", tiered, request, spent, edges),
    ...accountsOn(plan, others, request, spent, edges)
  ]
}

/** The month at whose end time forgives a loan under an income-driven plan. */
export const timeBasedMonth = (loan: Loan, months: number): number => months - loan.idrMonths - 1

const incomeDrivenAccount = (plan: IncomeDrivenPlan, loan: Loan, months: number): Account =>
  account(loan, {
    schedule: null,
    qualifies: qualifiesForPslf(plan, loan, null),
    timeBasedMonth: timeBasedMonth(loan, months)
  })

/**
 * Opens the accounts of a book, in the plan and outside it. Empty loans are already removed.
 * - On a fixed plan, months already counted shorten the term.
 * - 34 CFR 685.210: loans that the plan cannot take are repaid on STANDARD, with a full term and
 *   their own minimum of $50.
 */
export function openAccounts(
  plan: Plan,
  { outside, own }: { readonly own: ReadonlyArray<Loan>; readonly outside: ReadonlyArray<Loan> },
  dates: Dates,
  edges: Edges
): { readonly own: ReadonlyArray<Account>; readonly outside: ReadonlyArray<Account> } {
  const request = [...own, ...outside]
  const others = fixedAccounts("STANDARD", outside, request, dates, () => 0, edges)
  if (isFixed(plan)) return { own: fixedAccounts(plan, own, request, dates, monthsSpent, edges), outside: others }
  const months = monthsToForgiveness(plan, own, edges)
  return { own: own.map((loan) => incomeDrivenAccount(plan, loan, months)), outside: others }
}
