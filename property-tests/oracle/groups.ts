/**
 * Groups of loans that are repaid together: those in the plan, those outside it, and those under
 * each successor plan from July 1, 2028. A change of plan sorts the open loans into groups anew. A
 * group sets its amounts in the first month in which a loan of it is due.
 */
import { type Account, asOfNow, balanceNow, dueOnes, openOnes } from "./accounts.ts"
import { annuity, graduatedSteps, olderGraduatedSteps } from "./amortization.ts"
import { type FixedPlan, type IncomeDrivenPlan, isFixed, monthsSpent, type Plan, termOf, totalOf } from "./book.ts"
import { type Dates, repaidOn } from "./dates.ts"
import { type Decimal, mulDiv } from "./decimal.ts"
import { type Basis, basisOf, billing, monthsToForgiveness, tenYearAmount } from "./income-driven.ts"
import { GRADUATED_STEP_MONTHS, MIN_LEVEL_PAYMENT, TEN_YEARS } from "./law.ts"
import { PLUS_CONSOLIDATION } from "./matrix.ts"
import { qualifiesForPslf } from "./refusal.ts"
import { NO_SUBSIDY, payBySchedule, payIncomeDriven, type Subsidy } from "./spending.ts"
import { successorOf, successors } from "./successors.ts"
import { type Edges, reaches } from "./thresholds.ts"
import type { Borrower, Loan } from "./wire.ts"

/** A borrower with all loans that are not empty, as sent. */
export interface Book {
  readonly borrower: Borrower
  readonly request: ReadonlyArray<Loan>
  readonly dates: Dates
  readonly edges: Edges
}

export interface Group {
  readonly plan: Plan
  /** Whether its loans are in the plan or under its successor, not repaid beside it. */
  readonly isOwn: boolean
  readonly accounts: ReadonlyArray<Account>
  /** Sets the amounts of the due loans, of which there is at least one, as the month begins. */
  readonly set: (due: ReadonlyArray<Account>, month: number) => void
  /** Pays the due loans, after the month's accrual. */
  readonly pay: (due: ReadonlyArray<Account>) => Subsidy
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

/**
 * The due month, counted from month 0, that ends a fixed term.
 * - 34 CFR 685.210(b): in the plan, the term runs from when the loan entered repayment.
 * - Tiered Standard, and STANDARD beside another plan, begin a term of their own.
 */
const lastDueMonth = (plan: FixedPlan, isOwn: boolean, a: Account, term: number): number =>
  isOwn && plan !== "TIERED STANDARD" ? term - monthsSpent(plan, a.loan, term) : a.dueMonths + term

function beginTerm(plan: FixedPlan, isOwn: boolean, a: Account, open: ReadonlyArray<Account>, book: Book): void {
  const totals = plan === "TIERED STANDARD" ? open.map(asOfNow) : book.request
  const term = termOf(plan, a.loan, totals, book.edges)
  a.terms = {
    plan,
    isTenYear: plan === "STANDARD" && term === TEN_YEARS,
    qualifies: qualifiesForPslf(plan, a.loan, term),
    forgivenWith: null,
    term: lastDueMonth(plan, isOwn, a, term)
  }
  a.schedule = null
}

/**
 * Loans on one fixed plan. On a level plan they have one minimum of $50. A loan that is on STANDARD
 * already stays on its schedule.
 */
function fixedGroup(
  plan: FixedPlan,
  isOwn: boolean,
  accounts: ReadonlyArray<Account>,
  open: ReadonlyArray<Account>,
  book: Book
): Group {
  for (const a of accounts) if (a.terms.plan !== plan) beginTerm(plan, isOwn, a, open, book)
  return {
    plan,
    isOwn,
    accounts,
    set: plan === "GRADUATED" ? setGraduated : setLevels,
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
  isOwn: boolean,
  accounts: ReadonlyArray<Account>,
  open: ReadonlyArray<Account>,
  book: Book
): ReadonlyArray<Group> {
  const isTiered = ({ loan }: Account) => repaidOn(plan, loan, book.dates) === "TIERED STANDARD"
  const others = accounts.filter((a) => !isTiered(a))
  return [
    fixedGroup("TIERED STANDARD", isOwn, accounts.filter(isTiered), open, book),
    fixedGroup(plan, isOwn, others, open, book)
  ]
}

/** Loans under an income-driven plan, whose payment is calculated anew in each year. */
function incomeGroup(plan: IncomeDrivenPlan, accounts: ReadonlyArray<Account>, basis: Basis): Group {
  const loans = accounts.map(({ loan }) => loan)
  const forgivenWith = monthsToForgiveness(plan, loans, basis.edges)
  for (const a of accounts) {
    a.terms = { plan, isTenYear: false, qualifies: qualifiesForPslf(plan, a.loan, null), forgivenWith, term: null }
  }
  let tenYear: Decimal | null = null
  let bill: ((year: number) => Decimal) | null = null
  let billed: { readonly year: number; readonly amount: Decimal } | null = null
  return {
    plan,
    isOwn: true,
    accounts,
    set: (due, month) => {
      const year = Math.floor(month / 12)
      bill ??= billing(plan, basis, accounts)
      tenYear ??= tenYearAmount(accounts)
      if (billed?.year !== year) billed = { year, amount: bill(year) }
      if (plan !== "REPAYMENT ASSISTANCE") return
      const pays = reaches(billed.amount, tenYear, "ten-year amount of a month that counts", basis.edges)
      for (const a of due) a.reachesTenYear = pays
    },
    pay: (due) => payIncomeDriven(plan, due, billed!.amount)
  }
}

const loansOf = (accounts: ReadonlyArray<Account>): ReadonlyArray<Loan> => accounts.map(({ loan }) => loan)

/**
 * The groups of a plan, in it and outside it, from month 0 or from a change of plan on.
 * - On a fixed plan, months already counted and due months so far shorten the term.
 * - 34 CFR 685.210: loans that the plan cannot take are repaid on STANDARD, with a full term and
 *   their own minimum of $50.
 * - 34 CFR 685.209(e)(2): the share of a couple's payment is by what these loans owed in month 0.
 * @param open the open loans
 * @param own those of them that the plan takes
 */
export function groupsOf(
  plan: Plan,
  open: ReadonlyArray<Account>,
  own: ReadonlyArray<Account>,
  book: Book
): ReadonlyArray<Group> {
  const outside = open.filter((a) => !own.includes(a))
  const ownGroups = isFixed(plan)
    ? fixedGroups(plan, true, own, open, book)
    : [incomeGroup(plan, own, basisOf(plan, book.borrower, loansOf(own), loansOf(open), book.edges))]
  return [...ownGroups, ...fixedGroups("STANDARD", false, outside, open, book)]
}

/**
 * The groups from the month on in which INCOME CONTINGENT and PAY AS YOU EARN end: their open loans
 * pass to successors, paused or not. 34 CFR 685.209(e)(2), (g)(3): the share of a couple's payment
 * is by the loans in the plan, so each group has its own, of what they owed at the start.
 */
export const withSuccessors = (groups: ReadonlyArray<Group>, { borrower, dates, edges }: Book): ReadonlyArray<Group> =>
  groups.flatMap((group) =>
    group.plan !== "INCOME CONTINGENT" && group.plan !== "PAY AS YOU EARN"
      ? [group]
      : successors.map((plan) => {
          const accounts = openOnes(group.accounts).filter(({ loan }) => successorOf(loan.type, dates) === plan)
          const loans = loansOf(accounts)
          return incomeGroup(plan, accounts, basisOf(plan, borrower, loans, loans, edges))
        })
  )

/** Sets the amounts of all groups as a month begins. */
export function setGroups(groups: ReadonlyArray<Group>, month: number): void {
  for (const { accounts, set } of groups) {
    const due = dueOnes(accounts)
    if (due.length > 0) set(due, month)
  }
}

/** Pays all groups for a month. */
export function payGroups(groups: ReadonlyArray<Group>): Subsidy {
  let { matched, waived } = NO_SUBSIDY
  for (const { accounts, pay } of groups) {
    const due = dueOnes(accounts)
    const subsidy = due.length === 0 ? NO_SUBSIDY : pay(due)
    waived += subsidy.waived
    matched += subsidy.matched
  }
  return { waived, matched }
}
