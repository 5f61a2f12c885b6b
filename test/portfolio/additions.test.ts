/**
 * The columns that a file may add: dates of borrowing, growth of prices, changes by year and extra
 * payments. The rows of test/cases/additions.ts have the library's outcome in every format.
 */
import { describe, expect, it } from "vitest"
import { PLAN_TYPES, type PlanType } from "../../schema/scenario.ts"
import * as library from "../../src/library/index.ts"
import { sqlText } from "../../src/portfolio/read/duckdb.ts"
import { type Addition, ANSWERED, NOTHING, outcomeIn, outcomeOf, refusedFrom, requestOf } from "../cases/additions.ts"
import {
  ALL_COLUMNS,
  copyTo,
  csvOf,
  type MadeBorrower,
  ndjsonOf,
  nestedParquet,
  ONE_PLAN,
  portfolioFolder
} from "../support/portfolios.ts"
import { linesOf } from "../support/repay.ts"

const { run, path, write } = portfolioFolder()
const { start } = ONE_PLAN

const borrowerOf = (row: Addition): MadeBorrower => {
  const { loans, scenario } = requestOf(row)
  const { planType: _, ...own } = scenario
  return { own: { borrowerId: row.name, ...own }, loans: loans.map((one) => ({ ...one })) }
}

const columns = ALL_COLUMNS
const FORMATS: Readonly<Record<string, (borrowers: ReadonlyArray<MadeBorrower>) => Promise<string>>> = {
  "JSON lines": async (borrowers) => write("lines.ndjson", ndjsonOf(borrowers)),
  "CSV, with changes as JSON in a cell": async (borrowers) => write("cells.csv", csvOf(borrowers, { columns })),
  "CSV with spaces in empty cells": async (borrowers) =>
    write("spaces.csv", csvOf(borrowers, { columns }).replaceAll(/(?<=,)(?=,)/g, " ")),
  "parquet with a row for each borrower": async (borrowers) => {
    await nestedParquet(write("typed.ndjson", ndjsonOf(borrowers)), path("nested.parquet"))
    return path("nested.parquet")
  },
  "parquet with a row for each loan": async (borrowers) => {
    const nested = sqlText(await FORMATS["parquet with a row for each borrower"]!(borrowers))
    await copyTo(`SELECT * EXCLUDE (loans), unnest(loans, max_depth := 2) FROM ${nested}`, path("flat.parquet"))
    return path("flat.parquet")
  },
  "parquet in which all of them are text": async (borrowers) => {
    const csv = sqlText(write("texts.csv", csvOf(borrowers, { columns })))
    await copyTo(`FROM read_csv(${csv}, all_varchar = true)`, path("texts.parquet"))
    return path("texts.parquet")
  }
}

const resultsOf = async (file: string, options = {}) => {
  const { bytes, rejected } = await run([file], { plans: PLAN_TYPES, out: "out.ndjson", ...options })
  return { rejected, rows: linesOf(bytes.toString()).map((line) => JSON.parse(line)) }
}

/** The row of a result, as far as the library has it. */
const resultOf = (row: Addition, planType: PlanType) => {
  const outcome = library.project(requestOf({ ...row, planType }), { start })
  if (outcome._tag === "Refusal") return { borrowerId: row.name, planType, outcome: outcome.kind }
  const { amountForgiven, monthsToFinish, totalOutOfPocket, year1MonthlyPayment } = outcome
  const figures = { amountForgiven, monthsToFinish, totalOutOfPocket, year1MonthlyPayment }
  return { borrowerId: row.name, planType, outcome: "answered", ...figures }
}

const REFUSED = refusedFrom(start)
/** A column has a type, so only a contradiction gets into one. */
const CONTRADICTORY = REFUSED.filter((row) => {
  try {
    return library.decode.projection(requestOf(row)) !== undefined
  } catch {
    return false
  }
})

describe.each(Object.entries(FORMATS))("%s", (name, fileOf) => {
  it("has the library's figures", async () => {
    const { rejected, rows } = await resultsOf(await fileOf(ANSWERED.map(borrowerOf)))
    expect(rejected).toEqual([])
    expect(rows).toMatchObject(ANSWERED.flatMap((row) => PLAN_TYPES.map((planType) => resultOf(row, planType))))
  })

  it("is refused by row and field, in the library's words", async () => {
    const refused = name.startsWith("parquet with") ? CONTRADICTORY : REFUSED
    // The first line of a CSV file names its columns.
    const firstRow = name.startsWith("CSV") ? 2 : 1
    const { rejected, rows } = await resultsOf(await fileOf([...refused, NOTHING].map(borrowerOf)))
    expect(rejected.map(({ problems, row }) => ({ row, problems: outcomeIn({ errors: problems }) }))).toEqual(
      refused.map((row, index) => ({
        row: firstRow + index,
        problems: outcomeOf(row, start).map((line) => `${line}`.replace("scenario.", ""))
      }))
    )
    expect(new Set(rows.map(({ borrowerId }) => borrowerId))).toEqual(new Set([NOTHING.name]))
  })
})

it("null is as left out, in every format and at every depth", async () => {
  const nulls = (names: ReadonlyArray<string>) => Object.fromEntries(names.map((one) => [one, null]))
  const own = nulls(["annualIncomeGrowth", "spouseAdjustedGrossIncome", "currentPlan", "extraMonthlyPayment"])
  const ofLoan = nulls(["interestBalance", "disbursedAmount", "idrMonthsInRepayment", "pslfCount", "madeOn"])
  const change = { fromYear: 3, adjustedGrossIncome: 61_000 }
  const plain = borrowerOf({ name: "plain", scenario: { changes: [change] }, loans: [{}, {}] })
  const changes = [{ ...nulls(["dependents", "filingStatus", "workingTowardsPslf"]), ...change }]
  const sent = {
    own: { ...plain.own, ...own, changes },
    loans: plain.loans.map((one) => ({ ...ofLoan, ...one }))
  }
  const expected = await resultsOf(write("absent.ndjson", ndjsonOf([plain])))
  expect(expected.rejected).toEqual([])
  const lines = write("nulls.ndjson", ndjsonOf([sent]))
  await copyTo(`FROM read_json(${sqlText(lines)})`, path("nulls.parquet"))
  for (const file of [lines, path("nulls.parquet"), write("nulls.csv", csvOf([sent], { columns }))])
    expect(await resultsOf(file)).toEqual(expected)
})

it("a result says which plans a date closes", async () => {
  const reasonsOf = async (scenario: Readonly<Record<string, unknown>>, ...plans: ReadonlyArray<PlanType>) => {
    const borrower = borrowerOf({ name: "dated", scenario })
    const { rows } = await resultsOf(write("dates.ndjson", ndjsonOf([borrower])), { plans })
    return rows.map(({ reason }) => reason)
  }
  const tests = ["INCOME BASED", "INCOME BASED (OLD)"] as const
  expect(await reasonsOf({ firstBorrowedOn: "2012-01-01" }, ...tests)).toEqual(["loan-date", null])
  expect(await reasonsOf({ firstBorrowedOn: "2015-01-01" }, ...tests)).toEqual([null, "loan-date"])
  expect(await reasonsOf({ firstBorrowedOn: "2026-07-01" }, ...tests, "STANDARD")).toEqual([
    "new-loans",
    "new-loans",
    null
  ])
})

const CHANGES = [
  { fromYear: 3, adjustedGrossIncome: 61_000.25 },
  { fromYear: 6, dependents: 2 }
]
const changing = (changes: unknown) => [borrowerOf({ name: "changing", scenario: { changes }, loans: [{}, {}] })]

describe("changes in a cell of CSV are refused", () => {
  const NOT_JSON = /^is not valid JSON: .* at line 1, column \d+; write it like \[\{"fromYear":3,"dependents":1\}\]$/
  const NO_LIST = /^must be an array of 0 to 20 changes, each an object with fromYear and what changes$/

  it.each([
    ["[{fromYear: 3, dependents: 1}]", "changes", NOT_JSON],
    ['[{"fromYear":3,"dependents":1}', "changes", NOT_JSON],
    ["married in 2029", "changes", NOT_JSON],
    ["3", "changes", NO_LIST],
    ['"none"', "changes", NO_LIST],
    ["true", "changes", NO_LIST],
    [
      '[{"fromYear":3,"dependents":1,"dependents":2}]',
      "changes[0].dependents",
      /^is sent more than once; send it once$/
    ]
  ])("if they are %s", async (cell, field, message) => {
    const { rejected } = await resultsOf(write("cell.csv", csvOf(changing(cell), { columns })))
    expect(rejected).toMatchObject([{ row: 2, problems: { [field]: [expect.stringMatching(message)] } }])
  })

  it("if they differ between the rows of a borrower, but not for their spaces", async () => {
    const [head, first, second] = csvOf(changing(CHANGES), { columns }).split("\n")
    const rejectedWith = async (other: string) =>
      (await resultsOf(write("rows.csv", `${[head, first, other].join("\n")}\n`))).rejected
    const differs = "differs between loan 1 and loan 2 of this borrower: a borrower has one household"
    expect(await rejectedWith(second!.replace('""dependents"":2', '""dependents"":3'))).toMatchObject([
      { row: 2, problems: { changes: [differs] } }
    ])
    expect(await rejectedWith(second!.replaceAll('"":', '"": '))).toEqual([])
  })
})

describe("members of changes", () => {
  const noted = changing(CHANGES.map((change) => ({ ...change, note: "x" })))
  const notedParquet = async () => {
    const nested = sqlText(await FORMATS["parquet with a row for each borrower"]!(changing(CHANGES)))
    const query = `SELECT * REPLACE (list_transform(changes, lambda item: struct_insert(item, note := 'x')) AS changes) FROM ${nested}`
    await copyTo(query, path("noted.parquet"))
    return path("noted.parquet")
  }

  it("may be ignored", async () => {
    const plain = await resultsOf(write("not.ndjson", ndjsonOf(changing(CHANGES))))
    const files = [
      write("noted.ndjson", ndjsonOf(noted)),
      write("noted.csv", csvOf(noted, { columns })),
      await notedParquet()
    ]
    for (const file of files) expect(await resultsOf(file, { ignore: ["note"] })).toEqual(plain)
    expect(plain.rejected).toEqual([])
  })

  it("of parquet are checked before anything is computed", async () => {
    const parquet = await notedParquet()
    await expect(resultsOf(parquet)).rejects.toMatchObject({
      lines: [
        expect.stringContaining("its columns do not match those of borrowers and loans"),
        "Column changes.note is not known: remove it, or name it in --ignore."
      ]
    })
    await expect(resultsOf(parquet, { ignore: ["note", "fromYear"] })).rejects.toMatchObject({
      lines: [expect.anything(), "Column changes.fromYear is required: send a year of repayment, 2 to 50, such as 3."]
    })
  })
})
