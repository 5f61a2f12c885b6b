/**
 * The computation of one chunk: input lines become result rows. It is a pure function of the chunk
 * and the run, so a repeat on any machine gives the same bytes.
 */
import { Result } from "effect"
import { contradictionsOf, currentLaw, makeWorkspace } from "../../engine/index.ts"
import { contradictionMessages } from "../../messages/contradictions.ts"
import { boundedErrors, type FieldErrors } from "../../request/fieldErrors.ts"
import type { Borrower } from "../read/borrower.ts"
import { keyOf } from "../read/ids.ts"
import { atColumns, type Line, readLine } from "../read/readLine.ts"
import type { ChunkResult, Portfolio } from "../results/portfolio.ts"
import { unrecordedLine } from "../results/record/unrecorded.ts"
import { RowBytes } from "../results/rowBytes.ts"
import { type Carried, WRITING } from "../results/rows.ts"
import { SummaryTally } from "../results/summaryTally.ts"
import { outcomesOf, rowsOf } from "./outcomes.ts"

/**
 * Consecutive lines of one file, each a borrower: a JSON object or, in a table, a list of rows. A
 * list that begins with a text is a rejected one, and the text is the reason. For an unreadable row
 * the rest of the list is one object: the row's `text`, and the borrowerId that it seems to have.
 */
export interface Chunk {
  readonly index: number
  readonly file: string
  /** The same as in InputChunk. */
  readonly firstRow: number
  /** UTF-8. */
  readonly lines: Uint8Array<ArrayBuffer>
  readonly isTable: boolean
  /**
   * Hashes of the borrower ids that occur more than once in the whole input. Every borrower with
   * such an id is rejected.
   */
  readonly duplicateIds: ReadonlySet<bigint>
  /**
   * True in streaming mode: the reason for a rejected line is written where its result rows would
   * be. Otherwise it is collected in `rejected`.
   */
  readonly isInPlace?: boolean
  /** Whether the rows of a table have the column presentValue. */
  readonly isDiscounted?: boolean
}

const REPEATED: FieldErrors = {
  borrowerId: [
    "occurs more than once in the file: keep the rows of a borrower together, and use an id for one borrower only"
  ]
}

/** A borrower has the fields of a request's `scenario` at the top. */
const IN_SCENARIO = /^scenario\./

/** Rejects a borrower whose dates or changes contradict each other or the run's start. */
const rejectContradictions = (borrower: Borrower, { start }: Portfolio): Result.Result<Borrower, FieldErrors> => {
  const scenario = { ...borrower, label: null }
  const found = contradictionsOf(currentLaw, { loans: borrower.loans, scenario }, start)
  if (found.length === 0) return Result.succeed(borrower)
  const problems = contradictionMessages(found)
  return Result.fail(boundedErrors(problems.map(([field, message]) => [field.replace(IN_SCENARIO, ""), message])))
}

const workspace = makeWorkspace()

/** Reused, to spare the thread a garbage collection for each chunk. */
const rowsUnderWay = new RowBytes()

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

  /** @returns the number of input rows in the line */
  add(text: string, row: number): number {
    if (text.trim() === "") return 1
    const one = readLine(text, this.chunk.isTable, this.portfolio)
    this.tally.read(one.rows)
    const keys = one.ids.map(keyOf)
    const isRepeated = keys.some((key) => this.chunk.duplicateIds.has(key))
    const checked = Result.flatMap(one.borrower, (borrower) =>
      isRepeated
        ? Result.fail(REPEATED)
        : Result.mapError(rejectContradictions(borrower, this.portfolio), (problems) => atColumns(problems, one))
    )
    for (const key of keys) this.collectId(key, Result.isFailure(checked))
    if (Result.isSuccess(checked)) this.answer(checked.success, one.carried)
    else this.reject(checked.failure, one, row)
    return one.rows
  }

  /**
   * Collects an id for the search for duplicates. A rejected id is collected too, once per chunk.
   * Its rows may be loans of a borrower elsewhere, who must then be rejected as a duplicate.
   */
  private collectId(key: bigint, isRefused: boolean): void {
    if (isRefused && this.refused.has(key)) return
    if (isRefused) this.refused.add(key)
    this.ids.push(key)
  }

  private answer(borrower: Borrower, carried?: Carried): void {
    const outcomes = outcomesOf(currentLaw, this.portfolio, borrower, workspace)
    this.tally.add(borrower, outcomes)
    const rows = rowsOf(this.portfolio, borrower, outcomes)
    const { write } = WRITING[this.portfolio.format]
    if (this.portfolio.recordAt !== null) this.rows.text(unrecordedLine(borrower, rows, carried))
    else for (const row of rows) write(this.rows, row, this.chunk.isDiscounted, carried)
  }

  private reject(problems: FieldErrors, { rows, text }: Line, row: number): void {
    const { file, isInPlace = false } = this.chunk
    const rejection = `${JSON.stringify({ file, row, problems, text })}\n`
    if (isInPlace) this.rows.text(rejection)
    else this.rejected += rejection
    this.tally.reject(rows)
  }
}

const NEWLINE = 0x0a

/** Decodes each line by itself, because a slice of a longer string keeps all of it in memory. */
function* linesIn({ buffer, byteLength, byteOffset }: Chunk["lines"]): Generator<string, void> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  for (let at = 0; at <= byteLength; ) {
    const next = bytes.indexOf(NEWLINE, at)
    const end = next === -1 ? byteLength : next
    yield bytes.toString("utf8", at, end)
    at = end + 1
  }
}

export const computeChunk = (portfolio: Portfolio, chunk: Chunk): ChunkResult => {
  const computing = new Computing(portfolio, chunk)
  let row = chunk.firstRow
  for (const text of linesIn(chunk.lines)) row += computing.add(text, row)
  const { ids, rejected, rows, tally } = computing
  return { rows: rows.bytes, rejected, summary: tally.summary, ids: BigUint64Array.from(ids) }
}
