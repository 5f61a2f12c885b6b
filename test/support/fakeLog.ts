/** A log that does whatever it is told: forks, goes back, changes its key, serves no tiles, or is busy. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { sha256 } from "../../src/platform/sha256.ts"
import { concat, utf8 } from "../../src/proof/bytes.ts"
import { HASH_BYTES } from "../../src/proof/tree.ts"
import { grow } from "../../src/services/log/append.ts"
import { checkpointText, makeSigner, signNote } from "../../src/services/log/keys.ts"
import { parseTilePath, servedHashes } from "../../src/services/log/tiles.ts"

const ORIGIN = "fake.example/log"
const NOT_FOUND = 404

export interface Behavior {
  readonly size: number
  /** Entries from here on are others than they were. */
  readonly forkedAt?: number
  readonly keys?: ReadonlyArray<1 | 2>
  /** Statuses that are sent instead; 0: nothing is ever sent. */
  readonly checkpointStatus?: number
  readonly tileStatus?: number
  readonly keyStatus?: number
  /** What a cache in front of it sends to whoever does not ask past it. */
  readonly cached?: Behavior
  /** What those are sent, one after the other, who ask past the cache for a checkpoint, before it is as it is. */
  readonly passing?: ReadonlyArray<Behavior>
  /** What is sent as the checkpoint. */
  readonly checkpoint?: string
}

const treeOf = async ({ forkedAt = Number.POSITIVE_INFINITY, size }: Behavior) => {
  const texts = Array.from({ length: size }, (_, index) => (index < forkedAt ? `${index}` : `other ${index}`))
  return grow(0, [], await Promise.all(texts.map((text) => sha256(utf8(text)))), sha256)
}

const answerTo = async (path: string, behavior: Behavior) => {
  const signers = await Promise.all(
    (behavior.keys ?? [1]).map((key) => makeSigner(ORIGIN, new Uint8Array(32).fill(key)))
  )
  const { root, tiles } = await treeOf(behavior)
  if (path === "key") return utf8(signers.map(({ verifierKey }) => `${verifierKey}\n`).join(""))
  if (path === "checkpoint") {
    return utf8(
      behavior.checkpoint ?? (await signNote(checkpointText({ origin: ORIGIN, root, size: behavior.size }), signers))
    )
  }
  const wanted = parseTilePath(path)
  const tile = tiles.find(({ level, n }) => level === wanted?.level && n === wanted.n)
  if (wanted === undefined || tile === undefined) return undefined
  const hashes = (await servedHashes(tile.level, tile.hashes, sha256)).slice(0, wanted.width * HASH_BYTES)
  return hashes.length === wanted.width * HASH_BYTES ? hashes : undefined
}

/** Serves it on a port of its own; `behave` says how from now on. */
export const startFakeLog = async () => {
  let behavior: Behavior = { size: 0 }
  let unanswered = 0
  let passed = 0
  const server = createServer(async ({ headers, url }, response) => {
    const path = url!.replace("/log/", "")
    const isCached = path === "checkpoint" && headers["cache-control"] !== "no-cache"
    const { checkpointStatus, keyStatus, tileStatus } = behavior
    const status = path === "key" ? keyStatus : path === "checkpoint" ? checkpointStatus : tileStatus
    if (status === 0) {
      unanswered++
      return
    }
    const shown = isCached ? behavior.cached : path === "checkpoint" ? behavior.passing?.[passed++] : undefined
    const body = status === undefined ? await answerTo(path, shown ?? behavior) : concat()
    response.writeHead(body === undefined ? NOT_FOUND : (status ?? 200)).end(body)
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave: (next: Behavior) => {
      passed = 0
      behavior = next
    },
    /** Requests that wait in vain. */
    unanswered: () => unanswered,
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
