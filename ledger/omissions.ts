/**
 * The omissions: rules that the engine knows and does not apply, and the test of whether one bears
 * on an answer. The folder omissions/ holds them by subject.
 */
import { type Additions, allAdded, allOf, type Circumstances, holdsAll } from "./circumstances.ts"
import { byId, type OmissionEntry, type PublishedOmission } from "./entry.ts"
import * as forgivenessTax from "./omissions/forgiveness-tax.ts"
import * as incomeDriven from "./omissions/income-driven.ts"
import * as repayment from "./omissions/repayment.ts"

export * from "./omissions/forgiveness-tax.ts"
export * from "./omissions/income-driven.ts"
export * from "./omissions/repayment.ts"

/**
 * All omissions, in the order in which they are published. The auto-pay reduction, which bears on
 * every answer, comes first.
 */
export const omissions: ReadonlyArray<OmissionEntry> = Object.freeze(
  [repayment, incomeDriven, forgivenessTax].flatMap((group) => byId(Object.values<OmissionEntry>({ ...group })))
)

/** The fields of a request that decide whether an omission bears on its answer. */
export interface Asked {
  /** Two capital letters, or null if the request has no state. */
  readonly state: string | null
  /** The filing status, and those of later years that differ. */
  readonly filingStatuses: ReadonlyArray<string>
  readonly additions: Additions
}

/** Whether an omission bears on an answer under these plans: all its conditions are true. */
export const bears = (
  { bearsOn }: OmissionEntry,
  planTypes: ReadonlyArray<string>,
  { additions, filingStatuses, state }: Asked,
  circumstances: Circumstances
): boolean =>
  (bearsOn.plans?.some((plan) => planTypes.includes(plan)) ?? true) &&
  (bearsOn.states?.includes(state ?? "") ?? true) &&
  !(bearsOn.statesExcept?.includes(state ?? "") ?? false) &&
  (bearsOn.filingStatuses?.some((status) => filingStatuses.includes(status)) ?? true) &&
  holdsAll(additions, allAdded(bearsOn.added ?? [])) &&
  (additions & allAdded(bearsOn.notAdded ?? [])) === 0 &&
  holdsAll(circumstances, allOf(bearsOn.when ?? []))

/** An omission without its conditions, as published. */
export const publish = ({ bearsOn: _condition, ...published }: OmissionEntry): PublishedOmission =>
  Object.freeze(published)
