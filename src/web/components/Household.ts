/** The household: income, tax return, dependents, state, public service, and the time of the first loan. */
import { Fragment, h } from "preact"
import { dateOfMonth, type StartMonth } from "../../engine/index.ts"
import { month, wholeDollars } from "../../messages/figures.ts"
import { ERAS, EXACT_DAY, type HouseholdField, isOneOf, MARRIED, PAYS_LATER } from "../book/draft.ts"
import { numberOf } from "../book/numbers.ts"
import { isCouple } from "../book/spouse.ts"
import { texts } from "../texts.ts"
import type { BookProps } from "./Book.ts"
import { div, p, quiet, span } from "./elements.ts"
import { Fold } from "./Fold.ts"
import { CheckField, choicesOf, DayField, NumberField, SegmentField, SelectField } from "./fields.ts"
import { MONTHS_PAUSED, monthsAhead } from "./months.ts"
import { CountOfAll } from "./OfAllLoans.ts"

const words = texts.household

const ERA_GROUPS = [
  {
    choices: [
      { value: "", text: words.notSaid },
      ...ERAS.map((value) => ({ value, text: words.eras[value] })),
      { value: EXACT_DAY, text: words.exact }
    ]
  }
]

/** A field of the household, as the components of fields.ts take it. */
export const householdField = ({ actions, draft, prefix, problems }: BookProps, field: HouseholdField) => ({
  ...words.fields[field],
  ...(prefix === "" ? {} : words.ofSpouse[field]),
  name: prefix + field,
  value: draft.household[field],
  problem: problems[prefix + field],
  onValue: (value: string) => actions.setHousehold(field, value)
})

/** The day of the first loan from a file that was used, or null. */
const dayOfFile = (reading: BookProps["reading"]): string | null =>
  reading?._tag === "Read" && reading.isUsed === true ? reading.firstBorrowedOn : null

const monthOf = (text: string): StartMonth => {
  const [year, month] = text.split("-").map(Number)
  return { year: year!, month: month! }
}

/** The plans that a borrower can be in. */
const { "TIERED STANDARD": _, ...plans } = texts.answer.plans
export const PLANS: Readonly<Record<string, string>> = plans

/** When the borrower pays, and on which plan. */
const Standing = (book: BookProps) => {
  const { pause, pays, plan, until } = book.draft.household
  const choices = book.prefix === "" ? words.pays : words.spousePays
  const fieldOf = (field: HouseholdField) => householdField(book, field)
  return h(
    Fragment,
    null,
    h(SelectField, { ...fieldOf("pays"), groups: [{ choices: choicesOf(choices) }] }),
    isOneOf(PAYS_LATER, pays) &&
      div(
        "pair",
        h(SelectField, {
          ...fieldOf("until"),
          help: [
            until === "" ? words.noMonth : words.firstPayment(month(dateOfMonth(monthOf(until), 1))),
            ...(pays === "school" ? [words.schoolUntil, words.schoolInterest] : [])
          ].join(" "),
          groups: [{ choices: choicesOf(monthsAhead(MONTHS_PAUSED, until), words.chooseMonth) }]
        }),
        pays === "paused" &&
          plan !== "SAVE" &&
          h(SelectField, {
            ...fieldOf("pause"),
            help: words.pauseHelp[pause] ?? "",
            groups: [{ choices: choicesOf(words.pauses) }]
          })
      ),
    h(SelectField, { ...fieldOf("plan"), groups: [{ choices: choicesOf(PLANS, words.notSure) }] })
  )
}

/** What each of two answers alone: the first loan and public service. */
export const OwnQuestions = (book: BookProps) => {
  const { draft, prefix, problems, reading } = book
  const { household, loans } = draft
  const fileFirstBorrowedOn = dayOfFile(reading)
  const fieldOf = (field: HouseholdField) => householdField(book, field)
  const asksForDay = household.firstBorrowed === EXACT_DAY || problems[`${prefix}firstBorrowedOn`] !== undefined
  const asksForNewLoan = household.madeSince2026 !== "" || loans.some(({ madeOn }) => madeOn === "")
  const isFromFile = fileFirstBorrowedOn !== null && household.firstBorrowedOn === fileFirstBorrowedOn
  const firstDay = fieldOf("firstBorrowedOn")
  const firstBorrowed = fieldOf("firstBorrowed")
  const isDated = household.firstBorrowed === "" && loans.some(({ madeOn }) => madeOn !== "")
  return h(
    Fragment,
    null,
    h(Standing, book),
    h(SelectField, { ...firstBorrowed, help: isDated ? words.datesTaken : firstBorrowed.help, groups: ERA_GROUPS }),
    asksForDay &&
      h(DayField, { ...firstDay, help: isFromFile ? words.fromFile(month(fileFirstBorrowedOn)) : firstDay.help }),
    asksForNewLoan && h(CheckField, fieldOf("madeSince2026")),
    h(CheckField, fieldOf("service")),
    household.service !== "" &&
      h(CountOfAll, { ...book, field: "pslf", name: "servicePayments", words: words.servicePayments })
  )
}

/** A spouse's loans: as one amount, or one by one, which then gives answers for both. */
const Spouse = (book: BookProps) =>
  h(
    Fragment,
    null,
    h(NumberField, { ...householdField(book, "spouseIncome"), unit: "$" }),
    book.draft.spouse === undefined
      ? [
          h(NumberField, { key: "sum", ...householdField(book, "spouseLoans"), unit: "$" }),
          div("row", quiet(words.addSpouse, book.actions.addSpouse, { key: "add" }))
        ]
      : p("help", words.bothCompared)
  )

/** How separate returns of two with loans count the income, if their state splits it. */
const Split = (book: BookProps) => {
  const { income, spouseIncome, state } = book.draft.household
  const half = ((numberOf(income, false) ?? 0) + (numberOf(spouseIncome, false) ?? 0)) / 2
  const label = words.split(words.states[state as keyof typeof words.states])
  const help = words.splitHelp(wholeDollars(half))
  return h(SegmentField, { ...householdField(book, "split"), label, help, choices: choicesOf(words.splits) })
}

interface HouseholdProps extends BookProps {
  /** Whether the answer has a couple whose separate returns the state's law splits. */
  readonly splits: boolean
}

export const Household = (book: HouseholdProps) => {
  const { household } = book.draft
  const hasSpouse = isCouple(book.draft)
  const fieldOf = (field: HouseholdField) => householdField(book, field)
  const asksForSpouse = household.filing === MARRIED
  const income = fieldOf("income")
  const dependents = fieldOf("dependents")
  const mayBeHead = household.filing === "Single" && Number(household.dependents) > 0
  return h(
    "section",
    { class: "card", "aria-labelledby": "household" },
    h("h2", { id: "household", tabIndex: -1 }, words.title),
    h(NumberField, { ...income, unit: "$", help: asksForSpouse ? `${words.ownIncome} ${income.help}` : income.help }),
    h(SegmentField, { ...fieldOf("filing"), choices: choicesOf(words.filings) }),
    asksForSpouse && h(Spouse, book),
    h(NumberField, mayBeHead ? { ...dependents, help: `${dependents.help} ${words.mayBeHead}` } : dependents),
    hasSpouse &&
      Number(household.dependents) > 0 &&
      h(SegmentField, { ...fieldOf("claims"), choices: choicesOf(words.claims) }),
    h(SelectField, { ...fieldOf("state"), groups: [{ choices: choicesOf(words.states, texts.book.choose) }] }),
    book.splits && h(Split, book),
    !hasSpouse &&
      h(
        Fold,
        { isNeeded: household.family !== "", summaryClass: "fold", summary: span("small", words.family) },
        h(NumberField, fieldOf("family"))
      ),
    h(OwnQuestions, book)
  )
}
