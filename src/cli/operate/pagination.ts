/**
 * Long lists, printed page by page: as one JSON document, or as a table that repeats its head. A
 * reader that closes the pipe ends the list. Each command sets its own limit of rows.
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
  /** The member of the JSON document that holds the rows. */
  readonly name: string
  /** The members before it. */
  readonly before: Readonly<Record<string, unknown>>
  readonly columns: ReadonlyArray<Column<Row>>
  /** The table's text when there are no rows. */
  readonly none: string
  /** Passes each page to `take`, and returns the number of rows. */
  readonly pages: (take: Take<Row>) => Effect.Effect<number, E, R>
}

const indented = (text: string, by: string): string => by + text.replaceAll("\n", `\n${by}`)

/** Prints the same document as `show`. The last row is kept back until its comma is decided. */
const showJson = Effect.fnUntraced(function* <Row, E, R>({ before, name, pages }: Listing<Row, E, R>) {
  const empty = jsonText({ ...before, [name]: [] })
  let lastRow: string | null = null
  yield* pages((page) => {
    const rows = page.map((row) => indented(jsonText(row), "    "))
    const lines = lastRow === null ? [empty.slice(0, -"]\n}".length)] : [`${lastRow},`]
    lastRow = rows.pop() ?? null
    return printPart([...lines, ...rows.map((row) => `${row},`)].join("\n"))
  })
  yield* printPart(lastRow === null ? empty : `${lastRow}\n  ]\n}`)
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

/** A list at its limit may be incomplete. */
export const sayIfFull = (count: number, limit: number | null, which: string) =>
  limit === null || count < limit ? Effect.void : say(`Only the ${which} ${limit} are shown; --all shows all.`)
