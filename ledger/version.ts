/**
 * The hashes of the ledger's version and of one entry: SHA-256 over RFC 8785 canonical JSON.
 * Anyone can recompute the version from `GET /v1/rules`. It covers the constants, knownOmissions,
 * engineRevision, and the ids of constants with an effectiveDate after the date of generatedAtUtc.
 * The engine does not compute the version, but reads it from release.ts.
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

/** Ids of published entries that are not in force at an instant, ISO 8601 in UTC. */
export const notYetInForce = (constants: ReadonlyArray<RuleEntry>, instant: string): ReadonlyArray<string> => {
  const date = instant.slice(0, "YYYY-MM-DD".length)
  return constants.filter((entry) => !hasBegun(entry, date)).map(({ id }) => id)
}

/**
 * `rl1-` and the first digits of a hash of constants, omissions, notYetInForce, engineRevision.
 * `notYetInForce` changes the version when an entry published in advance comes into force.
 * `engineRevision` changes it when code changes figures and the law does not.
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
