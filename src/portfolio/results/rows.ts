/** The result rows, one for each borrower and plan, with the figures of POST /v1/projection. */
import { FORGIVENESS_TYPES, type ForgivenessType } from "../../../schema/projection.ts"
import { PLAN_TYPES, type PlanType } from "../../../schema/scenario.ts"
import type { RowBytes } from "./rowBytes.ts"

export const OUTCOMES = ["answered", "ineligible", "artifact"] as const
export type Outcome = (typeof OUTCOMES)[number]

/** The reasons for a row without figures. */
export const REASONS = {
  closed: "the plan does not take such loans, or no longer",
  "balance-too-small": "EXTENDED needs more than 30,000 in the loan's program",
  "not-new-borrower": "the plan is for new borrowers, and a loan shows an older debt",
  "new-loans": "a loan made since July 2026 closes the plan to Direct loans",
  "loan-date": "a `madeOn` or `firstBorrowedOn` closes the plan to the loans",
  "term-spent": "artifact: the counted months leave one payment of a fixed term or none",
  "time-served": "artifact: all months to the plan's forgiveness are already counted",
  "service-done": "artifact: all payments to public-service forgiveness are already counted"
} as const
export type Reason = keyof typeof REASONS

export interface ResultRow {
  readonly borrowerId: string
  readonly planType: PlanType
  readonly outcome: Outcome
  readonly reason: string | null
  readonly year1MonthlyPayment: number | null
  readonly monthsToFinish: number | null
  readonly payoffOrForgivenessDate: string | null
  readonly totalOutOfPocket: number | null
  readonly amountForgiven: number | null
  readonly forgivenessTaxesOwed: number | null
  readonly totalCost: number | null
  readonly forgivenessType: ForgivenessType | null
  readonly loansBeside: number | null
  readonly isLowest: boolean
  readonly ruleVersion: string
  readonly repaymentStart: string
  readonly answerId: string | null
  /** Missing for a borrower without a discountRate. */
  readonly presentValue?: number | null
}

export interface Column {
  readonly name: keyof ResultRow
  readonly type: "text" | "integer" | "dollars" | "date" | "flag"
  readonly description: string
  readonly known?: ReadonlyArray<string>
}

/** The columns of every table in file order. An empty cell is null. */
const COLUMNS: ReadonlyArray<Column> = [
  { name: "borrowerId", type: "text", description: "as in the input" },
  { name: "planType", type: "text", known: PLAN_TYPES, description: "the plan of the row" },
  {
    name: "outcome",
    type: "text",
    known: OUTCOMES,
    description: "`answered`; `ineligible`, by law; `artifact`: counts decide alone"
  },
  {
    name: "reason",
    type: "text",
    description: "why there are no figures ([reasons](#reasons)); empty if there are"
  },
  { name: "year1MonthlyPayment", type: "integer", description: "dollars a month in the first year" },
  {
    name: "monthsToFinish",
    type: "integer",
    description: "counted from 0: 119 is the 120th payment; empty if a balance is left after fifty years"
  },
  {
    name: "payoffOrForgivenessDate",
    type: "date",
    description: "the first day of the month in which the last loan ends"
  },
  { name: "totalOutOfPocket", type: "dollars", description: "all payments" },
  { name: "amountForgiven", type: "dollars", description: "forgiveness by time or for public service" },
  { name: "forgivenessTaxesOwed", type: "dollars", description: "federal and state tax on forgiveness" },
  { name: "totalCost", type: "dollars", description: "payments and tax together" },
  { name: "forgivenessType", type: "text", known: FORGIVENESS_TYPES, description: "`None`, `TimeBased` or `Pslf`" },
  {
    name: "loansBeside",
    type: "integer",
    description: "loans that the plan cannot take; the figures include them"
  },
  {
    name: "isLowest",
    type: "flag",
    description: "whether no open plan of the run costs this borrower less; the first of equals"
  },
  { name: "ruleVersion", type: "text", description: "the version of the rules" },
  { name: "repaymentStart", type: "text", description: "the first month of repayment, YYYY-MM" },
  { name: "answerId", type: "text", description: "the record of the answer; empty if nothing was recorded" }
]

/** The last column of tables in which any borrower has a discountRate. */
const PRESENT_VALUE: Column = {
  name: "presentValue",
  type: "dollars",
  description:
    "payments and tax, discounted to the start; tables have the column if any borrower has a `discountRate`, and JSON lines the member for such a borrower"
}

/** The columns of a table's own figures; those that are carried from the input follow. */
export const columnsOf = (isDiscounted: boolean): ReadonlyArray<Column> =>
  isDiscounted ? [...COLUMNS, PRESENT_VALUE] : COLUMNS

/** The columns of the input that a run carries: names and values, in the order of the results. */
export type Carried = ReadonlyArray<readonly [name: string, value: unknown]>

/** The columns with the same value in every row of a run. */
export type OfRun = Pick<ResultRow, "ruleVersion" | "repaymentStart">

/**
 * The format of computed rows. `escaped-csv` is CSV for spreadsheets, which take some ids for
 * formulas. `cells` is CSV without the constant columns, for parquet.
 */
export type RowsFormat = "csv" | "escaped-csv" | "ndjson" | "cells"

const NEEDS_QUOTES = /[",\r\n]/

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * The beginnings of text that a spreadsheet takes for a formula, and the apostrophe itself, so that
 * no escaped id equals another plain id.
 */
const FORMULA = /^['=+\-@]/

/** A leading apostrophe makes it text. */
const escaped = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

const COMMA = 0x2c
const NEWLINE = 0x0a

const NOTHING: Carried = []

/** Writes the cells in column order. Only ids can need quotes; all other text is ours. */
const writeFigures = (to: RowBytes, row: ResultRow, written: (text: string) => string = quoted): void => {
  to.cell(written(row.borrowerId), COMMA)
  to.cell(row.planType, COMMA)
  to.cell(row.outcome, COMMA)
  to.cell(row.reason, COMMA)
  to.integer(row.year1MonthlyPayment, COMMA)
  to.integer(row.monthsToFinish, COMMA)
  to.cell(row.payoffOrForgivenessDate, COMMA)
  to.dollars(row.totalOutOfPocket, COMMA)
  to.dollars(row.amountForgiven, COMMA)
  to.dollars(row.forgivenessTaxesOwed, COMMA)
  to.dollars(row.totalCost, COMMA)
  to.cell(row.forgivenessType, COMMA)
  to.integer(row.loansBeside, COMMA)
  to.cell(String(row.isLowest), COMMA)
}

/** A value of a JSON line may be of any type. */
const textOf = (value: unknown): string =>
  value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value)

const writeLast = (
  to: RowBytes,
  { answerId, presentValue = null }: ResultRow,
  isDiscounted: boolean,
  carried: Carried,
  written: (text: string) => string = quoted
): void => {
  const last = carried.length - 1
  const end = last < 0 ? NEWLINE : COMMA
  to.cell(answerId, isDiscounted ? COMMA : end)
  if (isDiscounted) to.dollars(presentValue, end)
  for (const [index, [, value]] of carried.entries()) to.cell(written(textOf(value)), index === last ? NEWLINE : COMMA)
}

/** @param isDiscounted whether a table has the column presentValue */
type Write = (to: RowBytes, row: ResultRow, isDiscounted?: boolean, carried?: Carried) => void

const csvWriter =
  (written: (text: string) => string): Write =>
  (to, row, isDiscounted = false, carried = NOTHING) => {
    writeFigures(to, row, written)
    to.cell(row.ruleVersion, COMMA)
    to.cell(row.repaymentStart, COMMA)
    writeLast(to, row, isDiscounted, carried, written)
  }

const writeCells: Write = (to, row, isDiscounted = false, carried = NOTHING) => {
  writeFigures(to, row)
  writeLast(to, row, isDiscounted, carried)
}

const writeLine: Write = (to, row, _isDiscounted, carried = NOTHING) => {
  const own = JSON.stringify(row)
  if (carried.length === 0) to.text(`${own}\n`)
  else {
    const members = carried.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    to.text(`${own.slice(0, -1)},${members.join(",")}}\n`)
  }
}

interface Writing {
  readonly head: (isDiscounted: boolean, carry: ReadonlyArray<string>) => string
  readonly write: Write
  /** Whether all rows have the same columns. */
  readonly isTable: boolean
}

const csvHead = (isDiscounted: boolean, carry: ReadonlyArray<string>): string =>
  `${[...columnsOf(isDiscounted).map(({ name }) => name), ...carry.map(quoted)].join(",")}\n`
const noHead = (): string => ""

export const WRITING: Readonly<Record<RowsFormat, Writing>> = {
  csv: { head: csvHead, write: csvWriter(quoted), isTable: true },
  "escaped-csv": { head: csvHead, write: csvWriter((text) => quoted(escaped(text))), isTable: true },
  ndjson: { head: noHead, write: writeLine, isTable: false },
  cells: { head: noHead, write: writeCells, isTable: true }
}
