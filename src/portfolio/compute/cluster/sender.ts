/** The sender of a run's chunks to workers; it receives each result once, and deletes the message. */
import { randomUUID } from "node:crypto"
import { Effect, Layer, type Redacted, References } from "effect"
import { EntityAddress, EntityId, EntityType, MessageStorage, Sharding } from "effect/cluster"
import { type PortfolioProblem, problem } from "../../read/problem.ts"
import type { ChunkResult, Portfolio } from "../../results/portfolio.ts"
import type { Chunk } from "../chunk.ts"
import type { Computers, ComputersOf } from "../computers.ts"
import { chunkEntity, packTask, TYPE, unpackResult } from "./chunkEntity.ts"
import { runSharding } from "./sharding.ts"
import { Shares } from "./shares.ts"
import { clusterDatabase, deleteRun, sweep } from "./tables.ts"
import { watchWorkers } from "./watch.ts"

/** Chunks in flight if the number of threads is unknown: enough for 30 threads, some 200 MB. */
const MAX_IN_FLIGHT = 64
/** Chunks in flight per thread, if the number of threads is known. */
const CHUNKS_PER_THREAD = 2

/**
 * A chunk without a result after this time is sent again, in case it was lost. A worker that is
 * computing it is not disturbed.
 */
const RESEND_AFTER = "1 minute"
const PAUSE = "1 second"
/** Attempts for a chunk that a worker fails to compute. */
const TRIES = 3

export interface SenderRequest {
  readonly url: Redacted.Redacted<string>
  readonly release: string
  /** Threads of all workers together, if known. */
  readonly threads: number | undefined
  readonly say: (line: string) => Effect.Effect<void>
}

/** Maps chunks to cluster entities, each with a name of its own: `<run>.<chunk>.<number>`. */
const makeEntities = Effect.fnUntraced(function* (release: string, run: string, say: SenderRequest["say"]) {
  const sharding = yield* Sharding.Sharding
  const shardOf = (name: string) => sharding.getShardId(EntityId.make(name), release)
  const names = new Map<number, string>()
  const shares = new Shares((name) => shardOf(name).id)
  yield* watchWorkers({ release, say, found: (workers) => shares.set(workers) })
  return {
    nameOf: (index: number): string => {
      const name = names.get(index) ?? shares.name(`${run}.${index}.`)
      names.set(index, name)
      return name
    },
    addressOf: (name: string) =>
      new EntityAddress.EntityAddress({
        entityType: EntityType.make(TYPE),
        entityId: EntityId.make(name),
        shardId: shardOf(name)
      }),
    inFlight: <A, E>(name: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      Effect.acquireUseRelease(
        Effect.sync(() => shares.begin(name)),
        () => effect,
        (end) => Effect.sync(end)
      )
  }
})

const makeSender = Effect.fnUntraced(function* (request: SenderRequest, run: string, portfolio: Portfolio) {
  const storage = yield* MessageStorage.MessageStorage
  const client = yield* chunkEntity(request.release).client
  const { addressOf, nameOf, inFlight } = yield* makeEntities(request.release, run, request.say)
  const forget = (index: number) => Effect.ignore(storage.clearAddress(addressOf(nameOf(index))))

  /** Retries until there is a result, whatever happens to workers or the database. */
  const resultOf = Effect.fnUntraced(function* (chunk: Chunk) {
    const message = yield* packTask({ portfolio, chunk })
    const name = nameOf(chunk.index)
    const releaseClaim = Effect.ignore(storage.resetAddress(addressOf(name)))
    const result = client(name)
      .compute(message)
      .pipe(
        Effect.timeout(RESEND_AFTER),
        Effect.tapError(() => Effect.andThen(releaseClaim, Effect.sleep(PAUSE))),
        Effect.eventually
      )
    const unpacked = yield* unpackResult(message.key, yield* inFlight(name, result))
    yield* forget(chunk.index)
    return unpacked
  })

  const compute = (chunk: Chunk, tries = TRIES): Effect.Effect<ChunkResult, PortfolioProblem> =>
    resultOf(chunk).pipe(
      Effect.catchDefect((defect) => {
        const failure = Effect.fail(
          problem(`A worker could not compute a chunk: ${defect instanceof Error ? defect.message : String(defect)}`)
        )
        return Effect.andThen(forget(chunk.index), tries > 1 ? compute(chunk, tries - 1) : failure)
      })
    )
  return compute
})

const begin = Effect.fnUntraced(function* (request: SenderRequest, portfolio: Portfolio) {
  const run = randomUUID()
  const services = yield* Layer.build(Layer.provideMerge(runSharding(request.release), clusterDatabase(request)))
  yield* Effect.provideContext(Effect.ignore(sweep), services)
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.provideContext(deleteRun(run), services)))
  const computers: Computers = {
    atOnce: request.threads === undefined ? MAX_IN_FLIGHT : request.threads * CHUNKS_PER_THREAD,
    compute: yield* Effect.provideContext(makeSender(request, run, portfolio), services)
  }
  return computers
})

/**
 * `Computers` that are workers on other machines. A run that ends deletes its messages. Logging is
 * off, because the watcher reports trouble with workers and the database in one line.
 */
export const workersElsewhere =
  (request: SenderRequest): ComputersOf =>
  (portfolio) =>
    begin(request, portfolio).pipe(
      Effect.catchTag("DatabaseStartError", ({ message }) => Effect.fail(problem(message))),
      Effect.provideService(References.MinimumLogLevel, "None")
    )
