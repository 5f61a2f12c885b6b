/** Borrowers of portfolios as JSON lines, and the rows of their results. */
import type { ChunkResult } from "../../src/portfolio/results/portfolio.ts"
import { household, loan } from "./requests.ts"

/** A distinct borrower for each number, with incomes from low to high. */
export const borrowerOf = (number: number, loans = 3) => ({
  borrowerId: `B${number}`,
  ...household,
  adjustedGrossIncome: 20_000 + (number % 80) * 1000,
  annualIncomeGrowth: 0.03,
  loans: Array.from({ length: loans }, (_, slot) => ({
    ...loan,
    principalBalance: 4000 + ((number * 7 + slot) % 40) * 1000,
    idrMonthsInRepayment: (number + slot) % 90
  }))
})

export const linesOfBorrowers = (count: number, loans?: number): string =>
  Array.from({ length: count }, (_, number) => `${JSON.stringify(borrowerOf(number, loans))}\n`).join("")

const UTF_8 = new TextDecoder()

/** The parsed rows of a chunk in JSON lines. */
export const rowsIn = ({ rows }: ChunkResult) =>
  UTF_8.decode(rows)
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line))
