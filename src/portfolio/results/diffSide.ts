/**
 * One side of a comparison. Checks that a file is the result of a portfolio run. Reads the rule
 * versions and start months of its figures.
 */
import { createReadStream } from "node:fs"
import { cellsOf, Unreadable } from "../read/cells.ts"
import { type DuckDB, failedWith, NO_HIVE_PARTITIONS, sqlFile, sqlText } from "../read/duckdb.ts"
import { problem } from "../read/problem.ts"
import { localSource } from "../read/sources.ts"
import { type ResultFormat, resultFormatOf } from "./outputPaths.ts"
import { resultTypes } from "./parquet.ts"
import { columnsOf, OUTCOMES } from "./rows.ts"

/** A result file, with the rule versions and start months of its figures. */
export interface Side {
  readonly file: string
  readonly rows: number
  readonly ruleVersions: ReadonlyArray<string>
  readonly repaymentStarts: ReadonlyArray<string>
}

/** The types of a table by the names in its first line, of which the last may be carried ones. */
const typesOf = (header: ReadonlyArray<string>): string => {
  const isDiscounted = header[columnsOf(false).length] === columnsOf(true).at(-1)!.name
  return resultTypes(isDiscounted, header.slice(columnsOf(isDiscounted).length))
}

const READ: Readonly<Record<ResultFormat, (file: string, header: ReadonlyArray<string>) => string>> = {
  csv: (file, header) =>
    `read_csv(${file}, columns = ${typesOf(header)}, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"', nullstr = '', ${NO_HIVE_PARTITIONS})`,
  ndjson: (file) =>
    `read_json(${file}, columns = ${resultTypes(false)}, format = 'newline_delimited', ${NO_HIVE_PARTITIONS})`,
  parquet: (file) => `read_parquet(${file}, ${NO_HIVE_PARTITIONS})`
}

export const FIGURES = [
  "outcome",
  "reason",
  "year1MonthlyPayment",
  "monthsToFinish",
  "payoffOrForgivenessDate",
  "totalOutOfPocket",
  "amountForgiven",
  "forgivenessTaxesOwed",
  "totalCost",
  "forgivenessType",
  "loansBeside"
] as const

export const rowsOf = (columns: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<ReadonlyArray<unknown>> =>
  (columns[0] ?? []).map((_, row) => columns.map((column) => column[row]))

const NO_RESULTS = "is not what repay portfolio run writes"

/** SQL condition of an incomplete row: each of these columns must have a value. */
const INCOMPLETE = ["borrowerId", "planType", "outcome", "ruleVersion", "repaymentStart"]
  .map((name) => `${name} IS NULL`)
  .join(" OR ")

const IS_FOREIGN = `${INCOMPLETE} OR outcome NOT IN (${OUTCOMES.map(sqlText).join(", ")})`

/** Reads every column, because DuckDB does not validate columns that a query leaves out. */
const COUNTS = `SELECT count(*), count(*) FILTER (${IS_FOREIGN}), ${FIGURES.map((name) => `count(${name})`).join(", ")}`

const NO_ROWS = "has no rows, so there is nothing to compare"

const notAResult = (file: string) => (cause: unknown) => {
  throw failedWith(`${file}: ${NO_RESULTS}`, cause)
}

/** More than the first line of a table has. */
const FIRST_BYTES = 100_000

/** The names in the first line of a table. */
const headerOf = async (file: string): Promise<ReadonlyArray<string>> => {
  const begin = await createReadStream(file, { end: FIRST_BYTES, encoding: "utf8" }).toArray()
  const cells = cellsOf(begin.join("").split("\n", 1)[0]!, ",")
  return cells instanceof Unreadable ? [] : cells
}

/**
 * Creates the view `name` of a result file.
 * @throws PortfolioProblem if the file is not a result or cannot be read
 */
export const sideOf = async (duck: DuckDB, name: "before" | "after", file: string): Promise<Side> => {
  const read = READ[resultFormatOf(file)]
  await localSource(file)
  const from = read(sqlFile(file), await headerOf(file))
  const names = ["borrowerId", "planType", "ruleVersion", "repaymentStart", ...FIGURES]
  await duck.all(`CREATE TEMP VIEW ${name} AS SELECT ${names.join(", ")} FROM ${from}`).catch(notAResult(file))
  const [[rows, foreignRows] = []] = rowsOf(await duck.all(`${COUNTS} FROM ${name}`).catch(notAResult(file)))
  if (Number(rows) === 0) throw problem(`${file}: ${NO_ROWS}`)
  if (Number(foreignRows) > 0) throw problem(`${file}: ${NO_RESULTS}`)
  const [[duplicateId] = []] = rowsOf(
    await duck.all(
      `SELECT borrowerId FROM ${name} GROUP BY borrowerId, planType HAVING count(*) > 1 ORDER BY borrowerId LIMIT 1`
    )
  )
  if (duplicateId !== undefined)
    throw problem(`${file}: has the same borrower and plan more than once (${String(duplicateId)})`)
  const origins = rowsOf(await duck.all(`SELECT DISTINCT ruleVersion, repaymentStart FROM ${name} ORDER BY 1, 2`))
  return {
    file,
    rows: Number(rows),
    ruleVersions: [...new Set(origins.map(([version]) => String(version)))],
    repaymentStarts: [...new Set(origins.map(([, start]) => String(start)))]
  }
}
