/**
 * Part of a portfolio, from lines to rows. A pure function of the lines and of the run: whoever computes a chunk again,
 * on whatever machine, gets the same bytes.
 */
import { Effect, Predicate, Result } from "effect"
import { currentLaw } from "../engine/law/law.ts"
import { makeWorkspace } from "../engine/schedule/workspace.ts"
import { checkJson, decodeStrictly } from "../request/decode.ts"
import { WHOLE_BODY } from "../request/fieldPath.ts"
import type { FieldErrors } from "../request/validation.ts"
import { Borrower } from "./borrower.ts"
import { problemsOfCells } from "./cellProblems.ts"
import { InexactId, idsOf, keyOf, named } from "./ids.ts"
import { LOANS } from "./input/columns.ts"
import { REPLACED } from "./input/input.ts"
import { outcomesOf, type Question, rowsOf } from "./outcomes.ts"
import { quickBorrower } from "./quickBorrower.ts"
import { unrecordedLine } from "./record/unrecorded.ts"
import { type TextFormat, WRITING } from "./results.ts"
import type { Summary } from "./summary.ts"
import { SummaryTally } from "./summaryTally.ts"
import { borrowerOfRows, type Cells } from "./tableRows.ts"

/** What every chunk of a run has in common. */
export interface Portfolio extends Question {
  readonly format: TextFormat
  /** Members and columns that are left out of account. */
  readonly ignore: ReadonlyArray<string>
  /** Address of the service by which the answers are recorded when all are computed; null where they are not. */
  readonly recordAt: string | null
}

/**
 * A borrower a line: a JSON object, or, of a table, also a list of its rows. A list that begins with text is refused for
 * that reason; a row that could not be read has its `text`, and what seems to be its id.
 */
export interface Chunk {
  readonly index: number
  readonly file: string
  /** The number in the file, from 1, of the first row of the first line. */
  readonly firstRow: number
  readonly lines: string
  readonly isTable: boolean
  /** Keys of its ids that occur more than once in the whole input, none of which has an answer. */
  readonly repeated: ReadonlySet<bigint>
  /** Whether a line without an answer has its reason among the rows, where its own would be. */
  readonly isInPlace?: boolean
}

export interface ChunkResult {
  /** As the results have them; where they are to be recorded, a line of JSON for each borrower. */
  readonly rows: string
  /** Rows that have no answer, a line of JSON each: `file`, `row`, `problems` by field, and `text` as it was read. */
  readonly rejected: string
  readonly summary: Summary
  /** A key of each borrower's id, to find the ids that occur twice. */
  readonly ids: BigUint64Array<ArrayBuffer>
}

const decodeBorrower = decodeStrictly(Borrower)

const REPEATED: FieldErrors = {
  borrowerId: [
    "occurs more than once in the file: the rows of a borrower must stand together, and an id must be one borrower's"
  ]
}

/** What a line says, of how many rows it is, and whose it is as far as that is known. */
interface Read {
  readonly rows: number
  readonly value: Result.Result<unknown, FieldErrors>
  readonly ids: ReadonlyArray<string>
  /** What is told of it where it is refused. */
  readonly text: string
}

/** What of the whole is told. */
const WHOLE_ROW = "row"

const NO_ROWS: FieldErrors = { [WHOLE_ROW]: ["must be a borrower object, or a list of rows"] }

const areRows = (list: ReadonlyArray<unknown>): list is ReadonlyArray<Cells> =>
  list.length > 0 && list.every(Predicate.isObject)

const readList = (text: string, list: ReadonlyArray<unknown>): Read => {
  const [reason, ...rows] = list
  if (typeof reason !== "string") {
    const value = areRows(list) ? readRows(list) : Result.fail(NO_ROWS)
    return { rows: Math.max(1, list.length), value, ids: idsOf(reason), text }
  }
  const [first] = rows
  const told = Predicate.hasProperty(first, "text") ? String(first.text) : JSON.stringify(rows)
  return { rows: rows.length, value: Result.fail({ [WHOLE_ROW]: [reason] }), ids: idsOf(first), text: told }
}

const readRows = (rows: ReadonlyArray<Cells>): Read["value"] => {
  const read = borrowerOfRows(rows)
  if ("borrower" in read) return Result.succeed(read.borrower)
  const problem = `differs in row ${read.index + 1} of this borrower: a borrower has one household`
  return Result.fail({ [read.differing]: [problem] })
}

/** The problems of a request's body, as those of a row. */
const ofRow = ({ [WHOLE_BODY]: whole, ...fields }: FieldErrors): FieldErrors =>
  whole === undefined ? fields : { [WHOLE_ROW]: whole, ...fields }

const kept = (value: unknown, ignored: ReadonlyArray<string>): unknown =>
  Predicate.isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !ignored.includes(name)))
    : value

/** A borrower without what is ignored of him and of his loans. */
const without = (value: unknown, ignored: ReadonlyArray<string>): unknown => {
  if (ignored.length === 0) return value
  const own = kept(value, ignored)
  if (!Predicate.hasProperty(own, LOANS) || !Array.isArray(own[LOANS])) return own
  return { ...own, [LOANS]: own[LOANS].map((loan) => kept(loan, ignored)) }
}

const NOT_UTF8: FieldErrors = { [WHOLE_ROW]: ["is not valid UTF-8"] }

const refused = (text: string, problems: FieldErrors, ids: ReadonlyArray<string> = []): Read => ({
  rows: 1,
  value: Result.fail(problems),
  ids,
  text
})

/** A text that JSON writes just as it was read has each name once: it needs no scan, which takes three times as long. */
const parsePlain = (line: string): unknown => {
  try {
    const value: unknown = JSON.parse(line)
    return JSON.stringify(value) === line ? value : undefined
  } catch {
    return undefined
  }
}

const parse = (line: string): Result.Result<unknown, FieldErrors> => {
  const plain = parsePlain(line)
  if (plain !== undefined) return Result.succeed(plain)
  const checked = Effect.runSync(Effect.result(checkJson(line)))
  return Result.isFailure(checked)
    ? Result.fail({ [checked.failure.path]: [checked.failure.message] })
    : Result.succeed(JSON.parse(line))
}

/** Rows of a table have been found to be UTF-8, or are told not to be. */
const read = (line: string, isTable: boolean, ignored: ReadonlyArray<string>): Read => {
  if (!isTable && line.includes(REPLACED)) return refused(line, NOT_UTF8)
  const parsed = parse(line)
  if (Result.isFailure(parsed)) return refused(line, parsed.failure)
  const value = parsed.success
  if (isTable && Array.isArray(value)) return readList(line, value)
  const borrower = named(line, without(value, ignored))
  if (borrower instanceof InexactId) return refused(line, { borrowerId: [borrower.message] }, borrower.ids)
  return { rows: 1, value: Result.succeed(borrower), ids: idsOf(borrower), text: line }
}

/** What is refused is worded as everywhere. */
const decode = (value: unknown): Result.Result<Borrower, FieldErrors> => {
  const borrower = quickBorrower(value)
  return borrower === undefined ? Effect.runSync(Effect.result(decodeBorrower(value))) : Result.succeed(borrower)
}

const decodeCells = (value: unknown): Result.Result<Borrower, FieldErrors> =>
  Result.mapError(decode(value), (problems) => problemsOfCells(problems, value))

const workspace = makeWorkspace()

/** A chunk under way: what its lines have come to so far. */
class Computing {
  rows = ""
  rejected = ""
  readonly ids: Array<bigint> = []
  private readonly refused = new Set<bigint>()
  readonly tally: SummaryTally
  private readonly portfolio: Portfolio
  private readonly chunk: Chunk

  constructor(portfolio: Portfolio, chunk: Chunk) {
    this.portfolio = portfolio
    this.chunk = chunk
    this.tally = new SummaryTally(portfolio.plans)
  }

  /** How many rows of the input the line is. */
  add(text: string, row: number): number {
    if (text.trim() === "") return 1
    const one = read(text, this.chunk.isTable, this.portfolio.ignore)
    this.tally.read(one.rows)
    const decoded = Result.flatMap(one.value, this.chunk.isTable ? decodeCells : decode)
    const keys = one.ids.map(keyOf)
    const isRepeated = keys.some((key) => this.chunk.repeated.has(key))
    const judged = isRepeated ? Result.flatMap(decoded, () => Result.fail(REPEATED)) : decoded
    for (const key of keys) this.note(key, Result.isFailure(judged))
    if (Result.isSuccess(judged)) this.answer(judged.success)
    else this.reject(judged.failure, one, row)
    return one.rows
  }

  /** An id that is refused counts too, once: its rows may be loans of a borrower who stands elsewhere as well. */
  private note(key: bigint, isRefused: boolean): void {
    if (isRefused && this.refused.has(key)) return
    if (isRefused) this.refused.add(key)
    this.ids.push(key)
  }

  private answer(borrower: Borrower): void {
    const outcomes = outcomesOf(currentLaw, this.portfolio, borrower, workspace)
    this.tally.add(borrower, outcomes)
    const rows = rowsOf(this.portfolio, borrower, outcomes)
    const { line } = WRITING[this.portfolio.format]
    if (this.portfolio.recordAt !== null) this.rows += unrecordedLine(borrower, rows)
    else for (const row of rows) this.rows += line(row)
  }

  private reject(problems: FieldErrors, { rows, text }: Read, row: number): void {
    const { file, isInPlace = false } = this.chunk
    const told = `${JSON.stringify({ file, row, problems: ofRow(problems), text })}\n`
    if (isInPlace) this.rows += told
    else this.rejected += told
    this.tally.reject(rows)
  }
}

/** Computes the borrowers of a chunk one after the other, in their order. */
export const computeChunk = (portfolio: Portfolio, chunk: Chunk): ChunkResult => {
  const computing = new Computing(portfolio, chunk)
  let row = chunk.firstRow
  for (const text of chunk.lines.split("\n")) row += computing.add(text, row)
  const { ids, rejected, rows, tally } = computing
  return { rows, rejected, summary: tally.summary, ids: BigUint64Array.from(ids) }
}
