/**
 * Tests of the task runner: every listed task exists, and a task that runs tests refuses a path
 * that matches none. Runs no task.
 */
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import packageJson from "../package.json" with { type: "json" }
import { STEPS } from "../scripts/generate.ts"
import { nameOf, TASKS } from "../scripts/tasks.ts"
import { runTests } from "../scripts/vitest.ts"

describe("the task runner", () => {
  it.each(
    Object.keys(TASKS)
      .map(nameOf)
      .filter((name) => name !== "list")
  )("has a file for %s", (name) => {
    expect(existsSync(`scripts/${name}.ts`)).toBe(true)
  })

  it("leaves at most ten npm scripts", () => {
    expect(Object.keys(packageJson.scripts).length).toBeLessThanOrEqual(10)
  })

  it("refuses a test path that does not exist, even next to one that does", async () => {
    await expect(runTests(["test/tasks.test.ts", "test/task.test.ts"])).rejects.toThrow(
      "no test file matches test/task.test.ts"
    )
  })
})

describe("generated files", () => {
  const rows = [...readFileSync("CONTRIBUTING.md", "utf8").matchAll(/^\| ([a-z]+) \| .* \| `(test\/.*)` \|$/gm)]

  it("are in the table of CONTRIBUTING.md, in the order of the steps", () =>
    expect(rows.map(([, name]) => name)).toEqual(Object.keys(STEPS)))

  it("are checked by tests that exist", () => expect(rows.filter(([, , file]) => !existsSync(file!))).toEqual([]))
})
