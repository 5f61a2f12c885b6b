/** The reader of one line of a chunk: a borrower, or the problems that make it invalid. */
import { Predicate, Result } from "effect"
import { checkJson, readStrictly } from "../../request/decode.ts"
import type { FieldErrors } from "../../request/fieldErrors.ts"
import { WHOLE_BODY } from "../../request/fieldPath.ts"
import { scanJson } from "../../request/jsonScan.ts"
import type { Portfolio } from "../results/portfolio.ts"
import type { Carried } from "../results/rows.ts"
import { Borrower, isOwnList, type OwnList } from "./borrower.ts"
import { CARRIED, carriedOf, onlyCarried } from "./carry.ts"
import { LISTS } from "./columns.ts"
import { InexactId, idsOf, withTextId } from "./ids.ts"
import { REPLACED } from "./input.ts"
import { borrowerOfRows, type Cells, type OfRows } from "./tableRows.ts"

const decode: (value: unknown) => Result.Result<Borrower, FieldErrors> = readStrictly(Borrower)

interface Read extends Pick<OfRows, "columnOf"> {
  readonly rows: number
  readonly value: Result.Result<unknown, FieldErrors>
  readonly ids: ReadonlyArray<string>
  /** The text reported if the line is rejected. */
  readonly text: string
  readonly carried?: Carried
}

/** Names of fields to leave out, and to carry to the results. */
type Named = Pick<Portfolio, "carry" | "ignore">

/** Field name of problems with the whole row. */
const WHOLE_ROW = "row"

const NO_ROWS: FieldErrors = { [WHOLE_ROW]: ["must be a borrower object, or a list of rows"] }

const areRows = (list: ReadonlyArray<unknown>): list is ReadonlyArray<Cells> =>
  list.length > 0 && list.every(Predicate.isObject)

/** The line with the values that are carried. Its borrower is rejected if there is a problem with one. */
const withCarried = (line: Read, carry: ReadonlyArray<string>, rows: ReadonlyArray<unknown>): Read => {
  if (carry.length === 0) return line
  const { carried, problems } = carriedOf(carry, rows.filter(Predicate.isObject))
  const { value } = line
  return { ...line, carried, value: problems === undefined ? value : Result.andThen(value, Result.fail(problems)) }
}

const readList = (text: string, list: ReadonlyArray<unknown>, { carry, ignore }: Named): Read => {
  const [reason, ...rows] = list
  if (typeof reason !== "string") {
    const read = { rows: Math.max(1, list.length), ids: idsOf(reason), text }
    if (!areRows(list)) return { ...read, value: Result.fail(NO_ROWS) }
    const ofRows = borrowerOfRows(list)
    if ("problem" in ofRows) return { ...read, value: Result.fail({ [ofRows.column]: [ofRows.problem] }) }
    const { borrower, ...named } = ofRows
    return withCarried({ ...read, ...named, value: Result.succeed(withoutAbsent(text, borrower, ignore)) }, carry, list)
  }
  const [first] = rows
  const reported = Predicate.hasProperty(first, "text") ? String(first.text) : JSON.stringify(rows)
  return { rows: rows.length, value: Result.fail({ [WHOLE_ROW]: [reason] }), ids: idsOf(first), text: reported }
}

/** A list of a borrower; empty if it is missing or no list. */
const listIn = (value: unknown, name: string): ReadonlyArray<unknown> =>
  Predicate.hasProperty(value, name) && Array.isArray(value[name]) ? value[name] : []

const omitMembers = (value: unknown, ignored: ReadonlyArray<string>): unknown =>
  Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name, member]) => member !== null && !ignored.includes(name)))
    : value

/**
 * A borrower without ignored fields and nulls, in the borrower itself and the items of its lists.
 * Tables have null for an empty cell, so programs write it for a missing value in JSON lines too.
 */
const withoutAbsent = (line: string, value: unknown, ignored: ReadonlyArray<string>): unknown => {
  if (ignored.length === 0 && !line.includes("null")) return value
  const own = omitMembers(value, ignored)
  if (!Predicate.isObject(own)) return own
  const lists = LISTS.filter((name) => Array.isArray(own[name]))
  const kept = lists.map((name) => [name, listIn(own, name).map((item) => omitMembers(item, ignored))])
  return { ...own, ...Object.fromEntries(kept) }
}

const NOT_UTF8: FieldErrors = { [WHOLE_ROW]: ["is not valid UTF-8"] }

const refused = (text: string, problems: FieldErrors, ids: ReadonlyArray<string> = []): Read => ({
  rows: 1,
  value: Result.fail(problems),
  ids,
  text
})

const colonsIn = (line: string): number => {
  let count = 0
  for (let at = line.indexOf(":"); at !== -1; at = line.indexOf(":", at + 1)) count++
  return count
}

const membersOf = (value: unknown): number => (Predicate.isObject(value) ? Object.keys(value).length : 0)

/**
 * The number of fields of a borrower and of the items of its lists, not counting fields nested deeper.
 * In JSON each of them has one colon.
 */
const membersIn = (value: unknown): number => {
  let count = membersOf(value)
  for (const list of LISTS) for (const item of listIn(value, list)) count += membersOf(item)
  return count
}

/**
 * Parses a line that certainly has no duplicate field names; undefined for other lines. The full
 * check for duplicates takes ten times as long. JSON.parse merges duplicates, so a line that has
 * any has more colons than fields. JSON.stringify does not reproduce such a line either. A line
 * that this program wrote (`isOwn`) has no duplicates.
 */
const parsePlain = (line: string, isOwn: boolean): unknown => {
  try {
    const value: unknown = JSON.parse(line)
    const isPlain =
      isOwn || (!line.includes("\\") && colonsIn(line) === membersIn(value)) || JSON.stringify(value) === line
    return isPlain ? value : undefined
  } catch {
    return undefined
  }
}

const parse = (line: string, isOwn: boolean): Result.Result<unknown, FieldErrors> => {
  const plain = parsePlain(line, isOwn)
  if (plain !== undefined) return Result.succeed(plain)
  const checked = checkJson(line)
  return Result.isFailure(checked)
    ? Result.fail({ [checked.failure.path]: [checked.failure.message] })
    : Result.succeed(JSON.parse(line))
}

/** The value without members that are carried and no part of a borrower. */
const withoutCarried = (value: unknown, isTable: boolean, carry: ReadonlyArray<string>): unknown => {
  if (carry.length === 0 || !Predicate.isObject(value)) return value
  const gone = isTable ? [CARRIED] : onlyCarried(carry)
  return Object.fromEntries(Object.entries(value).filter(([name]) => !gone.includes(name)))
}

/** Rows of a table are not checked for UTF-8 here: their reader has done so. */
const read = (line: string, isTable: boolean, named: Named): Read => {
  if (!isTable && line.includes(REPLACED)) return refused(line, NOT_UTF8)
  const parsed = parse(line, isTable)
  if (Result.isFailure(parsed)) return refused(line, parsed.failure)
  const value = parsed.success
  if (isTable && Array.isArray(value)) return readList(line, value, named)
  const { carry, ignore } = named
  const borrower = withTextId(line, withoutAbsent(line, withoutCarried(value, isTable, carry), ignore))
  if (borrower instanceof InexactId) return refused(line, { borrowerId: [borrower.message] }, borrower.ids)
  const from = isTable && Predicate.hasProperty(value, CARRIED) ? value[CARRIED] : value
  return withCarried({ rows: 1, value: Result.succeed(borrower), ids: idsOf(borrower), text: line }, carry, [from])
}

const decodeCells = (value: unknown): Result.Result<Borrower, FieldErrors> =>
  Result.mapError(decode(value), (problems) => problemsOfCells(problems, value))

/** Problems with a request's body become problems with the row. */
const rowProblems = ({ [WHOLE_BODY]: whole, ...fields }: FieldErrors): FieldErrors =>
  whole === undefined ? fields : { [WHOLE_ROW]: whole, ...fields }

/** The same problems at the columns from which the fields were read. */
export const atColumns = (problems: FieldErrors, { columnOf }: Pick<OfRows, "columnOf">): FieldErrors =>
  columnOf === undefined
    ? problems
    : Object.fromEntries(Object.entries(problems).map(([field, messages]) => [columnOf(field), messages]))

/** A line that was read, with its number of rows and the ids that it seems to have. */
export interface Line extends Omit<Read, "value"> {
  readonly borrower: Result.Result<Borrower, FieldErrors>
}

export const readLine = (text: string, isTable: boolean, named: Named): Line => {
  const { value, ...line } = read(text, isTable, named)
  const borrower = Result.flatMap(value, isTable ? decodeCells : decode)
  return { ...line, borrower: Result.mapError(borrower, (problems) => atColumns(rowProblems(problems), line)) }
}

const OF_JSON = /: send a JSON \w+$/

const OF_NUMBERS = /^must be a (whole )?number\b/

const AS_NUMBER = "write it like 1250.5 or 0.06, without comma, space, currency or percent sign"

/** @param path such as loans[0].interestRate */
const valueAt = (borrower: unknown, path: string): unknown =>
  path
    .split(/[[\].]+/)
    .reduce<unknown>((within, name) => (Predicate.hasProperty(within, name) ? within[name] : undefined), borrower)

/** Whether a value is text with a digit. A cell that is not a number is still text. */
const holdsDigits = (value: unknown): boolean => typeof value === "string" && /\d/.test(value)

const LISTS_TO_SEND: Readonly<Record<OwnList, object>> = {
  changes: { fromYear: 3, dependents: 1 },
  pauses: { kind: "Deferment", until: "2027-05" },
  planChanges: { from: "2028-06", planType: "INCOME BASED" },
  lumpSums: { on: "2027-03", amount: 5000 }
}

type Problems = readonly [field: string, messages: ReadonlyArray<string>]

/** The problem of a cell of a list that is not JSON; undefined for any other. */
const jsonProblem = (list: OwnList, cell: unknown): Problems | undefined => {
  const found = typeof cell === "string" ? scanJson(cell) : undefined
  if (found === undefined) return undefined
  const { message, path } = found
  const example = JSON.stringify([LISTS_TO_SEND[list]])
  return path.startsWith("[") ? [`${list}${path}`, [message]] : [list, [`${message}; write it like ${example}`]]
}

/** The problems of a borrower assembled from cells. Those within a list are a request's. */
const problemsOfCells = (problems: FieldErrors, borrower: unknown): FieldErrors =>
  Object.fromEntries(
    Object.entries(problems).map(([path, reported]): Problems => {
      const [list = ""] = path.split("[", 1)
      if (isOwnList(list))
        return (path === list ? jsonProblem(list, valueAt(borrower, path)) : undefined) ?? [path, reported]
      const isNumber = holdsDigits(valueAt(borrower, path))
      const worded = (one: string) => (isNumber && OF_NUMBERS.test(one) ? `${one}; ${AS_NUMBER}` : one)
      return [path, reported.map((one) => worded(one.replace(OF_JSON, "")))]
    })
  )
