/**
 * The conversion of one borrower's table rows into a borrower. Cells are text, as in CSV, or typed,
 * as in parquet; an empty cell means not sent. Values are validated later, by the borrower's
 * schema.
 */
import { isDeepStrictEqual } from "node:util"
import { scanJson } from "../../request/jsonScan.ts"
import { BORROWER_COLUMNS, CHANGE_COLUMNS, LOAN_COLUMNS } from "./borrower.ts"
import { CHANGES } from "./columns.ts"

export type Cells = Readonly<Record<string, unknown>>

const TEXTS: ReadonlySet<string> = new Set(["borrowerId", "filingStatus", "state", "currentPlan", "loanType"])

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false]
])

/** A JSON number; a plus sign, leading zeros and a bare decimal point are also accepted. */
const NUMBER = /^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$/

/**
 * Changes from the cells of a list of structs, or from a cell of JSON. Text that is not JSON stays,
 * so that the schema refuses it.
 */
const changesOf = (cell: unknown): unknown => {
  if (Array.isArray(cell)) return cell.map((change) => pick(change, CHANGE_COLUMNS))
  if (typeof cell !== "string" || scanJson(cell) !== undefined) return cell
  const value: unknown = JSON.parse(cell)
  return typeof value === "object" ? value : cell
}

const valueOf = (column: string, cell: unknown): unknown => {
  if (column === CHANGES) return changesOf(cell)
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

/** A borrower from the cells of the household and of the loans. */
export const borrowerWithLoans = (own: Cells, loans: ReadonlyArray<Cells>): unknown => ({
  ...pick(own, BORROWER_COLUMNS),
  loans: loans.map((loan) => pick(loan, LOAN_COLUMNS))
})

/** A borrower from rows, or the first household column in which the rows differ. */
export const borrowerOfRows = (
  rows: ReadonlyArray<Cells>
): { readonly borrower: unknown } | { readonly differing: string; readonly index: number } => {
  const [first = {}] = rows
  const own = pick(first, BORROWER_COLUMNS)
  for (const [index, row] of rows.entries()) {
    const other = pick(row, BORROWER_COLUMNS)
    const isOther = (column: string) => other[column] !== own[column] && !isDeepStrictEqual(other[column], own[column])
    const differing = BORROWER_COLUMNS.find(isOther)
    if (differing !== undefined) return { differing, index }
  }
  return { borrower: borrowerWithLoans(first, rows) }
}
