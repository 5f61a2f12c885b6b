/**
 * What a service serves of its log, fetched without a key and not yet believed. Whatever may be otherwise in a moment (it
 * cannot be reached, is busy, ails, or somebody in between answers for it) is no usable answer, and may be asked again.
 */
import { Effect, Option } from "effect"
import { MAX_NOTE_CHARACTERS, textOfNote } from "../../proof/note.ts"
import { type Tile, tilePath } from "../../services/log/tiles.ts"
import { type CommandFailed, noAnswer, requireServiceAddress } from "../failures.ts"

const ANSWER_WITHIN_MILLIS = 10_000
const NOT_FOUND = 404
const OK = 200
const MAY_BE_BETTER_SOON = [408, 425, 429]
const SERVER_ERROR = 500

type Bytes = Uint8Array<ArrayBuffer>

/** What no cache answers by itself, however new it thinks what it has. */
const UNCACHED = { "cache-control": "no-cache" }

const ask = Effect.fnUntraced(function* (url: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  yield* requireServiceAddress(url)
  return yield* Effect.tryPromise({
    try: async () => {
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MILLIS)
      const answer = await fetch(url.replace(/\/+$/, "") + path, { headers, signal })
      return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) }
    },
    catch: () => noAnswer(url, "it cannot be reached")
  })
})

const hasStatus = (url: string, path: string, status: number) => noAnswer(url, `${path} has status ${status}`)

const get = Effect.fnUntraced(function* (
  url: string,
  path: string,
  headers?: Readonly<Record<string, string>>
): Effect.fn.Return<Option.Option<Bytes>, CommandFailed> {
  const { bytes, status } = yield* ask(url, path, headers)
  if (status === NOT_FOUND) return Option.none()
  return status === OK ? Option.some(bytes) : yield* hasStatus(url, path, status)
})

const getText = (url: string, path: string, headers?: Readonly<Record<string, string>>) =>
  Effect.map(
    get(url, path, headers),
    Option.map((bytes) => new TextDecoder().decode(bytes))
  )

const needed = <A>(url: string, found: Option.Option<A>): Effect.Effect<A, CommandFailed> =>
  Option.match(found, {
    onNone: () => Effect.fail(noAnswer(url, "it has no log, or is not this service")),
    onSome: Effect.succeed
  })

export const fetchReceipt = (url: string, answerId: string) => getText(url, `/v1/verify/${answerId}/receipt`)

const checkpointOf = (url: string, headers?: Readonly<Record<string, string>>) =>
  getText(url, "/log/checkpoint", headers).pipe(
    Effect.flatMap((found) => needed(url, found)),
    Effect.filterOrFail(
      (text) => text.length <= MAX_NOTE_CHARACTERS && /^[^\n]+\n\d+\n[^\n]+\n/.test(textOfNote(text)),
      () => noAnswer(url, "what it sent is no checkpoint")
    )
  )

/** A note of four lines and more; whose it is, and of what, is not asked. A cache may have it from a moment ago. */
export const fetchCheckpoint = (url: string) => checkpointOf(url)

/** The same as the service has it now. */
export const fetchCheckpointOfNow = (url: string) => checkpointOf(url, UNCACHED)

const VERIFIER_KEY = /^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/

/** Its verifier keys, as it says: for whoever has none from elsewhere. */
export const fetchKeys = (url: string) =>
  getText(url, "/log/key").pipe(
    Effect.flatMap((found) => needed(url, found)),
    Effect.map((text) => text.split("\n").filter((line) => line !== "")),
    Effect.filterOrFail(
      (keys) => keys.length > 0 && keys.every((key) => VERIFIER_KEY.test(key)),
      () => noAnswer(url, "it names no key of its log yet, or is not this service")
    )
  )

/** A tile, if the service serves it: a refusal that no later moment changes is none. */
export const fetchTile = Effect.fnUntraced(function* (url: string, tile: Tile) {
  const path = `/log/${tilePath(tile)}`
  const { bytes, status } = yield* ask(url, path)
  if (status === OK) return bytes
  const isHiccup = status >= SERVER_ERROR || MAY_BE_BETTER_SOON.includes(status)
  return isHiccup ? yield* hasStatus(url, path, status) : null
})
