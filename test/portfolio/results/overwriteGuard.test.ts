/**
 * The overwrite guard of a run: no existing file is replaced unless allowed, and never an input.
 */
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { linesOfBorrowers } from "../../support/borrowers.ts"
import { filesOf, repay } from "../../support/repay.ts"

const { file, folder } = filesOf("writable")

const RUN = ["--threads", "1", "--plans", "standard", "--start", "2027-01", "--out"]
const run = (input: string, out: string, ...more: ReadonlyArray<string>) =>
  repay(["portfolio", "run", input, ...RUN, out, ...more], { folder })
const text = (name: string): string => readFileSync(join(folder, name), "utf8")
const namesOf = (prefix: string) => readdirSync(folder).filter((name) => name.startsWith(prefix))

const FEW = linesOfBorrowers(3)
const MANY = 20

describe("a companion file", () => {
  it("belongs to one result, even if another has the same base name", async () => {
    const input = file("some.ndjson", `${FEW}nothing\n`)
    expect((await run(input, "same.csv")).code).toBe(0)
    const before = text("same.csv.rejected.ndjson")
    expect((await run(file("fine.ndjson", FEW), "same.ndjson")).code).toBe(0)
    expect(text("same.csv.rejected.ndjson")).toBe(before)
    expect(namesOf("same.ndjson")).not.toContain("same.ndjson.rejected.ndjson")
  })

  it.each(["rejected.ndjson", "summary.json", "report.html", "rules.json"])("is not replaced: %s", async (ending) => {
    file(`mine.csv.${ending}`, "mine")
    const refused = `mine.csv.${ending} exists already: name another file, or add --overwrite`
    const stderr = expect.stringContaining(refused)
    expect(await run(file("few.ndjson", FEW), "mine.csv")).toMatchObject({ code: 2, stderr })
    expect(namesOf("mine")).toEqual([`mine.csv.${ending}`])
    expect(text(`mine.csv.${ending}`)).toBe("mine")
    expect((await run(join(folder, "few.ndjson"), "mine.csv", "--overwrite")).code).toBe(0)
    for (const name of namesOf("mine")) rmSync(join(folder, name))
  })
})

/** The result of a run during which another process creates a file, before anything is computed. */
const runWhile = (input: string, out: string, another: string) =>
  repay(["portfolio", "run", input, ...RUN, out], {
    folder,
    before: (index) => {
      if (index === 0) file(another, "mine")
    }
  })

describe("a file created by another process during a run", () => {
  it.each(["", ".summary.json", ".rejected.ndjson"])(
    "is not replaced, and the run leaves nothing else: results.csv%s",
    async (ending) => {
      const out = `late${ending}.csv`
      const another = `${out}${ending}`
      const input = file("many.ndjson", linesOfBorrowers(MANY))
      const { code, stderr } = await runWhile(input, out, another)
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`${another} exists already`) })
      expect(text(another)).toBe("mine")
      expect(namesOf(out)).toEqual([another])
      if (ending === "") renameSync(join(folder, another), join(folder, "moved"))
      expect((await run(input, out, ...(ending === "" ? [] : ["--overwrite"]))).code).toBe(0)
      expect(namesOf(out)).toEqual([out, `${out}.report.html`, `${out}.rules.json`, `${out}.summary.json`])
      expect(text(out).split("\n")).toHaveLength(MANY + 2)
    }
  )
})

describe("a dangling link", () => {
  it("is not replaced", async () => {
    symlinkSync(join(folder, "nowhere"), join(folder, "linked.csv"))
    const { code, stderr } = await run(file("three.ndjson", FEW), "linked.csv")
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("linked.csv exists already") })
  })
})

describe("answers of record", () => {
  it("are not removed by a run without recording, even with --overwrite", async () => {
    file("paid.csv.answers.ndjson.zst", "mine")
    const stderr = expect.stringContaining("paid.csv.answers.ndjson.zst has the recorded answers")
    for (const more of [[], ["--overwrite"]])
      expect(await run(file("unrecorded.ndjson", FEW), "paid.csv", ...more)).toMatchObject({ code: 2, stderr })
    expect(namesOf("paid.csv")).toEqual(["paid.csv.answers.ndjson.zst"])
    expect(text("paid.csv.answers.ndjson.zst")).toBe("mine")
  })
})

describe("a long output name", () => {
  const LONGEST = 255
  const named = (ending: string, length: number): string => `${"n".repeat(length - ending.length)}${ending}`

  it("is accepted if all companion files can be written", async () => {
    const out = named(".csv", LONGEST - ".answers.ndjson.zst".length)
    expect((await run(file("short.ndjson", `${FEW}nothing\n`), out)).code).toBe(0)
    expect(namesOf(out)).toHaveLength(5)
  })

  it("is refused before anything is written if one of them cannot", async () => {
    const out = named(".csv", LONGEST - ".answers.ndjson.zst".length + 1)
    const { code, stderr } = await run(file("short.ndjson", FEW), out)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("the name is too long") })
    expect(namesOf(out)).toEqual([])
  })
})

describe("an input file", () => {
  it.each(["all.ndjson", "mend.csv.rejected.ndjson", "linked.ndjson"])(
    "is not overwritten, even with --overwrite: %s",
    async (name) => {
      const input = file(name === "linked.ndjson" ? "kept.ndjson" : name, FEW)
      if (name === "linked.ndjson") linkSync(input, join(folder, name))
      const out = name.replace(".rejected.ndjson", "")
      const { code, stderr } = await run(input, out, "--overwrite")
      expect(code).toBe(2)
      expect(stderr).toContain(`${name} is one of the input files, so it cannot be written: name another --out`)
      expect(text(name)).toBe(FEW)
    }
  )
})
