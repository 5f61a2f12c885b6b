/**
 * The rules ledger: every rule of the law that the engine applies, every rule it knowingly leaves out, and the version
 * that is stamped into answers. Data only; the arithmetic is the engine's.
 */
import { constants, publishedOmissions } from "./contents.ts"
import type { OmissionEntry, RuleEntry } from "./entry.ts"
import lock from "./ledger.lock.json" with { type: "json" }
import { omissions } from "./omissions.ts"
import { versionOf } from "./version.ts"

export type { OmissionEntry, PublishedOmission, RuleEntry, Source } from "./entry.ts"
export { bears, type Facts } from "./omissions.ts"
export { constants, omissions, publishedOmissions }

/** `rl1-<12 hex digits>`; changes when anything that is published changes. */
export const ruleVersion = versionOf(constants, publishedOmissions)

/** The instant at which this version was written to the lock, ISO 8601 in UTC. */
export const releasedAtUtc: string = lock.releasedAtUtc

const byId = <E extends { readonly id: string }>(entries: ReadonlyArray<E>): ReadonlyMap<string, E> =>
  new Map(entries.map((entry) => [entry.id, entry]))

const rules = byId(constants)
const leftOut = byId(omissions)

const found = <E>(entry: E | undefined, id: string): E => {
  if (entry === undefined) throw new RangeError(`the rules ledger has no entry ${id}`)
  return entry
}

/** The rule with this id. Ids are written in the code, so one that is not in the ledger is a defect and throws. */
export const ruleById = (id: string): RuleEntry => found(rules.get(id), id)

/** The omission with this id; throws as `ruleById` does. */
export const omissionById = (id: string): OmissionEntry => found(leftOut.get(id), id)
