/**
 * The contradictions of a request: dates that contradict each other, the calendar or the law, and
 * changes that are out of order or change nothing. No single field shows them, so the schemas cannot
 * find them. src/messages words them.
 */
import { directPlusConsolidationTerms } from "../../../ledger/rules/fixed-plans.ts"
import type { Loan } from "../../../schema/loan.ts"
import type { Change, Pause, PlanChange } from "../../../schema/scenario.ts"
import { type Era, erasOf, type HouseholdScenario, hasChanges } from "../law/household.ts"
import type { Law } from "../law/law.ts"
import { isEmpty } from "../schedule/book.ts"
import { dateOfMonth, indexOfMonth, type StartMonth } from "../schedule/calendar.ts"
import { amountOf } from "../schedule/extra.ts"
import { hasDates, isDated } from "../schedule/history.ts"
import { GUARD_MONTHS } from "../schedule/tally.ts"

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
  /** An extra payment and a budget are in force at one time; `other` is the field with the extra payment. */
  | { readonly _tag: "ExtraAndBudget"; readonly path: Path; readonly other: Path }
  /** A month is later than this one, YYYY-MM. */
  | { readonly _tag: "MonthTooLate"; readonly path: Path; readonly latest: string }
  /** A change of plan begins no later than the one before it, in this month. */
  | { readonly _tag: "NotLaterMonth"; readonly path: Path; readonly after: string }
  /** A pause ends no later than it begins, in this month. */
  | { readonly _tag: "EndsTooSoon"; readonly path: Path; readonly from: string }
  /** A pause of a loan begins before another of the same loan has ended, in this month. */
  | { readonly _tag: "Overlaps"; readonly path: Path; readonly loan: number; readonly until: string }
  /** A position is not that of a loan of the request. */
  | { readonly _tag: "NoSuchLoan"; readonly path: Path; readonly loans: number }
  /** A search for the best path takes fewer loans. */
  | { readonly _tag: "TooManyLoans"; readonly path: Path; readonly most: number }
  /** A position is in the list twice. */
  | { readonly _tag: "LoanTwice"; readonly path: Path }
  /** Separate returns split no income in this state; in these states they do. */
  | { readonly _tag: "NotSplit"; readonly path: Path; readonly states: ReadonlyArray<string> }

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
  change.workingTowardsPslf === null &&
  change.familySize === null &&
  change.extraMonthlyPayment === null &&
  change.monthlyBudget === null

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

/** What is in force together, from the first month or from a change on. */
const ofBudget = (scenario: HouseholdScenario): ReadonlyArray<Contradiction> => {
  const meets = (one: Pick<Era, "extraMonthlyPayment" | "monthlyBudget">) =>
    amountOf(one.extraMonthlyPayment) > 0 && amountOf(one.monthlyBudget) > 0
  const other: Path = ["scenario", "extraMonthlyPayment"]
  if (meets(scenario)) return [{ _tag: "ExtraAndBudget", path: ["scenario", "monthlyBudget"], other }]
  const index = erasOf(scenario).findIndex(meets)
  if (index === -1) return []
  const sentIn = scenario.changes!.findLastIndex((change, at) => at <= index && change.extraMonthlyPayment !== null)
  const of: Path = sentIn === -1 ? other : ["scenario", "changes", sentIn, "extraMonthlyPayment"]
  return [{ _tag: "ExtraAndBudget", path: ["scenario", "changes", index, "monthlyBudget"], other: of }]
}

/** The last month that a pause may end with, counted from the first month of repayment. */
const LATEST_END = 120

const ofMonth = (
  month: string,
  path: Path,
  latest: number,
  start: StartMonth | undefined
): ReadonlyArray<Contradiction> =>
  start === undefined || indexOfMonth(start, month) <= latest
    ? []
    : [{ _tag: "MonthTooLate", path, latest: dateOfMonth(start, latest).slice(0, "YYYY-MM".length) }]

const ofPositions = (positions: ReadonlyArray<number>, path: Path, loans: number): ReadonlyArray<Contradiction> =>
  positions.flatMap((position, index): ReadonlyArray<Contradiction> => {
    if (position >= loans) return [{ _tag: "NoSuchLoan", path: [...path, index], loans }]
    return positions.indexOf(position) < index ? [{ _tag: "LoanTwice", path: [...path, index] }] : []
  })

/** Before every month. */
const ALREADY = ""

/** A pause that overlaps an earlier one of the list, in months from the start on. */
const ofOverlap = (
  pauses: ReadonlyArray<Pause>,
  index: number,
  path: Path,
  first: string
): ReadonlyArray<Contradiction> => {
  const { from, loans, until } = pauses[index]!
  const begin = from === null || from < first ? first : from
  for (const other of pauses.slice(0, index)) {
    const otherBegin = other.from === null || other.from < first ? first : other.from
    if (begin >= other.until || otherBegin >= until) continue
    const shared = loans === null ? (other.loans?.[0] ?? 0) : loans.find((loan) => other.loans?.includes(loan) ?? true)
    if (shared !== undefined) return [{ _tag: "Overlaps", path: [...path, "from"], loan: shared, until: other.until }]
  }
  return []
}

const ofPauses = (
  pauses: ReadonlyArray<Pause>,
  loans: number,
  start: StartMonth | undefined
): ReadonlyArray<Contradiction> => {
  const first = start === undefined ? ALREADY : dateOfMonth(start, 0).slice(0, "YYYY-MM".length)
  return pauses.flatMap((pause, index): ReadonlyArray<Contradiction> => {
    const path = ["scenario", "pauses", index]
    const { from, until } = pause
    const isOver = until <= first
    return [
      ...(from !== null && until <= from
        ? [{ _tag: "EndsTooSoon", path: [...path, "until"], from } as const]
        : ofMonth(until, [...path, "until"], LATEST_END, start)),
      ...ofPositions(pause.loans ?? [], [...path, "loans"], loans),
      ...(isOver ? [] : ofOverlap(pauses, index, path, first))
    ]
  })
}

const ofPlanChanges = (
  changes: ReadonlyArray<PlanChange>,
  start: StartMonth | undefined
): ReadonlyArray<Contradiction> =>
  changes.flatMap(({ from }, index): ReadonlyArray<Contradiction> => {
    const path = ["scenario", "planChanges", index, "from"]
    const after = changes[index - 1]?.from
    return after !== undefined && from <= after
      ? [{ _tag: "NotLaterMonth", path, after }]
      : ofMonth(from, path, GUARD_MONTHS, start)
  })

const bends = ({ lumpSums, monthlyBudget, pauses, planChanges }: HouseholdScenario): boolean =>
  (planChanges ?? []).length > 0 ||
  amountOf(monthlyBudget) > 0 ||
  (pauses ?? []).length > 0 ||
  (lumpSums ?? []).length > 0

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
  if (!hasChanges(scenario) && !hasDates(firstBorrowedOn, loans) && !bends(scenario)) return NONE
  return [
    ...ofChanges(changes ?? []),
    ...contradictoryDates(law, { firstBorrowedOn, loans, path: ["scenario", "firstBorrowedOn"] }, start),
    ...ofBudget(scenario),
    ...ofPauses(scenario.pauses ?? [], loans.length, start),
    ...ofPlanChanges(scenario.planChanges ?? [], start),
    ...(scenario.lumpSums ?? []).flatMap(({ on }, index) =>
      ofMonth(on, ["scenario", "lumpSums", index, "on"], GUARD_MONTHS, start)
    )
  ]
}
