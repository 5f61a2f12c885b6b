/** The comparison of two results: every change of a borrower is counted once, with its sign. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { borrowerOf, linesOfBorrowers } from "../../support/borrowers.ts"
import { filesOf, linesOf, repay } from "../../support/repay.ts"

const { file, folder } = filesOf("diff")

const RUN = "portfolio run --threads 1 --plans RAP,standard --start 2027-01 --out".split(" ")
const run = (input: string, out: string) => repay([...RUN, out, input], { folder })
const diff = (...args: ReadonlyArray<string>) => repay(["portfolio", "diff", ...args], { folder })
const text = (name: string): string => readFileSync(join(folder, name), "utf8")

/** Borrowers 0 to 9 with some incomes changed, one borrower removed and another added. */
const AFTER = [
  ...[0, 1, 2, 3].map((number) => borrowerOf(number)),
  ...[4, 5].map((number) => ({ ...borrowerOf(number), adjustedGrossIncome: 95_000 })),
  { ...borrowerOf(6), adjustedGrossIncome: 5000 },
  ...[7, 8].map((number) => borrowerOf(number)),
  borrowerOf(70)
]

beforeAll(async () => {
  const before = file("before.ndjson", linesOfBorrowers(10))
  const after = file("after.ndjson", AFTER.map((one) => `${JSON.stringify(one)}\n`).join(""))
  for (const [input, out] of [
    [before, "before.parquet"],
    [before, "before.csv"],
    [after, "after.parquet"],
    [after, "after.ndjson.ndjson"]
  ] as const)
    expect((await run(input, out)).code).toBe(0)
})

describe("repay portfolio diff", () => {
  it("counts borrowers who pay more or less, and the sums", async () => {
    const { code, stdout } = await diff("before.parquet", "after.parquet", "--json")
    expect(code).toBe(0)
    const difference = JSON.parse(stdout)
    expect(difference.before).toMatchObject({ rows: 20, repaymentStarts: ["2027-01"] })
    expect(difference).toMatchObject({
      borrowersChanged: 3,
      onlyBefore: { rows: 2, borrowers: 1 },
      onlyAfter: { rows: 2, borrowers: 1 }
    })
    const [rap, standard] = difference.plans
    const none = { borrowers: 0, dollars: 0 }
    expect(standard).toMatchObject({
      planType: "STANDARD",
      inBoth: 9,
      onlyBefore: 1,
      onlyAfter: 1,
      unchanged: 9,
      costLower: none,
      costHigher: none
    })
    expect(rap).toMatchObject({ inBoth: 9, onlyBefore: 1, onlyAfter: 1, unchanged: 6, gained: 0, lost: 0 })
    expect(rap.paymentHigher.borrowers).toBe(2)
    expect(rap.paymentLower.borrowers).toBe(1)
    // Payments of RAP, read independently of the code under test.
    const before = linesOf(text("before.csv")).map((line) => line.split(","))
    const paid = (id: string) => Number(before.find((row) => row[0] === id && row[1] === "REPAYMENT ASSISTANCE")![4])
    const after = linesOf(text("after.ndjson.ndjson")).map((line) => JSON.parse(line))
    const pays = (id: string) =>
      after.find((row) => row.borrowerId === id && row.planType === "REPAYMENT ASSISTANCE").year1MonthlyPayment
    expect(rap.paymentHigher.dollars).toBe(pays("B4") - paid("B4") + pays("B5") - paid("B5"))
  })

  it("gives the same counts for every format, and the opposite for swapped sides", async () => {
    const counted = async (one: string, other: string) => {
      const { after: _, before: _b, ...counts } = JSON.parse((await diff(one, other, "--json")).stdout)
      return counts
    }
    const there = await counted("before.parquet", "after.parquet")
    expect(await counted("before.csv", "after.ndjson.ndjson")).toEqual(there)
    const back = await counted("after.parquet", "before.csv")
    expect(back.plans[0].costLower).toEqual(there.plans[0].costHigher)
    expect(back.plans[0].costHigher).toEqual(there.plans[0].costLower)
  })

  it("compares results that have present values", async () => {
    const lines = linesOf(text("before.ndjson")).map((line) => ({ ...JSON.parse(line), discountRate: 0.03 }))
    const input = file("worth-in.ndjson", lines.map((one) => `${JSON.stringify(one)}\n`).join(""))
    for (const out of ["worth.csv", "worth.ndjson", "worth.parquet"]) {
      expect((await run(input, out)).code).toBe(0)
      expect(out === "worth.parquet" || text(out).includes("presentValue")).toBe(true)
      const { code, stdout } = await diff("before.csv", out, "--json")
      expect({ code, changed: JSON.parse(stdout).borrowersChanged }).toEqual({ code: 0, changed: 0 })
    }
  })

  it("writes each affected borrower and no other", async () => {
    expect((await diff("before.parquet", "after.parquet", "--out", "changes.csv")).code).toBe(0)
    const rows = linesOf(text("changes.csv"))
      .slice(1)
      .map((line) => line.split(",").slice(0, 2).join(" "))
    expect(rows).toEqual([
      "B4 REPAYMENT ASSISTANCE",
      "B5 REPAYMENT ASSISTANCE",
      "B6 REPAYMENT ASSISTANCE",
      "B70 REPAYMENT ASSISTANCE",
      "B70 STANDARD",
      "B9 REPAYMENT ASSISTANCE",
      "B9 STANDARD"
    ])
  })

  it("replaces no file without --overwrite, and never an input", async () => {
    file("there.csv", "mine")
    const refused = await diff("before.parquet", "after.parquet", "--out", "there.csv")
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toContain("there.csv exists already: name another file, or add --overwrite")
    expect(text("there.csv")).toBe("mine")
    expect((await diff("before.parquet", "after.parquet", "--out", "there.csv", "--overwrite")).code).toBe(0)
    expect(linesOf(text("there.csv"))).toHaveLength(1 + 7)
    const [csv, parquet] = [text("before.csv"), readFileSync(join(folder, "after.parquet"))]
    for (const out of ["before.csv", "./after.parquet"]) {
      const refused = await diff("before.csv", "after.parquet", "--out", out, "--overwrite")
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("is one of the input files") })
    }
    expect(text("before.csv") === csv && readFileSync(join(folder, "after.parquet")).equals(parquet)).toBe(true)
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([])
  })

  it("lists the rules that changed between the two", async () => {
    const same = await diff("before.parquet", "after.parquet", "--rules", "--json")
    expect(JSON.parse(same.stdout).rules).toMatchObject({ figuresMayDiffer: false })
    const older = JSON.parse(text("before.parquet.rules.json"))
    const [first, ...others] = older.constants
    const changed = { ...older, version: "rl1-000000000000", constants: [{ ...first, value: 1 }, ...others] }
    writeFileSync(join(folder, "before.parquet.rules.json"), JSON.stringify(changed))
    const report = await diff("before.parquet", "after.parquet", "--rules", "--table")
    expect(report.code).toBe(0)
    expect(report.stdout).toContain(first.id)
    expect(report.stdout).toContain("3 borrowers have other figures under at least one plan.")
    expect(report.stdout).toContain("Only in before.parquet, and so not compared: 2 rows (borrowers: 1).")
    expect(report.stdout).toContain("Too wide for the screen: ")
  })

  it.each<[string, (text: string) => string, RegExp]>([
    ["is empty", () => "", /damaged\.csv: has no rows/],
    ["has names alone", (text) => text.slice(0, text.indexOf("\n") + 1), /damaged\.csv: has no rows/],
    ["has an unknown outcome", (text) => text.replaceAll("answered", "answerd"), /damaged\.csv: is not what/],
    [
      "has text for a figure",
      (text) => text.replace(/^((?:.*\n){3}.*?)\d+\.\d\d/, "$1x"),
      /damaged\.csv: is not what.*Line: 4/
    ]
  ])("refuses a file that %s", async (_, damage, message) => {
    file("damaged.csv", damage(text("before.csv")))
    const { code, stderr, stdout } = await diff("damaged.csv", "after.parquet")
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(message)
    expect(linesOf(stderr)).toHaveLength(1)
  })

  it.each([
    [["none.csv", "after.parquet"], /none\.csv: there is no such file/],
    [["before.csv", folder], /^\S+: the name should end in/],
    [["after.ndjson", "after.parquet"], /after\.ndjson: is not what repay portfolio run writes/],
    [["before.parquet", "after.parquet", "--out", "x.xlsx"], /x\.xlsx: the name should end in/]
  ])("names the error: %j", async (args, message) => {
    const { code, stderr, stdout } = await diff(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(message)
  })
})
