/** Threads that compute chunks, one for each processor that this process may use. */
import { availableParallelism } from "node:os"
import { Effect, type Scope } from "effect"
import { Piscina } from "piscina"
import type { Chunk, ChunkResult, Portfolio } from "./chunk.ts"
import { computeWorker, type Task } from "./computeWorker.ts"
import { type PortfolioProblem, problem } from "./input/input.ts"

/** Whoever computes the chunks of a run: threads here, or runners elsewhere. */
export interface Computers {
  /** Chunks that are worth handing out at the same time. */
  readonly atOnce: number
  readonly compute: (chunk: Chunk) => Effect.Effect<ChunkResult, PortfolioProblem>
}

/** More than there are threads, so that none waits for what the main thread writes. */
const AHEAD = 2

const failed = (cause: unknown) => problem(`A thread that computes has ended: ${String(cause)}`)

export const threads =
  (wanted?: number) =>
  (portfolio: Portfolio): Effect.Effect<Computers, never, Scope.Scope> =>
    Effect.gen(function* () {
      const maxThreads = wanted ?? availableParallelism()
      const pool = yield* Effect.acquireRelease(
        Effect.sync(
          () => new Piscina<Task, ChunkResult>({ filename: computeWorker, minThreads: maxThreads, maxThreads })
        ),
        (opened) => Effect.promise(() => opened.destroy())
      )
      return {
        atOnce: maxThreads + AHEAD,
        compute: (chunk) =>
          Effect.tryPromise({ try: (signal) => pool.run({ portfolio, chunk }, { signal }), catch: failed })
      }
    })
