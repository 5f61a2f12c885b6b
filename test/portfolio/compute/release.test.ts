/** Builds are told apart by a name that a group of shards can have. */
import { ConfigProvider, Effect } from "effect"
import { expect, it } from "vitest"
import { ruleVersion } from "../../../ledger/release.ts"
import { releaseHere } from "../../../src/portfolio/compute/release.ts"

/** The cluster keeps `group:number` in fifty characters. */
const MOST_CHARACTERS = 46

const releaseOf = (commit: string) =>
  Effect.runSync(
    Effect.provideService(
      releaseHere,
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnvRecord({ BUILD_COMMIT: commit })
    )
  )

it("is another one for each build of the same rules, however the build is called", () => {
  const commit = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"
  const names = ["", commit, `${commit}-dirty`, "release-a", "release-b"].map(releaseOf)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) {
    expect(name.startsWith(`${ruleVersion}/`)).toBe(true)
    expect(name.length).toBeLessThanOrEqual(MOST_CHARACTERS)
  }
})
