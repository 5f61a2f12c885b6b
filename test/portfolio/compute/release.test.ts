/** The release name, which differs between builds and is valid as a shard group. */
import { ConfigProvider, Effect } from "effect"
import { expect, it } from "vitest"
import { ruleVersion } from "../../../ledger/release.ts"
import { releaseHere } from "../../../src/portfolio/compute/release.ts"

/** Effect Cluster stores `group:number` in fifty characters. */
const MAX_CHARACTERS = 46

const releaseOf = (commit: string) =>
  Effect.runSync(
    Effect.provideService(
      releaseHere,
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnvRecord({ BUILD_COMMIT: commit })
    )
  )

it("the release name differs for each build of the same rules, whatever the build is called", () => {
  const commit = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"
  const names = ["", commit, `${commit}-dirty`, "release-a", "release-b"].map(releaseOf)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) {
    expect(name.startsWith(`${ruleVersion}/`)).toBe(true)
    expect(name.length).toBeLessThanOrEqual(MAX_CHARACTERS)
  }
})
