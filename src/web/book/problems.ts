/**
 * The problems of a draft, field by field. The contract and the engine name members of a request.
 * This file maps the members to the fields of the form.
 */
import type { Loan } from "../../../schema/loan.ts"
import type { Change } from "../../../schema/scenario.ts"
import type { Contradiction, HouseholdScenario } from "../../engine/index.ts"
import { fieldPath } from "../../request/fieldPath.ts"
import { type ChangeField, changeFieldName, type HouseholdField, type LoanField, loanFieldName } from "./draft.ts"

/** A problem of a field. The page has a text for each problem. */
export type FieldProblem =
  | {
      readonly field: string
      readonly problem:
        | "number"
        /** Out of the range of percentages. */
        | "percent"
        /** None of the choices. */
        | "choice"
        /** Out of the bounds of the contract. */
        | "range"
        /** Neither a day nor a month. */
        | "unreadableDay"
        /** A day that does not exist, is in the future, or is before the first federal loan. */
        | "date"
        /** A loan of this kind was no longer made on its date. */
        | "endedType"
        /** The tick says that one loan is new, but no loan can be new. */
        | "noNewLoan"
        /** A change in the same year as another. */
        | "sameYear"
        /** A change with nothing but its year. */
        | "changesNothing"
    }
  /** The law changes on `day`, within the typed month, so the exact day is needed. */
  | { readonly field: string; readonly problem: "dayNeeded"; readonly day: string }
  /** The law changes within the typed year, so the month is needed too. */
  | { readonly field: string; readonly problem: "monthNeeded"; readonly year: string }
  /** The typed day is later than the date of the loan with number `loan` on the page. */
  | { readonly field: string; readonly problem: "tooLate"; readonly loan: number; readonly date: string }

export const PERCENT_FIELDS: ReadonlyArray<string> = ["rate", "growth", "prices", "discount"]
const CHOICE_FIELDS: ReadonlyArray<string> = ["type", "filing", "state"]
const DAY_MEMBER = /\.(?:madeOn|firstBorrowedOn)$/
/** The members of a request, the fields that they come from, and their names in a path. */
export const LOAN_MEMBERS: Readonly<Record<Exclude<LoanField, "type" | "madeOn" | "pays" | "until">, keyof Loan>> = {
  balance: "principalBalance",
  rate: "interestRate",
  interest: "interestBalance",
  original: "disbursedAmount",
  months: "idrMonthsInRepayment",
  pslf: "pslfCount"
}
export const HOUSEHOLD_MEMBERS = {
  income: "adjustedGrossIncome",
  spouseIncome: "spouseAdjustedGrossIncome",
  spouseLoans: "spouseFederalLoanBalance",
  dependents: "dependents",
  growth: "annualIncomeGrowth",
  prices: "annualPriceGrowth",
  extra: "extraMonthlyPayment",
  budget: "monthlyBudget",
  family: "familySize"
} as const satisfies Partial<Record<HouseholdField, keyof HouseholdScenario>>
export const CHANGE_MEMBERS = {
  year: "fromYear",
  income: "adjustedGrossIncome",
  spouseIncome: "spouseAdjustedGrossIncome",
  spouseLoans: "spouseFederalLoanBalance",
  dependents: "dependents"
} as const satisfies Partial<Record<ChangeField, keyof Change>>

/** The indexes in the draft of the loans and the changes of a request. */
export interface Indexes {
  readonly loans: ReadonlyArray<number>
  readonly changes: ReadonlyArray<number>
  /** The field of each pause's last month. */
  readonly pauses: ReadonlyArray<string>
  /** The field that gave `firstBorrowedOn`. */
  readonly firstBorrowed: "firstBorrowed" | "firstBorrowedOn"
}

const OTHER_FIELDS: Readonly<Record<string, string>> = {
  filingStatus: "filing",
  workingTowardsPslf: "service",
  loanType: "type",
  madeOn: "madeOn"
}

const fieldNamed = (members: Readonly<Record<string, string>>, member: string): string | undefined =>
  Object.entries(members).find(([, name]) => name === member)?.[0] ?? OTHER_FIELDS[member]

/** The field that a path of a request leads to. */
const fieldOf = (path: string, indexes: Indexes): string => {
  const [, kind, position, member = ""] = /^(?:scenario\.)?(loans|changes|pauses)\[(\d+)\](?:\.(\w+))?/.exec(path) ?? []
  if (kind === "loans")
    return loanFieldName(
      indexes.loans[Number(position)] ?? 0,
      (fieldNamed(LOAN_MEMBERS, member) ?? "type") as LoanField
    )
  if (kind === "changes")
    return changeFieldName(
      indexes.changes[Number(position)] ?? 0,
      (fieldNamed(CHANGE_MEMBERS, member) ?? "year") as ChangeField
    )
  if (kind === "pauses") return indexes.pauses[Number(position)] ?? "until"
  if (path.startsWith("scenario.lumpSums")) return "once"
  const name = path.replace(/^scenario\./, "")
  return name === "firstBorrowedOn" ? indexes.firstBorrowed : (fieldNamed(HOUSEHOLD_MEMBERS, name) ?? name)
}

/** The page has its own words, because the contract's words are about fractions and spellings. */
export const problemOf = (path: string, indexes: Indexes): FieldProblem => {
  const field = fieldOf(path, indexes)
  if (DAY_MEMBER.test(path)) return { field, problem: "date" }
  const name = field.replace(/^[a-z]+\d+\./, "")
  if (PERCENT_FIELDS.includes(name)) return { field, problem: "percent" }
  return { field, problem: CHOICE_FIELDS.includes(name) ? "choice" : "range" }
}

/** Contradictions that the engine finds. `tooLate` reports a loan older than the first one, since it also checks kinds. */
export const ofContradiction = ({ _tag, path }: Contradiction, indexes: Indexes): ReadonlyArray<FieldProblem> => {
  if (_tag === "OlderLoan") return []
  const field = fieldOf(fieldPath(path), indexes)
  switch (_tag) {
    case "NotMadeThen":
      return [{ field: field.replace(/madeOn$/, "type"), problem: "endedType" }]
    case "NotLater":
      return [{ field, problem: "sameYear" }]
    case "ChangesNothing":
      return [{ field, problem: "changesNothing" }]
    default:
      return [{ field, problem: "date" }]
  }
}
