/**
 * System tests of more idle connections from one address than the service accepts. Other callers,
 * even from the same address, are answered at once, and the memory of unread answers stays bounded.
 */
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { LISTENER_LIMITS } from "../../src/http/listener.ts"
import { useDatabase } from "../support/database.ts"
import { residentBytes } from "../support/procfs.ts"
import { type ServiceProcess, startServiceProcess } from "../support/serviceProcess.ts"
import { pause } from "../support/until.ts"
import { milliseconds } from "./scale.ts"

const CROWD = LISTENER_LIMITS.connections + 50
/** Below the listen backlog, so that no connection attempt is dropped and retried. */
const OPENED_AT_ONCE = 50
const HONEST_CALLS = 20
const HONEST_PAUSE_MILLIS = 50
/** A blocked caller waits longer. */
const PROMPT_MILLIS = 2_000
const UNREAD_CROWD = 1_500
/** Normal heap growth of a fresh process; retained requests would take twice that. */
const MAX_GROWTH_BYTES = 400 * 1024 * 1024

const database = useDatabase()
let node: ServiceProcess
beforeAll(async () => {
  node = await startServiceProcess({ DATABASE_URL: database().address })
})
afterAll(() => node.kill("SIGTERM"))

const HEAD = "Host: a\r\n"
const GET = (path: string) => `GET ${path} HTTP/1.1\r\n${HEAD}\r\n`
const POST = `POST /v1/keys/sandbox HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n{`

/** Opens connections that send a text and never close; returns a function that destroys them. */
const open = async (count: number, text: string, isRead = true): Promise<() => void> => {
  const sockets: Array<Socket> = []
  for (let opened = 0; opened < count; opened++) {
    const socket = connect({ port: node.port, host: "127.0.0.1", allowHalfOpen: true })
    // The service may already reset a connection while it opens.
    socket.on("error", () => undefined)
    if (isRead) socket.resume()
    socket.write(text)
    sockets.push(socket)
    if (opened % OPENED_AT_ONCE === 0) await Promise.race([once(socket, "connect"), once(socket, "close")])
  }
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

/** Sequential calls on new connections; returns the distinct answers and the longest wait. */
const honest = async () => {
  const answers = new Set<number | string>()
  let slowest = 0
  for (let call = 0; call < HONEST_CALLS; call++) {
    const begun = performance.now()
    const answer = node.call("GET", "/health", { headers: { connection: "close" } })
    answers.add(
      await answer.then(
        ({ status }) => status,
        () => "no answer"
      )
    )
    slowest = Math.max(slowest, performance.now() - begun)
    await pause(HONEST_PAUSE_MILLIS)
  }
  return { answers: [...answers], slowest }
}

describe(`${CROWD} connections from one address [F34]`, () => {
  it.each([
    ["without any data", ""],
    ["with incomplete headers", `GET /health HTTP/1.1\r\n${HEAD}X-Slow: `],
    ["with an incomplete body", POST],
    ["kept alive after an answer", GET("/health")],
    ["that request a protocol upgrade", `GET /health HTTP/1.1\r\n${HEAD}Connection: upgrade\r\nUpgrade: other\r\n\r\n`]
  ])(
    "%s do not block other callers",
    async (_, text) => {
      const end = await open(CROWD, text)
      const { answers, slowest } = await honest()
      end()
      expect(answers).toEqual([200])
      expect(slowest).toBeLessThan(PROMPT_MILLIS)
    },
    milliseconds(30_000)
  )
})

describe(`${UNREAD_CROWD} connections that send a hundred requests each and read no answer [F34]`, () => {
  it(
    "take little memory and do not block other callers [F64]",
    async () => {
      const before = residentBytes(node.pid)
      const end = await open(UNREAD_CROWD, GET("/v1/rules").repeat(100), false)
      const { answers } = await honest()
      const after = residentBytes(node.pid)
      end()
      expect(answers).toEqual([200])
      if (before !== undefined && after !== undefined) expect(after - before).toBeLessThan(MAX_GROWTH_BYTES)
    },
    milliseconds(30_000)
  )
})
