/**
 * What somebody has typed: a loan book and a household, every field as text. A form that is posted, a link and what a tab
 * remembers hold the same fields under the same names. Whether they make sense is for reading.ts.
 */
import { MAX_LOANS } from "../../../schema/bounds.ts"

export const LOAN_FIELDS = ["type", "balance", "rate", "interest", "original", "months", "pslf", "madeOn"] as const
export type LoanField = (typeof LOAN_FIELDS)[number]
/** The fields of the form. `madeOn` has none: it comes with a file, as YYYY-MM-DD. */
export type TypedField = Exclude<LoanField, "madeOn">
export type LoanDraft = Readonly<Record<LoanField, string>>

const HOUSEHOLD_FIELDS = [
  "income",
  "filing",
  "spouseIncome",
  "spouseLoans",
  "dependents",
  "state",
  "growth",
  "service",
  "firstBorrowed",
  "madeSince2026",
  "discount"
] as const
export type HouseholdField = (typeof HOUSEHOLD_FIELDS)[number]
export type HouseholdDraft = Readonly<Record<HouseholdField, string>>

/** When the borrower first borrowed: since a rule of such a year, or before the first of them. */
export const ERAS = ["before2007", "2007", "2014", "2026"] as const
export type Era = (typeof ERAS)[number]

/** The filing of a borrower of whom both returns are compared. */
export const MARRIED = "Married"

export interface Draft {
  readonly loans: ReadonlyArray<LoanDraft>
  readonly household: HouseholdDraft
}

/** The name of a field of the loan at an index, counted from 1 for those who read a link. */
export const loanFieldName = (index: number, field: LoanField): string => `loan${index + 1}.${field}`

/** Of a form without a script, which the server computes and writes out again with every choice of every loan. */
export const MAX_LOANS_OF_FORM = 30
/** Longer texts are cut: no number and no name of a type is as long. */
const MAX_CHARACTERS = 80

export const emptyLoan: LoanDraft = {
  type: "",
  balance: "",
  rate: "",
  interest: "",
  original: "",
  months: "",
  pslf: "",
  madeOn: ""
}

/** Fields that have a value before anybody types. */
const USUAL = { filing: "Single", dependents: "0", growth: "0", discount: "3" }

export const emptyDraft: Draft = {
  loans: [emptyLoan],
  household: {
    income: "",
    spouseIncome: "",
    spouseLoans: "",
    state: "",
    service: "",
    firstBorrowed: "",
    madeSince2026: "",
    ...USUAL
  }
}

export const exampleDraft: Draft = {
  loans: [
    { ...emptyLoan, type: "DIRECT STAFFORD SUBSIDIZED", balance: "19000", rate: "4.53", months: "30" },
    {
      ...emptyLoan,
      type: "DIRECT STAFFORD UNSUBSIDIZED",
      balance: "31500",
      rate: "6.08",
      interest: "850",
      months: "30"
    }
  ],
  household: { ...emptyDraft.household, income: "58000", state: "NC", growth: "2.5", firstBorrowed: "2014" }
}

const LOAN_NAME = /^loan([1-9]\d{0,2})\.([a-zA-Z]+)$/

/** Nobody types it, so another one is of a link that was changed. */
const DAY = /^\d{4}-\d\d-\d\d$/

const isHouseholdField = (name: string): name is HouseholdField =>
  (HOUSEHOLD_FIELDS as ReadonlyArray<string>).includes(name)
const isLoanField = (name: string): name is LoanField => (LOAN_FIELDS as ReadonlyArray<string>).includes(name)

/** The draft of named fields, such as those of a form or a link. What is not known is left out. */
export const draftOf = (fields: Iterable<readonly [string, string]>, maxLoans = MAX_LOANS): Draft => {
  const loans: Array<Record<LoanField, string>> = []
  const household: Record<HouseholdField, string> = { ...emptyDraft.household }
  for (const [name, text] of fields) {
    const value = text.slice(0, MAX_CHARACTERS)
    if (isHouseholdField(name)) household[name] = value
    const [, number, field = ""] = LOAN_NAME.exec(name) ?? []
    const index = Number(number) - 1
    if (!(index < maxLoans) || !isLoanField(field) || (field === "madeOn" && !DAY.test(value))) continue
    while (loans.length <= index) loans.push({ ...emptyLoan })
    loans[index]![field] = value
  }
  return { loans: loans.length === 0 ? emptyDraft.loans : loans, household }
}

/** The fields that say something. The usual ones do not. */
export const fieldsOf = ({ household, loans }: Draft): Array<[string, string]> => [
  ...loans.flatMap((loan, index) =>
    LOAN_FIELDS.filter((field) => loan[field] !== "").map((field): [string, string] => [
      loanFieldName(index, field),
      loan[field]
    ])
  ),
  ...HOUSEHOLD_FIELDS.filter((field) => household[field] !== emptyDraft.household[field]).map(
    (field): [string, string] => [field, household[field]]
  )
]
