/** The bytes of rows, which equal the text that JavaScript makes of the same cells. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { RowBytes } from "../../../src/portfolio/results/rowBytes.ts"

const NEWLINE = 0x0a

const written = <A>(cells: ReadonlyArray<A>, write: (to: RowBytes, cell: A) => void): string => {
  const rows = new RowBytes()
  for (const cell of cells) write(rows, cell)
  return new TextDecoder().decode(rows.bytes)
}

const asString = (cells: ReadonlyArray<unknown>): string => cells.map((cell) => `${cell ?? ""}\n`).join("")

const dollars = (to: RowBytes, amount: number | null) => to.dollars(amount, NEWLINE)
const integer = (to: RowBytes, number: number | null) => to.integer(number, NEWLINE)
const cell = (to: RowBytes, text: string | null) => to.cell(text, NEWLINE)

it("row bytes contain dollars and cents as String writes them", () => {
  const all = Array.from({ length: 100_000 }, (_, cents) => cents / 100)
  expect(written(all, dollars) === asString(all)).toBe(true)
  const amounts = fc.oneof(fc.nat({ max: 10 ** 15 }), fc.nat()).map((cents) => cents / 100)
  const cells = fc.array(fc.option(amounts))
  fc.assert(fc.property(cells, (some) => written(some, dollars) === asString(some)))
})

it("row bytes contain whole numbers as String writes them", () => {
  const all = [null, 0, 9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER]
  expect(written(all, integer)).toBe(asString(all))
  const cells = fc.array(fc.option(fc.oneof(fc.nat(), fc.maxSafeNat())))
  fc.assert(fc.property(cells, (some) => written(some, integer) === asString(some)))
})

it("row bytes contain any text of any length", () => {
  const cells = fc.array(fc.option(fc.string({ unit: "grapheme", size: "large" })))
  fc.assert(fc.property(cells, (some) => written(some, cell) === asString(some)))
  const long = ["é1".repeat(1 << 20), "1".repeat(1 << 22), null]
  expect(written(long, cell) === asString(long)).toBe(true)
  expect(written(long, (to, text) => to.text(`${text ?? ""}\n`)) === asString(long)).toBe(true)
})
