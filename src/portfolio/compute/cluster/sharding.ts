/**
 * How runs and workers share chunks out: Effect Cluster over PostgreSQL and nothing else. Shards of chunks belong to one
 * worker each, by a lease that it renews; who is there is read from a table. No process listens, and none calls another.
 */
import { randomBytes } from "node:crypto"
import { hostname } from "node:os"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Layer, Option } from "effect"
import {
  RunnerAddress,
  RunnerHealth,
  Runners,
  Sharding,
  ShardingConfig,
  SqlMessageStorage,
  SqlRunnerStorage
} from "effect/cluster"

/** A worker that is gone is known by its lease and its heartbeat, both renewed each two seconds. */
const LEASE = { shardLockExpiration: "6 seconds", shardLockRefreshInterval: "2 seconds" } as const

export const SHARDS = 256

const SHARED = {
  ...LEASE,
  refreshAssignmentsInterval: "1 second",
  /** How soon a chunk that was sent is found, and a result that has come. */
  entityMessagePollInterval: "250 millis",
  entityReplyPollInterval: "250 millis",
  /** Nothing is kept in a session of the database: a lease outlives its connection. */
  shardLockDisableAdvisory: true,
  shardsPerGroup: SHARDS,
  /** Bounds what one statement reads. */
  unprocessedMessageBatchSize: 8,
  /** A worker that stops is there until it has finished: nobody else could have its leases before. */
  preemptiveShutdown: false,
  /** An entity is one chunk: nothing comes to it afterwards. */
  entityMaxIdleTime: "1 second",
  /** What a worker that stops, or hands shards on, may still finish: most who stop it kill it after ten. */
  entityTerminationTimeout: "8 seconds"
} as const

const withConfig = (config: Partial<ShardingConfig.ShardingConfig["Service"]>) =>
  Sharding.layer.pipe(
    Layer.provide([Runners.layerNoop, RunnerHealth.layerNoop]),
    Layer.provideMerge(Layer.merge(SqlMessageStorage.layerStorage({}), SqlRunnerStorage.layerStorage({}))),
    Layer.provide(ShardingConfig.layer({ ...SHARED, ...config })),
    Layer.provide(NodeCrypto.layerDigest)
  )

/** No address at which it could be reached: a name that no other worker has or has had. */
const ownName = (): string => `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`

/** A worker takes a share of the chunks of its release, by its threads. */
export const workerSharding = (release: string, threads: number) =>
  withConfig({
    runnerAddress: Option.some(RunnerAddress.make(ownName(), 0)),
    runnerShardWeight: threads,
    availableShardGroups: [release],
    assignedShardGroups: [release]
  })

/** A run sends, and takes none. */
export const runSharding = (release: string) =>
  withConfig({ runnerAddress: Option.none(), availableShardGroups: [release], assignedShardGroups: [] })
