/** `repay portfolio run`, from files to files and from standard input to standard output. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { borrowerOf, linesOfBorrowers } from "../support/borrowers.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"

const { file, folder } = filesOf("portfolio")

const START = ["--start", "2027-01", "--threads", "1"]
const run = (...args: ReadonlyArray<string>) => repay(["portfolio", "run", ...args, ...START], { folder })
const text = (name: string): string => readFileSync(join(folder, name), "utf8")

describe("repay portfolio run", () => {
  it("writes one row for each borrower and plan, and no unexpected files", async () => {
    const few = file("few.ndjson", linesOfBorrowers(20))
    const args = ["portfolio", "run", few, "--plans", "RAP,standard", "--out", "few.csv", ...START]
    const { code, stdout } = await repay(args, { folder, isThreaded: true })
    expect(code).toBe(0)
    expect(linesOf(text("few.csv"))).toHaveLength(1 + 2 * 20)
    expect(JSON.parse(stdout).summary).toMatchObject({ borrowers: 20, rejected: 0 })
    expect(JSON.parse(text("few.csv.summary.json"))).toEqual(JSON.parse(stdout))
    const { answers, receipts, rejected, ...written } = JSON.parse(stdout).files
    expect([answers, receipts, rejected]).toEqual([null, null, null])
    expect(Object.values(written)).toEqual(["few.csv.summary.json", "few.csv.report.html", "few.csv.rules.json"])
    expect(readdirSync(folder).filter((name) => name.startsWith("few"))).toEqual([
      "few.csv",
      "few.csv.report.html",
      "few.csv.rules.json",
      "few.csv.summary.json",
      "few.ndjson"
    ])
  })

  it("writes rejected rows to a file of their own and computes the rest", async () => {
    const lines = linesOf(linesOfBorrowers(100)).map((line, index) => (index % 20 === 7 ? line.slice(0, 50) : line))
    const bad = file("bad.ndjson", lines.join("\n"))
    const { code, stderr } = await run(bad, "--plans", "standard", "--out", "bad.ndjson.csv")
    expect(code).toBe(0)
    expect(stderr).toContain("5 rejected")
    const rejected = linesOf(text("bad.ndjson.csv.rejected.ndjson")).map((line) => JSON.parse(line))
    expect(rejected.map(({ row }) => row)).toEqual([8, 28, 48, 68, 88])
    expect(rejected[0].text).toBe(lines[7])
    expect(linesOf(text("bad.ndjson.csv"))).toHaveLength(1 + 95)
  })

  it("makes rejected rows readable only by their owner, and other files as the umask allows", async () => {
    const input = file("owned.ndjson", `${linesOfBorrowers(3)}nothing\n`)
    expect((await run(input, "--out", "owned.csv")).code).toBe(0)
    const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777
    expect(modeOf("owned.csv.rejected.ndjson")).toBe(0o600)
    for (const name of ["owned.csv", "owned.csv.summary.json"]) expect(modeOf(name)).toBe(modeOf("owned.ndjson"))
  })

  it("writes ids that a spreadsheet takes for formulas as text, if asked", async () => {
    const ids = ["=1+1", "'=1+1", "+1", "-1", "@a", "a=1"]
    const borrowers = ids.map((borrowerId) => `${JSON.stringify({ ...borrowerOf(1), borrowerId })}\n`)
    const input = file("formulas.ndjson", borrowers.join(""))
    const idsIn = async (out: string, ...flags: ReadonlyArray<string>) => {
      expect((await run(input, "--plans", "standard", "--out", out, ...flags)).code).toBe(0)
      return linesOf(text(out))
        .slice(1)
        .map((line) => line.split(",")[0])
    }
    expect(await idsIn("plain.csv")).toEqual(ids)
    expect(await idsIn("escaped.csv", "--escape-formulas")).toEqual(["'=1+1", "''=1+1", "'+1", "'-1", "'@a", "a=1"])
    const stderr = expect.stringContaining("--escape-formulas: is for results in .csv")
    expect(await run(input, "--out", "escaped.parquet", "--escape-formulas")).toMatchObject({ code: 2, stderr })
  })

  it("rejects all rows of a duplicate id, even across files, and counts each row once", async () => {
    const again = JSON.stringify(borrowerOf(3))
    const first = file("one.ndjson", linesOfBorrowers(10))
    const second = file("two.ndjson", `${JSON.stringify({ ...borrowerOf(11) })}\n${again}\n`)
    const { code, stdout } = await run(first, second, "--plans", "standard", "--out", "twice.csv")
    expect(code).toBe(0)
    const rejected = linesOf(text("twice.csv.rejected.ndjson")).map((line) => JSON.parse(line))
    expect(rejected.map((one) => [one.file, one.row])).toEqual([
      [first, 4],
      [second, 2]
    ])
    expect(text("twice.csv")).not.toContain("B3,")
    expect(JSON.parse(stdout).summary).toMatchObject({ borrowers: 10, rejected: 2 })
    expect(linesOf(text("twice.csv"))).toHaveLength(1 + 10)
  })

  it("reports the requested format, whatever the format of the rows until then", async () => {
    const few = file("few.ndjson", linesOfBorrowers(3))
    for (const format of ["parquet", "ndjson"]) {
      const { stdout } = await run(few, "--out", `named.${format}`)
      expect(JSON.parse(stdout).portfolio).toMatchObject({ format })
    }
  })

  it("says that the folder of an earlier release can be removed, and leaves it alone", async () => {
    mkdirSync(join(folder, "older.csv.parts"))
    const { code, stderr } = await run(file("older.ndjson", linesOfBorrowers(1)), "--out", "older.csv")
    expect(code).toBe(0)
    expect(stderr).toContain("older.csv.parts is from an earlier release and not used. It can be removed")
    expect(existsSync(join(folder, "older.csv.parts"))).toBe(true)
  })

  it("replaces no results without --overwrite", async () => {
    const few = file("kept.ndjson", linesOfBorrowers(3))
    writeFileSync(join(folder, "kept.csv"), "mine")
    const refused = await run(few, "--out", "kept.csv")
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toContain("kept.csv exists already: name another file, or add --overwrite")
    expect(text("kept.csv")).toBe("mine")
    expect((await run(few, "--out", "kept.csv")).code).toBe(2)
    expect((await run(few, "--out", "kept.csv", "--overwrite")).code).toBe(0)
    expect(linesOf(text("kept.csv"))).toHaveLength(1 + 10 * 3)
  })

  it.each([
    [["nothing.ndjson"], /nothing\.ndjson: there is no such file/],
    [["b.xlsx"], /b\.xlsx: the name should end in/],
    [["few.ndjson", "--plans", "RAP,SAV"], /--plans SAV: /],
    [["few.ndjson", "--start", "2027"], /--start: use a month/]
  ])("names the error: %j", async (args, message) => {
    file("few.ndjson", linesOfBorrowers(1))
    const { code, stderr } = await repay(["portfolio", "run", ...args, "--out", "wrong.csv"], { folder })
    expect(code).toBe(2)
    expect(linesOf(stderr).join(" ")).toMatch(message)
    expect(existsSync(join(folder, "wrong.csv"))).toBe(false)
  })
})

describe("a column name with terminal control characters", () => {
  it("is printed without them", async () => {
    const table = file("evil.csv", "borrowerId,\u001b[2J\u001b]0;owned\u0007x\nB1,1\n")
    const { code, stderr } = await run(table, "--out", "evil.out.csv")
    expect(code).toBe(2)
    expect(stderr).toContain("Column ?[2J?]0;owned?x is not known")
    expect(stderr).not.toMatch(/[^\P{Cc}\n]/u)
  })
})

describe("a run from standard input to standard output", () => {
  it("puts the reason in place of a rejected line, even if all lines arrive at once", async () => {
    const input = [borrowerOf(1), "nothing", borrowerOf(2)].map((one) => `${JSON.stringify(one)}\n`).join("")
    const { stdout } = await repay(["portfolio", "run", "-", "--out", "-", "--plans", "RAP,standard", ...START], {
      input
    })
    const rowIds = linesOf(stdout).map((line) => JSON.parse(line).borrowerId ?? "refused")
    expect(rowIds).toEqual(["B1", "B1", "refused", "B2", "B2"])
  })

  it("ends when its reader has gone", async () => {
    for (const borrowers of [1, 2000]) {
      const how = { input: linesOfBorrowers(borrowers), isReaderGone: true }
      const ended = await repay(["portfolio", "run", "-", "--out", "-", "--plans", "standard"], how)
      expect(ended).toMatchObject({ code: 0, stderr: "" })
    }
  })

  it("is refused if only one side is a standard stream", async () => {
    const stderr = expect.stringContaining("give - as the only file and as --out")
    expect(await repay(["portfolio", "run", "-", "--out", "some.csv"])).toMatchObject({ code: 2, stderr })
  })
})
