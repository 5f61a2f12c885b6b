/**
 * The month-by-month repayment of a book (all loans of a request): end pauses, change the plan, pass
 * to successors, accrue, pay, waive or match, close loans below half a cent (dust), pay extra, forgive. Amounts
 * are exact decimals; projection.ts rounds them. The code is deliberately slow and literal.
 */
import { type Account, accrue, close, closeDust, dueOnes, openAccount, openOnes } from "./accounts.ts"
import { type Plan, totalOf, withoutEmpty } from "./book.ts"
import { indexOfMonth, type Start } from "./calendar.ts"
import { datesOf } from "./dates.ts"
import { type Decimal, ZERO } from "./decimal.ts"
import { extraOf, lumpSumIn, payExtra } from "./extra.ts"
import { takenBy } from "./fitting.ts"
import { type Book, type Group, groupsOf, payGroups, setGroups, withSuccessors } from "./groups.ts"
import { CONTINGENT_PLANS_ENDED, PSLF_PAYMENTS } from "./law.ts"
import { pausesOf, turnPause } from "./pauses.ts"
import { changed, comingChanges, refusalAmong, refusalNow } from "./plan-changes.ts"
import { type PlanRefusal, refusalOf } from "./refusal.ts"
import { countMonth } from "./spending.ts"
import type { Edges } from "./thresholds.ts"
import type { Borrower, Loan } from "./wire.ts"
import { householdInMonth } from "./years.ts"

/** The amounts of a month over the whole book, and the balances after it. */
export interface Month {
  /** Whether a loan was due. */
  readonly due: boolean
  readonly accrued: Decimal
  /** Scheduled payments, the extra payment and lump sums. */
  readonly paid: Decimal
  /** The extra payment and lump sums. */
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

const closeAllDust = (accounts: ReadonlyArray<Account>, edges: Edges): Decimal =>
  totalOf(openOnes(accounts).map((a) => closeDust(a, edges)))

/**
 * 34 CFR 685.219(c): a month counts if public service is on in it and the loan's plan qualifies.
 * The loan is forgiven with the count of 120. One that had it already is forgiven in the first
 * month that counts.
 */
function forgiveByService(due: ReadonlyArray<Account>): Decimal {
  const counted = due.filter((a) => a.terms.qualifies)
  for (const a of counted) a.pslfCount += 1
  return totalOf(counted.filter((a) => a.pslfCount >= PSLF_PAYMENTS).map(close))
}

/** A count that is complete already is so in the next month that is due. */
const isForgivenByTime = ({ assistanceCount, otherCount, terms: { forgivenWith, plan } }: Account): boolean =>
  forgivenWith !== null && (plan === "REPAYMENT ASSISTANCE" ? assistanceCount : otherCount) >= forgivenWith

/**
 * One month of the book, in the order of the law: set amounts, accrue, pay, subsidize, pay extra,
 * forgive. Dust is closed before each payment beyond the scheduled ones, which takes none of it,
 * and after. PSLF comes before time in a month that completes both. A paused loan has no part in it
 * but accrues and takes lump sums.
 */
function repayMonth(
  groups: ReadonlyArray<Group>,
  month: number,
  borrower: Borrower,
  lumpSum: Decimal,
  edges: Edges
): Month {
  const open = openOnes(groups.flatMap(({ accounts }) => accounts))
  const due = dueOnes(open)
  const household = householdInMonth(borrower, month)
  setGroups(groups, month)
  for (const a of open) accrue(a)
  const subsidy = payGroups(groups)
  const scheduled = totalOf(due.map((a) => a.paid))
  let dust = closeAllDust(open, edges)
  const extra = payExtra(openOnes(due), extraOf(household, scheduled))
  if (extra > ZERO) dust += closeAllDust(open, edges)
  const lump = payExtra(openOnes(open), lumpSum)
  if (lump > ZERO) dust += closeAllDust(open, edges)
  for (const a of openOnes(open)) countMonth(a)
  return {
    due: due.length > 0,
    accrued: totalOf(open.map((a) => a.accrued)),
    paid: totalOf(open.map((a) => a.paid)),
    extra: extra + lump,
    ...subsidy,
    dust,
    pslf: household.towardsPslf ? forgiveByService(openOnes(due)) : ZERO,
    timeBased: totalOf(openOnes(due).filter(isForgivenByTime).map(close)),
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
  const changes = comingChanges(borrower, start)
  const end = indexOfMonth(CONTINGENT_PLANS_ENDED, start)
  const own = takenBy(plan, request, dates, edges)
  const refused =
    refusalAmong(plan, changes, end) ?? refusalOf(plan, own, request, dates, borrower.firstYear.towardsPslf, edges)
  if (refused !== null) return refused
  const book: Book = { borrower, request, dates, edges }
  const accounts = request.map((loan) => openAccount(loan, pausesOf(loan, borrower.pauses, start)))
  let groups = groupsOf(
    plan,
    accounts,
    accounts.filter(({ loan }) => own.includes(loan)),
    book
  )
  const months: Array<Month> = []
  while (months.length < GUARD_MONTHS && accounts.some((a) => a.open)) {
    const month = months.length
    for (const a of accounts) turnPause(a, month)
    const change = changes.find((each) => each.month === month)
    if (change !== undefined) {
      const refusedNow = refusalNow(change, groups, book)
      if (refusedNow !== null) return refusedNow
      groups = changed(change, groups, book)
    }
    if (month === end) groups = withSuccessors(groups, book)
    months.push(repayMonth(groups, month, borrower, lumpSumIn(borrower, month, start), edges))
  }
  return { months, finished: accounts.every((a) => !a.open) }
}
