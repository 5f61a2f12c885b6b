/**
 * DuckDB, through which parquet is read and written. It is an optional part of an installation, and
 * this is the only file that loads it.
 */
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api"
import { PortfolioProblem, problem } from "./problem.ts"

/**
 * It reads and writes in streams, and needs a part of this memory. Rows keep their order, however
 * many threads there are. Readers of parquet, CSV and JSON are built in: no extension is
 * downloaded, and none that is on the disk is loaded.
 */
const SETTINGS = {
  memory_limit: "1GB",
  preserve_insertion_order: "true",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
  lock_configuration: "true"
}

/** The other processors are for those who compute. */
const ONE_THREAD = 1

const NOT_INSTALLED =
  "Parquet files are read and written through DuckDB, which is not installed here: npm install @duckdb/node-api"

/** Columns of a result, one array each. */
export type Columns = ReadonlyArray<ReadonlyArray<DuckDBValue>>

export interface DuckDB {
  /** Runs a statement to its end, whose result is small. */
  readonly all: (sql: string) => Promise<Columns>
  /** Some thousand rows at a time, in the order of the query, read as they are asked for. */
  readonly stream: (sql: string) => AsyncGenerator<Columns, void>
}

/** What every reader of files is told: else a folder named `state=NC` says what the state of all in it is, whatever the files say. */
export const AS_THEY_ARE = "hive_partitioning = false"

/** A text as SQL has it. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The name of a file here to be read: brackets, asterisks and question marks in it are its own. */
export const sqlFile = (name: string): string => sqlText(name.replaceAll(/[*?[]/g, "[$&]"))

/** A name as SQL has it. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The first sentence of what DuckDB says, without the class of its failure. */
const saidBy = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).split("\n", 1)[0]!.replace(/^[A-Z]\w*( \w+)* Error: /, "")

/** What DuckDB could not do with a file, in one clear line. */
export const failedWith = (what: string, cause: unknown): PortfolioProblem =>
  cause instanceof PortfolioProblem ? cause : problem(`${what}: ${saidBy(cause)}`)

const load = async () => {
  try {
    return await import("@duckdb/node-api")
  } catch {
    throw problem(NOT_INSTALLED)
  }
}

/** @throws PortfolioProblem when it is not installed */
export const needDuckDB = async (): Promise<void> => {
  await load()
}

const using = (connection: DuckDBConnection): DuckDB => ({
  all: async (sql) => (await connection.runAndReadAll(sql)).getColumns(),
  stream: async function* (sql) {
    for await (const chunk of await connection.stream(sql)) yield chunk.getColumns()
  }
})

/** @param scratch folder for what does not fit into memory; without one that fails */
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

/** A DuckDB of its own for as long as `use` takes. */
export const withDuckDB = async <A>(
  use: (duck: DuckDB) => Promise<A>,
  scratch?: string,
  threads?: number
): Promise<A> => {
  const { close, duck } = await open(scratch, threads)
  return use(duck).finally(close)
}

/** The rows of a query, from a DuckDB of its own, until they are read or given up. */
export async function* streamed(sql: string): AsyncGenerator<Columns, void> {
  const { close, duck } = await open()
  try {
    yield* duck.stream(sql)
  } finally {
    close()
  }
}
