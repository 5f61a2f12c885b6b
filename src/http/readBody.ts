/**
 * The bytes of a request's body, read into one piece as they come, so that nothing larger than the body is kept while it
 * waits: what a socket hands over is cut from buffers of 64 KiB each.
 */
import type { IncomingMessage } from "node:http"
import { Data, Effect } from "effect"

export class BodyTooLarge extends Data.TaggedError("BodyTooLarge") {}
export class BodyCutOff extends Data.TaggedError("BodyCutOff") {}

const NOTHING = Buffer.alloc(0)

/** Collects pieces. One alone is kept as it is; of several the space is doubled, up to the limit. */
class Pieces {
  private bytes: Buffer = NOTHING
  private length = 0
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  /** False if it is too much. */
  add(piece: Buffer): boolean {
    const length = this.length + piece.length
    if (length > this.limit) return false
    if (this.length === 0) this.bytes = piece
    else {
      if (length > this.bytes.length) this.grow(length)
      piece.copy(this.bytes, this.length)
    }
    this.length = length
    return true
  }

  all(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  private grow(least: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.min(this.limit, Math.max(2 * this.bytes.length, least)))
    this.bytes.copy(grown, 0, 0, this.length)
    this.bytes = grown
  }
}

/** Reads until the end. What comes beyond the limit is let go by, so that the refusal can be read. */
export const readBody = (
  message: IncomingMessage,
  limitBytes: number
): Effect.Effect<Uint8Array, BodyTooLarge | BodyCutOff> =>
  Effect.callback((resume) => {
    const pieces = new Pieces(limitBytes)
    const onData = (piece: Buffer) => {
      if (pieces.add(piece)) return
      stop()
      message.resume()
      resume(Effect.fail(new BodyTooLarge()))
    }
    const onEnd = () => {
      stop()
      resume(Effect.succeed(pieces.all()))
    }
    const onClose = () => {
      stop()
      resume(Effect.fail(new BodyCutOff()))
    }
    const stop = () => message.off("data", onData).off("end", onEnd).off("close", onClose)
    if (message.destroyed) return onClose()
    message.on("data", onData).on("end", onEnd).on("close", onClose)
    return Effect.sync(stop)
  })
