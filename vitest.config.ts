/**
 * Tests run against a real PostgreSQL that global-setup starts; every file that needs one makes its own database. Those of
 * the command line start processes all the time and measure nothing: two files at once, before the others, one by one.
 */
import { configDefaults, defineConfig } from "vitest/config"

const COMMANDS = "test/cli/**/*.test.ts"

const EACH = { testTimeout: 30_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    globalSetup: ["test/support/global-setup.ts"],
    projects: [
      { test: { ...EACH, name: "commands", include: [COMMANDS], maxWorkers: 2, sequence: { groupOrder: 0 } } },
      {
        test: {
          ...EACH,
          name: "service",
          include: ["test/**/*.test.ts", "property-tests/**/*.test.ts"],
          exclude: [...configDefaults.exclude, COMMANDS],
          maxWorkers: 1,
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
