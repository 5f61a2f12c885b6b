/** The rows that come of a portfolio: one for each borrower and plan, with the figures of POST /v1/projection. */
import type { ForgivenessType } from "../../schema/projection.ts"
import type { PlanType } from "../../schema/scenario.ts"

export type Outcome = "answered" | "ineligible" | "artifact"

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
}

interface Column {
  readonly name: keyof ResultRow
  readonly type: "text" | "integer" | "dollars" | "date" | "flag"
  readonly description: string
}

/** In the order of a file. An empty cell is null: what has no figures has none. */
export const COLUMNS: ReadonlyArray<Column> = [
  { name: "borrowerId", type: "text", description: "as in the input" },
  { name: "planType", type: "text", description: "the plan that the row is of" },
  {
    name: "outcome",
    type: "text",
    description:
      "answered; ineligible, where the law keeps the plan from the loans; artifact, where the counted months leave no figures"
  },
  {
    name: "reason",
    type: "text",
    description: "why there are no figures, by the loans concerned; empty where there are"
  },
  { name: "year1MonthlyPayment", type: "integer", description: "dollars a month in the first year" },
  { name: "monthsToFinish", type: "integer", description: "empty where a balance is left after fifty years" },
  {
    name: "payoffOrForgivenessDate",
    type: "date",
    description: "the first day of the month in which the last loan ends"
  },
  { name: "totalOutOfPocket", type: "dollars", description: "all payments" },
  { name: "amountForgiven", type: "dollars", description: "what is forgiven, by time or by public service" },
  { name: "forgivenessTaxesOwed", type: "dollars", description: "federal and state tax on what is forgiven" },
  { name: "totalCost", type: "dollars", description: "payments and tax together" },
  { name: "forgivenessType", type: "text", description: "None, TimeBased or Pslf" },
  {
    name: "loansBeside",
    type: "integer",
    description: "loans that the plan cannot take, repaid beside it in the same figures"
  },
  {
    name: "isLowest",
    type: "flag",
    description:
      "whether no other plan of the run that can still be elected costs this borrower less; the first of equals"
  },
  { name: "ruleVersion", type: "text", description: "the rules ledger that the figures rest on" },
  { name: "repaymentStart", type: "text", description: "the first month of repayment, YYYY-MM" }
]

export const TEXT_FORMATS = ["csv", "ndjson"] as const
export type TextFormat = (typeof TEXT_FORMATS)[number]

const NEEDS_QUOTES = /[",\r\n]/

const cellOf = (value: string | number | boolean | null): string => {
  if (value === null) return ""
  if (typeof value !== "string") return String(value)
  return NEEDS_QUOTES.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

const csvLine = (row: ResultRow): string => {
  let line = ""
  for (const { name } of COLUMNS) line += `${line === "" ? "" : ","}${cellOf(row[name])}`
  return `${line}\n`
}

interface Writing {
  /** What a file begins with. */
  readonly head: string
  readonly line: (row: ResultRow) => string
}

export const WRITING: Readonly<Record<TextFormat, Writing>> = {
  csv: { head: `${COLUMNS.map(({ name }) => name).join(",")}\n`, line: csvLine },
  ndjson: { head: "", line: (row) => `${JSON.stringify(row)}\n` }
}
