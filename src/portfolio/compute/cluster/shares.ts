/**
 * The load balancer of chunks: each chunk goes to the worker with the fewest chunks in flight per
 * thread. The name of a chunk's entity decides its shard, and each shard has one worker. So names
 * are tried until one belongs to that worker.
 */
import { Equal, HashRing } from "effect"
import type { Runner, RunnerAddress } from "effect/cluster"
import { SHARDS } from "./sharding.ts"

/** The number of names to try: far more than needed while each worker owns several shards. */
const MAX_NAMES = 10_000

export class Shares {
  private workers: ReadonlyArray<Runner.Runner> = []
  private owners: ReadonlyArray<RunnerAddress.RunnerAddress> = []
  private readonly sent = new Map<string, number>()
  private readonly shardOf: (name: string) => number

  /** @param shardOf returns the shard of an entity name, from 1 */
  constructor(shardOf: (name: string) => number) {
    this.shardOf = shardOf
  }

  /** Sets the live workers. Assigns shards with the same hash ring as the workers use. */
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

  ownerOf(name: string): RunnerAddress.RunnerAddress | undefined {
    return this.owners[this.shardOf(name) - 1]
  }

  /** A name with this prefix that belongs to the least loaded worker. */
  name(prefix: string): string {
    const least = this.least()
    for (let number = 0; number < MAX_NAMES; number++) {
      const name = `${prefix}${number}`
      if (least === undefined || Equal.equals(this.ownerOf(name), least)) return name
    }
    return `${prefix}0`
  }

  /** Counts a chunk as in flight until the returned function is called. */
  begin(name: string): () => void {
    const owner = String(this.ownerOf(name))
    const add = (count: number) => this.sent.set(owner, (this.sent.get(owner) ?? 0) + count)
    add(1)
    return () => add(-1)
  }
}
