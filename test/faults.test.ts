/**
 * Tests of the catalogue of faults: its page, the tests that name its faults, and the verdicts on a
 * test report. Runs none of those tests.
 */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { FAULTS, type Fault, faultsFiles, tagOf, UNKNOWN } from "../scripts/faults/catalogue.ts"
import { judge, type Report, verdictText } from "../scripts/faults/judge.ts"

describe("the catalogue of faults", () => {
  it("has each number once, in order, and tests or a reason for each", () => {
    const numbers = FAULTS.map(({ id }) => Number(id.slice(1)))
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
    expect(FAULTS.filter(({ reason, shown }) => shown.length === 0 && reason === undefined)).toEqual([])
  })

  it("contains every fault that a test names", () => expect(UNKNOWN).toEqual([]))

  it.each(Object.entries(faultsFiles()))("matches %s", (file, text) =>
    expect(readFileSync(file, "utf8"), "run `npm run x -- generate faults`").toBe(text)
  )
})

describe("a fault", () => {
  const tag = tagOf("F12")
  const test = (fullName: string, status: string, message = "") => ({
    fullName,
    status,
    duration: 1500,
    failureMessages: message === "" ? [] : [`${message}\n    at somewhere`]
  })
  const report: Report = {
    testResults: [
      {
        name: "/project/test/a.test.ts",
        assertionResults: [
          test(`a race ends ${tag}`, "passed"),
          test(`a race ${tag} begins`, "failed", "Error: two won"),
          test("a race is run", "failed")
        ]
      },
      { name: "/project/test/b.test.ts", assertionResults: [test(`a stop ${tag}`, "skipped")] },
      { name: "/project/test/d.test.ts", assertionResults: [test(`a walk ${tag}`, "passed"), test("a run", "failed")] }
    ]
  }
  const fault = (...files: ReadonlyArray<string>): Fault => ({
    id: "F12",
    fault: "A race",
    holds: "",
    shown: files
  })
  const textOf = (one: Fault) => verdictText(one, judge(report, one))

  it("passes if all its tests pass", () =>
    expect(textOf(fault("test/d.test.ts"))).toBe("F12 passed  A race (1 test, 1.5 s)"))

  it("fails if one test fails, and names that test", () =>
    expect(textOf(fault("test/a.test.ts"))).toBe(
      `F12 FAILED  A race (2 tests, 3.0 s)\n      test/a.test.ts: a race ${tag} begins: Error: two won`
    ))

  it.each([
    ["was skipped", "test/b.test.ts"],
    ["is in a file that did not run", "test/c.test.ts"]
  ])("fails if a test %s", (_, file) =>
    expect(textOf(fault("test/d.test.ts", file))).toBe(`F12 FAILED  A race (1 test, 1.5 s)\n      ${file}: no test ran`)
  )

  it("without a test prints its reason", () =>
    expect(textOf({ ...fault(), reason: "Nobody races." })).toBe("F12 reason  A race: Nobody races."))
})
