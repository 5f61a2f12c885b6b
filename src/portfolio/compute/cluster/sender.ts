/**
 * The other side of the workers: sends the chunks of a run, and has each back once. What was sent stays in the database
 * until its part is written, so a run that was killed and is asked for again finds what was done meanwhile.
 */
import { Effect, Exit, Layer, type Redacted, References } from "effect"
import { EntityAddress, EntityId, EntityType, MessageStorage, Sharding } from "effect/cluster"
import { fromPromise, type PortfolioProblem, problem } from "../../read/problem.ts"
import type { ChunkResult, Portfolio } from "../../results/portfolio.ts"
import type { Parts } from "../../store/parts.ts"
import type { Chunk } from "../chunk.ts"
import type { Computers, ComputersOf } from "../computers.ts"
import { chunkEntity, packTask, TYPE, unpackResult } from "./chunkEntity.ts"
import { runSharding } from "./sharding.ts"
import { Shares } from "./shares.ts"
import { forgetRun, meetingPlace, sentOf, sweep } from "./tables.ts"
import { watchWorkers } from "./watch.ts"

/** Enough for some thirty threads, and some two hundred megabytes. */
const ON_THE_WAY = 64
/** Sent chunks for each thread, where it is known how many there are. */
const EACH_THREAD = 2

/** A chunk that has no result after this time is sent again: who has it is not disturbed, and one that was lost is not. */
const SENT_AGAIN = "1 minute"
const PAUSE = "1 second"
/** How often a chunk is begun anew that a worker could not compute. */
const TRIES = 3

export interface SenderRequest {
  readonly url: Redacted.Redacted<string>
  readonly release: string
  /** That all workers have together, where it is known. */
  readonly threads: number | undefined
  readonly say: (line: string) => Effect.Effect<void>
}

/** Which chunk an entity `<run>.<chunk>.<number>` is of. */
const indexOf = (name: string): number => Number(name.split(".")[1])

/** What entities the chunks of a run are: those of an earlier start of it stay what they were. */
const makeEntities = Effect.fnUntraced(function* (release: string, run: string, say: SenderRequest["say"]) {
  const sharding = yield* Sharding.Sharding
  const shardOf = (name: string) => sharding.getShardId(EntityId.make(name), release)
  const names = new Map((yield* sentOf(run)).map((name) => [indexOf(name), name]))
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
    onTheWay: <A, E>(name: string, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
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
  const { addressOf, nameOf, onTheWay } = yield* makeEntities(request.release, run, request.say)
  const forget = (index: number) => Effect.ignore(storage.clearAddress(addressOf(nameOf(index))))

  /** Until there is a result, whatever becomes of workers and database meanwhile. */
  const sent = Effect.fnUntraced(function* (chunk: Chunk) {
    const message = yield* packTask({ portfolio, chunk })
    const name = nameOf(chunk.index)
    const claimedByNobody = Effect.ignore(storage.resetAddress(addressOf(name)))
    const result = client(name)
      .compute(message)
      .pipe(
        Effect.timeout(SENT_AGAIN),
        Effect.tapError(() => Effect.andThen(claimedByNobody, Effect.sleep(PAUSE))),
        Effect.eventually
      )
    return yield* unpackResult(message.key, yield* onTheWay(name, result))
  })

  const compute = (chunk: Chunk, tries = TRIES): Effect.Effect<ChunkResult, PortfolioProblem> =>
    sent(chunk).pipe(
      Effect.catchDefect((defect) => {
        const failed = Effect.fail(
          problem(`A worker could not compute a chunk: ${defect instanceof Error ? defect.message : String(defect)}`)
        )
        return Effect.andThen(forget(chunk.index), tries > 1 ? compute(chunk, tries - 1) : failed)
      })
    )
  return { compute, written: forget }
})

/** What goes wrong with workers and database is told by the watcher, in a line. */
const begin = Effect.fnUntraced(
  function* (request: SenderRequest, portfolio: Portfolio, parts: Parts) {
    const run = yield* fromPromise(() => parts.runName())
    const services = yield* Layer.build(Layer.provideMerge(runSharding(request.release), meetingPlace(request)))
    yield* Effect.provideContext(Effect.ignore(sweep), services)
    const computers: Computers = {
      atOnce: request.threads === undefined ? ON_THE_WAY : request.threads * EACH_THREAD,
      ...(yield* Effect.provideContext(makeSender(request, run, portfolio), services))
    }
    yield* Effect.addFinalizer((exit) =>
      Exit.isSuccess(exit) ? Effect.ignore(Effect.provideContext(forgetRun(run), services)) : Effect.void
    )
    return computers
  },
  Effect.provideService(References.MinimumLogLevel, "None")
)

const problemOf = (error: { readonly message: string }) => Effect.fail(problem(error.message))

/** Workers elsewhere as the computers of a run. What is left of a run that has ended well is deleted with it. */
export const workersElsewhere =
  (request: SenderRequest): ComputersOf =>
  (portfolio, parts) =>
    begin(request, portfolio, parts).pipe(Effect.catchTags({ DatabaseStartError: problemOf, SqlError: problemOf }))
