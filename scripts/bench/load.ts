/**
 * A minimal load generator for an HTTP server, in a process of its own. Each caller sends prepared
 * requests on one connection and reads only the status line and the length of each answer.
 * `startLoad` starts the process; as a main module, this file is the process.
 */
import { once } from "node:events"
import { connect } from "node:net"
import { computeRounds, quantile, startRounds } from "./rounds.ts"

/** A raw request, and the length of its answer's body. */
export interface Message {
  readonly text: string
  readonly answerBytes: number
}

export interface Load {
  readonly port: number
  readonly callers: number
  readonly milliseconds: number
  readonly messages: ReadonlyArray<Message>
}

export interface LoadFindings {
  readonly requests: number
  readonly seconds: number
  /** Milliseconds; the first request of each caller is not counted. */
  readonly p50: number
  readonly p99: number
}

const HEAD_END = "\r\n\r\n"
const LENGTH = /\r\ncontent-length: (\d+)/i

/** The length of the whole answer in bytes, from its first chunk. */
const answerLength = (chunk: Buffer, answerBytes: number): number => {
  const end = chunk.indexOf(HEAD_END)
  const head = chunk.toString("latin1", 0, end === -1 ? chunk.length : end)
  if (end === -1 || !head.startsWith("HTTP/1.1 200 ")) throw new Error(`answered ${head.split("\r\n")[0]}`)
  const length = Number(LENGTH.exec(head)?.[1])
  if (length !== answerBytes) throw new Error(`answered ${length} bytes instead of ${answerBytes}`)
  return end + HEAD_END.length + length
}

interface Prepared {
  readonly bytes: Buffer
  readonly answerBytes: number
}

interface Round {
  readonly port: number
  readonly callers: number
  readonly messages: ReadonlyArray<Prepared>
  /** End of the round, on the clock of `performance`. */
  readonly until: number
  /**
   * Milliseconds per request, without the first of each caller: those all arrive at once on new
   * connections.
   */
  readonly elapsed: Array<number>
}

/** One caller, starting with message `first`; resolves once its last answer is complete. */
const call = async ({ callers, elapsed, messages, port, until }: Round, first: number): Promise<void> => {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true })
  await once(socket, "connect")
  return new Promise((resolve, reject) => {
    let [index, left, sent] = [first, 0, 0]
    const message = () => messages[index % messages.length]!
    const send = () => {
      sent = performance.now()
      socket.write(message().bytes)
    }
    socket.on("data", (chunk) => {
      try {
        left = (left === 0 ? answerLength(chunk, message().answerBytes) : left) - chunk.length
      } catch (error) {
        return reject(error)
      }
      if (left > 0) return
      const now = performance.now()
      if (index !== first) elapsed.push(now - sent)
      index += callers
      if (now < until) send()
      else socket.end(resolve)
    })
    socket.once("error", reject)
    socket.once("close", () => reject(new Error("the connection was closed")))
    send()
  })
}

const run = async ({ callers, messages, milliseconds, port }: Load): Promise<LoadFindings> => {
  const prepared = messages.map(({ answerBytes, text }) => ({ bytes: Buffer.from(text), answerBytes }))
  const elapsed: Array<number> = []
  const started = performance.now()
  const round = { port, callers, messages: prepared, until: started + milliseconds, elapsed }
  await Promise.all(Array.from({ length: callers }, (_, first) => call(round, first)))
  const seconds = (performance.now() - started) / 1000
  return { requests: elapsed.length + callers, seconds, p50: quantile(elapsed, 0.5), p99: quantile(elapsed, 0.99) }
}

/** Starts the process; it runs until the end of the task. */
export const startLoad = () => startRounds<Load, LoadFindings>(import.meta.filename)

if (import.meta.main) computeRounds(run)
