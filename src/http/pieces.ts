/**
 * Ends a connection whose body comes in countless tiny pieces: each costs the parser about as much as a large one, before
 * anybody's turn. Programs that stream a body send pieces of some dozen bytes at least, or few of them.
 */
import type { IncomingMessage } from "node:http"

/** More pieces than this have to hold LEAST_BYTES each, on average. */
export const MANY_PIECES = 1024
const LEAST_BYTES = 16

/** Watches what a request still sends, while it is read or thrown away. */
export const watchPieces = (message: IncomingMessage): void => {
  let pieces = 0
  let bytes = 0
  message.on("data", (piece: Uint8Array) => {
    bytes += piece.length
    if (++pieces > MANY_PIECES && bytes < pieces * LEAST_BYTES) message.socket.destroy()
  })
}
