/**
 * The rules ledger: every rule of the law that the engine applies, every rule it knowingly leaves out, and the version
 * that is stamped into answers. Data only; the arithmetic is the engine's.
 */
import { byId, type OmissionEntry, type PublishedOmission, type Rule, type RuleEntry } from "./entry.ts"
import { omissions, publish } from "./omissions.ts"
import * as everyRule from "./rules/index.ts"

export type { OmissionEntry, PublishedOmission, Rule, RuleEntry, Source } from "./entry.ts"
export { bears } from "./omissions.ts"
export { engineRevision, releasedAtUtc, ruleVersion } from "./release.ts"
export { omissions }

/** Every rule with its values by date, history included, by id. */
export const rules: ReadonlyArray<Rule> = Object.freeze(Object.values<Rule>({ ...everyRule }))

/** Every entry, in the order in which it is published. */
export const constants: ReadonlyArray<RuleEntry> = Object.freeze(byId(rules.flatMap(({ entries }) => entries)))

/** Every omission in its published form. */
export const publishedOmissions: ReadonlyArray<PublishedOmission> = Object.freeze(omissions.map(publish))

const indexed = <E extends { readonly id: string }>(entries: ReadonlyArray<E>): ReadonlyMap<string, E> =>
  new Map(entries.map((entry) => [entry.id, entry]))

const constantsById = indexed(constants)
const omissionsById = indexed(omissions)

const found = <E>(entry: E | undefined, id: string): E => {
  if (entry === undefined) throw new RangeError(`the rules ledger has no entry ${id}`)
  return entry
}

/** The entry with this id. Ids are written in the code, so one that is not in the ledger is a defect and throws. */
export const ruleById = (id: string): RuleEntry => found(constantsById.get(id), id)

/** The omission with this id; throws as `ruleById` does. */
export const omissionById = (id: string): OmissionEntry => found(omissionsById.get(id), id)
