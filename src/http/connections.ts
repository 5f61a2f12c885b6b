/**
 * Open connections of the listener: how many are allowed, which one is closed to make room, and how
 * many requests may be pipelined. Slow, silent and stalled connections end by the listener's
 * timeouts.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { limitedAddress } from "./address.ts"
import type { UnreadBodies } from "./unreadBodies.ts"

export interface ConnectionBounds {
  /** Connections in all. */
  readonly connections: number
  /** Connections of one client address. */
  readonly connectionsPerAddress: number
  /** Requests of one connection whose answers have not been sent in full. */
  readonly unanswered: number
}

interface UnansweredRequest {
  readonly response: ServerResponse
  /** Lets the service handle the request. */
  readonly start: () => void
}

interface Connection {
  readonly socket: Socket
  readonly address: string
  /** In order. Only the first has been started; the others wait for its answer. */
  readonly unanswered: Array<UnansweredRequest>
  /** The last answered request, if its body has not arrived in full. */
  answeredEarly: IncomingMessage | undefined
  /** The input after them is not HTTP, so the connection ends with their answers. */
  isOver: boolean
}

/** Connections of one address, least recently active first. */
type Peers = Set<Connection>

/** The server waits for the client to send a request, or the rest of one. */
const isResting = ({ unanswered: [current] }: Connection): boolean =>
  current === undefined || !(current.response.headersSent || current.response.req.complete)

/** The client has an answer to read. Event streams count, too. */
const isReading = ({ unanswered: [current] }: Connection): boolean => current?.response.headersSent === true

const first = (peers: Peers, test: (connection: Connection) => boolean): Connection | undefined => {
  for (const connection of peers) if (test(connection)) return connection
  return undefined
}

/** The connection of an address to close; undefined if the service is working for all of them. */
const longestAtRest = (peers: Peers): Connection | undefined => first(peers, isResting) ?? first(peers, isReading)

export class Connections {
  private readonly bounds: ConnectionBounds
  private readonly bodies: UnreadBodies
  private readonly bySocket = new WeakMap<Socket, Connection>()
  private readonly byAddress = new Map<string, Peers>()
  private readonly onAnswered: () => void
  private count = 0

  /** @param onAnswered called after each answer */
  constructor(bounds: ConnectionBounds, bodies: UnreadBodies, onAnswered: () => void) {
    this.bounds = bounds
    this.bodies = bodies
    this.onAnswered = onAnswered
  }

  /** Admits a new connection; false if there is no room for it. */
  arrive(socket: Socket): boolean {
    const address = limitedAddress(socket.remoteAddress ?? "")
    if (!this.makeRoom(address)) return false
    const connection = { socket, address, unanswered: [], answeredEarly: undefined, isOver: false }
    this.bySocket.set(socket, connection)
    this.byAddress.set(address, this.peersAt(address).add(connection))
    this.count++
    socket.once("close", () => this.forget(connection))
    return true
  }

  /** Starts a request, at once or after earlier ones. Too many pipelined ones end the connection. */
  begin(message: IncomingMessage, response: ServerResponse, start: () => void): void {
    const { socket } = message
    const connection = this.bySocket.get(socket)
    // A packet is parsed to its end, even if the socket was closed for the first request in it.
    if (connection === undefined || connection.isOver || !socket.writable) return
    const ahead = connection.unanswered.push({ response, start })
    if (ahead > this.bounds.unanswered) return void socket.destroy()
    this.bodies.watch(message, ahead > 1)
    response.once("close", () => {
      this.bodies.release(message)
      this.next(connection)
      this.onAnswered()
    })
    this.toTheEnd(connection)
    // Pipelined input can wait in the socket. (Node may read on once while a body is read.)
    if (ahead > 1) socket.pause()
    // Waits until the parser has delivered a body that came with the head; it is then read at once.
    else process.nextTick(start)
  }

  /**
   * Handles input that is not HTTP or came too late. Complete requests before it are answered
   * first, and then the socket closes. Returns "answer" if no other answer is due before the
   * refusal, and "end" if an answer to the broken request has begun.
   */
  breakOff(socket: Socket): "answer" | "wait" | "end" {
    const connection = this.bySocket.get(socket)
    const [current] = connection?.unanswered ?? []
    if (connection === undefined) return "answer"
    if (current === undefined) return connection.answeredEarly?.complete === false ? "end" : "answer"
    if (!current.response.req.complete) return current.response.headersSent ? "end" : "answer"
    connection.isOver = true
    if (connection.unanswered.at(-1)?.response.req.complete === false) connection.unanswered.pop()
    socket.pause()
    return "wait"
  }

  /** Whether the client would take the next bytes on the socket for the answer to this request. */
  isNext(message: IncomingMessage): boolean {
    const [current] = this.bySocket.get(message.socket)?.unanswered ?? []
    return current?.response.req === message && !current.response.headersSent && message.socket.writable
  }

  /** Closes the connections that have sent nothing yet. */
  closeSilent(): void {
    for (const peers of this.byAddress.values())
      for (const { socket } of peers) if (socket.bytesRead === 0) socket.destroy()
  }

  private next(connection: Connection): void {
    const { socket, unanswered } = connection
    const request = unanswered.shift()?.response.req
    connection.answeredEarly = request?.complete === false ? request : undefined
    if (connection.isOver && unanswered.length === 0) return void socket.destroySoon()
    if (unanswered.length === 1) socket.resume()
    this.toTheEnd(connection)
    const [following] = unanswered
    // Serves other connections in between.
    if (following !== undefined) setImmediate(() => socket.writable && following.start())
  }

  /** Closes a connection at rest if there are too many; false if there is none to close. */
  private makeRoom(address: string): boolean {
    const peers = this.peersAt(address)
    const isCrowded = peers.size >= this.bounds.connectionsPerAddress
    if (!isCrowded && this.count < this.bounds.connections) return true
    const closed = isCrowded ? longestAtRest(peers) : this.longestAtRestOfLargest()
    if (closed === undefined) return false
    this.forget(closed)
    closed.socket.destroy()
    return true
  }

  /** Taken from the address with the most connections, so that it cannot crowd out the others. */
  private longestAtRestOfLargest(): Connection | undefined {
    let found: Connection | undefined
    let largest = 0
    for (const peers of this.byAddress.values()) {
      const candidate = peers.size > largest ? longestAtRest(peers) : undefined
      if (candidate === undefined) continue
      found = candidate
      largest = peers.size
    }
    return found
  }

  private peersAt(address: string): Peers {
    return this.byAddress.get(address) ?? new Set()
  }

  private toTheEnd(connection: Connection): void {
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
