/**
 * From what somebody has typed to a book that the engine can compute, or to what is missing or wrong, field by field. The
 * bounds are those of the contract: the same schema decodes it that decodes a request.
 */
import { Effect, Result } from "effect"
import { newBorrowerTests } from "../../../ledger/rules/income-based.ts"
import { newLoanPlans202607 } from "../../../ledger/rules/new-loans.ts"
import type { Loan } from "../../../schema/loan.ts"
import { ProjectionRequest } from "../../../schema/projection.ts"
import type { FilingStatus } from "../../../schema/scenario.ts"
import type { HouseholdScenario } from "../../engine/law/household.ts"
import { currentLaw } from "../../engine/law/law.ts"
import { decodeStrictly } from "../../request/decode.ts"
import {
  type Draft,
  ERAS,
  type Era,
  emptyLoan,
  type HouseholdDraft,
  type HouseholdField,
  LOAN_FIELDS,
  type LoanDraft,
  type LoanField,
  loanFieldName,
  MARRIED
} from "./draft.ts"
import { numberOf } from "./numbers.ts"

const tests = currentLaw.read(newBorrowerTests)
/** The day with which an era begins. @rule new-borrower-tests, new-loan-plans-2026-07 */
export const ERA_BEGINS: Readonly<Record<Exclude<Era, "before2007">, string>> = {
  "2007": tests["PAY AS YOU EARN"].newFrom,
  "2014": tests["INCOME BASED"].newFrom,
  "2026": currentLaw.read(newLoanPlans202607).loansMadeFrom
}

export interface ReadBook {
  readonly loans: ReadonlyArray<Loan>
  /** Everything but the plan and the return, which every line of the answer has for itself. */
  readonly household: Omit<HouseholdScenario, "filingStatus">
  /** The returns to compare; the second, of a married borrower, is the separate one. */
  readonly filings: readonly [FilingStatus, ...Array<FilingStatus>]
  /** Undefined when it was not said. */
  readonly firstBorrowed: Era | undefined
  readonly madeSince2026: boolean
  /** A year, as a fraction. */
  readonly discount: number
}

/**
 * What is wrong with a field: no number, out of the range of percentages, none of the choices, a day on which no FFEL loan was
 * made any more; or in the words of the contract.
 */
type FieldProblem =
  | { readonly field: string; readonly problem: "number" | "percent" | "choice" | "tooLate" }
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
const LOAN_MEMBERS: Readonly<Record<Exclude<LoanField, "type">, keyof Loan>> = {
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
const problemOf = (field: string, messages: ReadonlyArray<string>): FieldProblem => {
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

/** @law 20 U.S.C. 1071(d): FFEL ended on 30 June 2010   @rule new-borrower-tests */
const isTooLate = ({ firstBorrowed }: HouseholdDraft, loans: ReadonlyArray<Loan>): boolean =>
  ["2014", "2026"].includes(firstBorrowed) && loans.some(({ loanType }) => currentLaw.traitsOf[loanType].ffel)

const discountOf = ({ discount }: HouseholdDraft, problems: Array<FieldProblem>): number => {
  const fraction = numberOf(discount || "0", true)
  if (fraction === undefined) problems.push({ field: "discount", problem: "number" })
  else if (fraction > 1) problems.push({ field: "discount", problem: "percent" })
  return fraction ?? 0
}

/** @returns the book, or what keeps it from being one: wrong fields before missing ones */
export const readDraft = (draft: Draft): Reading => {
  const { household } = draft
  const problems: Array<FieldProblem> = []
  const typed = typedLoans(draft)
  const loans = typed.map(({ index, loan }) => ({
    loanType: loan.type,
    ...numbersOf(LOAN_MEMBERS, loan, (field) => loanFieldName(index, field), problems)
  }))
  const filings = filingsOf(household.filing)
  const numbers = householdNumbers(household, problems)
  const discount = discountOf(household, problems)
  if (problems.length > 0) return { _tag: "Wrong", problems }
  const missing = missingOf(draft)
  if (missing.length > 0) return { _tag: "Missing", fields: missing }
  const scenario = {
    ...numbers,
    dependents: numbers["dependents"] ?? 0,
    planType: "STANDARD",
    filingStatus: filings[0],
    state: household.state,
    workingTowardsPslf: household.service !== ""
  }
  const decoded = Effect.runSync(Effect.result(decode({ scenario, loans })))
  if (Result.isFailure(decoded)) {
    const indexes = typed.map(({ index }) => index)
    const wrong = Object.entries(decoded.failure)
    return { _tag: "Wrong", problems: wrong.map(([path, messages]) => problemOf(fieldOf(path, indexes), messages)) }
  }
  if (isTooLate(household, decoded.success.loans)) {
    return { _tag: "Wrong", problems: [{ field: "firstBorrowed", problem: "tooLate" }] }
  }
  const { filingStatus: _, planType: __, ...rest } = decoded.success.scenario
  return {
    _tag: "Book",
    book: {
      loans: decoded.success.loans,
      household: rest,
      filings,
      firstBorrowed: ERAS.find((era) => era === household.firstBorrowed),
      madeSince2026: household.madeSince2026 !== "" || household.firstBorrowed === "2026",
      discount
    }
  }
}
