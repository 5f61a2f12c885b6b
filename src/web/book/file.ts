/** The file that borrowers download at studentaid.gov, as loans of a draft. They are shown before they are used. */
import { refusalSentence, understood, warningLines } from "../../messages/myAidData.ts"
import { MAX_BYTES } from "../../myAidData/layout.ts"
import { readMyAidData } from "../../myAidData/readMyAidData.ts"
import type { LoanMembers, MyAidData, Warning } from "../../myAidData/result.ts"
import { type Draft, EXACT_DAY, emptyLoan, type LoanDraft } from "./draft.ts"

/** Enough of a file to see that it is too large. */
export const READ_BYTES = MAX_BYTES + 1

export type FileReading =
  | { readonly _tag: "Refused"; readonly sentence: string }
  | {
      readonly _tag: "Read"
      /** A sentence that sums up the file. */
      readonly understood: string
      /** Warnings about its loans, which have their numbers on the page. */
      readonly warnings: ReadonlyArray<string>
      /** Warnings about loans that were left out, which have their numbers in the file. */
      readonly ofLeftOut: ReadonlyArray<string>
      readonly loans: ReadonlyArray<LoanDraft>
      /** For each loan, the first sentence of its first warning, or null. */
      readonly looks: ReadonlyArray<string | null>
      /** The day since which the borrower owes without a break; null if the file does not show it. */
      readonly firstBorrowedOn: string | null
    }

const typed = (value: number | undefined): string => (value === undefined ? "" : String(value))

/** A fraction as percent. The exponent moves the point, because a product would have a noisy last digit. */
const typedPercent = (fraction: number | undefined): string =>
  fraction === undefined ? "" : String(Number(`${fraction}e2`))

const draftOf = (loan: LoanMembers): LoanDraft => ({
  ...emptyLoan,
  type: loan.loanType ?? "",
  balance: typed(loan.principalBalance),
  rate: typedPercent(loan.interestRate),
  interest: typed(loan.interestBalance),
  original: typed(loan.disbursedAmount),
  pslf: typed(loan.pslfCount),
  madeOn: loan.madeOn ?? ""
})

/** Numbers loans in warnings as on the page, and loans that were left out as in the file. */
const renumbered = (read: MyAidData) => {
  const position = new Map(read.loans.map(({ number }, index) => [number, index + 1]))
  const isLeftOut = ({ loan }: Warning) => loan !== null && !position.has(loan)
  return {
    shown: read.warnings
      .filter((one) => !isLeftOut(one))
      .map(({ id, loan }) => ({ id, loan: loan && position.get(loan)! })),
    leftOut: read.warnings.filter(isLeftOut)
  }
}

/** The first sentence of the warning about a loan. */
const lookOf = (warnings: ReadonlyArray<Warning>, loan: number): string | null => {
  const warning = warnings.find((one) => one.loan === loan)
  if (warning === undefined) return null
  const [line = ""] = warningLines([{ ...warning, loan: null }])
  return line.replace(/(?<=[.]) .*$/, "")
}

export const readFile = (bytes: Uint8Array): FileReading => {
  const read = readMyAidData(bytes)
  if (read._tag === "Refused") return { _tag: "Refused", sentence: refusalSentence(read) }
  const { leftOut, shown } = renumbered(read)
  return {
    _tag: "Read",
    understood: understood(read),
    warnings: warningLines(shown),
    ofLeftOut: warningLines(leftOut),
    loans: read.loans.map(({ loan }) => draftOf(loan)),
    looks: read.loans.map((_, index) => lookOf(shown, index + 1)),
    firstBorrowedOn: read.firstBorrowedOn
  }
}

/** The draft with the loans of a file. It also gets the day of the first loan, unless one was typed. */
export const withFile = (draft: Draft, { firstBorrowedOn, loans }: Extract<FileReading, { _tag: "Read" }>): Draft => {
  const { household } = draft
  const isAnswered = household.firstBorrowed !== "" && household.firstBorrowed !== EXACT_DAY
  const dates = isAnswered || firstBorrowedOn === null ? {} : { firstBorrowed: EXACT_DAY, firstBorrowedOn }
  return { ...draft, loans, household: { ...household, ...dates } }
}
