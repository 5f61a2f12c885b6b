/**
 * The message that carries a chunk to a worker and its result back. Both are compressed, because a
 * 2.5 MB chunk shrinks to a few hundred kilobytes. The key of a message is a hash of everything the
 * result depends on, so sending it again finds the earlier message.
 */
import { hash } from "node:crypto"
import { promisify } from "node:util"
import * as zlib from "node:zlib"
import { Effect, Schema } from "effect"
import { ClusterSchema, Entity } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { UTF_8 } from "../../read/input.ts"
import type { ChunkResult } from "../../results/portfolio.ts"
import type { Task } from "../computeWorker.ts"

/**
 * The request to compute a chunk. It is answered once, and stays stored until it is deleted. A
 * sender cannot interrupt it; a worker that stops leaves it to another worker.
 */
const Compute = Rpc.make("compute", {
  payload: { key: Schema.String, task: Schema.String },
  success: Schema.String,
  primaryKey: ({ key }) => key
})
  .annotate(ClusterSchema.Persisted, true)
  .annotate(ClusterSchema.Uninterruptible, "client")

export const TYPE = "PortfolioChunk"

/** Only workers of the same release read its chunks. */
export const chunkEntity = (release: string) =>
  Entity.make(TYPE, [Compute]).annotate(ClusterSchema.ShardGroup, () => release)

const pack = (text: string): Effect.Effect<string> =>
  Effect.promise(async () => (await promisify(zlib.zstdCompress)(text)).toString("base64"))

const unpack = (packed: string): Effect.Effect<string> =>
  Effect.promise(async () => (await promisify(zlib.zstdDecompress)(Buffer.from(packed, "base64"))).toString("utf8"))

const textOf = ({ chunk, portfolio }: Task): string =>
  JSON.stringify({
    portfolio,
    chunk: { ...chunk, lines: UTF_8.decode(chunk.lines), duplicateIds: [...chunk.duplicateIds].map(String).sort() }
  })

const keyOf = (text: string): string => hash("sha256", text)

export const packTask = (task: Task) => {
  const text = textOf(task)
  return Effect.map(pack(text), (packed) => ({ key: keyOf(text), task: packed }))
}

/** The task, and the key computed from the text that arrived. */
export const unpackTask = (packed: string): Effect.Effect<{ readonly key: string; readonly task: Task }> =>
  Effect.map(unpack(packed), (text) => {
    const { chunk, portfolio } = JSON.parse(text)
    const lines = new TextEncoder().encode(chunk.lines)
    const duplicateIds = new Set<bigint>(chunk.duplicateIds.map(BigInt))
    return { key: keyOf(text), task: { portfolio, chunk: { ...chunk, lines, duplicateIds } } }
  })

/** @param key of the computed task */
export const packResult = (key: string, { ids, rows, ...result }: ChunkResult): Effect.Effect<string> => {
  const texts = { rows: UTF_8.decode(rows), ids: Buffer.from(ids.buffer).toString("base64") }
  return pack(JSON.stringify({ ...result, ...texts, key }))
}

/** Dies if the result belongs to a task with another key. */
export const unpackResult = (expected: string, packed: string): Effect.Effect<ChunkResult> =>
  Effect.map(unpack(packed), (text) => {
    const { ids, key, rows, ...result } = JSON.parse(text)
    if (key !== expected) throw new Error("it returned the result of another chunk")
    const keys = new BigUint64Array(Uint8Array.from(Buffer.from(ids, "base64")).buffer)
    return { ...result, rows: new TextEncoder().encode(rows), ids: keys }
  })
