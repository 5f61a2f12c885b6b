/**
 * Changes of plan: which one is the plan of month 0, which are refused, and how the open loans are
 * sorted anew. From a change on, the loans are repaid as a request with that plan would have it.
 */
import { type Account, asOfNow, capitalize, openOnes } from "./accounts.ts"
import { isFixed, monthsSpent, type Plan, termOf } from "./book.ts"
import { monthsFrom, type Start } from "./calendar.ts"
import { repaidOn } from "./dates.ts"
import { takenBy } from "./fitting.ts"
import { type Book, type Group, groupsOf } from "./groups.ts"
import type { PlanType } from "./matrix.ts"
import { type ChangeReason, changeRefusal, type PlanRefusal } from "./refusal.ts"
import type { Borrower } from "./wire.ts"

export interface ComingChange {
  /** Position in the request's list. */
  readonly position: number
  readonly month: number
  readonly plan: PlanType
}

const changesOf = ({ planChanges }: Borrower, start: Start): ReadonlyArray<ComingChange> =>
  planChanges.map(({ from, plan }, position) => ({ position, month: monthsFrom(start, from), plan }))

/** The changes after month 0, by month. */
export const comingChanges = (borrower: Borrower, start: Start): ReadonlyArray<ComingChange> =>
  changesOf(borrower, start).filter(({ month }) => month > 0)

/** The plan of month 0: that of the last change that has happened, or as sent. */
export function planAtStart(sent: PlanType, borrower: Borrower, start: Start) {
  const last = changesOf(borrower, start).findLast(({ month }) => month <= 0)
  return { planType: last?.plan ?? sent, change: last?.position ?? null }
}

const endsIn2028 = (plan: Plan): boolean => plan === "PAY AS YOU EARN" || plan === "INCOME CONTINGENT"

const isIncomeBased = (plan: Plan | null): boolean => plan === "INCOME BASED" || plan === "INCOME BASED (OLD)"

/** 20 U.S.C. 1098e(b)(8): what may follow INCOME BASED directly. */
const mayFollowIncomeBased = (plan: Plan): boolean => plan === "STANDARD" || plan === "REPAYMENT ASSISTANCE"

/**
 * Why a change is refused without a look at its months. After the end of PAY AS YOU EARN and INCOME
 * CONTINGENT, what a loan is under depends on them: `refusalNow` has the rest.
 */
function reasonAtOnce(before: Plan, { month, plan }: ComingChange, end: number): ChangeReason | null {
  if (plan === "REVISED PAY AS YOU EARN" || plan === "SAVE") return "not electable"
  if (endsIn2028(plan) && month >= end) return "ended"
  if (endsIn2028(before) && month > end) return null
  if (plan === before) return "in force"
  return isIncomeBased(before) && !mayFollowIncomeBased(plan) ? "leaves INCOME BASED" : null
}

/**
 * The first of the changes that is refused whatever the months before it, even if nothing is owed.
 * @param first the plan of month 0
 * @param end the month in which PAY AS YOU EARN and INCOME CONTINGENT end
 */
export function refusalAmong(first: Plan, changes: ReadonlyArray<ComingChange>, end: number): PlanRefusal | null {
  let before = first
  for (const change of changes) {
    const reason = reasonAtOnce(before, change, end)
    if (reason !== null) return changeRefusal(change.position, reason, [])
    before = change.plan
  }
  return null
}

const ownOnes = (groups: ReadonlyArray<Group>): ReadonlyArray<Account> =>
  openOnes(groups.filter(({ isOwn }) => isOwn).flatMap(({ accounts }) => accounts))

const everyOne = (groups: ReadonlyArray<Group>): ReadonlyArray<Account> =>
  openOnes(groups.flatMap(({ accounts }) => accounts)).toSorted((a, b) => a.loan.index - b.loan.index)

/** The open loans that a plan takes now, wherever they were before. */
function takenNow(plan: PlanType, open: ReadonlyArray<Account>, { dates, edges }: Book): ReadonlyArray<Account> {
  const taken = takenBy(plan, open.map(asOfNow), dates, edges)
  return open.filter((a) => taken.some(({ index }) => index === a.loan.index))
}

/** Whether a fixed plan would give a loan a new schedule of one month or none. */
function hasNoMonths(plan: PlanType, a: Account, { dates, edges, request }: Book): boolean {
  const repaid = repaidOn(plan, a.loan, dates)
  if (!isFixed(repaid) || repaid === "TIERED STANDARD" || repaid === a.terms.plan) return false
  const term = termOf(repaid, a.loan, request, edges)
  return term - monthsSpent(repaid, a.loan, term) - a.dueMonths <= 1
}

/**
 * Why a change is refused in its month. The first two tests matter after the successors of July
 * 2028 alone: `refusalAmong` has passed every other change to a plan in force or from INCOME BASED.
 */
export function refusalNow(
  { plan, position }: ComingChange,
  groups: ReadonlyArray<Group>,
  book: Book
): PlanRefusal | null {
  const under = ownOnes(groups).map((a) => a.terms.plan)
  if (under.length > 0 && under.every((each) => each === plan)) return changeRefusal(position, "in force", [])
  if (under.some(isIncomeBased) && !mayFollowIncomeBased(plan) && !(isIncomeBased(plan) && under.includes(plan))) {
    return changeRefusal(position, "leaves INCOME BASED", [])
  }
  const open = everyOne(groups)
  const own = takenNow(plan, open, book)
  if (own.length === 0)
    return changeRefusal(
      position,
      "takes no loan",
      open.map(({ loan }) => loan)
    )
  const spent = own.filter((a) => hasNoMonths(plan, a, book))
  return spent.length === 0
    ? null
    : changeRefusal(
        position,
        "a month left at most",
        spent.map(({ loan }) => loan)
      )
}

/**
 * The groups from a change on.
 * - 20 U.S.C. 1098e(b)(3)(B): a loan that leaves INCOME BASED capitalizes its unpaid interest. No
 *   other change does, and a loan that stays under its plan does not leave it.
 */
export function changed({ plan }: ComingChange, groups: ReadonlyArray<Group>, book: Book): ReadonlyArray<Group> {
  const open = everyOne(groups)
  const own = takenNow(plan, open, book)
  const stays = (a: Account) => own.includes(a) && a.terms.plan === plan
  for (const a of open) if (isIncomeBased(a.terms.plan) && !stays(a)) capitalize(a, a.interest)
  return groupsOf(plan, open, own, book)
}
