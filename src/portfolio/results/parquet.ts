/**
 * Results as parquet. The parts of a run are cells; at its end DuckDB reads them in their order and writes one file. Amounts
 * are DECIMAL(18,2): they are whole cents, and so they and their sums stay exact in whatever reads them.
 */
import { writeFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { AS_THEY_ARE, failedWith, sqlFile, sqlName, sqlText, withDuckDB } from "../read/duckdb.ts"
import { writeWhole } from "./outputPaths.ts"
import { ofRun, type Question } from "./portfolio.ts"
import { COLUMNS } from "./rows.ts"

const TYPES: Readonly<Record<(typeof COLUMNS)[number]["type"], string>> = {
  text: "VARCHAR",
  integer: "BIGINT",
  dollars: "DECIMAL(18,2)",
  date: "DATE",
  flag: "BOOLEAN"
}

/** The types of the columns, as DuckDB is told them. */
export const RESULT_TYPES = `{${COLUMNS.map(({ name, type }) => `${sqlText(name)}: ${sqlText(TYPES[type])}`).join(", ")}}`

const oneOf = (texts: ReadonlyArray<string>): string => `ENUM(${texts.map(sqlText).join(", ")})`

/**
 * A text of which all are known is written faster than another one, and is as much a text to whatever reads it. DuckDB
 * takes them for what the column holds where it sums it up in the file: of plans, those that were asked for.
 */
const typeOf = ({ known, name, type }: (typeof COLUMNS)[number], { plans }: Question): string =>
  known === undefined ? TYPES[type] : oneOf(name === "planType" ? plans : known)

/** Rows as rows.ts writes them: an empty cell is null. */
const cellsIn = (files: ReadonlyArray<string>, question: Question): string => {
  const same = ofRun(question)
  const types = COLUMNS.filter(({ name }) => !(name in same)).map(
    (column) => `${sqlText(column.name)}: ${sqlText(typeOf(column, question))}`
  )
  return `read_csv([${files.map(sqlFile).join(", ")}], columns = {${types.join(", ")}}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', nullstr = '', dateformat = '%Y-%m-%d', ${AS_THEY_ARE})`
}

const columnsOf = (question: Question): string => {
  const same: Partial<Readonly<Record<string, string>>> = ofRun(question)
  const columns = COLUMNS.map(({ name }) => {
    const text = same[name]
    return text === undefined ? sqlName(name) : `${sqlText(text)}::${oneOf([text])} AS ${sqlName(name)}`
  })
  return columns.join(", ")
}

/** A file that there always is: DuckDB reads no empty list of files. */
const NO_ROWS = "none.rows"

export interface ParquetRequest {
  readonly out: string
  readonly overwrite: boolean
  /** What was asked of every borrower: some of it stands in each row, and in none of the cells. */
  readonly question: Question
  /** Every processor, where nothing is said: all is computed by then. The bytes are the same with any number. */
  readonly threads?: number
}

/**
 * Whole or not at all.
 * @param files of the folder, whose rows are cells
 */
export const writeParquet = async (
  folder: string,
  files: ReadonlyArray<string>,
  { out, overwrite, question, threads = availableParallelism() }: ParquetRequest
): Promise<void> => {
  const none = join(folder, NO_ROWS)
  await writeFile(none, "")
  const rows = `SELECT ${columnsOf(question)} FROM ${cellsIn([...files, none], question)}`
  await writeWhole(
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
