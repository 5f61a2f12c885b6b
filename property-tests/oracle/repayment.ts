/**
 * The month-by-month repayment of a book: accrue, pay, apply what the plan waives or matches, close dust, forgive.
 * Amounts are exact decimals; rounding and dates are for projection.ts. Deliberately slow and literal.
 */
import { type Account, accrue, openAccounts } from "./accounts.ts"
import { isFixed, noteClosing, type Plan, totalOf, withoutEmpty } from "./book.ts"
import { type Decimal, ZERO } from "./decimal.ts"
import { divide } from "./fitting.ts"
import { billing } from "./income-driven.ts"
import { type PlanRefusal, refusalOf } from "./refusal.ts"
import { NO_SUBSIDY, payBySchedule, payIncomeDriven, type Subsidy } from "./spending.ts"
import { type Edges, HALF_CENT } from "./thresholds.ts"
import type { Household, Loan } from "./wire.ts"

/** What moved in a month, over the whole book, and what is left after it. */
export interface Month {
  readonly accrued: Decimal
  readonly paid: Decimal
  readonly waived: Decimal
  readonly matched: Decimal
  readonly pslf: Decimal
  readonly timeBased: Decimal
  /** Closed under half a cent: neither paid nor forgiven. */
  readonly dust: Decimal
  readonly principal: Decimal
  readonly interest: Decimal
}

export interface Repayment {
  readonly months: ReadonlyArray<Month>
  /** False when the guard of 600 months stopped a book that was still open. */
  readonly finished: boolean
}

const GUARD_MONTHS = 600

/** The open loans under the plan itself, paid for one month. */
type PayOwn = (accounts: ReadonlyArray<Account>, month: number) => Subsidy

const openOnes = (accounts: ReadonlyArray<Account>): ReadonlyArray<Account> => accounts.filter((a) => a.open)

function close(a: Account): Decimal {
  const left = a.principal + a.interest
  a.principal = ZERO
  a.interest = ZERO
  a.open = false
  return left
}

/** A loan under half a cent counts as 0 from now on. */
function closeDust(a: Account, edges: Edges): Decimal {
  const balance = a.principal + a.interest
  if (a.paid > ZERO || a.accrued > ZERO) noteClosing(a.loan, balance, edges)
  return balance < HALF_CENT ? close(a) : ZERO
}

const forgive = (accounts: ReadonlyArray<Account>, month: number, type: "Pslf" | "TimeBased"): Decimal =>
  totalOf(accounts.filter((a) => a.forgiveness?.type === type && month >= a.forgiveness.month).map(close))

/** Pays the plan's own loans: by schedule, or what the year's income asks for. */
function payOwnLoans(plan: Plan, household: Household, loans: ReadonlyArray<Loan>, edges: Edges): PayOwn {
  if (isFixed(plan)) {
    return (accounts, month) => {
      payBySchedule(accounts, month)
      return NO_SUBSIDY
    }
  }
  const bill = billing(plan, household, loans, edges)
  let billed = ZERO
  return (accounts, month) => {
    if (month % 12 === 0) billed = bill(month / 12)
    return payIncomeDriven(plan, accounts, billed, month)
  }
}

/** One month of the whole book, in the order of the law: accrue, pay and subsidize, close dust, forgive. */
function repayMonth(
  own: ReadonlyArray<Account>,
  beside: ReadonlyArray<Account>,
  month: number,
  payOwn: PayOwn,
  edges: Edges
): Month {
  const open = [...own, ...beside]
  for (const a of open) accrue(a)
  const subsidy = own.length === 0 ? NO_SUBSIDY : payOwn(own, month)
  payBySchedule(beside, month)
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

/** Repays a book under a plan, or says why the plan has no answer. Edges met on the way are added to `edges`. */
export function repay(
  plan: Plan,
  household: Household,
  sent: ReadonlyArray<Loan>,
  edges: Edges
): Repayment | PlanRefusal {
  const request = withoutEmpty(sent, edges)
  const loans = divide(plan, request, edges)
  const refused = refusalOf(plan, loans.own, request, household.towardsPslf, edges)
  if (refused !== null) return refused
  const { beside, own } = openAccounts(plan, loans, household.towardsPslf, edges)
  const payOwn = payOwnLoans(plan, household, loans.own, edges)
  const months: Array<Month> = []
  while (months.length < GUARD_MONTHS && [...own, ...beside].some((a) => a.open)) {
    months.push(repayMonth(openOnes(own), openOnes(beside), months.length, payOwn, edges))
  }
  return { months, finished: [...own, ...beside].every((a) => !a.open) }
}
