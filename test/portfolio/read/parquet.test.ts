/** The writer of parquet: its bytes do not depend on the number of threads. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { writeParquet } from "../../../src/portfolio/results/parquet.ts"
import { ofRun, type Question } from "../../../src/portfolio/results/portfolio.ts"
import { RowBytes } from "../../../src/portfolio/results/rowBytes.ts"
import { type ResultRow, WRITING } from "../../../src/portfolio/results/rows.ts"
import { portfolioFolder } from "../../support/portfolios.ts"

const { folder, path, write } = portfolioFolder()

/** More rows than two row groups of DuckDB, in parts of different sizes. */
const PARTS = 7
const ROWS = 45_000

const QUESTION: Question = { plans: ["STANDARD"], baseline: "STANDARD", start: { year: 2027, month: 1 } }

const rowOf = (number: number): ResultRow => ({
  borrowerId: `B${number}`,
  planType: "STANDARD",
  outcome: "answered",
  reason: null,
  year1MonthlyPayment: number % 900,
  monthsToFinish: number % 360,
  payoffOrForgivenessDate: "2034-03-01",
  totalOutOfPocket: number / 100,
  amountForgiven: 0,
  forgivenessTaxesOwed: 0,
  totalCost: number / 100,
  forgivenessType: "None",
  loansBeside: 0,
  isLowest: number % 3 === 0,
  ...ofRun(QUESTION),
  answerId: null
})

const partOf = (part: number): string => {
  const rows = new RowBytes()
  for (let row = 0; row < ROWS + part * 1000; row++) WRITING.cells.write(rows, rowOf(part * 1_000_000 + row))
  return write(`part-${part}.rows`, new TextDecoder().decode(rows.bytes))
}

it("parquet results have the same bytes with one thread and with several", async () => {
  const parts = Array.from({ length: PARTS }, (_, part) => partOf(part))
  const hashes: Array<string> = []
  for (const threads of [1, 2, 5]) {
    await writeParquet(parts, path("out.parquet"), { question: QUESTION, out: "out.parquet", folder, threads })
    hashes.push(
      createHash("sha256")
        .update(readFileSync(path("out.parquet")))
        .digest("hex")
    )
  }
  expect(new Set(hashes).size).toBe(1)
})
