/** Input files that change during a run: the run stops, and the same command starts over. */
import { appendFileSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { beforeEach, describe, expect, it } from "vitest"
import { borrowerOf, linesOfBorrowers } from "../support/borrowers.ts"
import { madeBorrowers, ndjsonOf, nestedParquet, portfolioFolder } from "../support/portfolios.ts"

const { folder, path, run, write } = portfolioFolder()

/** Enough text for several chunks. OTHER has the same length. */
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

/** The message of a run in which `change` happens before chunk `at` is computed. */
const messageOf = (files: ReadonlyArray<string>, change: () => void, at = 1) => {
  let isPending = true
  const before = (index: number) => {
    if (index !== at || !isPending) return
    isPending = false
    change()
  }
  return run(files, { ...IGNORED, before }).then(
    () => "results",
    ({ lines }) => lines
  )
}

const changed = (name: string) => [
  `${name} has changed while it was read. The run has stopped, because its results would mix both versions.`,
  "Run the same command again when the file is complete: it starts over."
]

const expectNoOutput = () => {
  expect(readdirSync(folder).filter((name) => /^out\.csv($|\.draft)/.test(name))).toEqual([])
}

describe("an input file", () => {
  it.each(CHANGES)("that is %s during a run stops it, and the next run computes the new content", async (_, change) => {
    expect(await messageOf([FILE], change)).toEqual(changed(FILE))
    expectNoOutput()
    const { bytes } = await run([FILE], IGNORED)
    const fresh = await run([FILE], { ...IGNORED, out: "anew.csv" })
    expect(bytes.equals(fresh.bytes)).toBe(true)
  })

  it("that changes during the second pass stops the run", async () => {
    appendFileSync(FILE, TEXT.slice(0, TEXT.indexOf("\n") + 1))
    let computed = 0
    const change = () => {
      if (computed++ === 2) writeFileSync(FILE, OTHER)
    }
    await expect(run([FILE], { ...IGNORED, before: change })).rejects.toMatchObject({ lines: changed(FILE) })
    expectNoOutput()
  })

  it("that changes is named among several, parquet included", async () => {
    const lines = (from: number, to: number) => ndjsonOf(madeBorrowers(to).slice(from))
    const files = [path("1.parquet"), path("2.parquet")]
    await nestedParquet(write("1.ndjson", lines(0, 100)), files[0]!)
    await nestedParquet(write("2.ndjson", lines(100, 200)), files[1]!)
    await nestedParquet(write("3.ndjson", lines(200, 300)), path("3.parquet"))
    expect(await messageOf(files, () => renameSync(path("3.parquet"), files[1]!), 0)).toEqual(changed(files[1]!))
    expectNoOutput()
  })
})
