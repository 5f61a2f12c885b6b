/**
 * The shape of what the ledger holds: rules that the engine applies, and rules that it knowingly leaves out. The
 * constructors keep the literal types of a value and freeze it. No rule is stated here and nothing is computed.
 */
import { parityLocked } from "./parity.ts"

/** Who publishes a rule, where, how it was read, and how often it is republished. */
export interface Source {
  readonly authority: string
  readonly url: string
  /** The citation, and how surely the figure was read. */
  readonly note: string
  readonly cadence: string
}

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** One rule of the law, or one convention of the engine, with its value. Published as it stands. */
export interface RuleEntry<V extends Json = Json, Id extends string = string> {
  readonly id: Id
  readonly label: string
  /** A plan type, or ALL, PSLF, TEACHER. */
  readonly plan: string
  readonly unit: string
  readonly definition: string
  readonly value: V
  readonly source: Source
  /** YYYY-MM-DD, from when the value applies. */
  readonly effectiveDate: string
  /** YYYY-MM-DD, when the source was last read. */
  readonly lastVerified: string
  /** Whether a case with a figure from outside this code fails when the engine departs from this rule. */
  readonly parityLocked: boolean
}

/** Facts about an answer that an omission can hang on. The plan's own loans are those repaid under it. */
export interface Circumstances {
  /** Forgiveness that is taxed was priced. */
  readonly taxed: boolean
  /** Something is forgiven for public service. */
  readonly pslfForgiven: boolean
  /** A Direct loan of a public servant is repaid in payments that are taken as never counting. */
  readonly pslfUncounted: boolean
  /** Some loans are repaid beside the plan. */
  readonly mixed: boolean
  /** Income grows. */
  readonly growth: boolean
  /** The payment is shared with a spouse who has federal loans. */
  readonly prorated: boolean
  /** Months already count toward income-driven forgiveness of an own loan. */
  readonly priorMonths: boolean
  /** A consolidation loan is among the own loans. */
  readonly consolidation: boolean
  /** A consolidation loan whose type names no PLUS loan is among the own loans. */
  readonly unnamedConsolidation: boolean
  /** An FFEL consolidation loan is among the own loans. */
  readonly ffelConsolidation: boolean
  /** A loan of the book repaid a PLUS loan and does not say whose. */
  readonly plusConsolidation: boolean
  /** A consolidation loan on the consolidation table owes less than the other loans of the book. */
  readonly outweighedConsolidation: boolean
  /** The plan is open to an own loan only by a counted month. */
  readonly windowOpened: boolean
  /** An own loan's program owes no more than the EXTENDED plan asks for. */
  readonly smallProgram: boolean
  /** An own loan may have paid for graduate study without saying so. */
  readonly mayBeGraduate: boolean
}

export type Circumstance = keyof Circumstances

/**
 * When an omission bears on an answer: when every condition given here holds. No condition: always. An empty list never
 * holds, so the omission is published and bears on no answer.
 */
export interface BearsOn {
  readonly plans?: ReadonlyArray<string>
  readonly states?: ReadonlyArray<string>
  readonly statesExcept?: ReadonlyArray<string>
  readonly filingStatuses?: ReadonlyArray<string>
  readonly when?: ReadonlyArray<Circumstance>
}

/** A rule that the engine knows and does not apply, as published. */
export interface PublishedOmission<Id extends string = string> {
  readonly id: Id
  readonly label: string
  /** What is not applied, and what that does to the figures. */
  readonly detail: string
  readonly source: Source
  readonly effectiveDate: string
  /** YYYY-MM-DD, or empty when no end is known. */
  readonly expiresDate: string
  readonly lastVerified: string
}

/** The same with the condition under which an answer discloses it, which is not published. */
export interface OmissionEntry<Id extends string = string> extends PublishedOmission<Id> {
  readonly bearsOn: BearsOn
}

export const deepFreeze = <T>(value: T): T => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFreeze(part)
  }
  return value
}

/** A rule of the ledger. `value` keeps its literal types, so that the engine's tables are checked by the compiler. */
export const rule = <const V extends Json, const Id extends string>(
  entry: Omit<RuleEntry<V, Id>, "parityLocked">
): RuleEntry<V, Id> => deepFreeze({ ...entry, parityLocked: parityLocked.has(entry.id) })

/** A rule knowingly left out. */
export const omission = <const Id extends string>(entry: OmissionEntry<Id>): OmissionEntry<Id> =>
  deepFreeze({ ...entry })

/**
 * The entries of a module, in the order of their ids. The order in which a module lists its exports differs between
 * loaders, and the ledger's version must not.
 */
export const entriesOf = <E extends { readonly id: string }>(module: Readonly<Record<string, E>>): Array<E> =>
  Object.values(module).toSorted((a, b) => (a.id < b.id ? -1 : 1))
