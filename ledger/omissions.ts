/**
 * Rules that the engine knows and does not apply, and which of them bear on an answer. The omissions themselves are
 * grouped by subject beside this file; here they are brought together. Nothing is computed.
 */
import { allOf, type Circumstances, holdsAll } from "./circumstances.ts"
import { byId, type OmissionEntry, type PublishedOmission } from "./entry.ts"
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
  /** Two capital letters, or null where the caller gave no state. */
  readonly state: string | null
  readonly filingStatus: string
}

/** Whether an omission bears on an answer under some plans: whether every condition that it states holds. */
export const bears = (
  { bearsOn }: OmissionEntry,
  planTypes: ReadonlyArray<string>,
  { filingStatus, state }: Asked,
  circumstances: Circumstances
): boolean =>
  (bearsOn.plans?.some((plan) => planTypes.includes(plan)) ?? true) &&
  (bearsOn.states?.includes(state ?? "") ?? true) &&
  !(bearsOn.statesExcept?.includes(state ?? "") ?? false) &&
  (bearsOn.filingStatuses?.includes(filingStatus) ?? true) &&
  holdsAll(circumstances, allOf(bearsOn.when ?? []))

/** An omission without the condition, as it is published. */
export const publish = ({ bearsOn: _condition, ...published }: OmissionEntry): PublishedOmission =>
  Object.freeze(published)
