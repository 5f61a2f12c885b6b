/** docs/portfolios.md lists the columns that there are. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { BORROWER_COLUMNS, LOAN_COLUMNS } from "../../src/portfolio/borrower.ts"
import { REQUIRED } from "../../src/portfolio/input/columns.ts"
import { COLUMNS } from "../../src/portfolio/results.ts"

const page = readFileSync("docs/portfolios.md", "utf8")

const rows = (lines: ReadonlyArray<string>): string => `|---|\n${lines.join("\n")}\n\n`

it.each([
  ["borrower", BORROWER_COLUMNS],
  ["loan", LOAN_COLUMNS]
])("of a %s as they are read", (_of, names) => {
  expect(page).toContain(rows(names.map((name) => `| \`${name}\` | ${REQUIRED.get(name) ?? "may be left out"} |`)))
})

it("of results as they are written", () => {
  expect(page).toContain(
    rows(COLUMNS.map(({ description, name, type }) => `| \`${name}\` | ${type} | ${description} |`))
  )
})
