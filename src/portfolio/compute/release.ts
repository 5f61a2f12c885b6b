/** What computes the same bytes: the same rules, and the same program. Of two builds of a release one may read what the other cannot. */
import { hash } from "node:crypto"
import { Effect } from "effect"
import { ruleVersion } from "../../../ledger/release.ts"
import packageJson from "../../../package.json" with { type: "json" }
import { buildCommitHere } from "../../platform/config.ts"

/** Workers of a release are a group of shards, whose name has at most 46 characters. */
const COMMIT_DIGITS = 8

export const releaseHere: Effect.Effect<string> = Effect.map(buildCommitHere, (commit) => {
  const build = commit === null ? [] : [hash("sha256", commit).slice(0, COMMIT_DIGITS)]
  return [ruleVersion, packageJson.version, ...build].join("/")
})
