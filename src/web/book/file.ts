/** The file that borrowers download at studentaid.gov, as loans of a draft. They are shown before they are used. */
import { longMonth, monthAfter } from "../../messages/figures.ts"
import { refusalSentence, understood, warningLines } from "../../messages/myAidData.ts"
import { PAUSED } from "../../messages/pauses.ts"
import { MAX_BYTES } from "../../myAidData/layout.ts"
import { readMyAidData } from "../../myAidData/readMyAidData.ts"
import type { LoanMembers, MyAidData, Warning } from "../../myAidData/result.ts"
import { type Draft, EXACT_DAY, emptyLoan, type HouseholdDraft, type LoanDraft } from "./draft.ts"

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
      /** The pause of all loans; null if none has one, or they differ. */
      readonly pause: Pick<HouseholdDraft, "pause" | "pays" | "until"> | null
    }

const typed = (value: number | undefined): string => (value === undefined ? "" : String(value))

/** A fraction as percent. The exponent moves the point, because a product would have a noisy last digit. */
const typedPercent = (fraction: number | undefined): string =>
  fraction === undefined ? "" : String(Number(`${fraction}e2`))

const draftOf = (loan: LoanMembers, standing: Partial<LoanDraft>): LoanDraft => ({
  ...emptyLoan,
  ...standing,
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

/** The month of a request is the first one that is due again. */
const lastMonthOf = ({ until }: MyAidData["pauses"][number]): string =>
  until === null ? "" : monthAfter(`${until}-01`, -1)

/** The pause of all loans; null if there is none, or they differ. */
const pauseOf = ({ loans, pauses: [pause, ...others] }: MyAidData) => {
  if (pause === undefined || others.length > 0 || pause.loans.length < loans.length) return null
  const { kind } = pause
  return {
    pays: kind === "InSchool" ? "school" : "paused",
    pause: kind === "InSchool" ? "" : kind,
    until: lastMonthOf(pause)
  }
}

/** When the loan at a position is paid, if the loans differ. */
const standingOf = (read: MyAidData, position: number): Partial<LoanDraft> => {
  const own = read.pauses.find(({ loans }) => loans.includes(position))
  if (own === undefined || pauseOf(read) !== null) return {}
  return { pays: own.kind === "InSchool" ? "school" : own.kind, until: lastMonthOf(own) }
}

/** What was read of pauses, and what the file does not show. */
const pauseLines = (read: MyAidData): ReadonlyArray<string> =>
  read.pauses.map((pause) => {
    const own = pause.loans.map((position) => position + 1).join(", ")
    const named = `${pause.loans.length === 1 ? "Loan" : "Loans"} ${own}: now ${PAUSED[pause.kind]}`
    const where = pauseOf(read) === null ? "in its line" : "under “When do you pay?”"
    return pause.until === null
      ? `${named}, and the file does not show until when. Choose the month ${where}.`
      : `${named}. The next payment is in ${longMonth(pause.until)}, by the file.`
  })

export const readFile = (bytes: Uint8Array): FileReading => {
  const read = readMyAidData(bytes)
  if (read._tag === "Refused") return { _tag: "Refused", sentence: refusalSentence(read) }
  const { leftOut, shown } = renumbered(read)
  return {
    _tag: "Read",
    understood: understood(read),
    warnings: [...pauseLines(read), ...warningLines(shown)],
    pause: pauseOf(read),
    ofLeftOut: warningLines(leftOut),
    loans: read.loans.map(({ loan }, position) => draftOf(loan, standingOf(read, position))),
    looks: read.loans.map((_, index) => lookOf(shown, index + 1)),
    firstBorrowedOn: read.firstBorrowedOn
  }
}

/** The draft with the loans of a file. It also gets the day of the first loan, unless one was typed. */
export const withFile = (
  draft: Draft,
  { firstBorrowedOn, loans, pause }: Extract<FileReading, { _tag: "Read" }>
): Draft => {
  const { household } = draft
  const isAnswered = household.firstBorrowed !== "" && household.firstBorrowed !== EXACT_DAY
  const dates = isAnswered || firstBorrowedOn === null ? {} : { firstBorrowed: EXACT_DAY, firstBorrowedOn }
  return { ...draft, loans, household: { ...household, ...dates, ...pause } }
}
