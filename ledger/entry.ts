/**
 * The shape of what the ledger holds: rules that the engine applies, by the date from which each value applies, and
 * rules that it knowingly leaves out. The constructors keep the literal types of a value and freeze it. No rule is stated
 * here, and nothing is computed but which value is in force on a date.
 */
import type { Evidence } from "../schema/rules.ts"
import type { Circumstance } from "./circumstances.ts"

/** Who publishes a rule, where, how it was read, and how often it is republished. */
export interface Source {
  readonly authority: string
  readonly url: string
  /** The citation, and what of it was read. */
  readonly note: string
  readonly evidence: Evidence
  readonly cadence: string
}

export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** One rule of the law, or one convention of the engine, with one value. Published as it stands. */
export interface RuleEntry<V extends Json = Json> {
  readonly id: string
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
  /**
   * Whether a case with a figure from outside this code (printed by an authority, a published calculator output, or
   * worked by hand from the law) fails when the engine departs from this rule. Where the engine reads the value,
   * changing it is such a departure; a rule told in words is carried out by code, and the case holds that code. A long
   * table is locked when cases reach into it; not every cell has a case. Never true of entries that no figure depends on.
   */
  readonly parityLocked: boolean
}

/** A rule with its values by effective date, the earliest first. Most rules have one. */
export interface Rule<V extends Json = Json> {
  readonly entries: ReadonlyArray<RuleEntry<V>>
  /** Published for reference: no figure depends on it, so no answer cites it and the engine does not read it. */
  readonly informative: boolean
}

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

/** The value of a rule, whatever the date. */
export type ValueOf<R> = R extends Rule<infer V> ? V : never

/** What the constructors take beside an entry. */
interface Use {
  readonly informative?: true
}

/** A rule with one value, which keeps its literal types, so that the engine's tables are checked by the compiler. */
/* @__NO_SIDE_EFFECTS__ */
export const rule = <const V extends Json>({ informative, ...entry }: RuleEntry<V> & Use): Rule<V> =>
  deepFreeze({ entries: [entry], informative: informative === true })

/** The words that the entries of a rule share. */
type SharedWords = Pick<RuleEntry, "plan" | "unit" | "definition">
type DatedValue<V extends Json> = Omit<RuleEntry<V>, keyof SharedWords | "effectiveDate">

/** A rule whose value changes: the shared words once, the rest by effective date. */
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

/** The newest entry of a rule that is in force on a date, or undefined when none is yet. */
export const inForceOn = <V extends Json>({ entries }: Rule<V>, date: string): RuleEntry<V> | undefined =>
  entries.findLast((entry) => hasBegun(entry, date))

/** A rule knowingly left out. */
/* @__NO_SIDE_EFFECTS__ */
export const omission = <const Id extends string>(entry: OmissionEntry<Id>): OmissionEntry<Id> =>
  deepFreeze({ ...entry })

/**
 * The order in which entries are published: by id. The order in which a module lists its exports differs between
 * loaders, and the ledger's version must not.
 */
export const byId = <E extends { readonly id: string }>(entries: ReadonlyArray<E>): Array<E> =>
  entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))
