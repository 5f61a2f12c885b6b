/**
 * Lists that may be long, printed a page at a time: as one JSON document, or as a table that has its head again on each
 * page. A reader who goes away ends the list. How many rows are asked for is the command's.
 */
import { Data, Effect } from "effect"
import type { CommandFailed } from "../failures.ts"
import { switchFlag } from "../flags.ts"
import type { CommandIo } from "../io.ts"
import { type Format, jsonText, printed, say, screen } from "../output.ts"
import { type Column, table } from "../views/table.ts"

class ReaderGone extends Data.TaggedError("ReaderGone") {}

const printPart = (text: string): Effect.Effect<void, CommandFailed | ReaderGone, CommandIo> =>
  Effect.flatMap(printed(text), (isTaken) => (isTaken ? Effect.void : Effect.fail(new ReaderGone())))

type Take<Row> = (page: ReadonlyArray<Row>) => Effect.Effect<void, CommandFailed | ReaderGone, CommandIo>

interface Listing<Row, E, R> {
  /** Of the rows in JSON. */
  readonly name: string
  /** What stands before them there. */
  readonly before: Readonly<Record<string, unknown>>
  readonly columns: ReadonlyArray<Column<Row>>
  /** What the table says instead of no row. */
  readonly none: string
  /** Hands on one page after the other, and returns the number of rows. */
  readonly pages: (take: Take<Row>) => Effect.Effect<number, E, R>
}

const indented = (text: string, by: string): string => by + text.replaceAll("\n", `\n${by}`)

/** The document that `show` would print of all rows at once. The last row is held back until it has a comma or not. */
const showJson = Effect.fnUntraced(function* <Row, E, R>({ before, name, pages }: Listing<Row, E, R>) {
  const empty = jsonText({ ...before, [name]: [] })
  let held: string | null = null
  yield* pages((page) => {
    const rows = page.map((row) => indented(jsonText(row), "    "))
    const lines = held === null ? [empty.slice(0, -"]\n}".length)] : [`${held},`]
    held = rows.pop() ?? null
    return printPart([...lines, ...rows.map((row) => `${row},`)].join("\n"))
  })
  yield* printPart(held === null ? empty : `${held}\n  ]\n}`)
})

const showTable = Effect.fnUntraced(function* <Row, E, R>({ columns, none, pages }: Listing<Row, E, R>) {
  const { columns: width, style } = yield* screen
  const count = yield* pages((page) => {
    const { head, rows } = table(columns, page, width)
    return printPart([style.bold(head.trimEnd()), ...rows.map((row) => row.trimEnd())].join("\n"))
  })
  if (count === 0) yield* printPart(none)
})

export const showPages = <Row, E, R>(format: Format, listing: Listing<Row, E, R>) =>
  Effect.catchIf(
    format.isJson ? showJson(listing) : showTable(listing),
    (error) => error instanceof ReaderGone,
    () => Effect.void
  )

export const allFlag = switchFlag("all", "All of them, however many")

/** A full list has left something off, perhaps. */
export const sayIfFull = (count: number, most: number | null, which: string) =>
  most === null || count < most ? Effect.void : say(`Only the ${which} ${most} are shown; --all shows all.`)
