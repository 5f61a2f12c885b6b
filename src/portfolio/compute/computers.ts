/**
 * The interface `Computers`, which computes the chunks of a run, and its implementation as a pool
 * of threads on this machine.
 */
import { availableParallelism } from "node:os"
import type { Worker } from "node:worker_threads"
import { Context, Effect, type Scope } from "effect"
import { Piscina } from "piscina"
import { type PortfolioProblem, problem } from "../read/problem.ts"
import type { ChunkResult, Portfolio } from "../results/portfolio.ts"
import type { Chunk } from "./chunk.ts"
import { computeWorker, type Task } from "./computeWorker.ts"

/** Computes the chunks of a run, with local threads or with workers on other machines. */
export interface Computers {
  /** The number of chunks to have in flight. */
  readonly atOnce: number
  readonly compute: (chunk: Chunk) => Effect.Effect<ChunkResult, PortfolioProblem>
}

/** Makes the `Computers` of a run, which live as long as the scope. */
export type ComputersOf = (portfolio: Portfolio) => Effect.Effect<Computers, PortfolioProblem, Scope.Scope>

/** Chunks per thread: the current one and the next. */
const CHUNKS_PER_THREAD = 2

/** Extra chunks in flight, so that no thread waits while the main thread writes. */
export const AHEAD = 2

/**
 * The rows of a chunk are a few MB and live until it is done. A larger young generation of V8's
 * heap avoids garbage collections.
 */
const YOUNG_MEGABYTES = 64

const failed = (cause: unknown) => problem(`A thread that computes has ended: ${String(cause)}`)

/**
 * Waits until a thread has started or exited. Its first message says that it has loaded its
 * modules. Node aborts the process (code 134) if a thread is stopped while it loads modules.
 */
const started = (thread: Worker): Promise<void> =>
  new Promise((resolve) => {
    thread.once("message", resolve)
    thread.once("exit", resolve)
  })

/**
 * Thread pool that lives as long as the scope. Its end waits for all running chunks, and for threads
 * that are still starting. A stopped thread may have posted a result already, and Piscina throws on
 * a result that it does not expect.
 */
export const threadPool = Effect.fnUntraced(function* (threadCount?: number) {
  const maxThreads = threadCount ?? availableParallelism()
  const running = new Set<Promise<ChunkResult>>()
  const { pool } = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const piscina = new Piscina<Task, ChunkResult>({
        filename: computeWorker,
        minThreads: maxThreads,
        maxThreads,
        concurrentTasksPerWorker: CHUNKS_PER_THREAD,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES }
      })
      return { pool: piscina, starting: piscina.threads.map(started) }
    }),
    ({ pool: piscina, starting }) =>
      Effect.promise(() => Promise.allSettled([...running, ...starting]).then(() => piscina.destroy()))
  )
  const run = (task: Task): Promise<ChunkResult> => {
    const result = pool.run(task, { transferList: [task.chunk.lines.buffer] }).finally(() => running.delete(result))
    running.add(result)
    return result
  }
  const compute = (task: Task) => Effect.tryPromise({ try: () => run(task), catch: failed })
  return { threads: maxThreads, compute }
})

const threads =
  (threadCount?: number) =>
  (portfolio: Portfolio): Effect.Effect<Computers, never, Scope.Scope> =>
    Effect.map(threadPool(threadCount), (pool) => ({
      atOnce: CHUNKS_PER_THREAD * pool.threads + AHEAD,
      compute: (chunk) => pool.compute({ portfolio, chunk })
    }))

/** Makes the threads that compute on this machine. A reference, so that tests can replace them. */
export const Computing = Context.Reference<typeof threads>("repayment-of-record/Computing", {
  defaultValue: () => threads
})
