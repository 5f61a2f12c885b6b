/**
 * The law on a date: of every rule of the ledger the newest value in force, and the id to cite it by. A pure reading of
 * data; no number of the law is written here or elsewhere in the engine.
 */
import type { Circumstances } from "../../../ledger/circumstances.ts"
import { inForceOn, type Json, type Rule, type RuleEntry } from "../../../ledger/entry.ts"
import { releasedAtUtc } from "../../../ledger/release.ts"
import type { LoanType } from "../../../schema/loan.ts"
import { type LoanTraits, type ReadRule, traitsOfTypes } from "./loan-types.ts"

/** Rules that are cited together: always, or when all of some circumstances hold. */
export interface Citation {
  readonly rules: ReadonlyArray<Rule>
  readonly when?: Circumstances
}

export interface Law {
  readonly read: ReadRule
  /** Citations with the ids of the entries in force. */
  readonly cite: (citations: ReadonlyArray<Citation>) => ReadonlyArray<CitedIds>
  /** Ids of the entries that were read or cited so far; a test wants every entry in force to be one of them. */
  readonly used: ReadonlySet<string>
  readonly traitsOf: Readonly<Record<LoanType, LoanTraits>>
}

/** Ids that are cited together when some circumstances hold. */
interface CitedIds {
  readonly ids: ReadonlyArray<string>
  readonly when: Circumstances
}

interface LawOptions {
  /** YYYY-MM-DD: the day on which the values are in force. */
  readonly asOf: string
  /** Ids of older entries that stand in for those in force: the law that a printed case was computed with. */
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
  return {
    read,
    traitsOf: traitsOfTypes({ read }),
    cite: (citations) => citations.map(({ rules, when = 0 }) => ({ ids: rules.map((rule) => lookUp(rule).id), when })),
    used
  }
}

/** The day of the ledger's release: one version keeps one set of figures, whenever it is asked. */
export const RELEASE_DATE = releasedAtUtc.slice(0, "YYYY-MM-DD".length)

/** The law that answers are computed with: the values in force at the release, held for the whole projection. */
export const currentLaw: Law = lawOf({ asOf: RELEASE_DATE })
