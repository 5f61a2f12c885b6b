/**
 * Group commit: items of one key that arrive while an earlier batch of the key is being committed wait in its queue and
 * are then committed together. A lone caller waits for nobody. What a commit does and how it fails is not known here.
 */
import { Deferred, Effect, type Result } from "effect"
import { withDeadline } from "../../database/deadline.ts"

const MAX_BATCH = 128
/** Most items that wait for one key. */
const MAX_QUEUE = 1024

export interface GroupCommit<Item, Answer, Failure> {
  /**
   * Commits items of one key in the order of their arrival and returns a result for each. It must end in time by itself:
   * the first caller, whose item is committed alone and at once, has no other deadline. One that goes through the batch
   * step by step asks before each step whether the caller has given up.
   */
  readonly commit: (
    batch: ReadonlyArray<Item>,
    isAbandoned: (index: number) => boolean
  ) => Effect.Effect<ReadonlyArray<Result.Result<Answer, Failure>>>
  /** Whether a batch failed for a reason that holds for the whole queue behind it, which then fails at once. */
  readonly isOutage: (results: ReadonlyArray<Result.Result<Answer, Failure>>) => boolean
  /** Whether `next` may be in one batch with `first`. */
  readonly isSameBatch: (first: Item, next: Item) => boolean
  /** From the arrival of a caller that has to queue to its answer: several batches may be committed before its own. */
  readonly deadlineMilliseconds: number
  /** The failure of a caller whose deadline has passed, or whose queue is full. */
  readonly unavailable: () => Failure
}

interface Queued<Item, Answer, Failure> {
  readonly item: Item
  readonly answer: Deferred.Deferred<Answer, Failure>
  /** Its caller's deadline has passed, so it must not be committed any more. */
  isAbandoned: boolean
}

type Queue<Item, Answer, Failure> = Array<Queued<Item, Answer, Failure>>

/** Takes the next batch off the queue, without the abandoned items. */
const takeBatch = <Item, Answer, Failure>(
  queue: Queue<Item, Answer, Failure>,
  isSameBatch: (first: Item, next: Item) => boolean
): ReadonlyArray<Queued<Item, Answer, Failure>> => {
  const batch: Queue<Item, Answer, Failure> = []
  let taken = 0
  for (const queued of queue) {
    const first = batch[0]
    if (batch.length === MAX_BATCH || (first !== undefined && !isSameBatch(first.item, queued.item))) break
    taken++
    if (!queued.isAbandoned) batch.push(queued)
  }
  queue.splice(0, taken)
  return batch
}

/** Returns how one item of a key is committed: alone, or in a batch with others of the key. */
export const makeGroupCommit = <Item, Answer, Failure>(options: GroupCommit<Item, Answer, Failure>) => {
  const queues = new Map<string, Queue<Item, Answer, Failure>>()

  const failAll = (queued: ReadonlyArray<Queued<Item, Answer, Failure>>) => {
    for (const { answer } of queued) Deferred.doneUnsafe(answer, Effect.fail(options.unavailable()))
  }

  /**
   * Drains one key's queue in a detached fiber, so interrupting one caller never cancels the batch. Finding the queue
   * empty and removing it are one step, so nobody can join a queue that is no longer drained.
   */
  const drain = (key: string, queue: Queue<Item, Answer, Failure>) => {
    let batch: ReadonlyArray<Queued<Item, Answer, Failure>> = []
    return Effect.gen(function* () {
      while (true) {
        batch = takeBatch(queue, options.isSameBatch)
        if (batch.length > 0) {
          const results = yield* options.commit(
            batch.map(({ item }) => item),
            (index) => batch[index]!.isAbandoned
          )
          for (const [index, { answer }] of batch.entries())
            Deferred.doneUnsafe(answer, Effect.fromResult(results[index]!))
          if (options.isOutage(results)) failAll(queue.splice(0))
        } else if (queue.length === 0) {
          queues.delete(key)
          return
        }
      }
    }).pipe(
      // A commit never fails; should one end in a defect, nobody waits for an answer that does not come.
      Effect.onError(() =>
        Effect.sync(() => {
          queues.delete(key)
          failAll([...batch, ...queue.splice(0)])
        })
      )
    )
  }

  const queuedAnswer = (queued: Queued<Item, Answer, Failure>): Effect.Effect<Answer, Failure> =>
    withDeadline(Deferred.await(queued.answer), options.deadlineMilliseconds, () => {
      queued.isAbandoned = true
      return options.unavailable()
    })

  const commit = (key: string, item: Item): Effect.Effect<Answer, Failure> =>
    Effect.suspend(() => {
      const queued = { item, answer: Deferred.makeUnsafe<Answer, Failure>(), isAbandoned: false }
      const queue = queues.get(key)
      if (queue !== undefined) {
        if (queue.length >= MAX_QUEUE) return Effect.fail(options.unavailable())
        queue.push(queued)
        return queuedAnswer(queued)
      }
      const fresh = [queued]
      queues.set(key, fresh)
      return Effect.andThen(
        Effect.forkDetach(drain(key, fresh), { startImmediately: true }),
        Deferred.await(queued.answer)
      )
    })
  /** Whether items of the key are being committed, or wait. */
  const isBusy = (key: string): boolean => queues.has(key)
  return { commit, isBusy }
}
