/**
 * Combines work on one thing: what arrives while earlier work on the same thing is under way waits and then goes as
 * one. A lone caller waits for nobody. Nothing here knows what the work is; how it may fail is the work's own answer.
 */
import { Deferred, Effect, type Exit } from "effect"

/** Most items that go as one, and most that may wait for one thing. */
const MAX_TOGETHER = 128
const MAX_WAITING = 1024

interface Waiting<Item, Answer, Failure> {
  readonly item: Item
  readonly answer: Deferred.Deferred<Answer, Failure>
  /** The caller has been told that it took too long; the item must not be worked on any more. */
  abandoned: boolean
}

interface Turns<Item, Answer, Failure> {
  /** `work` gets the items of one thing in the order of their arrival and returns an exit for each. */
  readonly work: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Exit.Exit<Answer, Failure>>>
  /** Whether the whole attempt failed for a reason that holds for those who wait behind it as well: they are told now. */
  readonly holdsForAll: (exits: ReadonlyArray<Exit.Exit<Answer, Failure>>) => boolean
  /** Whether `next` may go together with `first`. */
  readonly fits: (first: Item, next: Item) => boolean
  readonly waitMilliseconds: number
  /** The failure of a caller that waited too long, or of one too many. */
  readonly late: () => Failure
}

/** The items that go next, taken off the queue; abandoned ones are dropped. */
const takeTogether = <Item, Answer, Failure>(
  queue: Array<Waiting<Item, Answer, Failure>>,
  fits: (first: Item, next: Item) => boolean
): ReadonlyArray<Waiting<Item, Answer, Failure>> => {
  const together: Array<Waiting<Item, Answer, Failure>> = []
  let taken = 0
  for (const waiting of queue) {
    const first = together[0]
    if (together.length === MAX_TOGETHER || (first !== undefined && !fits(first.item, waiting.item))) break
    taken++
    if (!waiting.abandoned) together.push(waiting)
  }
  queue.splice(0, taken)
  return together
}

export const makeTurns = <Item, Answer, Failure>(turns: Turns<Item, Answer, Failure>) => {
  const queues = new Map<string, Array<Waiting<Item, Answer, Failure>>>()

  const tellAll = (waiting: ReadonlyArray<Waiting<Item, Answer, Failure>>) => {
    for (const { answer } of waiting) Deferred.doneUnsafe(answer, Effect.fail(turns.late()))
  }

  /**
   * Works a queue off. Detached: no caller's end may take the others along. That the queue is empty and that it is
   * gone are one step, so nobody can join a queue that is no longer worked on.
   */
  const workOff = (thing: string, queue: Array<Waiting<Item, Answer, Failure>>) =>
    Effect.gen(function* () {
      while (true) {
        const together = takeTogether(queue, turns.fits)
        if (together.length > 0) {
          const exits = yield* turns.work(together.map(({ item }) => item))
          for (const [index, { answer }] of together.entries()) Deferred.doneUnsafe(answer, exits[index]!)
          if (turns.holdsForAll(exits)) tellAll(queue.splice(0))
        } else if (queue.length === 0) {
          queues.delete(thing)
          return
        }
      }
    }).pipe(Effect.onError(() => Effect.sync(() => queues.delete(thing))))

  const awaited = (waiting: Waiting<Item, Answer, Failure>): Effect.Effect<Answer, Failure> =>
    Effect.suspend(() => {
      const timer = setTimeout(() => {
        waiting.abandoned = true
        Deferred.doneUnsafe(waiting.answer, Effect.fail(turns.late()))
      }, turns.waitMilliseconds)
      return Deferred.await(waiting.answer).pipe(Effect.ensuring(Effect.sync(() => clearTimeout(timer))))
    })

  return (thing: string, item: Item): Effect.Effect<Answer, Failure> =>
    Effect.suspend(() => {
      const waiting = { item, answer: Deferred.makeUnsafe<Answer, Failure>(), abandoned: false }
      const queue = queues.get(thing)
      if (queue !== undefined) {
        if (queue.length >= MAX_WAITING) return Effect.fail(turns.late())
        queue.push(waiting)
        return awaited(waiting)
      }
      const fresh = [waiting]
      queues.set(thing, fresh)
      return Effect.andThen(Effect.forkDetach(workOff(thing, fresh), { startImmediately: true }), awaited(waiting))
    })
}
