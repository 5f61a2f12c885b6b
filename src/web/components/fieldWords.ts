/** The texts of a form's field: its label and its problem. */
import { type ChangeField, type HouseholdField, type LoanField, OF_SPOUSE } from "../book/draft.ts"
import type { FieldProblem } from "../book/problems.ts"
import { texts } from "../texts.ts"

/** The parts of a field's name. Fields of loans and changes have a number, counted from 1. */
const partsOf = (name: string) => {
  const isOfSpouse = name.startsWith(OF_SPOUSE)
  const own = isOfSpouse ? name.slice(OF_SPOUSE.length) : name
  const [, kind, number, field = own] = /^(loan|change)(\d+)\.(.+)$/.exec(own) ?? []
  return { isOfSpouse, kind, number: Number(number), field }
}

const textOf = (name: string) => {
  const { field, isOfSpouse, kind } = partsOf(name)
  if (kind === "loan") return texts.book.fields[field as LoanField]
  if (kind === "change") return texts.changes.fields[field as ChangeField]
  const text = texts.household.fields[field as HouseholdField]
  return isOfSpouse ? { ...text, ...texts.household.ofSpouse[field as HouseholdField] } : text
}

/** The label of a field by its name, with its loan or change. */
export const labelOfField = (name: string): string => {
  const { isOfSpouse, kind, number } = partsOf(name)
  const { label } = textOf(name)
  if (kind === "loan") return `${isOfSpouse ? `${texts.book.spouse.title}, ` : ""}${texts.book.loan(number)}: ${label}`
  return kind === "change" ? `${texts.changes.change(number)}: ${label}` : label
}

/** The text of a field's problem, with what to enter. */
export const wordsOfProblem = (of: FieldProblem): string => {
  switch (of.problem) {
    case "tooLate":
      return texts.problem.tooLate(of.loan, of.date)
    case "dayNeeded":
      return texts.problem.dayNeeded(of.day)
    case "monthNeeded":
      return texts.problem.monthNeeded(of.year)
    case "number":
    case "percent":
    case "choice":
    case "range":
    case "unreadableDay":
      return textOf(of.field).wants
    default:
      return texts.problem[of.problem]
  }
}

/** By name of the field. */
export const problemsByField = (problems: ReadonlyArray<FieldProblem>): Readonly<Record<string, string>> =>
  Object.fromEntries(problems.map((one) => [one.field, wordsOfProblem(one)]))
