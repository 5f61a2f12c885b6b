/** The columns of a report's plots: which of them have their names below. */
import { expect, it } from "vitest"
import { columnsOf } from "../../../src/portfolio/results/reportPlots.ts"

/** The names below so many columns, which are called 0, 1, 2... */
const namesBelow = (columns: number): ReadonlyArray<number> => {
  const bars = Array.from({ length: columns }, (_, index) => ({ name: String(index), value: 1, label: "one" }))
  return [...columnsOf("title", bars).matchAll(/<text [^>]*>(\d+)<\/text>/g)].map(([, name]) => Number(name))
}

it("columns are all named while there is room, and else each second or third, from the first on", () => {
  expect(namesBelow(3)).toEqual([0, 1, 2])
  expect(namesBelow(8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(namesBelow(9)).toEqual([0, 2, 4, 6, 8])
  expect(namesBelow(17)).toEqual([0, 3, 6, 9, 12, 15])
})
