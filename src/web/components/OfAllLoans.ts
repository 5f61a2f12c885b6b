/** Fields that are answered once for all loans. Each loan has its part, which can still be changed. */
import { h } from "preact"
import { useState } from "preact/hooks"
import { fromCents, toCents } from "../../engine/index.ts"
import { type Draft, isEmptyLoan, type LoanDraft, loanFieldName } from "../book/draft.ts"
import { numberOf } from "../book/numbers.ts"
import { texts } from "../texts.ts"
import { div } from "./elements.ts"
import { Fold } from "./Fold.ts"
import { NumberField } from "./fields.ts"
import type { Actions } from "./state.ts"

const { ofAll: words } = texts.book

const typedOf = (loans: ReadonlyArray<LoanDraft>) => loans.filter((loan) => !isEmptyLoan(loan))

interface Props {
  readonly draft: Draft
  /** By name of the field. */
  readonly problems: Readonly<Record<string, string>>
  readonly actions: Actions
  readonly prefix: string
}

interface CountProps extends Props {
  readonly field: "months" | "pslf"
  readonly name: string
  readonly words: { readonly label: string; readonly help: string; readonly differ: string }
}

/** A count of all loans; empty while they differ. */
export const CountOfAll = ({ actions, draft: { loans }, field, name, prefix, problems, words }: CountProps) => {
  const typed = typedOf(loans)
  const [count = "", ...others] = new Set(typed.map((loan) => loan[field]))
  const isOne = others.length === 0
  if (typed.length === 0) return null
  return h(NumberField, {
    label: words.label,
    name: prefix + name,
    help: isOne ? words.help : words.differ,
    value: isOne ? count : "",
    problem: isOne ? problems[prefix + loanFieldName(loans.indexOf(typed[0]!), field)] : undefined,
    onValue: (value) => actions.setEveryLoan(field, value)
  })
}

const centsOf = (text: string): number | undefined => {
  const amount = text.trim() === "" ? 0 : numberOf(text, false)
  return amount === undefined ? undefined : toCents(amount)
}

const InterestOfAll = ({ actions, draft: { loans }, prefix }: Props) => {
  const [typed, setTyped] = useState("")
  const sum = loans.reduce((cents, { interest }) => cents + (centsOf(interest) ?? 0), 0)
  const cents = centsOf(typed)
  const isTyped = cents === undefined || cents === sum
  const set = (text: string) => {
    setTyped(text)
    const total = centsOf(text)
    if (total !== undefined) actions.setUnpaidInterest(total)
  }
  return h(NumberField, {
    ...words.interest,
    name: `${prefix}interest`,
    unit: "$",
    value: isTyped ? typed : String(fromCents(sum)),
    problem: cents === undefined ? texts.book.fields.interest.wants : undefined,
    onValue: set
  })
}

export const OfAllLoans = (book: Props) =>
  typedOf(book.draft.loans).length < 2
    ? null
    : h(
        Fold,
        { summary: words.summary, summaryClass: "more" },
        div(
          "pair",
          h(InterestOfAll, book),
          h(CountOfAll, { ...book, field: "months", name: "months", words: words.months })
        )
      )
