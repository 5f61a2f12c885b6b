/**
 * How the ledger's version and the hash of one entry are made: SHA-256 over RFC 8785 canonical JSON. Anybody who has
 * `GET /v1/rules` can make the same version from it: its constants, its knownOmissions, its engineRevision, and the ids
 * of the constants whose effectiveDate lies after the date of its generatedAtUtc. The engine does not read this file: it
 * reads the lock.
 */
import { createHash } from "node:crypto"
import canonicalize from "canonicalize"
import { hasBegun, type PublishedOmission, type RuleEntry } from "./entry.ts"

const VERSION_HEX_DIGITS = 12
const ENTRY_HEX_DIGITS = 16

const sha256 = (value: unknown): string =>
  createHash("sha256")
    .update(canonicalize(value) ?? "")
    .digest("hex")

/** Ids of the entries that are published but not in force at an instant, ISO 8601 in UTC. */
export const notYetInForce = (constants: ReadonlyArray<RuleEntry>, instant: string): ReadonlyArray<string> => {
  const date = instant.slice(0, "YYYY-MM-DD".length)
  return constants.filter((entry) => !hasBegun(entry, date)).map(({ id }) => id)
}

/**
 * `rl1-` and the start of the hash of `{ constants, omissions, notYetInForce, engineRevision }`, the first two as
 * published. The third makes a new version when an entry that was published ahead comes into force, the fourth when the
 * code of the engine moves figures and the law does not.
 */
export const versionOf = (
  constants: ReadonlyArray<RuleEntry>,
  omissions: ReadonlyArray<PublishedOmission>,
  releasedAtUtc: string,
  engineRevision: number
): string => {
  const content = { constants, omissions, notYetInForce: notYetInForce(constants, releasedAtUtc), engineRevision }
  return `rl1-${sha256(content).slice(0, VERSION_HEX_DIGITS)}`
}

export const entryHash = (entry: RuleEntry | PublishedOmission): string => sha256(entry).slice(0, ENTRY_HEX_DIGITS)
