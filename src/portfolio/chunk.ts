/**
 * Part of a portfolio, from lines to rows. A pure function of the lines and of the run: whoever computes a chunk again,
 * on whatever machine, gets the same bytes.
 */
import { hash } from "node:crypto"
import { Effect, Result } from "effect"
import { currentLaw } from "../engine/law/law.ts"
import { makeWorkspace } from "../engine/schedule/workspace.ts"
import { checkJson, decodeStrictly } from "../request/decode.ts"
import { WHOLE_BODY } from "../request/fieldPath.ts"
import type { FieldErrors } from "../request/validation.ts"
import { Borrower } from "./borrower.ts"
import { outcomesOf, type Question, rowsOf } from "./outcomes.ts"
import { type TextFormat, WRITING } from "./results.ts"
import type { Summary } from "./summary.ts"
import { SummaryTally } from "./summaryTally.ts"
import { borrowerOfRows } from "./tableRows.ts"

/** What every chunk of a run has in common. */
export interface Portfolio extends Question {
  readonly format: TextFormat
  /** Members and columns that are left out of account. */
  readonly ignore: ReadonlyArray<string>
}

/** A borrower a line: a JSON object, or a list of the rows of a table. */
export interface Chunk {
  readonly index: number
  readonly file: string
  /** The number in the file, from 1, of the first row of the first line. */
  readonly firstRow: number
  readonly lines: string
  /** Keys of ids that occur more than once in the whole input, none of which has an answer. */
  readonly repeated: ReadonlySet<bigint>
}

export interface ChunkResult {
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

/** What a line says, and of how many rows it is. */
interface Read {
  readonly rows: number
  readonly value: Result.Result<unknown, FieldErrors>
}

const readRows = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>): Read["value"] => {
  const read = borrowerOfRows(rows)
  if ("borrower" in read) return Result.succeed(read.borrower)
  const problem = `differs in row ${read.index + 1} of this borrower: a borrower has one household`
  return Result.fail({ [read.differing]: [problem] })
}

/** What of the whole is told. */
const WHOLE_ROW = "row"

/** The problems of a request's body, as those of a row. */
const ofRow = ({ [WHOLE_BODY]: whole, ...fields }: FieldErrors): FieldErrors =>
  whole === undefined ? fields : { [WHOLE_ROW]: whole, ...fields }

const without = (value: unknown, ignored: ReadonlyArray<string>): unknown => {
  if (ignored.length === 0 || typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !ignored.includes(name)))
}

/** A number names a borrower as well as text does. */
const named = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !("borrowerId" in value)) return value
  return typeof value.borrowerId === "number" ? { ...value, borrowerId: String(value.borrowerId) } : value
}

/** What stands for bytes that are none of UTF-8. */
const REPLACED = "\uFFFD"
const NOT_UTF8: Read = { rows: 1, value: Result.fail({ [WHOLE_ROW]: ["is not valid UTF-8"] }) }

const read = (line: string, ignored: ReadonlyArray<string>): Read => {
  if (line.includes(REPLACED)) return NOT_UTF8
  const text = Effect.runSync(Effect.result(checkJson(line)))
  if (Result.isFailure(text)) return { rows: 1, value: Result.fail({ [text.failure.path]: [text.failure.message] }) }
  const value: unknown = JSON.parse(line)
  if (Array.isArray(value)) return { rows: value.length, value: readRows(value) }
  return { rows: 1, value: Result.succeed(named(without(value, ignored))) }
}

const decode = (value: unknown): Result.Result<Borrower, FieldErrors> =>
  Effect.runSync(Effect.result(decodeBorrower(value)))

/** The first 64 bits of a hash: ids that differ have the same key once in some hundred million portfolios of a million. */
const keyOf = (id: string): bigint => hash("sha1", id, "buffer").readBigUInt64LE(0)

const workspace = makeWorkspace()

/** A chunk under way: what its lines have come to so far. */
class Computing {
  rows = ""
  rejected = ""
  readonly ids: Array<bigint> = []
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
    const one = read(text, this.portfolio.ignore)
    const decoded = Result.flatMap(one.value, decode)
    const judged = Result.flatMap(decoded, (borrower) => this.once(borrower))
    if (Result.isSuccess(judged)) this.answer(judged.success)
    else this.reject(judged.failure, text, row)
    return one.rows
  }

  private once(borrower: Borrower): Result.Result<Borrower, FieldErrors> {
    const key = keyOf(borrower.borrowerId)
    this.ids.push(key)
    return this.chunk.repeated.has(key) ? Result.fail(REPEATED) : Result.succeed(borrower)
  }

  private answer(borrower: Borrower): void {
    const outcomes = outcomesOf(currentLaw, this.portfolio, borrower, workspace)
    this.tally.add(borrower, outcomes)
    const { line } = WRITING[this.portfolio.format]
    for (const row of rowsOf(this.portfolio, borrower, outcomes)) this.rows += line(row)
  }

  private reject(problems: FieldErrors, text: string, row: number): void {
    this.rejected += `${JSON.stringify({ file: this.chunk.file, row, problems: ofRow(problems), text })}\n`
    this.tally.reject()
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
