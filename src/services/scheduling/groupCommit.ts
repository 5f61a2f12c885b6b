/**
 * Group commit: items of one key that arrive while an earlier batch of the key is being committed
 * wait and are then committed together. A lone caller waits for nothing, and a batch that takes too
 * long does not block the next. Its options define the commit and its failures.
 */
import { Effect, Metric, References, type Result } from "effect"

const MAX_BATCH = 128
/** Items that may wait for one key. */
const MAX_QUEUE = 1024
/** Batches of one key that may be committing at once; all but one must be overdue. */
const MAX_DRAINS = 8

const batchSize = Metric.histogram("group_commit_batch_size", {
  description:
    "Operations sent to the database together, by work; mostly 1 means that callers do not wait for each other.",
  boundaries: [1, 2, 4, 8, 16, 32, 64, 128]
})

interface GroupCommit<Item, Answer, Failure, Needs> {
  /** The name under which its batches are measured. */
  readonly work: string
  /**
   * Commits items of one key in the order of their arrival and returns a result for each. It must
   * end in time by itself, because the first caller, whose item is committed alone and at once, has
   * no other deadline. A commit that works step by step checks before each step whether the caller
   * has given up.
   */
  readonly commit: (
    batch: ReadonlyArray<Item>,
    isAbandoned: (index: number) => boolean
  ) => Effect.Effect<ReadonlyArray<Result.Result<Answer, Failure>>, never, Needs>
  /** Whether the failure of a batch affects the queue behind it, which then fails as well. */
  readonly isOutage: (results: ReadonlyArray<Result.Result<Answer, Failure>>) => boolean
  /** Whether `next` may be in one batch with `first`. */
  readonly isSameBatch: (first: Item, next: Item) => boolean
  /** From a queued caller's arrival to its answer; several batches may be committed in between. */
  readonly deadlineMilliseconds: number
  /** The time that the next batch waits for the current one; unlimited if it is missing. */
  readonly patienceMilliseconds?: number
  /** The failure of a caller whose deadline has passed or whose queue is full. */
  readonly unavailable: () => Failure
}

interface Queued<Item, Answer, Failure> {
  readonly item: Item
  /** The annotations of its caller's log lines, such as the request id. */
  readonly annotations: Readonly<Record<string, unknown>>
  /** Resumes its caller. */
  done: (answer: Effect.Effect<Answer, Failure>) => void
  /** Its caller's deadline has passed, so it must not be committed any more. */
  isAbandoned: boolean
}

type Items<Item, Answer, Failure> = Array<Queued<Item, Answer, Failure>>

interface Queue<Item, Answer, Failure> {
  readonly waiting: Items<Item, Answer, Failure>
  /** Fibers that drain this queue, each committing one batch at a time. */
  drains: number
  /** The number of fibers that are committing a batch that takes too long. */
  overdue: number
}

/** Takes the next batch off the queue, without the abandoned items. */
const takeBatch = <Item, Answer, Failure>(
  waiting: Items<Item, Answer, Failure>,
  isSameBatch: (first: Item, next: Item) => boolean
): ReadonlyArray<Queued<Item, Answer, Failure>> => {
  const batch: Items<Item, Answer, Failure> = []
  let taken = 0
  for (const queued of waiting) {
    const first = batch[0]
    if (batch.length === MAX_BATCH || (first !== undefined && !isSameBatch(first.item, queued.item))) break
    taken++
    if (!queued.isAbandoned) batch.push(queued)
  }
  waiting.splice(0, taken)
  return batch
}

const make = <Item, Answer, Failure, Needs>(
  options: GroupCommit<Item, Answer, Failure, Needs>,
  sizes: Metric.Metric<number, unknown>,
  run: (drain: Effect.Effect<void, never, Needs>) => unknown
) => {
  const queues = new Map<string, Queue<Item, Answer, Failure>>()

  const failAll = (queued: ReadonlyArray<Queued<Item, Answer, Failure>>) => {
    for (const { done } of queued) done(Effect.fail(options.unavailable()))
  }

  const mayDrain = ({ drains, overdue }: Queue<Item, Answer, Failure>): boolean =>
    drains === overdue && drains < MAX_DRAINS

  /** Commits one batch. If it takes too long, the waiting items overtake it. */
  const commitBatch = Effect.fnUntraced(function* (
    key: string,
    queue: Queue<Item, Answer, Failure>,
    batch: ReadonlyArray<Queued<Item, Answer, Failure>>
  ) {
    yield* Metric.update(sizes, batch.length)
    let isOverdue = false
    const timer =
      options.patienceMilliseconds === undefined
        ? undefined
        : setTimeout(() => {
            isOverdue = true
            queue.overdue++
            if (queue.waiting.length > 0 && mayDrain(queue)) run(drain(key, queue))
          }, options.patienceMilliseconds)
    const results = yield* options
      .commit(
        batch.map(({ item }) => item),
        (index) => batch[index]!.isAbandoned
      )
      // Its log lines belong to several requests, and name the first.
      .pipe(Effect.provideService(References.CurrentLogAnnotations, batch[0]!.annotations))
      // A commit never fails. If it ends in a defect, all callers fail instead of waiting forever.
      .pipe(Effect.onError(() => Effect.sync(() => failAll([...batch, ...queue.waiting.splice(0)]))))
      .pipe(
        Effect.ensuring(
          Effect.sync(() => {
            clearTimeout(timer)
            if (isOverdue) queue.overdue--
          })
        )
      )
    for (const [index, { done }] of batch.entries()) done(Effect.fromResult(results[index]!))
    // Items behind an overtaken batch do not depend on its outcome.
    if (!isOverdue && options.isOutage(results)) failAll(queue.waiting.splice(0))
  })

  /**
   * Drains one key's queue in its own fiber, so interrupting a caller never cancels a batch. The
   * check for an empty queue and leaving are one synchronous step, so no item joins a queue that is
   * no longer drained. A drain that was overtaken during its batch leaves the rest to the other
   * drain.
   */
  const drain = (key: string, queue: Queue<Item, Answer, Failure>): Effect.Effect<void, never, Needs> => {
    queue.drains++
    const leave = () => {
      queue.drains--
      if (queue.drains === 0) queues.delete(key)
    }
    const work = Effect.gen(function* () {
      while (queue.waiting.length > 0 && queue.drains - queue.overdue === 1) {
        const batch = takeBatch(queue.waiting, options.isSameBatch)
        if (batch.length > 0) yield* commitBatch(key, queue, batch)
      }
      leave()
    })
    return Effect.onError(work, () => Effect.sync(leave))
  }

  const commit = (key: string, item: Item): Effect.Effect<Answer, Failure> =>
    Effect.flatMap(References.CurrentLogAnnotations, (annotations) => enqueue(key, item, annotations))

  const enqueue = (
    key: string,
    item: Item,
    annotations: Readonly<Record<string, unknown>>
  ): Effect.Effect<Answer, Failure> =>
    Effect.callback((resume) => {
      const queue = queues.get(key) ?? { waiting: [], drains: 0, overdue: 0 }
      if (queue.waiting.length >= MAX_QUEUE) return resume(Effect.fail(options.unavailable()))
      queues.set(key, queue)
      const queued: Queued<Item, Answer, Failure> = { item, annotations, done: resume, isAbandoned: false }
      queue.waiting.push(queued)
      if (mayDrain(queue)) return void run(drain(key, queue))
      const timer = setTimeout(() => {
        queued.isAbandoned = true
        resume(Effect.fail(options.unavailable()))
      }, options.deadlineMilliseconds)
      queued.done = (answer) => {
        clearTimeout(timer)
        resume(answer)
      }
    })
  /** Whether items of the key are being committed or waiting. */
  const isBusy = (key: string): boolean => queues.has(key)
  return { commit, isBusy }
}

/** Creates a group commit. Commits run in the context in which it is created, not in a caller's. */
export const makeGroupCommit = <Item, Answer, Failure, Needs = never>(
  options: GroupCommit<Item, Answer, Failure, Needs>
) =>
  Effect.gen(function* () {
    const sizes = Metric.withAttributes(batchSize, { work: options.work })
    yield* Metric.value(sizes)
    return make(options, sizes, Effect.runForkWith(yield* Effect.context<Needs>()))
  })
