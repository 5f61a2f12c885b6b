/**
 * Portfolios for tests: synthetic borrowers, files of them in every layout, and runs from files to
 * results.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Ref } from "effect"
import { afterAll } from "vitest"
import { NOTHING_DONE } from "../../src/portfolio/computeChunks.ts"
import { sqlText, withDuckDB } from "../../src/portfolio/read/duckdb.ts"
import { resultFormatOf, rowsFormatOf } from "../../src/portfolio/results/outputPaths.ts"
import type { Portfolio } from "../../src/portfolio/results/portfolio.ts"
import { runPortfolio } from "../../src/portfolio/runPortfolio.ts"
import { computingHere } from "./computingHere.ts"
import { linesOf } from "./repay.ts"

/** The smallest portfolio request. */
export const ONE_PLAN: Portfolio = {
  plans: ["STANDARD"],
  baseline: "STANDARD",
  start: { year: 2027, month: 1 },
  format: "csv",
  ignore: [],
  carry: [],
  recordAt: null
}

export type Cells = Readonly<Record<string, unknown>>

export interface MadeBorrower {
  readonly own: Cells
  readonly loans: ReadonlyArray<Cells>
}

/** Column types as a data warehouse might have them. */
const OWN_TYPES = {
  borrowerId: "VARCHAR",
  adjustedGrossIncome: "DECIMAL(12,2)",
  filingStatus: "VARCHAR",
  dependents: "TINYINT",
  state: "VARCHAR",
  workingTowardsPslf: "BOOLEAN",
  currentPlan: "VARCHAR"
}
const LOAN_TYPES = {
  loanType: "VARCHAR",
  principalBalance: "DECIMAL(14,2)",
  interestBalance: "BIGINT",
  interestRate: "DOUBLE",
  idrMonthsInRepayment: "SMALLINT"
}
/** The same for the other fields of test/cases/additions.ts. */
const ADDED_TYPES = {
  annualIncomeGrowth: "DOUBLE",
  firstBorrowedOn: "DATE",
  annualPriceGrowth: "FLOAT",
  changes:
    "STRUCT(fromYear TINYINT, adjustedGrossIncome DECIMAL(12,2), spouseAdjustedGrossIncome DOUBLE, spouseFederalLoanBalance BIGINT, filingStatus VARCHAR, dependents SMALLINT, workingTowardsPslf BOOLEAN, familySize TINYINT, extraMonthlyPayment DOUBLE, monthlyBudget DECIMAL(9,2))[]",
  extraMonthlyPayment: "DECIMAL(9,2)",
  familySize: "UTINYINT",
  pauses: 'STRUCT(kind VARCHAR, "from" VARCHAR, until VARCHAR, loans TINYINT[])[]',
  planChanges: 'STRUCT("from" VARCHAR, planType VARCHAR)[]',
  monthlyBudget: "DECIMAL(9,2)",
  lumpSums: 'STRUCT("on" VARCHAR, amount DECIMAL(12,2))[]',
  discountRate: "DOUBLE"
}
const ADDED_LOAN_TYPES = { madeOn: "DATE" }

const OWN = Object.keys(OWN_TYPES)
const LOAN = Object.keys(LOAN_TYPES)
/** All of these columns; files without additions have only OWN and LOAN. */
export const ALL_COLUMNS = [OWN_TYPES, ADDED_TYPES, LOAN_TYPES, ADDED_LOAN_TYPES].flatMap(Object.keys)

const TYPES = ["DIRECT STAFFORD SUBSIDIZED", "DIRECT STAFFORD UNSUBSIDIZED", "FFEL STAFFORD SUBSIDIZED"]

/** A deterministic generator of numbers from 0 below `end`. */
const numbers = () => {
  let state = 20_270_101
  return (end: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % end
  }
}

/** Borrowers with one to four loans; some ids contain characters that CSV must quote. */
export const madeBorrowers = (count: number): ReadonlyArray<MadeBorrower> => {
  const below = numbers()
  const loan = (): Cells => ({
    loanType: TYPES[below(TYPES.length)]!,
    principalBalance: (100_000 + below(5_000_000)) / 100,
    interestBalance: below(1000),
    interestRate: (3000 + below(5000)) / 100_000,
    idrMonthsInRepayment: below(60)
  })
  return Array.from({ length: count }, (_, index) => ({
    own: {
      borrowerId: index % 10 === 3 ? `O'Neil, "${index}"; a|b` : `b${index}`,
      adjustedGrossIncome: 20_000 + below(120_000),
      filingStatus: ["Single", "MFS", "HeadOfHousehold"][below(3)]!,
      dependents: below(4),
      state: ["NC", "CA", "AK"][below(3)]!,
      workingTowardsPslf: below(2) === 0,
      ...(below(2) === 0 ? { currentPlan: "SAVE" } : {})
    },
    loans: Array.from({ length: 1 + below(4) }, loan)
  }))
}

export const ndjsonOf = (borrowers: ReadonlyArray<MadeBorrower>): string =>
  borrowers.map(({ loans, own }) => `${JSON.stringify({ ...own, loans })}\n`).join("")

interface Writing {
  readonly separator?: string
  readonly isQuoted?: boolean
  readonly columns?: ReadonlyArray<string>
}

const rowOf = (cells: ReadonlyArray<unknown>, { isQuoted = false, separator = "," }: Writing): string =>
  cells
    .map((cell) => (typeof cell === "object" && cell !== null ? JSON.stringify(cell) : String(cell ?? "")))
    .map((text) =>
      isQuoted || text.includes('"') || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text
    )
    .join(separator)

/** The rows of a CSV table, preceded by the header. */
export const csvRowsOf = (borrowers: ReadonlyArray<MadeBorrower>, writing: Writing = {}): ReadonlyArray<string> => {
  const { columns = [...OWN, ...LOAN] } = writing
  const rows = borrowers.flatMap(({ loans, own }) => loans.map((loan): Cells => ({ ...own, ...loan })))
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))].map((cells) => rowOf(cells, writing))
}

export const csvOf = (borrowers: ReadonlyArray<MadeBorrower>, writing: Writing = {}): string =>
  `${csvRowsOf(borrowers, writing).join("\n")}\n`

const columnsOf = (types: Cells) => Object.entries(types).map(([name, type]) => `${name}: '${type}'`)
const LOANS = `STRUCT(${Object.entries({ ...LOAN_TYPES, ...ADDED_LOAN_TYPES }).map(([name, type]) => `${name} ${type}`)})[]`

export const copyTo = (query: string, out: string): Promise<unknown> =>
  withDuckDB((duck) => duck.all(`COPY (${query}) TO ${sqlText(out)} (FORMAT parquet, ROW_GROUP_SIZE 2048)`))

/** Converts a CSV file into Parquet with one row per loan. */
export const flatParquet = (csv: string, out: string): Promise<unknown> =>
  copyTo(
    `FROM read_csv(${sqlText(csv)}, columns = {${columnsOf({ ...OWN_TYPES, ...LOAN_TYPES })}}, header = true, auto_detect = false, quote = '"', escape = '"')`,
    out
  )

/** Converts JSON lines into Parquet with one row per borrower. */
export const nestedParquet = (ndjson: string, out: string): Promise<unknown> =>
  copyTo(
    `FROM read_json(${sqlText(ndjson)}, columns = {${columnsOf({ ...OWN_TYPES, ...ADDED_TYPES, loans: LOANS })}})`,
    out
  )

export interface Rejected {
  readonly file: string
  readonly row: number
  readonly problems: Readonly<Record<string, ReadonlyArray<string>>>
  readonly text: string
}

const TWO_PLANS: Portfolio["plans"] = ["REPAYMENT ASSISTANCE", "STANDARD"]

interface RunOptions {
  readonly out?: string
  readonly ignore?: ReadonlyArray<string>
  readonly separator?: string
  readonly plans?: Portfolio["plans"]
  /** Runs before each chunk. */
  readonly before?: (index: number) => void
}

/** A temporary folder for a test file, and runs in it. */
export const portfolioFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "portfolio-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const path = (name: string) => join(folder, name)
  const write = (name: string, content: string | Uint8Array): string => {
    writeFileSync(path(name), content)
    return path(name)
  }
  const run = async (
    files: ReadonlyArray<string>,
    { before = () => {}, ignore = [], out = "out.csv", plans = TWO_PLANS, separator }: RunOptions = {}
  ) => {
    const format = resultFormatOf(out)
    const portfolio: Portfolio = {
      plans,
      baseline: "STANDARD",
      start: { year: 2027, month: 1 },
      format: rowsFormatOf(format),
      ignore,
      carry: [],
      recordAt: null
    }
    const request = { files, out: path(out), format, overwrite: true, portfolio, separator, rules: "{}" }
    const chunks: Array<string> = []
    const computing = computingHere(before, (index, { rejected }) => {
      chunks[index] = rejected
    })
    const { files: written, ...finished } = await Effect.runPromise(
      Effect.flatMap(Ref.make(NOTHING_DONE), (progress) => runPortfolio(request, computing, progress))
    )
    const file = written?.rejected ?? null
    const rejected = file === null ? chunks.join("") : readFileSync(file, "utf8")
    return {
      ...finished,
      bytes: written === null ? Buffer.alloc(0) : readFileSync(path(out)),
      rejected: linesOf(rejected).map((line): Rejected => JSON.parse(line))
    }
  }
  return { folder, path, write, run }
}

/** The rows of CSV results by borrower id. It works only for ids that need no quotes. */
export const rowsById = (csv: string): ReadonlyMap<string, string> => {
  const rows = new Map<string, string>()
  for (const line of csv.split("\n").slice(1, -1)) {
    const id = line.slice(0, line.indexOf(","))
    rows.set(id, `${rows.get(id) ?? ""}${line}\n`)
  }
  return rows
}
