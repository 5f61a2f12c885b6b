/**
 * Which worker a chunk is sent to: the one with the least on its way for its threads. Effect Cluster gives a message to the
 * worker that has the shard of its entity, and the shard follows from the entity's name: so a chunk is named until it fits.
 */
import { Equal, HashRing } from "effect"
import type { Runner, RunnerAddress } from "effect/cluster"
import { SHARDS } from "./sharding.ts"

/** Far more than it takes where each worker has some shards. */
const MOST_NAMES = 10_000

export class Shares {
  private workers: ReadonlyArray<Runner.Runner> = []
  private owners: ReadonlyArray<RunnerAddress.RunnerAddress> = []
  private readonly sent = new Map<string, number>()
  private readonly shardOf: (name: string) => number

  /** @param shardOf from 1 */
  constructor(shardOf: (name: string) => number) {
    this.shardOf = shardOf
  }

  /** Who is there now; shards are given out as the workers do it among themselves. */
  set(workers: ReadonlyArray<Runner.Runner>): void {
    const ring = HashRing.make<RunnerAddress.RunnerAddress>()
    for (const { address, weight } of workers) HashRing.add(ring, address, { weight })
    this.workers = workers
    this.owners = HashRing.getShards(ring, SHARDS) ?? []
  }

  private load({ address, weight }: Runner.Runner): number {
    return (this.sent.get(String(address)) ?? 0) / weight
  }

  private least(): RunnerAddress.RunnerAddress | undefined {
    const [first, ...others] = this.workers
    return first && others.reduce((least, one) => (this.load(one) < this.load(least) ? one : least), first).address
  }

  /** Whose the chunk is that has this name. */
  ownerOf(name: string): RunnerAddress.RunnerAddress | undefined {
    return this.owners[this.shardOf(name) - 1]
  }

  /** A name that begins so, of an entity of the worker whose turn it is. */
  name(beginning: string): string {
    const least = this.least()
    for (let number = 0; number < MOST_NAMES; number++) {
      const name = `${beginning}${number}`
      if (least === undefined || Equal.equals(this.ownerOf(name), least)) return name
    }
    return `${beginning}0`
  }

  /** Counts a chunk as on its way, until what is returned is called. */
  begin(name: string): () => void {
    const owner = String(this.ownerOf(name))
    const add = (count: number) => this.sent.set(owner, (this.sent.get(owner) ?? 0) + count)
    add(1)
    return () => add(-1)
  }
}
