/**
 * A fake mail server that accepts, refuses or hangs as the test says, and keeps what it accepted.
 * It implements a minimal SMTP.
 */
import { createServer, type Socket } from "node:net"
import { Effect, Exit, Scope } from "effect"
import { useStarted } from "./runningService.ts"

/** "silent" leaves a complete mail unacknowledged until `release`. */
type Behavior = "accept" | "refuse" | "close after accepting" | "silent"

interface ReceivedMail {
  readonly to: string
  readonly source: string
}

export const keysIn = (source: string) => source.replace(/=\r?\n/g, "").match(/slr_live_[0-9A-Za-z]{38}/g) ?? []

const converse = (
  socket: Socket,
  behavior: () => Behavior,
  received: (mail: ReceivedMail) => void,
  later: (answer: () => void) => void
) => {
  let to = ""
  let data: string | undefined
  let rest = ""
  const command = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === "RCPT") to = /<([^>]*)>/.exec(line)?.[1] ?? ""
    if (verb === "DATA") {
      data = ""
      return socket.write("354 go on\r\n")
    }
    if (verb === "QUIT") return socket.end("221 bye\r\n")
    return socket.write(behavior() === "refuse" && verb === "RCPT" ? "451 not now\r\n" : "250 ok\r\n")
  }
  const dataLine = (line: string) => {
    if (line !== ".") {
      data += `${line}\n`
      return
    }
    received({ to, source: data ?? "" })
    data = undefined
    if (behavior() === "close after accepting") socket.destroy()
    else if (behavior() === "silent") later(() => socket.write("250 taken\r\n"))
    else socket.write("250 taken\r\n")
  }
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => {
    const lines = (rest + chunk.toString()).split("\r\n")
    rest = lines.pop()!
    for (const line of lines) data === undefined ? command(line) : dataLine(line)
  })
  socket.write("220 test\r\n")
}

/** A server that listens until the scope closes. */
export const mailServer = Effect.gen(function* () {
  const state: { behavior: Behavior; readonly mails: Array<ReceivedMail> } = { behavior: "accept", mails: [] }
  const waiting: Array<() => void> = []
  const server = createServer((socket) =>
    converse(
      socket,
      () => state.behavior,
      (mail) => state.mails.push(mail),
      (answer) => waiting.push(answer)
    )
  )
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const release = () => {
    for (const answer of waiting.splice(0)) answer()
  }
  /** The keys in the mails to an address. */
  const keysTo = (email: string) => state.mails.filter(({ to }) => to === email).flatMap(({ source }) => keysIn(source))
  return { state, release, keysTo, url: `smtp://127.0.0.1:${port}?ignoreTLS=true` }
})

export const useMailServer = () =>
  useStarted(async () => {
    const scope = Scope.makeUnsafe()
    const server = await Effect.runPromise(Scope.provide(mailServer, scope))
    return { ...server, stop: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
  })
