/** The documents that people write: their size, and what the README says of rules and figures. */
import { globSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"
import PLANS from "../docs/examples/plans.json" with { type: "json" }
import { releasedAtUtc, ruleVersion } from "../ledger/release.ts"
import { type Projection, type ProjectionRequest, project } from "../src/library/index.ts"
import { monthDayYear } from "../src/messages/figures.ts"

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

/** The first payment of loans of docs/examples/plans.json under Repayment Assistance. */
const paymentOf = (loans: ReadonlyArray<(typeof PLANS.loans)[number]>): number => {
  const request = { scenario: { ...PLANS.scenario, planType: "REPAYMENT ASSISTANCE" }, loans } as ProjectionRequest
  return (project(request, { start: { year: 2026, month: 12 } }) as Projection).year1MonthlyPayment
}

it("the README names the rules of this release, and its picture has their figures", () => {
  expect(textOf("README.md")).toContain(`${monthDayYear(releasedAtUtc)}: rules \`${ruleVersion}\``)
  const alone = PLANS.loans.map((loan) => paymentOf([loan]))
  const sum = alone.reduce((total, payment) => total + payment)
  const shown = textOf("docs/pictures/one-book.svg").match(/(?<=>)\$\d+/g)
  expect(shown).toEqual([...alone, paymentOf(PLANS.loans), sum, paymentOf(PLANS.loans)].map((payment) => `$${payment}`))
})

it("a decision has at most 60 lines", () => {
  expect(DECISIONS.length).toBeGreaterThan(30)
  expect(DECISIONS.filter((file) => textOf(file).trimEnd().split("\n").length > 60)).toEqual([])
})

it("a line has at most 100 columns", () => {
  expect([...PAGES, ...DECISIONS, ...globSync("*.md")].flatMap(tooLong)).toEqual([])
})
