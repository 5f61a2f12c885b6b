/**
 * Part of a portfolio, from lines to rows. A pure function of the lines and of the run: whoever computes a chunk again,
 * on whatever machine, gets the same bytes.
 */
import { Result } from "effect"
import { currentLaw } from "../../engine/law/law.ts"
import { makeWorkspace } from "../../engine/schedule/workspace.ts"
import type { FieldErrors } from "../../request/fieldErrors.ts"
import type { Borrower } from "../read/borrower.ts"
import { keyOf } from "../read/ids.ts"
import { type Line, readLine } from "../read/readLine.ts"
import type { ChunkResult, Portfolio } from "../results/portfolio.ts"
import { unrecordedLine } from "../results/record/unrecorded.ts"
import { RowBytes } from "../results/rowBytes.ts"
import { WRITING } from "../results/rows.ts"
import { SummaryTally } from "../results/summaryTally.ts"
import { outcomesOf, rowsOf } from "./outcomes.ts"

/**
 * A borrower a line: a JSON object, or, of a table, also a list of its rows. A list that begins with text is refused for
 * that reason; a row that could not be read has its `text`, and what seems to be its id.
 */
export interface Chunk {
  readonly index: number
  readonly file: string
  /** The number in the file, from 1, of the first row of the first line. */
  readonly firstRow: number
  /** UTF-8. */
  readonly lines: Uint8Array<ArrayBuffer>
  readonly isTable: boolean
  /** Keys of its ids that occur more than once in the whole input, none of which has an answer. */
  readonly duplicateIds: ReadonlySet<bigint>
  /** Whether a line without an answer has its reason among the rows, where its own would be. */
  readonly isInPlace?: boolean
}

const REPEATED: FieldErrors = {
  borrowerId: [
    "occurs more than once in the file: the rows of a borrower must stand together, and an id must be one borrower's"
  ]
}

const workspace = makeWorkspace()

/** Of the chunk under way. With new memory for each, a thread would collect what the last one has left again and again. */
const rowsUnderWay = new RowBytes()

/** A chunk under way: what its lines have come to so far. */
class Computing {
  readonly rows = rowsUnderWay
  rejected = ""
  readonly ids: Array<bigint> = []
  private readonly refused = new Set<bigint>()
  readonly tally: SummaryTally
  private readonly portfolio: Portfolio
  private readonly chunk: Chunk

  constructor(portfolio: Portfolio, chunk: Chunk) {
    this.portfolio = portfolio
    this.chunk = chunk
    this.rows.clear()
    this.tally = new SummaryTally(portfolio.plans)
  }

  /** How many rows of the input the line is. */
  add(text: string, row: number): number {
    if (text.trim() === "") return 1
    const one = readLine(text, this.chunk.isTable, this.portfolio.ignore)
    this.tally.read(one.rows)
    const keys = one.ids.map(keyOf)
    const isRepeated = keys.some((key) => this.chunk.duplicateIds.has(key))
    const judged = isRepeated ? Result.flatMap(one.borrower, () => Result.fail(REPEATED)) : one.borrower
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
    const { write } = WRITING[this.portfolio.format]
    if (this.portfolio.recordAt !== null) this.rows.text(unrecordedLine(borrower, rows))
    else for (const row of rows) write(this.rows, row)
  }

  private reject(problems: FieldErrors, { rows, text }: Line, row: number): void {
    const { file, isInPlace = false } = this.chunk
    const told = `${JSON.stringify({ file, row, problems, text })}\n`
    if (isInPlace) this.rows.text(told)
    else this.rejected += told
    this.tally.reject(rows)
  }
}

const NEWLINE = 0x0a

/** Each as a text of its own: what is part of a larger one keeps all of it in memory. */
function* linesIn({ buffer, byteLength, byteOffset }: Chunk["lines"]): Generator<string, void> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  for (let at = 0; at <= byteLength; ) {
    const next = bytes.indexOf(NEWLINE, at)
    const end = next === -1 ? byteLength : next
    yield bytes.toString("utf8", at, end)
    at = end + 1
  }
}

/** Computes the borrowers of a chunk one after the other, in their order. */
export const computeChunk = (portfolio: Portfolio, chunk: Chunk): ChunkResult => {
  const computing = new Computing(portfolio, chunk)
  let row = chunk.firstRow
  for (const text of linesIn(chunk.lines)) row += computing.add(text, row)
  const { ids, rejected, rows, tally } = computing
  return { rows: rows.bytes, rejected, summary: tally.summary, ids: BigUint64Array.from(ids) }
}
