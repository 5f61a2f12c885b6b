/** `repay portfolio sample`: its files, its standard output, and options that it refuses. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { sampleBorrowers } from "../../src/portfolio/sample.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"

const { file, folder } = filesOf("sample")
const drafts = () => readdirSync(folder).filter((name) => name.endsWith(".tmp"))
const sample = (...args: ReadonlyArray<string>) => repay(["portfolio", "sample", ...args])

describe("repay portfolio sample", () => {
  it("writes a file of JSON lines, and reports its name", async () => {
    const out = join(folder, "borrowers.ndjson")
    const { code, stderr, stdout } = await sample("--borrowers", "2500", "--seed", "7", "--out", out)
    expect({ code, stderr, stdout }).toEqual({
      code: 0,
      stderr: `2500 borrowers of seed 7 are in ${out}.\n`,
      stdout: ""
    })
    expect(readFileSync(out, "utf8")).toBe(`${[...sampleBorrowers({ seed: 7, count: 2500 })].join("\n")}\n`)
    expect(drafts()).toEqual([])
  })

  it("writes CSV for a .csv name, with the requested number of loans", async () => {
    const out = join(folder, "borrowers.csv")
    expect(await sample("--borrowers", "10", "--loans", "3", "--out", out)).toMatchObject({ code: 0 })
    const lines = linesOf(readFileSync(out, "utf8"))
    expect(lines).toHaveLength(1 + 30)
    expect(lines[0]).toMatch(/^borrowerId,.*,pslfCount,madeOn$/)
  })

  it("prints only JSON lines, which repay portfolio run can compute", async () => {
    const { code, stderr, stdout } = await sample("--borrowers", "40", "--out", "-")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const computed = await repay(["portfolio", "run", "-", "--out", "-", "--plans", "RAP,standard"], { input: stdout })
    const rows = linesOf(computed.stdout).map((line) => JSON.parse(line) as { readonly outcome?: string })
    expect(rows).toHaveLength(80)
    expect(rows.filter(({ outcome }) => outcome === "answered").length).toBeGreaterThan(40)
  })

  it("writes one complete file when two commands race, and the other command fails", async () => {
    const out = join(folder, "twice.ndjson")
    const both = await Promise.all(
      ["1", "2"].map((seed) => sample("--borrowers", "20000", "--seed", seed, "--out", out))
    )
    expect(both.map(({ code }) => code).sort()).toEqual([0, 2])
    const seed = 1 + both.findIndex(({ code }) => code === 0)
    expect(readFileSync(out, "utf8")).toBe(`${[...sampleBorrowers({ seed, count: 20_000 })].join("\n")}\n`)
    expect(both.find(({ code }) => code === 2)?.stderr).toContain(`${out} exists already`)
    expect(drafts()).toEqual([])
  })

  it("keeps an existing file unless --overwrite is set", async () => {
    const out = file("mine.ndjson", "mine")
    expect(await sample("--borrowers", "3", "--out", out)).toMatchObject({
      code: 2,
      stderr: `--out ${out}: exists already; name another file, or add --overwrite\n`
    })
    expect(readFileSync(out, "utf8")).toBe("mine")
    expect(await sample("--borrowers", "3", "--overwrite", "--out", out)).toMatchObject({ code: 0 })
    expect(linesOf(readFileSync(out, "utf8"))).toHaveLength(3)
  })

  it.each([
    [["--borrowers", "0"], "--borrowers: use a whole number from 1 to 100000000"],
    [["--borrowers", "5", "--loans", "101"], "--loans: use a whole number from 1 to 100"],
    [["--borrowers", "5", "--seed", "-1"], "--seed: use a whole number from 0 to 4294967295"],
    [["--borrowers", "many"], /borrowers/],
    [[], /borrowers/]
  ])("refuses %j and names the flag", async (args, words) => {
    const out = join(folder, "none.ndjson")
    const { code, stderr, stdout } = await sample(...args, "--out", out)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(words)
    expect(existsSync(out)).toBe(false)
  })

  it("refuses a name without a known format, and a missing folder", async () => {
    expect(await sample("--borrowers", "5", "--out", join(folder, "borrowers.xlsx"))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("should end in .ndjson or .csv")
    })
    const { code, stderr } = await sample("--borrowers", "5", "--out", join(folder, "no", "borrowers.csv"))
    expect(code).toBe(2)
    expect(stderr).toMatch(/^--out .*ENOENT/)
  })
})
