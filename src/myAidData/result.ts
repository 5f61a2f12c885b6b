/**
 * What reading a My Aid Data file gives: plain data without a name, an id or a school in it. Words for people are in
 * src/messages/myAidData.ts.
 */
import type { Loan } from "../../schema/loan.ts"

/** Why nothing is read. */
export const REFUSAL_IDS = ["not-my-aid-data", "two-borrowers", "no-open-loans", "too-many-loans", "too-large"] as const
export type RefusalId = (typeof REFUSAL_IDS)[number]

/** What a file is that is no My Aid Data, where it can be told. */
export type OtherFile = "empty" | "pdf" | "zip" | "web-page"

export interface Refused {
  readonly _tag: "Refused"
  readonly id: RefusalId
  /** With `not-my-aid-data` alone. */
  readonly seems: OtherFile | null
}

/** What is to be known of the file as a whole. */
export const FILE_WARNING_IDS = [
  "total-mismatch",
  "balance-count-mismatch",
  "no-idr-count",
  "pslf-not-official"
] as const
export type FileWarningId = (typeof FILE_WARNING_IDS)[number]

/** What is to be known of one loan. The first four are of loans that stay out. */
export const LOAN_WARNING_IDS = [
  "closed-with-balance",
  "negative-balance",
  "zero-balance",
  "duplicate-loan",
  "same-award-id",
  "unknown-status",
  "status-disagrees",
  "in-default",
  "in-bankruptcy",
  "check-status",
  "type-disagrees",
  "type-from-code",
  "unknown-loan-type",
  "parent-plus-consolidation",
  "parent-plus-second-level",
  "parent-plus-unknown",
  "joint-consolidation",
  "no-principal",
  "no-interest-balance",
  "rate-from-statutory",
  "rate-from-actual",
  "zero-rate",
  "no-interest-rate",
  "variable-rate",
  "pslf-capped",
  "pslf-unreadable",
  "made-after-june-2026"
] as const
export type LoanWarningId = (typeof LOAN_WARNING_IDS)[number]

export type WarningId = FileWarningId | LoanWarningId

export interface Warning {
  readonly id: WarningId
  /** The loan's number in the file; null: the whole file. */
  readonly loan: number | null
}

/** The members of a loan that the file has. The count of income-driven months is none of them. */
export type LoanMembers = Partial<Omit<Loan, "idrMonthsInRepayment">>

/** A loan that goes in. Without `loanType`, `principalBalance` or `interestRate` it cannot be sent yet. */
export interface ReadLoan {
  /** Its number in the file, from 1, with those counted that stay out. */
  readonly number: number
  readonly loan: LoanMembers
}

export type LeftOutReason = "paid" | "consolidated" | "cancelled" | "zero-balance" | "duplicate"

interface LeftOutLoan {
  readonly number: number
  readonly why: LeftOutReason
}

export interface MyAidData {
  readonly _tag: "MyAidData"
  /** In the order of the file, 1 to 100. */
  readonly loans: ReadonlyArray<ReadLoan>
  readonly leftOut: ReadonlyArray<LeftOutLoan>
  /** Those of the file first, then by loan. */
  readonly warnings: ReadonlyArray<Warning>
  /** The day of the download, YYYY-MM-DD. */
  readonly asOf: string | null
}

/** Some members of a loan, and what is to be known of them. */
export interface Part {
  readonly members: LoanMembers
  readonly warnings: ReadonlyArray<LoanWarningId>
}
