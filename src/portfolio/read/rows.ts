/**
 * Rows of a table put together into borrowers. A row that cannot be read may be a loan of the borrower before it or after
 * it, so both are refused: no borrower is ever computed from fewer loans than the table has of him.
 */
import { MOST_LOANS } from "../../../schema/bounds.ts"
import { ID } from "./columns.ts"
import { isPlainId, NOT_PLAIN } from "./ids.ts"
import type { InputChunk } from "./input.ts"

/** A row, as far as it could be read. `json` is its cells as an object; without cells, its `text` and what seems to be its id; a borrower is a whole one. */
export type Row =
  | { readonly kind: "loan"; readonly id: string; readonly json: string; readonly doubt?: string }
  | { readonly kind: "lost"; readonly reason: string; readonly json: string }
  | { readonly kind: "borrower"; readonly json: string }
  | { readonly kind: "blank" }

export const BLANK: Row = { kind: "blank" }

const NO_BORROWER_ID = "has no borrowerId: whose loan it is cannot be told"

/** Why the cell of its id keeps a row from being a loan of anybody, if it does. */
export const problemOfId = (cell: string): string | undefined => {
  if (cell.trim() === "") return NO_BORROWER_ID
  return isPlainId(cell) ? undefined : `has a ${ID} that ${NOT_PLAIN}: whose loan it is cannot be told`
}

/** A line as chunk.ts reads it, and how many rows of the file it is. */
interface Line {
  readonly file: string
  readonly text: string
  readonly rows: number
}

/** Rows of a borrower that are held at once. */
const MOST_ROWS = 2 * MOST_LOANS

const BESIDE =
  "stands beside a row that cannot be read, which may be another loan of this borrower: mend that row, and compute this borrower again"

const TOO_MANY = `has more than ${MOST_ROWS} rows: a borrower has 1 to ${MOST_LOANS} loans`

/**
 * How many rows after a lost one are in doubt: a line break in the middle of an id leaves a row that lacks all but the
 * beginning of its id, then one that looks whole under the rest of the id, and the next is again of the first.
 */
const IN_DOUBT_AFTER = 2

const list = (items: ReadonlyArray<string>): string => `[${items.join(",")}]`

/** The rows of one borrower, one after the other. */
class Group {
  readonly rows: Array<string> = []
  blanks = 0
  doubt: string | undefined
  readonly file: string
  readonly id: string

  constructor(file: string, id: string, doubt?: string) {
    this.file = file
    this.id = id
    this.doubt = doubt
  }

  *lines(): Generator<Line, void> {
    const { doubt, file, rows } = this
    const refused = doubt === undefined ? [] : [JSON.stringify(doubt)]
    yield { file, text: list([...refused, ...rows]), rows: rows.length }
    for (let blank = 0; blank < this.blanks; blank++) yield { file, text: "", rows: 1 }
  }
}

/** Takes the rows of all files in their order, and gives the lines that they come to. */
export class Borrowers {
  private held: Group | undefined
  private inDoubt = 0;

  *add(file: string, row: Row): Generator<Line, void> {
    switch (row.kind) {
      case "blank":
        if (this.held === undefined || this.held.file !== file) {
          yield* this.end()
          yield { file, text: "", rows: 1 }
        } else this.held.blanks++
        return
      case "lost":
        if (this.held !== undefined) this.held.doubt ??= BESIDE
        yield* this.end()
        yield { file, text: list([JSON.stringify(row.reason), row.json]), rows: 1 }
        this.inDoubt = IN_DOUBT_AFTER
        return
      case "borrower":
        yield* this.end()
        yield { file, text: row.json, rows: 1 }
        return
      case "loan":
        yield* this.loan(file, row)
    }
  }

  /** Rows of a borrower in two files are two groups, and so an id that occurs twice. */
  private *loan(file: string, { doubt, id, json }: Extract<Row, { kind: "loan" }>): Generator<Line, void> {
    if (this.held?.id !== id || this.held.file !== file) {
      yield* this.end()
      this.held = new Group(file, id)
    } else if (this.held.rows.length === MOST_ROWS) {
      this.held.doubt ??= TOO_MANY
      yield* this.held.lines()
      this.held = new Group(file, id, TOO_MANY)
    }
    if (doubt !== undefined) this.held.doubt ??= doubt
    if (this.inDoubt > 0) {
      this.inDoubt--
      this.held.doubt ??= BESIDE
    }
    this.held.rows.push(json)
  }

  /** After the last row. */
  *end(): Generator<Line, void> {
    if (this.held !== undefined) yield* this.held.lines()
    this.held = undefined
  }
}

const UTF_8 = new TextEncoder()

/** Borrowers of a chunk: some tenths of a second of work. */
const CHUNK_BORROWERS = 4000
const CHUNK_CHARACTERS = 1 << 23

/** Puts lines into chunks, each of one file. Where it cuts depends on the lines alone. */
export class Chunks {
  private texts: Array<string> = []
  private characters = 0
  private file = ""
  private firstRow = 1
  private nextRow = 1;

  *add({ file, rows, text }: Line, share: number | null): Generator<InputChunk, void> {
    if (file !== this.file) {
      yield* this.cut(share)
      this.file = file
      this.firstRow = 1
      this.nextRow = 1
    }
    this.texts.push(text)
    this.characters += text.length
    this.nextRow += rows
    if (this.texts.length === CHUNK_BORROWERS || this.characters >= CHUNK_CHARACTERS) yield* this.cut(share)
  }

  *cut(share: number | null): Generator<InputChunk, void> {
    if (this.texts.length > 0) {
      yield {
        file: this.file,
        lines: UTF_8.encode(this.texts.join("\n")),
        isTable: true,
        firstRow: this.firstRow,
        share
      }
    }
    this.texts = []
    this.characters = 0
    this.firstRow = this.nextRow
  }
}
