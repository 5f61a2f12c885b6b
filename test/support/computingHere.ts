/**
 * A worker that computes the chunks of a portfolio in the test's own thread, because worker threads
 * take longer to start than the test's work.
 */
import { Effect } from "effect"
import { type Chunk, computeChunk } from "../../src/portfolio/compute/chunk.ts"
import type { Computers } from "../../src/portfolio/compute/computers.ts"
import type { ChunkResult, Portfolio } from "../../src/portfolio/results/portfolio.ts"

/** `before` runs before each chunk, and `after` with its result, again if it is computed again. */
export const computingHere =
  (before: (index: number) => void = () => {}, after: (index: number, result: ChunkResult) => void = () => {}) =>
  (portfolio: Portfolio) =>
    Effect.succeed<Computers>({
      atOnce: 2,
      compute: (chunk: Chunk) =>
        Effect.sync(() => {
          before(chunk.index)
          const result = computeChunk(portfolio, chunk)
          after(chunk.index, result)
          return result
        })
    })
