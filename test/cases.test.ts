/**
 * Tests that the case data and the rows of additions are complete, and that a file of test/plans
 * runs each case.
 */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { ProjectionRequest } from "../schema/generated/shapes.ts"
import type { Shape } from "../schema/shape.ts"
import { DIFFERENCES_FILE, renderDifferences } from "../scripts/generate/differences.ts"
import { CALCULATOR_PLANS } from "../src/engine/plans/registry.ts"
import { project } from "../src/library/index.ts"
import { ANSWERED, NOTHING, outcomeOf, refusedFrom, requestOf } from "./cases/additions.ts"
import {
  type Disposition,
  dispositionOf,
  published,
  START,
  tableRows,
  taxExamples,
  workedNumbers
} from "./cases/case.ts"
import { FILES, isRun, planOf } from "./plans/cases.ts"

const numbersTo = (last: number): ReadonlyArray<string> => Array.from({ length: last }, (_, index) => String(index + 1))

describe("the case data", () => {
  it.each(Object.entries(FILES))("of %s has a case for every id, and no duplicate id", (_, { cases, ids }) => {
    expect([...new Set(cases.map((one) => one.of))].toSorted()).toEqual([...ids].toSorted())
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(cases.map((one) => one.id)).size).toBe(cases.length)
  })

  it("contains all 88 worked numbers and runs them all", () => {
    expect(workedNumbers.ids).toEqual(numbersTo(88))
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

/** The names of a shape's optional members that came after the first release. */
const additionsIn = (shape: Shape): ReadonlyArray<string> => {
  if (shape.kind === "list") return additionsIn(shape.item)
  if (shape.kind !== "object") return []
  return Object.entries(shape.members).flatMap(([name, member]) => [
    ...(member.isAddition ? [name] : []),
    ...additionsIn(member.shape)
  ])
}

/** The value without one of its members, for each member at any depth. */
function* withoutOne(value: unknown): Generator<object> {
  if (typeof value !== "object" || value === null) return
  for (const [name, member] of Object.entries(value)) {
    const { [name as never]: _, ...others } = value
    if (!Array.isArray(value)) yield others
    for (const less of withoutOne(member))
      yield Array.isArray(value) ? value.with(Number(name), less) : { ...value, [name]: less }
  }
}

describe("the rows of additions", () => {
  it("answer every optional field", () => {
    const sent = ANSWERED.map(({ loans, scenario }) => JSON.stringify([scenario, loans])).join()
    expect(additionsIn(ProjectionRequest).filter((name) => !sent.includes(`"${name}":`))).toEqual([])
  })

  it.each(ANSWERED.filter((row) => row !== NOTHING))("have members that each move a figure: $name", (row) => {
    const { flags: _flags, name, page: _page, planType, ...added } = row
    for (const less of withoutOne(added))
      expect({ less, outcome: outcomeOf({ ...less, name, planType }, START) }).not.toEqual({
        less,
        outcome: outcomeOf(row, START)
      })
  })

  it("have the rules and figures of a request without additions if they add nothing", () =>
    expect(project(requestOf(NOTHING), { start: START })).toEqual(project(requestOf({ name: "" }), { start: START })))

  it.each(refusedFrom(START))("are refused at their field: $name", (row) => {
    expect(outcomeOf(row, START).map((line) => `${line}`.split(" ")[0])).toEqual([row.refused])
  })
})

describe("docs/generated/differences-explained.md", () => {
  it("matches the case data and the engine", () => {
    expect(readFileSync(DIFFERENCES_FILE, "utf8")).toBe(renderDifferences())
  })
})
