/**
 * The bytes of bodies that have come and have not been read to their end. Thousands of connections could each send most of
 * a body and then hardly anything: where too much is held in all, bodies are broken off, the one that began first before
 * the others, so that nothing helps a slow one but to begin again. Of an address that holds a good part of it all, its own
 * go first. Those that hold little beside the others are spared: a slow one of theirs would always be the first that began.
 */
import type { IncomingMessage } from "node:http"

/** An address that holds more than this part of all is the first to lose a body. */
const GOOD_PART = 1 / 8
/** An address that holds less than this part of what one holds on average loses none. All of them hold less than half. */
const LITTLE = 1 / 2

interface Held {
  readonly address: string
  bytes: number
}

export class HeldBodies {
  /** In the order in which they began. */
  private readonly bodies = new Map<IncomingMessage, Held>()
  private readonly byAddress = new Map<string, number>()
  private readonly most: number
  private readonly breakOff: (message: IncomingMessage) => void
  private total = 0

  constructor(most: number, breakOff: (message: IncomingMessage) => void) {
    this.most = most
    this.breakOff = breakOff
  }

  /** Bytes of a body have come. */
  add(address: string, message: IncomingMessage, bytes: number): void {
    const held = this.bodies.get(message) ?? { address, bytes: 0 }
    this.bodies.set(message, held)
    held.bytes += bytes
    this.count(address, bytes)
    while (this.total > this.most) this.breakOffOne()
  }

  /** The body has been read to its end, or never will be. */
  release(message: IncomingMessage): void {
    const held = this.bodies.get(message)
    if (held === undefined) return
    this.bodies.delete(message)
    this.count(held.address, -held.bytes)
  }

  private count(address: string, bytes: number): void {
    const sum = (this.byAddress.get(address) ?? 0) + bytes
    if (sum === 0) this.byAddress.delete(address)
    else this.byAddress.set(address, sum)
    this.total += bytes
  }

  private breakOffOne(): void {
    const losers = this.losers()
    for (const [message, { address }] of this.bodies) {
      if (!losers.has(address)) continue
      this.release(message)
      this.breakOff(message)
      return
    }
  }

  /** The addresses of which one loses a body. */
  private losers(): ReadonlySet<string> {
    const sums = [...this.byAddress]
    const [largest, bytes] = sums.reduce((most, next) => (next[1] > most[1] ? next : most))
    if (bytes > this.total * GOOD_PART) return new Set([largest])
    const little = (this.total / sums.length) * LITTLE
    return new Set(sums.filter(([, sum]) => sum >= little).map(([address]) => address))
  }
}
