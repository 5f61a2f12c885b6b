/** Runs of the test suite, for tasks. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { globSync } from "node:fs"
import { join } from "node:path"
import { PATH, PROJECT } from "../test/support/programs.ts"
import { Misuse } from "./harness.ts"

const TEST_FILES = ["test/**/*.test.ts", "property-tests/**/*.test.ts"]
/** The vitest projects that run every test once, the random tests with few cases. */
const PROJECTS = ["tests", "alone", "system"].flatMap((project) => ["--project", project])

interface How {
  readonly options?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Runs the test files whose path contains one of `paths`. A path that matches no file is an error.
 */
export const runTests = async (paths: ReadonlyArray<string>, { env, options = [] }: How = {}) => {
  const files = globSync(TEST_FILES, { cwd: PROJECT })
  const unknown = paths.filter((path) => !files.some((file) => file.includes(path)))
  if (unknown.length > 0) throw new Misuse(`no test file matches ${unknown.join(", ")}`)
  const vitest = spawn(
    process.execPath,
    [join("node_modules", "vitest", "vitest.mjs"), "run", ...PROJECTS, ...paths, ...options],
    { cwd: PROJECT, env: { ...process.env, PATH, ...env }, stdio: "inherit" }
  )
  const [code] = await once(vitest, "exit")
  return code === 0
}

/** A regular expression for titles that contain one of these texts. */
export const titlesWith = (texts: ReadonlyArray<string>): string =>
  `(${texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`
