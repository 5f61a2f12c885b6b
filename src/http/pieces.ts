/**
 * Counts what a request sends of its body as it is parsed, whoever reads it and whether or not, and refuses a body that
 * comes in countless small pieces: each costs the parser about as much as a large one, before anybody's turn. Knows not how
 * that is said.
 */
import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import type { HeldBodies } from "./heldBodies.ts"
import { hearNoBody } from "./parser.ts"

/** Pieces of any length that each body may have. */
const FREE_PIECES = 16
/** Of the pieces beyond those, on average. */
const LEAST_BYTES = 512
/** Smaller pieces that a connection may send in all: a program that writes its bodies word by word needs some. */
const MOST_SMALL_PIECES = 1024
/** What keeping the smallest piece costs, about. */
const PIECE_BYTES = 512

interface Received {
  bytes: number
  pieces: number
  /** Pieces beyond those that it may have for its bytes. */
  small: number
  /** Whether its bytes are kept until somebody has read them. */
  isHeld: boolean
  /** Whether the connection was ended here, to make room. */
  isBrokenOff: boolean
  /** Whether the body was refused here: what still comes of it is not heard, its end neither. */
  isRefused: boolean
}

const receivedOf = new WeakMap<object, Received>()
/** The same pieces, of all bodies of a connection. */
const smallPiecesOf = new WeakMap<Socket, number>()

/** Counts a piece; whether its connection may send it. */
const isAllowed = (received: Received, socket: Socket, bytes: number): boolean => {
  received.bytes += bytes
  received.pieces++
  const small = Math.max(0, received.pieces - FREE_PIECES - received.bytes / LEAST_BYTES)
  const ofConnection = (smallPiecesOf.get(socket) ?? 0) + small - received.small
  received.small = small
  smallPiecesOf.set(socket, ofConnection)
  return ofConnection <= MOST_SMALL_PIECES
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

/** To be called before anything of the body is parsed: the parser hands each piece to `push`, and reads on if that is true. */
export const countPieces = (
  message: IncomingMessage,
  address: string,
  held: HeldBodies,
  refuse: (socket: Socket) => void
): void => {
  const { "content-length": length = "0", "transfer-encoding": coding } = message.headers
  if (length === "0" && coding === undefined) return
  const { socket } = message
  const received = { bytes: 0, pieces: 0, small: 0, isHeld: true, isBrokenOff: false, isRefused: false }
  receivedOf.set(message, received)
  const push = message.push.bind(message)
  // When it has been read, which may be long after it has come.
  message.once("end", () => held.release(message))
  message.push = (piece: unknown) => {
    if (received.isRefused) return false
    if (!(piece instanceof Uint8Array)) return push(piece)
    if (received.isHeld && !socket.destroyed) held.add(address, message, Math.max(piece.length, PIECE_BYTES))
    received.isRefused = !isAllowed(received, socket, piece.length)
    if (received.isRefused && received.isHeld) refuse(socket)
    else if (received.isRefused) socket.destroy()
    if (!received.isRefused && !socket.destroyed) return push(piece)
    hearNoBody(socket)
    return false
  }
}
