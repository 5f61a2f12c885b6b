/** `repay portfolio run` as a process: lines one by one, a reader that has gone, repeated kills. */
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { times } from "../fault/scale.ts"
import { borrowerOf, linesOfBorrowers } from "../support/borrowers.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"
import { repayProcess, start } from "../support/repayProcess.ts"
import { pause, until } from "../support/until.ts"

const { file, folder } = filesOf("portfolio")

const START = ["--start", "2027-01"]
const run = (...args: ReadonlyArray<string>) => repay(["portfolio", "run", ...args, ...START], { folder })
const text = (name: string): string => readFileSync(join(folder, name), "utf8")

describe("a run from standard input to standard output", () => {
  it("answers each line at once and in order, with the reason in place of a rejected line", async () => {
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

  it("ends when its reader has gone", async () => {
    const input = linesOfBorrowers(2000)
    const ended = await repayProcess(["portfolio", "run", "-", "--out", "-"], { input, isReaderGone: true })
    expect(ended).toEqual({ code: 0, stdout: "", stderr: "" })
  })
})

const KILLS = times(4)
/** About five parts: when one is done, those computed in parallel are nearly done. */
const BORROWERS_PER_KILL = 2400

/** Number of stored parts of a run. */
const countParts = (out: string): number =>
  readdirSync(folder, { recursive: true }).filter(
    (name) => /part-\d+\.json$/.test(String(name)) && String(name).startsWith(out)
  ).length

/** Fixed mtime of the input. */
const MTIME = new Date("2026-10-01")

/** Marker of the first part, which starts first but may not finish first. */
const FIRST_PART = "killed.csv.parts/part-000000.json"

/** Manifest of the killed run. */
const MANIFEST = "killed.csv.parts/run.json"

describe("a run that is killed", () => {
  it("resumes, and ends with the same bytes", async () => {
    const lines = linesOf(linesOfBorrowers(BORROWERS_PER_KILL * KILLS, 40))
    // The repeated id is not in the first part, so that this part stays once it is there.
    const damaged = lines.map((line, index) => (index % 200 === 3 ? "{" : line)).concat(lines[lines.length / 2]!)
    const many = file("many.ndjson", damaged.join("\n"))
    utimesSync(many, MTIME, MTIME)
    const args = ["--plans", "standard,RAP"]
    const whole = await run(many, ...args, "--out", "whole.csv")
    expect(whole.code).toBe(0)
    for (let kill = 0; kill < KILLS; kill++) {
      const process = start(["portfolio", "run", many, ...args, ...START, "--out", "killed.csv"], {}, folder)
      const ended = new Promise((resolve) => process.on("close", resolve))
      const before = countParts("killed.csv")
      await until(() => countParts("killed.csv") > before && existsSync(join(folder, FIRST_PART)))
      await pause((kill * 37) % 150)
      process.kill("SIGKILL")
      await ended
    }
    expect(existsSync(join(folder, "killed.csv"))).toBe(false)
    const other = await run(many, "--plans", "standard", "--out", "killed.csv")
    expect(other.stderr).toContain("killed.csv.parts contains a run started with different options: plans.")
    const manifest = text(MANIFEST)
    file(MANIFEST, JSON.stringify({ ...JSON.parse(manifest), release: "rl1-000000000000/0.1.0" }))
    const before = await run(many, ...args, "--out", "killed.csv")
    expect(before.stderr).toContain("different options: release (rl1-000000000000/0.1.0 before, rl1-")
    file(MANIFEST, manifest)
    const env = { BUILD_COMMIT: "another" }
    const build = await repay(["portfolio", "run", many, ...args, ...START, "--out", "killed.csv"], { env, folder })
    expect(build.stderr).toContain("different options: release (")
    for (const damaged of ["", "null", manifest.slice(0, 50)]) {
      file(MANIFEST, damaged)
      const { code, stderr } = await run(many, ...args, "--out", "killed.csv")
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${MANIFEST} is damaged`)])
    }
    file(MANIFEST, manifest)
    const sent = readFileSync(many, "utf8")
    writeFileSync(many, sent.replace(/"adjustedGrossIncome":\d/, '"adjustedGrossIncome":9'))
    utimesSync(many, MTIME, MTIME)
    const changed = await run(many, ...args, "--out", "killed.csv")
    expect([changed.code, changed.stderr]).toEqual([
      2,
      expect.stringContaining("has changed since the run in killed.csv.parts")
    ])
    writeFileSync(many, sent)
    utimesSync(many, MTIME, MTIME)
    expect((await run(many, ...args, "--out", "killed.csv")).code).toBe(0)
    expect(text("killed.csv") === text("whole.csv")).toBe(true)
    expect(text("killed.csv.rejected.ndjson")).toBe(text("whole.csv.rejected.ndjson"))
    expect(JSON.parse(text("killed.csv.summary.json")).summary).toEqual(
      JSON.parse(text("whole.csv.summary.json")).summary
    )
    expect(existsSync(join(folder, "killed.csv.parts"))).toBe(false)
  }, 120_000)
})
