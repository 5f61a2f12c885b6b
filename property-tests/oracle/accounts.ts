/**
 * The account of a loan in repayment: balances, the pause it is in, counts of months, and how its
 * plan repays it. This file accrues interest and applies a payment to one loan. pauses.ts begins
 * and ends pauses, groups.ts places loans under a plan, repayment.ts has the order of events.
 */
import { noteClosing, type Plan } from "./book.ts"
import { type Decimal, fromInteger, mulDiv, smaller, ZERO } from "./decimal.ts"
import { isSchoolLoan, subsidizedTypes } from "./matrix.ts"
import { type Edges, HALF_CENT } from "./thresholds.ts"
import type { Loan, PauseKind } from "./wire.ts"

const TWELVE = fromInteger(12)

/** A pause of one loan: months `from` to `until` - 1, not before month 0. */
export interface LoanPause {
  readonly kind: PauseKind
  readonly from: number
  readonly until: number
}

/** How a plan repays a loan. A change of plan and a successor plan replace it. */
export interface Terms {
  /** In the plan chosen, under its successor, or beside it; null before the loans are sorted. */
  readonly plan: Plan | null
  /** Whether the plan is STANDARD with a full term of ten years. */
  readonly isTenYear: boolean
  /** Whether the plan qualifies for PSLF. */
  readonly qualifies: boolean
  /** The count of months with which time forgives the loan, or null under a fixed plan. */
  readonly forgivenWith: number | null
  /** The due months of a fixed plan from month 0 on, or null under an income-driven plan. */
  readonly term: number | null
}

export interface Account {
  readonly loan: Loan
  readonly pauses: ReadonlyArray<LoanPause>
  terms: Terms
  /** The pause of this month, with the kind as which it counts for the loan. */
  pause: LoanPause | null
  accruedInPause: Decimal
  /** Months in which the loan was open and not paused. */
  dueMonths: number
  /** Those of them that an income-driven plan repaid. */
  incomeDrivenMonths: number
  /** Months that count toward forgiveness under REPAYMENT ASSISTANCE. */
  assistanceCount: number
  /** Months that count toward forgiveness under all other income-driven plans. */
  otherCount: number
  /** Whether this month's payment of REPAYMENT ASSISTANCE reaches its group's ten-year amount. */
  reachesTenYear: boolean
  /** Months counted for PSLF: those with public service under a plan that qualifies. */
  pslfCount: number
  /** Months since the loan was first due under a plan with 36 subsidized months, paused ones too. */
  subsidizedMonths: number
  /** The same of REVISED PAY AS YOU EARN, which has 36 months of its own. */
  revisedSubsidizedMonths: number
  /** The payment of a fixed plan by `dueMonths`; null until it is set. */
  schedule: ((dueMonths: number) => Decimal) | null
  principal: Decimal
  interest: Decimal
  open: boolean
  /** `accrued` is this month's interest; `uncovered` is the part of it that the payment left. */
  accrued: Decimal
  uncovered: Decimal
  paid: Decimal
}

export const openAccount = (loan: Loan, pauses: ReadonlyArray<LoanPause>): Account => ({
  loan,
  pauses,
  terms: { plan: null, isTenYear: false, qualifies: false, forgivenWith: null, term: null },
  pause: null,
  accruedInPause: ZERO,
  dueMonths: 0,
  incomeDrivenMonths: 0,
  assistanceCount: loan.idrMonths,
  otherCount: loan.idrMonths,
  reachesTenYear: false,
  pslfCount: loan.pslfCount,
  subsidizedMonths: 0,
  revisedSubsidizedMonths: 0,
  schedule: null,
  principal: loan.principal,
  interest: loan.interest,
  open: true,
  accrued: ZERO,
  uncovered: ZERO,
  paid: ZERO
})

export const balanceNow = (a: Account): Decimal => a.principal + a.interest

/** The loan as a request of now would have it, for the tests of which loans a plan takes. */
export const asOfNow = (a: Account): Loan => ({
  ...a.loan,
  principal: a.principal,
  interest: a.interest,
  idrMonths: a.loan.idrMonths + a.incomeDrivenMonths
})

export const owedBy = (a: Account): Decimal => balanceNow(a) + a.accrued

export const openOnes = (accounts: ReadonlyArray<Account>): ReadonlyArray<Account> => accounts.filter((a) => a.open)

export const dueOnes = (accounts: ReadonlyArray<Account>): ReadonlyArray<Account> =>
  accounts.filter((a) => a.open && a.pause === null)

/** 20 U.S.C. 1087e(f)(1)(A), 1087dd(c)(2)(A): in school and in deferment some loans bear none. */
const bearsInterest = ({ loan: { type }, pause }: Account): boolean =>
  pause === null || pause.kind === "Forbearance" || !(subsidizedTypes.has(type) || isSchoolLoan(type))

/**
 * Accrues a month's interest: principal * rate / 12. Unpaid interest bears none. That of a paused
 * loan is unpaid.
 */
export function accrue(a: Account): void {
  a.accrued = bearsInterest(a) ? mulDiv(a.principal, a.loan.rate, TWELVE) : ZERO
  a.uncovered = a.accrued
  a.paid = ZERO
  if (a.pause === null) return
  a.interest += a.accrued
  a.accruedInPause += a.accrued
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

/** Unpaid interest joins principal. */
export function capitalize(a: Account, interest: Decimal): void {
  a.interest -= interest
  a.principal += interest
}

/** Closes a loan; returns what it owed. */
export function close(a: Account): Decimal {
  const left = balanceNow(a)
  a.principal = ZERO
  a.interest = ZERO
  a.open = false
  return left
}

/** Closes a loan below half a cent; returns the dust. */
export function closeDust(a: Account, edges: Edges): Decimal {
  const balance = balanceNow(a)
  if (a.paid > ZERO || a.accrued > ZERO) noteClosing(a.loan, balance, edges)
  return balance < HALF_CENT ? close(a) : ZERO
}
