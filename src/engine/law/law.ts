/**
 * The law on a date: the newest value in force of every rule of the ledger, and the id to cite it
 * by. The engine itself contains no number of the law.
 */
import type { Additions, Circumstances } from "../../../ledger/circumstances.ts"
import { inForceOn, type Json, type Rule, type RuleEntry } from "../../../ledger/entry.ts"
import { releasedAtUtc } from "../../../ledger/release.ts"
import type { LoanType } from "../../../schema/loan.ts"
import { type LoanTraits, type ReadRule, traitsOfTypes } from "./loan-types.ts"

/**
 * Rules that are cited together: always, or only if all circumstances of `when` are true and the
 * request adds all of `added`.
 */
export interface Citation {
  readonly rules: ReadonlyArray<Rule>
  readonly when?: Circumstances
  readonly added?: Additions
}

export interface Law {
  readonly read: ReadRule
  /** Values that follow from the law alone, derived at the first call and cached. */
  readonly derived: <A>(derive: (law: Law) => A) => A
  /** Citations with the ids of the entries in force. */
  readonly cite: (citations: ReadonlyArray<Citation>) => ReadonlyArray<CitedIds>
  /** Ids of the entries read or cited so far. A test checks that every entry in force is used. */
  readonly used: ReadonlySet<string>
  readonly traitsOf: Readonly<Record<LoanType, LoanTraits>>
}

interface CitedIds {
  readonly ids: ReadonlyArray<string>
  readonly when: Circumstances
}

interface LawOptions {
  /** YYYY-MM-DD: the day for which values are read. */
  readonly asOf: string
  /** Ids of older entries to use instead, to recompute a case printed under older law. */
  readonly pinned?: ReadonlyArray<string>
}

const entryOf = (rule: Rule, { asOf, pinned = [] }: LawOptions): RuleEntry => {
  const entry = rule.entries.find(({ id }) => pinned.includes(id)) ?? inForceOn(rule, asOf)
  if (entry === undefined) throw new RangeError(`${rule.entries[0]?.id} is not in force on ${asOf}`)
  return entry
}

export const lawOf = (options: LawOptions): Law => {
  const entries = new Map<Rule, RuleEntry>()
  const used = new Set<string>()
  const lookUp = (rule: Rule): RuleEntry => {
    const known = entries.get(rule)
    if (known !== undefined) return known
    const entry = entryOf(rule, options)
    entries.set(rule, entry)
    used.add(entry.id)
    return entry
  }
  const read = <V extends Json>(rule: Rule<V>): V => (lookUp(rule) as RuleEntry<V>).value
  const values = new Map<(law: Law) => unknown, unknown>()
  const derived = <A>(derive: (law: Law) => A): A => {
    const known = values.get(derive) as A | undefined
    if (known !== undefined) return known
    const value = derive(law)
    values.set(derive, value)
    return value
  }
  const law: Law = {
    read,
    derived,
    traitsOf: traitsOfTypes({ read }),
    cite: (citations) => citations.map(({ rules, when = 0 }) => ({ ids: rules.map((rule) => lookUp(rule).id), when })),
    used
  }
  return law
}

/** The day of the ledger's release. It is fixed, so one version always gives the same figures. */
export const RELEASE_DATE = releasedAtUtc.slice(0, "YYYY-MM-DD".length)

/** The law of all answers: the values in force at the release, constant over a projection. */
export const currentLaw: Law = lawOf({ asOf: RELEASE_DATE })
