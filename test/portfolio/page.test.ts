/** The pages on portfolios: the columns are those of the code, and the examples run as shown. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { COLUMNS_PAGE, columnsPage } from "../../scripts/generate/columns.ts"
import { sqlText, withDuckDB } from "../../src/portfolio/read/duckdb.ts"
import { portfolioFolder, rowsById } from "../support/portfolios.ts"

const page = readFileSync("docs/portfolios.md", "utf8")

const { path, run, write } = portfolioFolder()

/** A code block of a language, counted from 0. */
const block = (kind: string, index = 0): string =>
  [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, "gms"))][index]?.[1] ?? ""

/** The borrower of the example of changes, with a list of structs. */
const STRUCTS = `
  SELECT 'A-1003' AS borrowerId, 52000 AS adjustedGrossIncome, 'Single' AS filingStatus,
    0 AS dependents, 'NC' AS state, false AS workingTowardsPslf, 50 AS extraMonthlyPayment,
    [{'fromYear': 3, 'filingStatus': 'MarriedFilingJointly', 'spouseAdjustedGrossIncome': 41000,
      'dependents': NULL},
     {'fromYear': 6, 'filingStatus': NULL, 'spouseAdjustedGrossIncome': NULL,
      'dependents': 2}] AS changes,
    'DIRECT STAFFORD UNSUBSIDIZED' AS loanType, 18250.75 AS principalBalance,
    0.0654 AS interestRate, DATE '2019-08-26' AS madeOn`

it("docs/generated/portfolio-columns.md is the generated page", () =>
  expect(readFileSync(COLUMNS_PAGE, "utf8")).toBe(columnsPage()))

describe("the example in docs/portfolios.md", () => {
  it("is computed as it is, and its JSON line equals the last borrower of its table", async () => {
    const table = await run([write("borrowers.csv", block("csv"))])
    expect(table.rejected).toEqual([])
    const rows = rowsById(table.bytes.toString())
    expect([...rows.keys()]).toEqual(["A-1001", "A-1002"])
    const line = await run([write("borrower.ndjson", block("json"))])
    expect(rowsById(line.bytes.toString())).toEqual(new Map([["A-1002", rows.get("A-1002")]]))
  })

  it("of pauses is computed as it is", async () => {
    const { rejected, summary } = await run([write("pauses.csv", block("csv", 1))])
    expect({ rejected, borrowers: summary.borrowers, loans: summary.loans }).toEqual({
      rejected: [],
      borrowers: 1,
      loans: 2
    })
    expect(summary.noted).not.toHaveProperty("remarks")
  })

  it("of changes has the same results in every format", async () => {
    await withDuckDB((duck) => duck.all(`COPY (${STRUCTS}) TO ${sqlText(path("changes.parquet"))}`))
    const line = await run([write("changes.ndjson", block("json", 1))])
    expect({ ids: [...rowsById(line.bytes.toString()).keys()], rejected: line.rejected }).toEqual({
      ids: ["A-1003"],
      rejected: []
    })
    for (const file of [write("changes.csv", block("csv", 2)), path("changes.parquet")])
      expect((await run([file])).bytes.toString()).toBe(line.bytes.toString())
  })
})
