/**
 * The wrapper of DuckDB, through which parquet is read and written. DuckDB is an optional
 * dependency, and only this file loads it.
 */
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api"
import { PortfolioProblem, problem } from "./problem.ts"

/**
 * DuckDB streams, and needs only part of this memory. Rows keep their order with any number of
 * threads. Readers of parquet, CSV and JSON are built in, so extensions are neither downloaded nor
 * loaded from disk.
 */
const SETTINGS = {
  memory_limit: "1GB",
  preserve_insertion_order: "true",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
  lock_configuration: "true"
}

/** Leaves the other processors to the threads that compute. */
const ONE_THREAD = 1

const NOT_INSTALLED =
  "Parquet files are read and written through DuckDB, which is not installed here: npm install @duckdb/node-api"

/** Columns of a result, one array each. */
export type Columns = ReadonlyArray<ReadonlyArray<DuckDBValue>>

export interface DuckDB {
  /** Runs a statement with a small result. */
  readonly all: (sql: string) => Promise<Columns>
  /** Streams a result in query order and on demand, a few thousand rows at a time. */
  readonly stream: (sql: string) => AsyncGenerator<Columns, void>
}

/**
 * Reader option. Without it, a folder named `state=NC` overrides the column `state` of the files in
 * the folder.
 */
export const NO_HIVE_PARTITIONS = "hive_partitioning = false"

export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The name of a local file to read, with glob characters escaped. */
export const sqlFile = (name: string): string => sqlText(name.replaceAll(/[*?[]/g, "[$&]"))

export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The first line of DuckDB's message, without the error class. */
const messageOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).split("\n", 1)[0]!.replace(/^[A-Z]\w*( \w+)* Error: /, "")

/** A failure of DuckDB with a file, as a problem of one line. */
export const failedWith = (what: string, cause: unknown): PortfolioProblem =>
  cause instanceof PortfolioProblem ? cause : problem(`${what}: ${messageOf(cause)}`)

const load = async () => {
  try {
    return await import("@duckdb/node-api")
  } catch {
    throw problem(NOT_INSTALLED)
  }
}

/** @throws PortfolioProblem if DuckDB is not installed */
export const needDuckDB = async (): Promise<void> => {
  await load()
}

const using = (connection: DuckDBConnection): DuckDB => ({
  all: async (sql) => (await connection.runAndReadAll(sql)).getColumns(),
  stream: async function* (sql) {
    for await (const chunk of await connection.stream(sql)) yield chunk.getColumns()
  }
})

/** @param scratch folder for data that exceed memory; without one such a query fails */
const open = async (scratch = "", threads = ONE_THREAD) => {
  const { DuckDBInstance } = await load()
  const settings = { ...SETTINGS, threads: String(threads), temp_directory: scratch }
  const instance = await DuckDBInstance.create(":memory:", settings)
  const connection = await instance.connect()
  const close = (): void => {
    connection.closeSync()
    instance.closeSync()
  }
  return { duck: using(connection), close }
}

/** Opens a separate DuckDB instance for the duration of `use`. */
export const withDuckDB = async <A>(
  use: (duck: DuckDB) => Promise<A>,
  scratch?: string,
  threads?: number
): Promise<A> => {
  const { close, duck } = await open(scratch, threads)
  return use(duck).finally(close)
}

/** The rows of a query, from a separate DuckDB instance that is closed at the end of iteration. */
export async function* streamed(sql: string): AsyncGenerator<Columns, void> {
  const { close, duck } = await open()
  try {
    yield* duck.stream(sql)
  } finally {
    close()
  }
}
