/**
 * From what somebody has typed to a book that the engine can compute, or to what is missing or wrong, field by field. The
 * bounds are those of the contract: the same schema decodes it that decodes a request.
 */
import { Effect, Result } from "effect"
import type { Loan } from "../../../schema/loan.ts"
import { ProjectionRequest } from "../../../schema/projection.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import { type Contradiction, contradictoryDates } from "../../engine/answer/contradictions.ts"
import type { HouseholdScenario } from "../../engine/law/household.ts"
import { currentLaw } from "../../engine/law/law.ts"
import type { StartMonth } from "../../engine/schedule/calendar.ts"
import { type History, historyOf } from "../../engine/schedule/history.ts"
import { decodeStrictly } from "../../request/decode.ts"
import { ERA_BEGINS, withNewLoan } from "./dates.ts"
import {
  type Draft,
  ERAS,
  emptyLoan,
  type HouseholdDraft,
  type HouseholdField,
  LOAN_FIELDS,
  type LoanDraft,
  type LoanField,
  loanFieldName,
  MARRIED,
  type TypedField
} from "./draft.ts"
import { numberOf } from "./numbers.ts"

export interface ReadBook {
  readonly loans: ReadonlyArray<Loan>
  /** Index of each loan in the draft, where empty ones count. */
  readonly indexes: ReadonlyArray<number>
  /** Everything but the plan and the return, which every line of the answer has for itself. */
  readonly household: Omit<HouseholdScenario, "filingStatus">
  /** The returns to compare; the second, of a married borrower, is the separate one. */
  readonly filings: readonly [FilingStatus, ...Array<FilingStatus>]
  /** Undefined when nothing was said of dates. */
  readonly history: History | undefined
  /** Position of the loan that is new because of the tick; null if none is. */
  readonly ticked: number | null
  /** A year, as a fraction. */
  readonly discount: number
}

/**
 * What is wrong with a field: no number, out of the range of percentages, none of the choices, a date of a file that cannot
 * be, a kind of loan that was not made any more on its date, no loan that the tick can be about, a time after that of a loan;
 * or in the words of the contract.
 */
type FieldProblem =
  | { readonly field: string; readonly problem: "number" | "percent" | "choice" | "date" | "endedType" | "noNewLoan" }
  /** `loan` is its number on the page; it was made on the date or before. */
  | { readonly field: string; readonly problem: "tooLate"; readonly loan: number; readonly date: string }
  | { readonly field: string; readonly problem: "contract"; readonly message: string }

export type Reading =
  | { readonly _tag: "Book"; readonly book: ReadBook }
  /** Names of fields that are still empty. */
  | { readonly _tag: "Missing"; readonly fields: ReadonlyArray<string> }
  | { readonly _tag: "Wrong"; readonly problems: ReadonlyArray<FieldProblem> }

const decode = decodeStrictly(ProjectionRequest)

const SPOUSE_FIELDS: ReadonlyArray<string> = ["spouseIncome", "spouseLoans"]
const PERCENT_FIELDS: ReadonlyArray<string> = ["rate", "growth", "discount"]
const CHOICE_FIELDS: ReadonlyArray<string> = ["type", "filing", "state"]
/** The members of a request, the fields that they come from, and their names in a path. */
const LOAN_MEMBERS: Readonly<Record<Exclude<TypedField, "type">, keyof Loan>> = {
  balance: "principalBalance",
  rate: "interestRate",
  interest: "interestBalance",
  original: "disbursedAmount",
  months: "idrMonthsInRepayment",
  pslf: "pslfCount"
}
const HOUSEHOLD_MEMBERS = {
  income: "adjustedGrossIncome",
  spouseIncome: "spouseAdjustedGrossIncome",
  spouseLoans: "spouseFederalLoanBalance",
  dependents: "dependents",
  growth: "annualIncomeGrowth"
} as const satisfies Partial<Record<HouseholdField, keyof HouseholdScenario>>

const REQUIRED_OF_LOAN: ReadonlyArray<LoanField> = ["type", "balance", "rate"]
/** A spouse's income is not taken as none because nobody has typed it. */
const requiredOf = ({ filing }: HouseholdDraft): ReadonlyArray<HouseholdField> =>
  filing === MARRIED ? ["income", "spouseIncome", "state"] : ["income", "state"]

const isEmpty = (loan: LoanDraft): boolean => LOAN_FIELDS.every((field) => loan[field] === emptyLoan[field])

/** Where a loan of the book stands among those that were typed: empty ones are passed over. */
const typedLoans = ({ loans }: Draft) =>
  loans.map((loan, index) => ({ loan, index })).filter(({ loan }) => !isEmpty(loan))

const missingOf = (draft: Draft): ReadonlyArray<string> => {
  const loans = typedLoans(draft)
  const asked = loans.length === 0 ? [{ loan: emptyLoan, index: 0 }] : loans
  return [
    ...asked.flatMap(({ index, loan }) =>
      REQUIRED_OF_LOAN.filter((field) => loan[field].trim() === "").map((field) => loanFieldName(index, field))
    ),
    ...requiredOf(draft.household).filter((field) => draft.household[field].trim() === "")
  ]
}

/** Numbers of typed fields under their members, and the fields that hold none. */
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

/** The field that a path of a request leads to. */
const fieldOf = (path: string, indexes: ReadonlyArray<number>): string => {
  const [, position, member] = /^loans\[(\d+)\]\.(\w+)/.exec(path) ?? []
  if (position !== undefined) {
    const field = Object.entries(LOAN_MEMBERS).find(([, name]) => name === member)?.[0] ?? "type"
    return loanFieldName(indexes[Number(position)] ?? 0, field as LoanField)
  }
  const name = path.replace(/^scenario\./, "")
  const known = Object.entries(HOUSEHOLD_MEMBERS).find(([, member]) => member === name)?.[0]
  return known ?? (name === "filingStatus" ? "filing" : name === "workingTowardsPslf" ? "service" : name)
}

/** Where the contract speaks of fractions and of spellings, which nobody types here, the page has words of its own. */
const problemOf = (path: string, field: string, messages: ReadonlyArray<string>): FieldProblem => {
  if (path.endsWith(".madeOn")) return { field, problem: "date" }
  const name = field.replace(/^loan\d+\./, "")
  if (PERCENT_FIELDS.includes(name)) return { field, problem: "percent" }
  if (CHOICE_FIELDS.includes(name)) return { field, problem: "choice" }
  return { field, problem: "contract", message: messages.join("; ") }
}

/** The household as numbers. What is asked of married borrowers alone is not looked at otherwise: it cannot be seen. */
const householdNumbers = (household: HouseholdDraft, problems: Array<FieldProblem>): Record<string, number> => {
  const members = Object.entries(HOUSEHOLD_MEMBERS).filter(
    ([field]) => household.filing === MARRIED || !SPOUSE_FIELDS.includes(field)
  )
  return numbersOf(Object.fromEntries(members), household, (field) => field, problems)
}

type Dated = Pick<ReadBook, "history" | "indexes" | "loans" | "ticked">

/** A loan that was made before the time of the first one, by its date or because its kind has ended. @rule loan-types-ended */
const tooLate = (firstBorrowedOn: string | null, { history, indexes }: Dated): ReadonlyArray<FieldProblem> => {
  const earliest = history?.earliest ?? null
  if (earliest === null || firstBorrowedOn === null || earliest.date >= firstBorrowedOn) return []
  return [{ field: "firstBorrowed", problem: "tooLate", loan: indexes[earliest.position]! + 1, date: earliest.date }]
}

/** What the engine finds wrong with a date. That a loan is older than the first one, `tooLate` says of kinds too. */
const ofContradiction = ({ _tag, path }: Contradiction, { indexes }: Dated): ReadonlyArray<FieldProblem> => {
  if (_tag === "OlderLoan") return []
  const [of, position] = path
  const field = of === "loans" ? loanFieldName(indexes[Number(position)]!, "type") : "firstBorrowed"
  return [{ field, problem: _tag === "NotMadeThen" ? "endedType" : "date" }]
}

interface Undated extends Pick<ReadBook, "indexes" | "loans"> {
  readonly firstBorrowedOn: string | null
  readonly isTicked: boolean
}

/** The loans with all that was said of dates, or what is wrong with that. */
const readDates = (
  { firstBorrowedOn, indexes, isTicked, loans }: Undated,
  start: StartMonth | undefined
): Dated | ReadonlyArray<FieldProblem> => {
  const found = isTicked ? withNewLoan(loans) : { loans, ticked: null }
  if (found === undefined) return [{ field: "madeSince2026", problem: "noNewLoan" }]
  const dated = { ...found, indexes, history: historyOf(currentLaw, firstBorrowedOn, found.loans) }
  const path = ["firstBorrowed"]
  const contradictions = contradictoryDates(currentLaw, { firstBorrowedOn, loans: found.loans, path }, start)
  const problems = [...tooLate(firstBorrowedOn, dated), ...contradictions.flatMap((one) => ofContradiction(one, dated))]
  return problems.length === 0 ? dated : problems
}

const discountOf = ({ discount }: HouseholdDraft, problems: Array<FieldProblem>): number => {
  const fraction = numberOf(discount || "0", true)
  if (fraction === undefined) problems.push({ field: "discount", problem: "number" })
  else if (fraction > 1) problems.push({ field: "discount", problem: "percent" })
  return fraction ?? 0
}

/**
 * @param start the first month of repayment, before which all dates are
 * @returns the book, or what keeps it from being one: wrong fields before missing ones
 */
export const readDraft = (draft: Draft, start?: StartMonth): Reading => {
  const { household } = draft
  const problems: Array<FieldProblem> = []
  const typed = typedLoans(draft)
  const sent = typed.map(({ index, loan }) => ({
    loanType: loan.type,
    madeOn: loan.madeOn || null,
    ...numbersOf(LOAN_MEMBERS, loan, (field) => loanFieldName(index, field), problems)
  }))
  const filings = filingsOf(household.filing)
  const numbers = householdNumbers(household, problems)
  const discount = discountOf(household, problems)
  if (problems.length > 0) return { _tag: "Wrong", problems }
  const missing = missingOf(draft)
  if (missing.length > 0) return { _tag: "Missing", fields: missing }
  const era = ERAS.find((one) => one === household.firstBorrowed)
  const scenario = {
    ...numbers,
    firstBorrowedOn: era === undefined ? null : ERA_BEGINS[era],
    dependents: numbers["dependents"] ?? 0,
    planType: "STANDARD",
    filingStatus: filings[0],
    state: household.state,
    workingTowardsPslf: household.service !== ""
  }
  const decoded = Effect.runSync(Effect.result(decode({ scenario, loans: sent })))
  const indexes = typed.map(({ index }) => index)
  if (Result.isFailure(decoded)) {
    const wrong = Object.entries(decoded.failure)
    return {
      _tag: "Wrong",
      problems: wrong.map(([path, messages]) => problemOf(path, fieldOf(path, indexes), messages))
    }
  }
  const { filingStatus: _, planType: __, ...rest } = decoded.success.scenario
  const { firstBorrowedOn } = rest
  const isTicked = household.madeSince2026 !== ""
  const dated = readDates({ firstBorrowedOn, indexes, isTicked, loans: decoded.success.loans }, start)
  return "history" in dated
    ? { _tag: "Book", book: { ...dated, household: rest, filings, discount } }
    : { _tag: "Wrong", problems: dated }
}
