/**
 * Results as parquet. The parts of a run are CSV; at its end DuckDB reads them in their order and writes one file. Amounts
 * are DECIMAL(18,2): they are whole cents, and so they and their sums stay exact in whatever reads them.
 */
import { writeFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { AS_THEY_ARE, failedWith, sqlFile, sqlText, withDuckDB } from "./duckdb.ts"
import { COLUMNS } from "./results.ts"
import { wholeFile } from "./wholeFile.ts"

const TYPES: Readonly<Record<(typeof COLUMNS)[number]["type"], string>> = {
  text: "VARCHAR",
  integer: "BIGINT",
  dollars: "DECIMAL(18,2)",
  date: "DATE",
  flag: "BOOLEAN"
}

/** The types of the columns, as DuckDB is told them. */
export const RESULT_TYPES = `{${COLUMNS.map(({ name, type }) => `${sqlText(name)}: ${sqlText(TYPES[type])}`).join(", ")}}`

/** As results.ts writes them: an empty cell is null. */
const AS_WRITTEN = `columns = ${RESULT_TYPES}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', nullstr = '', dateformat = '%Y-%m-%d', ${AS_THEY_ARE}`

/** A file that there always is: DuckDB reads no empty list of files. */
const NO_ROWS = "none.rows"

/**
 * Whole or not at all. All is computed by then, so that every processor may write; the bytes are the same with any number.
 * @param files of the folder
 */
export const writeParquet = async (
  folder: string,
  files: ReadonlyArray<string>,
  out: string,
  overwrite: boolean,
  threads: number = availableParallelism()
): Promise<void> => {
  const none = join(folder, NO_ROWS)
  await writeFile(none, "")
  const parts = [...files, none].map(sqlFile).join(", ")
  const rows = `FROM read_csv([${parts}], ${AS_WRITTEN})`
  await wholeFile(
    out,
    (draft) =>
      withDuckDB(
        (duck) => duck.all(`COPY (${rows}) TO ${sqlText(draft)} (FORMAT parquet, COMPRESSION zstd)`),
        folder,
        threads
      ).catch((cause) => {
        throw failedWith(`${out}: cannot be written`, cause)
      }),
    { folder, overwrite }
  )
}
