/**
 * Tests run against a real PostgreSQL that global-setup starts; every file that needs one makes its own database. Those
 * that measure nothing, and start processes or wait for most of their time, run first, two files at once; then the others, one by one.
 */
import { configDefaults, defineConfig } from "vitest/config"

const MEASURE_NOTHING = [
  "cli",
  "engine",
  "library",
  "mcp",
  "myAidData",
  "portfolio",
  "services/log",
  "services/payments",
  "web",
  "wording"
]
const TWO_AT_ONCE = [
  ...MEASURE_NOTHING.map((folder) => `test/${folder}/**/*.test.ts`),
  "test/fault/everyPosition.test.ts",
  "property-tests/**/*.test.ts"
]

const EACH = { testTimeout: 30_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    projects: [
      { test: { ...EACH, name: "two at once", include: TWO_AT_ONCE, maxWorkers: 2, sequence: { groupOrder: 0 } } },
      {
        test: {
          ...EACH,
          name: "one by one",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...TWO_AT_ONCE],
          maxWorkers: 1,
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
