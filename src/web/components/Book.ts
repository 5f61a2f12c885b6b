/** The loans and the household as fields. */

import { type ComponentChildren, h } from "preact"
import { useState } from "preact/hooks"
import { MAX_LOANS } from "../../../schema/bounds.ts"
import {
  type Draft,
  ERAS,
  emptyDraft,
  exampleDraft,
  type HouseholdField,
  type LoanDraft,
  loanFieldName,
  MARRIED,
  MAX_LOANS_OF_FORM,
  type TypedField
} from "../book/draft.ts"
import { texts } from "../texts.ts"
import { CheckField, type ChoiceGroup, NumberField, SelectField } from "./fields.ts"
import type { Actions } from "./state.ts"

interface BookProps {
  readonly draft: Draft
  /** How often all of the draft was replaced: its fields are others then. */
  readonly generation: number
  /** By name of the field. */
  readonly problems: Readonly<Record<string, string>>
  readonly actions: Actions | undefined
}

/** How many kinds of loans stand first, being those that most borrowers have. */
const COMMON_TYPES = 7
const types = Object.entries(texts.book.types).map(([value, text]) => ({ value, text }))
const TYPE_GROUPS: ReadonlyArray<ChoiceGroup> = [
  { choices: [{ value: "", text: texts.book.choose }] },
  { label: texts.book.common, choices: types.slice(0, COMMON_TYPES) },
  { label: texts.book.others, choices: types.slice(COMMON_TYPES) }
]
const choicesOf = (names: Readonly<Record<string, string>>, first?: string): ReadonlyArray<ChoiceGroup> => [
  {
    choices: [
      ...(first === undefined ? [] : [{ value: "", text: first }]),
      ...Object.entries(names).map(([value, text]) => ({ value, text }))
    ]
  }
]
const ERA_GROUPS = [
  {
    choices: [
      { value: "", text: texts.household.notSaid },
      ...ERAS.map((value) => ({ value, text: texts.household.eras[value] }))
    ]
  }
]

interface ButtonProps {
  /** What a form without script sends. */
  readonly action: string
  readonly onPress: (() => void) | undefined
  readonly label?: string
  readonly children?: ComponentChildren
}

const ActionButton = ({ action, children, label, onPress }: ButtonProps) =>
  h(
    "button",
    {
      name: "action",
      value: action,
      "aria-label": label,
      onClick: (event) => {
        if (onPress === undefined) return
        event.preventDefault()
        onPress()
      }
    },
    children
  )

interface LoanProps {
  readonly loan: LoanDraft
  readonly index: number
  readonly book: BookProps
}

const ALWAYS_SHOWN = ["balance", "rate"] as const
const SHOWN_ON_DEMAND = ["interest", "months", "pslf", "original"] as const

const LoanFields = ({ book: { actions, draft, problems }, index, loan }: LoanProps) => {
  const fieldOf = (field: TypedField) => ({
    ...texts.book.fields[field],
    key: field,
    name: loanFieldName(index, field),
    value: loan[field],
    problem: problems[loanFieldName(index, field)],
    onValue: actions && ((value: string) => actions.setLoan(index, field, value))
  })
  const isFilled = SHOWN_ON_DEMAND.some((field) => loan[field] !== "")
  const hasProblem = SHOWN_ON_DEMAND.some((field) => problems[loanFieldName(index, field)] !== undefined)
  // Emptying the last field does not close what somebody is typing in.
  const [isOpen, setOpen] = useState(isFilled)
  return h(
    "fieldset",
    { class: "loan" },
    h("legend", null, texts.book.loan(index + 1, loan.madeOn)),
    h(SelectField, { ...fieldOf("type"), groups: TYPE_GROUPS }),
    h(
      "div",
      { class: "pair" },
      ALWAYS_SHOWN.map((field) => h(NumberField, fieldOf(field)))
    ),
    h(
      "details",
      {
        open: isOpen || hasProblem,
        onToggle: ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open)
      },
      h("summary", null, texts.book.more),
      h(
        "div",
        { class: "pair" },
        SHOWN_ON_DEMAND.map((field) => h(NumberField, fieldOf(field)))
      )
    ),
    draft.loans.length > 1 &&
      h(
        ActionButton,
        {
          action: `remove${index + 1}`,
          label: texts.book.remove(index + 1),
          onPress: actions && (() => actions.removeLoan(index))
        },
        "×"
      )
  )
}

interface LoansProps extends BookProps {
  readonly canUndo: boolean
  readonly children?: ComponentChildren
}

export const Loans = (book: LoansProps) => {
  const { actions, canUndo, children, draft } = book
  return h(
    "section",
    { "aria-labelledby": "loans" },
    h("h2", { id: "loans" }, texts.book.title),
    children,
    draft.loans.map((loan, index) => h(LoanFields, { key: `${book.generation}.${index}`, loan, index, book })),
    h(
      "p",
      { class: "buttons" },
      draft.loans.length < (actions === undefined ? MAX_LOANS_OF_FORM : MAX_LOANS) &&
        h(ActionButton, { action: "add", onPress: actions?.addLoan }, texts.book.add),
      h(
        ActionButton,
        { action: "example", onPress: actions && (() => actions.replace(exampleDraft)) },
        texts.book.example
      ),
      h(ActionButton, { action: "clear", onPress: actions && (() => actions.replace(emptyDraft)) }, texts.book.clear),
      canUndo && h(ActionButton, { action: "undo", onPress: actions?.undo }, texts.book.undo)
    )
  )
}

export const Household = ({ actions, draft: { household }, problems }: BookProps) => {
  const fieldOf = (field: HouseholdField) => ({
    ...texts.household.fields[field],
    name: field,
    value: household[field],
    problem: problems[field],
    onValue: actions && ((value: string) => actions.setHousehold(field, value))
  })
  // Without script nobody can be asked for the spouse later.
  const asksForSpouse = household.filing === MARRIED || actions === undefined
  return h(
    "section",
    { "aria-labelledby": "household" },
    h("h2", { id: "household" }, texts.household.title),
    h(
      "div",
      { class: "pair" },
      h(NumberField, fieldOf("income")),
      h(SelectField, { ...fieldOf("state"), groups: choicesOf(texts.household.states, texts.book.choose) }),
      h(SelectField, { ...fieldOf("filing"), groups: choicesOf(texts.household.filings) }),
      h(NumberField, fieldOf("dependents")),
      asksForSpouse && h(NumberField, fieldOf("spouseIncome")),
      asksForSpouse && h(NumberField, fieldOf("spouseLoans"))
    ),
    h(SelectField, { ...fieldOf("firstBorrowed"), groups: ERA_GROUPS }),
    h(CheckField, fieldOf("madeSince2026")),
    h(CheckField, fieldOf("service")),
    h("div", { class: "pair" }, h(NumberField, fieldOf("growth")), h(NumberField, fieldOf("discount")))
  )
}
