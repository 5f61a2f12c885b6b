/** Files that change while they are read: there are no results of two states of a file, and the same command begins anew. */
import { appendFileSync, existsSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { beforeEach, describe, expect, it } from "vitest"
import { borrowerOf, linesOfBorrowers } from "../support/borrowers.ts"
import { madeBorrowers, ndjsonOf, nestedParquet, portfolioFolder } from "../support/portfolios.ts"

const { path, run, write } = portfolioFolder()

/** Long enough that they are some chunks; others have the same length. */
const BORROWERS = 60
const TEXT = linesOfBorrowers(BORROWERS, 2).replaceAll('{"borrowerId"', `{"note":"${"x".repeat(100_000)}","borrowerId"`)
const IGNORED = { ignore: ["note"] }
const OTHER = TEXT.replaceAll('"dependents":0', '"dependents":7')
const LATER = new Date("2027-01-01T00:00:00Z")

const FILE = path("b.ndjson")

const CHANGES: ReadonlyArray<readonly [how: string, change: () => void]> = [
  ["replaced by another one of its size", () => renameSync(write("new", OTHER), FILE)],
  ["written anew in place", () => writeFileSync(FILE, OTHER)],
  ["added to", () => appendFileSync(FILE, `${JSON.stringify(borrowerOf(BORROWERS))}\n`)],
  ["cut short", () => writeFileSync(FILE, TEXT.slice(0, 1000))]
]

beforeEach(() => {
  write("b.ndjson", TEXT)
  utimesSync(FILE, LATER, LATER)
  rmSync(path("out.csv"), { force: true })
})

/** What a run says in whose course a chunk is computed after `change`. */
const told = (files: ReadonlyArray<string>, change: () => void, at = 1) => {
  let isLeft = true
  const before = (index: number) => {
    if (index !== at || !isLeft) return
    isLeft = false
    change()
  }
  return run(files, { ...IGNORED, before }).then(
    () => "results",
    ({ lines }) => lines
  )
}

const changed = (name: string) => [
  `${name} has changed while it was read: the run has stopped, because its results would be of neither state of it.`,
  "Give the same command again when the file is complete: it begins anew."
]

const nothingIsThere = () => {
  expect(existsSync(path("out.csv"))).toBe(false)
  expect(existsSync(path("out.csv.parts"))).toBe(false)
}

describe("a file that is", () => {
  it.each(CHANGES)(
    "%s during a run has no results, and those of its new state when it is given again",
    async (_, change) => {
      expect(await told([FILE], change)).toEqual(changed(FILE))
      nothingIsThere()
      const { bytes } = await run([FILE], IGNORED)
      const anew = await run([FILE], { ...IGNORED, out: "anew.csv" })
      expect(bytes.equals(anew.bytes)).toBe(true)
    }
  )

  it("changed when it is read for the second time has none either", async () => {
    appendFileSync(FILE, TEXT.slice(0, TEXT.indexOf("\n") + 1))
    let computed = 0
    const change = () => {
      if (computed++ === 2) writeFileSync(FILE, OTHER)
    }
    await expect(run([FILE], { ...IGNORED, before: change })).rejects.toMatchObject({ lines: changed(FILE) })
    nothingIsThere()
  })

  it("one of several is named, also in parquet", async () => {
    const lines = (from: number, to: number) => ndjsonOf(madeBorrowers(to).slice(from))
    const files = [path("1.parquet"), path("2.parquet")]
    await nestedParquet(write("1.ndjson", lines(0, 100)), files[0]!)
    await nestedParquet(write("2.ndjson", lines(100, 200)), files[1]!)
    await nestedParquet(write("3.ndjson", lines(200, 300)), path("3.parquet"))
    expect(await told(files, () => renameSync(path("3.parquet"), files[1]!), 0)).toEqual(changed(files[1]!))
    nothingIsThere()
  })
})

describe("parts for which answers are recorded", () => {
  it("are kept when a file changes", async () => {
    const change = () => {
      write("out.csv.parts/part-000000.journal", "")
      writeFileSync(FILE, OTHER)
    }
    const [, advice] = await told([FILE], change)
    expect(advice).toMatch(/^What is recorded is in .*out\.csv\.parts: bring the file back as it was/)
    expect(readdirSync(path("out.csv.parts"))).toContain("part-000000.journal")
    rmSync(path("out.csv.parts"), { recursive: true })
  })
})
