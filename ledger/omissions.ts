/**
 * Rules that the engine knows and does not apply, and which of them bear on an answer. The omissions themselves are
 * grouped by subject beside this file; here they are brought together. Nothing is computed.
 */
import { byId, type Circumstances, type OmissionEntry, type PublishedOmission } from "./entry.ts"
import * as forgivenessTax from "./omissions/forgiveness-tax.ts"
import * as incomeDriven from "./omissions/income-driven.ts"
import * as repayment from "./omissions/repayment.ts"

export * from "./omissions/forgiveness-tax.ts"
export * from "./omissions/income-driven.ts"
export * from "./omissions/repayment.ts"

/** In the order in which they are published. The auto-pay reduction, which bears on every answer, comes first. */
export const omissions: ReadonlyArray<OmissionEntry> = Object.freeze(
  [repayment, incomeDriven, forgivenessTax].flatMap((group) => byId(Object.values<OmissionEntry>({ ...group })))
)

/** What was asked, as far as omissions hang on it. */
export interface Asked {
  readonly planType: string
  /** Two capital letters, or null where the caller gave no state. */
  readonly state: string | null
  readonly filingStatus: string
}

/** The omissions that can bear on an answer under a plan. */
export const omissionsOfPlan = (planType: string): ReadonlyArray<OmissionEntry> =>
  omissions.filter(({ bearsOn }) => bearsOn.plans?.includes(planType) ?? true)

/** Whether an omission of the asked plan bears on an answer: whether every other condition that it states holds. */
export const bears = ({ bearsOn }: OmissionEntry, asked: Asked, circumstances: Circumstances): boolean =>
  (bearsOn.when?.every((circumstance) => circumstances[circumstance]) ?? true) &&
  (bearsOn.states?.includes(asked.state ?? "") ?? true) &&
  !(bearsOn.statesExcept?.includes(asked.state ?? "") ?? false) &&
  (bearsOn.filingStatuses?.includes(asked.filingStatus) ?? true)

/** An omission without the condition, as it is published. */
export const publish = ({ bearsOn: _condition, ...published }: OmissionEntry): PublishedOmission =>
  Object.freeze(published)
