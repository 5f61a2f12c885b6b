/**
 * Rules that the engine knows and does not apply, and which of them bear on an answer. The omissions themselves are
 * grouped by subject beside this file; here they are brought together. Nothing is computed.
 */
import { type Circumstances, entriesOf, type OmissionEntry, type PublishedOmission } from "./entry.ts"
import * as forgivenessTax from "./omissions/forgiveness-tax.ts"
import * as incomeDriven from "./omissions/income-driven.ts"
import * as repayment from "./omissions/repayment.ts"

export * from "./omissions/forgiveness-tax.ts"
export * from "./omissions/income-driven.ts"
export * from "./omissions/repayment.ts"

/** In the order in which they are published. The auto-pay reduction, which bears on every answer, comes first. */
export const omissions: ReadonlyArray<OmissionEntry> = Object.freeze(
  [repayment, incomeDriven, forgivenessTax].flatMap((group) => entriesOf<OmissionEntry>({ ...group }))
)

/** What an answer has to say of itself for its omissions to be chosen. */
export interface Facts extends Circumstances {
  readonly planType: string
  /** Two capital letters, or null where the caller gave no state. */
  readonly state: string | null
  readonly filingStatus: string
}

/** Whether an omission bears on an answer with these facts: whether every condition that it states holds. */
export const bears = ({ bearsOn }: OmissionEntry, facts: Facts): boolean =>
  (bearsOn.plans?.includes(facts.planType) ?? true) &&
  (bearsOn.states?.includes(facts.state ?? "") ?? true) &&
  !(bearsOn.statesExcept?.includes(facts.state ?? "") ?? false) &&
  (bearsOn.filingStatuses?.includes(facts.filingStatus) ?? true) &&
  (bearsOn.when?.every((circumstance) => facts[circumstance]) ?? true)

/** An omission without the condition, as it is published. */
export const publish = ({ bearsOn: _condition, ...published }: OmissionEntry): PublishedOmission =>
  Object.freeze(published)
