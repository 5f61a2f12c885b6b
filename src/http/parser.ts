/**
 * What of Node's HTTP parser has no public way: to leave unheard what lies behind the end of a connection. All that comes in
 * one piece is parsed in one go, before anybody's turn, and thousands of requests or parts of a body fit into one.
 */
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"

/** What it asks of each request that it has read the head of; this answer has it read no further, as where one upgrades. */
type HearRequest = (message: IncomingMessage, shouldKeepAlive: boolean) => number
const READ_NO_FURTHER = 2

interface Parser {
  onIncoming: HearRequest
  /** By number: whom it tells of what. One without a listener costs next to nothing. */
  [event: number]: unknown
  readonly constructor: { readonly kOnBody: number }
}

const parserOf = (socket: Socket): Parser | undefined => (socket as { readonly parser?: Parser }).parser

/** To be called once for a new connection: requests behind the one for which it was closed are not parsed. */
export const parseNoneAfterTheEnd = (socket: Socket): void => {
  const parser = parserOf(socket)
  if (parser === undefined) return
  const hear = parser.onIncoming
  parser.onIncoming = (message, shouldKeepAlive) => {
    const next = hear(message, shouldKeepAlive)
    return socket.destroyed ? READ_NO_FURTHER : next
  }
}

/** Nothing more of a body is heard. Parsers serve one connection after the other, so the next one's is heard again. */
export const hearNoBody = (socket: Socket): void => {
  const parser = parserOf(socket)
  if (parser === undefined) return
  const { kOnBody } = parser.constructor
  const hear = parser[kOnBody]
  if (hear === null) return
  parser[kOnBody] = null
  socket.once("close", () => {
    parser[kOnBody] = hear
  })
}
