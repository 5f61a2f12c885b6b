/**
 * The plans whose figures are reproduced against printed or hand-worked cases by the test suite. A test fails when a plan
 * stands here without cases of its own.
 */
import type { EnginePlan } from "./law/household.ts"

export const PARITY_VERIFIED_PLANS: ReadonlySet<EnginePlan> = new Set([
  "STANDARD",
  "TIERED STANDARD",
  "EXTENDED",
  "GRADUATED",
  "INCOME BASED",
  "INCOME BASED (OLD)",
  "INCOME CONTINGENT",
  "PAY AS YOU EARN",
  "REVISED PAY AS YOU EARN",
  "SAVE",
  "REPAYMENT ASSISTANCE"
])
