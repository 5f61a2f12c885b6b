/** The task runner: what it lists is there, and a task that runs tests refuses a path that matches none. Runs no task. */
import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import packageJson from "../package.json" with { type: "json" }
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

  it("leaves no more than ten scripts to npm", () => {
    expect(Object.keys(packageJson.scripts).length).toBeLessThanOrEqual(10)
  })

  it("refuses the path of a test that is not there, next to one that is", async () => {
    await expect(runTests(["test/tasks.test.ts", "test/task.test.ts"])).rejects.toThrow(
      "no test file matches test/task.test.ts"
    )
  })
})
