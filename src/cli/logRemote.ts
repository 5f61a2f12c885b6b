/** What a service serves of its log, fetched without a key and not yet believed. */
import { Effect, Option } from "effect"
import { type Tile, tilePath } from "../services/log/tiles.ts"
import { type CommandFailed, noAnswer, requireServiceAddress } from "./failures.ts"

const ANSWER_WITHIN_MILLIS = 10_000
const NOT_FOUND = 404

const get = Effect.fnUntraced(function* (
  url: string,
  path: string
): Effect.fn.Return<Option.Option<Uint8Array<ArrayBuffer>>, CommandFailed> {
  yield* requireServiceAddress(url)
  const response = yield* Effect.tryPromise({
    try: async () => {
      const answer = await fetch(url.replace(/\/+$/, "") + path, { signal: AbortSignal.timeout(ANSWER_WITHIN_MILLIS) })
      return { status: answer.status, ok: answer.ok, bytes: new Uint8Array(await answer.arrayBuffer()) }
    },
    catch: () => noAnswer(url, "it cannot be reached")
  })
  if (response.status === NOT_FOUND) return Option.none()
  if (!response.ok) return yield* noAnswer(url, `${path} has status ${response.status}`)
  return Option.some(response.bytes)
})

const getText = (url: string, path: string) =>
  Effect.map(
    get(url, path),
    Option.map((bytes) => new TextDecoder().decode(bytes))
  )

const needed = <A>(url: string, found: Option.Option<A>): Effect.Effect<A, CommandFailed> =>
  Option.match(found, {
    onNone: () => Effect.fail(noAnswer(url, "it has no log, or is not this service")),
    onSome: Effect.succeed
  })

export const fetchReceipt = (url: string, answerId: string) => getText(url, `/v1/verify/${answerId}/receipt`)

export const fetchCheckpoint = (url: string) =>
  Effect.flatMap(getText(url, "/log/checkpoint"), (found) => needed(url, found))

/** Its verifier keys, as it says: for whoever has none from elsewhere. */
export const fetchKeys = (url: string) =>
  getText(url, "/log/key").pipe(
    Effect.flatMap((found) => needed(url, found)),
    Effect.map((text) => text.split("\n").filter((line) => line !== ""))
  )

export const fetchTile = (url: string, tile: Tile) =>
  Effect.flatMap(get(url, `/log/${tilePath(tile)}`), (found) => needed(url, found))
