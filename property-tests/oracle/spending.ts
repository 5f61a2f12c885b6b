/**
 * The application of one month's payment to the loans of a plan, with waiver and match. The loans
 * have already accrued the month's interest.
 */
import { type Account, owedBy, spend } from "./accounts.ts"
import { type IncomeDrivenPlan, isFixed, totalOf } from "./book.ts"
import { type Decimal, mulDiv, smaller, ZERO } from "./decimal.ts"
import { repaymentAssistance, SUBSIDIZED_MONTHS } from "./law.ts"
import { subsidizedTypes } from "./matrix.ts"

/** Interest waived and principal matched in a month. */
export interface Subsidy {
  readonly waived: Decimal
  readonly matched: Decimal
}

export const NO_SUBSIDY: Subsidy = { waived: ZERO, matched: ZERO }

/** A fixed plan: each loan pays its own amount, at most what it owes. The last month pays all. */
export function payBySchedule(accounts: ReadonlyArray<Account>): void {
  for (const a of accounts) {
    const owed = owedBy(a)
    const isLast = a.dueMonths + 1 === a.terms.term
    spend(a, isLast ? owed : smaller(a.schedule!(a.dueMonths), owed))
    a.interest += a.uncovered
  }
}

/** An income-driven payment is split in proportion to what each loan owes. */
function payByShare(accounts: ReadonlyArray<Account>, billed: Decimal): void {
  const owed = totalOf(accounts.map(owedBy))
  const payment = smaller(billed, owed)
  for (const a of accounts) spend(a, mulDiv(payment, owedBy(a), owed))
}

/**
 * 20 U.S.C. 1098e(b)(3)(A): uncovered interest of a subsidized loan's first 36 months is waived.
 */
const inSubsidizedMonths = ({ loan }: Account, monthsSoFar: number): boolean =>
  subsidizedTypes.has(loan.type) && monthsSoFar < SUBSIDIZED_MONTHS - loan.idrMonths

/** The clock begins with a due month, and then runs in every month under its plans. */
function runSubsidizedMonths(a: Account): void {
  switch (a.terms.plan) {
    case "INCOME BASED":
    case "INCOME BASED (OLD)":
    case "PAY AS YOU EARN":
      if (a.pause === null || a.subsidizedMonths > 0) a.subsidizedMonths += 1
      return
    case "REVISED PAY AS YOU EARN":
      if (a.pause === null || a.revisedSubsidizedMonths > 0) a.revisedSubsidizedMonths += 1
      return
    default:
  }
}

const isIncomeDriven = ({ terms: { plan } }: Account): boolean => plan !== null && !isFixed(plan)

/**
 * 20 U.S.C. 1087e(q)(1)(F): what counts under REPAYMENT ASSISTANCE, besides months under any
 * income-driven plan.
 */
const countsForAssistance = (a: Account): boolean =>
  isIncomeDriven(a) || a.terms.plan === "TIERED STANDARD" || a.terms.isTenYear

/**
 * 20 U.S.C. 1087e(e)(7), 1098e(b)(7)(B): what counts under all other income-driven plans. A month
 * of REPAYMENT ASSISTANCE does if it pays what the ten-year plan would.
 */
const countsForOthers = (a: Account): boolean =>
  a.terms.plan === "REPAYMENT ASSISTANCE" ? a.reachesTenYear : isIncomeDriven(a) || a.terms.isTenYear

/** Counts a month of a loan that is still open. */
export function countMonth(a: Account): void {
  runSubsidizedMonths(a)
  if (a.pause !== null) return
  a.dueMonths += 1
  if (isIncomeDriven(a)) a.incomeDrivenMonths += 1
  if (countsForAssistance(a)) a.assistanceCount += 1
  if (countsForOthers(a)) a.otherCount += 1
}

/** The part of a loan's uncovered interest that the plan waives. */
function waivedInterest(plan: IncomeDrivenPlan, a: Account): Decimal {
  switch (plan) {
    case "INCOME BASED":
    case "INCOME BASED (OLD)":
    case "PAY AS YOU EARN":
      return inSubsidizedMonths(a, a.subsidizedMonths) ? a.uncovered : ZERO
    case "REVISED PAY AS YOU EARN":
      return inSubsidizedMonths(a, a.revisedSubsidizedMonths) ? a.uncovered : a.uncovered - a.uncovered / 2n
    case "SAVE":
      return a.uncovered
    default:
      return ZERO
  }
}

function applyWaiver(plan: IncomeDrivenPlan, accounts: ReadonlyArray<Account>): Decimal {
  let waived = ZERO
  for (const a of accounts) {
    const part = waivedInterest(plan, a)
    a.interest += a.uncovered - part
    waived += part
  }
  return waived
}

/** Splits an amount over accounts in proportion to `weight`; all parts are 0 if all weights are. */
function split(amount: Decimal, accounts: ReadonlyArray<Account>, weight: (a: Account) => Decimal) {
  const weights = accounts.map(weight)
  const total = totalOf(weights)
  return weights.map((part) => (total === ZERO ? ZERO : mulDiv(amount, part, total)))
}

/**
 * REPAYMENT ASSISTANCE, 20 U.S.C. 1087e(q)(2); 34 CFR 685.209(h)(4): all loans are one pool.
 * Uncovered interest is waived. If a payment lowers principal by less than $50, the match lowers it
 * further, to min(50, payment) in all.
 */
function payPooled(accounts: ReadonlyArray<Account>, billed: Decimal): Subsidy {
  const payment = smaller(billed, totalOf(accounts.map(owedBy)))
  const accrued = totalOf(accounts.map((a) => a.accrued))
  const a = smaller(payment, accrued)
  const b = smaller(payment - a, totalOf(accounts.map((each) => each.interest)))
  const c = payment - a - b
  const toMonth = split(a, accounts, (each) => each.accrued)
  const toOlder = split(b, accounts, (each) => each.interest)
  const toPrincipal = split(c, accounts, (each) => each.principal)
  accounts.forEach((each, i) => {
    each.interest -= toOlder[i]!
    each.principal -= toPrincipal[i]!
    each.uncovered = each.accrued - toMonth[i]!
    each.paid += toMonth[i]! + toOlder[i]! + toPrincipal[i]!
  })
  const waived = totalOf(accounts.map((each) => each.uncovered))
  return { waived, matched: c < repaymentAssistance.matchMax ? matchPrincipal(accounts, payment, c) : ZERO }
}

function matchPrincipal(accounts: ReadonlyArray<Account>, payment: Decimal, toPrincipal: Decimal): Decimal {
  const left = totalOf(accounts.map((a) => a.principal))
  const match = smaller(smaller(repaymentAssistance.matchMax, payment) - toPrincipal, left)
  const parts = split(match, accounts, (a) => a.principal)
  accounts.forEach((a, i) => {
    a.principal -= parts[i]!
  })
  return totalOf(parts)
}

/** Pays one month of an income-driven plan over its loans that are due. */
export function payIncomeDriven(plan: IncomeDrivenPlan, accounts: ReadonlyArray<Account>, billed: Decimal): Subsidy {
  if (plan === "REPAYMENT ASSISTANCE") return payPooled(accounts, billed)
  payByShare(accounts, billed)
  return { waived: applyWaiver(plan, accounts), matched: ZERO }
}
