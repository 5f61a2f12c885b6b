/**
 * The columns that a file may add: dates of borrowing, growth of prices, changes by year and extra
 * payments. Every format yields the figures of the same requests, and refuses the same values.
 */
import { Result } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { ProjectionRequest } from "../../schema/projection.ts"
import { PLAN_TYPES, type PlanType } from "../../schema/scenario.ts"
import { currentLaw } from "../../src/engine/law/law.ts"
import { project } from "../../src/engine/projection.ts"
import { sqlText } from "../../src/portfolio/read/duckdb.ts"
import { readStrictly } from "../../src/request/decode.ts"
import { copyTo, portfolioFolder } from "../support/portfolios.ts"
import { linesOf } from "../support/repay.ts"
import { household, loan } from "../support/requests.ts"

const { run, path, write } = portfolioFolder()

/** The start of the runs of portfolioFolder. */
const START = { year: 2027, month: 1 }

type Members = Readonly<Record<string, unknown>>
interface Sent extends Members {
  readonly borrowerId: string
  readonly loans: ReadonlyArray<Members>
}

const loanOf = (madeOn?: string): Members => ({
  ...loan,
  principalBalance: 12_000.5,
  ...(madeOn === undefined ? {} : { madeOn })
})

const NEW_LOAN: Sent = {
  borrowerId: "new-loan",
  ...household,
  adjustedGrossIncome: 40_000,
  firstBorrowedOn: "2019-09-01",
  loans: [loanOf("2019-09-01"), loanOf("2019-09-01"), loanOf("2026-08-20")]
}

const CHANGES = [
  { fromYear: 3, adjustedGrossIncome: 61_000.25, filingStatus: "MFJ", spouseAdjustedGrossIncome: 38_000 },
  { fromYear: 6, dependents: 2, workingTowardsPslf: true },
  { fromYear: 9, spouseFederalLoanBalance: 20_000 }
]

const CHANGING: Sent = {
  borrowerId: "changing",
  ...household,
  adjustedGrossIncome: 40_000,
  annualPriceGrowth: 0.025,
  extraMonthlyPayment: 50.5,
  changes: CHANGES,
  loans: [loanOf(), loanOf("2021-02-03")]
}

const PLAIN: Sent = { borrowerId: "plain", ...household, loans: [loanOf(), loanOf()] }
const BORROWERS = [NEW_LOAN, CHANGING, PLAIN]

const ndjsonOf = (borrowers: ReadonlyArray<Sent>): string =>
  borrowers.map((borrower) => `${JSON.stringify(borrower)}\n`).join("")

const NAMES = [...new Set(BORROWERS.flatMap(({ loans, ...own }) => [own, ...loans]).flatMap(Object.keys))]

const cellOf = (value: unknown = ""): string => {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value)
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const csvOf = (borrowers: ReadonlyArray<Sent>): string => {
  const rows = borrowers.flatMap(({ loans, ...own }) => loans.map((one): Members => ({ ...own, ...one })))
  return [NAMES, ...rows.map((row) => NAMES.map((name) => cellOf(row[name])))].map((row) => `${row}\n`).join("")
}

const CHANGE_TYPE =
  "STRUCT(fromYear TINYINT, adjustedGrossIncome DECIMAL(12,2), spouseAdjustedGrossIncome DOUBLE, spouseFederalLoanBalance BIGINT, filingStatus VARCHAR, dependents SMALLINT, workingTowardsPslf BOOLEAN)[]"
const TYPES: Readonly<Record<string, string>> = {
  workingTowardsPslf: "BOOLEAN",
  firstBorrowedOn: "DATE",
  madeOn: "DATE",
  annualPriceGrowth: "FLOAT",
  changes: CHANGE_TYPE,
  extraMonthlyPayment: "DECIMAL(9,2)",
  adjustedGrossIncome: "DECIMAL(12,2)",
  principalBalance: "DOUBLE",
  interestRate: "DOUBLE"
}
const typeOf = (name: string): string => TYPES[name] ?? "VARCHAR"

/** Reads JSON lines in DuckDB, with column types as a data warehouse might have them. */
const typed = (ndjson: string): string => {
  const ofLoan = Object.keys(loanOf("2019-09-01"))
  const own = NAMES.filter((name) => !ofLoan.includes(name)).map((name) => `${name}: '${typeOf(name)}'`)
  const loans = `loans: 'STRUCT(${ofLoan.map((name) => `${name} ${typeOf(name)}`)})[]'`
  return `read_json(${sqlText(ndjson)}, columns = {${[...own, loans].join(", ")}})`
}

const ALL = { plans: PLAN_TYPES, out: "out.ndjson" }

const resultsOf = async (file: string, options = {}) => {
  const { bytes, rejected } = await run([file], { ...ALL, ...options })
  return { rejected, rows: linesOf(bytes.toString()).map((line) => JSON.parse(line)) }
}

const withScenario = ({ borrowerId: _id, loans, ...own }: Sent, planType: PlanType) => ({
  scenario: { ...own, planType },
  loans
})

const projected = (borrower: Sent, planType: PlanType) => {
  const request = Result.getOrThrow(readStrictly(ProjectionRequest)(withScenario(borrower, planType)))
  return project(currentLaw, { ...request, includeYearly: false }, START)
}

describe("results of borrowers with additions", () => {
  let ndjson: string
  let expected: ReadonlyArray<Members>

  beforeAll(async () => {
    ndjson = write("lines.ndjson", ndjsonOf(BORROWERS))
    const { rejected, rows } = await resultsOf(ndjson)
    expect(rejected).toEqual([])
    expected = rows
  })

  it("have the figures of the same requests projected alone", () => {
    const figures = BORROWERS.flatMap((borrower) =>
      PLAN_TYPES.map((planType) => {
        const outcome = projected(borrower, planType)
        if (outcome._tag === "Refusal") return { borrowerId: borrower.borrowerId, planType, outcome: outcome.kind }
        const { amountForgiven, monthsToFinish, totalOutOfPocket, year1MonthlyPayment } = outcome
        const own = { amountForgiven, monthsToFinish, totalOutOfPocket, year1MonthlyPayment }
        return { borrowerId: borrower.borrowerId, planType, outcome: "answered", ...own }
      })
    )
    expect(expected).toMatchObject(figures)
  })

  it("with a new loan exist for REPAYMENT ASSISTANCE and STANDARD alone", () => {
    const rows = expected.filter(({ borrowerId }) => borrowerId === "new-loan")
    const outcomes = Object.fromEntries(rows.map(({ outcome, planType, reason }) => [planType, reason ?? outcome]))
    expect(outcomes).toEqual({
      ...Object.fromEntries(PLAN_TYPES.map((planType) => [planType, "new-loans"])),
      "REPAYMENT ASSISTANCE": "answered",
      STANDARD: "answered"
    })
    // 36,001.50 dollars are repaid on the tier of 15 years.
    expect(rows.find(({ planType }) => planType === "STANDARD")).toMatchObject({ monthsToFinish: 179 })
  })

  it("differ from those without the changes and the extra payment", async () => {
    const { changes: _changes, extraMonthlyPayment: _extra, ...own } = CHANGING
    const { rows } = await resultsOf(write("less.ndjson", JSON.stringify(own)))
    for (const planType of ["REPAYMENT ASSISTANCE", "STANDARD"]) {
      const total = (all: ReadonlyArray<Members>) =>
        all.find((row) => row["borrowerId"] === "changing" && row["planType"] === planType)!["totalOutOfPocket"]
      expect(total(rows)).not.toBe(total(expected))
    }
  })

  it("are the same for CSV, with changes as JSON in a cell", async () => {
    expect(await resultsOf(write("cells.csv", csvOf(BORROWERS)))).toEqual({ rejected: [], rows: expected })
  })

  it("are the same for parquet with a row for each loan, with dates and a list of structs", async () => {
    const flat = `SELECT * EXCLUDE (loans), unnest(loans, max_depth := 2) FROM ${typed(ndjson)}`
    await copyTo(flat, path("flat.parquet"))
    expect(await resultsOf(path("flat.parquet"))).toEqual({ rejected: [], rows: expected })
  })

  it("are the same for parquet with a row for each borrower", async () => {
    await copyTo(`FROM ${typed(ndjson)}`, path("nested.parquet"))
    expect(await resultsOf(path("nested.parquet"))).toEqual({ rejected: [], rows: expected })
  })

  it("are the same for parquet in which all of them are text", async () => {
    await copyTo(`FROM read_csv(${sqlText(path("cells.csv"))}, all_varchar = true)`, path("texts.parquet"))
    expect(await resultsOf(path("texts.parquet"))).toEqual({ rejected: [], rows: expected })
  })

  it("are those of requests without them if they are null, 0 or empty", async () => {
    const { loans, ...own } = PLAIN
    const left = { firstBorrowedOn: null, annualPriceGrowth: 0, extraMonthlyPayment: null, changes: [] }
    const empty = { ...own, ...left, loans: loans.map((one) => ({ ...one, madeOn: null })) }
    const rows = expected.filter(({ borrowerId }) => borrowerId === "plain")
    expect(await resultsOf(write("left.ndjson", JSON.stringify(empty)))).toEqual({ rejected: [], rows })
    const cells = csvOf([PLAIN]).replaceAll(",,", ", ,")
    expect(await resultsOf(write("left.csv", cells))).toEqual({ rejected: [], rows })
  })

  it("are the same if every field that may be left out is null, in every format and at every depth", async () => {
    const nulls = (names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, null]))
    const own = nulls(["annualIncomeGrowth", "spouseAdjustedGrossIncome", "currentPlan", "extraMonthlyPayment"])
    const ofLoan = nulls(["interestBalance", "disbursedAmount", "idrMonthsInRepayment", "pslfCount", "madeOn"])
    const change = { fromYear: 3, adjustedGrossIncome: 61_000 }
    const changes = [{ ...nulls(["dependents", "filingStatus", "workingTowardsPslf"]), ...change }]
    const sent = { ...PLAIN, ...own, changes, loans: PLAIN.loans.map((one) => ({ ...ofLoan, ...one })) }
    const { rejected, rows } = await resultsOf(write("absent.ndjson", JSON.stringify({ ...PLAIN, changes: [change] })))
    expect(rejected).toEqual([])
    expect(await resultsOf(write("nulls.ndjson", JSON.stringify(sent)))).toEqual({ rejected: [], rows })
    await copyTo(`FROM read_json(${sqlText(path("nulls.ndjson"))})`, path("nulls.parquet"))
    expect(await resultsOf(path("nulls.parquet"))).toEqual({ rejected: [], rows })
    expect(await resultsOf(write("nulls.csv", csvOf([{ ...PLAIN, changes }])))).toEqual({ rejected: [], rows })
  })

  it("say which plans a date closes", async () => {
    const older = { ...PLAIN, firstBorrowedOn: "2012-01-01" }
    const newer = { ...PLAIN, borrowerId: "newer", firstBorrowedOn: "2015-01-01" }
    const plans: ReadonlyArray<PlanType> = ["INCOME BASED", "INCOME BASED (OLD)"]
    const { rows } = await resultsOf(write("dates.ndjson", ndjsonOf([older, newer])), { plans })
    expect(rows.map(({ reason }) => reason)).toEqual(["loan-date", null, null, "loan-date"])
  })
})

/** The problems of a request of POST /v1/projection, by the fields of a borrower. */
const problemsOfRequest = (borrower: Sent) => {
  const errors = Result.getOrThrow(Result.flip(readStrictly(ProjectionRequest)(withScenario(borrower, "STANDARD"))))
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [field.replace("scenario.", ""), messages])
  )
}

const changed = (change: Members, ofLoan: Members = {}): Sent => ({
  ...CHANGING,
  ...change,
  loans: [...CHANGING.loans, { ...loan, ...ofLoan }]
})

const REFUSED: ReadonlyArray<readonly [what: string, borrower: Sent]> = [
  ["a date of another form", changed({}, { madeOn: "8/26/2019" })],
  ["a day that does not exist", changed({ firstBorrowedOn: "2019-02-30" })],
  ["a day before all loans", changed({ firstBorrowedOn: "1958-09-01" }, { madeOn: "1949-01-01" })],
  ["growth as a percentage", changed({ annualPriceGrowth: 2.5 })],
  ["an extra payment below zero", changed({ extraMonthlyPayment: -1 })],
  ["changes of another kind", changed({ changes: { fromYear: 3, dependents: 1 } })],
  ["a change from the first year", changed({ changes: [{ fromYear: 1, dependents: 1 }] })],
  ["a change with text for a flag", changed({ changes: [{ fromYear: 3, workingTowardsPslf: "yes" }] })],
  ["a change with text for a number", changed({ changes: [{ fromYear: 3, adjustedGrossIncome: "50,000" }] })],
  ["a change without a year", changed({ changes: [{ dependents: 1 }] })],
  ["a change of another name", changed({ changes: [{ fromYear: 3, note: "x" }] })],
  [
    "too many changes",
    changed({ changes: Array.from({ length: 21 }, (_, index) => ({ fromYear: 2 + index, dependents: 1 })) })
  ]
]

describe("a borrower is refused by row and field, in the words of the API,", () => {
  it.each(REFUSED)("for %s", async (_, borrower) => {
    const problems = problemsOfRequest(borrower)
    const refused = [{ row: 1, problems }]
    expect((await resultsOf(write("bad.ndjson", JSON.stringify(borrower)))).rejected).toMatchObject(refused)
    const { rejected, rows } = await resultsOf(write("bad.csv", csvOf([borrower, PLAIN])))
    expect(rejected).toMatchObject([{ row: 2, problems }])
    expect(new Set(rows.map(({ borrowerId }) => borrowerId))).toEqual(new Set(["plain"]))
  })

  it.each([
    ["firstBorrowedOn", "2027-01-01", "firstBorrowedOn", "must be before 1 January 2027, the first month of repayment"],
    ["madeOn", "2027-01-01", "loans[0].madeOn", "must be before 1 January 2027, the first month of repayment"],
    [
      "firstBorrowedOn",
      "2021-02-04",
      "firstBorrowedOn",
      "is after the madeOn of loans[1], 3 February 2021: send that day, or an earlier day since which the borrower has owed"
    ],
    [
      "changes",
      [
        { fromYear: 4, dependents: 1 },
        { fromYear: 4, dependents: 2 }
      ],
      "changes[1].fromYear",
      "must be later than 4, the year of the previous change: send the changes in order, one for each year"
    ],
    [
      "changes",
      [{ fromYear: 4, dependents: null }],
      "changes[0]",
      "must change something: send at least one member other than fromYear that is not null"
    ]
  ])("for a contradiction: %s %j", async (name, value, field, message) => {
    const [first, ...others] = CHANGING.loans
    const isOfLoan = name === "madeOn"
    const borrower = isOfLoan
      ? { ...CHANGING, loans: [{ ...first, [name]: value }, ...others] }
      : { ...CHANGING, [name]: value }
    write("no.ndjson", ndjsonOf([borrower]))
    write("no.csv", csvOf([borrower]))
    await copyTo(`FROM ${typed(path("no.ndjson"))}`, path("no.parquet"))
    for (const [file, row] of [
      ["no.ndjson", 1],
      ["no.csv", 2],
      ["no.parquet", 1]
    ] as const) {
      const { rejected, rows } = await resultsOf(path(file))
      expect(rejected).toMatchObject([{ row, problems: { [field]: [message] } }])
      expect(rows).toEqual([])
    }
  })

  it("for a consolidation dated after its type ended", async () => {
    const [of] = CHANGING.loans
    const loans = [{ ...of, loanType: "DIRECT PLUS CONSOLIDATED", madeOn: "2007-01-01" }]
    const { rejected } = await resultsOf(write("late.ndjson", JSON.stringify({ ...CHANGING, loans })))
    expect(rejected).toMatchObject([
      { row: 1, problems: { "loans[0].madeOn": [expect.stringContaining("send DIRECT PARENT PLUS CONSOLIDATED")] } }
    ])
  })
})

describe("changes in a cell of CSV are refused", () => {
  const problemsOf = async (cell: string, options = {}) => {
    const { rejected } = await resultsOf(write("cell.csv", csvOf([{ ...CHANGING, changes: cell }])), options)
    return rejected.map(({ problems }) => problems)
  }

  it.each(["[{fromYear: 3, dependents: 1}]", '[{"fromYear":3,"dependents":1}', "married in 2029"])(
    "if they are not JSON: %s",
    async (cell) => {
      expect(await problemsOf(cell)).toEqual([
        {
          changes: [
            expect.stringMatching(
              /^is not valid JSON: .* at line 1, column \d+; write it like \[\{"fromYear":3,"dependents":1\}\]$/
            )
          ]
        }
      ])
    }
  )

  it("if they are other JSON", async () => {
    for (const cell of ["3", '"none"', "true"])
      expect(await problemsOf(cell)).toEqual([
        { changes: ["must be an array of 0 to 20 changes, each an object with fromYear and what changes"] }
      ])
  })

  it("if they send a member twice", async () => {
    expect(await problemsOf('[{"fromYear":3,"dependents":1,"dependents":2}]')).toEqual([
      { "changes[0].dependents": ["is sent more than once; send it once"] }
    ])
  })

  it("if they differ between the rows of a borrower, but not for their spaces", async () => {
    const [head, first, second] = csvOf([CHANGING]).split("\n")
    const fileOf = (other: string) => write("rows.csv", `${[head, first, other].join("\n")}\n`)
    expect((await resultsOf(fileOf(second!.replace('""dependents"":2', '""dependents"":3')))).rejected).toMatchObject([
      {
        row: 2,
        problems: { changes: ["differs between loan 1 and loan 2 of this borrower: a borrower has one household"] }
      }
    ])
    expect((await resultsOf(fileOf(second!.replaceAll('"":', '"": ')))).rejected).toEqual([])
  })
})

describe("members of changes", () => {
  const noted = { ...CHANGING, changes: CHANGES.map((change) => ({ ...change, note: "x" })) }
  const files = async () => {
    const query = `SELECT * REPLACE (list_transform(changes, lambda item: struct_insert(item, note := 'x')) AS changes) FROM ${typed(path("lines.ndjson"))} WHERE borrowerId = 'changing'`
    await copyTo(query, path("noted.parquet"))
    return [write("noted.ndjson", ndjsonOf([noted])), write("noted.csv", csvOf([noted])), path("noted.parquet")]
  }

  it("may be ignored", async () => {
    const { rows } = await resultsOf(write("not.ndjson", ndjsonOf([CHANGING])))
    for (const file of await files())
      expect(await resultsOf(file, { ignore: ["note"] })).toEqual({ rejected: [], rows })
  })

  it("of parquet are checked before anything is computed", async () => {
    const [, , parquet = ""] = await files()
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
