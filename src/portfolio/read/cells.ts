/**
 * The strict parser of one CSV line (RFC 4180, without line breaks in cells). If quoted cells could
 * span lines, one lost quote would silently swallow all rows up to the next quote.
 */

const QUOTE = '"'

export class Unreadable {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

const OPEN = new Unreadable(
  "a quoted cell does not end in its line: a quote is missing, or the cell holds a line break, which no cell may"
)
const AFTER_QUOTE = new Unreadable("text follows a closing quote: a quote inside a quoted cell is written twice")
const QUOTE_INSIDE = new Unreadable("a cell contains a quote but does not begin with one")

/**
 * The position of the quote that closes a cell, or -1. The cell's text begins at `from`; quotes
 * within it are doubled.
 */
const closingQuote = (line: string, from: number): number => {
  let at = line.indexOf(QUOTE, from)
  while (at !== -1 && line[at + 1] === QUOTE) at = line.indexOf(QUOTE, at + 2)
  return at
}

const quotedCells = (line: string, separator: string): ReadonlyArray<string> | Unreadable => {
  const cells: Array<string> = []
  for (let at = 0; ; at++) {
    if (line[at] === QUOTE) {
      const end = closingQuote(line, at + 1)
      if (end === -1) return OPEN
      cells.push(line.slice(at + 1, end).replaceAll('""', QUOTE))
      at = end + 1
      if (at < line.length && line[at] !== separator) return AFTER_QUOTE
    } else {
      const next = line.indexOf(separator, at)
      const end = next === -1 ? line.length : next
      const cell = line.slice(at, end)
      if (cell.includes(QUOTE)) return QUOTE_INSIDE
      cells.push(cell)
      at = end
    }
    if (at >= line.length) return cells
  }
}

/** @param separator one character */
export const cellsOf = (line: string, separator: string): ReadonlyArray<string> | Unreadable =>
  line.includes(QUOTE) ? quotedCells(line, separator) : line.split(separator)
