/**
 * Two tiers. `tests` runs in one process against a real PostgreSQL that global-setup starts. `system` starts processes or
 * a PostgreSQL of its own, sends signals, holds connections open, or waits for real time; its files run one by one,
 * because some of them measure.
 */
import { configDefaults, defineConfig } from "vitest/config"

const ALL = ["test/**/*.test.ts", "property-tests/**/*.test.ts"]
const SYSTEM = ["test/**/*.system.test.ts", "property-tests/**/*.system.test.ts"]
/** More than there are cores on a small machine: a test often waits for the database or for a timer. */
const WORKERS = 3
const EACH = { testTimeout: 30_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    projects: [
      {
        test: {
          ...EACH,
          name: "tests",
          include: ALL,
          exclude: [...configDefaults.exclude, ...SYSTEM],
          // A module is loaded once per worker. No module that the tests import may keep state between files.
          isolate: false,
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 }
        }
      },
      { test: { ...EACH, name: "system", include: SYSTEM, maxWorkers: 1, sequence: { groupOrder: 1 } } }
    ]
  }
})
