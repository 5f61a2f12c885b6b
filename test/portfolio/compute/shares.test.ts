/** The load balancing of chunks among workers. */
import { hash } from "node:crypto"
import { Runner, RunnerAddress } from "effect/cluster"
import { describe, expect, it } from "vitest"
import { SHARDS } from "../../../src/portfolio/compute/cluster/sharding.ts"
import { Shares } from "../../../src/portfolio/compute/cluster/shares.ts"

const shardOf = (name: string): number => 1 + (hash("sha1", name, "buffer").readUInt32LE(0) % SHARDS)

const workerOf = (name: string, weight: number) =>
  Runner.make({ address: RunnerAddress.make(name, 0), groups: ["some"], weight })

/** Number of chunks that go to each worker. */
const distribute = (shares: Shares, workers: ReadonlyArray<Runner.Runner>, chunks: number) => {
  const counts = new Map(workers.map(({ address }) => [address.host, 0]))
  for (let chunk = 0; chunk < chunks; chunk++) {
    const name = shares.name(`run.${chunk}.`)
    const owner = shares.ownerOf(name)!.host
    counts.set(owner, counts.get(owner)! + 1)
    shares.begin(name)
  }
  return [...counts.values()]
}

describe("chunks in flight", () => {
  it("are distributed in proportion to the workers' threads", () => {
    const shares = new Shares(shardOf)
    const workers = [workerOf("one", 1), workerOf("two", 2), workerOf("three", 4)]
    shares.set(workers)
    expect(distribute(shares, workers, 70)).toEqual([10, 20, 40])
  })

  it("go to the worker with none left", () => {
    const shares = new Shares(shardOf)
    const workers = [workerOf("one", 1), workerOf("two", 1)]
    shares.set(workers)
    const names = Array.from({ length: 6 }, (_, chunk) => {
      const name = shares.name(`run.${chunk}.`)
      return { name, end: shares.begin(name), owner: shares.ownerOf(name)!.host }
    })
    for (const { end, owner } of names) if (owner === "two") end()
    const next = [6, 7, 8].map((chunk) => {
      const name = shares.name(`run.${chunk}.`)
      shares.begin(name)
      return shares.ownerOf(name)!.host
    })
    expect(next).toEqual(["two", "two", "two"])
  })

  it("get a name even without workers", () => {
    expect(new Shares(shardOf).name("run.7.")).toBe("run.7.0")
  })
})
