/**
 * Input from tables: CSV and parquet with a row per loan, and parquet with a row per borrower and a
 * list of loans.
 */
import { Effect } from "effect"
import { csvRows, dialectOf, type TableOptions } from "./csv.ts"
import type { Input, InputChunk } from "./input.ts"
import { contentsOf, parquetRows } from "./parquetRows.ts"
import { fromPromise, type PortfolioProblem } from "./problem.ts"
import { Borrowers, Chunks, type Row } from "./rows.ts"
import { changedOf, type Source, sharesOf, sourcesOf } from "./sources.ts"

/** A batch of rows, and the share of the file read so far, 0 to 1. */
interface Batch {
  readonly rows: Iterable<Row>
  readonly part: number
}

type RowReader<A> = (source: Source, details: A) => AsyncIterable<Batch>

/**
 * A file whose columns have been checked. All files are checked before the first is computed, so
 * that a bad file stops the run at once.
 */
interface Inspected<A> {
  readonly source: Source
  readonly details: A
}

async function* chunksOf<A>(
  all: ReadonlyArray<Inspected<A>>,
  rowsOf: RowReader<A>,
  borrowers: Borrowers
): AsyncGenerator<InputChunk, void> {
  const chunks = new Chunks()
  const shares = sharesOf(all.map(({ source }) => source))
  for (const { details, source } of all) {
    for await (const { part, rows } of rowsOf(source, details)) {
      const share = shares.of(source, part)
      for (const row of rows) for (const line of borrowers.add(source.name, row)) yield* chunks.add(line, share)
    }
    shares.next(source)
  }
  for (const line of borrowers.end()) yield* chunks.add(line, 1)
  yield* chunks.cut(1)
}

/** Files inspected at the same time, each with some megabytes of memory. */
const MAX_OPEN_FILES = 8

/** The differences between kinds of tables. */
interface Kind<A> {
  readonly inspect: (source: Source) => Promise<A>
  readonly rowsOf: RowReader<A>
  /** The number of a file's first row. */
  readonly firstRow: number
}

const tableInput = Effect.fnUntraced(function* <A>(
  files: ReadonlyArray<string>,
  folder: string | undefined,
  { firstRow, inspect, rowsOf }: Kind<A>
): Effect.fn.Return<Input, PortfolioProblem> {
  const sources = yield* fromPromise(() => sourcesOf(files, folder))
  const inspected = (source: Source) => fromPromise(async () => ({ source, details: await inspect(source) }))
  const all = yield* Effect.forEach(sources, inspected, { concurrency: MAX_OPEN_FILES })
  let borrowers = new Borrowers(firstRow)
  return {
    files: sources,
    changed: () => changedOf(sources),
    chunks: () => {
      borrowers = new Borrowers(firstRow)
      return chunksOf(all, rowsOf, borrowers)
    },
    warnings: () => borrowers.warnings
  }
})

/** Fails if the first line of any file is wrong. */
export const csvFiles = (files: ReadonlyArray<string>, options: TableOptions) =>
  tableInput(files, options.folder, {
    inspect: (source) => dialectOf(source, options),
    rowsOf: (source, dialect) => csvRows(source, dialect, options.ignore),
    firstRow: 2
  })

/** Fails if any file is not parquet, or has other columns. */
export const parquetFiles = (files: ReadonlyArray<string>, { carry, folder, ignore }: TableOptions) =>
  tableInput(files, folder, {
    inspect: (source) => contentsOf(source, ignore, carry),
    rowsOf: parquetRows,
    firstRow: 1
  })
