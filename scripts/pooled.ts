/**
 * The `pooled` task: runs the tests of the service through a PgBouncer in transaction mode, which
 * runs each transaction in any free session. Needs the system's pgbouncer and installs nothing.
 */
import { insist, say } from "./harness.ts"
import { runTests, titlesWith } from "./vitest.ts"

const TESTED = ["test/http", "test/mcp", "test/services", "test/database", "test/fault"]

/**
 * Long chains of statements take several times as long, because through a pooler a statement takes
 * four round trips instead of one.
 */
const TEST_MILLIS = 120_000

/**
 * Titles of tests that cannot pass through a pooler: its open sessions do not take up a changed
 * setting of the database.
 */
const EXCLUDED = [
  "is not written again when the database is read-only",
  "fails and records nothing while the database is read-only"
]

export default async (args: ReadonlyArray<string>) => {
  const titles = ["--testNamePattern", `^(?!.*${titlesWith(EXCLUDED)})`]
  const passed = await runTests(args.length === 0 ? TESTED : args, {
    options: ["--testTimeout", String(TEST_MILLIS), ...titles],
    env: { POOLED: "1" }
  })
  for (const title of EXCLUDED) say(`left out, because it changes a setting of the database: "${title}"`)
  insist(passed, "tests failed")
}
