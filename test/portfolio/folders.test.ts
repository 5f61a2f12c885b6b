/** Folders that are named as columns are, as lakes of data have them: what a file says is not changed by where it lies. */
import { copyFileSync, mkdirSync } from "node:fs"
import { beforeAll, describe, expect, it } from "vitest"
import { differenceOfResults } from "../../src/portfolio/results/diff.ts"
import { csvOf, flatParquet, madeBorrowers, ndjsonOf, nestedParquet, portfolioFolder } from "../support/portfolios.ts"

const { folder, path, run, write } = portfolioFolder()

const BORROWERS = madeBorrowers(30)

beforeAll(() => {
  for (const name of ["state=WY", "planType=SAVE"]) mkdirSync(path(name))
})

describe("a folder named as a column", () => {
  it("does not change what the parquet files in it say", async () => {
    const { bytes } = await run([write("a.ndjson", ndjsonOf(BORROWERS))])
    await flatParquet(write("a.csv", csvOf(BORROWERS)), path("state=WY/flat.parquet"))
    await nestedParquet(path("a.ndjson"), path("state=WY/nested.parquet"))
    for (const name of ["flat", "nested"])
      expect((await run([path(`state=WY/${name}.parquet`)])).bytes.equals(bytes)).toBe(true)
  })

  it("does not change the results that are written to it", async () => {
    const { bytes } = await run([path("a.ndjson")], { out: "out.parquet" })
    const inFolder = await run([path("a.ndjson")], { out: "planType=SAVE/out.parquet" })
    expect(inFolder.bytes.equals(bytes)).toBe(true)
  })

  it("does not change what is compared", async () => {
    for (const ending of ["parquet", "csv", "ndjson"]) {
      await run([path("a.ndjson")], { out: `results.${ending}` })
      copyFileSync(path(`results.${ending}`), path(`planType=SAVE/results.${ending}`))
      const { borrowersChanged, plans } = await differenceOfResults({
        before: path(`results.${ending}`),
        after: path(`planType=SAVE/results.${ending}`),
        out: undefined,
        overwrite: false,
        scratch: folder
      })
      expect(borrowersChanged).toBe(0)
      expect(plans.map(({ inBoth, planType }) => [planType, inBoth])).toEqual([
        ["REPAYMENT ASSISTANCE", BORROWERS.length],
        ["STANDARD", BORROWERS.length]
      ])
    }
  })
})
