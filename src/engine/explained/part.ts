/** What an explanation is made of: loans that share a payment, with the steps that lead to it. Nothing is computed here. */
import type { Step } from "../law/trace.ts"
import type { EnginePlan } from "../plans/plan.ts"
import type { Run } from "../run.ts"
import type { LoanMonth } from "../schedule/month.ts"

/** Loans that share a payment: those of the plan, those that have passed to a successor, those repaid beside the plan. */
export interface PaymentPart {
  readonly group: "plan" | "successor" | "beside"
  readonly planType: EnginePlan
  /** Dollars, not rounded. */
  readonly payment: number
  readonly steps: ReadonlyArray<Step>
  /** Those that were open when the month began. */
  readonly loans: ReadonlyArray<LoanMonth>
}

/** A month to explain: a run whose books stand as the request has them, and what was traced while they were filled. */
export interface Question {
  readonly run: Run
  readonly month: number
  /** The terms of payments. */
  readonly termSteps: ReadonlyArray<Step>
  /** When loans are forgiven. */
  readonly ends: ReadonlyArray<Step>
}
