/**
 * Two things that Node's HTTP parser has no public API for: stop parsing requests, and stop
 * delivering a body. The parser works through all that one packet holds in one go, and a packet
 * holds thousands of requests or body chunks.
 */
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** The parser calls it for each request head. The answer 2 stops it, as where one upgrades. */
type HearRequest = (message: IncomingMessage, shouldKeepAlive: boolean) => number
const READ_NO_FURTHER = 2

interface Parser {
  onIncoming: HearRequest
  /** The callbacks, by number. One that is null costs next to nothing. */
  [event: number]: unknown
  readonly constructor: { readonly kOnBody: number }
}

const parserOf = (socket: Socket): Parser | null | undefined => (socket as { readonly parser?: Parser | null }).parser

/** Call once for a new connection: requests behind the one that closed it are not parsed. */
export const parseNoneAfterTheEnd = (socket: Socket): void => {
  const parser = parserOf(socket)
  if (!parser) return
  const hear = parser.onIncoming
  parser.onIncoming = (message, shouldKeepAlive) => {
    const next = hear(message, shouldKeepAlive)
    return socket.writable ? next : READ_NO_FURTHER
  }
}

/**
 * Drops what the current packet still holds of a body, and reads no more from the connection. Node
 * pools parsers, so the callback is restored for the next connection.
 */
export const hearNoBody = (message: IncomingMessage): void => {
  const { socket } = message
  const parser = parserOf(socket)
  if (!parser) return
  // Reading the body would resume the socket.
  message._read = () => undefined
  socket.pause()
  const { kOnBody } = parser.constructor
  const hear = parser[kOnBody]
  if (hear === null) return
  parser[kOnBody] = null
  socket.once("close", () => {
    parser[kOnBody] = hear
  })
}
