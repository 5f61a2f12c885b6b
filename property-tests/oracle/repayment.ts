/**
 * The month-by-month repayment of a book (all loans of a request): accrue, pay, waive or match,
 * close loans below half a cent (dust), forgive. Amounts are exact decimals; projection.ts rounds
 * them. The code is deliberately slow and literal.
 */
import { type Account, accrue, openAccounts } from "./accounts.ts"
import { type IncomeDrivenPlan, isFixed, noteClosing, type Plan, totalOf, withoutEmpty } from "./book.ts"
import type { Start } from "./calendar.ts"
import { type Decimal, ZERO } from "./decimal.ts"
import { divide } from "./fitting.ts"
import { type Basis, basisOf, billing } from "./income-driven.ts"
import { type PlanRefusal, refusalOf } from "./refusal.ts"
import { NO_SUBSIDY, payBySchedule, payIncomeDriven, type Subsidy } from "./spending.ts"
import { endOf, moveToSuccessors } from "./successors.ts"
import { type Edges, HALF_CENT } from "./thresholds.ts"
import type { Household, Loan } from "./wire.ts"

/** The amounts of a month over the whole book, and the balances after it. */
export interface Month {
  readonly accrued: Decimal
  readonly paid: Decimal
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

const forgive = (accounts: ReadonlyArray<Account>, month: number, type: "Pslf" | "TimeBased"): Decimal =>
  totalOf(accounts.filter((a) => a.forgiveness?.type === type && month >= a.forgiveness.month).map(close))

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

/** The plan's open loans under its successors, from the month of its end. */
const successorGroups = (open: ReadonlyArray<Account>, basis: Basis, end: number): ReadonlyArray<Group> =>
  moveToSuccessors(open, basis.household.towardsPslf, basis.edges).map(({ accounts, loans, plan }) => ({
    accounts,
    pay: payFromIncome(plan, basis, loans, end)
  }))

/** One month of the book, in the order of the law: accrue, pay, subsidize, close dust, forgive. */
function repayMonth(groups: ReadonlyArray<Group>, month: number, edges: Edges): Month {
  const open = openOnes(groups.flatMap(({ accounts }) => accounts))
  for (const a of open) accrue(a)
  const subsidy = payGroups(groups, month)
  const dust = totalOf(open.map((a) => closeDust(a, edges)))
  return {
    accrued: totalOf(open.map((a) => a.accrued)),
    paid: totalOf(open.map((a) => a.paid)),
    ...subsidy,
    dust,
    pslf: forgive(openOnes(open), month, "Pslf"),
    timeBased: forgive(openOnes(open), month, "TimeBased"),
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
  household: Household,
  sent: ReadonlyArray<Loan>,
  start: Start,
  edges: Edges
): Repayment | PlanRefusal {
  const request = withoutEmpty(sent, edges)
  const loans = divide(plan, request, edges)
  const refused = refusalOf(plan, loans.own, request, household.towardsPslf, edges)
  if (refused !== null) return refused
  const { outside, own } = openAccounts(plan, loans, household.towardsPslf, edges)
  const basis = basisOf(plan, household, loans.own, request, edges)
  const end = endOf(plan, start)
  const outsideGroup = { accounts: outside, pay: payScheduled }
  let groups: ReadonlyArray<Group> = [
    { accounts: own, pay: isFixed(plan) ? payScheduled : payFromIncome(plan, basis, loans.own, 0) },
    outsideGroup
  ]
  const months: Array<Month> = []
  while (months.length < GUARD_MONTHS && [...own, ...outside].some((a) => a.open)) {
    if (months.length === end) groups = [...successorGroups(openOnes(own), basis, end), outsideGroup]
    months.push(repayMonth(groups, months.length, edges))
  }
  return { months, finished: [...own, ...outside].every((a) => !a.open) }
}
