/** Which entry of a rule is in force at the release of the ledger, which came before it and which comes after. */
import { inForceOn, type Rule, type RuleEntry } from "../../../ledger/entry.ts"
import { releasedAtUtc } from "../../../ledger/release.ts"

const DATE_CHARACTERS = "YYYY-MM-DD".length
const released = releasedAtUtc.slice(0, DATE_CHARACTERS)

export type Standing = "inForce" | "earlier" | "later"

export const standingOf = (rule: Rule, entry: RuleEntry): Standing => {
  if (entry === inForceOn(rule, released)) return "inForce"
  return entry.effectiveDate <= released ? "earlier" : "later"
}

/** The entry that takes the place of another one. */
export const nextOf = ({ entries }: Rule, entry: RuleEntry): RuleEntry | undefined =>
  entries[entries.indexOf(entry) + 1]
