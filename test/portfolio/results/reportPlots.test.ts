/** The column labels of a report's charts. */
import { expect, it } from "vitest"
import { columnsOf } from "../../../src/portfolio/results/reportPlots.ts"

/** The labels of a chart with this many columns, which are named 0, 1, 2... */
const labelsOf = (columns: number, first = 0): ReadonlyArray<number> => {
  const bars = Array.from({ length: columns }, (_, index) => ({ name: String(first + index), value: 1, label: "one" }))
  return [...columnsOf("title", bars).matchAll(/<text [^>]*>(\d+)<\/text>/g)].map(([, name]) => Number(name))
}

it("all columns are labeled if there is room, otherwise every second or third", () => {
  expect(labelsOf(3)).toEqual([0, 1, 2])
  expect(labelsOf(8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(labelsOf(9)).toEqual([0, 2, 4, 6, 8])
  expect(labelsOf(17)).toEqual([0, 3, 6, 9, 12, 15])
})

it("a label that would be cut at the right edge is left out", () => {
  expect(labelsOf(9, 2040)).toEqual([2040, 2042, 2044, 2046, 2048])
  expect(labelsOf(25, 2040)).toEqual([2040, 2044, 2048, 2052, 2056, 2060])
})
