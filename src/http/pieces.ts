/**
 * Counts what a request sends of its body as it is parsed, whoever reads it and whether or not, and refuses a body that
 * comes in countless small pieces: each costs the parser about as much as a large one, before anybody's turn. Knows not how
 * that is said.
 */
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import type { HeldBodies } from "./heldBodies.ts"

/** Pieces of any length that a body may have. A program that writes a body word by word needs some. */
const FREE_PIECES = 1024
/** The same, for what still comes of a body that nobody reads any more. */
const FREE_PIECES_ANSWERED = 256
/** Of the pieces beyond those, on average. */
const LEAST_BYTES = 512

interface Received {
  bytes: number
  pieces: number
  free: number
  /** Whether its bytes are kept until somebody has read them. */
  isHeld: boolean
  /** Whether the connection was ended here, to make room. */
  isBrokenOff: boolean
  /** Whether the body was refused here: what still comes of it is not heard, its end neither. */
  isRefused: boolean
}

const receivedOf = new WeakMap<object, Received>()

/** The bytes of a body that have come so far. */
export const bytesReceived = (message: object): number => receivedOf.get(message)?.bytes ?? 0

/** Whether the body was broken off to make room, through no fault of its sender. */
export const wasBrokenOff = (message: object): boolean => receivedOf.get(message)?.isBrokenOff ?? false

/** Ends the connection of a body to make room for others. */
export const breakOffBody = (message: IncomingMessage): void => {
  const received = receivedOf.get(message)
  if (received !== undefined) received.isBrokenOff = true
  message.socket.destroy()
}

/** From now on nobody reads the body. */
export const expectNoMore = (message: IncomingMessage): void => {
  const received = receivedOf.get(message)
  if (received !== undefined) received.free = Math.min(received.free, received.pieces + FREE_PIECES_ANSWERED)
}

/** The request is answered, or its connection has gone: what still comes is let go by. */
export const letGo = (message: IncomingMessage, held: HeldBodies): void => {
  const received = receivedOf.get(message)
  if (received !== undefined) received.isHeld = false
  held.release(message)
}

/** To be called before anything of the body is parsed: the parser hands each piece to `push`, and reads on if that is true. */
export const countPieces = (
  message: IncomingMessage,
  address: string,
  held: HeldBodies,
  refuse: (socket: Socket) => void
): void => {
  const { "content-length": length = "0", "transfer-encoding": coding } = message.headers
  if (length === "0" && coding === undefined) return
  const received = { bytes: 0, pieces: 0, free: FREE_PIECES, isHeld: true, isBrokenOff: false, isRefused: false }
  receivedOf.set(message, received)
  const push = message.push.bind(message)
  // When it has been read, which may be long after it has come.
  message.once("end", () => held.release(message))
  message.push = (piece: unknown) => {
    if (received.isRefused) return false
    if (!(piece instanceof Uint8Array)) return push(piece)
    received.bytes += piece.length
    if (received.isHeld && !message.socket.destroyed) held.add(address, message, piece.length)
    received.pieces++
    if ((received.pieces - received.free) * LEAST_BYTES > received.bytes) {
      received.isRefused = true
      if (received.isHeld) refuse(message.socket)
      else message.socket.destroy()
      return false
    }
    // What has come in one packet is parsed to its end all the same.
    return message.socket.destroyed || push(piece)
  }
}
