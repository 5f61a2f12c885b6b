/**
 * The account of a loan in repayment: balances, fixed schedule if any, and month of forgiveness.
 * This file opens the accounts of a book (all loans of a request) and applies a payment to one
 * loan. repayment.ts has the order of events in a month.
 */
import { annuity, graduatedSteps } from "./amortization.ts"
import { balanceOf, type FixedPlan, isFixed, monthsSpent, type Plan, termOf, totalOf } from "./book.ts"
import { type Decimal, fromInteger, mulDiv, smaller, ZERO } from "./decimal.ts"
import { monthsToForgiveness } from "./income-driven.ts"
import { GRADUATED_STEP_MONTHS, MIN_LEVEL_PAYMENT, PSLF_PAYMENTS } from "./law.ts"
import { qualifiesForPslf } from "./refusal.ts"
import type { Edges } from "./thresholds.ts"
import type { Loan } from "./wire.ts"

const TWELVE = fromInteger(12)

export interface Schedule {
  readonly amountIn: (month: number) => Decimal
  /** In this month the payment is all that is owed. */
  readonly lastMonth: number
}

interface Forgiveness {
  readonly month: number
  readonly type: "Pslf" | "TimeBased"
}

export interface Account {
  readonly loan: Loan
  /** Null under an income-driven plan, which has one payment for the whole book. */
  readonly schedule: Schedule | null
  /** Changes only if the plan ends in July 2028 and a successor plan takes over the loan. */
  forgiveness: Forgiveness | null
  principal: Decimal
  interest: Decimal
  open: boolean
  /** `accrued` is this month's interest; `uncovered` is the part of it that the payment left. */
  accrued: Decimal
  uncovered: Decimal
  paid: Decimal
}

const account = (loan: Loan, schedule: Schedule | null, forgiveness: Forgiveness | null): Account => ({
  loan,
  schedule,
  forgiveness,
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

/** 34 CFR 685.208(b): level amounts over the months left, together at least $50 a month. */
function levelSchedules(loans: ReadonlyArray<Loan>, monthsLeft: ReadonlyArray<number>): ReadonlyArray<Schedule> {
  const levels = loans.map((loan, i) => annuity(balanceOf(loan), loan.rate, monthsLeft[i]!))
  const total = totalOf(levels)
  return levels.map((level, i) => {
    const amount = total < MIN_LEVEL_PAYMENT ? mulDiv(level, MIN_LEVEL_PAYMENT, total) : level
    return { amountIn: () => amount, lastMonth: monthsLeft[i]! - 1 }
  })
}

function graduatedSchedule(loan: Loan, monthsLeft: number): Schedule {
  const steps = graduatedSteps(loan.principal, loan.interest, loan.rate, monthsLeft)
  return { amountIn: (month) => steps[Math.floor(month / GRADUATED_STEP_MONTHS)]!, lastMonth: monthsLeft - 1 }
}

/** The accounts of a fixed plan. Months already counted shorten the term. */
function fixedAccounts(
  plan: FixedPlan,
  loans: ReadonlyArray<Loan>,
  request: ReadonlyArray<Loan>,
  towardsPslf: boolean,
  edges: Edges
) {
  const terms = loans.map((loan) => termOf(plan, loan, request, edges))
  const monthsLeft = loans.map((loan, i) => terms[i]! - monthsSpent(plan, loan, terms[i]!))
  const schedules =
    plan === "GRADUATED"
      ? loans.map((loan, i) => graduatedSchedule(loan, monthsLeft[i]!))
      : levelSchedules(loans, monthsLeft)
  return loans.map((loan, i) => {
    const pslf = towardsPslf && qualifiesForPslf(plan, loan, terms[i]!)
    const month = PSLF_PAYMENTS - loan.pslfCount - 1
    return account(loan, schedules[i]!, pslf ? { month, type: "Pslf" } : null)
  })
}

/**
 * 34 CFR 685.210: loans that the plan cannot take are repaid on STANDARD, with a full term and
 * their own minimum of $50. A loan with a complete PSLF count is forgiven after the first payment.
 */
function accountsOutside(loans: ReadonlyArray<Loan>, request: ReadonlyArray<Loan>, towardsPslf: boolean, edges: Edges) {
  const terms = loans.map((loan) => termOf("STANDARD", loan, request, edges))
  const schedules = levelSchedules(loans, terms)
  return loans.map((loan, i) => {
    const pslf = towardsPslf && qualifiesForPslf("STANDARD", loan, terms[i]!)
    const month = Math.max(0, PSLF_PAYMENTS - loan.pslfCount - 1)
    return account(loan, schedules[i]!, pslf ? { month, type: "Pslf" } : null)
  })
}

/**
 * 34 CFR 685.219(e)(1): PSLF applies if its month is not later than that of time-based forgiveness.
 */
export function incomeDrivenForgiveness(loan: Loan, months: number, towardsPslf: boolean): Forgiveness {
  const timeBased = months - loan.idrMonths - 1
  const pslf = PSLF_PAYMENTS - loan.pslfCount - 1
  const byPslf = towardsPslf && qualifiesForPslf("REPAYMENT ASSISTANCE", loan, null) && pslf <= timeBased
  return byPslf ? { month: pslf, type: "Pslf" } : { month: timeBased, type: "TimeBased" }
}

/** Opens the accounts of a book, in the plan and outside it. Empty loans are already removed. */
export function openAccounts(
  plan: Plan,
  { outside, own }: { readonly own: ReadonlyArray<Loan>; readonly outside: ReadonlyArray<Loan> },
  towardsPslf: boolean,
  edges: Edges
): { readonly own: ReadonlyArray<Account>; readonly outside: ReadonlyArray<Account> } {
  const request = [...own, ...outside]
  const others = accountsOutside(outside, request, towardsPslf, edges)
  if (isFixed(plan)) return { own: fixedAccounts(plan, own, request, towardsPslf, edges), outside: others }
  const months = monthsToForgiveness(plan, own, edges)
  const taken = own.map((loan) => account(loan, null, incomeDrivenForgiveness(loan, months, towardsPslf)))
  return { own: taken, outside: others }
}
