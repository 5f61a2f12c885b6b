/** `repay portfolio run --carry`: columns of the input in the results, unchanged and last. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { sqlText, withDuckDB } from "../../src/portfolio/read/duckdb.ts"
import { borrowerOf } from "../support/borrowers.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"

const { file, folder } = filesOf("carry")
const path = (name: string) => join(folder, name)
const text = (name: string): string => readFileSync(path(name), "utf8")

const RUN = "portfolio run --threads 1 --plans RAP,standard --start 2027-01".split(" ")
const run = (input: string, out: string, ...more: ReadonlyArray<string>) =>
  repay([...RUN, input, "--out", out, ...more], { folder })
const carried = (input: string, out: string, ...more: ReadonlyArray<string>) =>
  run(input, out, "--carry", "state,branch", ...more)

const BRANCHES = ['North, "1"', null, "=1+1", "Zürich"]
const BORROWERS = BRANCHES.map((branch, number) => ({ ...borrowerOf(number, 2), branch }))
const LINES = BORROWERS.map((borrower) => `${JSON.stringify(borrower)}\n`).join("")
const WITHOUT = BORROWERS.map(({ branch: _, ...borrower }) => `${JSON.stringify(borrower)}\n`).join("")

const quoted = (cell: unknown) => (cell === null ? "" : `"${String(cell).replaceAll('"', '""')}"`)
const csvOf = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>): string =>
  [Object.keys(rows[0]!).join(","), ...rows.map((row) => Object.values(row).map(quoted).join(",")), ""].join("\n")
const ROWS = BORROWERS.flatMap(({ loans, ...own }) => loans.map((loan) => ({ ...own, ...loan })))

const copied = (from: string, to: string) =>
  withDuckDB((duck) => duck.all(`COPY (FROM ${from}) TO ${sqlText(path(to))} (FORMAT parquet)`), folder)

/** The last cells of each row of parquet results, and the name and type of their columns. */
const endOf = (name: string) =>
  withDuckDB(async (duck) => {
    const [names = [], types = []] = await duck.all(
      `SELECT column_name, column_type FROM (DESCRIBE FROM read_parquet(${sqlText(path(name))}))`
    )
    const columns = await duck.all(`SELECT state, branch FROM read_parquet(${sqlText(path(name))})`)
    return {
      names: names.slice(-2),
      types: types.slice(-2),
      rows: columns[0]!.map((state, at) => [state, columns[1]![at]])
    }
  }, folder)

/** Two plans, and so two rows, for each borrower. */
const EXPECTED = BORROWERS.flatMap(({ branch, state }) => [
  [state, branch],
  [state, branch]
])

const INPUTS = ["a.ndjson", "flat.csv", "flat.parquet", "nested.parquet"]

beforeAll(async () => {
  file("a.ndjson", LINES)
  file("without.ndjson", WITHOUT)
  file("flat.csv", csvOf(ROWS))
  await copied(`read_csv(${sqlText(path("flat.csv"))}, all_varchar = true, header = true)`, "flat.parquet")
  await copied(`read_json(${sqlText(path("a.ndjson"))}, format = 'newline_delimited')`, "nested.parquet")
  expect((await run("without.ndjson", "without.csv")).code).toBe(0)
  expect((await run("without.ndjson", "without.parquet")).code).toBe(0)
})

describe.each(INPUTS)("--carry takes columns of %s", (input) => {
  it("to CSV, after all others, which stay as they are", async () => {
    const out = `${input}.csv`
    expect(await carried(input, out)).toMatchObject({ code: 0 })
    const [head, ...rows] = linesOf(text(out))
    expect(head!.endsWith(",answerId,state,branch")).toBe(true)
    const ends = EXPECTED.map(
      ([state, branch]) => `,${state},${branch?.includes(",") ? quoted(branch) : (branch ?? "")}`
    )
    const own = linesOf(text("without.csv")).slice(1)
    expect(rows).toEqual(own.map((row, index) => row + ends[index]))
  })

  it("to JSON lines", async () => {
    const out = `${input}.ndjson`
    expect((await carried(input, out)).code).toBe(0)
    const rows = linesOf(text(out)).map((line) => JSON.parse(line))
    expect(Object.keys(rows[0]).slice(-2)).toEqual(["state", "branch"])
    expect(rows.map(({ branch, state }) => [state, branch])).toEqual(EXPECTED)
  })

  it("to parquet, as text", async () => {
    const out = `${input}.out.parquet`
    expect((await carried(input, out)).code).toBe(0)
    expect(await endOf(out)).toEqual({ names: ["state", "branch"], types: ["VARCHAR", "VARCHAR"], rows: EXPECTED })
  })
})

describe("columns that are carried", () => {
  it("come after presentValue, and are escaped for spreadsheets like ids", async () => {
    const discounted = BORROWERS.map((borrower, index) => ({
      ...borrower,
      ...(index === 1 ? { discountRate: 0.03 } : {})
    }))
    const input = file("discounted.ndjson", discounted.map((one) => JSON.stringify(one)).join("\n"))
    expect((await carried(input, "discounted.csv", "--escape-formulas")).code).toBe(0)
    const [head, ...rows] = linesOf(text("discounted.csv"))
    expect(head!.endsWith(",answerId,presentValue,state,branch")).toBe(true)
    expect(rows[4]).toMatch(/,,,TX,'=1\+1$/)
    expect(rows[2]).toMatch(/,,\d+(\.\d+)?,TX,$/)
  })

  it("change no figure, and no summary", async () => {
    const { stdout } = await run("without.ndjson", "sum.csv")
    const withBoth = JSON.parse((await carried("a.ndjson", "sums.csv")).stdout)
    expect(withBoth.summary).toEqual(JSON.parse(stdout).summary)
    expect(withBoth.portfolio.carry).toEqual(["state", "branch"])
  })

  it("are left out of a comparison of results, in every format", async () => {
    for (const [one, other] of [
      ["a.ndjson.csv", "without.csv"],
      ["a.ndjson.ndjson", "without.parquet"],
      ["discounted.csv", "a.ndjson.out.parquet"]
    ] as const) {
      const { code, stderr, stdout } = await repay(["portfolio", "diff", one, other, "--json"], { folder })
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      expect(JSON.parse(stdout)).toMatchObject({ borrowersChanged: 0, before: { rows: 8 }, onlyAfter: { rows: 0 } })
    }
  })

  it("are any values of JSON lines, also in a stream", async () => {
    const one = { ...borrowerOf(1), branch: 7, tags: ["a", 1], "2": true }
    const flags = ["--carry", "tags,branch,2,none"]
    const streamed = await repay([...RUN, "-", "--out", "-", ...flags], { input: JSON.stringify(one) })
    const [line = ""] = linesOf(streamed.stdout)
    expect(line.endsWith(',"answerId":null,"tags":["a",1],"branch":7,"2":true,"none":null}')).toBe(true)
    const input = file("any.ndjson", `${JSON.stringify(one)}\n`)
    expect((await run(input, "any.csv", "--carry", "tags,branch,2")).code).toBe(0)
    expect(linesOf(text("any.csv"))[1]!.endsWith(',"[""a"",1]",7,true')).toBe(true)
  })

  it("are of the borrower: one whose rows differ is rejected, like one with a value that no cell can hold", async () => {
    const differing = ROWS.map((row, index) => (index === 3 ? { ...row, branch: "other" } : row))
    expect((await carried(file("differs.csv", csvOf(differing)), "differs.out.csv")).code).toBe(0)
    const [rejection] = linesOf(text("differs.out.csv.rejected.ndjson")).map((line) => JSON.parse(line))
    expect(rejection.problems).toEqual({
      branch: ["differs between loan 1 and loan 2 of this borrower: a carried column has one value"]
    })
    const unfit = [
      { ...borrowerOf(1), branch: "a\nb" },
      { ...borrowerOf(2), branch: "exact" },
      JSON.stringify(borrowerOf(3)).replace("{", '{"branch":12345678901234567890,')
    ]
    const lines = unfit.map((one) => (typeof one === "string" ? one : JSON.stringify(one)))
    expect((await carried(file("unfit.ndjson", `${lines.join("\n")}\n`), "unfit.csv")).code).toBe(0)
    expect(linesOf(text("unfit.csv.rejected.ndjson")).map((line) => JSON.parse(line).problems)).toEqual([
      { branch: ["holds a line break, which no cell may: leave it out of --carry, or send it without"] },
      { branch: ["is a number that cannot be carried exactly: send it as text"] }
    ])
    expect(linesOf(text("unfit.csv"))).toHaveLength(3)
  })
})

describe("--carry is refused", () => {
  it.each(INPUTS)("for a column that %s does not have, with those that it has", async (input) => {
    const { code, stderr } = await run(input, "none.csv", "--carry", "state,brunch", "--ignore", "branch")
    expect(code).toBe(2)
    expect(stderr).toMatch(new RegExp(`^--carry brunch: ${input} has no such column, but borrowerId, .*, branch`))
    expect(existsSync(path("none.csv"))).toBe(false)
  })

  it.each([
    ["outcome", "", "outcome: is a column of the results already: leave it out"],
    ["PRESENTVALUE", "", "PRESENTVALUE: is a column of the results already: leave it out"],
    ["state,State", "", "State: is named twice: leave one out"],
    ["__proto__", "", "__proto__: is a name that no program can carry: rename the column"],
    ["branch", "branch", "branch: is in --ignore too: leave it out there"],
    ["interestRate", "", "interestRate: belongs to a loan or is a list: name columns with one value for a borrower"],
    ["loans", "", "loans: belongs to a loan or is a list: name columns with one value for a borrower"],
    ["", "", ": is empty: name columns of the input, such as state,branch"]
  ])("for %j, with --ignore %j", async (carry, ignore, line) => {
    for (const [input, out] of [
      ["flat.csv", "no.csv"],
      ["-", "-"]
    ] as const) {
      const ended = await run(input, out, "--carry", carry, "--ignore", ignore)
      expect([ended.code, ended.stderr]).toEqual([2, `--carry ${line}\n`])
    }
  })
})
