/**
 * The bytes of bodies that have not come to their end, by client address. Thousands of connections could each send most
 * of a body and then nothing: where too much is held in all, the address that holds most loses the body it began first.
 */
import type { IncomingMessage } from "node:http"

interface Holder {
  bytes: number
  /** In the order in which they began. */
  readonly bodies: Map<IncomingMessage, number>
}

export class HeldBodies {
  private readonly byAddress = new Map<string, Holder>()
  private readonly most: number
  private total = 0

  constructor(most: number) {
    this.most = most
  }

  /** Bytes of a body have come. */
  add(address: string, message: IncomingMessage, bytes: number): void {
    const holder = this.byAddress.get(address) ?? { bytes: 0, bodies: new Map() }
    this.byAddress.set(address, holder)
    holder.bodies.set(message, (holder.bodies.get(message) ?? 0) + bytes)
    holder.bytes += bytes
    this.total += bytes
    while (this.total > this.most) this.breakOffFirst()
  }

  /** The body has come to its end, or never will. */
  release(address: string, message: IncomingMessage): void {
    const holder = this.byAddress.get(address)
    const bytes = holder?.bodies.get(message)
    if (holder === undefined || bytes === undefined) return
    holder.bodies.delete(message)
    holder.bytes -= bytes
    this.total -= bytes
    if (holder.bodies.size === 0) this.byAddress.delete(address)
  }

  private breakOffFirst(): void {
    const [address, holder] = [...this.byAddress].reduce((most, next) => (next[1].bytes > most[1].bytes ? next : most))
    const [first] = holder.bodies.keys()
    this.release(address, first!)
    first!.socket.destroy()
  }
}
