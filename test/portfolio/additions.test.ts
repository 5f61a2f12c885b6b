/**
 * The columns that a file may add, such as dates of borrowing, changes by year and pauses. The rows
 * of test/cases/additions.ts have the library's outcome in every format.
 */
import { describe, expect, it } from "vitest"
import { PLAN_TYPES, type PlanType } from "../../schema/scenario.ts"
import * as library from "../../src/library/index.ts"
import { sqlText, withDuckDB } from "../../src/portfolio/read/duckdb.ts"
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
  "CSV, with lists as JSON in a cell": async (borrowers) => write("cells.csv", csvOf(borrowers, { columns })),
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
  if (outcome._tag === "Refusal")
    return { borrowerId: row.name, planType, outcome: outcome.kind === "change" ? "ineligible" : outcome.kind }
  const { amountForgiven, monthsToFinish, presentValue, totalOutOfPocket, year1MonthlyPayment } = outcome
  const figures = {
    ...{ amountForgiven, monthsToFinish, totalOutOfPocket, year1MonthlyPayment },
    ...(presentValue === undefined ? {} : { presentValue })
  }
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

describe("a pause in the columns of its loans' rows", () => {
  const OF_LOAN = ["pauseKind", "pauseFrom", "pauseUntil"]
  const school = { pauseKind: "InSchool", pauseUntil: "2028-09" }
  const rest = { pauseKind: "forbearance", pauseFrom: "2027-03", pauseUntil: "2027-10" }
  const balances = [{ principalBalance: 12_000 }, { principalBalance: 9000, interestRate: 0.0654 }, {}, {}]
  const listed = borrowerOf({
    name: "paused",
    scenario: {
      pauses: [
        { kind: "InSchool", until: "2028-09", loans: [0, 2] },
        { kind: "Forbearance", from: "2027-03", until: "2027-10", loans: [1] }
      ]
    },
    loans: balances
  })
  const inRows = (...pauses: ReadonlyArray<object>): MadeBorrower => {
    const { pauses: _, ...own } = listed.own
    return { own, loans: listed.loans.map((one, index) => ({ ...one, ...pauses[index] })) }
  }
  const table = (borrower: MadeBorrower) => csvOf([borrower], { columns: [...columns, ...OF_LOAN] })
  const asParquet = (csv: string, replaced: string) =>
    copyTo(
      `SELECT * REPLACE (${replaced}) FROM read_csv(${sqlText(write("rows.csv", csv))}, all_varchar = true)`,
      path("rows.parquet")
    ).then(() => path("rows.parquet"))

  it("is that of the loans with the same values, wherever sorting puts them", async () => {
    const expected = await resultsOf(write("listed.ndjson", ndjsonOf([listed])))
    expect(expected.rejected).toEqual([])
    const [head, ...rows] = table(inRows(school, rest, school))
      .trimEnd()
      .split("\n")
    for (const sorted of [rows, rows.toReversed(), rows.toSorted()]) {
      const csv = `${[head, ...sorted].join("\n")}\n`
      expect(await resultsOf(write("sorted.csv", csv))).toEqual(expected)
      const dates = ["pauseFrom", "pauseUntil"].map((name) => `(${name} || '-01')::DATE AS ${name}`)
      expect(await resultsOf(await asParquet(csv, dates.join(", ")))).toEqual(expected)
      expect(await resultsOf(await asParquet(csv, "'Single' AS filingStatus"))).toEqual(expected)
    }
  })

  const MONTH = "must be a month: send year and month, such as 2027-05"
  it.each([
    [{ ...rest, pauseUntil: "2027-03" }, "pauseUntil", /^must be after March 2027, .*: send the first month/],
    [{ ...rest, pauseUntil: "2037-02" }, "pauseUntil", /^must be January 2037 or earlier$/],
    [{ ...rest, pauseFrom: "2027-03-15" }, "pauseFrom", new RegExp(`^${MONTH}$`)],
    [{ ...rest, pauseFrom: "3/2027" }, "pauseFrom", new RegExp(`^${MONTH}$`)],
    [{ ...rest, pauseUntil: "" }, "pauseUntil", /^is required: send the first month that is due again/],
    [{ pauseUntil: "2027-10" }, "pauseKind", /^is required: send InSchool, Deferment, Forbearance$/],
    [{ ...rest, pauseKind: "school" }, "pauseKind", /^must be one of InSchool, Deferment, Forbearance$/]
  ])("is refused by loan and column: %j", async (pause, column, message) => {
    const csv = table(inRows({}, pause, pause))
    const problems = { [`loans[1].${column}`]: [expect.stringMatching(message)] }
    expect((await resultsOf(write("refused.csv", csv))).rejected).toMatchObject([{ row: 2, problems }])
    const parquet = await asParquet(csv, "'Single' AS filingStatus")
    expect((await resultsOf(parquet)).rejected).toMatchObject([{ row: 1, problems }])
  })

  it("is not sent beside a list of pauses", async () => {
    const both = { own: listed.own, loans: inRows({}, school).loans }
    expect((await resultsOf(write("both.csv", table(both)))).rejected).toMatchObject([
      { problems: { pauses: [expect.stringContaining("send the pauses of a borrower in one of the two ways")] } }
    ])
  })

  it("may be ignored, and is no column of a borrower's row", async () => {
    const plain = await resultsOf(write("plain.csv", csvOf([inRows()], { columns })))
    const csv = write("ignored.csv", table(inRows(school)))
    expect(await resultsOf(csv, { ignore: OF_LOAN })).toEqual(plain)
    const line = write("line.ndjson", ndjsonOf([inRows(school)]))
    expect((await resultsOf(line)).rejected).toMatchObject([{ problems: { "loans[0].pauseKind": expect.anything() } }])
  })
})

describe("lists of structs and JSON in a cell", () => {
  const bent = borrowerOf({
    name: "bent",
    scenario: {
      pauses: [{ kind: "Deferment", from: "2027-02", until: "2027-08", loans: [1] }],
      lumpSums: [{ on: "2028-03", amount: 2500.5 }],
      planChanges: [{ from: "2028-05", planType: "GRADUATED" }],
      changes: [{ fromYear: 2, familySize: 4, monthlyBudget: 700 }]
    },
    loans: [{}, {}]
  })

  it("take months as dates of their first days in parquet", async () => {
    const expected = await resultsOf(write("bent.ndjson", ndjsonOf([bent])))
    expect(expected.rejected).toEqual([])
    const dated = write("dated.ndjson", ndjsonOf([bent]).replaceAll(/"(20\d\d-\d\d)"/g, '"$1-01"'))
    await copyTo(`FROM read_json(${sqlText(dated)})`, path("dated.parquet"))
    const [types = []] = await withDuckDB((duck) =>
      duck.all(
        `SELECT typeof(pauses) || typeof(lumpSums) || typeof(planChanges) FROM ${sqlText(path("dated.parquet"))}`
      )
    )
    expect(types[0]).toMatch(/"from" DATE, "until" DATE, loans BIGINT\[\]\).*"on" DATE.*"from" DATE/)
    expect(await resultsOf(path("dated.parquet"))).toEqual(expected)
    expect((await resultsOf(dated)).rejected).toMatchObject([
      { problems: { "pauses[0].from": [expect.stringMatching(/^must be a month/)] } }
    ])
  })

  it.each([
    [
      "pauses",
      "until September",
      /^is not valid JSON: .*; write it like \[\{"kind":"Deferment","until":"2027-05"\}\]$/
    ],
    ["pauses", "3", /^must be an array of 0 to 10 pauses, each an object with kind and until$/],
    [
      "planChanges",
      "RAP in June 2028",
      /^is not valid JSON: .*; write it like \[\{"from":"2028-06","planType":"INCOME BASED"\}\]$/
    ],
    ["planChanges", "3", /^must be an array of 0 to 5 changes of plan, each an object with from and planType$/],
    ["lumpSums", "5000", /^must be an array of 0 to 20 lump sums, each an object with on and amount$/],
    ["lumpSums", "[5000", /^is not valid JSON: .*; write it like \[\{"on":"2027-03","amount":5000\}\]$/]
  ])("%s are refused if they are %s", async (name, cell, message) => {
    const file = write("cell.csv", csvOf([{ ...bent, own: { ...bent.own, [name]: cell } }], { columns }))
    expect((await resultsOf(file)).rejected).toMatchObject([{ problems: { [name]: [expect.stringMatching(message)] } }])
  })
})

describe("presentValue", () => {
  /** Too small for EXTENDED. */
  const loans = [{ principalBalance: 9000 }]
  const plain = Array.from({ length: 700 }, (_, index) => borrowerOf({ name: `plain ${index}`, loans }))
  const discounted = borrowerOf({ name: "discounted", scenario: { discountRate: 0.03 }, loans })
  const zero = borrowerOf({ name: "zero", scenario: { discountRate: 0 }, loans })
  const input = () => write("mixed.ndjson", ndjsonOf([...plain, discounted, zero]))
  const plans: ReadonlyArray<PlanType> = ["STANDARD", "EXTENDED"]
  const runTo = async (out: string, borrowers = input()) => {
    const { bytes, summary } = await run([borrowers], { plans, out })
    return { text: bytes.toString(), summary }
  }
  const worthOf = (scenario: object) => {
    const outcome = library.project(requestOf({ name: "", scenario: { ...scenario }, loans }), { start })
    return outcome._tag === "Refusal" ? undefined : outcome.presentValue
  }

  it("is the last column of a table if any borrower has a discountRate", async () => {
    const { summary, text } = await runTo("worth.csv")
    expect(summary.discounted).toBe(2)
    const [head, ...rows] = text.trimEnd().split("\n")
    const without = await runTo("plain.csv", write("plain.ndjson", ndjsonOf(plain)))
    expect(without.summary).not.toHaveProperty("discounted")
    const [plainHead, ...plainRows] = without.text.trimEnd().split("\n")
    expect([head, ...rows.slice(0, -4)]).toEqual([`${plainHead},presentValue`, ...plainRows.map((row) => `${row},`)])
    const lastOf = (row: string | undefined) => row!.split(",").at(-1)
    expect(rows.slice(-4).map(lastOf)).toEqual(
      [worthOf({ discountRate: 0.03 }), "", worthOf({ discountRate: 0 }), ""].map(String)
    )
  })

  it("is the same in every format, and left out of JSON lines of other borrowers", async () => {
    const lines = linesOf((await runTo("worth.ndjson")).text).map((line) => JSON.parse(line))
    expect(
      lines.filter((row) => "presentValue" in row).map(({ borrowerId, presentValue }) => [borrowerId, presentValue])
    ).toEqual([
      ["discounted", worthOf({ discountRate: 0.03 })],
      ["discounted", null],
      ["zero", worthOf({ discountRate: 0 })],
      ["zero", null]
    ])
    await runTo("worth.parquet")
    const [values = [], types = []] = await withDuckDB((duck) =>
      duck.all(
        `SELECT presentValue::DOUBLE, typeof(presentValue) FROM ${sqlText(path("worth.parquet"))} WHERE presentValue IS NOT NULL`
      )
    )
    expect([values, types[0]]).toEqual([
      [worthOf({ discountRate: 0.03 }), worthOf({ discountRate: 0 })],
      "DECIMAL(18,2)"
    ])
  })

  it("is found before ids are found to repeat", async () => {
    const first = await runTo("once.csv")
    const doubled = write("twice.ndjson", ndjsonOf([...plain, discounted, zero, plain[0]!]))
    const { text } = await runTo("twice.csv", doubled)
    expect(text).toBe(
      first.text
        .split("\n")
        .filter((line) => !line.startsWith("plain 0,"))
        .join("\n")
    )
  })
})
