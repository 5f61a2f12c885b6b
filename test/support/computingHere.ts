/** Computes portfolios in the thread of the test: a thread of their own takes longer to start than they take. */
import { Effect } from "effect"
import { type Chunk, computeChunk } from "../../src/portfolio/compute/chunk.ts"
import type { Computers } from "../../src/portfolio/compute/computers.ts"
import type { Portfolio } from "../../src/portfolio/results/portfolio.ts"

/** `before` is called before each chunk is computed. */
export const computingHere =
  (before: (index: number) => void = () => {}) =>
  (portfolio: Portfolio) =>
    Effect.succeed<Computers>({
      atOnce: 2,
      compute: (chunk: Chunk) =>
        Effect.sync(() => {
          before(chunk.index)
          return computeChunk(portfolio, chunk)
        }),
      written: () => Effect.void
    })
