/**
 * Test tiers. `npm test` runs `tests` and `alone`, which run in one process against the PostgreSQL
 * of global setup. `npm run test:system` runs `system`: tests with processes, signals, open
 * connections or real time. It also runs `random`: the random tests of the first tier with many
 * more cases.
 */
import { globSync, readFileSync } from "node:fs"
import { configDefaults, defineConfig } from "vitest/config"
import { COMPILED } from "./test/support/compiled.ts"

const FIRST_TIER = ["test/**/*.test.ts", "property-tests/**/*.test.ts"]
const SYSTEM = ["test/**/*.system.test.ts", "property-tests/**/*.system.test.ts"]
const firstTierWith = (text: string) =>
  globSync(FIRST_TIER, { exclude: SYSTEM }).filter((file) => readFileSync(file, "utf8").includes(text))
/** Files with module mocks, which need their own module registry. */
const ISOLATED = firstTierWith("vi.mock(")
/** Random tests of the first tier. System tests run their many cases in the `system` project. */
const RANDOM = firstTierWith("support/random.ts")
/** More than a small machine's cores, because tests often wait for the database. */
const WORKERS = 3
/** A test that takes longer hangs. It is one time for all, far above what the longest takes on a busy machine. */
const PATIENCE_MILLIS = 600_000
/** COMPILED lets the threads that compute portfolios load modules from Node's compile cache. */
const COMMON = {
  testTimeout: PATIENCE_MILLIS,
  hookTimeout: PATIENCE_MILLIS,
  exclude: configDefaults.exclude,
  env: COMPILED
}
const MANY_CASES = { ...COMPILED, THOROUGH: "1" }
/**
 * Test files of one worker share modules, so no imported module may keep state that another file
 * sees.
 */
const SHARED_MODULES = { isolate: false, maxWorkers: WORKERS }

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    reporters: ["default", "./test/support/advice.ts"],
    projects: [
      {
        test: {
          ...COMMON,
          ...SHARED_MODULES,
          name: "tests",
          include: FIRST_TIER,
          exclude: [...COMMON.exclude, ...SYSTEM, ...ISOLATED],
          sequence: { groupOrder: 0 }
        }
      },
      {
        test: { ...COMMON, name: "alone", include: ISOLATED, maxWorkers: WORKERS, sequence: { groupOrder: 0 } }
      },
      {
        test: {
          ...COMMON,
          ...SHARED_MODULES,
          name: "random",
          include: RANDOM,
          env: MANY_CASES,
          sequence: { groupOrder: 1 }
        }
      },
      {
        test: {
          ...COMMON,
          name: "system",
          include: SYSTEM,
          env: MANY_CASES,
          // One file at a time, because some of them measure time.
          maxWorkers: 1,
          sequence: { groupOrder: 2 }
        }
      }
    ]
  }
})
