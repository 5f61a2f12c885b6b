/**
 * Whose turn it is to use the thread. Whatever takes it for more than a moment (checking a body, computing, writing out
 * an answer) waits for a turn first, and then runs without a pause. Between two rounds of turns the process answers
 * everything else that has arrived. FairQueue are dealt out by fair queueing: each client's work is laid one after the other
 * on its own line, as long as it costs, and what ends first goes first. So a client that asks for much is served
 * beside the others and not before them, and a small piece of work overtakes large ones.
 */
import { Context, Data, Effect, Layer } from "effect"

/** Too much work waits already. */
class Overloaded extends Data.TaggedError("Overloaded") {}

/** A thousand small calculations take about a second. */
const MAX_WAITING = 1024
/** Of one client. More than a program that waits for its answers has under way. */
const MAX_WAITING_PER_CLIENT = 512
/** Above this, and then above twice what is left, those that have been passed are forgotten. */
const MANY_LINES = 4 * MAX_WAITING
/** How long small pieces of work may follow one another before the process looks after everything else. */
const ROUND_MILLIS = 4
/** A piece that costs more ends its round: part of its work may come only after it has begun. */
export const LARGE_COST = 32 * 1024
/** Of all that waits and may be given up, in bytes: so much memory waits with it. */
const MAX_WAITING_COST = 128 * 1024 * 1024

interface Waiting {
  readonly client: string
  /** Where it begins and ends on its client's line. */
  start: number
  end: number
  readonly begin: () => void
  /** Missing for work that may not be given up. */
  readonly refuse: (() => void) | undefined
}

/** The line of a client. It is forgotten when all that it asked for has been passed, or nobody waits any more. */
interface Line {
  end: number
  waiting: number
  /** How many of those may be given up, and what they cost. */
  refusable: number
  refusableCost: number
}

const ignore = (): void => undefined

export class TurnQueue {
  private readonly lines = new Map<string, Line>()
  /** In order of their ends; of two equal ones the earlier comes first. */
  private readonly queue: Array<Waiting> = []
  private reached = 0
  /** How many clients wait. */
  private clients = 0
  private manyLines = MANY_LINES
  private refusableCost = 0
  private isTaken = false
  private readonly schedule: (next: () => void) => void
  private readonly now: () => number
  private readonly maxWaiting: number
  private readonly maxWaitingCost: number

  /** `schedule` runs a function once the process has looked after everything else; `now` is in milliseconds. */
  constructor(
    schedule: (next: () => void) => void,
    now: () => number,
    maxWaiting = MAX_WAITING,
    maxWaitingCost = MAX_WAITING_COST
  ) {
    this.schedule = schedule
    this.now = now
    this.maxWaiting = maxWaiting
    this.maxWaitingCost = maxWaitingCost
  }

  waiting(): number {
    return this.queue.length
  }

  /**
   * Calls `begin` when the turn has come, perhaps at once; returns how to withdraw. Without room it calls `refuse`;
   * without `refuse` there is always room.
   */
  request(client: string, cost: number, begin: () => void, refuse?: () => void): () => void {
    if (!this.isTaken) {
      this.isTaken = true
      this.schedule(this.next)
      begin()
      return ignore
    }
    if (refuse !== undefined && !this.hasRoom(this.lines.get(client), cost)) {
      refuse()
      return ignore
    }
    const waiting = { client, ...this.join(client, cost, refuse !== undefined), begin, refuse }
    this.insert(waiting)
    return () => this.withdraw(waiting)
  }

  /** One round: at least one piece, and more as long as they are small and quick. */
  private readonly next = (): void => {
    this.isTaken = this.queue.length > 0
    if (!this.isTaken) {
      this.lines.clear()
      return
    }
    this.schedule(this.next)
    const until = this.now() + ROUND_MILLIS
    while (this.beginFirst() <= LARGE_COST && this.queue.length > 0 && this.now() < until);
  }

  /** Begins the first piece; returns what it costs. */
  private beginFirst(): number {
    const first = this.queue.shift()!
    const cost = first.end - first.start
    // The beginning, not the end: whoever comes now lies before all that waits behind this piece. The share is for those
    // that wait while one newcomer after the other begins here: after what is fair twice over they come before them.
    this.reached = Math.max(this.reached + cost / (2 * this.clients), first.start)
    this.leave(first)
    first.begin()
    return cost
  }

  private hasRoom(line: Line | undefined, cost: number): boolean {
    if ((line?.refusable ?? 0) >= MAX_WAITING_PER_CLIENT) return false
    while (this.queue.length >= this.maxWaiting || this.refusableCost + cost > this.maxWaitingCost) {
      if (!this.makeRoom((line?.refusableCost ?? 0) + cost)) return false
    }
    return true
  }

  /** When there is no room, the client for whom most waits gives up its last piece for one for whom less would wait. */
  private makeRoom(cost: number): boolean {
    let longest = ""
    let most = cost
    for (const [client, line] of this.lines)
      if (line.refusableCost > most) [longest, most] = [client, line.refusableCost]
    const given = this.queue.findLast(({ client, refuse }) => client === longest && refuse !== undefined)
    if (given?.refuse === undefined) return false
    this.withdraw(given)
    given.refuse()
    return true
  }

  /** Lays a piece of work on its client's line, which begins no earlier than what is served now. */
  private join(client: string, cost: number, isRefusable: boolean): Pick<Waiting, "start" | "end"> {
    const line = this.lines.get(client) ?? { end: 0, waiting: 0, refusable: 0, refusableCost: 0 }
    const start = Math.max(line.end, this.reached)
    line.end = start + cost
    if (line.waiting === 0) this.clients++
    line.waiting++
    if (isRefusable) this.countRefusable(line, 1, cost)
    this.lines.set(client, line)
    return { start, end: line.end }
  }

  private insert(waiting: Waiting): void {
    let low = 0
    let high = this.queue.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.queue[middle]!.end <= waiting.end) low = middle + 1
      else high = middle
    }
    this.queue.splice(low, 0, waiting)
  }

  private withdraw(waiting: Waiting): void {
    const index = this.queue.indexOf(waiting)
    if (index < 0) return
    this.queue.splice(index, 1)
    this.leave(waiting)
    this.closeGap(waiting)
  }

  /** Work that is not done takes up nothing of its client's line: what lies behind it moves up. */
  private closeGap({ client, end, start }: Waiting): void {
    const line = this.lines.get(client)
    if (line === undefined) return
    line.end -= end - start
    const behind = this.queue.filter((other) => other.client === client && other.start >= end)
    for (const other of behind) {
      this.queue.splice(this.queue.indexOf(other), 1)
      other.start -= end - start
      other.end -= end - start
      this.insert(other)
    }
  }

  private countRefusable(line: Line, pieces: number, cost: number): void {
    line.refusable += pieces
    line.refusableCost += cost
    this.refusableCost += cost
  }

  private leave({ client, end, refuse, start }: Waiting): void {
    const line = this.lines.get(client)!
    line.waiting--
    if (line.waiting === 0) this.clients--
    if (refuse !== undefined) this.countRefusable(line, -1, start - end)
    if (this.lines.size > this.manyLines) this.forgetPassed()
  }

  private forgetPassed(): void {
    for (const [client, { end, waiting }] of this.lines) {
      if (waiting === 0 && end <= this.reached) this.lines.delete(client)
    }
    this.manyLines = Math.max(MANY_LINES, 2 * this.lines.size)
  }
}

/** What every piece of work costs besides its bytes, as bytes: the largest comparison costs about twenty small ones. */
const COST_OF_ANY = 8 * 1024

export class FairQueue extends Context.Service<
  FairQueue,
  {
    /** Waits for the client's turn. `bytes`: how much is to be read or written. Whoever is interrupted waits no more. */
    readonly take: (client: string, bytes: number) => Effect.Effect<void, Overloaded>
    /** The same for what has been begun and is to be finished: it is never turned away. */
    readonly finish: (client: string, bytes: number) => Effect.Effect<void>
  }
>()("repayment-of-record/FairQueue") {
  static readonly layer: Layer.Layer<FairQueue> = Layer.sync(FairQueue, () => {
    const turns = new TurnQueue(
      (next) => setImmediate(next),
      () => performance.now()
    )
    return FairQueue.of({
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
