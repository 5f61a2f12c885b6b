/** Threads that compute chunks, one for each processor that this process may use. */
import { availableParallelism } from "node:os"
import { Context, Effect, type Scope } from "effect"
import { Piscina } from "piscina"
import { type PortfolioProblem, problem } from "../read/problem.ts"
import type { ChunkResult, Portfolio } from "../results/portfolio.ts"
import type { Parts } from "../store/parts.ts"
import type { Chunk } from "./chunk.ts"
import { computeWorker, type Task } from "./computeWorker.ts"

/** Whoever computes the chunks of a run: threads here, or workers on other machines. */
export interface Computers {
  /** Chunks that are worth handing out at the same time. */
  readonly atOnce: number
  readonly compute: (chunk: Chunk) => Effect.Effect<ChunkResult, PortfolioProblem>
  /** Told when the part of a chunk is on the disk: whoever computed it may forget it. */
  readonly written: (index: number) => Effect.Effect<void>
}

/** Who computes a run whose parts are kept there, for as long as the scope lasts. */
export type ComputersOf = (
  portfolio: Portfolio,
  parts: Parts
) => Effect.Effect<Computers, PortfolioProblem, Scope.Scope>

/** Chunks of a thread: the one that it computes, and the next. */
const EACH = 2

/** More than the threads have, so that none waits for what the main thread writes. */
export const AHEAD = 2

/** Rows live as long as their chunk, a few megabytes: with more room for the young they are not collected again and again. */
const YOUNG_MEGABYTES = 64

const failed = (cause: unknown) => problem(`A thread that computes has ended: ${String(cause)}`)

/**
 * Threads for chunks of any portfolio, until the scope ends. What one has begun it ends, also where nobody waits any more: a
 * thread that is stopped may have sent its result already, and piscina throws where it expects none.
 */
export const threadPool = Effect.fnUntraced(function* (wanted?: number) {
  const maxThreads = wanted ?? availableParallelism()
  const begun = new Set<Promise<ChunkResult>>()
  const pool = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new Piscina<Task, ChunkResult>({
          filename: computeWorker,
          minThreads: maxThreads,
          maxThreads,
          concurrentTasksPerWorker: EACH,
          resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES }
        })
    ),
    (opened) => Effect.promise(() => Promise.allSettled(begun).then(() => opened.destroy()))
  )
  const run = (task: Task): Promise<ChunkResult> => {
    const result = pool.run(task, { transferList: [task.chunk.lines.buffer] }).finally(() => begun.delete(result))
    begun.add(result)
    return result
  }
  const compute = (task: Task) => Effect.tryPromise({ try: () => run(task), catch: failed })
  return { threads: maxThreads, compute }
})

const threads =
  (wanted?: number) =>
  (portfolio: Portfolio): Effect.Effect<Computers, never, Scope.Scope> =>
    Effect.map(threadPool(wanted), (pool) => ({
      atOnce: EACH * pool.threads + AHEAD,
      compute: (chunk) => pool.compute({ portfolio, chunk }),
      written: () => Effect.void
    }))

/** Who computes on this machine: as many threads as are wanted. */
export const Computing = Context.Reference<typeof threads>("repayment-of-record/Computing", {
  defaultValue: () => threads
})
