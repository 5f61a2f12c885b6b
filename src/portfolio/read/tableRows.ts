/**
 * The conversion of one borrower's table rows into a borrower. Cells are text, as in CSV, or typed,
 * as in parquet; an empty cell means not sent. Values are validated later, by the borrower's
 * schema.
 */
import { isDeepStrictEqual } from "node:util"
import { scanJson } from "../../request/jsonScan.ts"
import { BORROWER_COLUMNS, isOwnList, LIST_MEMBERS, LOAN_COLUMNS, PAUSE_COLUMNS } from "./borrower.ts"
import { LOANS } from "./columns.ts"

export type Cells = Readonly<Record<string, unknown>>

const TEXTS: ReadonlySet<string> = new Set([
  ...["borrowerId", "filingStatus", "state", "currentPlan", "loanType"],
  ...["kind", PAUSE_COLUMNS.kind]
])

const MONTHS: ReadonlySet<string> = new Set(["from", "until", "on", PAUSE_COLUMNS.from, PAUSE_COLUMNS.until])
/** A month as a date, which is what parquet and spreadsheets have for it. */
const FIRST_DAY = /^(\d{4}-\d\d)-01$/

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false]
])

/** A JSON number; a plus sign, leading zeros and a bare decimal point are also accepted. */
const NUMBER = /^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$/

/**
 * A list from the cells of a list of structs, or from a cell of JSON. Text that is not JSON stays,
 * so that the schema refuses it.
 */
const listOf = (cell: unknown, members: ReadonlyArray<string> = []): unknown => {
  if (Array.isArray(cell)) return cell.map((item) => pick(item, members))
  if (typeof cell !== "string" || scanJson(cell) !== undefined) return cell
  const value: unknown = JSON.parse(cell)
  return typeof value === "object" ? value : cell
}

const valueOf = (column: string, cell: unknown): unknown => {
  if (isOwnList(column)) return listOf(cell, LIST_MEMBERS[column])
  // The positions of a pause.
  if (column === LOANS) return listOf(cell)
  if (typeof cell !== "string") return TEXTS.has(column) && typeof cell === "number" ? String(cell) : cell
  if (TEXTS.has(column)) return cell
  const text = cell.trim()
  if (MONTHS.has(column)) return text.replace(FIRST_DAY, "$1")
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
export const borrowerWithLoans = (own: Cells, loans: ReadonlyArray<Cells>) => ({
  ...pick(own, BORROWER_COLUMNS),
  loans: loans.map((loan) => pick(loan, LOAN_COLUMNS))
})

/** A pause of the loans at these positions; its other members are not validated yet. */
interface RowsPause {
  readonly loans: Array<number>
}

const OF_PAUSE = Object.values(PAUSE_COLUMNS)

/** The pauses in the columns of loans: equal ones are one pause of these loans. */
const pausesOf = (rows: ReadonlyArray<Cells>): ReadonlyArray<RowsPause> => {
  const pauses = new Map<string, RowsPause>()
  for (const [position, row] of rows.entries()) {
    const { pauseFrom: from, pauseKind: kind, pauseUntil: until } = pick(row, OF_PAUSE)
    const key = JSON.stringify([kind, from, until])
    const known = pauses.get(key)
    if (known !== undefined) known.loans.push(position)
    else if ((kind ?? from ?? until) !== undefined) pauses.set(key, { ...{ kind, from, until }, loans: [position] })
  }
  return [...pauses.values()]
}

type ColumnOf = (field: string) => string

/** The column of a member of a pause, at the pause's first loan. */
const columnIn =
  (pauses: ReadonlyArray<RowsPause>): ColumnOf =>
  (field) =>
    field.replace(
      /^pauses\[(\d+)\]\.(kind|from|until)$/,
      (_, index: string, name: keyof typeof PAUSE_COLUMNS) =>
        `${LOANS}[${pauses[Number(index)]!.loans[0]}].${PAUSE_COLUMNS[name]}`
    )

export interface OfRows {
  readonly borrower: unknown
  /** Names the column from which a field of the borrower was read; missing if it has the same name. */
  readonly columnOf?: ColumnOf
}

const TWO_WAYS = `must be empty beside ${OF_PAUSE.join(", ")}: send the pauses of a borrower in one of the two ways`

/** A borrower from rows, or a household column and what is wrong with it. */
export const borrowerOfRows = (
  rows: ReadonlyArray<Cells>
): OfRows | { readonly column: string; readonly problem: string } => {
  const [first = {}] = rows
  const own = pick(first, BORROWER_COLUMNS)
  for (const [index, row] of rows.entries()) {
    const other = pick(row, BORROWER_COLUMNS)
    const isOther = (column: string) => other[column] !== own[column] && !isDeepStrictEqual(other[column], own[column])
    const column = BORROWER_COLUMNS.find(isOther)
    if (column === undefined) continue
    const problem = `differs between loan 1 and loan ${index + 1} of this borrower: a borrower has one household`
    return { column, problem }
  }
  const pauses = pausesOf(rows)
  if (pauses.length === 0) return { borrower: borrowerWithLoans(first, rows) }
  if ("pauses" in own) return { column: "pauses", problem: TWO_WAYS }
  return { borrower: { ...borrowerWithLoans(first, rows), pauses }, columnOf: columnIn(pauses) }
}
