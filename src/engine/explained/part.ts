/**
 * The types of an explanation: groups of loans with a payment, and the steps (intermediate results)
 * behind it.
 */
import type { Step } from "../law/trace.ts"
import type { EnginePlan } from "../plans/plan.ts"
import type { Run } from "../run.ts"
import type { LoanMonth } from "../schedule/month.ts"

/** A group of loans with one payment: in the plan, under a successor, or outside ("beside"). */
export interface PaymentPart {
  readonly group: "plan" | "successor" | "beside"
  readonly planType: EnginePlan
  /** Dollars, not rounded. */
  readonly payment: number
  readonly steps: ReadonlyArray<Step>
  /** The loans that were open when the month began. */
  readonly loans: ReadonlyArray<LoanMonth>
}

/** A month to explain: a prepared run before its first month, with the steps traced so far. */
export interface Question {
  readonly run: Run
  readonly month: number
  /** Steps that set the terms of payments. */
  readonly termSteps: ReadonlyArray<Step>
  /** Steps that set the month of forgiveness. */
  readonly ends: ReadonlyArray<Step>
}
