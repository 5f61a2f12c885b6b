/** `repay portfolio worker` without the command line: computes the chunks that runs have sent, until it is stopped. */
import { Effect, Layer, type Redacted, References, Schedule, Semaphore } from "effect"
import { AHEAD, threadPool } from "../computers.ts"
import { chunkEntity, packResult, unpackTask } from "./chunkEntity.ts"
import { workerSharding } from "./sharding.ts"
import { meetingPlace, sweep } from "./tables.ts"
import { watchWorkers } from "./watch.ts"

const SWEEPS = "1 hour"

/** A database that is away is swept when it is back. */
const sweeping = Effect.repeat(Effect.ignoreCause(sweep), Schedule.spaced(SWEEPS))

/** Chunks that wait for a thread wait packed: no more are unpacked than threads can begin soon. */
const handlers = (release: string, pool: Effect.Success<ReturnType<typeof threadPool>>) => {
  const begun = Semaphore.makeUnsafe(pool.threads + AHEAD)
  const compute = (packed: string) =>
    unpackTask(packed).pipe(
      Effect.flatMap(({ key, task }) => Effect.flatMap(pool.compute(task), (result) => packResult(key, result))),
      Effect.catch(({ lines }) => Effect.die(new Error(lines.join(" ")))),
      begun.withPermits(1)
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

/** It is among the workers itself by then. */
const FIRST_LOOK = "3 seconds"

/** Stopped, it finishes what it has begun if that is soon done; the rest is left to other workers. */
export const portfolioWorker = Effect.fnUntraced(
  function* ({ release, say, threads, url }: WorkerRequest) {
    const pool = yield* threadPool(threads)
    const looking = Effect.delay(watchWorkers({ release, say }), FIRST_LOOK)
    const beside = Layer.effectDiscard(Effect.andThen(Effect.forkScoped(sweeping), Effect.forkScoped(looking)))
    const computing = Layer.merge(handlers(release, pool), beside)
    return yield* Layer.launch(
      computing.pipe(Layer.provide(workerSharding(release, pool.threads)), Layer.provide(meetingPlace({ say, url })))
    )
  },
  Effect.scoped,
  Effect.provideService(References.MinimumLogLevel, "None")
)
