/**
 * Rows of a table as one borrower. Cells may be text, as in a CSV file, or what a parquet file says they are; an empty cell
 * is one that was not sent. The values themselves are judged by the schema of a borrower.
 */
import { BORROWER_COLUMNS, LOAN_COLUMNS } from "./borrower.ts"

export type Cells = Readonly<Record<string, unknown>>

/** Columns that hold text, and so are read as they stand. */
const TEXTS: ReadonlySet<string> = new Set(["borrowerId", "filingStatus", "state", "currentPlan", "loanType"])

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false]
])

/** A number as JSON has it, and with zeros in front. */
const NUMBER = /^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$/

const valueOf = (column: string, cell: unknown): unknown => {
  if (typeof cell !== "string") return TEXTS.has(column) && typeof cell === "number" ? String(cell) : cell
  if (TEXTS.has(column)) return cell
  const text = cell.trim()
  if (NUMBER.test(text)) return Number(text)
  return FLAGS.get(text.toLowerCase()) ?? cell
}

const isEmpty = (cell: unknown): boolean =>
  cell === null || cell === undefined || (typeof cell === "string" && cell.trim() === "")

const pick = (row: Cells, columns: ReadonlyArray<string>): Record<string, unknown> => {
  const picked: Record<string, unknown> = {}
  for (const column of columns) {
    if (!isEmpty(row[column])) picked[column] = valueOf(column, row[column])
  }
  return picked
}

/** One borrower from his own cells and those of his loans. */
export const borrowerWithLoans = (own: Cells, loans: ReadonlyArray<Cells>): unknown => ({
  ...pick(own, BORROWER_COLUMNS),
  loans: loans.map((loan) => pick(loan, LOAN_COLUMNS))
})

/** The rows of one borrower, or the first column of the household in which they do not agree. */
export const borrowerOfRows = (
  rows: ReadonlyArray<Cells>
): { readonly borrower: unknown } | { readonly differing: string; readonly index: number } => {
  const [first = {}] = rows
  const own = pick(first, BORROWER_COLUMNS)
  for (const [index, row] of rows.entries()) {
    const other = pick(row, BORROWER_COLUMNS)
    const differing = BORROWER_COLUMNS.find((column) => other[column] !== own[column])
    if (differing !== undefined) return { differing, index }
  }
  return { borrower: borrowerWithLoans(first, rows) }
}
