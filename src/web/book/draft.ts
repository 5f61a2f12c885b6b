/**
 * A draft is the typed text of a loan book, a household and its later changes. A form, a link and a
 * tab's storage have the same fields under the same names. reading.ts checks them.
 */
import { MAX_CHANGES, MAX_LOANS } from "../../../schema/bounds.ts"

export const LOAN_FIELDS = [
  "type",
  "balance",
  "rate",
  "interest",
  "original",
  "months",
  "pslf",
  "madeOn",
  "pays",
  "until"
] as const
export type LoanField = (typeof LOAN_FIELDS)[number]
/** The fields of the form. No open plan asks for `original`; links carry it. */
export type TypedField = Exclude<LoanField, "original">
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
  "firstBorrowedOn",
  "madeSince2026",
  "discount",
  "prices",
  "extra",
  "budget",
  "once",
  "onceOn",
  "family",
  "pays",
  "until",
  "pause",
  "plan",
  "switchFrom",
  "switchTo",
  "split",
  "claims"
] as const
export type HouseholdField = (typeof HOUSEHOLD_FIELDS)[number]
export type HouseholdDraft = Readonly<Record<HouseholdField, string>>

/** The fields of a change in a later year. An empty field keeps the earlier value. */
const CHANGE_FIELDS = ["year", "income", "spouseIncome", "spouseLoans", "filing", "dependents", "service"] as const
export type ChangeField = (typeof CHANGE_FIELDS)[number]
export type ChangeDraft = Readonly<Record<ChangeField, string>>

/** The effect of a change on work in public service. */
export const SERVICE_CHANGES = ["begins", "ends"] as const

/** The time of the first loan: since a rule of this year, or before the first such rule. */
export const ERAS = ["before2007", "2007", "2014", "2026"] as const
export type Era = (typeof ERAS)[number]
/** The answer of a borrower who types the day, as `firstBorrowedOn`. */
export const EXACT_DAY = "exact"

/** The answer of a borrower whose loans are in default, which is counted as paying now. */
export const IN_DEFAULT = "default"
/** When a borrower pays who is not paying now. */
export const PAYS_LATER = ["school", "paused"] as const
/** The kinds of a pause; a borrower who is not sure is counted as in forbearance. */
export const PAUSES = ["Deferment", "Forbearance", "save"] as const

/** When one loan is paid, if it differs from the others. */
export const LOAN_PAYS = ["now", "school", "Deferment", "Forbearance"] as const

/** A month of a list, as YYYY-MM. */
export const isMonth = (text: string): boolean => /^2[01]\d\d-(?:0[1-9]|1[0-2])$/.test(text)

/** The filing of a borrower for whom both returns are compared. */
export const MARRIED = "Married"

export interface Draft {
  readonly loans: ReadonlyArray<LoanDraft>
  readonly household: HouseholdDraft
  /** In the order in which they were added, which may differ from that of their years. */
  readonly changes: ReadonlyArray<ChangeDraft>
  /** The loans and own answers of a spouse with loans. What both share is in the household above. */
  readonly spouse?: Draft | undefined
}

/** The prefix of the names of a spouse's fields. */
export const OF_SPOUSE = "spouse."

/** Who of two claims the dependents on a separate return, if it is not the reader. */
export const CLAIMS = ["spouse"] as const
/** Whether separate returns carry half of both incomes; both ways are shown if it is not chosen. */
export const SPLITS = ["half", "own"] as const

/** The name of a field of the loan at an index. Names count from 1, because people read links. */
export const loanFieldName = (index: number, field: LoanField): string => `loan${index + 1}.${field}`
export const changeFieldName = (index: number, field: ChangeField): string => `change${index + 1}.${field}`

/** Longer texts are cut, because no number and no name of a type is as long. */
const MAX_CHARACTERS = 80

export const emptyLoan: LoanDraft = {
  type: "",
  balance: "",
  rate: "",
  interest: "",
  original: "",
  months: "",
  pslf: "",
  madeOn: "",
  pays: "",
  until: ""
}

export const emptyChange: ChangeDraft = {
  year: "",
  income: "",
  spouseIncome: "",
  spouseLoans: "",
  filing: "",
  dependents: "",
  service: ""
}

export const isEmptyLoan = (loan: LoanDraft): boolean => LOAN_FIELDS.every((field) => loan[field] === "")
export const isEmptyChange = (change: ChangeDraft): boolean => CHANGE_FIELDS.every((field) => change[field] === "")

/** Fields with an initial value. */
const USUAL = { filing: "Single", dependents: "0", growth: "0", discount: "3", prices: "0", extra: "0" }

/** A usual growth of incomes and prices, in percent a year, to try. */
export const USUAL_GROWTH = { growth: "3", prices: "2.5" }

export const emptyDraft: Draft = {
  loans: [emptyLoan],
  household: {
    income: "",
    spouseIncome: "",
    spouseLoans: "",
    state: "",
    service: "",
    firstBorrowed: "",
    firstBorrowedOn: "",
    madeSince2026: "",
    budget: "",
    once: "",
    onceOn: "",
    family: "",
    pays: "",
    until: "",
    pause: "",
    plan: "",
    switchFrom: "",
    switchTo: "",
    split: "",
    claims: "",
    ...USUAL
  },
  changes: []
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
  household: { ...emptyDraft.household, income: "58000", state: "NC", growth: "2.5", firstBorrowed: "2014" },
  changes: []
}

const FIELD_NAME = /^(loan|change)([1-9]\d{0,2})\.([a-zA-Z]+)$/

export const isOneOf = <F extends string>(fields: ReadonlyArray<F>, name: string): name is F =>
  (fields as ReadonlyArray<string>).includes(name)

/** Sets a field of the item at an index, and adds empty ones up to it. */
const setAt = <F extends string>(
  items: Array<Record<F, string>>,
  empty: Readonly<Record<F, string>>,
  [index, field, value]: readonly [number, F, string]
): void => {
  while (items.length <= index) items.push({ ...empty })
  items[index]![field] = value
}

/** Fields of the household or of a loan that are chosen from a list of months. */
const MONTH_FIELDS = ["until", "onceOn", "switchFrom"]
const ownName = (field: string): string => field.slice(field.indexOf(".") + 1)

/** The draft of named fields, such as those of a form or a link. Unknown fields and months are left out. */
export const draftOf = (fields: Iterable<readonly [string, string]>): Draft => {
  const loans: Array<Record<LoanField, string>> = []
  const changes: Array<Record<ChangeField, string>> = []
  const household: Record<HouseholdField, string> = { ...emptyDraft.household }
  const ofSpouse: Array<readonly [string, string]> = []
  for (const [name, text] of fields) {
    const spouses = name.startsWith(OF_SPOUSE) ? name.slice(OF_SPOUSE.length) : ""
    if (spouses !== "" && !spouses.startsWith(OF_SPOUSE)) ofSpouse.push([spouses, text])
    const value = MONTH_FIELDS.includes(ownName(name)) && !isMonth(text) ? "" : text.slice(0, MAX_CHARACTERS)
    if (isOneOf(HOUSEHOLD_FIELDS, name)) household[name] = value
    const [, kind, number, field = ""] = FIELD_NAME.exec(name) ?? []
    const index = Number(number) - 1
    if (kind === "loan" && index < MAX_LOANS && isOneOf(LOAN_FIELDS, field))
      setAt(loans, emptyLoan, [index, field, value])
    if (kind === "change" && index < MAX_CHANGES && isOneOf(CHANGE_FIELDS, field))
      setAt(changes, emptyChange, [index, field, value])
  }
  const own = { loans: loans.length === 0 ? emptyDraft.loans : loans, household, changes }
  return ofSpouse.length === 0 ? own : { ...own, spouse: draftOf(ofSpouse) }
}

/** The fields that are not empty, under their names. */
const filled = <F extends string>(
  items: ReadonlyArray<Readonly<Record<F, string>>>,
  fields: ReadonlyArray<F>,
  nameOf: (index: number, field: F) => string
): Array<[string, string]> =>
  items.flatMap((item, index) =>
    fields.filter((field) => item[field] !== "").map((field): [string, string] => [nameOf(index, field), item[field]])
  )

/** The fields that differ from the initial ones. */
export const fieldsOf = ({ changes, household, loans, spouse }: Draft): Array<[string, string]> => [
  ...filled(loans, LOAN_FIELDS, loanFieldName),
  ...HOUSEHOLD_FIELDS.filter((field) => household[field] !== emptyDraft.household[field]).map(
    (field): [string, string] => [field, household[field]]
  ),
  ...filled(changes, CHANGE_FIELDS, changeFieldName),
  ...(spouse === undefined ? [] : fieldsOf(spouse)).map(([name, value]): [string, string] => [OF_SPOUSE + name, value])
]
