/** The computation of a chunk: each line yields figures, or the reason why there are none. */
import { describe, expect, it } from "vitest"
import { PLAN_TYPES } from "../../../schema/scenario.ts"
import { type Chunk, computeChunk } from "../../../src/portfolio/compute/chunk.ts"
import type { Portfolio } from "../../../src/portfolio/results/portfolio.ts"
import { addSummaries, EMPTY } from "../../../src/portfolio/results/summary.ts"
import { borrowerOf, linesOfBorrowers, rowsIn } from "../../support/borrowers.ts"
import { linesOf } from "../../support/repay.ts"

const PORTFOLIO: Portfolio = {
  plans: PLAN_TYPES,
  baseline: "STANDARD",
  start: { year: 2027, month: 1 },
  format: "ndjson",
  ignore: [],
  carry: [],
  recordAt: null
}

const chunkOf = (lines: string, isTable: boolean): Chunk => ({
  index: 0,
  file: "b.ndjson",
  firstRow: 1,
  lines: new TextEncoder().encode(lines),
  isTable,
  duplicateIds: new Set()
})

const compute = (lines: string, portfolio: Partial<Portfolio> = {}, isTable = false) => {
  const result = computeChunk({ ...PORTFOLIO, ...portfolio }, chunkOf(lines, isTable))
  const rejected = linesOf(result.rejected).map((line) => JSON.parse(line))
  return { rows: rowsIn(result), rejected, summary: result.summary }
}

/** Computes lines in the form that table readers assemble. */
const computeTable = (lines: string) => compute(lines, {}, true)

const FINE = JSON.stringify(borrowerOf(1))
const changed = (change: Readonly<Record<string, unknown>>) => JSON.stringify({ ...borrowerOf(2), ...change })

const TWICE = /twice|duplicate|more than once/i
/** Invalid lines, each with the field and the message of its problem. */
const REFUSED: ReadonlyArray<readonly [what: string, line: string, field: string, message: RegExp]> = [
  ["no JSON", '{"borrowerId": "B2"', "", /JSON/],
  ["a member twice", `{"borrowerId":"X",${FINE.slice(1)}`, "borrowerId", TWICE],
  ["a member twice, once with a space behind it", `{"borrowerId" : "X",${FINE.slice(1)}`, "borrowerId", TWICE],
  ["a member twice, once escaped", String.raw`{"borrower\u0049d":"X",` + FINE.slice(1), "borrowerId", TWICE],
  [
    "a member of a loan twice",
    FINE.replace('"loanType":', '"pslfCount": 1, "pslfCount":2,"loanType":'),
    "loans[0].pslfCount",
    TWICE
  ],
  ["an unknown member", changed({ adjustedGrosIncome: 1 }), "adjustedGrosIncome", /adjustedGrossIncome/],
  ["no id", JSON.stringify({ ...borrowerOf(2), borrowerId: undefined }), "borrowerId", /required/],
  ["an empty id", changed({ borrowerId: "" }), "borrowerId", /1 to 128/],
  ["no loans", changed({ loans: [] }), "loans", /1 to 100/],
  ["text for a number", changed({ adjustedGrossIncome: "lots" }), "adjustedGrossIncome", /number/],
  ["a percentage", changed({ annualIncomeGrowth: 3 }), "annualIncomeGrowth", /send 0\.03/],
  [
    "an unknown loan type",
    changed({ loans: [{ ...borrowerOf(2).loans[0], loanType: "CAR" }] }),
    "loans[0].loanType",
    /loan types/
  ],
  ["text that is not UTF-8", changed({ borrowerId: "B\uFFFD" }), "", /UTF-8/]
]

describe("a line", () => {
  it.each(REFUSED)("with %s is rejected by row and field, and all others are computed", (_, line, field, message) => {
    const { rejected, rows, summary } = compute(`${FINE}\n${line}\n${JSON.stringify(borrowerOf(3))}`)
    expect(rows.map(({ borrowerId }) => borrowerId)).toEqual([
      ...PLAN_TYPES.map(() => "B1"),
      ...PLAN_TYPES.map(() => "B3")
    ])
    expect(rejected).toHaveLength(1)
    expect(rejected[0]).toMatchObject({ file: "b.ndjson", row: 2, text: line })
    expect(Object.keys(rejected[0].problems)).toContain(field === "" ? "row" : field)
    expect(JSON.stringify(rejected[0].problems)).toMatch(message)
    expect(summary).toMatchObject({ borrowers: 2, rejected: 1 })
  })

  it("may contain colons in its texts, with or without spaces", () => {
    const named = changed({ borrowerId: "urn:b:2" })
    for (const line of [named, named.replaceAll(":", ": ").replace("urn: b: 2", "urn:b:2")]) {
      const { rejected, rows } = compute(line, { plans: ["STANDARD"] })
      expect(rejected).toEqual([])
      expect(rows).toMatchObject([{ borrowerId: "urn:b:2" }])
    }
  })

  it("may be empty or end as on Windows", () => {
    const { rejected, rows } = compute(`${FINE}\r\n\r\n\n${JSON.stringify(borrowerOf(3))}\r\n`, { plans: ["STANDARD"] })
    expect(rejected).toEqual([])
    expect(rows).toHaveLength(2)
  })
})

describe("a numeric id", () => {
  const withId = (id: string) => FINE.replace('"borrowerId":"B1"', `"borrowerId":${id}`)

  it.each(["0", "17", "-4", "9007199254740991"])("is accepted as written: %s", (id) => {
    const { rejected, rows } = compute(` ${withId(id)}\n`, { plans: ["STANDARD"] })
    expect(rejected).toEqual([])
    expect(rows.map(({ borrowerId }) => borrowerId)).toEqual([id])
  })

  const MISREAD = "9007199254740993 1234567890123456789 -9007199254740992 -0 -0.0 1.50 1.5 1.0 1e3 1E400"
  it.each(MISREAD.split(" "))("is rejected if JSON may read a different number: %s", (id) => {
    const { rejected, rows } = compute(withId(id))
    expect(rows).toEqual([])
    expect(rejected).toMatchObject([{ row: 1, text: withId(id) }])
    expect(rejected[0].problems).toEqual({ borrowerId: [expect.stringMatching(/send it as text/)] })
  })

  it("is found only under its name", () => {
    const escaped = withId("1.0").replace("borrowerId", "borrower\\u0049d")
    expect(compute(escaped).rows).toEqual([])
    const inNote = FINE.replace('"B1"', String.raw`1.0,"note":"\"borrowerId\":1"`)
    expect(compute(inNote, { ignore: ["note"] }).rows).toEqual([])
  })

  it.each([
    '"note":{"borrowerId":1.5},"borrowerId":17',
    '"borrowerId":17,"note":[{"borrowerId":17.0}]',
    '"borrowerId":17,"note":{"borrowerId":13}',
    String.raw`"note":"borrowerId","borrower\u0049d":17,"branch":2.5`
  ])("is read from the outermost object only: %s", (members) => {
    const line = FINE.replace('"borrowerId":"B1"', members)
    const { rejected, rows } = compute(line, { ignore: ["note", "branch"], plans: ["STANDARD"] })
    expect(rejected).toEqual([])
    expect(rows.map(({ borrowerId }) => borrowerId)).toEqual(["17"])
  })
})

describe("rows of a table", () => {
  const { borrowerId, loans, ...own } = borrowerOf(1)
  const rowsOfTable = loans.map((loan) => ({ borrowerId: 17, ...own, ...loan }))
  const asText = rowsOfTable.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]))
  )

  it("yield the same borrower as a JSON line, even if every cell is text", () => {
    const line = compute(JSON.stringify({ ...borrowerOf(1), borrowerId: 17 }))
    expect(line.rejected).toEqual([])
    expect(computeTable(JSON.stringify(rowsOfTable)).rows).toEqual(line.rows)
    expect(computeTable(JSON.stringify(asText)).rows).toEqual(line.rows)
  })

  it("with different households are rejected, with correct row numbers", () => {
    const other = rowsOfTable.with(1, { ...rowsOfTable[1]!, dependents: 4 })
    const { rejected } = computeTable(`${JSON.stringify(asText)}\n${JSON.stringify(other)}\nnothing`)
    expect(rejected.map(({ row }) => row)).toEqual([4, 7])
    expect(rejected[0].problems).toEqual({ dependents: [expect.stringMatching(/loan 2 .* one household/)] })
  })
})

describe("a list in a file of JSON lines", () => {
  const { loans, ...own } = borrowerOf(1)

  it("is never a borrower, whatever it contains", () => {
    const row = { ...own, ...loans[0], interest_balance: 99_999 }
    for (const line of [JSON.stringify([row]), '["text"]', "[]", `[${FINE}]`]) {
      const { rejected, rows } = compute(line)
      expect(rows).toEqual([])
      expect(rejected).toEqual([
        { file: "b.ndjson", row: 1, problems: { row: ["must be a borrower object"] }, text: line }
      ])
    }
  })

  it("is checked for invalid UTF-8", () => {
    const { rejected } = compute(JSON.stringify([{ ...own, ...loans[0], borrowerId: "B\uFFFD" }]))
    expect(rejected[0].problems).toEqual({ row: ["is not valid UTF-8"] })
  })
})

describe("a problem with a cell of a table", () => {
  const { loans, ...own } = borrowerOf(1)
  const message = (change: Readonly<Record<string, string>>): Record<string, ReadonlyArray<string>> => {
    const { rejected } = computeTable(JSON.stringify([{ ...own, ...loans[0], ...change }]))
    return rejected[0]?.problems ?? {}
  }

  it.each(["0", "1", "no", "N", "yes"])("names the values of a flag: %s", (cell) => {
    expect(message({ workingTowardsPslf: cell })).toEqual({ workingTowardsPslf: ["must be true or false"] })
  })

  it.each([
    ["principalBalance", "30000,50"],
    ["principalBalance", "1,000.50"],
    ["principalBalance", "$30000"],
    ["interestRate", "6%"],
    ["interestRate", ".06"]
  ])("shows how to write a number: %s %s", (column, cell) => {
    expect(message({ [column]: cell })).toEqual({
      [`loans[0].${column}`]: [
        expect.stringMatching(/^must be a number from .*; write it like 1250\.5 or 0\.06, without comma, space/)
      ]
    })
  })

  it("has no such advice for text or an out-of-range number, and other advice for JSON", () => {
    for (const cell of ["abc", "-1"])
      expect(JSON.stringify(message({ principalBalance: cell }))).not.toContain("write it like")
    expect(compute(changed({ workingTowardsPslf: 0 })).rejected[0].problems).toEqual({
      workingTowardsPslf: ["must be true or false: send a JSON boolean"]
    })
  })
})

describe("the current plan of a borrower", () => {
  const rowsWith = (currentPlan: string) => compute(changed({ currentPlan }), { plans: ["STANDARD"] })

  it.each([
    ["RAP", "REPAYMENT ASSISTANCE"],
    ["ibr-old", "INCOME BASED (OLD)"],
    ["IBR NEW", "INCOME BASED"],
    [" paye ", "PAY AS YOU EARN"]
  ])("may be a short name, as for --plans: %s", (short, plan) => {
    const { rejected, summary } = rowsWith(short)
    expect(rejected).toEqual([])
    expect(summary).toEqual(rowsWith(plan).summary)
    expect(summary).not.toEqual(rowsWith("STANDARD").summary)
  })

  it("may not be a name that means two plans", () => {
    expect(rowsWith("IBR").rejected[0].problems).toEqual({
      currentPlan: [
        expect.stringMatching(/^send "INCOME BASED" .* or "INCOME BASED \(OLD\)".* a short name such as RAP/)
      ]
    })
  })
})

describe("an ignored member", () => {
  it("is accepted in a loan", () => {
    const line = changed({ note: 1, loans: borrowerOf(2).loans.map((loan) => ({ ...loan, note: "x" })) })
    expect(Object.keys(compute(line).rejected[0].problems)).toContain("loans[0].note")
    const { rejected, rows } = compute(line, { ignore: ["note"] })
    expect(rejected).toEqual([])
    expect(rows).toEqual(compute(JSON.stringify(borrowerOf(2))).rows)
    expect(compute(changed({ loans: 7 }), { ignore: ["note"] }).rejected[0].problems).toHaveProperty("loans")
  })

  it("is accepted in a borrower", () => {
    const line = changed({ name: "A", school: "B" })
    expect(compute(line).rejected).toHaveLength(1)
    expect(compute(line, { ignore: ["name", "school"] }).rejected).toEqual([])
  })
})

describe("a summary", () => {
  it("of the whole is the sum of its parts", () => {
    const lines = linesOfBorrowers(90)
    const partFrom = (from: number) =>
      linesOf(lines)
        .slice(from, from + 30)
        .join("\n")
    const summaries = [0, 30, 60].map((from) => compute(partFrom(from)).summary)
    expect(summaries.reduce(addSummaries, EMPTY)).toEqual(compute(lines).summary)
  })

  it("agrees with the rows", () => {
    const { rows, summary } = compute(linesOfBorrowers(200))
    const cents = (dollars: number) => Math.round(dollars * 100)
    for (const planType of PLAN_TYPES) {
      const own = rows.filter((row) => row.planType === planType)
      const answered = own.filter(({ outcome }) => outcome === "answered")
      const sum = (name: string) => answered.reduce((all, row) => all + cents(row[name]), 0)
      const standard = (id: string) =>
        rows.find((row) => row.planType === "STANDARD" && row.borrowerId === id && row.outcome === "answered")
      const compared = answered.filter(({ borrowerId }) => standard(borrowerId) !== undefined)
      const more = compared.map((row) => cents(row.totalCost) - cents(standard(row.borrowerId).totalCost))
      expect(summary.plans[planType]).toMatchObject({
        answered: answered.length,
        ineligible: own.filter(({ outcome }) => outcome === "ineligible").length,
        artifact: own.filter(({ outcome }) => outcome === "artifact").length,
        lowest: own.filter(({ isLowest }) => isLowest).length,
        paidCents: sum("totalOutOfPocket"),
        taxCents: sum("forgivenessTaxesOwed"),
        forgiven: { cents: sum("amountForgiven") },
        cheaper: {
          borrowers: more.filter((cents) => cents < 0).length,
          cents: more.filter((cents) => cents < 0).reduce((all, one) => all - one, 0)
        },
        dearer: { borrowers: more.filter((cents) => cents > 0).length }
      })
    }
  })
})
