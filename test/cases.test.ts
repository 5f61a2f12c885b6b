/** Tests that the case data is complete, and that a file of test/plans runs each case. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { DIFFERENCES_FILE, renderDifferences } from "../scripts/generate/differences.ts"
import { CALCULATOR_PLANS } from "../src/engine/plans/registry.ts"
import { type Disposition, dispositionOf, published, tableRows, taxExamples, workedNumbers } from "./cases/case.ts"
import { FILES, isRun, planOf } from "./plans/cases.ts"

const numbersTo = (last: number): ReadonlyArray<string> => Array.from({ length: last }, (_, index) => String(index + 1))

describe("the case data", () => {
  it.each(Object.entries(FILES))("of %s has a case for every id, and no duplicate id", (_, { cases, ids }) => {
    expect([...new Set(cases.map((one) => one.of))].toSorted()).toEqual([...ids].toSorted())
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(cases.map((one) => one.id)).size).toBe(cases.length)
  })

  it("contains all 81 worked numbers and runs them all", () => {
    expect(workedNumbers.ids).toEqual(numbersTo(81))
    expect(workedNumbers.cases.every(isRun)).toBe(true)
  })

  it("contains all 14 tax examples and runs all except teacher forgiveness", () => {
    expect(taxExamples.ids).toEqual(numbersTo(14))
    expect(taxExamples.cases.filter((one) => !isRun(one)).map((one) => one.id)).toEqual(["10"])
  })

  it("covers 25 tables and runs every row", () => {
    expect(tableRows.ids).toHaveLength(25)
    expect(tableRows.cases.every(isRun)).toBe(true)
  })

  it("accounts for all 112 published and 9 quoted examples", () => {
    const examples = published.ids.filter((id) => !id.startsWith("quoted-"))
    expect([examples.length, published.ids.length - examples.length]).toEqual([112, 9])
    const count = (disposition: Disposition) =>
      examples.filter((id) => dispositionOf(published, id) === disposition).length
    expect({
      asStated: count("run as stated"),
      otherConstants: count("run with other constants"),
      difference: count("difference"),
      notRun: count("not run")
    }).toEqual({ asStated: 72, otherConstants: 4, difference: 33, notRun: 3 })
  })

  it("contains cases of every plan marked as parity-verified", () => {
    const cases = [...workedNumbers.cases, ...published.cases].filter(isRun)
    const plans = cases.map(planOf)
    const verified = CALCULATOR_PLANS.filter(({ parityVerified }) => parityVerified).map(({ planType }) => planType)
    expect([...new Set(plans)].toSorted()).toEqual([...verified].toSorted())
  })

  it("is run by one file per plan", () => {
    const plans = Object.values(FILES).flatMap((file) => file.cases.filter(isRun).map(planOf))
    const files = readdirSync("test/plans").filter((name) => name.endsWith(".test.ts"))
    const run = files.map((name) => /casesOf\("(.*)"\)/.exec(readFileSync(`test/plans/${name}`, "utf8"))![1])
    expect(run.toSorted()).toEqual([...new Set(plans)].toSorted())
  })

  it("gives every case a request, or the reason why it is not run", () => {
    const all = Object.values(FILES).flatMap((file) => file.cases)
    for (const one of all) {
      const asked = [one.request, one.calculator, one.notRunBecause].filter((part) => part !== undefined)
      expect(asked, one.id).toHaveLength(1)
      if (isRun(one)) expect(Object.keys(one.expect).length, one.id).toBeGreaterThan(0)
    }
  })
})

describe("docs/generated/differences-explained.md", () => {
  it("matches the case data and the engine", () => {
    expect(readFileSync(DIFFERENCES_FILE, "utf8")).toBe(renderDifferences())
  })
})
