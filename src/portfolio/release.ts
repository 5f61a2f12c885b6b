/** What computes the same bytes: the same rules, and the same program. Of two builds of a release one may read what the other cannot. */
import { ruleVersion } from "../../ledger/release.ts"
import packageJson from "../../package.json" with { type: "json" }
import { buildCommit } from "../buildCommit.ts"

const COMMIT_DIGITS = 8

const BUILD = buildCommit === null ? [] : [buildCommit.slice(0, COMMIT_DIGITS)]

export const RELEASE = [ruleVersion, packageJson.version, ...BUILD].join("/")
