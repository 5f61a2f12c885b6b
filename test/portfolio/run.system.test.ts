/** `repay portfolio run` as a process: lines one by one, a reader that has gone, repeated kills. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { times } from "../fault/scale.ts"
import { borrowerOf, linesOfBorrowers } from "../support/borrowers.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"
import { repayProcess, start } from "../support/repayProcess.ts"
import { until } from "../support/until.ts"
import { startProcess } from "./processes.ts"

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

const KILLS = times(3)

/** The bytes of drafts of rows so far. */
const draftedBytes = (out: string): number =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.startsWith(`${out}.draft-`) && name.includes("/rows-"))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

const namesOf = (out: string) => readdirSync(folder).filter((name) => name.startsWith(out))

describe("a run that is killed", () => {
  it("leaves only drafts, and started again ends with the same bytes", async () => {
    const lines = linesOf(linesOfBorrowers(2400, 20))
    const damaged = lines.map((line, index) => (index % 200 === 3 ? "{" : line)).concat(lines[lines.length / 2]!)
    const many = file("many.ndjson", damaged.join("\n"))
    const args = ["--plans", "standard,RAP"]
    expect((await run(many, ...args, "--out", "whole.csv")).code).toBe(0)
    const size = statSync(join(folder, "whole.csv")).size
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = startProcess(["run", many, ...args, ...START, "--out", "killed.csv"], {}, folder)
      await until(() => draftedBytes("killed.csv") > (size * kill) / KILLS, 60)
      child.kill("SIGKILL")
      await ended
      expect(namesOf("killed.csv")).toEqual([expect.stringContaining("killed.csv.draft-")])
    }
    expect((await run(many, ...args, "--out", "killed.csv")).code).toBe(0)
    for (const ending of ["", ".rejected.ndjson"])
      expect(text(`killed.csv${ending}`) === text(`whole.csv${ending}`)).toBe(true)
    expect(JSON.parse(text("killed.csv.summary.json")).summary).toEqual(
      JSON.parse(text("whole.csv.summary.json")).summary
    )
    expect(namesOf("killed.csv.draft")).toEqual([])
  })

  it("or interrupted, leaves no results and says so", async () => {
    const many = file("stopped.ndjson", linesOfBorrowers(2400, 20))
    const { child, ended, output } = startProcess(["run", many, ...START, "--out", "stopped.csv"], {}, folder)
    await until(() => draftedBytes("stopped.csv") > 0, 60)
    child.kill("SIGINT")
    expect(await ended).toBe(130)
    expect(output()).toContain("Stopped. Nothing was written.")
    expect(namesOf("stopped.csv")).toEqual([])
  })
})

describe("two runs at once", () => {
  it("are one: the second is refused, and the first completes", async () => {
    // Enough that the first run still computes when it is stopped, however late this process is let run.
    const many = file("twice.ndjson", linesOfBorrowers(4000, 20))
    expect((await run(many, "--out", "alone.csv")).code).toBe(0)
    const { child, ended } = startProcess(["run", many, ...START, "--out", "twin.csv"], {}, folder)
    await until(() => namesOf("twin.csv.draft").length > 0)
    child.kill("SIGSTOP")
    expect(namesOf("twin.csv.draft").length).toBeGreaterThan(0)
    const second = await run(many, "--out", "twin.csv", "--overwrite")
    expect(second).toMatchObject({ code: 2, stdout: "" })
    expect(second.stderr).toContain(`another run is writing it, process ${child.pid} of ${hostname()}`)
    child.kill("SIGCONT")
    expect(await ended).toBe(0)
    expect(text("twin.csv") === text("alone.csv")).toBe(true)
    expect(namesOf("twin.csv.draft")).toEqual([])
  })
})
