/** The memory of a run, independent of its input files and of parts that wait for a late one. */
import { mkdirSync } from "node:fs"
import { Readable } from "node:stream"
import { Effect, Ref } from "effect"
import { expect, it, vi } from "vitest"
import { computeChunk } from "../../src/portfolio/compute/chunk.ts"
import type { Computers } from "../../src/portfolio/compute/computers.ts"
import { computeParts, NOTHING_DONE } from "../../src/portfolio/computeParts.ts"
import { lineStream } from "../../src/portfolio/read/lines.ts"
import { csvFiles } from "../../src/portfolio/read/tables.ts"
import type { ChunkResult } from "../../src/portfolio/results/portfolio.ts"
import { GrowingResults } from "../../src/portfolio/store/assemble.ts"
import { Parts } from "../../src/portfolio/store/parts.ts"
import { linesOfBorrowers } from "../support/borrowers.ts"
import { csvOf, madeBorrowers, ONE_PLAN, portfolioFolder } from "../support/portfolios.ts"
import { linesOf } from "../support/repay.ts"
import { until } from "../support/until.ts"

const { path, write } = portfolioFolder()

it("many small files need little memory each", async () => {
  const files = Array.from({ length: 200 }, (_, index) => write(`${index}.csv`, csvOf(madeBorrowers(1))))
  const alloc = vi.spyOn(Buffer, "alloc")
  const { chunks } = await csvFiles(files, { separator: undefined, ignore: [] })
  for await (const _ of chunks());
  const bytes = alloc.mock.calls.reduce((sum, [size]) => sum + size, 0)
  alloc.mockRestore()
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(200 * 150_000)
})

const CHUNKS = 60
/** Limit of rows in memory; further parts are read from disk. */
const MAX_IN_MEMORY = 16

/** Number of parts whose rows are in memory while the first of all chunks is late. */
const partsInMemory = async (name: string, results: (folder: string) => GrowingResults | undefined) => {
  const folder = path(name)
  mkdirSync(folder)
  const parts = await Parts.open(folder, {})
  const late = Promise.withResolvers<void>()
  const rows: Array<ChunkResult["rows"]> = []
  let written = 0
  const computers: Computers = {
    atOnce: CHUNKS,
    compute: (chunk) =>
      Effect.promise(async () => {
        if (chunk.index === 0) await late.promise
        const result = computeChunk(ONE_PLAN, chunk)
        rows.push(result.rows)
        return result
      }),
    written: () => Effect.sync(() => written++)
  }
  const lines = linesOf(linesOfBorrowers(CHUNKS))
  const input = lineStream("-", Readable.from(lines.map((line) => Buffer.from(`${line}\n`))))
  const progress = await Effect.runPromise(Ref.make(NOTHING_DONE))
  const growing = results(folder)
  const ended = Effect.runPromise(computeParts({ input, computers, parts, progress, results: growing }))
  await until(async () => written === CHUNKS - 1)
  const inMemory = rows.filter(({ byteLength }) => byteLength > 0).length
  late.resolve()
  const { count } = await ended
  expect(count).toBe(CHUNKS)
  expect(rows.filter(({ byteLength }) => byteLength > 0)).toEqual([])
  await growing?.place(path(`${name}.csv`), { folder, overwrite: false })
  return inMemory
}

it("16 parts that wait for an earlier one stay in memory, and none if results are written at the end", async () => {
  expect(await partsInMemory("growing", (folder) => new GrowingResults(folder, ""))).toBe(MAX_IN_MEMORY)
  expect(await partsInMemory("apart", () => undefined)).toBe(0)
})
