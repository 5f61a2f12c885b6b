/**
 * The grouping of table rows into borrowers, and of borrowers into chunks. An unreadable row may
 * belong to the borrower before or after it, so both are rejected. No borrower is ever computed
 * from only some of their loans.
 */
import { MAX_LOANS } from "../../../schema/bounds.ts"
import { ID } from "./columns.ts"
import { isPlainId, NOT_PLAIN } from "./ids.ts"
import { chunkShare, type InputChunk } from "./input.ts"

/**
 * A row, as far as it could be read. A lost row is unreadable. The `json` of a loan has its cells;
 * the `json` of a borrower has the whole borrower. The `json` of a lost row has its `text` and the
 * id that it seems to have.
 */
export type Row =
  | { readonly kind: "loan"; readonly id: string; readonly json: string; readonly doubt?: string }
  | { readonly kind: "lost"; readonly reason: string; readonly json: string }
  | { readonly kind: "borrower"; readonly json: string }
  | { readonly kind: "blank" }

export const BLANK: Row = { kind: "blank" }

const NO_BORROWER_ID = "has no borrowerId, so its borrower is unknown: add one"

/** The problem that makes a row's id unusable, if any. */
export const problemOfId = (cell: string): string | undefined => {
  if (cell.trim() === "") return NO_BORROWER_ID
  return isPlainId(cell) ? undefined : `has a ${ID} that ${NOT_PLAIN}: until then its borrower is unknown`
}

/** A line for chunk.ts, with the number of its first row in the file and of the rows it covers. */
interface Line {
  readonly file: string
  readonly text: string
  readonly row: number
  readonly rows: number
}

/** Limit of rows of one borrower in memory. */
const MAX_ROWS = 2 * MAX_LOANS

const NEXT_TO_UNREADABLE =
  "is next to a row that cannot be read, which may be another loan of this borrower: fix that row, then compute this borrower again"

const TOO_MANY = `has more than ${MAX_ROWS} rows: a borrower has 1 to ${MAX_LOANS} loans`

/**
 * The number of rows in doubt after an unreadable row. A line break inside an id splits its row
 * into two. The first half is unreadable; the second looks complete, with the rest of the id as its
 * id. The next row may belong to the first borrower again.
 */
const IN_DOUBT_AFTER = 2

const list = (items: ReadonlyArray<string>): string => `[${items.join(",")}]`

class Group {
  readonly rows: Array<string> = []
  blanks = 0
  doubt: string | undefined
  readonly file: string
  readonly row: number
  readonly id: string

  constructor(file: string, row: number, id: string, doubt?: string) {
    this.file = file
    this.row = row
    this.id = id
    this.doubt = doubt
  }

  *lines(): Generator<Line, void> {
    const { blanks, doubt, file, row, rows } = this
    const refused = doubt === undefined ? [] : [JSON.stringify(doubt)]
    yield { file, text: list([...refused, ...rows]), row, rows: rows.length }
    for (let blank = 0; blank < blanks; blank++) yield { file, text: "", row: row + rows.length + blank, rows: 1 }
  }
}

/** A number as a spreadsheet shortens it, such as 1.23457E+11 or, in some languages, 1,23457E+11. */
const SCIENTIFIC = /^[+-]?\d+([.,]\d+)?e[+-]?\d+$/i

/** Limit of warnings about single borrowers. */
const MAX_WARNINGS = 3

/** Turns the rows of all files, in order, into lines of borrowers. */
export class Borrowers {
  private readonly firstRow: number
  private current: Group | undefined
  private inDoubt = 0
  private file = ""
  private row = 0
  private shortened = 0
  private readonly ofShortened: Array<string> = []

  /** @param firstRow number of the first row of a file: in CSV line 2, after the header */
  constructor(firstRow: number) {
    this.firstRow = firstRow
  }

  /** Ids that a spreadsheet may have shortened, so that several borrowers share one. */
  get warnings(): ReadonlyArray<string> {
    const more = this.shortened - this.ofShortened.length
    return more === 0 ? this.ofShortened : [...this.ofShortened, `The same is true of ${more} more.`]
  }

  *add(file: string, row: Row): Generator<Line, void> {
    this.row = file === this.file ? this.row + 1 : this.firstRow
    this.file = file
    const at = { file, row: this.row, rows: 1 }
    switch (row.kind) {
      case "blank":
        if (this.current === undefined || this.current.file !== file) {
          yield* this.end()
          yield { ...at, text: "" }
        } else this.current.blanks++
        return
      case "lost":
        if (this.current !== undefined) this.current.doubt ??= NEXT_TO_UNREADABLE
        yield* this.end()
        yield { ...at, text: list([JSON.stringify(row.reason), row.json]) }
        this.inDoubt = IN_DOUBT_AFTER
        return
      case "borrower":
        yield* this.end()
        yield { ...at, text: row.json }
        return
      case "loan":
        yield* this.loan(file, row)
    }
  }

  /** Rows of one borrower in two files form two groups, and so are rejected as a duplicate id. */
  private *loan(file: string, { doubt, id, json }: Extract<Row, { kind: "loan" }>): Generator<Line, void> {
    if (this.current?.id !== id || this.current.file !== file) {
      yield* this.end()
      this.current = new Group(file, this.row, id)
    } else if (this.current.rows.length === MAX_ROWS) {
      this.current.doubt ??= TOO_MANY
      yield* this.current.lines()
      this.current = new Group(file, this.row, id, TOO_MANY)
    } else if (this.current.rows.length === 1 && SCIENTIFIC.test(id)) this.warn(this.current)
    if (doubt !== undefined) this.current.doubt ??= doubt
    if (this.inDoubt > 0) {
      this.inDoubt--
      this.current.doubt ??= NEXT_TO_UNREADABLE
    }
    this.current.rows.push(json)
  }

  private warn({ file, row }: Group): void {
    this.shortened++
    if (this.ofShortened.length < MAX_WARNINGS)
      this.ofShortened.push(
        `${file}: rows ${row} and ${this.row} count as one borrower, but their ${ID} looks like a number that a spreadsheet has shortened. If they are two borrowers, export the ids as text.`
      )
  }

  /** Call after the last row. */
  *end(): Generator<Line, void> {
    if (this.current !== undefined) yield* this.current.lines()
    this.current = undefined
  }
}

const UTF_8 = new TextEncoder()

/** Borrowers of a full chunk: some tenths of a second of work. */
const CHUNK_BORROWERS = 4000
const CHUNK_CHARACTERS = 1 << 23

/** Cuts lines into chunks, each of one file. The cuts depend only on the lines. */
export class Chunks {
  private texts: Array<string> = []
  private characters = 0
  private file = ""
  private firstRow = 1
  private chunks = 0;

  *add({ file, row, text }: Line, share: number | null): Generator<InputChunk, void> {
    if (file !== this.file) yield* this.cut(share)
    this.file = file
    if (this.texts.length === 0) this.firstRow = row
    this.texts.push(text)
    this.characters += text.length
    if (this.texts.length >= CHUNK_BORROWERS * chunkShare(this.chunks) || this.characters >= CHUNK_CHARACTERS)
      yield* this.cut(share)
  }

  *cut(share: number | null): Generator<InputChunk, void> {
    if (this.texts.length > 0) {
      this.chunks++
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
  }
}
