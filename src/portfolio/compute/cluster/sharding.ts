/**
 * The configuration of Effect Cluster, by which runs and workers distribute chunks through
 * PostgreSQL alone. Each shard belongs to one worker by a lease that it renews; workers register in
 * a table. No process listens on a port or calls another.
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

/** A dead worker is detected by its lease and heartbeat, both renewed every two seconds. */
const LEASE = { shardLockExpiration: "6 seconds", shardLockRefreshInterval: "2 seconds" } as const

export const SHARDS = 256

const SHARED = {
  ...LEASE,
  refreshAssignmentsInterval: "1 second",
  /** Delay until a sent chunk, or a stored result, is noticed. */
  entityMessagePollInterval: "250 millis",
  entityReplyPollInterval: "250 millis",
  /** No advisory locks, because a lease must outlive its database connection. */
  shardLockDisableAdvisory: true,
  shardsPerGroup: SHARDS,
  /** Bounds the size of one query's result. */
  unprocessedMessageBatchSize: 8,
  /** A stopping worker stays registered until it has finished, since it still holds its leases. */
  preemptiveShutdown: false,
  /** An entity is one chunk and gets only one message. */
  entityMaxIdleTime: "1 second",
  /** Time to finish chunks on stop or shard handover; most supervisors kill after ten seconds. */
  entityTerminationTimeout: "8 seconds"
} as const

const withConfig = (config: Partial<ShardingConfig.ShardingConfig["Service"]>) =>
  Sharding.layer.pipe(
    Layer.provide([Runners.layerNoop, RunnerHealth.layerNoop]),
    Layer.provideMerge(Layer.merge(SqlMessageStorage.layerStorage({}), SqlRunnerStorage.layerStorage({}))),
    Layer.provide(ShardingConfig.layer({ ...SHARED, ...config })),
    Layer.provide(NodeCrypto.layerDigest)
  )

/** A unique worker name in place of an address; nothing connects to it. */
const workerName = (): string => `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`

/** Sharding of a worker, which receives chunks of its release in proportion to its threads. */
export const workerSharding = (release: string, threads: number) =>
  withConfig({
    runnerAddress: Option.some(RunnerAddress.make(workerName(), 0)),
    runnerShardWeight: threads,
    availableShardGroups: [release],
    assignedShardGroups: [release]
  })

/** Sharding of a run, which sends chunks and receives none. */
export const runSharding = (release: string) =>
  withConfig({ runnerAddress: Option.none(), availableShardGroups: [release], assignedShardGroups: [] })
