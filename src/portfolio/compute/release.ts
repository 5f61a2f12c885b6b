/**
 * The release name of this process: rules, version and build. Only processes of one release compute
 * the same bytes; another build may not even read the same messages.
 */
import { hash } from "node:crypto"
import { Effect } from "effect"
import { ruleVersion } from "../../../ledger/release.ts"
import packageJson from "../../../package.json" with { type: "json" }
import { buildCommitHere } from "../../platform/config.ts"

/** The release is also the name of a shard group, which Effect Cluster limits to 46 characters. */
const COMMIT_DIGITS = 8

export const releaseHere: Effect.Effect<string> = Effect.map(buildCommitHere, (commit) => {
  const build = commit === null ? [] : [hash("sha256", commit).slice(0, COMMIT_DIGITS)]
  return [ruleVersion, packageJson.version, ...build].join("/")
})
