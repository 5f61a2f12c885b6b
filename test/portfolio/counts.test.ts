/** The counts that a run reports: rows read, computed and rejected, and borrowers compared. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import packageJson from "../../package.json" with { type: "json" }
import { linesOfBorrowers } from "../support/borrowers.ts"
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

it("borrowers with a pause, lump sum or family that is not as sent are counted", async () => {
  const until = (month: string) => `"[{""kind"":""Forbearance"",""until"":""${month}""}]"`
  const rows = [
    `${row("over")},${until("2026-05")},,`,
    `${row("ahead")},${until("2027-05")},,`,
    `${row("family").replace("Single,0", "Single,2")},,,1`,
    `${row("late")},,"[{""on"":""2070-01"",""amount"":5}]",`,
    `${row("after one plan")},,"[{""on"":""2037-08"",""amount"":5}]",`
  ]
  const input = file("remarks.csv", `${[`${HEAD},pauses,lumpSums,familySize`, ...rows].join("\n")}\n`)
  const { code, stderr } = await run(input, "remarks.out.csv", "--plans", "standard,ibr-new,extended")
  expect(code).toBe(0)
  expect(JSON.parse(text("remarks.out.csv.summary.json")).summary.noted).toEqual({
    oddRates: 0,
    spouseIncomeMissing: 0,
    remarks: 3
  })
  const told = "3 borrowers have a pause that is over"
  for (const where of [stderr, text("remarks.out.csv.report.html")]) expect(where).toContain(told)
})

it("each plan is compared with now over the same borrowers, on screen and in the report", async () => {
  // Only A, with more than 30,000 dollars, has figures under EXTENDED.
  const input = file(
    "means.csv",
    tableOf([row("A").replace(/,(\d+),0\.06/, ",90000,0.06"), row("B").replace(/,(\d+),0\.06/, ",9000,0.06")])
  )
  const { stdout } = await run(input, "means.out.csv", "--plans", "standard,extended", "--table")
  const figures = linesOf(text("means.out.csv")).map((line) => line.split(","))
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

it("nothing is written if no borrower is computed, so that nothing is in the way of the next run", async () => {
  const percents = [6.54, 5.5, 7, 8].map((rate, index) => row(`B${index}`).replace("0.06", String(rate)))
  const input = file("percents.csv", tableOf([...percents, row("C", "XX").replace(/,\d+,0.06/, ",-1,x")]))
  const { code, stderr, stdout } = await run(input, "percents.out.csv", "--json")
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
  expect(linesOf(stderr).slice(-5)).toEqual([
    "No borrower was computed, and nothing was written: each row is rejected, 5 in all:",
    `  4 lines, loans[].interestRate: must be 0 to 1: send a fraction, such as 0.0654 for 6.54%; 6.54 looks like a percentage; send 0.0654 (first at ${input}:2)`,
    expect.stringMatching(/^ {2}1 line, state: .* \(first at .*percents\.csv:6\)$/),
    expect.stringMatching(/^ {2}1 line, loans\[\]\.principalBalance: /),
    expect.stringMatching(/^ {2}1 line, loans\[\]\.interestRate: must be a number/)
  ])
  expect(readdirSync(folder).filter((name) => name.startsWith("percents.out"))).toEqual([])
  file("percents.csv", tableOf([row("A")]))
  expect((await run(input, "percents.out.csv")).code).toBe(0)
  const none = await run(file("no-rows.csv", tableOf([])), "none.out.csv")
  expect(none).toMatchObject({ code: 2, stdout: "" })
  expect(none.stderr).toContain("No borrower was computed, and nothing was written: the files contain none.")
})

it("five reasons are shown, and how many more there are", async () => {
  // All columns but the id and the income.
  const rows = [2, 3, 4, 5, 6, 7, 8].map((column) => row(`B${column}`).split(",").with(column, "x").join(","))
  const { stderr } = await run(file("many.csv", tableOf([row("A"), ...rows])), "many.out.csv")
  expect(stderr).toContain("7 of 8 rows were not computed: many.out.csv.rejected.ndjson says why, in 7 lines.")
  expect(linesOf(stderr).filter((line) => /^ {2}1 line, /.test(line))).toHaveLength(5)
  expect(linesOf(stderr)).toContain("  and 2 more")
})

it("--strict exits with 1 if a row is rejected, after everything is written", async () => {
  const input = file("strict.csv", tableOf([row("A"), row("B", "XX"), row("C")]))
  const { code, stderr, stdout } = await run(input, "strict.out.csv", "--strict")
  expect(code).toBe(1)
  expect(linesOf(stderr).at(-1)).toBe("--strict: 1 of 3 rows were not computed.")
  expect(JSON.parse(stdout)).toEqual(JSON.parse(text("strict.out.csv.summary.json")))
  expect(linesOf(text("strict.out.csv.rejected.ndjson"))).toHaveLength(1)
  expect((await run(input, "strict.out.csv", "--overwrite")).code).toBe(0)
  expect((await run(file("good.csv", tableOf([row("A")])), "good.out.csv", "--strict")).code).toBe(0)
})

it("--strict is also for standard input", async () => {
  const good = linesOfBorrowers(2)
  const stream = (input: string) => repay(["portfolio", "run", "-", "--out", "-", "--strict"], { input })
  expect(await stream(good)).toMatchObject({ code: 0, stderr: "" })
  expect(await stream(`${good}nothing\n`)).toMatchObject({
    code: 1,
    stderr: "--strict: 1 of 3 rows were not computed.\n"
  })
})

it("the rate of borrowers per second is based on the time since the start", async () => {
  const clock = Object.assign(Object.create(CLOCK), { currentTimeMillis: Effect.succeed(Date.UTC(2026, 11, 1)) })
  const input = file("quick.csv", tableOf([row("A"), row("B"), row("C", "XX")]))
  const args = ["portfolio", "run", input, "--start", "2027-01", "--plans", "standard", "--out", "quick.out.csv"]
  const { stderr } = await repay(args, { folder, clock })
  expect(stderr).toContain("3 borrowers, 1 rejected, 3 a second")
})

it("a start month in the past causes a warning, a future one does not", async () => {
  const input = file("past.csv", tableOf([row("A")]))
  const from = (start: string) =>
    repay(["portfolio", "run", input, "--threads", "1", "--start", start, "--out", `${start}.csv`], { folder })
  expect((await from("2020-01")).stderr).toContain("--start is before next month")
  expect((await from("2098-01")).stderr).not.toContain("--start")
})

it("reasons are listed by frequency", async () => {
  const wrong = [...["A", "B", "C", "D"].map((id) => row(id, "ZZ")), row("E").replace("0.06", "6.5"), row("E")]
  const input = file("reasons.csv", tableOf([...wrong, row("F")]))
  const { code, stdout } = await run(input, "reasons.out.csv", "--plans", "standard", "--table")
  expect(code).toBe(0)
  const { reasons } = JSON.parse(text("reasons.out.csv.summary.json"))
  expect(reasons.map(({ field, lines }: { field: string; lines: number }) => [field, lines])).toEqual([
    ["state", 4],
    ["loans[].interestRate", 1]
  ])
  expect(stdout).toMatch(
    /says why, in 5 lines\.\n {2}4 lines, state: .*state code.*\n {2}1 line, loans\[\]\.interestRate: /
  )
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
  expect([read, version]).toEqual([[{ file: input, bytes: statSync(input).size }], packageJson.version])
  const report = text("now.out.csv.report.html")
  expect(report).toMatch(/STANDARD<\/th><td>1<\/td>(<td>[^<]*<\/td>){5}<td>1<\/td><td>1<\/td><\/tr>/)
  for (const expectedText of ["Not compared", `computed by release ${packageJson.version}`, input])
    expect(report).toContain(expectedText)
})
