/**
 * The types of an explanation: groups of loans with a payment, and the steps (intermediate results)
 * behind it.
 */

import type { Group } from "../groups.ts"
import type { Step } from "../law/trace.ts"
import type { EnginePlan } from "../plans/plan.ts"
import type { Repayment } from "../repayment.ts"
import type { Run } from "../run.ts"
import type { ExtraKind } from "../schedule/extra.ts"
import type { LoanMonth, MonthRun } from "../schedule/month.ts"

/**
 * A group of loans with one payment; what is paid beyond the payments due, which goes to loans of any
 * group; or paused loans, on which nothing is due.
 */
export interface PaymentPart {
  readonly group: Group["group"] | ExtraKind | "paused"
  readonly planType: EnginePlan
  /** Dollars, not rounded. */
  readonly payment: number
  readonly steps: ReadonlyArray<Step>
  /** The loans open at the start of the month; for the extra payment, the loans that received some. */
  readonly loans: ReadonlyArray<LoanMonth>
}

/** A month to explain. */
export interface Question {
  readonly run: Run
  /** Its groups are those of the month. */
  readonly repayment: Repayment
  readonly month: number
}

/** The month of a group after its payment, and a function that explains the group. */
export interface PaidGroup {
  readonly group: Group
  readonly paid: MonthRun
  /** @param isForgiven whether the forgiveness at the end of the month is shown for a slot */
  readonly part: (isForgiven: (slot: number) => boolean) => PaymentPart
}
