/** Growth of income and prices, and changes in later years. Folded, with a summary as its line. */
import { Fragment, h } from "preact"
import { MAX_CHANGES } from "../../../schema/bounds.ts"
import { dateOfMonth, MONTHS_PER_YEAR, startMonthOf } from "../../engine/index.ts"
import { month } from "../../messages/figures.ts"
import {
  type ChangeDraft,
  type ChangeField,
  changeFieldName,
  type Draft,
  type HouseholdField,
  isEmptyChange
} from "../book/draft.ts"
import { amountShown, bareOf, numberOf } from "../book/numbers.ts"
import { texts } from "../texts.ts"
import type { BookProps } from "./Book.ts"
import { div, quiet, span } from "./elements.ts"
import { Fold } from "./Fold.ts"
import { choicesOf, NumberField, SelectField } from "./fields.ts"
import { householdField } from "./Household.ts"

const words = texts.changes

/** The last year of repayment in which something may change. */
const LAST_YEAR = 50

/** The years of repayment in which something may change, by their first month. */
const YEARS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: LAST_YEAR - 1 }, (_, index) => String(index + 2)).map((year) => {
    const first = dateOfMonth(startMonthOf(new Date()), (Number(year) - 1) * MONTHS_PER_YEAR)
    return [year, words.year(year, month(first))]
  })
)

const FILING_GROUPS = [{ choices: choicesOf(words.filings, words.asBefore) }]
const SERVICE_GROUPS = [{ choices: choicesOf(words.services, words.asBefore) }]

const nameOf = (names: Readonly<Record<string, string>>, value: string): string => names[value] ?? value

/** The text of each field on the line of a change, except the year. */
const PARTS: Readonly<Record<Exclude<ChangeField, "year">, (typed: string) => string>> = {
  income: (typed) => words.income(amountShown(typed)),
  filing: (typed) => nameOf(words.filings, typed),
  spouseIncome: (typed) => words.spouseIncome(amountShown(typed)),
  spouseLoans: (typed) => words.spouseLoans(amountShown(typed)),
  dependents: (typed) => words.dependents(typed),
  service: (typed) => nameOf(words.services, typed)
}

const lineOf = (change: ChangeDraft): string => {
  const fields = Object.entries(PARTS) as Array<[ChangeField, (typed: string) => string]>
  const parts = fields.flatMap(([field, say]) => (change[field].trim() === "" ? [] : [say(change[field].trim())]))
  return parts.length === 0 ? words.nothingYet : parts.join(" · ")
}

interface ChangeProps {
  readonly change: ChangeDraft
  readonly index: number
  readonly book: BookProps
}

const Change = ({ book: { actions, problems }, change, index }: ChangeProps) => {
  const fieldOf = (field: ChangeField) => ({
    ...words.fields[field],
    name: changeFieldName(index, field),
    value: change[field],
    problem: problems[changeFieldName(index, field)],
    onValue: (value: string) => actions.setChange(index, field, value)
  })
  const problem = Object.keys(PARTS)
    .concat("year")
    .map((field) => problems[changeFieldName(index, field as ChangeField)])
    .find((one) => one !== undefined)
  const title = YEARS[change.year.trim()] ?? words.newChange
  const summary = h(
    Fragment,
    null,
    h("span", null, h("b", null, title), ": ", lineOf(change)),
    problem !== undefined && span("look small", problem)
  )
  return h(
    "li",
    { class: "change" },
    h(
      Fold,
      {
        isOpen: isEmptyChange(change),
        summary,
        class: "loan"
      },
      h(
        "div",
        { class: "fields pair", role: "group", "aria-label": words.change(index + 1) },
        h(SelectField, { ...fieldOf("year"), groups: [{ choices: choicesOf(YEARS, words.chooseYear) }] }),
        h(NumberField, { ...fieldOf("income"), unit: "$" }),
        h(SelectField, { ...fieldOf("filing"), groups: FILING_GROUPS }),
        h(NumberField, fieldOf("dependents")),
        h(NumberField, { ...fieldOf("spouseIncome"), unit: "$" }),
        h(NumberField, { ...fieldOf("spouseLoans"), unit: "$" }),
        h(SelectField, { ...fieldOf("service"), groups: SERVICE_GROUPS })
      )
    ),
    quiet("×", () => actions.removeChange(index), { "aria-label": words.remove(index + 1) })
  )
}

const isSaid = (typed: string): boolean => typed.trim() !== "" && numberOf(typed, true) !== 0

/** The summary of growth and changes, as the parts of a line. */
const partsOf = ({ changes, household: { growth, prices } }: Draft): ReadonlyArray<string> => {
  const count = changes.filter((change) => !isEmptyChange(change)).length
  return [
    ...(isSaid(growth) ? [words.raise(bareOf(growth))] : []),
    ...(isSaid(prices) ? [words.prices(bareOf(prices))] : []),
    ...(count > 0 ? [words.count(count)] : [])
  ]
}

const FIELDS: ReadonlyArray<HouseholdField> = ["growth", "prices", "extra", "discount"]

export const Changes = (book: BookProps) => {
  const { actions, draft, generation, problems } = book
  const { changes, household } = draft
  const fieldOf = (field: HouseholdField) => householdField(book, field)
  const isQuiet = !isSaid(household.growth) && !isSaid(household.prices)
  const hasProblem =
    FIELDS.some((field) => problems[field] !== undefined) ||
    Object.keys(problems).some((name) => name.startsWith("change"))
  return h(
    "section",
    { class: "card", "aria-labelledby": "changes" },
    h(
      Fold,
      {
        isOpen: changes.some(isEmptyChange),
        isNeeded: hasProblem,
        summaryClass: "fold",
        summary: h("h2", { id: "changes" }, words.title, " ", h("small", null, words.summary(partsOf(draft))))
      },
      div(
        "pair",
        h(NumberField, { ...fieldOf("growth"), unit: "%" }),
        h(NumberField, { ...fieldOf("prices"), unit: "%" })
      ),
      isQuiet && div("row", quiet(words.try, actions.tryGrowth)),
      changes.length > 0 &&
        h(
          "ul",
          { class: "loans" },
          changes.map((change, index) => h(Change, { key: `${generation}.${index}`, change, index, book }))
        ),
      changes.length < MAX_CHANGES && div("row", quiet(words.add, actions.addChange)),
      h(NumberField, { ...fieldOf("discount"), unit: "%" })
    )
  )
}
