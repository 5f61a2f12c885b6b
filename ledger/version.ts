/**
 * How the ledger's version and the hash of one entry are made: SHA-256 over RFC 8785 canonical JSON. Anybody who has the
 * published ledger can make the same version from it.
 */
import { createHash } from "node:crypto"
import canonicalize from "canonicalize"
import type { PublishedOmission, RuleEntry } from "./entry.ts"

const VERSION_HEX_DIGITS = 12
const ENTRY_HEX_DIGITS = 16

const sha256 = (value: unknown): string =>
  createHash("sha256")
    .update(canonicalize(value) ?? "")
    .digest("hex")

/** `rl1-` and the start of the hash of `{ constants, omissions }` as published. */
export const versionOf = (constants: ReadonlyArray<RuleEntry>, omissions: ReadonlyArray<PublishedOmission>): string =>
  `rl1-${sha256({ constants, omissions }).slice(0, VERSION_HEX_DIGITS)}`

export const entryHash = (entry: RuleEntry | PublishedOmission): string => sha256(entry).slice(0, ENTRY_HEX_DIGITS)
