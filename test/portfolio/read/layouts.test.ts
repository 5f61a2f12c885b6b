/** The input formats: the same borrowers in any of them yield the same bytes. */
import { mkdirSync, readFileSync } from "node:fs"
import { gzipSync, zstdCompressSync } from "node:zlib"
import { beforeAll, describe, expect, it } from "vitest"
import { sqlText, withDuckDB } from "../../../src/portfolio/read/duckdb.ts"
import {
  copyTo,
  csvOf,
  csvRowsOf,
  flatParquet,
  madeBorrowers,
  ndjsonOf,
  nestedParquet,
  portfolioFolder
} from "../../support/portfolios.ts"
import { runs } from "../../support/random.ts"
import { scenario } from "../../support/requests.ts"

const { path, run, write } = portfolioFolder()

/** More than one chunk in the second tier of tests. */
const BORROWERS = madeBorrowers(runs(430, 4300))
const FILES = 5
const EACH = BORROWERS.length / FILES
const CSV = csvOf(BORROWERS)
const PLANS = 2

let expected: string

beforeAll(async () => {
  const { bytes, rejected, summary } = await run([write("a.ndjson", ndjsonOf(BORROWERS))])
  expect(rejected).toEqual([])
  expect(summary.borrowers).toBe(BORROWERS.length)
  expected = bytes.toString()
  expect(expected.split("\n").length).toBe(PLANS * BORROWERS.length + 2)
})

const expectSameResults = async (file: string, options = {}) => {
  const { bytes, rejected } = await run([file], options)
  expect(rejected).toEqual([])
  expect(bytes.toString() === expected).toBe(true)
}

describe("results are the same for JSON lines and", () => {
  it("CSV", () => expectSameResults(write("a.csv", CSV)))

  it.each([
    ["semicolons", ";"],
    ["tabs", "\t"],
    ["bars", "|"]
  ])("CSV with %s, which are detected", (name, separator) =>
    expectSameResults(write(`${name}.csv`, csvOf(BORROWERS, { separator })))
  )

  it("CSV with a separator given as an option", () =>
    expectSameResults(write("told.csv", csvOf(BORROWERS, { separator: "^" })), { separator: "^" }))

  it("CSV with a byte order mark and Windows line breaks", () =>
    expectSameResults(write("windows.csv", `\uFEFF${CSV.replaceAll("\n", "\r\n")}`)))

  it("CSV with every cell in quotes", () =>
    expectSameResults(write("quoted.csv", csvOf(BORROWERS, { isQuoted: true }))))

  it("compressed CSV", async () => {
    await expectSameResults(write("a.csv.gz", gzipSync(CSV)))
    await expectSameResults(write("a.csv.zst", zstdCompressSync(CSV)))
  })

  it("CSV with empty rows, reordered columns and an ignored column", () => {
    const [header, ...rows] = csvRowsOf(BORROWERS)
    const turned = [`note,${header}`, ...rows.map((row) => `x,${row}`)].join("\n\n")
    return expectSameResults(write("turned.csv", `${turned}\n,,,,,,,,,,,,\n`), { ignore: ["note"] })
  })

  it("parquet with a row for each loan", async () => {
    await flatParquet(write("flat.csv", CSV), path("flat.parquet"))
    await expectSameResults(path("flat.parquet"))
  })

  it("parquet with a row for each borrower", async () => {
    await nestedParquet(path("a.ndjson"), path("nested.parquet"))
    await expectSameResults(path("nested.parquet"))
  })

  it("several files of a pattern, in the order of their names", async () => {
    mkdirSync(path("many"))
    for (let part = 0; part < FILES; part++) {
      const some = BORROWERS.slice(part * EACH, (part + 1) * EACH)
      write(`many/part-${part}.csv`, csvOf(some, { separator: part % 2 === 0 ? "," : ";" }))
      await nestedParquet(write(`many/part-${part}.ndjson`, ndjsonOf(some)), path(`many/[${part}].parquet`))
    }
    await expectSameResults(path("many/*.csv"))
    await expectSameResults(path("many/*.ndjson"))
    await expectSameResults(path("many/*.parquet"))
  })
})

describe("a parquet type", () => {
  const LOAN_COLUMNS = "'DIRECT STAFFORD SUBSIDIZED' AS loanType"
  const OWN_COLUMNS =
    "50000 AS adjustedGrossIncome, 'Single' AS filingStatus, 0 AS dependents, 'NC' AS state, false AS workingTowardsPslf"
  const row = (id: string, balance: string, more = "", rate = "0.065") =>
    `SELECT ${id} AS borrowerId, ${OWN_COLUMNS}, ${LOAN_COLUMNS}, ${rate} AS interestRate, ${balance} AS principalBalance${more}`
  const nested = (balance: string) =>
    `SELECT 'a' AS borrowerId, ${OWN_COLUMNS}, [{loanType: 'DIRECT STAFFORD SUBSIDIZED', interestRate: 0.065, principalBalance: ${balance}}] AS loans`
  const outcome = (query: string, options = {}) =>
    copyTo(query, path("type.parquet"))
      .then(() => run([path("type.parquet")], options))
      .then(
        ({ bytes, rejected }) => [rejected.map(({ problems }) => problems), bytes.toString()],
        ({ lines }) => lines.slice(1)
      )

  it("is read exactly: decimals, large integers, and single precision as printed", async () => {
    const loans = [{ loanType: "DIRECT STAFFORD SUBSIDIZED", principalBalance: 12_345.67, interestRate: 0.065 }]
    const { planType: _, ...own } = scenario
    const borrower = { borrowerId: "9007199254740993", ...own, adjustedGrossIncome: 50_000, state: "NC", loans }
    const { bytes } = await run([write("typed.ndjson", JSON.stringify(borrower))])
    const typed = row("9007199254740993::BIGINT", "12345.67::DECIMAL(18,4)", "", "0.065::FLOAT")
    expect(await outcome(typed)).toEqual([[], bytes.toString()])
  })

  /** Writes DECIMAL(38,2), and turns it into DECIMAL(54,2), which DuckDB cannot write. */
  const wide = async (query: string, options = {}) => {
    await copyTo(query, path("narrow.parquet"))
    const precision = (digits: number) => Buffer.from([0x15, 2 * 2, 0x15, 2 * digits])
    const bytes = readFileSync(path("narrow.parquet")).toString("latin1")
    const widened = bytes.replaceAll(precision(38).toString("latin1"), precision(54).toString("latin1"))
    const file = write("wide.parquet", Buffer.from(widened, "latin1"))
    return run([file], options).then(
      ({ bytes }) => bytes.toString(),
      ({ lines }) => lines
    )
  }

  it("that DuckDB reads wrongly is refused with column and type, unless it is ignored", async () => {
    const refused = (column: string) => [
      `${path("wide.parquet")}: has columns whose type cannot be read exactly.`,
      `Column ${column} is DECIMAL(54,2): write it as a DECIMAL of at most 38 digits, such as DECIMAL(18,2).`
    ]
    const amount = "52000::DECIMAL(38,2)"
    expect(await wide(row("'a'", amount))).toEqual(refused("principalBalance"))
    expect(await wide(nested(amount))).toEqual(refused("principalBalance"))
    expect(await wide(row("'a'", "1", `, [{fromYear: 3, adjustedGrossIncome: ${amount}}] AS changes`))).toEqual(
      refused("adjustedGrossIncome")
    )
    expect(await wide(row("'a'", "1", `, ${amount} AS note`), { ignore: ["note"] })).toContain("a,STANDARD,answered")
  })

  it.each(["DOUBLE", "FLOAT"])("that rounds long numbers is refused for an id: %s", async (type) => {
    expect(await outcome(row(`123456789012345678::${type}`, "1"))).toEqual([
      `Column borrowerId is ${type}, which rounds long numbers: write it as text, or as BIGINT.`
    ])
  })

  it.each(["UBIGINT", "DECIMAL(4,1)", "DECIMAL(9,2)", "DECIMAL(38,20)", "SMALLINT", "FLOAT", "DOUBLE"])(
    "of numbers is read exactly: %s",
    async (type) => {
      const text = await outcome(row("18446744073709551615::UBIGINT", "'312'"))
      expect(text).toEqual([[], expect.stringContaining("18446744073709551615,STANDARD,answered")])
      expect(await outcome(row("18446744073709551615::UBIGINT", `312::${type}`))).toEqual(text)
    }
  )

  const DATED = row("'a'", "1", ", '2019-08-26' AS madeOn, '2015-01-01' AS firstBorrowedOn")
  it.each(["TIMESTAMP", "TIMESTAMP_NS", "TIMESTAMP_MS", "TIMESTAMPTZ"])("%s at midnight is a date", async (type) => {
    const plans = { plans: ["INCOME BASED", "INCOME BASED (OLD)", "STANDARD"] }
    const expected = await outcome(DATED, plans)
    const zone = type === "TIMESTAMPTZ" ? "+00" : ""
    const typed = DATED.replaceAll(/'(\d{4}-\d\d-\d\d)'/g, `'$1 00:00:00${zone}'::${type}`)
    expect(expected).toEqual([[], expect.stringContaining("loan-date")])
    expect(await outcome(typed, plans)).toEqual(expected)
    const inLoans = nested("1").replace("{", `{madeOn: '2019-08-26 00:00:00${zone}'::${type}, `)
    expect(await outcome(inLoans, plans)).toEqual([[], expect.stringContaining("a,STANDARD,answered")])
  })

  it("with a time of day is refused with what to send", async () => {
    const problem = "must be a date: send year, month and day, such as 2019-08-26"
    const [rejected] = await outcome(DATED.replace("'2019-08-26'", "'2019-08-26 14:30:00'::TIMESTAMP"))
    expect(rejected).toEqual([{ "loans[0].madeOn": [problem] }])
  })
})

describe("parquet results", () => {
  it("equal those of CSV in the same order, and are reproducible to the byte", async () => {
    const { bytes } = await run([path("a.ndjson")], { out: "out.parquet" })
    const again = await run([path("a.csv")], { out: "again [1*].parquet" })
    expect(bytes.equals(again.bytes)).toBe(true)
    const read = sqlText(path("read.csv"))
    await withDuckDB((duck) => duck.all(`COPY (FROM ${sqlText(path("out.parquet"))}) TO ${read} (FORMAT csv, HEADER)`))
    const plain = (csv: string) => csv.replaceAll(/(?<=,\d+\.\d)0(?=,)|(?<=,\d+)\.00(?=,)/g, "")
    expect(plain(readFileSync(path("read.csv"), "utf8")) === expected).toBe(true)
  })

  it("have all columns even without any answered borrower", async () => {
    const { loans, own } = BORROWERS[0]!
    const small = write("small.csv", csvOf([{ own, loans: [{ ...loans[0]!, principalBalance: 9000 }] }]))
    const { summary } = await run([small], { out: "none.parquet", plans: ["EXTENDED"] })
    expect(summary.plans["EXTENDED"]).toMatchObject({ answered: 0, ineligible: 1 })
    const [names = []] = await withDuckDB((duck) =>
      duck.all(`SELECT column_name FROM (DESCRIBE FROM ${sqlText(path("none.parquet"))})`)
    )
    expect(names.join(",")).toBe(expected.slice(0, expected.indexOf("\n")))
  })
})
