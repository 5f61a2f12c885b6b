/** The catalogue of faults: its page, the tests that it names, and what is made of a report. Runs none of them. */
import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { type Fault, shown } from "../scripts/faults/fault.ts"
import { judge, type Report, told } from "../scripts/faults/judge.ts"
import { FAULTS } from "../scripts/faults/list.ts"
import { FAULTS_FILE, renderFaults } from "../scripts/faults/page.ts"

describe("the catalogue of faults", () => {
  it("has each number once, in order, and tests or a reason for each", () => {
    const numbers = FAULTS.map(({ id }) => Number(id.slice(1)))
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
    expect(FAULTS.filter(({ reason, shown }) => shown.length === 0 && reason === undefined)).toEqual([])
  })

  it("names files and titles that are there", () => {
    const all = FAULTS.flatMap(({ id, shown }) => shown.map((one) => ({ id, ...one })))
    const missing = all.flatMap(({ file, id, titles = [] }) => {
      if (!existsSync(file)) return [`${id}: ${file}`]
      const text = readFileSync(file, "utf8")
      return titles.filter((title) => !text.includes(title)).map((title) => `${id}: ${file}: ${title}`)
    })
    expect(missing).toEqual([])
  })

  it("is what docs/faults.md says", () => expect(readFileSync(FAULTS_FILE, "utf8")).toBe(renderFaults()))
})

describe("a fault", () => {
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
        assertionResults: [test("a race ends", "passed"), test("a race begins", "failed", "Error: two won")]
      },
      { name: "/project/test/b.test.ts", assertionResults: [test("a stop", "skipped")] }
    ]
  }
  const fault = (...where: Fault["shown"]): Fault => ({ id: "F12", fault: "A race", holds: "", shown: where })
  const toldOf = (one: Fault) => told(one, judge(report, one))

  it("is passed when all its tests are", () =>
    expect(toldOf(fault(shown("test/a.test.ts", "race ends")))).toBe("F12 passed  A race (1 test, 1.5 s)"))

  it("is failed by one test, which is named", () =>
    expect(toldOf(fault(shown("test/a.test.ts")))).toBe(
      "F12 FAILED  A race (2 tests, 3.0 s)\n      test/a.test.ts: a race begins: Error: two won"
    ))

  it.each([
    ["that is not there", "test/a.test.ts", ["race is held"], 'no test ran whose title holds "race is held"'],
    ["that was passed over", "test/b.test.ts", ["a stop"], 'no test ran whose title holds "a stop"'],
    ["of a file that did not run", "test/c.test.ts", [], "no test ran"]
  ])("is failed by a test %s", (_, file, titles, said) =>
    expect(toldOf(fault(shown("test/a.test.ts", "race ends"), shown(file, ...titles)))).toBe(
      `F12 FAILED  A race (1 test, 1.5 s)\n      ${file}: ${said}`
    )
  )

  it("without a test has its reason told", () =>
    expect(toldOf({ ...fault(), reason: "Nobody races." })).toBe("F12 reason  A race: Nobody races."))
})
