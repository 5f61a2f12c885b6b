/** Folders named like columns, as in Hive partitioning: they do not change the content of files. */
import { copyFileSync, mkdirSync } from "node:fs"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { differenceOfResults } from "../../src/portfolio/results/diff.ts"
import { csvOf, flatParquet, madeBorrowers, ndjsonOf, nestedParquet, portfolioFolder } from "../support/portfolios.ts"

const { folder, path, run, write } = portfolioFolder()

const BORROWERS = madeBorrowers(30)

beforeAll(() => {
  for (const name of ["state=WY", "planType=SAVE"]) mkdirSync(path(name))
})

describe("a folder named like a column", () => {
  it("does not change the content of parquet files in it", async () => {
    const { bytes } = await run([write("a.ndjson", ndjsonOf(BORROWERS))])
    await flatParquet(write("a.csv", csvOf(BORROWERS)), path("state=WY/flat.parquet"))
    await nestedParquet(path("a.ndjson"), path("state=WY/nested.parquet"))
    for (const name of ["flat", "nested"])
      expect((await run([path(`state=WY/${name}.parquet`)])).bytes.equals(bytes)).toBe(true)
  })

  it("does not change results written to it", async () => {
    const { bytes } = await run([path("a.ndjson")], { out: "out.parquet" })
    const inFolder = await run([path("a.ndjson")], { out: "planType=SAVE/out.parquet" })
    expect(inFolder.bytes.equals(bytes)).toBe(true)
  })

  it("does not change a comparison of results in it", async () => {
    for (const ending of ["parquet", "csv", "ndjson"]) {
      await run([path("a.ndjson")], { out: `results.${ending}` })
      copyFileSync(path(`results.${ending}`), path(`planType=SAVE/results.${ending}`))
      const { borrowersChanged, plans } = await Effect.runPromise(
        differenceOfResults({
          before: path(`results.${ending}`),
          after: path(`planType=SAVE/results.${ending}`),
          out: undefined,
          overwrite: false,
          scratch: folder
        })
      )
      expect(borrowersChanged).toBe(0)
      expect(plans.map(({ inBoth, planType }) => [planType, inBoth])).toEqual([
        ["REPAYMENT ASSISTANCE", BORROWERS.length],
        ["STANDARD", BORROWERS.length]
      ])
    }
  })
})
