/** The size of the documents that people write: words in all, lines of a decision, columns of a line. */
import { globSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const textOf = (file: string): string => readFileSync(file, "utf8")
const wordsIn = (files: ReadonlyArray<string>): number =>
  files.flatMap((file) => textOf(file).match(/\S+/g) ?? []).length

const PAGES = globSync("docs/*.md")
const DECISIONS = globSync("docs/decisions/*.md")
const MAX_COLUMNS = 100

/** Lines beyond the columns, without code blocks, rows of tables and addresses, which cannot be wrapped. */
const tooLong = (file: string): ReadonlyArray<string> =>
  textOf(file)
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, "")
    .split("\n")
    .filter((line) => line.length > MAX_COLUMNS && !/^\||\]\(https?:|^\[[^\]]+\]: http/.test(line))
    .map((line) => `${file}: ${line}`)

it("the hand-written pages have at most 16,000 words, and the README 900", () => {
  expect(PAGES.length).toBeGreaterThan(20)
  expect(wordsIn(PAGES)).toBeLessThanOrEqual(16_000)
  expect(wordsIn(["README.md"])).toBeLessThanOrEqual(900)
})

it("a decision has at most 60 lines", () => {
  expect(DECISIONS.length).toBeGreaterThan(30)
  expect(DECISIONS.filter((file) => textOf(file).trimEnd().split("\n").length > 60)).toEqual([])
})

it("a line has at most 100 columns", () => {
  expect([...PAGES, ...DECISIONS, ...globSync("*.md")].flatMap(tooLong)).toEqual([])
})
