/**
 * The types and constructors of ledger entries: rules with their values by effective date, and
 * omissions (rules knowingly not applied). The constructors freeze values and keep literal types.
 */
import type { Evidence } from "../schema/rules.ts"
import type { Addition, Circumstance } from "./circumstances.ts"

/** The publisher of a rule, the document, how it was read, and how often it is republished. */
export interface Source {
  readonly authority: string
  readonly url: string
  /** The citation, and the part of it that was read. */
  readonly note: string
  readonly evidence: Evidence
  readonly cadence: string
}

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** One rule of the law, or one convention of the engine, with one value; published as it is. */
export interface RuleEntry<V extends Json = Json> {
  readonly id: string
  readonly label: string
  /** A plan type, or ALL, PSLF, TEACHER. */
  readonly plan: string
  readonly unit: string
  readonly definition: string
  readonly value: V
  readonly source: Source
  /** YYYY-MM-DD, the first day on which the value applies. */
  readonly effectiveDate: string
  /** YYYY-MM-DD, the day on which the source was last read. */
  readonly lastVerified: string
  /**
   * Whether a case with an outside figure fails when the engine departs from this rule. Such a
   * figure is printed by an authority, published by a calculator, or worked by hand from the law.
   * A departure is a changed value, or changed code for a rule stated in words. A long table counts
   * as locked when cases read some of its cells. Always false if no figure depends on the entry.
   */
  readonly parityLocked: boolean
}

/** A rule with its values by effective date, the earliest first. Most rules have only one. */
export interface Rule<V extends Json = Json> {
  readonly entries: ReadonlyArray<RuleEntry<V>>
  /** Published for reference only: the engine does not read it, and no answer cites it. */
  readonly informative: boolean
}

/**
 * The conditions under which an omission bears on an answer; all must be true. Without conditions
 * it bears on every answer. An empty list is never true: the omission is for information only.
 */
export interface BearsOn {
  readonly plans?: ReadonlyArray<string>
  readonly states?: ReadonlyArray<string>
  readonly statesExcept?: ReadonlyArray<string>
  readonly filingStatuses?: ReadonlyArray<string>
  readonly when?: ReadonlyArray<Circumstance>
  /** Only for requests that add all of these. */
  readonly added?: ReadonlyArray<Addition>
  /** Not for requests that add any of these. */
  readonly notAdded?: ReadonlyArray<Addition>
}

/** A rule that the engine knows and does not apply, as published. */
export interface PublishedOmission<Id extends string = string> {
  readonly id: Id
  readonly label: string
  /** The rule that is not applied, and the effect on the figures. */
  readonly detail: string
  readonly source: Source
  readonly effectiveDate: string
  /** YYYY-MM-DD, or empty if no end is known. */
  readonly expiresDate: string
  readonly lastVerified: string
}

/** An omission with the conditions under which an answer discloses it; these are not published. */
export interface OmissionEntry<Id extends string = string> extends PublishedOmission<Id> {
  readonly bearsOn: BearsOn
}

const deepFreeze = <T>(value: T): T => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) deepFreeze(part)
  }
  return value
}

/** The type of a rule's value. */
export type ValueOf<R> = R extends Rule<infer V> ? V : never

/** Further options of the constructors. */
interface Use {
  readonly informative?: true
}

/** A rule with one value. It keeps literal types, so the compiler checks the engine's tables. */
/* @__NO_SIDE_EFFECTS__ */
export const rule = <const V extends Json>({ informative, ...entry }: RuleEntry<V> & Use): Rule<V> =>
  deepFreeze({ entries: [entry], informative: informative === true })

/** The fields that all entries of a rule share. */
type SharedWords = Pick<RuleEntry, "plan" | "unit" | "definition">
type DatedValue<V extends Json> = Omit<RuleEntry<V>, keyof SharedWords | "effectiveDate">

/** A rule with a value that changes: the shared fields once, the others by effective date. */
/* @__NO_SIDE_EFFECTS__ */
export const series = <const V extends Json>(
  { informative, ...shared }: SharedWords & Use,
  byEffectiveDate: Readonly<Record<string, DatedValue<V>>>
): Rule<V> =>
  deepFreeze({
    entries: Object.entries(byEffectiveDate)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([effectiveDate, dated]) => ({ ...shared, ...dated, effectiveDate })),
    informative: informative === true
  })

/** Whether an entry applies on a date, YYYY-MM-DD. */
export const hasBegun = ({ effectiveDate }: Pick<RuleEntry, "effectiveDate">, date: string): boolean =>
  effectiveDate <= date

/** The newest entry of a rule in force on a date, or undefined if none is yet. */
export const inForceOn = <V extends Json>({ entries }: Rule<V>, date: string): RuleEntry<V> | undefined =>
  entries.findLast((entry) => hasBegun(entry, date))

/** A rule knowingly not applied. */
/* @__NO_SIDE_EFFECTS__ */
export const omission = <const Id extends string>(entry: OmissionEntry<Id>): OmissionEntry<Id> =>
  deepFreeze({ ...entry })

/**
 * Sorts entries by id, the order of publication. Loaders list a module's exports in different
 * orders, and the ledger's version must not depend on that.
 */
export const byId = <E extends { readonly id: string }>(entries: ReadonlyArray<E>): Array<E> =>
  entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))
