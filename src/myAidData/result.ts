/**
 * The result of reading a My Aid Data file: plain data without names, ids or schools. The messages
 * for people are in src/messages/myAidData.ts.
 */
import type { Loan } from "../../schema/loan.ts"
import type { PauseKind } from "../../schema/scenario.ts"

/** Reasons why a file is refused. */
export type RefusalId = "not-my-aid-data" | "two-borrowers" | "no-open-loans" | "too-many-loans" | "too-large"

/** Other kinds of files that are recognized. */
export type OtherFile = "empty" | "pdf" | "zip" | "web-page"

export interface Refused {
  readonly _tag: "Refused"
  readonly id: RefusalId
  /** The kind of file, if it is recognized; null except with `not-my-aid-data`. */
  readonly seems: OtherFile | null
}

/** Warnings about the file as a whole. */
export type FileWarningId =
  | "total-mismatch"
  | "balance-count-mismatch"
  | "no-idr-count"
  | "pslf-not-official"
  | "no-first-borrowed"

/** Warnings about one loan. The first four are about loans that stay out. */
export type LoanWarningId =
  | "closed-with-balance"
  | "negative-balance"
  | "zero-balance"
  | "duplicate-loan"
  | "same-award-id"
  | "unknown-status"
  | "status-disagrees"
  | "in-default"
  | "in-bankruptcy"
  | "check-status"
  | "type-disagrees"
  | "type-from-code"
  | "unknown-loan-type"
  | "parent-plus-consolidation"
  | "parent-plus-second-level"
  | "parent-plus-unknown"
  | "joint-consolidation"
  | "no-principal"
  | "no-interest-balance"
  | "rate-from-statutory"
  | "rate-from-actual"
  | "rate-from-fraction"
  | "zero-rate"
  | "no-interest-rate"
  | "variable-rate"
  | "pslf-capped"
  | "pslf-unreadable"
  | "no-date"
  | "date-not-exact"

export type WarningId = FileWarningId | LoanWarningId

export interface Warning {
  readonly id: WarningId
  /** The loan's number in the file; null for a warning about the whole file. */
  readonly loan: number | null
}

/** The members of a loan in the file, which never has the count of income-driven months. */
export type LoanMembers = Partial<Omit<Loan, "idrMonthsInRepayment">>

/**
 * A loan for the request. It can be sent only with `loanType`, `principalBalance` and
 * `interestRate`.
 */
export interface ReadLoan {
  /** Number in the file, from 1; loans that stay out are counted too. */
  readonly number: number
  readonly loan: LoanMembers
}

/** A pause that runs already. */
export interface ReadPause {
  readonly kind: PauseKind
  /** The first month that is due again, YYYY-MM; null if the file does not show it. */
  readonly until: string | null
  /** Positions in `loans`, from 0. */
  readonly loans: ReadonlyArray<number>
}

export type LeftOutReason = "paid" | "consolidated" | "cancelled" | "zero-balance" | "duplicate"

interface LeftOutLoan {
  readonly number: number
  readonly why: LeftOutReason
}

export interface MyAidData {
  readonly _tag: "MyAidData"
  /** 1 to 100 loans, in the order of the file. */
  readonly loans: ReadonlyArray<ReadLoan>
  readonly leftOut: ReadonlyArray<LeftOutLoan>
  readonly pauses: ReadonlyArray<ReadPause>
  /** The day since which Direct or FFEL loans were owed without a break; null if the file does not show it. */
  readonly firstBorrowedOn: string | null
  /** Warnings about the file first, then by loan. */
  readonly warnings: ReadonlyArray<Warning>
  /** The day of the download, YYYY-MM-DD. */
  readonly asOf: string | null
}

/** Members of a loan, with the warnings about them. */
export interface Part {
  readonly members: LoanMembers
  readonly warnings: ReadonlyArray<LoanWarningId>
}
