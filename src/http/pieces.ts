/**
 * Counts what a request sends of its body as it is parsed, whoever reads it and whether or not, and refuses a body that
 * comes in more small pieces than there is room for. Knows not how that is said.
 */
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import type { HeldBodies } from "./heldBodies.ts"
import { hearNoBody } from "./parser.ts"
import type { SmallPieces, Verdict } from "./smallPieces.ts"

/** A smaller piece is a small one. */
const LEAST_BYTES = 512
/** Pieces of any length that each body may have, and one more for so many bytes, before they count for its client. */
const FREE_PIECES = 16
/** What keeping the smallest piece costs, about. */
const PIECE_BYTES = 512

interface Received {
  bytes: number
  pieces: number
  /** Pieces beyond those that it may have. */
  beyond: number
  /** Whether its bytes are kept until somebody has read them. */
  isHeld: boolean
  /** Whether the connection was ended here, to make room. */
  isBrokenOff: boolean
  /** Whether the body was refused here: what still comes of it is not heard, its end neither. */
  isRefused: boolean
}

const receivedOf = new WeakMap<object, Received>()

/** Counts a piece; returns how many more that makes than there were beyond those that the body may have. */
const countPiece = (received: Received, bytes: number): number => {
  received.bytes += bytes
  received.pieces++
  const more = received.pieces - FREE_PIECES - received.bytes / LEAST_BYTES - received.beyond
  if (more <= 0) return 0
  received.beyond += more
  return more
}

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

/** The request is answered, or its connection has gone: what still comes is let go by. */
export const letGo = (message: IncomingMessage, held: HeldBodies): void => {
  const received = receivedOf.get(message)
  if (received !== undefined) received.isHeld = false
  held.release(message)
}

/** What bodies count for: their bytes until they are read, and their small pieces. */
export interface Counts {
  readonly held: HeldBodies
  readonly small: SmallPieces
  /** What is to happen to a connection whose body comes in too many pieces. */
  readonly refuse: (socket: Socket) => void
}

/**
 * To be called before anything of the body is parsed: the parser hands each piece to `push`, and reads on if that is true.
 * `client`: whom its bytes and pieces are counted for.
 */
export const countPieces = (message: IncomingMessage, client: string, { held, refuse, small }: Counts): void => {
  const { "content-length": length = "0", "transfer-encoding": coding } = message.headers
  if (length === "0" && coding === undefined) return
  const { socket } = message
  const received = { bytes: 0, pieces: 0, beyond: 0, isHeld: true, isBrokenOff: false, isRefused: false }
  receivedOf.set(message, received)
  const push = message.push.bind(message)
  const end = (verdict: Verdict): void => {
    received.isRefused = true
    if (verdict === "noRoom") breakOffBody(message)
    else if (received.isHeld) refuse(socket)
    else socket.destroy()
  }
  // When it has been read, which may be long after it has come.
  message.once("end", () => held.release(message))
  message.push = (piece: unknown) => {
    if (received.isRefused) return false
    if (!(piece instanceof Uint8Array)) return push(piece)
    if (received.isHeld && !socket.destroyed) held.add(client, message, Math.max(piece.length, PIECE_BYTES))
    const beyond = countPiece(received, piece.length)
    const verdict = piece.length < LEAST_BYTES ? small.count(socket, client, beyond) : "heard"
    if (verdict !== "heard") end(verdict)
    else if (!socket.destroyed) return push(piece)
    hearNoBody(socket)
    return false
  }
}
