/** Duplicate ids: each chunk receives only its own, so that many cost no more than few. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Ref } from "effect"
import { expect, it } from "vitest"
import { computeChunk } from "../../src/portfolio/compute/chunk.ts"
import { NOTHING_DONE } from "../../src/portfolio/computeChunks.ts"
import { runPortfolio } from "../../src/portfolio/runPortfolio.ts"
import { borrowerOf } from "../support/borrowers.ts"
import { ONE_PLAN } from "../support/portfolios.ts"
import { filesOf, linesOf } from "../support/repay.ts"

const { file, folder } = filesOf("repeated")

const linesFor = (name: string, numbers: ReadonlyArray<number>) =>
  file(name, numbers.map((number) => `${JSON.stringify(borrowerOf(number, 1))}\n`).join(""))

type Compute = (chunk: Parameters<typeof computeChunk>[1]) => ReturnType<typeof computeChunk>

const summaryOf = async (files: ReadonlyArray<string>, out: string, compute: Compute) => {
  const computers = Effect.succeed({
    atOnce: 1,
    compute: (chunk: Parameters<Compute>[0]) => Effect.sync(() => compute(chunk))
  })
  const request = { files, out, format: "csv", overwrite: false, portfolio: ONE_PLAN, rules: "{}" } as const
  const run = Effect.flatMap(Ref.make(NOTHING_DONE), (progress) => runPortfolio(request, () => computers, progress))
  return (await Effect.runPromise(run)).summary
}

it("duplicate ids are passed only to the chunks that contain them", async () => {
  const received: Array<readonly [chunk: number, keys: number]> = []
  const files = [
    linesFor("one.ndjson", [1, 2, 3, 4, 5]),
    linesFor("two.ndjson", [3, 6, 7, 7]),
    linesFor("three.ndjson", [8, 9]),
    linesFor("four.ndjson", [1, 3, 10])
  ]
  const out = join(folder, "out.csv")
  const summary = await summaryOf(files, out, (chunk) => {
    received.push([chunk.index, chunk.duplicateIds.size])
    return computeChunk(ONE_PLAN, chunk)
  })
  expect(received.slice(0, 4).map(([, keys]) => keys)).toEqual([0, 0, 0, 0])
  expect(received.slice(4)).toEqual([
    [0, 2],
    [1, 2],
    [3, 2]
  ])
  expect(summary).toMatchObject({ borrowers: 7, rejected: 7 })
  const ids = linesOf(readFileSync(out, "utf8")).map((line) => line.slice(0, line.indexOf(",")))
  expect(ids.slice(1)).toEqual(["B2", "B4", "B5", "B6", "B8", "B9", "B10"])
})

it.each([
  ["17.0", '"17"'],
  ["1.50", '"1.5"'],
  ["1.50", '"1.50"'],
  ["9007199254740993", '"9007199254740992"'],
  ["9007199254740993", '"9007199254740993"']
])("duplicate ids include a rejected number, as parsed and as written: %s and %s", async (number, again) => {
  const line = (id: string) => `${JSON.stringify(borrowerOf(1, 1)).replace('"B1"', id)}\n`
  const path = file(`${number}.ndjson`, line(number) + line(again) + line('"other"'))
  const out = join(folder, `${number}-${again.replaceAll('"', "")}.csv`)
  const summary = await summaryOf([path], out, (chunk) => computeChunk(ONE_PLAN, chunk))
  expect(summary).toMatchObject({ borrowers: 1, rejected: 2 })
})
