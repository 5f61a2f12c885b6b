/** The loans, each as a line that opens to its fields. */
import { type ComponentChildren, Fragment, h } from "preact"
import { MAX_LOANS } from "../../../schema/bounds.ts"
import { wholeDollars } from "../../messages/figures.ts"
import {
  type Draft,
  emptyDraft,
  exampleDraft,
  fieldsOf,
  isEmptyLoan,
  LOAN_FIELDS,
  type LoanDraft,
  loanFieldName,
  type OF_SPOUSE,
  type TypedField
} from "../book/draft.ts"
import { amountShown, bareOf, numberOf } from "../book/numbers.ts"
import { texts } from "../texts.ts"
import { div, quiet, span } from "./elements.ts"
import { Fold } from "./Fold.ts"
import { type ChoiceGroup, choicesOf, DayField, idOf, NumberField, SelectField } from "./fields.ts"
import { dropTarget } from "./MyAidData.ts"
import { MONTHS_PAUSED, monthsAhead } from "./months.ts"
import { OfAllLoans } from "./OfAllLoans.ts"
import type { Actions, ReadFile } from "./state.ts"

export interface BookProps {
  readonly draft: Draft
  /** Counts replacements of the whole draft, each of which draws new fields. */
  readonly generation: number
  /** By name of the field. */
  readonly problems: Readonly<Record<string, string>>
  readonly actions: Actions
  /** The result of reading a file. */
  readonly reading: ReadFile | undefined
  /** Of the names of its fields. */
  readonly prefix: "" | typeof OF_SPOUSE
}

/** The number of kinds of loans that come first, because most borrowers have them. */
const COMMON_TYPES = 7
const types = Object.entries(texts.book.types).map(([value, text]) => ({ value, text }))
const TYPE_GROUPS: ReadonlyArray<ChoiceGroup> = [
  { choices: [{ value: "", text: texts.book.choose }] },
  { label: texts.book.common, choices: types.slice(0, COMMON_TYPES) },
  { label: texts.book.others, choices: types.slice(COMMON_TYPES) }
]
const typeNames: Readonly<Record<string, string>> = texts.book.types

const SHOWN_ON_DEMAND = ["interest", "months", "pslf"] as const
const REQUIRED = ["type", "balance", "rate"] as const

interface LoansProps extends BookProps {
  readonly canUndo: boolean
  /** Numbers of the loans with a rate that no federal loan has. */
  readonly oddRates?: ReadonlyArray<number>
  /** The file with these loans. */
  readonly file: ComponentChildren
  readonly children?: ComponentChildren
}

interface LoanProps {
  readonly loan: LoanDraft
  readonly index: number
  readonly book: LoansProps
}

/** A sentence that says why a loan needs a check; undefined if it does not, or is still empty. */
const lookOf = ({ book: { oddRates = [], prefix, problems, reading }, index, loan }: LoanProps): string | undefined => {
  if (isEmptyLoan(loan)) return undefined
  const problem = LOAN_FIELDS.map((field) => problems[prefix + loanFieldName(index, field)]).find(
    (one) => one !== undefined
  )
  if (problem !== undefined) return problem
  const missing = REQUIRED.find((field) => loan[field].trim() === "")
  if (missing !== undefined) return texts.book.looks[missing]
  if (oddRates.includes(index + 1)) return texts.book.looks.odd
  // An edited loan of the file is another object, and counts as checked.
  const look = reading?._tag === "Read" ? reading.looks[reading.loans.indexOf(loan)] : null
  if (look) return look
  return numberOf(loan.balance, false) === 0 && !numberOf(loan.interest, false) ? texts.book.looks.nothing : undefined
}

const LoanLine = (props: LoanProps) => {
  const { index, loan } = props
  const look = lookOf(props)
  const rate = bareOf(loan.rate)
  return h(
    Fragment,
    null,
    span("number", index + 1),
    h("b", null, typeNames[loan.type] ?? texts.book.newLoan),
    !isEmptyLoan(loan) && span("small", rate === "" ? texts.book.noRate : `${rate}%`),
    !isEmptyLoan(loan) && h("span", null, amountShown(loan.balance) || texts.book.noBalance),
    look !== undefined && span("look small", look)
  )
}

const LoanFields = (props: LoanProps) => {
  const { book, index, loan } = props
  const { actions, draft, prefix, problems } = book
  const nameOf = (field: TypedField) => prefix + loanFieldName(index, field)
  const fieldOf = (field: TypedField) => ({
    ...texts.book.fields[field],
    key: field,
    name: nameOf(field),
    value: loan[field],
    problem: problems[nameOf(field)],
    onValue: (value: string) => actions.setLoan(index, field, value)
  })
  const onDemand = [...SHOWN_ON_DEMAND, "madeOn", "pays"] as const
  const isPaused = loan.pays !== "" && loan.pays !== "now"
  return h(
    Fragment,
    null,
    h(SelectField, { ...fieldOf("type"), groups: TYPE_GROUPS }),
    div(
      "pair",
      h(NumberField, { ...fieldOf("balance"), unit: "$" }),
      h(NumberField, { ...fieldOf("rate"), unit: "%" })
    ),
    h(
      Fold,
      {
        summary: texts.book.more,
        summaryClass: "more",
        isOpen: onDemand.some((field) => loan[field] !== ""),
        isNeeded: onDemand.some((field) => problems[nameOf(field)] !== undefined)
      },
      div(
        "pair",
        h(DayField, fieldOf("madeOn")),
        h(NumberField, { ...fieldOf("interest"), unit: "$" }),
        h(NumberField, fieldOf("months")),
        h(NumberField, fieldOf("pslf")),
        (draft.loans.length > 1 || loan.pays !== "") &&
          h(SelectField, { ...fieldOf("pays"), groups: [{ choices: choicesOf(texts.book.pays) }] }),
        isPaused &&
          h(SelectField, {
            ...fieldOf("until"),
            help: loan.until === "" ? texts.book.noMonth : "",
            groups: [{ choices: choicesOf(monthsAhead(MONTHS_PAUSED, loan.until), texts.household.chooseMonth) }]
          })
      )
    ),
    draft.loans.length > 1 &&
      div(
        "row",
        quiet(texts.book.remove(index + 1), () => actions.removeLoan(index))
      )
  )
}

const Loan = (props: LoanProps) => {
  const { book, index, loan } = props
  return h(
    "li",
    null,
    h(
      Fold,
      {
        id: idOf(`${book.prefix}loan${index + 1}`),
        isOpen: isEmptyLoan(loan),
        summary: h(LoanLine, props),
        class: "loan"
      },
      h("div", { class: "fields", role: "group", "aria-label": texts.book.loan(index + 1) }, h(LoanFields, props))
    )
  )
}

const totalOf = (loans: ReadonlyArray<LoanDraft>): string | undefined => {
  const typed = loans.filter((loan) => !isEmptyLoan(loan))
  const total = typed.reduce((sum, { balance }) => sum + (numberOf(balance, false) ?? 0), 0)
  return total === 0 ? undefined : texts.book.total(wholeDollars(total), typed.length)
}

/** The number of unfolded lines in a long list. A list with only one more is not folded. */
const LINES_SHOWN = 5

const LoanList = ({ book }: { readonly book: LoansProps }) => {
  const { generation, draft } = book
  const all = draft.loans.map((loan, index) => ({ loan, index, book }))
  const lines = (some: ReadonlyArray<LoanProps>) =>
    h(
      "ul",
      { class: "loans" },
      some.map((one) => h(Loan, { ...one, key: `${generation}.${one.index}` }))
    )
  if (all.length <= LINES_SHOWN + 1) return lines(all)
  const rest = all.slice(LINES_SHOWN)
  const looks = rest.filter((one) => lookOf(one) !== undefined).length
  return h(
    Fragment,
    null,
    lines(all.slice(0, LINES_SHOWN)),
    h(
      Fold,
      {
        key: generation,
        isNeeded: rest.some(({ loan }) => isEmptyLoan(loan)),
        summaryClass: "fold",
        summary: h(
          "span",
          null,
          texts.book.all(all.length),
          looks > 0 && span("look small", texts.book.someNeedALook(looks))
        )
      },
      lines(rest)
    )
  )
}

/** The loans of one borrower. The children follow them. */
export const Loans = (book: LoansProps) => {
  const { actions, canUndo, children, draft, file, prefix } = book
  const { spouse } = texts.book
  const isFull = draft.loans.length >= MAX_LOANS
  const total = totalOf(draft.loans)
  const isEmpty = fieldsOf(draft).length === 0
  return h(
    "section",
    { class: "card", "aria-labelledby": idOf(`${prefix}loans`), ...dropTarget(actions) },
    div(
      "top",
      h("h2", { id: idOf(`${prefix}loans`) }, prefix === "" ? texts.book.title : spouse.title),
      total && span("soft", total)
    ),
    h(LoanList, { book }),
    h(OfAllLoans, book),
    div("row", !isFull && quiet(texts.book.add, actions.addLoan), file),
    children,
    div(
      "row",
      prefix !== "" && quiet(spouse.remove, actions.removeSpouse),
      prefix === "" && isEmpty && quiet(texts.book.example, () => actions.replace(exampleDraft)),
      prefix === "" && !isEmpty && quiet(texts.book.clear, () => actions.replace(emptyDraft)),
      canUndo && quiet(texts.book.undo, actions.undo)
    )
  )
}
