/**
 * Two tiers. `npm test` runs `tests`: all that runs in one process against the PostgreSQL that global setup starts.
 * `npm run test:system` runs `system`, which starts processes or a PostgreSQL of its own, sends signals, holds connections
 * open or waits for real time; and `random`, the random tests of the first tier again with many more cases.
 */
import { globSync, readFileSync } from "node:fs"
import { configDefaults, defineConfig } from "vitest/config"
import { COMPILED } from "./test/support/compiled.ts"

const FIRST = ["test/**/*.test.ts", "property-tests/**/*.test.ts"]
const SYSTEM = ["test/**/*.system.test.ts", "property-tests/**/*.system.test.ts"]
const firstTierWith = (text: string) =>
  globSync(FIRST, { exclude: SYSTEM }).filter((file) => readFileSync(file, "utf8").includes(text))
/** A module that a file replaces is replaced for that file alone. */
const ALONE = firstTierWith("vi.mock(")
/** System tests draw their many cases where they are. */
const RANDOM = firstTierWith("support/random.ts")
/** More than a small machine has cores: tests often wait for the database. */
const WORKERS = 3
/** Threads that compute portfolios load their modules from what Node has compiled before. */
const EACH = { testTimeout: 30_000, hookTimeout: 60_000, exclude: configDefaults.exclude, env: COMPILED }
const MANY = { ...COMPILED, THOROUGH: "1" }
/** For a thousand cases and more. */
const LONG_MILLIS = 300_000
/** Modules are loaded once for each worker. None that the tests import may keep state that another file sees. */
const SHARED = { isolate: false, maxWorkers: WORKERS }

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    reporters: ["default", "./test/support/advice.ts"],
    projects: [
      {
        test: {
          ...EACH,
          ...SHARED,
          name: "tests",
          include: FIRST,
          exclude: [...EACH.exclude, ...SYSTEM, ...ALONE],
          sequence: { groupOrder: 0 }
        }
      },
      {
        test: { ...EACH, name: "alone", include: ALONE, maxWorkers: WORKERS, sequence: { groupOrder: 0 } }
      },
      {
        test: {
          ...EACH,
          ...SHARED,
          name: "random",
          include: RANDOM,
          env: MANY,
          testTimeout: LONG_MILLIS,
          sequence: { groupOrder: 1 }
        }
      },
      {
        test: {
          ...EACH,
          name: "system",
          include: SYSTEM,
          env: MANY,
          // One file at a time, because some of them measure.
          maxWorkers: 1,
          sequence: { groupOrder: 2 }
        }
      }
    ]
  }
})
