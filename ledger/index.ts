/**
 * The rules ledger: the rules that the engine applies, those it knowingly leaves out, and the
 * version stamped into answers. It is data only; the engine does the arithmetic.
 */
import { byId, type OmissionEntry, type PublishedOmission, type Rule, type RuleEntry } from "./entry.ts"
import { omissions, publish } from "./omissions.ts"
import * as everyRule from "./rules/index.ts"

export type { OmissionEntry, PublishedOmission, Rule, RuleEntry, Source } from "./entry.ts"
export { bears } from "./omissions.ts"
export { engineRevision, releasedAtUtc, ruleVersion } from "./release.ts"
export { omissions }

/** Every rule with all its values, past, current and future. */
export const rules: ReadonlyArray<Rule> = Object.freeze(Object.values<Rule>({ ...everyRule }))

/** Every entry, sorted by id as GET /v1/rules lists them. */
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

/** The entry with this id. Throws for an unknown id, because ids are written in the code. */
export const ruleById = (id: string): RuleEntry => found(constantsById.get(id), id)

/** The omission with this id. Throws for an unknown id. */
export const omissionById = (id: string): OmissionEntry => found(omissionsById.get(id), id)
