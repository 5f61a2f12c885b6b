/** The status of a rule's entries when the ledger was released: in force, earlier or later. */
import { inForceOn, type Rule, type RuleEntry } from "../../../ledger/entry.ts"
import { releasedAtUtc } from "../../../ledger/release.ts"

const DATE_CHARACTERS = "YYYY-MM-DD".length
const released = releasedAtUtc.slice(0, DATE_CHARACTERS)

export type Standing = "inForce" | "earlier" | "later"

export const standingOf = (rule: Rule, entry: RuleEntry): Standing => {
  if (entry === inForceOn(rule, released)) return "inForce"
  return entry.effectiveDate <= released ? "earlier" : "later"
}

/** The next entry of a rule, by effective date. */
export const nextOf = ({ entries }: Rule, entry: RuleEntry): RuleEntry | undefined =>
  entries[entries.indexOf(entry) + 1]
