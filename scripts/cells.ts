/**
 * `npm run cells [-- files]`: the tests of the service that ask it over HTTP, with two installations in its place, a database
 * each, and a door before them that sends each account to one (test/support/door.ts). Installs nothing.
 */
import { spawnSync } from "node:child_process"
import { globSync } from "node:fs"
import { join } from "node:path"
import { PATH, PROJECT } from "./programs.ts"

const CELLS = "2"

/** About the bytes on a connection, which is the door's here, or about the operators' own port. */
const FILES_LEFT_OUT = ["bodies", "connections", "listener", "operators", "requestHead"].map(
  (name) => `test/http/${name}.test.ts`
)
const TESTED = globSync([
  "test/http/**/*.test.ts",
  "test/mcp/*.test.ts",
  "test/client/client.test.ts",
  "test/fault/injection.test.ts"
]).filter((file) => !FILES_LEFT_OUT.includes(file))
const READ_WHOLE = "is about a body that is not read, and the door reads each"

/** What cannot be shown through a door, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "never asks a refused caller for the body": READ_WHOLE,
  "before its body is read": READ_WHOLE,
  "hold mints, whoever they are for, per address": "counts calls of an address, which each process does for itself",
  "is a tile of the log, whose hashes would not shrink": "asks for the one log, and each cell has its own"
}

const titles = Object.keys(LEFT_OUT).map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
const given = process.argv.slice(2)
const TIERS = ["--project", "tests", "--project", "alone", "--project", "system"]
const vitest = join("node_modules", "vitest", "vitest.mjs")
const how = ["--testNamePattern", `^(?!.*(${titles.join("|")}))`]
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", ...TIERS, ...(given.length === 0 ? TESTED : given), ...how],
  {
    cwd: PROJECT,
    env: { ...process.env, PATH, CELLS },
    stdio: "inherit"
  }
)
console.log(`left out: ${FILES_LEFT_OUT.join(", ")}`)
for (const [title, reason] of Object.entries(LEFT_OUT)) console.log(`left out: "${title}": it ${reason}`)
process.exitCode = status ?? 1
