/**
 * More connections from one address than the service has places, each of them useless: whoever asks meanwhile, from the
 * same address too, is answered at once, and the memory that unread answers take comes back.
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
/** Fewer than may wait at the door of the service, so that none has to knock twice. */
const OPENED_AT_ONCE = 50
const HONEST_CALLS = 20
const HONEST_PAUSE_MILLIS = 50
/** A caller who is kept out has waited longer. */
const PROMPT_MILLIS = 2_000
const UNREAD_CROWD = 1_500
/** What the heap of a fresh process takes for a flood that leaves nothing behind; kept requests would take twice that. */
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

/** Opens connections that send the text and never close by themselves, and waits until all have; says how to end them. */
const open = async (count: number, text: string, isRead = true): Promise<() => void> => {
  const sockets: Array<Socket> = []
  for (let opened = 0; opened < count; opened++) {
    const socket = connect({ port: node.port, host: "127.0.0.1", allowHalfOpen: true })
    // A service that refuses them may do so while they open.
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

/** Callers with a connection of their own each; how each was answered, and how long the slowest waited. */
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

describe(`${CROWD} connections of one address [F34]`, () => {
  it.each([
    ["that say nothing", ""],
    ["with half a head", `GET /health HTTP/1.1\r\n${HEAD}X-Slow: `],
    ["with half a body", POST],
    ["kept alive after an answer", GET("/health")],
    ["that ask for another protocol", `GET /health HTTP/1.1\r\n${HEAD}Connection: upgrade\r\nUpgrade: other\r\n\r\n`]
  ])(
    "%s keep nobody out",
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

describe(`${UNREAD_CROWD} connections that ask a hundred times and read nothing [F34]`, () => {
  it(
    "hold little memory, and keep nobody out [F64]",
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
