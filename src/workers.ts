/**
 * Several worker processes on one port (WORKERS). The supervisor only starts them, replaces one that dies, and stops
 * them in order. They share nothing but the database, so each counts rate limits alone. Why a worker died is not judged:
 * once the service has been up, nothing that happens to one worker ends the others.
 */
import cluster, { type Worker } from "node:cluster"
import { Data, Deferred, Duration, Effect } from "effect"
import type { Gathering } from "./gathering.ts"

/** A worker that ran for at least this long has lived, and its replacement comes after the shortest pause. */
const LEAST_LIFE = Duration.seconds(10)
/** Before a replacement. The pause doubles while replacements do not live: a database that is away is not hurried. */
const SHORTEST_PAUSE = Duration.millis(100)
const LONGEST_PAUSE = Duration.seconds(5)

const UP = "up"

/** No worker has ever come up. The message is empty where the worker has said why itself. */
export class WorkerFailed extends Data.TaggedError("WorkerFailed")<{ readonly message: string }> {}

/** Whether this process is the one that starts the workers. */
export const isSupervisor = (workers: number): boolean => workers > 1 && cluster.isPrimary

/** Whether this process is one of those that a supervisor has started. */
export const isWorker: boolean = cluster.isWorker

/** Tells the supervisor, where there is one, that this process answers requests. */
export const reportUp: Effect.Effect<void> = Effect.sync(() => cluster.worker?.send(UP))

/** Ends with the worker, with its exit code; null if a signal ended it, or the system gave it no process. */
const exited = (worker: Worker): Effect.Effect<number | null> =>
  Effect.callback((resume) => {
    if (worker.isDead()) return resume(Effect.succeed(worker.process.exitCode))
    worker.once("exit", (code: number | null) => resume(Effect.succeed(code)))
    // Unheard, this event would end the supervisor and so all the others.
    worker.on("error", () => resume(Effect.succeed(null)))
  })

const stop = (worker: Worker): Effect.Effect<unknown> =>
  Effect.andThen(
    Effect.sync(() => worker.process.kill("SIGTERM")),
    exited(worker)
  )

const fork = Effect.try({
  try: () => cluster.fork(),
  catch: (cause) => (cause instanceof Error ? cause.message : String(cause))
})

/** The places of the workers, and what they are asked. */
interface Group {
  readonly gathering: Gathering
  /** Done when the first worker answers requests. */
  readonly up: Deferred.Deferred<void>
}

/** Starts the worker of a place, which joins the others when it answers requests, and ends with it. */
const runOne = ({ gathering, up }: Group, place: number): Effect.Effect<number | null> =>
  Effect.acquireUseRelease(
    fork,
    (worker) => {
      worker.on("message", (message) => {
        if (message !== UP) return
        gathering.join(worker, place)
        Deferred.doneUnsafe(up, Effect.void)
      })
      return Effect.tap(exited(worker), () => gathering.leave(worker))
    },
    (worker) => (worker.isDead() ? Effect.void : stop(worker))
  ).pipe(Effect.catch((reason) => Effect.as(Effect.logError(`The system starts no worker process: ${reason}`), null)))

const firstStartFailed = (code: number | null) =>
  new WorkerFailed({
    message: code === null || code === 0 ? "The first worker was ended while it started; start the service again" : ""
  })

/** Keeps one worker running: replaces it whenever it dies, unless none has ever come up. */
const keepOne = Effect.fnUntraced(function* (group: Group, place: number) {
  let pause = SHORTEST_PAUSE
  for (;;) {
    const [life, code] = yield* Effect.timed(runOne(group, place))
    if (!Deferred.isDoneUnsafe(group.up)) return yield* firstStartFailed(code)
    if (Duration.isGreaterThanOrEqualTo(life, LEAST_LIFE)) pause = SHORTEST_PAUSE
    yield* Effect.logWarning(`A worker stopped and is replaced in ${Duration.format(pause)}`)
    yield* Effect.sleep(pause)
    pause = Duration.min(Duration.times(pause, 2), LONGEST_PAUSE)
  }
})

/** The first worker starts alone: it shows whether the service can start at all, and why not is said once. */
export const supervise = Effect.fnUntraced(function* (
  workers: number,
  gathering: Gathering
): Effect.fn.Return<never, WorkerFailed> {
  const group: Group = { gathering, up: yield* Deferred.make<void>() }
  const others = Effect.all(
    Array.from({ length: workers - 1 }, (_, index) => keepOne(group, index + 2)),
    { concurrency: "unbounded", discard: true }
  )
  yield* Effect.all([keepOne(group, 1), Effect.andThen(Deferred.await(group.up), others)], { concurrency: "unbounded" })
  return yield* Effect.never
})
