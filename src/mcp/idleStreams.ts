/**
 * The event stream of GET /mcp. The server never begins a conversation, so the stream carries keep-alives and nothing
 * else; it is there for clients that insist on one. Bounded per key and in time, and it ends when the server stops.
 */
import type { IncomingMessage } from "node:http"
import { Effect, type Scope, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

export const MAX_STREAMS_PER_KEY = 4
export const STREAM_SECONDS = 600
export const KEEP_ALIVE_SECONDS = 15
/** How soon a client may come back. */
const RETRY_MILLISECONDS = 5_000
/** How often a stream looks whether the server still listens. */
const LOOK_SECONDS = 1

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const OPENING = bytes(`: this server only answers; nothing is sent here\nretry: ${RETRY_MILLISECONDS}\n\n`)
const KEEP_ALIVE = bytes(": keep-alive\n\n")

/** False once the server has stopped accepting: a stream that stayed open would hold up its end. */
const isListening = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const server: unknown = Reflect.get((request.source as IncomingMessage).socket, "server")
  return typeof server !== "object" || server === null || Reflect.get(server, "listening") !== false
}

/** An opening comment, then a keep-alive now and then, for as long as `listening` says and the bound allows. */
export const idleStream = (listening: () => boolean): Stream.Stream<Uint8Array> =>
  Stream.tick(`${LOOK_SECONDS} seconds`).pipe(
    Stream.zipWithIndex,
    Stream.map(([, tick]) => tick * LOOK_SECONDS),
    Stream.takeWhile((elapsedSeconds) => elapsedSeconds < STREAM_SECONDS && listening()),
    Stream.filter((elapsedSeconds) => elapsedSeconds % KEEP_ALIVE_SECONDS === 0),
    Stream.map((elapsedSeconds) => (elapsedSeconds === 0 ? OPENING : KEEP_ALIVE))
  )

/** The connection ends with the stream: kept alive, it would outlast a server that stops. */
const STREAM_HEADERS = {
  connection: "close",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no"
}

/** Counts open streams. `take` holds one until its scope ends, and tells whether there was one to have. */
export const makeStreamPlaces = () => {
  const openByKey = new Map<string, number>()
  const leave = (keyId: string) =>
    Effect.sync(() => {
      const left = (openByKey.get(keyId) ?? 1) - 1
      if (left === 0) openByKey.delete(keyId)
      else openByKey.set(keyId, left)
    })
  const enter = (keyId: string) =>
    Effect.sync(() => {
      const open = openByKey.get(keyId) ?? 0
      if (open >= MAX_STREAMS_PER_KEY) return false
      openByKey.set(keyId, open + 1)
      return true
    })
  return {
    take: (keyId: string): Effect.Effect<boolean, never, Scope.Scope> =>
      Effect.acquireRelease(enter(keyId), (entered) => (entered ? leave(keyId) : Effect.void))
  }
}

export const streamResponse = (request: HttpServerRequest.HttpServerRequest) =>
  HttpServerResponse.stream(
    idleStream(() => isListening(request)),
    { contentType: "text/event-stream", headers: STREAM_HEADERS }
  )
