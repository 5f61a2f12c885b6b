/**
 * The draft of each of two borrowers. A spouse's draft has the loans and own answers; what both
 * share comes from the household of the draft around it.
 */
import { fromCents, toCents } from "../../engine/index.ts"
import { type ChangeDraft, type Draft, isEmptyChange, isOneOf, MARRIED } from "./draft.ts"
import { numberOf } from "./numbers.ts"

/** The reader or the spouse. */
export type Whose = "own" | "spouse"

/** Of the household, the fields that both share. */
const SHARED = ["filing", "dependents", "state", "growth", "prices", "discount", "split", "claims"] as const

const owed = ({ loans }: Draft): string => {
  const centsOf = (text: string) => toCents(numberOf(text || "0", false) ?? 0)
  return String(fromCents(loans.reduce((sum, { balance, interest }) => sum + centsOf(balance) + centsOf(interest), 0)))
}

const asOfSpouse = (change: ChangeDraft): ChangeDraft => ({
  ...change,
  income: change.spouseIncome,
  spouseIncome: change.income,
  spouseLoans: "",
  service: ""
})

export const isCouple = ({ household, spouse }: Draft): boolean => spouse !== undefined && household.filing === MARRIED

/** The draft of one of the two, as if each had typed it alone. The family of both is that of the return. */
export const draftFor = (draft: Draft, whose: Whose): Draft => {
  const { changes, household, spouse } = draft
  if (spouse === undefined || !isCouple(draft)) return draft
  const counted = { spouseLoans: owed(whose === "own" ? spouse : draft), family: "" }
  if (whose === "own") return { ...draft, household: { ...household, ...counted } }
  const shared = Object.fromEntries(SHARED.map((field) => [field, household[field]]))
  const incomes = { income: household.spouseIncome, spouseIncome: household.income }
  return {
    loans: spouse.loans,
    household: { ...spouse.household, ...shared, ...incomes, ...counted },
    changes: changes.map(asOfSpouse).filter((change) => !isEmptyChange({ ...change, year: "" }))
  }
}

/** The fields that a spouse's problems can be about; the reader's own reading tells of the shared ones. */
export const isOfSpouse = (field: string): boolean =>
  !field.startsWith("change") && !isOneOf([...SHARED, "income", "spouseIncome", "spouseLoans"], field)
