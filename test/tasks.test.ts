/**
 * Tests of the task runner: every listed task exists, and a task that runs tests refuses a path
 * that matches none. Runs no task.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
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

/** Files started by path: processes and threads of benches, and programs of other tools. */
const STARTED = /^scripts\/(?:x|bench\/engineThread|openapi-tools\/programs\/.*)\.ts$/

describe("the scripts", () => {
  it("are tasks, or are imported by a task or a test", () => {
    const files = globSync("{scripts,test}/**/*.ts", { exclude: ["**/node_modules"] })
    const imported = files.flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, target]) =>
        join(dirname(file), target!)
      )
    )
    const used = new Set([...imported, ...Object.keys(TASKS).map((usage) => `scripts/${nameOf(usage)}.ts`)])
    const scripts = files.filter((file) => file.startsWith("scripts/") && !STARTED.test(file))
    expect(scripts.filter((file) => !used.has(file))).toEqual([])
  })
})

describe("generated files", () => {
  const rows = [...readFileSync("CONTRIBUTING.md", "utf8").matchAll(/^\| ([a-z]+) \| .* \| `(test\/.*)` \|$/gm)]

  it("are in the table of CONTRIBUTING.md, in the order of the steps", () =>
    expect(rows.map(([, name]) => name)).toEqual(Object.keys(STEPS)))

  it("are checked by tests that exist", () => expect(rows.filter(([, , file]) => !existsSync(file!))).toEqual([]))
})
