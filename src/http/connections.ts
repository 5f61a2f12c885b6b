/**
 * The open connections of the listener, by client address: how many there may be, which one is closed to make room for
 * another, how many requests one may send ahead of its answers, which it gets one after the other, and whose is started
 * next. What is slow, silent or stalled ends by the timeouts of the listener.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { newcomersCome, onceHeard } from "../services/rounds.ts"
import { clientAddress, limitedAddress } from "./address.ts"
import { HeldBodies } from "./heldBodies.ts"
import { breakOffBody, type Counts, countPieces, letGo } from "./pieces.ts"
import { SmallPieces } from "./smallPieces.ts"

export interface ConnectionBounds {
  /** Connections in all. */
  readonly connections: number
  /** Connections of one client address. */
  readonly connectionsPerAddress: number
  /** Requests of one connection whose answers have not been sent in full. */
  readonly unanswered: number
  /** Bytes of bodies that have come and have not been read to their end, in all. The largest body has one MiB. */
  readonly heldBytes: number
  /** How many proxies stand in front: whom a body counts for is what they say, and not the one proxy that all come from. */
  readonly trustedProxyHops: number
}

interface Exchange {
  readonly response: ServerResponse
  /** Lets the service hear of the request. */
  readonly start: () => void
}

interface Connection {
  readonly socket: Socket
  readonly address: string
  /** When it came, or its last request began or ended. */
  restsSince: number
  /** Requests whose responses have not been sent in full. The first is the one that is answered; the others wait for it. */
  readonly unanswered: Array<Exchange>
  isLetIn: boolean
  /** What came last is no HTTP: nothing more is heard, and the connection ends with the answers that are owed. */
  isOver: boolean
}

/**
 * How long requests are started, of all addresses in turn, before the process looks after everything else. While newcomers
 * come it is one request, so that as many are started as are let in.
 */
const START_MILLIS = 4

/** The connections of one address. One goes to the end when a request begins or ends: the first has rested longest. */
type Peers = Set<Connection>

/** Nothing is owed: a silent connection, one that has sent half a head, or one that is kept alive. */
const isIdle = ({ unanswered }: Connection): boolean => unanswered.length === 0

/** Whoever has just come is about to speak: on a busy machine his request is heard some rounds after he is. */
const ABOUT_TO_SPEAK_MILLIS = 250

const isIdleForLong = (connection: Connection): boolean =>
  isIdle(connection) && performance.now() - connection.restsSince > ABOUT_TO_SPEAK_MILLIS

/** Half a body, the rest of which the client has to send. */
const isHalfSent = ({ unanswered: [current] }: Connection): boolean =>
  current !== undefined && !current.response.headersSent && !current.response.req.complete

/** The next move is the client's: to send the rest of a body, or to read an answer. An event stream counts as well. */
const awaitsClient = ({ unanswered: [current] }: Connection): boolean =>
  current !== undefined && (current.response.headersSent || !current.response.req.complete)

const first = (peers: Peers, test: (connection: Connection) => boolean): Connection | undefined => {
  for (const connection of peers) if (test(connection)) return connection
  return undefined
}

/** Which connection of an address can be closed; undefined if the service is at work for all of them. */
const longestAtRest = (peers: Peers): Connection | undefined =>
  first(peers, isIdleForLong) ?? first(peers, isHalfSent) ?? first(peers, isIdle) ?? first(peers, awaitsClient)

export class Connections {
  private readonly bounds: ConnectionBounds
  private readonly bySocket = new WeakMap<Socket, Connection>()
  private readonly byAddress = new Map<string, Peers>()
  private count = 0
  /** Connections whose request is to be started, by address. The first address is the next to have its turn. */
  private readonly ready = new Map<string, Array<Connection>>()
  /** Whether some will be started in the next round of the event loop. */
  private isStarting = false
  private readonly bodies: Counts

  /** `refuseBody`: what is to happen to a connection whose body comes in too many pieces. */
  constructor(bounds: ConnectionBounds, refuseBody: (socket: Socket) => void) {
    this.bounds = bounds
    const held = new HeldBodies(bounds.heldBytes, breakOffBody)
    this.bodies = { held, small: new SmallPieces(), refuse: refuseBody }
  }

  /** A new connection. It is let in, and its requests are started, once it could be heard. */
  arrive(socket: Socket): void {
    const address = limitedAddress(socket.remoteAddress ?? "")
    const connection: Connection = {
      socket,
      address,
      restsSince: performance.now(),
      unanswered: [],
      isLetIn: false,
      isOver: false
    }
    this.bySocket.set(socket, connection)
    onceHeard(() => this.letIn(connection))
  }

  /** Starts a request, at once or when those before it are answered. Too many ahead of their answers end the connection. */
  begin(message: IncomingMessage, response: ServerResponse, start: () => void): void {
    const { socket } = message
    const connection = this.bySocket.get(socket)
    // What comes in one piece is parsed in one go, also after the socket was closed for the first of it.
    if (connection === undefined || connection.isOver || !socket.writable) return
    const ahead = connection.unanswered.push({ response, start })
    if (ahead > this.bounds.unanswered) return void socket.destroy()
    countPieces(message, this.clientOf(message, connection), this.bodies)
    response.once("close", () => {
      letGo(message, this.bodies.held)
      this.next(connection)
    })
    this.toTheEnd(connection)
    // What is sent ahead can wait in the socket. (Node may read on once while a body is read.)
    if (ahead > 1) socket.pause()
    else if (connection.isLetIn) this.start(connection)
  }

  /**
   * What came over this socket is no HTTP, or not in time. Requests before it that came whole are answered first, and the
   * socket then ends by itself. Returns whether the input itself can be answered: nothing is owed but the answer to it.
   */
  breakOff(socket: Socket): "answer" | "wait" | "end" {
    const connection = this.bySocket.get(socket)
    const [current] = connection?.unanswered ?? []
    if (connection === undefined || current === undefined) return "answer"
    if (!current.response.req.complete) return current.response.headersSent ? "end" : "answer"
    connection.isOver = true
    if (connection.unanswered.at(-1)?.response.req.complete === false) connection.unanswered.pop()
    socket.pause()
    return "wait"
  }

  /** Whom a request comes from: behind a proxy all connections have one address. */
  private clientOf({ headers, socket }: IncomingMessage, { address }: Connection): string {
    const { trustedProxyHops: hops } = this.bounds
    return hops === 0 ? address : clientAddress(socket.remoteAddress, String(headers["x-forwarded-for"] ?? ""), hops)
  }

  private letIn(connection: Connection): void {
    const { address, socket } = connection
    if (socket.destroyed) return
    if (!this.makeRoom(address)) return void socket.destroy()
    connection.isLetIn = true
    this.count++
    this.byAddress.set(address, this.peersAt(address).add(connection))
    socket.once("close", () => this.forget(connection))
    this.start(connection)
  }

  private next(connection: Connection): void {
    connection.unanswered.shift()
    if (connection.isOver && connection.unanswered.length === 0) return void connection.socket.destroySoon()
    if (connection.unanswered.length === 1) connection.socket.resume()
    this.toTheEnd(connection)
    this.start(connection)
  }

  /** The request that is to be answered now is started when it is its address's turn. */
  private start(connection: Connection): void {
    if (isIdle(connection)) return
    const ready = this.ready.get(connection.address)
    if (ready === undefined) this.ready.set(connection.address, [connection])
    else ready.push(connection)
    if (!this.isStarting) setImmediate(this.startSome)
    this.isStarting = true
  }

  private readonly startSome = (): void => {
    const until = newcomersCome() ? 0 : performance.now() + START_MILLIS
    do this.startOne()
    while (this.ready.size > 0 && performance.now() < until)
    this.isStarting = this.ready.size > 0
    if (this.isStarting) setImmediate(this.startSome)
  }

  private startOne(): void {
    const [address, ready] = this.ready.entries().next().value!
    this.ready.delete(address)
    const { socket, unanswered } = ready.shift()!
    if (ready.length > 0) this.ready.set(address, ready)
    if (socket.writable) unanswered[0]?.start()
  }

  /** Where there are too many, of this address or in all, closes one at rest; false if there is none. */
  private makeRoom(address: string): boolean {
    const peers = this.peersAt(address)
    const isCrowded = peers.size >= this.bounds.connectionsPerAddress
    if (!isCrowded && this.count < this.bounds.connections) return true
    const closed = isCrowded ? longestAtRest(peers) : this.longestAtRestOfMost()
    if (closed === undefined) return false
    this.forget(closed)
    closed.socket.destroy()
    return true
  }

  /** Of the address that holds most connections, so that one that holds few is not closed for those of many. */
  private longestAtRestOfMost(): Connection | undefined {
    let found: Connection | undefined
    let most = 0
    for (const peers of this.byAddress.values()) {
      const candidate = peers.size > most ? longestAtRest(peers) : undefined
      if (candidate === undefined) continue
      found = candidate
      most = peers.size
    }
    return found
  }

  private peersAt(address: string): Peers {
    return this.byAddress.get(address) ?? new Set()
  }

  private toTheEnd(connection: Connection): void {
    connection.restsSince = performance.now()
    const peers = this.peersAt(connection.address)
    if (peers.delete(connection)) peers.add(connection)
  }

  private forget(connection: Connection): void {
    const peers = this.peersAt(connection.address)
    if (!peers.delete(connection)) return
    this.count--
    if (peers.size === 0) this.byAddress.delete(connection.address)
  }
}
