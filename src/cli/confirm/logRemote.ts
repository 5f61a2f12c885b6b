/**
 * Fetches from a service's log, without a key that the caller trusts. A failure that may be temporary
 * is `noAnswer` and may be retried: unreachable, busy, failing, or an answer from a proxy.
 */
import { Effect, Option } from "effect"
import { boundedFetch } from "../../platform/boundedBody.ts"
import { refuse } from "../../proof/bytes.ts"
import { openReceipt } from "../../proof/checkpoint.ts"
import { readRecord } from "../../proof/commitment.ts"
import { MAX_NOTE_CHARACTERS, textOfNote } from "../../proof/note.ts"
import { HASH_BYTES } from "../../proof/tree.ts"
import { TILE_WIDTH, type Tile, tilePath } from "../../services/log/tiles.ts"
import { type CommandFailed, noAnswer, requireServiceAddress } from "../failures.ts"

/** For notes, keys, receipts and records, all of which are a few KiB. */
export const MAX_TEXT_BYTES = 64 * 1024
const ANSWER_WITHIN_MILLIS = 10_000
const MAX_TILE_BYTES = TILE_WIDTH * HASH_BYTES
const NOT_FOUND = 404
const OK = 200
const RETRYABLE = [408, 425, 429]
const SERVER_ERROR = 500

type Bytes = Uint8Array<ArrayBuffer>

/** Makes caches revalidate their copy, even if it seems fresh. */
const UNCACHED = { "cache-control": "no-cache" }

const request = Effect.fnUntraced(function* (
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  maxBytes = MAX_TEXT_BYTES
) {
  yield* requireServiceAddress(url)
  return yield* Effect.tryPromise({
    try: async (interrupted) => {
      const signal = AbortSignal.any([interrupted, AbortSignal.timeout(ANSWER_WITHIN_MILLIS)])
      const answer = await boundedFetch(maxBytes)(url.replace(/\/+$/, "") + path, { headers, signal })
      return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) }
    },
    catch: () => noAnswer(url, `it cannot be reached, or sends more than ${maxBytes} bytes`)
  })
})

const hasStatus = (url: string, path: string, status: number) => noAnswer(url, `${path} has status ${status}`)

const get = Effect.fnUntraced(function* (
  url: string,
  path: string,
  headers?: Readonly<Record<string, string>>
): Effect.fn.Return<Option.Option<Bytes>, CommandFailed> {
  const { bytes, status } = yield* request(url, path, headers)
  if (status === NOT_FOUND) return Option.none()
  return status === OK ? Option.some(bytes) : yield* hasStatus(url, path, status)
})

const getText = (url: string, path: string, headers?: Readonly<Record<string, string>>) =>
  Effect.map(
    get(url, path, headers),
    Option.map((bytes) => new TextDecoder().decode(bytes))
  )

const required = <A>(url: string, found: Option.Option<A>): Effect.Effect<A, CommandFailed> =>
  Option.match(found, {
    onNone: () => Effect.fail(noAnswer(url, "it has no log, or is not this service")),
    onSome: Effect.succeed
  })

const checkpointOf = (url: string, headers?: Readonly<Record<string, string>>) =>
  getText(url, "/log/checkpoint", headers).pipe(
    Effect.flatMap((found) => required(url, found)),
    Effect.filterOrFail(
      (text) => text.length <= MAX_NOTE_CHARACTERS && /^[^\n]+\n\d+\n[^\n]+\n/.test(textOfNote(text)),
      () => noAnswer(url, "it did not send a checkpoint")
    )
  )

/**
 * A note in the form of a checkpoint. Neither its signer nor its content is verified, and a cache
 * may answer with an old one.
 */
export const fetchCheckpoint = (url: string) => checkpointOf(url)

/** The same, past any cache. */
export const fetchCheckpointOfNow = (url: string) => checkpointOf(url, UNCACHED)

const VERIFIER_KEY = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/

/** The verifier keys that the service publishes, for callers without trusted keys. */
export const fetchKeys = (url: string) =>
  getText(url, "/log/key").pipe(
    Effect.flatMap((found) => required(url, found)),
    Effect.map((text) => text.split("\n").filter((line) => line !== "")),
    Effect.filterOrFail(
      (keys) => keys.length > 0 && keys.every((key) => VERIFIER_KEY.test(key)),
      () => noAnswer(url, "it has no key for its log yet, or is not this service")
    )
  )

/**
 * Fetches a receipt that proves an answer under the keys of the service; none if the service has
 * none. The keys are fetched once, and again after a receipt that they do not prove.
 */
export const receiptsAt = (url: string) => {
  let kept: ReadonlyArray<string> | null = null
  return Effect.fnUntraced(function* (answerId: string) {
    const found = yield* getText(url, `/v1/verify/${answerId}/receipt`)
    if (Option.isNone(found)) return found
    const keys = kept ?? (yield* fetchKeys(url))
    kept = keys
    yield* Effect.tryPromise({
      try: async () => {
        const record = readRecord((await openReceipt(found.value, keys)).record)
        if (record.answerId !== answerId) refuse(`it is the receipt of another answer, ${record.answerId}`)
      },
      catch: (cause) => {
        kept = null
        return noAnswer(url, `what it sent is no receipt of this answer: ${(cause as Error).message}`)
      }
    })
    return found
  })
}

/** A tile, or null if the service refuses it for good. */
export const fetchTile = Effect.fnUntraced(function* (url: string, tile: Tile) {
  const path = `/log/${tilePath(tile)}`
  const { bytes, status } = yield* request(url, path, {}, MAX_TILE_BYTES)
  if (status === OK) return bytes
  const isTemporary = status >= SERVER_ERROR || RETRYABLE.includes(status)
  return isTemporary ? yield* hasStatus(url, path, status) : null
})
