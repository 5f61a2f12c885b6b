/** The reader of CSV files: the first line names the columns; each other line is a row of text. */

import { expectColumns } from "./carry.ts"
import { cellsOf, Unreadable } from "./cells.ts"
import { checkColumns, FLAT, ID } from "./columns.ts"
import { seemingId } from "./ids.ts"
import { REPLACED, UTF_8 } from "./input.ts"
import { linesOf } from "./lines.ts"
import { problem } from "./problem.ts"
import { BLANK, problemOfId, type Row } from "./rows.ts"
import type { Source } from "./sources.ts"

const NOT_UTF8 = new Unreadable("is not UTF-8: save the table as UTF-8")
const RETURN = new Unreadable("holds a carriage return, which no cell may")

const CUT =
  "is the last row, and its line does not end: the file may have been cut within it. Where it is whole, end the file with a line break"

const SEPARATORS = [",", ";", "\t", "|"]

export interface Dialect {
  readonly separator: string
  readonly names: ReadonlyArray<string>
}

export interface TableOptions {
  /** One character; detected if undefined. */
  readonly separator: string | undefined
  readonly ignore: ReadonlyArray<string>
  readonly carry?: ReadonlyArray<string>
  /** Base of relative names; by default the working directory. */
  readonly folder?: string | undefined
}

const namesIn = (header: string, separator: string): ReadonlyArray<string> => {
  const cells = cellsOf(header, separator)
  return cells instanceof Unreadable ? [] : cells.map((cell) => cell.trim())
}

/** Detects the separator: the one that yields the most known column names. */
const detectSeparator = (header: string): string => {
  const known = (separator: string) => namesIn(header, separator).filter((name) => FLAT.columns.includes(name)).length
  return SEPARATORS.reduce((best, separator) => (known(separator) > known(best) ? separator : best))
}

const NO_TEXT = new RegExp(`[${REPLACED}\\0\\r]`)

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line)

/**
 * Reads the first line.
 * @throws PortfolioProblem if it does not name the columns of borrowers and loans
 */
export const dialectOf = async (
  source: Source,
  { carry = [], ignore, separator: chosen }: TableOptions
): Promise<Dialect> => {
  for await (const { isOpen, lines } of linesOf(source)) {
    const [first = "", ...others] = UTF_8.decode(lines).split("\n", 2)
    const header = withoutReturn(first)
    if (header.trim() === "" || NO_TEXT.test(header))
      throw problem(`${source.name}: does not begin with a line of UTF-8 text that names the columns`)
    if (isOpen && others.length === 0) throw problem(`${source.name}: ends within its first line`)
    const separator = chosen ?? detectSeparator(header)
    const names = namesIn(header, separator)
    checkColumns(source.name, FLAT, names, ignore, carry)
    expectColumns(source.name, carry, names)
    return { separator, names }
  }
  throw problem(`${source.name}: is empty: the first line names the columns`)
}

const isEmpty = (text: string): boolean => text.trim() === ""

/** Reads the lines of a file whose first line has been read. */
class RowReader {
  private readonly dialect: Dialect
  private readonly kept: ReadonlyArray<readonly [index: number, name: string]>

  constructor(dialect: Dialect, ignore: ReadonlyArray<string>) {
    this.dialect = dialect
    this.kept = [...dialect.names.entries()].filter(([, name]) => !ignore.includes(name))
  }

  read(line: string, isCut: boolean): Row {
    const text = withoutReturn(line)
    if (isEmpty(text)) return BLANK
    const cells = this.cellsIn(text)
    if (cells instanceof Unreadable) return this.lost(cells.reason, text)
    if (cells.every(isEmpty)) return BLANK
    const row: Record<string, string> = {}
    for (const [index, name] of this.kept) if (cells[index] !== "") row[name] = cells[index]!
    const id = row[ID] ?? ""
    const idProblem = problemOfId(id)
    if (idProblem !== undefined) return this.lost(idProblem, text)
    const json = JSON.stringify(row)
    return isCut ? { kind: "loan", id, json, doubt: CUT } : { kind: "loan", id, json }
  }

  private cellsIn(text: string): ReadonlyArray<string> | Unreadable {
    const { names, separator } = this.dialect
    if (text.includes(REPLACED)) return NOT_UTF8
    if (text.includes("\r")) return RETURN
    const cells = cellsOf(text, separator)
    if (cells instanceof Unreadable || cells.length === names.length) return cells
    return new Unreadable(`has ${cells.length} cells where the first line names ${names.length} columns`)
  }

  /**
   * Makes an unreadable row. It has the id that the row seems to have, so that other rows with that
   * id are rejected.
   */
  private lost(reason: string, text: string): Row {
    const { names, separator } = this.dialect
    const cell = text.split(separator)[names.indexOf(ID)] ?? ""
    return { kind: "lost", reason, json: JSON.stringify({ [ID]: seemingId(cell.replaceAll('"', "")), text }) }
  }
}

/** The rows after the first line, in batches, each with the share of the file read, 0 to 1. */
export async function* csvRows(
  source: Source,
  dialect: Dialect,
  ignore: ReadonlyArray<string>
): AsyncGenerator<{ readonly rows: Iterable<Row>; readonly part: number }, void> {
  const reader = new RowReader(dialect, ignore)
  for await (const { firstRow, isOpen, lines, part } of linesOf(source)) {
    const texts = UTF_8.decode(lines).split("\n")
    const last = texts.length - 1
    const rows = texts.map((text, index) => reader.read(text, isOpen && index === last))
    yield { rows: firstRow === 1 ? rows.slice(1) : rows, part }
  }
}
