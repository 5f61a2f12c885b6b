/**
 * How many small pieces of bodies are heard. Each costs the parser about as much as a large one, and all that a packet
 * holds is parsed in one go, before anybody's turn: so they are counted of a connection and of all connections in a round
 * of the event loop, and of a client over time. What is a small piece, and how it is said, is not known here.
 */
import type { Socket } from "node:net"
import { makeBucket } from "../services/RateLimits.ts"

/** Of a client, beyond those that each body may have: so many at once, and as many again in four seconds. */
const OF_A_CLIENT = { calls: 8192, seconds: 4 }
/** Of a connection in one round: what comes at once and not word by word. */
const OF_A_CONNECTION = 1024
/** Of all connections in one round: about as many as take the thread for twenty milliseconds. */
const OF_ALL = 8192
/** Of a connection in a round in which there are too many in all: a slow writer's are no more. */
const OF_A_SLOW_WRITER = 16

/** `tooMany`: of this client or connection. `noRoom`: of all, and this one is among those who send many. */
export type Verdict = "heard" | "tooMany" | "noRoom"

export class SmallPieces {
  private readonly ofClients = makeBucket(OF_A_CLIENT)
  /** Those of this round. */
  private readonly ofConnections = new Map<Socket, number>()
  private ofAll = 0

  /** Counts a small piece of a connection, and `beyond` for its client; what is to become of it. */
  count(socket: Socket, client: string, beyond: number): Verdict {
    if (this.ofAll++ === 0) setImmediate(this.endRound)
    const ofConnection = (this.ofConnections.get(socket) ?? 0) + 1
    this.ofConnections.set(socket, ofConnection)
    if (this.ofAll > OF_ALL && ofConnection > OF_A_SLOW_WRITER) return "noRoom"
    if (ofConnection > OF_A_CONNECTION) return "tooMany"
    return beyond > 0 && this.isTooMuch(client, beyond) ? "tooMany" : "heard"
  }

  private isTooMuch(client: string, beyond: number): boolean {
    const now = performance.now()
    if (this.ofClients.wait(client, now) > 0) return true
    this.ofClients.add(client, now, beyond)
    return false
  }

  private readonly endRound = (): void => {
    this.ofAll = 0
    this.ofConnections.clear()
  }
}
