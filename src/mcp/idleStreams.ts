/**
 * The event stream of GET /mcp, for clients that require one. The server sends no messages of its own, so the stream
 * has only keep-alives. It is limited per key and in duration, and ends when the server stops.
 */
import type { IncomingMessage } from "node:http"
import { Effect, type Scope, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

export const MAX_STREAMS_PER_KEY = 4
export const STREAM_SECONDS = 600
export const KEEP_ALIVE_SECONDS = 15
/** Reconnection time that the stream asks of clients. */
const RETRY_MILLISECONDS = 5_000
/** The interval at which a stream checks whether the server still listens. */
const LOOK_SECONDS = 1

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const OPENING = bytes(`: this server sends no messages of its own\nretry: ${RETRY_MILLISECONDS}\n\n`)
const KEEP_ALIVE = bytes(": keep-alive\n\n")

/**
 * False once the server accepts no more connections, because an open stream would delay its shutdown. Node does
 * not document a socket's `server`. If it is missing, the stream ends at its time limit.
 */
const isListening = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const server: unknown = Reflect.get((request.source as IncomingMessage).socket, "server")
  return typeof server !== "object" || server === null || Reflect.get(server, "listening") !== false
}

/** An opening comment, then keep-alives, until `listening` is false or the time limit is reached. */
export const idleStream = (listening: () => boolean): Stream.Stream<Uint8Array> =>
  Stream.tick(`${LOOK_SECONDS} seconds`).pipe(
    Stream.zipWithIndex,
    Stream.map(([, tick]) => tick * LOOK_SECONDS),
    Stream.takeWhile((elapsedSeconds) => elapsedSeconds < STREAM_SECONDS && listening()),
    Stream.filter((elapsedSeconds) => elapsedSeconds % KEEP_ALIVE_SECONDS === 0),
    Stream.map((elapsedSeconds) => (elapsedSeconds === 0 ? OPENING : KEEP_ALIVE))
  )

/** The connection closes with the stream. If it were kept alive, it would delay the shutdown. */
const STREAM_HEADERS = {
  connection: "close",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no"
}

/** Counts open streams. `take` occupies a slot until its scope closes; it returns false if none is free. */
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
