/** A fake transparency log that can fork, shrink, change its key, serve no tiles, or fail. */
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
  /** Index from which entries differ. */
  readonly forkedAt?: number
  readonly keys?: ReadonlyArray<1 | 2>
  /** Statuses to send instead; with 0 the request hangs. */
  readonly checkpointStatus?: number
  readonly tileStatus?: number
  readonly keyStatus?: number
  /** Answers from a cache in front of the log, to requests without `no-cache`. */
  readonly cached?: Behavior
  /**
   * What the first checkpoint requests with `no-cache` get, one each. Later ones get the current
   * state.
   */
  readonly passing?: ReadonlyArray<Behavior>
  /** A checkpoint to send instead of a signed one. */
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
  const request = parseTilePath(path)
  const tile = tiles.find(({ level, n }) => level === request?.level && n === request.n)
  if (request === undefined || tile === undefined) return undefined
  const hashes = (await servedHashes(tile.level, tile.hashes, sha256)).slice(0, request.width * HASH_BYTES)
  return hashes.length === request.width * HASH_BYTES ? hashes : undefined
}

/** Serves the log; `behave` sets its behavior from then on. */
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
    /** Number of requests left hanging. */
    unanswered: () => unanswered,
    stop: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
