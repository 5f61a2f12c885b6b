/**
 * Fair-queueing scheduler for CPU-heavy work on the event loop: checking a body, computing,
 * serializing an answer. Such work waits for its turn and then runs without a pause; between two
 * rounds the process handles everything else. Each client has a virtual timeline, on which its
 * items follow one another, each as long as its cost. The item with the earliest end goes first. So
 * a heavy client does not delay others, and small work overtakes large.
 */
import { Context, Data, Effect, Layer } from "effect"

/** Too much work is waiting already. */
class Overloaded extends Data.TaggedError("Overloaded") {}

/** A thousand small calculations take about a second. */
const MAX_WAITING = 1024
/** Limit per client. A program that waits for each answer never has so many calls in flight. */
const MAX_WAITING_PER_CLIENT = 512
/** Served lines are pruned above this number, then above twice the number left by a pruning. */
const PRUNE_THRESHOLD = 4 * MAX_WAITING
/**
 * Time for which small items may follow one another before the process handles everything else.
 * With longer rounds, half of many callers would wait for a second round.
 */
export const ROUND_MILLIS = 2
/** An item that costs more ends its round, as its work may continue after `begin` has returned. */
export const LARGE_COST = 32 * 1024
/** Total cost of the waiting work that may be refused. Costs count bytes, so it bounds memory. */
const MAX_WAITING_COST = 128 * 1024 * 1024

interface Waiting {
  readonly client: string
  /** The item's virtual start and end on its client's line. */
  start: number
  end: number
  readonly begin: () => void
  /** Undefined for work that must not be refused. */
  readonly refuse: (() => void) | undefined
}

/** A client's virtual timeline, dropped once its work has been served or the queue is empty. */
interface Line {
  end: number
  waiting: number
  /** The number and the cost of the items that may be refused. */
  refusable: number
  refusableCost: number
}

const ignore = (): void => undefined

export class TurnQueue {
  private readonly lines = new Map<string, Line>()
  /** Ordered by end, and by arrival if ends are equal. */
  private readonly queue: Array<Waiting> = []
  private virtualTime = 0
  /** Clients with waiting work. */
  private waitingClients = 0
  private pruneThreshold = PRUNE_THRESHOLD
  private refusableCost = 0
  private isTaken = false
  private readonly schedule: (next: () => void) => void
  private readonly now: () => number
  private readonly maxWaiting: number
  private readonly maxWaitingCost: number

  /** `schedule` runs a function after everything else that is pending; `now` is in milliseconds. */
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
   * Calls `begin` when the turn has come, perhaps at once; returns a function that withdraws the
   * work. Without room it calls `refuse`; work without `refuse` is always queued.
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

  /** One round: at least one item, and more while they are small and quick. */
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

  /** Begins the first item; returns its cost. */
  private beginFirst(): number {
    const first = this.queue.shift()!
    const cost = first.end - first.start
    // Virtual time advances to the start of the item and not to its end, so that a newcomer goes
    // before the items behind it. It advances by at least half a fair share per item, so that a
    // stream of newcomers cannot overtake work that has waited for twice its fair share.
    this.virtualTime = Math.max(this.virtualTime + cost / (2 * this.waitingClients), first.start)
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

  /** Evicts the last item of the client with the largest waiting cost, if it exceeds `cost`. */
  private makeRoom(cost: number): boolean {
    let heaviest = ""
    let maxCost = cost
    for (const [client, line] of this.lines)
      if (line.refusableCost > maxCost) [heaviest, maxCost] = [client, line.refusableCost]
    const evicted = this.queue.findLast(({ client, refuse }) => client === heaviest && refuse !== undefined)
    if (evicted?.refuse === undefined) return false
    this.withdraw(evicted)
    evicted.refuse()
    return true
  }

  /** Appends work to its client's line, starting no earlier than the current virtual time. */
  private join(client: string, cost: number, isRefusable: boolean): Pick<Waiting, "start" | "end"> {
    const line = this.lines.get(client) ?? { end: 0, waiting: 0, refusable: 0, refusableCost: 0 }
    const start = Math.max(line.end, this.virtualTime)
    line.end = start + cost
    if (line.waiting === 0) this.waitingClients++
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

  /** Removes withdrawn work from its client's line, so that the items behind it move up. */
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

  private countRefusable(line: Line, count: number, cost: number): void {
    line.refusable += count
    line.refusableCost += cost
    this.refusableCost += cost
  }

  private leave({ client, end, refuse, start }: Waiting): void {
    const line = this.lines.get(client)!
    line.waiting--
    if (line.waiting === 0) this.waitingClients--
    if (refuse !== undefined) this.countRefusable(line, -1, start - end)
    if (this.lines.size > this.pruneThreshold) this.dropServedLines()
  }

  private dropServedLines(): void {
    for (const [client, { end, waiting }] of this.lines) {
      if (waiting === 0 && end <= this.virtualTime) this.lines.delete(client)
    }
    this.pruneThreshold = Math.max(PRUNE_THRESHOLD, 2 * this.lines.size)
  }
}

/** Cost of any item on top of its bytes, so that the largest comparison costs twenty small ones. */
const BASE_COST = 8 * 1024

export class FairQueue extends Context.Service<
  FairQueue,
  {
    /** Waits for the client's turn; an interrupt withdraws it. `bytes`: size read or written. */
    readonly take: (client: string, bytes: number) => Effect.Effect<void, Overloaded>
    /** The same for work that has already begun and must be finished, so it is never refused. */
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
          return Effect.sync(turns.request(client, BASE_COST + bytes, begin, refuse))
        }),
      finish: (client, bytes) =>
        Effect.callback((resume) => Effect.sync(turns.request(client, BASE_COST + bytes, () => resume(Effect.void))))
    })
  })
}
