/**
 * Callers of an HTTP server in a process of their own, with as little work as will do: each writes a request that was made
 * before, waits for an answer of the expected length with status 200, and writes the next on the same connection. Reads
 * nothing but the status line and the length. `startLoad` starts the process; run by name, this file is the process.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { connect } from "node:net"
import { atEnd } from "../harness.ts"

/** A request as it goes over the wire, and the length of its answer's body. */
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
  /** Milliseconds, without each caller's first request. */
  readonly p50: number
  readonly p99: number
}

interface Outcome {
  readonly found?: LoadFindings
  readonly failure?: string
}

const HEAD_END = "\r\n\r\n"
const LENGTH = /\r\ncontent-length: (\d+)/i

/** The bytes of the whole answer, from the first piece of it. */
const answerLength = (piece: Buffer, answerBytes: number): number => {
  const end = piece.indexOf(HEAD_END)
  const head = piece.toString("latin1", 0, end === -1 ? piece.length : end)
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
  /** On the clock of `performance`. */
  readonly until: number
  /** Milliseconds of every request but each caller's first, which all come at once upon new connections. */
  readonly elapsed: Array<number>
}

/** One caller that begins with message `first`; resolves when the answer that is under way at the end has come. */
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
    socket.on("data", (piece) => {
      try {
        left = (left === 0 ? answerLength(piece, message().answerBytes) : left) - piece.length
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
  const sorted = Float64Array.from(elapsed).sort()
  const quantile = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return { requests: sorted.length + callers, seconds, p50: quantile(0.5), p99: quantile(0.99) }
}

export interface LoadProcess {
  readonly run: (load: Load) => Promise<LoadFindings>
}

/** After the time of a round, for the answers that are under way at its end. */
const PATIENCE_MILLISECONDS = 30_000

const ask = async (child: ChildProcess, load: Load): Promise<LoadFindings> => {
  const answered = once(child, "message", { signal: AbortSignal.timeout(load.milliseconds + PATIENCE_MILLISECONDS) })
  child.send(load)
  const [{ failure, found }] = (await answered) as [Outcome]
  if (found === undefined) throw new Error(`port ${load.port} with ${load.callers} callers: ${failure}`)
  return found
}

/** Until the end of the task. */
export const startLoad = (): LoadProcess => {
  const child = fork(import.meta.filename)
  atEnd(() => child.disconnect())
  return { run: (load) => ask(child, load) }
}

if (import.meta.main) {
  process.on("message", (load: Load) => {
    const tell = (outcome: Outcome) => void process.send?.(outcome)
    run(load).then(
      (found) => tell({ found }),
      (error: Error) => tell({ failure: error.message })
    )
  })
}
