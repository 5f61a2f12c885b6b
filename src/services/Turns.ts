/**
 * Whose turn it is to use the thread. Whatever takes it for more than a moment (checking a body, computing, writing out
 * an answer) waits for a turn first, and then runs without a pause. Between two turns the process answers everything
 * else that has arrived. Turns are dealt out by self-clocked fair queueing: each client's work is laid one after the
 * other on its own line, as long as it costs, and what ends first goes first. So a client that asks for much is served
 * beside the others and not before them, and a small piece of work overtakes large ones.
 */
import { Context, Data, Effect, Layer } from "effect"

/** Too much work waits already. */
export class Overloaded extends Data.TaggedError("Overloaded") {}

/** A thousand small calculations take about a second. */
const MAX_WAITING = 1024
/** Of one client. More than a program that waits for its answers has under way. */
const MAX_WAITING_PER_CLIENT = 512

interface Waiting {
  readonly client: string
  /** Where it ends on its client's line. */
  readonly end: number
  readonly begin: () => void
  /** Missing for work that may not be given up. */
  readonly refuse: (() => void) | undefined
}

/** The line of a client. It is forgotten with its last waiting piece of work. */
interface Line {
  end: number
  waiting: number
}

const ignore = (): void => undefined

/** `schedule` runs a function once the process has looked after everything else; a test passes its own. */
export const makeTurns = (schedule: (next: () => void) => void, maxWaiting = MAX_WAITING) => {
  const lines = new Map<string, Line>()
  /** In order of their ends; of two equal ones the earlier comes first. */
  const queue: Array<Waiting> = []
  let reached = 0
  let isTaken = false

  const insert = (waiting: Waiting): void => {
    let low = 0
    let high = queue.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (queue[middle]!.end <= waiting.end) low = middle + 1
      else high = middle
    }
    queue.splice(low, 0, waiting)
  }

  const leave = (client: string): void => {
    const line = lines.get(client)!
    if (--line.waiting === 0) lines.delete(client)
  }

  const next = (): void => {
    const first = queue.shift()
    isTaken = first !== undefined
    if (first === undefined) return
    schedule(next)
    reached = first.end
    leave(first.client)
    first.begin()
  }

  const withdraw = (waiting: Waiting): void => {
    const index = queue.indexOf(waiting)
    if (index < 0) return
    queue.splice(index, 1)
    leave(waiting.client)
  }

  /** Makes room for a client when all places are taken: the one with most waiting gives up its last piece. */
  const makeRoom = (waiting: number): boolean => {
    let longest = ""
    let most = waiting + 1
    for (const [client, line] of lines) if (line.waiting > most) [longest, most] = [client, line.waiting]
    const given = queue.findLast(({ client, refuse }) => client === longest && refuse !== undefined)
    if (given?.refuse === undefined) return false
    withdraw(given)
    given.refuse()
    return true
  }

  const hasRoom = (waiting: number): boolean =>
    waiting < MAX_WAITING_PER_CLIENT && (queue.length < maxWaiting || makeRoom(waiting))

  /**
   * Calls `begin` when the turn has come, perhaps at once; returns how to withdraw. Without room it calls `refuse`;
   * without `refuse` there is always room.
   */
  const request = (client: string, cost: number, begin: () => void, refuse?: () => void): (() => void) => {
    if (!isTaken) {
      isTaken = true
      schedule(next)
      begin()
      return ignore
    }
    const waits = lines.get(client)?.waiting ?? 0
    if (refuse !== undefined && !hasRoom(waits)) {
      refuse()
      return ignore
    }
    const end = Math.max(lines.get(client)?.end ?? 0, reached) + cost
    lines.set(client, { end, waiting: waits + 1 })
    const waiting = { client, end, begin, refuse }
    insert(waiting)
    return () => withdraw(waiting)
  }

  return { request, waiting: () => queue.length }
}

/** What every piece of work costs besides its bytes, as bytes: the largest comparison costs about twenty small ones. */
const COST_OF_ANY = 8 * 1024

export class Turns extends Context.Service<
  Turns,
  {
    /** Waits for the client's turn. `bytes`: how much is to be read or written. Whoever is interrupted waits no more. */
    readonly take: (client: string, bytes: number) => Effect.Effect<void, Overloaded>
    /** The same for what has been begun and is to be finished: it is never turned away. */
    readonly finish: (client: string, bytes: number) => Effect.Effect<void>
  }
>()("repayment-of-record/Turns") {
  static readonly layer: Layer.Layer<Turns> = Layer.sync(Turns, () => {
    const turns = makeTurns((next) => setImmediate(next))
    return Turns.of({
      take: (client, bytes) =>
        Effect.callback((resume) => {
          const begin = () => resume(Effect.void)
          const refuse = () => resume(Effect.fail(new Overloaded()))
          return Effect.sync(turns.request(client, COST_OF_ANY + bytes, begin, refuse))
        }),
      finish: (client, bytes) =>
        Effect.callback((resume) => Effect.sync(turns.request(client, COST_OF_ANY + bytes, () => resume(Effect.void))))
    })
  })
}
