/** The memory of a run, independent of its input files and of chunks that wait for a late one. */
import { readFileSync } from "node:fs"
import { Readable } from "node:stream"
import { Effect, Ref } from "effect"
import { expect, it, vi } from "vitest"
import { computeChunk } from "../../src/portfolio/compute/chunk.ts"
import type { Computers } from "../../src/portfolio/compute/computers.ts"
import { computeChunks, NOTHING_DONE } from "../../src/portfolio/computeChunks.ts"
import { lineStream } from "../../src/portfolio/read/lines.ts"
import { csvFiles } from "../../src/portfolio/read/tables.ts"
import type { ChunkResult } from "../../src/portfolio/results/portfolio.ts"
import { linesOfBorrowers } from "../support/borrowers.ts"
import { csvOf, madeBorrowers, ONE_PLAN, portfolioFolder } from "../support/portfolios.ts"
import { linesOf } from "../support/repay.ts"
import { until } from "../support/until.ts"

const { folder, path, write } = portfolioFolder()

it("many small files need little memory each", async () => {
  const files = Array.from({ length: 200 }, (_, index) => write(`${index}.csv`, csvOf(madeBorrowers(1))))
  const alloc = vi.spyOn(Buffer, "alloc")
  const { chunks } = await Effect.runPromise(csvFiles(files, { separator: undefined, ignore: [] }))
  for await (const _ of chunks());
  const bytes = alloc.mock.calls.reduce((sum, [size]) => sum + size, 0)
  alloc.mockRestore()
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(200 * 150_000)
})

const CHUNKS = 60
/** Limit of chunks whose rows are in memory; those of further chunks are read from disk. */
const MAX_IN_MEMORY = 16

it("16 chunks that wait for an earlier one stay in memory", async () => {
  const late = Promise.withResolvers<void>()
  const rows: Array<ChunkResult["rows"]> = []
  const computers: Computers = {
    atOnce: CHUNKS + 1,
    compute: (chunk) =>
      Effect.promise(async () => {
        if (chunk.index === 0) await late.promise
        const result = computeChunk(ONE_PLAN, chunk)
        rows.push(result.rows)
        return result
      })
  }
  const lines = linesOf(linesOfBorrowers(CHUNKS))
  const input = lineStream("-", Readable.from(lines.map((line) => Buffer.from(`${line}\n`))))
  const computed = Effect.gen(function* () {
    const progress = yield* Ref.make(NOTHING_DONE)
    const { rows: draft } = yield* computeChunks({
      input,
      computers,
      out: path("out.csv"),
      folder,
      format: null,
      carry: [],
      progress
    })
    return readFileSync(draft.path, "utf8")
  })
  const ended = Effect.runPromise(Effect.scoped(computed))
  const inMemory = () => rows.filter(({ byteLength }) => byteLength > 0).length
  await until(async () => rows.length === CHUNKS - 1 && inMemory() <= MAX_IN_MEMORY)
  expect(inMemory()).toBe(MAX_IN_MEMORY)
  late.resolve()
  const ids = linesOf(await ended).map((line) => line.slice(0, line.indexOf(",")))
  expect(ids).toEqual(lines.map((line) => JSON.parse(line).borrowerId))
  expect(inMemory()).toBe(0)
})
