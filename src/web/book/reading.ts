/**
 * Converts a draft into a book that the engine can compute, or into its missing fields or problems.
 * The bounds are those of the contract.
 */
import type { Loan } from "../../../schema/loan.ts"
import type { FilingStatus, PlanChange, PlanType } from "../../../schema/scenario.ts"
import {
  contradictionsOf,
  currentLaw,
  fromCents,
  type History,
  type HouseholdScenario,
  historyOf,
  isEmpty,
  type StartMonth,
  toCents,
  WIRE_PLANS
} from "../../engine/index.ts"
import { ERA_BEGINS, withNewLoan } from "./dates.ts"
import { readDay } from "./days.ts"
import {
  type ChangeDraft,
  changeFieldName,
  type Draft,
  ERAS,
  EXACT_DAY,
  emptyLoan,
  type HouseholdDraft,
  type HouseholdField,
  isEmptyChange,
  isEmptyLoan,
  isMonth,
  isOneOf,
  type LoanField,
  loanFieldName,
  MARRIED,
  PAYS_LATER,
  SERVICE_CHANGES
} from "./draft.ts"
import { numberOf } from "./numbers.ts"
import { pausesTyped } from "./pauses.ts"
import {
  CHANGE_MEMBERS,
  type FieldProblem,
  HOUSEHOLD_MEMBERS,
  type Indexes,
  LOAN_MEMBERS,
  ofContradiction,
  PERCENT_FIELDS,
  problemOf
} from "./problems.ts"
import { decodeRequest } from "./request.ts"

export interface ReadBook {
  readonly loans: ReadonlyArray<Loan>
  /** Index of each loan in the draft, which may have empty loans, too. */
  readonly indexes: ReadonlyArray<number>
  /** The scenario without plan and return, which each line of the answer adds. */
  readonly household: Omit<HouseholdScenario, "filingStatus">
  /** What differs on a separate return, for one of two borrowers. */
  readonly separately?: Partial<Pick<HouseholdScenario, "adjustedGrossIncome" | "dependents">>
  /** The returns to compare; the second one is the separate return of a married borrower. */
  readonly filings: readonly [FilingStatus, ...Array<FilingStatus>]
  /** Undefined if the draft has no dates. */
  readonly history: History | undefined
  /** Position of the loan that is new because of the tick; null if none is. */
  readonly ticked: number | null
  /** A year, as a fraction. */
  readonly discount: number
  /** The plan that the borrower is in; null if unknown. */
  readonly currentPlan: PlanType | null
  /** The change of plan to try; null if none is chosen. */
  readonly ownChange: PlanChange | null
  /** Whether the borrower pays later, but the last month without a payment is not chosen. */
  readonly isMonthMissing: boolean
  /** Dates that leave open what the law asks. The figures do without them. */
  readonly open: ReadonlyArray<FieldProblem>
}

/** Principal and unpaid interest of all loans today, in dollars. */
export const owedOf = ({ loans }: ReadBook): number =>
  fromCents(loans.reduce((cents, loan) => cents + toCents(loan.principalBalance) + toCents(loan.interestBalance), 0))

export type Reading =
  | { readonly _tag: "Book"; readonly book: ReadBook }
  /** Names of fields that are still empty. */
  | { readonly _tag: "Missing"; readonly fields: ReadonlyArray<string> }
  | { readonly _tag: "Wrong"; readonly problems: ReadonlyArray<FieldProblem> }
  /** Every balance is 0. */
  | { readonly _tag: "NothingOwed" }

const SPOUSE_FIELDS: ReadonlyArray<string> = ["spouseIncome", "spouseLoans"]
const REQUIRED_OF_LOAN: ReadonlyArray<LoanField> = ["type", "balance", "rate"]
/** An empty spouse's income does not count as 0. A borrower who chose to type the day must type it. */
const requiredOf = ({ filing, firstBorrowed }: HouseholdDraft): ReadonlyArray<HouseholdField> => [
  "income",
  ...(filing === MARRIED ? ["spouseIncome" as const] : []),
  "state",
  ...(firstBorrowed === EXACT_DAY ? ["firstBorrowedOn" as const] : [])
]

/** The items that were typed, with their index in the draft; empty ones are left out. */
const typedOf = <T>(items: ReadonlyArray<T>, isEmpty: (item: T) => boolean) =>
  items.map((item, index) => ({ item, index })).filter(({ item }) => !isEmpty(item))

const typedLoans = ({ loans }: Draft) => typedOf(loans, isEmptyLoan)

interface TypedChange {
  readonly item: ChangeDraft
  readonly index: number
}

/** The year of a change, for sorting. A change without a readable year comes last. */
const yearOf = ({ item }: TypedChange): number => numberOf(item.year, false) ?? Number.POSITIVE_INFINITY

/** The changes in the order of their years, as a request requires. */
const typedChanges = ({ changes }: Draft): ReadonlyArray<TypedChange> =>
  typedOf(changes, isEmptyChange).sort((one, other) => {
    const [year, otherYear] = [yearOf(one), yearOf(other)]
    return year === otherYear ? 0 : year - otherYear
  })

const isBlank = (text: string): boolean => text.trim() === ""

/** The missing fields of changes: years, and a spouse's income on the first joint return. */
const missingOfChanges = ({ household: { filing } }: Draft, changes: ReadonlyArray<TypedChange>) => {
  let isSpouseKnown = filing === MARRIED
  return changes.flatMap(({ index, item }) => {
    isSpouseKnown ||= !isBlank(item.spouseIncome)
    const isSpouseMissing = item.filing === "MarriedFilingJointly" && !isSpouseKnown
    return [
      ...(isBlank(item.year) ? [changeFieldName(index, "year")] : []),
      ...(isSpouseMissing ? [changeFieldName(index, "spouseIncome")] : [])
    ]
  })
}

const missingOf = (draft: Draft, changes: ReadonlyArray<TypedChange>): ReadonlyArray<string> => {
  const loans = typedLoans(draft)
  const asked = loans.length === 0 ? [{ item: emptyLoan, index: 0 }] : loans
  return [
    ...asked.flatMap(({ index, item }) =>
      REQUIRED_OF_LOAN.filter((field) => isBlank(item[field])).map((field) => loanFieldName(index, field))
    ),
    ...requiredOf(draft.household).filter((field) => isBlank(draft.household[field])),
    ...missingOfChanges(draft, changes)
  ]
}

/** Converts typed fields to numbers by member. Fields without a number become problems. */
const numbersOf = <F extends string>(
  members: Readonly<Partial<Record<F, string>>>,
  typed: Readonly<Record<F, string>>,
  nameOf: (field: F) => string,
  problems: Array<FieldProblem>
): Record<string, number> => {
  const numbers: Record<string, number> = {}
  for (const [field, member] of Object.entries(members) as Array<[F, string]>) {
    const text = typed[field].trim()
    if (text === "") continue
    const number = numberOf(text, PERCENT_FIELDS.includes(field))
    if (number === undefined) problems.push({ field: nameOf(field), problem: "number" })
    else numbers[member] = number
  }
  return numbers
}

const filingsOf = (filing: string): ReadBook["filings"] => {
  if (filing === MARRIED) return ["MarriedFilingJointly", "MarriedFilingSeparately"]
  return [filing as FilingStatus]
}

/** What is wrong with the typed fields, and what they leave open. */
interface Found {
  readonly problems: Array<FieldProblem>
  readonly open: Array<FieldProblem>
}

/** A day that was typed, as YYYY-MM-DD; null for none, and for a time in which the law changes. */
const dayTyped = (text: string, field: string, { open, problems }: Found): string | null => {
  if (isBlank(text)) return null
  const read = readDay(text)
  if (read._tag === "Day") return read.day
  if (read._tag === "NeedsDay") open.push({ field, problem: "dayNeeded", day: read.day })
  else if (read._tag === "NeedsMonth") open.push({ field, problem: "monthNeeded", year: read.year })
  else problems.push({ field, problem: "unreadableDay" })
  return null
}

/** The one-time payment; null until an amount and a month are typed. */
const lumpSumTyped = ({ once, onceOn }: HouseholdDraft, problems: Array<FieldProblem>) => {
  if (isBlank(once) || !isMonth(onceOn)) return null
  const amount = numberOf(once, false)
  if (amount === undefined) problems.push({ field: "once", problem: "number" })
  return amount ? [{ on: onceOn, amount }] : null
}

/** Whether public service begins or ends; null if it does not change. */
const serviceTyped = (text: string, field: string, problems: Array<FieldProblem>): boolean | null => {
  if (text === "") return null
  if (!(SERVICE_CHANGES as ReadonlyArray<string>).includes(text)) problems.push({ field, problem: "choice" })
  return text === SERVICE_CHANGES[0]
}

const planTyped = (plan: string): PlanType | null =>
  (WIRE_PLANS.find(({ planType }) => planType === plan)?.planType ?? null) as PlanType | null

const changeTyped = ({ switchFrom: from, switchTo }: HouseholdDraft): PlanChange | null => {
  const planType = planTyped(switchTo)
  return planType === null || !isMonth(from) ? null : { from, planType }
}

/** The household as numbers. Fields of the spouse are ignored unless married, because they are hidden then. */
const householdNumbers = (household: HouseholdDraft, problems: Array<FieldProblem>): Record<string, number> => {
  const members = Object.entries(HOUSEHOLD_MEMBERS).filter(
    ([field]) => household.filing === MARRIED || !SPOUSE_FIELDS.includes(field)
  )
  return numbersOf(Object.fromEntries(members), household, (field) => field, problems)
}

type Dated = Pick<ReadBook, "history" | "indexes" | "loans" | "ticked">

/** A loan that is older than the first one, by its date or because its kind has ended. @rule loan-types-ended */
const tooLate = (
  firstBorrowedOn: string | null,
  { history }: Dated,
  { firstBorrowed, loans }: Indexes
): ReadonlyArray<FieldProblem> => {
  const earliest = history?.earliest ?? null
  if (earliest === null || firstBorrowedOn === null || earliest.date >= firstBorrowedOn) return []
  return [{ field: firstBorrowed, problem: "tooLate", loan: loans[earliest.position]! + 1, date: earliest.date }]
}

interface Undated {
  readonly scenario: HouseholdScenario
  readonly loans: ReadonlyArray<Loan>
  readonly isTicked: boolean
  readonly indexes: Indexes
}

/** Adds the dates to the loans, or returns the problems of dates and changes. */
const readDates = (
  { indexes, isTicked, loans, scenario }: Undated,
  start: StartMonth | undefined
): Dated | ReadonlyArray<FieldProblem> => {
  const { firstBorrowedOn } = scenario
  const found = isTicked ? withNewLoan(loans) : { loans, ticked: null }
  if (found === undefined) return [{ field: "madeSince2026", problem: "noNewLoan" }]
  const dated = { ...found, indexes: indexes.loans, history: historyOf(currentLaw, firstBorrowedOn, found.loans) }
  const contradictions = contradictionsOf(currentLaw, { loans: found.loans, scenario }, start)
  const problems = [
    ...tooLate(firstBorrowedOn, dated, indexes),
    ...contradictions.flatMap((one) => ofContradiction(one, indexes))
  ]
  return problems.length === 0 ? dated : problems
}

const discountOf = ({ discount }: HouseholdDraft, problems: Array<FieldProblem>): number => {
  const fraction = numberOf(discount || "0", true)
  if (fraction === undefined) problems.push({ field: "discount", problem: "number" })
  else if (fraction > 1) problems.push({ field: "discount", problem: "percent" })
  return fraction ?? 0
}

/** Reads the loans, and adds what is wrong or open to `found`. */
const loansTyped = (draft: Draft, found: Found) =>
  typedLoans(draft).map(({ index, item }) => ({
    loanType: item.type,
    madeOn: dayTyped(item.madeOn, loanFieldName(index, "madeOn"), found),
    ...numbersOf(LOAN_MEMBERS, item, (field) => loanFieldName(index, field), found.problems)
  }))

/** Reads the changes, and adds unreadable fields to `problems`. */
const changesTyped = (changes: ReadonlyArray<TypedChange>, problems: Array<FieldProblem>) =>
  changes.map(({ index, item }) => ({
    ...numbersOf(CHANGE_MEMBERS, item, (field) => changeFieldName(index, field), problems),
    filingStatus: item.filing === "" ? null : item.filing,
    workingTowardsPslf: serviceTyped(item.service, changeFieldName(index, "service"), problems)
  }))

/** The day since which the borrower has owed: the first of the chosen era, or the typed day. */
const firstBorrowedTyped = (household: HouseholdDraft, found: Found) => {
  const era = ERAS.find((one) => one === household.firstBorrowed)
  if (era !== undefined) return { day: ERA_BEGINS[era], field: "firstBorrowed" } as const
  const field = "firstBorrowedOn"
  return { day: dayTyped(household.firstBorrowedOn, field, found), field } as const
}

/**
 * @param start the first month of repayment; all dates must be before it
 * @returns the book, or else its problems, or else its missing fields
 */
export const readDraft = (draft: Draft, start?: StartMonth): Reading => {
  const { household } = draft
  const found: Found = { problems: [], open: [] }
  const { open, problems } = found
  const loans = loansTyped(draft, found)
  const ordered = typedChanges(draft)
  const changes = changesTyped(ordered, problems)
  const numbers = householdNumbers(household, problems)
  const lumpSums = lumpSumTyped(household, problems)
  const firstBorrowed = firstBorrowedTyped(household, found)
  const discount = discountOf(household, problems)
  if (problems.length > 0) return { _tag: "Wrong", problems }
  const missing = missingOf(draft, ordered)
  if (missing.length > 0) return { _tag: "Missing", fields: missing }
  const filings = filingsOf(household.filing)
  const pauses = pausesTyped(household, typedLoans(draft))
  const scenario = {
    ...numbers,
    firstBorrowedOn: firstBorrowed.day,
    dependents: numbers["dependents"] ?? 0,
    planType: "STANDARD",
    filingStatus: filings[0],
    state: household.state,
    workingTowardsPslf: household.service !== "",
    pauses: pauses.length === 0 ? null : pauses.map(({ field: _, ...pause }) => pause),
    lumpSums,
    changes
  }
  const decoded = decodeRequest({ scenario, loans })
  const indexes = {
    loans: typedLoans(draft).map(({ index }) => index),
    changes: ordered.map(({ index }) => index),
    pauses: pauses.map(({ field }) => field),
    firstBorrowed: firstBorrowed.field
  }
  if (decoded._tag === "Refused")
    return { _tag: "Wrong", problems: Object.keys(decoded.errors).map((path) => problemOf(path, indexes)) }
  const { filingStatus: _, planType: __, ...rest } = decoded.request.scenario
  const isTicked = household.madeSince2026 !== ""
  const undated = { scenario: decoded.request.scenario, loans: decoded.request.loans, isTicked, indexes }
  if (undated.loans.every(isEmpty)) return { _tag: "NothingOwed" }
  const dated = readDates(undated, start)
  return "history" in dated
    ? {
        _tag: "Book",
        book: {
          ...dated,
          household: rest,
          filings,
          discount,
          open,
          isMonthMissing: isOneOf(PAYS_LATER, household.pays) && !isMonth(household.until),
          currentPlan: planTyped(household.plan),
          ownChange: changeTyped(household)
        }
      }
    : { _tag: "Wrong", problems: dated }
}
