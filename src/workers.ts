/**
 * Several worker processes on one port (WORKERS). The supervisor only starts them, replaces one that dies, and stops
 * them in order. They share nothing but the database, so each counts rate limits alone.
 */
import cluster, { type Worker } from "node:cluster"
import { Data, Duration, Effect } from "effect"

/** A worker that dies sooner than this after its start is not replaced. */
const LEAST_LIFE_MILLIS = 5_000

export class WorkerFailed extends Data.TaggedError("WorkerFailed")<{ readonly message: string }> {}

/** Whether this process is the one that starts the workers. */
export const isSupervisor = (workers: number): boolean => workers > 1 && cluster.isPrimary

const exited = (worker: Worker): Effect.Effect<void> =>
  Effect.callback((resume) => {
    if (worker.isDead()) return resume(Effect.void)
    worker.once("exit", () => resume(Effect.void))
  })

const stop = (worker: Worker): Effect.Effect<void> =>
  Effect.andThen(
    Effect.sync(() => worker.process.kill("SIGTERM")),
    exited(worker)
  )

/** Keeps one worker running: replaces it when it dies, unless it died right after its start. */
const keepOne = Effect.gen(function* () {
  for (;;) {
    const [life] = yield* Effect.timed(
      Effect.acquireUseRelease(
        Effect.sync(() => cluster.fork()),
        exited,
        (worker) => (worker.isDead() ? Effect.void : stop(worker))
      )
    )
    if (Duration.toMillis(life) < LEAST_LIFE_MILLIS) {
      return yield* new WorkerFailed({ message: "A worker stopped right after its start; its own message says why." })
    }
    yield* Effect.logWarning("A worker stopped and is replaced")
  }
})

export const supervise = (workers: number): Effect.Effect<never, WorkerFailed> =>
  Effect.all(
    Array.from({ length: workers }, () => keepOne),
    { concurrency: "unbounded", discard: true }
  ).pipe(Effect.andThen(Effect.never))
