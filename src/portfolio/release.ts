/** What computes the same bytes: the same rules, and the same program. Of two builds of a release one may read what the other cannot. */
import { hash } from "node:crypto"
import { Config, Effect, Option } from "effect"
import { ruleVersion } from "../../ledger/release.ts"
import packageJson from "../../package.json" with { type: "json" }
import { buildCommit } from "../buildCommit.ts"

/** Workers of a release are a group of shards, whose name has at most 46 characters. */
const COMMIT_DIGITS = 8

/** A checkout is told its commit by BUILD_COMMIT, as an image is. */
const commit = Config.option(Config.String("BUILD_COMMIT")).pipe(
  Effect.map((told) => Option.getOrElse(told, () => "") || buildCommit),
  Effect.orElseSucceed(() => buildCommit)
)

export const releaseHere: Effect.Effect<string> = Effect.map(commit, (known) =>
  [ruleVersion, packageJson.version, ...(known === null ? [] : [hash("sha256", known).slice(0, COMMIT_DIGITS)])].join(
    "/"
  )
)
