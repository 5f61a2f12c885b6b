/** The worker behind `repay portfolio worker`, which computes chunks of runs until stopped. */
import { Effect, Layer, type Redacted, References, Schedule, Semaphore } from "effect"
import { AHEAD, threadPool } from "../computers.ts"
import { chunkEntity, packResult, unpackTask } from "./chunkEntity.ts"
import { workerSharding } from "./sharding.ts"
import { clusterDatabase, sweep } from "./tables.ts"
import { watchWorkers } from "./watch.ts"

const SWEEP_INTERVAL = "1 hour"

/** Deletes old rows again and again. A failed attempt, as during an outage, is skipped. */
const sweeping = Effect.repeat(Effect.ignoreCause(sweep), Schedule.spaced(SWEEP_INTERVAL))

/** Limits the chunks decompressed at once to the number that threads can start soon. */
const handlers = (release: string, pool: Effect.Success<ReturnType<typeof threadPool>>) => {
  const slots = Semaphore.makeUnsafe(pool.threads + AHEAD)
  const compute = (packed: string) =>
    unpackTask(packed).pipe(
      Effect.flatMap(({ key, task }) => Effect.flatMap(pool.compute(task), (result) => packResult(key, result))),
      Effect.catch(({ lines }) => Effect.die(new Error(lines.join(" ")))),
      slots.withPermits(1)
    )
  return chunkEntity(release).toLayer(
    { compute: ({ payload }) => compute(payload.task) },
    { disableFatalDefects: true }
  )
}

export interface WorkerRequest {
  readonly url: Redacted.Redacted<string>
  readonly release: string
  readonly threads: number | undefined
  readonly say: (line: string) => Effect.Effect<void>
}

/** Delay of the first check of the workers: by then this worker itself is registered. */
const FIRST_CHECK = "3 seconds"

/** A stopped worker finishes chunks that take only seconds and leaves the rest to other workers. */
export const portfolioWorker = Effect.fnUntraced(
  function* ({ release, say, threads, url }: WorkerRequest) {
    const pool = yield* threadPool(threads)
    const watching = Effect.delay(watchWorkers({ release, say }), FIRST_CHECK)
    const background = Layer.effectDiscard(Effect.andThen(Effect.forkScoped(sweeping), Effect.forkScoped(watching)))
    const computing = Layer.merge(handlers(release, pool), background)
    return yield* Layer.launch(
      computing.pipe(Layer.provide(workerSharding(release, pool.threads)), Layer.provide(clusterDatabase({ say, url })))
    )
  },
  Effect.scoped,
  Effect.provideService(References.MinimumLogLevel, "None")
)
