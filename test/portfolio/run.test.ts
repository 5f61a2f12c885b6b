/** `repay portfolio run` as a process: from files to files, also when it is killed again and again. */
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { times } from "../fault/scale.ts"
import { borrowerOf, linesOfBorrowers } from "../support/borrowers.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"
import { start } from "../support/repayProcess.ts"
import { pause, until } from "../support/until.ts"

const { file, folder } = filesOf("portfolio")

const START = ["--start", "2027-01"]
const run = (...args: ReadonlyArray<string>) => repay(["portfolio", "run", ...args, ...START], { folder })
const text = (name: string): string => readFileSync(join(folder, name), "utf8")

describe("repay portfolio run", () => {
  it("writes a row for each borrower and plan, and nothing else", async () => {
    const few = file("few.ndjson", linesOfBorrowers(20))
    const { code, stdout } = await run(few, "--plans", "RAP,standard", "--out", "few.csv")
    expect(code).toBe(0)
    expect(linesOf(text("few.csv"))).toHaveLength(1 + 2 * 20)
    expect(JSON.parse(stdout).summary).toMatchObject({ borrowers: 20, rejected: 0 })
    expect(JSON.parse(text("few.csv.summary.json"))).toEqual(JSON.parse(stdout))
    const { answers, rejected, ...written } = JSON.parse(stdout).files
    expect([answers, rejected]).toEqual([null, null])
    expect(Object.values(written)).toEqual(["few.csv.summary.json", "few.csv.report.html", "few.csv.rules.json"])
    expect(readdirSync(folder).filter((name) => name.startsWith("few"))).toEqual([
      "few.csv",
      "few.csv.report.html",
      "few.csv.rules.json",
      "few.csv.summary.json",
      "few.ndjson"
    ])
  })

  it("keeps what cannot be computed beside the results, and computes the rest", async () => {
    const lines = linesOf(linesOfBorrowers(100)).map((line, index) => (index % 20 === 7 ? line.slice(0, 50) : line))
    const { code, stderr } = await run(
      file("bad.ndjson", lines.join("\n")),
      "--plans",
      "standard",
      "--out",
      "bad.ndjson.csv"
    )
    expect(code).toBe(0)
    expect(stderr).toContain("5 rejected")
    const rejected = linesOf(text("bad.ndjson.csv.rejected.ndjson")).map((line) => JSON.parse(line))
    expect(rejected.map(({ row }) => row)).toEqual([8, 28, 48, 68, 88])
    expect(rejected[0].text).toBe(lines[7])
    expect(linesOf(text("bad.ndjson.csv"))).toHaveLength(1 + 95)
  })

  it("answers no borrower who occurs twice, wherever in the files, and counts each row once", async () => {
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

  it("names the format that was asked for, whatever its parts are written in", async () => {
    const few = file("few.ndjson", linesOfBorrowers(3))
    for (const format of ["parquet", "ndjson"]) {
      const { stdout } = await run(few, "--out", `named.${format}`)
      expect(JSON.parse(stdout).portfolio).toMatchObject({ format })
    }
  })

  it("replaces no results unless it is told to", async () => {
    const few = file("kept.ndjson", linesOfBorrowers(3))
    writeFileSync(join(folder, "kept.csv"), "mine")
    const refused = await run(few, "--out", "kept.csv")
    expect(refused).toMatchObject({ code: 2, stdout: "" })
    expect(refused.stderr).toContain("kept.csv is there already: name another file, or add --overwrite")
    expect(text("kept.csv")).toBe("mine")
    mkdirSync(join(folder, "kept.csv.parts"))
    expect((await run(few, "--out", "kept.csv")).code).toBe(2)
    expect((await run(few, "--out", "kept.csv", "--overwrite")).code).toBe(0)
    expect(linesOf(text("kept.csv"))).toHaveLength(1 + 10 * 3)
  })

  it.each([
    [["nothing.ndjson"], /nothing\.ndjson: there is no such file/],
    [["b.xlsx"], /b\.xlsx: the name should end in/],
    [["few.ndjson", "--plans", "RAP,SAV"], /--plans SAV: /],
    [["few.ndjson", "--start", "2027"], /--start: use a month/]
  ])("says what is wrong: %j", async (args, said) => {
    file("few.ndjson", linesOfBorrowers(1))
    const { code, stderr } = await repay(["portfolio", "run", ...args, "--out", "wrong.csv"], { folder })
    expect(code).toBe(2)
    expect(linesOf(stderr).join(" ")).toMatch(said)
    expect(existsSync(join(folder, "wrong.csv"))).toBe(false)
  })
})

describe("a name of a column that would control the terminal", () => {
  it("is printed without what would", async () => {
    const table = file("evil.csv", "borrowerId,\u001b[2J\u001b]0;owned\u0007x\nB1,1\n")
    const { code, stderr } = await run(table, "--out", "evil.out.csv")
    expect(code).toBe(2)
    expect(stderr).toContain("Column ?[2J?]0;owned?x is not known")
    expect(stderr).not.toMatch(/[^\P{Cc}\n]/u)
  })
})

describe("from standard input to standard output", () => {
  it("answers each line when it has come, in order, and says in its place why one has no answer", async () => {
    const process = start(["portfolio", "run", "-", "--out", "-", "--plans", "RAP,standard", ...START])
    let out = ""
    process.stdout.on("data", (text: Buffer) => {
      out += text.toString()
    })
    const answered = () => linesOf(out).map((line) => JSON.parse(line))
    process.stdin.write(`${JSON.stringify(borrowerOf(1))}\n`)
    await until(() => answered().length === 2)
    process.stdin.write(`nothing\n${JSON.stringify(borrowerOf(1))}\n`)
    await until(() => answered().length === 5)
    process.stdin.end()
    expect(await new Promise((resolve) => process.on("close", resolve))).toBe(0)
    const [first, second, ...others] = answered()
    expect([first.planType, second.planType]).toEqual(["REPAYMENT ASSISTANCE", "STANDARD"])
    expect(others).toEqual([
      { file: "-", row: 2, problems: { row: [expect.any(String)] }, text: "nothing" },
      first,
      second
    ])
  })

  it("says in its place why one has no answer, also where all lines come at once", async () => {
    const input = [borrowerOf(1), "nothing", borrowerOf(2)].map((one) => `${JSON.stringify(one)}\n`).join("")
    const { stdout } = await repay(["portfolio", "run", "-", "--out", "-", "--plans", "RAP,standard", ...START], {
      input
    })
    const told = linesOf(stdout).map((line) => JSON.parse(line).borrowerId ?? "refused")
    expect(told).toEqual(["B1", "B1", "refused", "B2", "B2"])
  })

  it("ends when nobody reads any more", async () => {
    for (const borrowers of [1, 2000]) {
      const { code, stderr } = await repay(["portfolio", "run", "-", "--out", "-"], {
        input: linesOfBorrowers(borrowers),
        isReaderGone: true
      })
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    }
  }, 60_000)

  it("is all or nothing", async () => {
    const { code, stderr } = await repay(["portfolio", "run", "-", "--out", "some.csv"], { input: "" })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("use it as the one file and as --out")
    })
  })
})

const KILLS = times(4)
/** Five parts or so: by the time that one is there, those that are computed beside it are nearly done. */
const BORROWERS_PER_KILL = 2400

/** How much of a run is kept. */
const partsOf = (out: string): number =>
  readdirSync(folder, { recursive: true }).filter(
    (name) => /part-\d+\.json$/.test(String(name)) && String(name).startsWith(out)
  ).length

/** When a file was changed last. */
const EARLIER = new Date("2026-10-01")

/** Says what the parts are of. */
const MANIFEST = "killed.csv.parts/run.json"

describe("a run that is killed", () => {
  it("goes on where it was, and ends with the same bytes", async () => {
    const lines = linesOf(linesOfBorrowers(BORROWERS_PER_KILL * KILLS, 40))
    const damaged = lines.map((line, index) => (index % 200 === 3 ? "{" : line)).concat(lines[7]!)
    const many = file("many.ndjson", damaged.join("\n"))
    utimesSync(many, EARLIER, EARLIER)
    const args = ["--plans", "standard,RAP"]
    const whole = await run(many, ...args, "--out", "whole.csv")
    expect(whole.code).toBe(0)
    for (let kill = 0; kill < KILLS; kill++) {
      const process = start(["portfolio", "run", many, ...args, ...START, "--out", "killed.csv"], {}, folder)
      const ended = new Promise((resolve) => process.on("close", resolve))
      const before = partsOf("killed.csv")
      await until(() => partsOf("killed.csv") > before)
      await pause((kill * 37) % 150)
      process.kill("SIGKILL")
      await ended
    }
    expect(existsSync(join(folder, "killed.csv"))).toBe(false)
    const other = await run(many, "--plans", "standard", "--out", "killed.csv")
    expect(other.stderr).toContain("killed.csv.parts holds a run that was begun otherwise: plans.")
    const manifest = text(MANIFEST)
    file(MANIFEST, JSON.stringify({ ...JSON.parse(manifest), release: "rl1-000000000000/0.1.0" }))
    const before = await run(many, ...args, "--out", "killed.csv")
    expect(before.stderr).toContain("begun otherwise: release (rl1-000000000000/0.1.0, and this is rl1-")
    file(MANIFEST, manifest)
    const env = { BUILD_COMMIT: "another" }
    const build = await repay(["portfolio", "run", many, ...args, ...START, "--out", "killed.csv"], { env, folder })
    expect(build.stderr).toContain("begun otherwise: release (")
    for (const damaged of ["", "null", manifest.slice(0, 50)]) {
      file(MANIFEST, damaged)
      const { code, stderr } = await run(many, ...args, "--out", "killed.csv")
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${MANIFEST} is damaged`)])
    }
    file(MANIFEST, manifest)
    const sent = readFileSync(many, "utf8")
    writeFileSync(many, sent.replace(/"adjustedGrossIncome":\d/, '"adjustedGrossIncome":9'))
    utimesSync(many, EARLIER, EARLIER)
    const changed = await run(many, ...args, "--out", "killed.csv")
    expect([changed.code, changed.stderr]).toEqual([
      2,
      expect.stringContaining("is not what it was when killed.csv.parts")
    ])
    writeFileSync(many, sent)
    utimesSync(many, EARLIER, EARLIER)
    expect((await run(many, ...args, "--out", "killed.csv")).code).toBe(0)
    expect(text("killed.csv") === text("whole.csv")).toBe(true)
    expect(text("killed.csv.rejected.ndjson")).toBe(text("whole.csv.rejected.ndjson"))
    expect(JSON.parse(text("killed.csv.summary.json")).summary).toEqual(
      JSON.parse(text("whole.csv.summary.json")).summary
    )
    expect(existsSync(join(folder, "killed.csv.parts"))).toBe(false)
  }, 120_000)
})
