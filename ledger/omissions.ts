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

/** An omission with the part of its condition that is not a plan; null where it asks for nothing. */
export interface Bearing {
  readonly id: string
  readonly when: Circumstances
  readonly states: ReadonlyArray<string> | null
  readonly statesExcept: ReadonlyArray<string> | null
  readonly filingStatuses: ReadonlyArray<string> | null
}

/** The omissions that can bear on an answer under a plan. */
export const omissionsOfPlan = (planType: string): ReadonlyArray<Bearing> =>
  omissions
    .filter(({ bearsOn }) => bearsOn.plans?.includes(planType) ?? true)
    .map(({ bearsOn: { filingStatuses = null, states = null, statesExcept = null, when = [] }, id }) => ({
      id,
      when: allOf(when),
      states,
      statesExcept,
      filingStatuses
    }))

/** Whether an omission of the asked plan bears on an answer: whether every other condition that it states holds. */
export const bears = (
  { filingStatuses, states, statesExcept, when }: Bearing,
  asked: Asked,
  circumstances: Circumstances
): boolean =>
  holdsAll(circumstances, when) &&
  (states === null || states.includes(asked.state ?? "")) &&
  (statesExcept === null || !statesExcept.includes(asked.state ?? "")) &&
  (filingStatuses === null || filingStatuses.includes(asked.filingStatus))

/** An omission without the condition, as it is published. */
export const publish = ({ bearsOn: _condition, ...published }: OmissionEntry): PublishedOmission =>
  Object.freeze(published)
