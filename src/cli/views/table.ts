/** Tables that fit the screen: columns are dropped by priority. */
import type { Screen } from "../output.ts"
import { cut, padEnd, padStart, widthOf } from "./text.ts"

const GAP = 2

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  readonly align?: "left" | "right"
  /** The column with the highest number is dropped first; one without a number is always shown. */
  readonly dropPriority?: number
  /** The column may be truncated to this width before others are dropped. */
  readonly minWidth?: number
}

/** A right-aligned column. */
export const numbers = <Row>(title: string, cell: (row: Row) => string, dropPriority?: number): Column<Row> => ({
  title,
  cell,
  align: "right",
  ...(dropPriority === undefined ? {} : { dropPriority })
})

interface Fitted<Row> {
  readonly column: Column<Row>
  readonly width: number
}

interface Table {
  readonly head: string
  readonly rows: ReadonlyArray<string>
  /** Titles of the columns that do not fit. */
  readonly dropped: ReadonlyArray<string>
}

const totalWidth = (fitted: ReadonlyArray<{ readonly width: number }>): number =>
  fitted.reduce((sum, { width }) => sum + width + GAP, -GAP)

/** Drops columns until the rest fits, then gives the remaining width to truncated columns. */
const fitTo = <Row>(natural: ReadonlyArray<Fitted<Row>>, columns: number): ReadonlyArray<Fitted<Row>> => {
  const fitted = natural.map(({ column, width }) => ({ column, width: Math.min(width, column.minWidth ?? width) }))
  while (totalWidth(fitted) > columns) {
    const order = fitted.map(({ column }) => column.dropPriority ?? 0)
    const highest = Math.max(...order)
    if (highest === 0) break
    fitted.splice(order.lastIndexOf(highest), 1)
  }
  return fitted.map(({ column, width }) => {
    const wanted = natural.find((each) => each.column === column)!.width
    return { column, width: Math.min(wanted, width + Math.max(0, columns - totalWidth(fitted))) }
  })
}

const line = <Row>(fitted: ReadonlyArray<Fitted<Row>>, textOf: (column: Column<Row>) => string): string =>
  fitted
    .map(({ column, width }) => {
      const text = cut(textOf(column), width)
      return column.align === "right" ? padStart(text, width) : padEnd(text, width)
    })
    .join(" ".repeat(GAP))
    .trimEnd()

export const table = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  screenColumns: number
): Table => {
  const natural = columns.map((column) => ({
    column,
    width: rows.reduce((width, row) => Math.max(width, widthOf(column.cell(row))), widthOf(column.title))
  }))
  const fitted = fitTo(natural, screenColumns)
  return {
    head: line(fitted, ({ title }) => title),
    rows: rows.map((row) => line(fitted, ({ cell }) => cell(row))),
    dropped: columns.filter((each) => !fitted.some(({ column }) => column === each)).map(({ title }) => title)
  }
}

/** A table without remarks, as lines. */
export const tableLines = <Row>(
  columns: ReadonlyArray<Column<Row>>,
  rows: ReadonlyArray<Row>,
  { columns: width, style }: Screen
): ReadonlyArray<string> => {
  const drawn = table(columns, rows, width)
  return [style.bold(drawn.head), ...drawn.rows]
}

/** A definition list: names on the left, values on the right. */
export const definitionList = (
  pairs: ReadonlyArray<readonly [name: string, value: string]>,
  emphasize: (text: string) => string
): ReadonlyArray<string> => {
  const width = Math.max(...pairs.map(([name]) => widthOf(name)))
  return pairs.map(([name, value]) => `${padEnd(name, width)}${" ".repeat(GAP)}${emphasize(value)}`)
}
