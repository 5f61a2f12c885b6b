/**
 * Every case against the engine: the numbers worked by hand, the tax examples, the rows of the tables, what authorities
 * and others printed, and the errors of others. Expected figures live in the data alone, never taken from the engine.
 */
import { readFileSync } from "node:fs"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { ProjectionRequest } from "../schema/projection.ts"
import { DIFFERENCES_FILE, renderDifferences } from "../scripts/differences.ts"
import { CALCULATOR_PLANS } from "../src/engine/plans/registry.ts"
import {
  type Case,
  type CaseFile,
  type Disposition,
  dispositionOf,
  peerErrors,
  published,
  tableRows,
  taxExamples,
  workedNumbers
} from "./cases/case.ts"
import { measure } from "./cases/measure.ts"

const FILES = { workedNumbers, taxExamples, tableRows, published, peerErrors }
/** The calculator's own plan, which no projection request can name. */
const TIERED_STANDARD = "TIERED STANDARD"
const planOf = (one: Case): string => Schema.decodeUnknownSync(ProjectionRequest)(one.request).scenario.planType
const isRun = (one: Case): boolean => one.notRunBecause === undefined

/** The engine's figures of a case are those that the law gives, and not the one of a known error. */
const check = (one: Case): void => {
  const figures = measure(one)
  const found = Object.fromEntries(Object.keys(one.expect).map((path) => [path, figures(path)]))
  expect(found, one.working).toEqual(one.expect)
  if (one.wrong !== undefined) expect(figures(one.wrong.field), one.wrong.error).not.toBe(one.wrong.value)
}

const numbersTo = (last: number): ReadonlyArray<string> => Array.from({ length: last }, (_, index) => String(index + 1))

describe.each(Object.entries(FILES))("%s", (_, file: CaseFile) => {
  for (const one of file.cases.filter(isRun)) it(`${one.id}: ${one.title}`, () => check(one))
})

describe("the case data", () => {
  it.each(Object.entries(FILES))("%s has a case for every id, and no id twice", (_, { cases, ids }) => {
    expect([...new Set(cases.map((one) => one.of))].toSorted()).toEqual([...ids].toSorted())
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(cases.map((one) => one.id)).size).toBe(cases.length)
  })

  it("holds all 81 worked numbers, and runs them all", () => {
    expect(workedNumbers.ids).toEqual(numbersTo(81))
    expect(workedNumbers.cases.every(isRun)).toBe(true)
  })

  it("holds all 14 tax examples, of which only teacher forgiveness cannot be asked", () => {
    expect(taxExamples.ids).toEqual(numbersTo(14))
    expect(taxExamples.cases.filter((one) => !isRun(one)).map((one) => one.id)).toEqual(["10"])
  })

  it("reaches into 25 tables, and runs every row", () => {
    expect(tableRows.ids).toHaveLength(25)
    expect(tableRows.cases.every(isRun)).toBe(true)
  })

  it("accounts for all 112 published examples and 9 quoted ones", () => {
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

  it("holds cases of every plan that answers call parity-verified", () => {
    const cases = [...workedNumbers.cases, ...published.cases].filter(isRun)
    const plans = cases.map((one) => (one.calculator === undefined ? planOf(one) : TIERED_STANDARD))
    const verified = CALCULATOR_PLANS.filter(({ parityVerified }) => parityVerified).map(({ planType }) => planType)
    expect([...new Set(plans)].toSorted()).toEqual([...verified].toSorted())
  })

  it("gives every case a request or the reason why it has none", () => {
    const all = Object.values(FILES).flatMap((file) => file.cases)
    for (const one of all) {
      const asked = [one.request, one.calculator, one.notRunBecause].filter((part) => part !== undefined)
      expect(asked, one.id).toHaveLength(1)
      if (isRun(one)) expect(Object.keys(one.expect).length, one.id).toBeGreaterThan(0)
    }
  })
})

describe("docs/differences-explained.md", () => {
  it("is what the case data and the engine give", () => {
    expect(readFileSync(DIFFERENCES_FILE, "utf8")).toBe(renderDifferences())
  })
})
