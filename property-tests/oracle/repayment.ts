/**
 * The month-by-month repayment of a book (all loans of a request): accrue, pay, waive or match,
 * close loans below half a cent (dust), pay extra, forgive. Amounts are exact decimals;
 * projection.ts rounds them. The code is deliberately slow and literal.
 */
import { type Account, accrue, openAccounts } from "./accounts.ts"
import { type IncomeDrivenPlan, isFixed, noteClosing, type Plan, totalBalance, totalOf, withoutEmpty } from "./book.ts"
import type { Start } from "./calendar.ts"
import { type Dates, datesOf } from "./dates.ts"
import { type Decimal, ZERO } from "./decimal.ts"
import { payExtra } from "./extra.ts"
import { divide } from "./fitting.ts"
import { type Basis, basisOf, billing } from "./income-driven.ts"
import { PSLF_PAYMENTS } from "./law.ts"
import { type PlanRefusal, refusalOf } from "./refusal.ts"
import { NO_SUBSIDY, payBySchedule, payIncomeDriven, type Subsidy } from "./spending.ts"
import { endOf, moveToSuccessors } from "./successors.ts"
import { type Edges, HALF_CENT } from "./thresholds.ts"
import type { Borrower, Loan } from "./wire.ts"
import { householdInMonth } from "./years.ts"

/** The amounts of a month over the whole book, and the balances after it. */
export interface Month {
  readonly accrued: Decimal
  /** Scheduled payments and the extra payment. */
  readonly paid: Decimal
  readonly extra: Decimal
  readonly waived: Decimal
  readonly matched: Decimal
  readonly pslf: Decimal
  readonly timeBased: Decimal
  /** Balances closed below half a cent, neither paid nor forgiven. */
  readonly dust: Decimal
  readonly principal: Decimal
  readonly interest: Decimal
}

export interface Repayment {
  readonly months: ReadonlyArray<Month>
  /** False if the book was still open at the limit of 600 months. */
  readonly finished: boolean
}

const GUARD_MONTHS = 600

/** Pays open loans for one month. */
type Pay = (open: ReadonlyArray<Account>, month: number) => Subsidy

/** Loans that are paid together: those in the plan, outside it, or under one successor plan. */
interface Group {
  readonly accounts: ReadonlyArray<Account>
  readonly pay: Pay
}

const openOnes = (accounts: ReadonlyArray<Account>): ReadonlyArray<Account> => accounts.filter((a) => a.open)

function close(a: Account): Decimal {
  const left = a.principal + a.interest
  a.principal = ZERO
  a.interest = ZERO
  a.open = false
  return left
}

/** Closes a loan below half a cent; returns the dust. */
function closeDust(a: Account, edges: Edges): Decimal {
  const balance = a.principal + a.interest
  if (a.paid > ZERO || a.accrued > ZERO) noteClosing(a.loan, balance, edges)
  return balance < HALF_CENT ? close(a) : ZERO
}

/**
 * 34 CFR 685.219(c): a month counts if public service is on in it and the loan's plan qualifies.
 * The loan is forgiven with the count of 120. One that had it already is forgiven in the first
 * month that counts.
 */
function forgiveByService(accounts: ReadonlyArray<Account>): Decimal {
  const counted = accounts.filter((a) => a.qualifies)
  for (const a of counted) a.pslfCount += 1
  return totalOf(counted.filter((a) => a.pslfCount >= PSLF_PAYMENTS).map(close))
}

const forgiveByTime = (accounts: ReadonlyArray<Account>, month: number): Decimal =>
  totalOf(accounts.filter((a) => a.timeBasedMonth !== null && month >= a.timeBasedMonth).map(close))

const payScheduled: Pay = (open, month) => {
  payBySchedule(open, month)
  return NO_SUBSIDY
}

/** Pays by income, recalculated in the plan's first month `from` and at each new year. */
function payFromIncome(plan: IncomeDrivenPlan, basis: Basis, loans: ReadonlyArray<Loan>, from: number): Pay {
  const bill = billing(plan, basis, loans)
  let billed = ZERO
  return (open, month) => {
    if (month === from || month % 12 === 0) billed = bill(Math.floor(month / 12))
    return payIncomeDriven(plan, open, billed, month)
  }
}

function payGroups(groups: ReadonlyArray<Group>, month: number): Subsidy {
  let { matched, waived } = NO_SUBSIDY
  for (const { accounts, pay } of groups) {
    const open = openOnes(accounts)
    const subsidy = open.length === 0 ? NO_SUBSIDY : pay(open, month)
    waived += subsidy.waived
    matched += subsidy.matched
  }
  return { waived, matched }
}

/**
 * The plan's open loans under its successors, from the month of its end. 34 CFR 685.209(e)(2),
 * (g)(3): the share of a couple's payment is by the loans in the plan, so each group has its own.
 */
const successorGroups = (open: ReadonlyArray<Account>, dates: Dates, basis: Basis, end: number): ReadonlyArray<Group> =>
  moveToSuccessors(open, dates, end, basis.edges).map(({ accounts, loans, plan }) => ({
    accounts,
    pay: payFromIncome(plan, { ...basis, shareBalance: totalBalance(accounts.map(({ loan }) => loan)) }, loans, end)
  }))

/**
 * One month of the book, in the order of the law: accrue, pay, subsidize, pay extra, forgive. Dust
 * is closed before the extra payment, which takes none of it, and after. PSLF comes before time in
 * a month that completes both.
 */
function repayMonth(groups: ReadonlyArray<Group>, month: number, borrower: Borrower, edges: Edges): Month {
  const open = openOnes(groups.flatMap(({ accounts }) => accounts))
  for (const a of open) accrue(a)
  const subsidy = payGroups(groups, month)
  const dust = totalOf(open.map((a) => closeDust(a, edges)))
  const extra = payExtra(openOnes(open), borrower.extraPayment)
  const dustAfterExtra = extra === ZERO ? ZERO : totalOf(openOnes(open).map((a) => closeDust(a, edges)))
  const serves = householdInMonth(borrower, month).towardsPslf
  return {
    accrued: totalOf(open.map((a) => a.accrued)),
    paid: totalOf(open.map((a) => a.paid)),
    extra,
    ...subsidy,
    dust: dust + dustAfterExtra,
    pslf: serves ? forgiveByService(openOnes(open)) : ZERO,
    timeBased: forgiveByTime(openOnes(open), month),
    principal: totalOf(open.map((a) => a.principal)),
    interest: totalOf(open.map((a) => a.interest))
  }
}

/**
 * Repays a book under a plan, or returns why it is refused. Adds to `edges` each threshold that an
 * amount came too close to.
 */
export function repay(
  plan: Plan,
  borrower: Borrower,
  sent: ReadonlyArray<Loan>,
  start: Start,
  edges: Edges
): Repayment | PlanRefusal {
  const request = withoutEmpty(sent, edges)
  const dates = datesOf(borrower.firstBorrowedOn, request)
  const loans = divide(plan, request, dates, edges)
  const refused = refusalOf(plan, loans.own, request, dates, borrower.firstYear.towardsPslf, edges)
  if (refused !== null) return refused
  const { outside, own } = openAccounts(plan, loans, dates, edges)
  const basis = basisOf(plan, borrower, loans.own, request, edges)
  const end = endOf(plan, start)
  const outsideGroup = { accounts: outside, pay: payScheduled }
  let groups: ReadonlyArray<Group> = [
    { accounts: own, pay: isFixed(plan) ? payScheduled : payFromIncome(plan, basis, loans.own, 0) },
    outsideGroup
  ]
  const months: Array<Month> = []
  while (months.length < GUARD_MONTHS && [...own, ...outside].some((a) => a.open)) {
    if (months.length === end) groups = [...successorGroups(openOnes(own), dates, basis, end), outsideGroup]
    months.push(repayMonth(groups, months.length, borrower, edges))
  }
  return { months, finished: [...own, ...outside].every((a) => !a.open) }
}
