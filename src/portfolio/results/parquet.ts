/**
 * The writer of parquet results. During a run the rows are stored as cells (CSV without the columns
 * that are the same in every row). At the end DuckDB reads them in order and writes the results.
 * Amounts are DECIMAL(18,2), so that they and their sums stay exact.
 */
import { availableParallelism } from "node:os"
import { failedWith, NO_HIVE_PARTITIONS, sqlFile, sqlName, sqlText, withDuckDB } from "../read/duckdb.ts"
import { ofRun, type Question } from "./portfolio.ts"
import { columnsOf, type Column as OwnColumn } from "./rows.ts"

/** A column of the figures, or one that is carried from the input. */
type Column = Omit<OwnColumn, "name" | "description"> & { readonly name: string }

const columnsWith = (isDiscounted: boolean, carry: ReadonlyArray<string>): ReadonlyArray<Column> => [
  ...columnsOf(isDiscounted),
  ...carry.map((name) => ({ name, type: "text" as const }))
]

const TYPES: Readonly<Record<Column["type"], string>> = {
  text: "VARCHAR",
  integer: "BIGINT",
  dollars: "DECIMAL(18,2)",
  date: "DATE",
  flag: "BOOLEAN"
}

/** The column types of results, as a DuckDB struct literal. */
export const resultTypes = (isDiscounted: boolean, carry: ReadonlyArray<string> = []): string =>
  `{${columnsWith(isDiscounted, carry)
    .map(({ name, type }) => `${sqlText(name)}: ${sqlText(TYPES[type])}`)
    .join(", ")}}`

const oneOf = (texts: ReadonlyArray<string>): string => `ENUM(${texts.map(sqlText).join(", ")})`

/**
 * Columns with known texts are ENUMs, which DuckDB writes faster and stores as text. DuckDB puts
 * all values of an ENUM into the column's statistics, so plans are limited to those of the run.
 */
const typeOf = ({ known, name, type }: Column, { plans }: Question): string =>
  known === undefined ? TYPES[type] : oneOf(name === "planType" ? plans : known)

/** Reads rows as rows.ts writes them; an empty cell is null. */
const cellsIn = (files: ReadonlyArray<string>, columns: ReadonlyArray<Column>, question: Question): string => {
  const constants = ofRun(question)
  const types = columns
    .filter(({ name }) => !Object.hasOwn(constants, name))
    .map((column) => `${sqlText(column.name)}: ${sqlText(typeOf(column, question))}`)
  return `read_csv([${files.map(sqlFile).join(", ")}], columns = {${types.join(", ")}}, auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', nullstr = '', dateformat = '%Y-%m-%d', ${NO_HIVE_PARTITIONS})`
}

const selected = (columns: ReadonlyArray<Column>, question: Question): string => {
  const constants: Partial<Readonly<Record<string, string>>> = ofRun(question)
  return columns
    .map(({ name }) => {
      const text = Object.hasOwn(constants, name) ? constants[name] : undefined
      return text === undefined ? sqlName(name) : `${sqlText(text)}::${oneOf([text])} AS ${sqlName(name)}`
    })
    .join(", ")
}

export interface ParquetRequest {
  /** The results file, which a problem names. */
  readonly out: string
  /** The question of the run, with the values of the columns that the cells lack. */
  readonly question: Question
  /** Whether the cells have the column presentValue. */
  readonly isDiscounted?: boolean
  /** Columns of the input that the cells have too. */
  readonly carry?: ReadonlyArray<string>
  /** For data that exceed memory. */
  readonly folder: string
  /**
   * By default all processors, because the computing is over by then. The bytes written do not
   * depend on the number.
   */
  readonly threads?: number
}

/** @param cells files, at least one of them, with rows of cells */
export const writeParquet = async (
  cells: ReadonlyArray<string>,
  draft: string,
  { carry = [], folder, isDiscounted = false, out, question, threads = availableParallelism() }: ParquetRequest
): Promise<void> => {
  const columns = columnsWith(isDiscounted, carry)
  const rows = `SELECT ${selected(columns, question)} FROM ${cellsIn(cells, columns, question)}`
  const copy = `COPY (${rows}) TO ${sqlText(draft)} (FORMAT parquet, COMPRESSION zstd)`
  await withDuckDB((duck) => duck.all(copy), folder, threads).catch((cause) => {
    throw failedWith(`${out}: cannot be written`, cause)
  })
}
