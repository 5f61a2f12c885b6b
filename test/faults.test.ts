/** Tests of the page of faults, which is made of the titles of tests. Runs none of those tests. */
import { globSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { faultsFiles } from "../scripts/faults.ts"

const FILES = globSync(["test/**/*.test.ts", "property-tests/**/*.test.ts"])

describe("the page of faults", () => {
  const [[file, page]] = Object.entries(faultsFiles()) as [[string, string]]

  it("is up to date", () => expect(readFileSync(file, "utf8"), "run `npm run x -- generate faults`").toBe(page))

  it("has every test that names a fault", () => {
    const named = FILES.flatMap((test) =>
      [...readFileSync(test, "utf8").matchAll(/ \[(F\d+)\]/g)].map(([, id]) => `## ${id} ${test}`)
    )
    const shown = page.split(/^(?=## F)/m).flatMap((section) => {
      const [heading] = section.split("\n")
      return [...section.matchAll(/\(\.\.\/\.\.\/(.*?)\)/g)].map(([, test]) => `${heading} ${test}`)
    })
    expect([...new Set(shown)].sort()).toEqual([...new Set(named)].sort())
  })
})
