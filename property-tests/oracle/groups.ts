/**
 * Groups of loans that are repaid together: those in the plan, those outside it, and those under
 * each successor plan from July 1, 2028. A group sets its amounts in the first month in which a
 * loan of it is due.
 */
import { type Account, balanceNow, dueOnes, openOnes } from "./accounts.ts"
import { annuity, graduatedSteps, olderGraduatedSteps } from "./amortization.ts"
import { type FixedPlan, type IncomeDrivenPlan, isFixed, monthsSpent, type Plan, termOf, totalOf } from "./book.ts"
import { type Dates, repaidOn } from "./dates.ts"
import { type Decimal, mulDiv } from "./decimal.ts"
import { type Basis, basisOf, billing, monthsToForgiveness } from "./income-driven.ts"
import { GRADUATED_STEP_MONTHS, MIN_LEVEL_PAYMENT } from "./law.ts"
import { PLUS_CONSOLIDATION } from "./matrix.ts"
import { qualifiesForPslf } from "./refusal.ts"
import { NO_SUBSIDY, payBySchedule, payIncomeDriven, type Subsidy } from "./spending.ts"
import { successorOf, successors } from "./successors.ts"
import type { Edges } from "./thresholds.ts"
import type { Borrower, Loan } from "./wire.ts"

export interface Group {
  readonly plan: Plan
  readonly accounts: ReadonlyArray<Account>
  /** Sets the amounts that are set once, before the month's accrual. */
  readonly setAmounts: (due: ReadonlyArray<Account>) => void
  /** Pays the due loans, of which there is at least one, for a month. */
  readonly pay: (due: ReadonlyArray<Account>, month: number) => Subsidy
}

/** The due months of its fixed plan that a loan has left. */
const monthsLeft = (a: Account): number => a.terms.term! - a.dueMonths

function graduatedSchedule(a: Account): NonNullable<Account["schedule"]> {
  const { dueMonths: from, interest, loan, principal } = a
  const stepsOf = loan.type === PLUS_CONSOLIDATION ? olderGraduatedSteps : graduatedSteps
  const steps = stepsOf(principal, interest, loan.rate, monthsLeft(a))
  return (dueMonths) => steps[Math.floor((dueMonths - from) / GRADUATED_STEP_MONTHS)]!
}

const levelOf = (a: Account): Decimal => a.schedule!(a.dueMonths)

/**
 * 34 CFR 685.208(b): sets level amounts over the months left. With those set before, the loans that
 * are due pay at least $50 a month together.
 */
function setLevels(due: ReadonlyArray<Account>): void {
  const unset = due.filter((a) => a.schedule === null)
  for (const a of unset) {
    const level = annuity(balanceNow(a), a.loan.rate, monthsLeft(a))
    a.schedule = () => level
  }
  const set = totalOf(unset.map(levelOf))
  const missing = MIN_LEVEL_PAYMENT - totalOf(due.map(levelOf))
  if (missing <= 0n) return
  for (const a of unset) {
    const level = mulDiv(levelOf(a), set + missing, set)
    a.schedule = () => level
  }
}

function setGraduated(due: ReadonlyArray<Account>): void {
  for (const a of due) a.schedule ??= graduatedSchedule(a)
}

/** The months of a fixed term that are used up when the projection begins. */
type Spent = (plan: FixedPlan, loan: Loan, term: number) => number

/** Loans on one fixed plan. On a level plan they have one minimum of $50. */
function fixedGroup(
  plan: FixedPlan,
  accounts: ReadonlyArray<Account>,
  request: ReadonlyArray<Loan>,
  spent: Spent,
  edges: Edges
): Group {
  for (const a of accounts) {
    const term = termOf(plan, a.loan, request, edges)
    const qualifies = qualifiesForPslf(plan, a.loan, term)
    a.terms = { qualifies, forgivenWith: null, term: term - spent(plan, a.loan, term) }
  }
  return {
    plan,
    accounts,
    setAmounts: plan === "GRADUATED" ? setGraduated : setLevels,
    pay: (due) => {
      payBySchedule(due)
      return NO_SUBSIDY
    }
  }
}

/**
 * The groups of a fixed plan. If STANDARD is tiered for Direct loans, they and the other loans are
 * two groups with a minimum each.
 */
function fixedGroups(
  plan: FixedPlan,
  accounts: ReadonlyArray<Account>,
  request: ReadonlyArray<Loan>,
  dates: Dates,
  spent: Spent,
  edges: Edges
): ReadonlyArray<Group> {
  const isTiered = ({ loan }: Account) => repaidOn(plan, loan, dates) === "TIERED STANDARD"
  return [
    fixedGroup("TIERED STANDARD", accounts.filter(isTiered), request, spent, edges),
    fixedGroup(
      plan,
      accounts.filter((a) => !isTiered(a)),
      request,
      spent,
      edges
    )
  ]
}

/** Loans under an income-driven plan, whose payment is calculated anew in each year. */
function incomeGroup(plan: IncomeDrivenPlan, accounts: ReadonlyArray<Account>, basis: Basis): Group {
  const loans = accounts.map(({ loan }) => loan)
  const forgivenWith = monthsToForgiveness(plan, loans, basis.edges)
  for (const a of accounts) a.terms = { qualifies: qualifiesForPslf(plan, a.loan, null), forgivenWith, term: null }
  let bill: ((year: number) => Decimal) | null = null
  let billed: { readonly year: number; readonly amount: Decimal } | null = null
  return {
    plan,
    accounts,
    setAmounts: () => {
      bill ??= billing(plan, basis, accounts)
    },
    pay: (due, month) => {
      const year = Math.floor(month / 12)
      if (billed?.year !== year) billed = { year, amount: bill!(year) }
      return payIncomeDriven(plan, due, billed.amount)
    }
  }
}

/**
 * The groups of a plan, in it and outside it.
 * - On a fixed plan, months already counted shorten the term.
 * - 34 CFR 685.210: loans that the plan cannot take are repaid on STANDARD, with a full term and
 *   their own minimum of $50.
 */
export function groupsOf(
  plan: Plan,
  accounts: ReadonlyArray<Account>,
  taken: ReadonlyArray<Loan>,
  borrower: Borrower,
  dates: Dates,
  edges: Edges
): ReadonlyArray<Group> {
  const request = accounts.map(({ loan }) => loan)
  const own = accounts.filter(({ loan }) => taken.includes(loan))
  const outside = accounts.filter(({ loan }) => !taken.includes(loan))
  const ownGroups = isFixed(plan)
    ? fixedGroups(plan, own, request, dates, monthsSpent, edges)
    : [incomeGroup(plan, own, basisOf(plan, borrower, taken, request, edges))]
  return [...ownGroups, ...fixedGroups("STANDARD", outside, request, dates, () => 0, edges)]
}

/**
 * The groups from the month on in which INCOME CONTINGENT and PAY AS YOU EARN end: their open loans
 * pass to successors, paused or not. 34 CFR 685.209(e)(2), (g)(3): the share of a couple's payment
 * is by the loans in the plan, so each group has its own, of what they owed at the start.
 */
export const withSuccessors = (
  groups: ReadonlyArray<Group>,
  borrower: Borrower,
  dates: Dates,
  edges: Edges
): ReadonlyArray<Group> =>
  groups.flatMap((group) =>
    group.plan !== "INCOME CONTINGENT" && group.plan !== "PAY AS YOU EARN"
      ? [group]
      : successors.map((plan) => {
          const accounts = openOnes(group.accounts).filter(({ loan }) => successorOf(loan.type, dates) === plan)
          const loans = accounts.map(({ loan }) => loan)
          return incomeGroup(plan, accounts, basisOf(plan, borrower, loans, loans, edges))
        })
  )

/** Sets the amounts of all groups with a due loan. */
export function setAmountsOf(groups: ReadonlyArray<Group>): void {
  for (const { accounts, setAmounts } of groups) {
    const due = dueOnes(accounts)
    if (due.length > 0) setAmounts(due)
  }
}

/** Pays all groups for a month. */
export function payGroups(groups: ReadonlyArray<Group>, month: number): Subsidy {
  let { matched, waived } = NO_SUBSIDY
  for (const { accounts, pay } of groups) {
    const due = dueOnes(accounts)
    const subsidy = due.length === 0 ? NO_SUBSIDY : pay(due, month)
    waived += subsidy.waived
    matched += subsidy.matched
  }
  return { waived, matched }
}
