/** The counts that a run reports: rows read, computed and rejected, and borrowers compared. */
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import packageJson from "../../package.json" with { type: "json" }
import { CLOCK } from "../support/hurried.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"

const { file, folder } = filesOf("counts")

const text = (name: string): string => readFileSync(join(folder, name), "utf8")
const run = (input: string, out: string, ...more: ReadonlyArray<string>) =>
  repay(["portfolio", "run", input, "--threads", "1", "--start", "2027-01", "--out", out, ...more], { folder })

const HEAD =
  "borrowerId,adjustedGrossIncome,filingStatus,dependents,state,workingTowardsPslf,loanType,principalBalance,interestRate"
const row = (id: string, state = "NC") => `${id},60000,Single,0,${state},false,DIRECT STAFFORD UNSUBSIDIZED,30000,0.06`
const tableOf = (rows: ReadonlyArray<string>): string => `${[HEAD, ...rows].join("\n")}\n`

it("the row count is computed plus rejected rows, also for borrowers with several rows", async () => {
  const rows = [row("A"), row("A"), row("A", "XX"), row("B"), row("C"), "", "D,1", row("E"), row("F"), row("G")]
  const input = file("nine.csv", tableOf(rows))
  const { code, stdout } = await run(input, "nine.out.csv", "--plans", "standard", "--table")
  expect(code).toBe(0)
  const { summary } = JSON.parse(text("nine.out.csv.summary.json"))
  expect(summary).toMatchObject({ rows: 9, borrowers: 2, loans: 2, rejected: 5, rejectedRows: 7 })
  expect(linesOf(text("nine.out.csv.rejected.ndjson"))).toHaveLength(5)
  expect(stdout).toContain("7 of 9 rows were not computed: nine.out.csv.rejected.ndjson says why, in 5 lines.")
  expect(text("nine.out.csv.report.html")).toContain("7 of 9 rows were not computed.")
})

it("borrowers with a probable mistake are counted and computed as sent", async () => {
  const rows = [row("A"), row("B").replace("0.06", "0.5"), row("C").replace("0.06", "0.0006"), row("D"), row("E", "XX")]
  const input = file("odd.csv", tableOf(rows.map((one) => one.replace(/^D,(\d+),Single/, "D,$1,MarriedFilingJointly"))))
  const { code, stderr, stdout } = await run(input, "odd.out.csv", "--plans", "standard")
  expect(code).toBe(0)
  expect(JSON.parse(stdout).summary).toMatchObject({ borrowers: 4, noted: { oddRates: 2, spouseIncomeMissing: 1 } })
  const expectedText = [
    "1 of 5 rows were not computed: odd.out.csv.rejected.ndjson says why, in 1 line.",
    "2 borrowers have an interest rate outside the federal range (25% a year or more, or less than 0.1%; 0.065 is 6.5%).",
    "1 borrower files jointly without a spouse's income, which counts as 0."
  ]
  for (const line of expectedText) expect(stderr).toContain(line)
  const report = text("odd.out.csv.report.html")
  expect(report).toContain("2 borrowers have an interest rate outside the federal range (25% a year or more")
})

it("each plan is compared with now over the same borrowers, on screen and in the report", async () => {
  // Only A, with more than 30,000 dollars, has figures under EXTENDED.
  const input = file(
    "means.csv",
    tableOf([row("A").replace(/,(\d+),0\.06/, ",90000,0.06"), row("B").replace(/,(\d+),0\.06/, ",9000,0.06")])
  )
  const { stdout } = await run(input, "means.out.csv", "--plans", "standard,extended", "--table")
  const figures = text("means.out.csv")
    .split("\n")
    .map((line) => line.split(","))
  const costOf = (id: string, plan: string) => Number(figures.find(([one, named]) => one === id && named === plan)![10])
  const difference = Math.round(costOf("A", "EXTENDED") - costOf("A", "STANDARD"))
  expect(difference).toBeGreaterThan(0)
  const shown = `+$${difference.toLocaleString("en-US")}`
  expect(stdout).toMatch(new RegExp(`EXTENDED .*\\${shown.replace("$", "\\$")} `))
  expect(stdout).toMatch(/STANDARD .* \$0 /)
  const report = text("means.out.csv.report.html")
  for (const part of [
    `<td>${shown}</td>`,
    "Against now compares the same borrowers",
    '<span class="other key">',
    "Daily simple interest"
  ])
    expect(report).toContain(part)
})

it("the rate of borrowers per second is based on the time since the start", async () => {
  const clock = Object.assign(Object.create(CLOCK), { currentTimeMillis: Effect.succeed(Date.UTC(2026, 11, 1)) })
  const input = file("quick.csv", tableOf([row("A"), row("B"), row("C", "XX")]))
  const args = ["portfolio", "run", input, "--start", "2027-01", "--plans", "standard", "--out", "quick.out.csv"]
  const { stderr } = await repay(args, { folder, clock })
  expect(stderr).toContain("3 borrowers, 1 rejected, 3 a second")
})

it("the chart of forgiveness by year is left out if nothing is forgiven", async () => {
  const input = file("forgiven.csv", tableOf([row("A")]))
  const { stdout } = await run(input, "forgiven.out.csv", "--plans", "standard", "--table")
  expect(stdout).toContain("First, $0 to ")
  expect(stdout).not.toContain("Forgiven, ")
})

it("a start month in the past causes a warning, a future one does not", async () => {
  const input = file("past.csv", tableOf([row("A")]))
  const from = async (start: string) => {
    const out = ["--out", `${start}.csv`, "--overwrite"]
    return (
      await repay(["portfolio", "run", input, "--threads", "1", "--plans", "standard", "--start", start, ...out], {
        folder
      })
    ).stderr
  }
  expect(await from("2020-01")).toContain("--start is before next month")
  expect(await from("2098-01")).not.toContain("--start")
})

it("reasons are listed by frequency, and a run that computes no borrower fails", async () => {
  const rows = [...["A", "B", "C", "D"].map((id) => row(id, "ZZ")), row("E").replace("0.06", "6.5"), row("E")]
  const input = file("none.csv", tableOf(rows))
  const { code, stderr, stdout } = await run(input, "none.out.csv", "--plans", "standard", "--table")
  expect(code).toBe(2)
  expect(stderr).toContain("No borrower was computed: none.out.csv.rejected.ndjson says why.")
  const { reasons } = JSON.parse(text("none.out.csv.summary.json"))
  expect(reasons.map(({ field, lines }: { field: string; lines: number }) => [field, lines])).toEqual([
    ["state", 4],
    ["loans[].interestRate", 1]
  ])
  expect(stdout).toMatch(
    /says why, in 5 lines\.\n {2}4 lines, state: .*state code.*\n {2}1 line, loans\[\]\.interestRate: /
  )
  const empty = await run(file("empty.csv", `${HEAD}\n`), "empty.out.csv")
  expect(empty).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("No borrower was computed: the files contain none.")
  })
})

it("borrowers with figures are counted as paying less, more or the same, or as not compared", async () => {
  // EXTENDED needs more than 30,000 dollars, so C has no figures under its current plan.
  const rows = [`${row("A")},STANDARD`, `${row("B")},GRADUATED`, `${row("C")},EXTENDED`]
  const input = file("now.csv", `${[`${HEAD},currentPlan`, ...rows].join("\n")}\n`)
  expect((await run(input, "now.out.csv", "--plans", "standard")).code).toBe(0)
  const { input: read, summary, version } = JSON.parse(text("now.out.csv.summary.json"))
  expect(summary.plans.STANDARD).toMatchObject({
    answered: 3,
    cheaper: { borrowers: 1 },
    dearer: { borrowers: 0 },
    notCompared: 1
  })
  expect({ read, version }).toEqual({
    read: [{ file: input, bytes: statSync(input).size }],
    version: packageJson.version
  })
  const report = text("now.out.csv.report.html")
  expect(report).toMatch(/STANDARD<\/th><td>1<\/td>(<td>[^<]*<\/td>){5}<td>1<\/td><td>1<\/td><\/tr>/)
  for (const expectedText of ["Not compared", `computed by release ${packageJson.version}`, input])
    expect(report).toContain(expectedText)
})
