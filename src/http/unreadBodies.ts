/**
 * Bounds on request bodies: chunks per body, and total bytes of bodies not yet read to their end.
 * They are enforced where the parser delivers chunks, even if no handler reads them. Decides which
 * body is refused, not how.
 */
import type { IncomingMessage } from "node:http"

/** Chunks allowed per body, plus one for each 512 bytes of it. */
const CHUNKS = 1024
/** The same for a pipelined body, because one packet may hold many pipelined bodies. */
const CHUNKS_AHEAD = 16
/** Approximate memory of even the smallest chunk. */
const CHUNK_BYTES = 512

interface Body {
  received: number
  chunks: number
  /** Its share of the total of unread bytes. */
  unread: number
  isRefused: boolean
}

/** The key of a message's body. */
const BODY = Symbol("body")

interface Watched {
  [BODY]?: Body
}

/** The bytes of a body that have arrived; 0 if it was refused for lack of room. */
export const bytesReceived = (message: Watched): number => message[BODY]?.received ?? 0

export type BodyRefusal = "tooManyChunks" | "noRoom"

export class UnreadBodies {
  /** Oldest first. */
  private readonly unread = new Map<IncomingMessage, Body>()
  private total = 0
  private readonly maxBytes: number
  private readonly onRefusal: (message: IncomingMessage, refusal: BodyRefusal) => void

  constructor(maxBytes: number, onRefusal: (message: IncomingMessage, refusal: BodyRefusal) => void) {
    this.maxBytes = maxBytes
    this.onRefusal = onRefusal
  }

  /** Call before the body is parsed: the parser hands each chunk to `push`, and null at the end. */
  watch(message: IncomingMessage & Watched, isAhead: boolean): void {
    const { "content-length": length = "0", "transfer-encoding": coding } = message.headers
    if (length === "0" && coding === undefined) return
    const body = { received: 0, chunks: 0, unread: 0, isRefused: false }
    message[BODY] = body
    this.unread.set(message, body)
    const release = () => this.release(message)
    message.once("end", release).once("close", release)
    const push = message.push.bind(message)
    message.push = (chunk: unknown) => {
      if (chunk instanceof Uint8Array && !body.isRefused) {
        body.received += chunk.length
        body.chunks++
        if (body.chunks > (isAhead ? CHUNKS_AHEAD : CHUNKS) + body.received / CHUNK_BYTES)
          this.refuse(message, body, "tooManyChunks")
        else this.hold(message, body, Math.max(chunk.length, CHUNK_BYTES))
      }
      return !body.isRefused && push(chunk)
    }
  }

  /** Stops counting a body. Call when it has been read, never will be, or has been answered. */
  release(message: IncomingMessage): void {
    this.total -= this.unread.get(message)?.unread ?? 0
    this.unread.delete(message)
  }

  private hold(message: IncomingMessage, body: Body, bytes: number): void {
    if (!this.unread.has(message)) return
    body.unread += bytes
    this.total += bytes
    for (const [oldest, held] of this.unread) {
      if (this.total <= this.maxBytes) return
      // The oldest is refused, because it is likely stalled. It does not count against its key.
      held.received = 0
      this.refuse(oldest, held, "noRoom")
    }
  }

  private refuse(message: IncomingMessage, body: Body, refusal: BodyRefusal): void {
    body.isRefused = true
    this.release(message)
    this.onRefusal(message, refusal)
  }
}
