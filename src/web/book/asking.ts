/** Requests to the engine about a book. */
import type { FilingStatus } from "../../../schema/scenario.ts"
import { type EnginePlan, makeWorkspace, type Refusal } from "../../engine/index.ts"
import type { ReadBook } from "./reading.ts"

/** Memory of the engine that successive calls share. */
export const workspace = makeWorkspace()

/** The request of a line. Its main figures have no extra payment. */
export const requestOf = (
  book: ReadBook,
  planType: EnginePlan,
  filingStatus: FilingStatus,
  extraMonthlyPayment = 0
) => ({
  scenario: { ...book.household, planType, filingStatus, extraMonthlyPayment },
  loans: book.loans,
  includeYearly: true
})

/** A line has a projection, so the engine refuses no other request about it. */
export const notRefused = <T extends object>(outcome: T | Refusal): T => {
  if ("_tag" in outcome && outcome._tag === "Refusal") throw new RangeError("a line without a projection")
  return outcome as T
}
