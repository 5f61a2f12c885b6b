/**
 * The contradictions of a request: dates that contradict each other, the calendar or the law, and
 * changes that are out of order or change nothing. No single field shows them, so the schemas cannot
 * find them. src/messages words them.
 */
import { directPlusConsolidationTerms } from "../../../ledger/rules/fixed-plans.ts"
import type { Loan } from "../../../schema/loan.ts"
import type { Change } from "../../../schema/scenario.ts"
import { type HouseholdScenario, hasChanges } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import { isEmpty } from "../schedule/book.ts"
import { dateOfMonth, type StartMonth } from "../schedule/calendar.ts"
import { hasDates, isDated } from "../schedule/history.ts"

/** The path of the field concerned, within a request of a projection. */
type Path = ReadonlyArray<number | string>

export type Contradiction =
  /** A date is not before the first month of repayment. */
  | { readonly _tag: "TooLate"; readonly path: Path; readonly before: string }
  /** A loan that the borrower still owes is older than `firstBorrowedOn`. */
  | { readonly _tag: "OlderLoan"; readonly path: Path; readonly loan: number; readonly madeOn: string }
  /** Loans of this type were no longer made on that day. */
  | { readonly _tag: "NotMadeThen"; readonly path: Path; readonly madeBefore: string }
  /** The keyless calculator's flag says that the loan is not new, but the borrower first borrowed since. */
  | { readonly _tag: "NotFirst"; readonly path: Path; readonly firstBorrowedOn: string; readonly from: string }
  /** A change does not begin later than the previous change. */
  | { readonly _tag: "NotLater"; readonly path: Path; readonly after: number }
  /** A change sends nothing but its year. */
  | { readonly _tag: "ChangesNothing"; readonly path: Path }

/** The dates of a request, and the path of `firstBorrowedOn`. */
interface Dated {
  readonly firstBorrowedOn: string | null
  readonly loans: ReadonlyArray<Loan>
  readonly path: Path
}

const ofLoan = (
  law: Law,
  { loanType, madeOn }: Loan,
  position: number,
  before: string
): ReadonlyArray<Contradiction> => {
  if (madeOn === null) return []
  const path = ["loans", position, "madeOn"]
  const { madeBefore } = law.read(directPlusConsolidationTerms)
  if (law.traitsOf[loanType].directPlusConsolidation && madeOn >= madeBefore)
    return [{ _tag: "NotMadeThen", path, madeBefore }]
  return madeOn >= before ? [{ _tag: "TooLate", path, before }] : []
}

/** The loan that is older than `firstBorrowedOn`, the oldest of several. */
const olderLoan = (law: Law, { firstBorrowedOn, loans, path }: Dated): ReadonlyArray<Contradiction> => {
  let oldest: Contradiction | undefined
  let day = firstBorrowedOn ?? ""
  loans.forEach((loan, position) => {
    const { madeOn } = loan
    if (madeOn === null || madeOn >= day || isEmpty(loan) || !isDated(law, law.traitsOf[loan.loanType])) return
    day = madeOn
    oldest = { _tag: "OlderLoan", path, loan: position, madeOn }
  })
  return oldest === undefined ? [] : [oldest]
}

/** Later than every date. */
const NO_BOUND = "~"

/** @param start the first month of repayment, before which all dates are; undefined for no bound */
export const contradictoryDates = (law: Law, dated: Dated, start?: StartMonth): ReadonlyArray<Contradiction> => {
  const { firstBorrowedOn, loans, path } = dated
  if (!hasDates(firstBorrowedOn, loans)) return []
  const before = start === undefined ? NO_BOUND : dateOfMonth(start, 0).slice(0, "YYYY-MM-DD".length)
  const first: ReadonlyArray<Contradiction> =
    firstBorrowedOn !== null && firstBorrowedOn >= before ? [{ _tag: "TooLate", path, before }] : olderLoan(law, dated)
  return [...first, ...loans.flatMap((loan, position) => ofLoan(law, loan, position, before))]
}

/** Whether a change sends nothing but its year. It names the members, because a loop is slower. */
const changesNothing = (change: Change): boolean =>
  change.adjustedGrossIncome === null &&
  change.spouseAdjustedGrossIncome === null &&
  change.spouseFederalLoanBalance === null &&
  change.filingStatus === null &&
  change.dependents === null &&
  change.workingTowardsPslf === null

const ofChanges = (changes: ReadonlyArray<Change>): ReadonlyArray<Contradiction> => {
  const found: Array<Contradiction> = []
  changes.forEach((change, index) => {
    const after = changes[index - 1]?.fromYear
    if (after !== undefined && change.fromYear <= after)
      found.push({ _tag: "NotLater", path: ["scenario", "changes", index, "fromYear"], after })
    else if (changesNothing(change)) found.push({ _tag: "ChangesNothing", path: ["scenario", "changes", index] })
  })
  return found
}

const NONE: ReadonlyArray<Contradiction> = []

/**
 * The contradictions of a projection's request; usually none.
 * @param start the first month of repayment, before which all dates are; undefined for no bound
 */
export const contradictionsOf = (
  law: Law,
  { loans, scenario }: { readonly loans: ReadonlyArray<Loan>; readonly scenario: HouseholdScenario },
  start?: StartMonth
): ReadonlyArray<Contradiction> => {
  const { changes, firstBorrowedOn } = scenario
  if (!hasChanges(scenario) && !hasDates(firstBorrowedOn, loans)) return NONE
  return [
    ...ofChanges(changes ?? []),
    ...contradictoryDates(law, { firstBorrowedOn, loans, path: ["scenario", "firstBorrowedOn"] }, start)
  ]
}
