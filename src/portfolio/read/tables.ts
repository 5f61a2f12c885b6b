/** Tables as chunks: CSV and parquet with a row for each loan, parquet also with a row for each borrower and a list of loans. */
import { Effect } from "effect"
import { csvRows, dialectOf, type TableOptions } from "./csv.ts"
import type { Input, InputChunk } from "./input.ts"
import { contentsOf, parquetRows } from "./parquetRows.ts"
import { Borrowers, Chunks, type Row } from "./rows.ts"
import { changedOf, fingerprintOf, type Source, sharesOf, sourcesOf } from "./sources.ts"

/** Some rows of a file, and how much of the file has been read with them, 0 to 1. */
interface Read {
  readonly rows: Iterable<Row>
  readonly part: number
}

type ReadRows<A> = (source: Source, begun: A) => AsyncIterable<Read>

/** Every file has been looked into, so that nothing is computed where one of them is wrong. */
interface Begun<A> {
  readonly source: Source
  readonly begun: A
}

async function* chunksOf<A>(all: ReadonlyArray<Begun<A>>, rowsOf: ReadRows<A>): AsyncGenerator<InputChunk, void> {
  const borrowers = new Borrowers()
  const chunks = new Chunks()
  const shares = sharesOf(all.map(({ source }) => source))
  for (const { begun, source } of all) {
    for await (const { part, rows } of rowsOf(source, begun)) {
      const share = shares.of(source, part)
      for (const row of rows) for (const line of borrowers.add(source.name, row)) yield* chunks.add(line, share)
    }
    shares.next(source)
  }
  for (const line of borrowers.end()) yield* chunks.add(line, 1)
  yield* chunks.cut(1)
}

/** Files that are looked into at the same time, each with some megabytes. */
const LOOKED_INTO = 8

const begin = async <A>(
  files: ReadonlyArray<string>,
  folder: string | undefined,
  look: (source: Source) => Promise<A>
) => {
  const sources = await sourcesOf(files, folder)
  const begunOf = (source: Source) =>
    Effect.map(Effect.tryPromise({ try: () => look(source), catch: (cause) => cause }), (begun) => ({ source, begun }))
  const all: ReadonlyArray<Begun<A>> = await Effect.runPromise(
    Effect.forEach(sources, begunOf, { concurrency: LOOKED_INTO })
  )
  return { sources, all }
}

/** @throws PortfolioProblem when the first line of one of the files is wrong */
export const csvFiles = async (files: ReadonlyArray<string>, options: TableOptions): Promise<Input> => {
  const { all, sources } = await begin(files, options.folder, (source) => dialectOf(source, options))
  return {
    files: sources,
    fingerprint: fingerprintOf(sources, ...all.map(({ begun }) => begun.separator)),
    changed: () => changedOf(sources),
    chunks: () => chunksOf(all, (source, dialect) => csvRows(source, dialect, options.ignore))
  }
}

/** @throws PortfolioProblem when one of the files is no parquet file, or has other columns */
export const parquetFiles = async (files: ReadonlyArray<string>, { folder, ignore }: TableOptions): Promise<Input> => {
  const { all, sources } = await begin(files, folder, (source) => contentsOf(source, ignore))
  return {
    files: sources,
    fingerprint: fingerprintOf(sources),
    changed: () => changedOf(sources),
    chunks: () => chunksOf(all, parquetRows)
  }
}
