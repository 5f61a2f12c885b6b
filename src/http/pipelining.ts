/**
 * Controls of Node's HTTP parser without a public API: stop parsing requests, stop delivering a
 * body. The parser works through a packet in one go, and a packet holds thousands of requests or
 * body chunks.
 */
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** Callback of the parser for each request head. Returning 2 stops parsing, as for an upgrade. */
type OnRequest = (message: IncomingMessage, shouldKeepAlive: boolean) => number
const STOP_PARSING = 2

interface Parser {
  onIncoming: OnRequest
  /** The callbacks, by number. A callback of null costs next to nothing. */
  [event: number]: unknown
  readonly constructor: { readonly kOnBody: number }
}

const parserOf = (socket: Socket): Parser | null | undefined => (socket as { readonly parser?: Parser | null }).parser

/** Call once for a new connection, so that requests after a closing one are not parsed. */
export const stopParsingAfterClose = (socket: Socket): void => {
  const parser = parserOf(socket)
  if (!parser) return
  const original = parser.onIncoming
  parser.onIncoming = (message, shouldKeepAlive) => {
    const next = original(message, shouldKeepAlive)
    return socket.writable ? next : STOP_PARSING
  }
}

/**
 * Drops the rest of a body in the current packet, and reads no more from the connection. Node pools
 * parsers, so the callback is restored for the next connection.
 */
export const discardBody = (message: IncomingMessage): void => {
  const { socket } = message
  const parser = parserOf(socket)
  if (!parser) return
  // Reading the body would resume the socket.
  message._read = () => undefined
  socket.pause()
  const { kOnBody } = parser.constructor
  const original = parser[kOnBody]
  if (original === null) return
  parser[kOnBody] = null
  socket.once("close", () => {
    parser[kOnBody] = original
  })
}
