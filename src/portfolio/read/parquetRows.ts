/**
 * The reader of parquet files. A row is a loan, or a borrower if there is a column with a list of
 * loans. Every value is cast to text, which is exact for integers, decimals and dates. Then it is
 * parsed like a CSV cell. A column whose type DuckDB cannot read exactly is refused.
 */

import { isOwnList } from "./borrower.ts"
import { CARRIED, expectColumns } from "./carry.ts"
import { checkColumns, FLAT, ID, LISTS, type ListColumn, LOANS, membersOf, NESTED } from "./columns.ts"
import {
  type DuckDB,
  failedWith,
  NO_HIVE_PARTITIONS,
  sqlFile,
  sqlName,
  sqlText,
  streamed,
  withDuckDB
} from "./duckdb.ts"
import { seemingId } from "./ids.ts"
import { problem } from "./problem.ts"
import { problemOfId, type Row } from "./rows.ts"
import type { Source } from "./sources.ts"
import { borrowerWithLoans, type Cells } from "./tableRows.ts"

/** In DuckDB's messages, puts the name of the file as given in place of its path. */
const failed = ({ name, path }: Source, what: string, cause: unknown) => {
  const { lines } = failedWith(`${name}: ${what}`, cause)
  return problem(...lines.map((line) => line.replaceAll(path, name)))
}

/** DuckDB's types of columns or of members of a struct, by name. */
type Types = ReadonlyMap<string, string>

/** The row count of a parquet file, and its columns that are not ignored. */
export interface Contents {
  readonly rows: number
  readonly own: Types
  /** Columns that are carried to the results. */
  readonly carry: ReadonlyArray<string>
  /** Members of the structs, for each column that is a list of structs. */
  readonly members: Readonly<Partial<Record<ListColumn, Types>>>
}

/** Reads binary columns as text, because some writers omit the string annotation. */
const table = ({ path }: Source): string =>
  `read_parquet(${sqlFile(path)}, binary_as_string = true, ${NO_HIVE_PARTITIONS})`

const IS_LIST_OF_STRUCTS = /^STRUCT\(.*\)\[\]$/s

const described = async (duck: DuckDB, query: string): Promise<Types> => {
  const [names = [], types = []] = await duck.all(`SELECT column_name, column_type FROM (DESCRIBE ${query})`)
  return new Map(names.map((name, index) => [String(name), String(types[index])]))
}

const structsOf = (duck: DuckDB, source: Source, column: ListColumn): Promise<Types> =>
  described(duck, `SELECT unnest(${column}, max_depth := 2) FROM ${table(source)}`)

/** DuckDB reads a DECIMAL of more digits as a DOUBLE, with a wrong value. */
const MAX_DIGITS = 38

const IS_FLOATING = /^(FLOAT|DOUBLE)$/

/** @throws PortfolioProblem for columns whose values cannot be read exactly */
const checkTypes = async (duck: DuckDB, source: Source, own: Types, ignore: ReadonlyArray<string>): Promise<void> => {
  const [names = [], types = []] = await duck.all(
    `SELECT name, format('DECIMAL({},{})', precision, scale) FROM parquet_schema(${sqlFile(source.path)}) WHERE precision > ${MAX_DIGITS}`
  )
  const wide = names.flatMap((name, index) =>
    ignore.includes(String(name))
      ? []
      : [
          `Column ${name} is ${types[index]}: write it as a DECIMAL of at most ${MAX_DIGITS} digits, such as DECIMAL(18,2).`
        ]
  )
  const ofId = own.get(ID) ?? ""
  const rounded = IS_FLOATING.test(ofId)
    ? [`Column ${ID} is ${ofId}, which rounds long numbers: write it as text, or as BIGINT.`]
    : []
  const lines = [...rounded, ...wide]
  if (lines.length > 0) throw problem(`${source.name}: has columns whose type cannot be read exactly.`, ...lines)
}

const inspect = async (
  duck: DuckDB,
  source: Source,
  ignore: ReadonlyArray<string>,
  carry: ReadonlyArray<string>
): Promise<Contents> => {
  const columns = await described(duck, `FROM ${table(source)}`)
  const names = [...columns.keys()]
  const [[rows = 0] = []] = await duck.all(`SELECT count(*) FROM ${table(source)}`)
  const kept = (all: Types) => new Map([...all].filter(([name]) => !ignore.includes(name)))
  const lists = LISTS.filter((name) => !ignore.includes(name) && IS_LIST_OF_STRUCTS.test(columns.get(name) ?? ""))
  checkColumns(source.name, lists.includes(LOANS) ? NESTED : FLAT, names, ignore, carry)
  expectColumns(source.name, carry, names)
  await checkTypes(duck, source, columns, ignore)
  const members: { [name in ListColumn]?: Types } = {}
  for (const list of lists) {
    const found = await structsOf(duck, source, list)
    checkColumns(source.name, membersOf(list), [...found.keys()], ignore)
    members[list] = kept(found)
  }
  const own = kept(columns)
  own.delete(LOANS)
  return { rows: Number(rows), own, carry, members }
}

/**
 * Reads and checks the columns of a file.
 * @throws PortfolioProblem for an incomplete parquet file, or columns other than those of borrowers
 * and loans
 */
export const contentsOf = (
  source: Source,
  ignore: ReadonlyArray<string>,
  carry: ReadonlyArray<string> = []
): Promise<Contents> =>
  withDuckDB((duck) => inspect(duck, source, ignore, carry)).catch((cause) => {
    throw failed(source, "is not a whole parquet file", cause)
  })

const objectOf = (types: Types, valueOf: (name: string, type: string) => string): string =>
  `to_json({${[...types].map(([name, type]) => `${sqlText(name)}: ${valueOf(name, type)}`).join(", ")}})`

/** SQL for the text of a value. A timestamp at midnight (UTC) is a date, as pandas writes it. */
const textOf = (value: string, type: string): string => {
  if (!type.startsWith("TIMESTAMP")) return `${value}::VARCHAR`
  const instant = type.endsWith("WITH TIME ZONE") ? `(${value} AT TIME ZONE 'UTC')` : value
  return `regexp_replace(${instant}::VARCHAR, ' 00:00:00$', '')`
}

/** SQL for a list of JSON objects, made of structs whose members are cast to text. */
const textsOfList = (column: ListColumn, members: Types): string =>
  `list_transform(${column}, lambda item: ${objectOf(members, (name, type) => textOf(`item.${sqlName(name)}`, type))})`

/** SQL for a JSON object of the row's own columns, cast to text. */
const textsOfRow = ({ members, own }: Contents): string =>
  objectOf(own, (name, type) => {
    const structs = isOwnList(name) ? members[name] : undefined
    return isOwnList(name) && structs !== undefined ? textsOfList(name, structs) : textOf(sqlName(name), type)
  })

const loanOf = (id: string, json: string): Row => {
  const reason = problemOfId(id)
  if (reason === undefined) return { kind: "loan", id, json }
  return { kind: "lost", reason, json: JSON.stringify({ [ID]: seemingId(id), text: json }) }
}

const borrowerOf = (_id: string, json: string, carry: ReadonlyArray<string>): Row => {
  const [own, loans] = JSON.parse(json) as readonly [Cells, ReadonlyArray<Cells | null> | null]
  const borrower = borrowerWithLoans(
    own,
    (loans ?? []).map((loan) => loan ?? {})
  )
  return { kind: "borrower", json: JSON.stringify(carry.length === 0 ? borrower : { ...borrower, [CARRIED]: own }) }
}

/** SQL for each row as JSON: its cells, or a pair of the borrower's and the loans' cells. */
const jsonOf = (contents: Contents): string => {
  const { loans } = contents.members
  const own = textsOfRow(contents)
  return loans === undefined ? own : `to_json([${own}, to_json(${textsOfList(LOANS, loans)})])`
}

/** The rows of a file in order, in batches, each with the share read so far, 0 to 1. */
export async function* parquetRows(
  source: Source,
  contents: Contents
): AsyncGenerator<{ readonly rows: Iterable<Row>; readonly part: number }, void> {
  const query = `SELECT coalesce(${sqlName(ID)}::VARCHAR, ''), ${jsonOf(contents)}::VARCHAR FROM ${table(source)}`
  const rowOf = contents.members.loans === undefined ? loanOf : borrowerOf
  let read = 0
  try {
    for await (const [ids = [], jsons = []] of streamed(query)) {
      read += ids.length
      yield {
        rows: ids.map((id, index) => rowOf(String(id), String(jsons[index]), contents.carry)),
        part: read / contents.rows
      }
    }
    if (read !== contents.rows) throw new Error(`${read} of ${contents.rows} rows`)
  } catch (cause) {
    throw failed(source, "cannot be read to its end", cause)
  }
}
