/**
 * `npm run pooled [-- files]`: the tests of the service with a PgBouncer in transaction mode between it and its database,
 * which gives each transaction whichever session is free. Needs the pgbouncer of the system and installs nothing.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { PATH, PROJECT } from "./programs.ts"

const TESTED = ["test/http", "test/mcp", "test/services", "test/database", "test/fault"]

/** Long chains of statements take several times as long, each being four exchanges. */
const TEST_MILLIS = 120_000

/** What cannot be shown through a pooler, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "is not asked of a database that is read-only to be written again":
    "sets the database otherwise, which the sessions that the pooler keeps open do not take up",
  "read-only: nothing is recorded, nothing is said to be":
    "sets the database otherwise, which the sessions that the pooler keeps open do not take up"
}

const titles = Object.keys(LEFT_OUT).map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
const given = process.argv.slice(2)
const TIERS = ["--project", "tests", "--project", "alone", "--project", "system"]
const vitest = join("node_modules", "vitest", "vitest.mjs")
const how = ["--testTimeout", String(TEST_MILLIS), "--testNamePattern", `^(?!.*(${titles.join("|")}))`]
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", ...TIERS, ...(given.length === 0 ? TESTED : given), ...how],
  {
    cwd: PROJECT,
    env: { ...process.env, PATH, POOLED: "1" },
    stdio: "inherit"
  }
)
for (const [title, reason] of Object.entries(LEFT_OUT)) console.log(`left out: "${title}": it ${reason}`)
process.exitCode = status ?? 1
