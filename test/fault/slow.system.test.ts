/**
 * System test of callers that send as slowly as they can: the server disconnects them on its own
 * clock, and serves others meanwhile.
 */
import { connect } from "node:net"
import { setTimeout } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type RunningService, startService } from "../support/runningService.ts"

/** Server limits, and the delay that a busy machine may add. */
const HEADERS_SECONDS = 10
const REQUEST_SECONDS = 15
const LATE_SECONDS = 8
const DRIP_MILLIS = 700

let running: RunningService
beforeAll(async () => {
  running = await startService({})
})
afterAll(() => running.stop())

interface Ending {
  readonly answer: string
  readonly seconds: number
}

/** Opens a connection, sends `opening`, then one byte at a time, until the server closes it. */
const drip = (opening: string): Promise<Ending> =>
  new Promise((resolve) => {
    const started = performance.now()
    const socket = connect(Number(new URL(running.base).port), "127.0.0.1")
    let answer = ""
    const dripping = setInterval(() => socket.write("x"), DRIP_MILLIS)
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1")
    })
    socket.on("error", () => undefined)
    socket.on("close", () => {
      clearInterval(dripping)
      resolve({ answer, seconds: (performance.now() - started) / 1000 })
    })
    socket.write(opening)
  })

/** A normal caller during the attack. */
const honest = async (seconds: number): Promise<ReadonlyArray<number>> => {
  const statuses: Array<number> = []
  for (let call = 0; call < seconds; call++) {
    statuses.push((await running.call("GET", "/health")).status)
    await setTimeout(1000)
  }
  return statuses
}

const expectClosed = ({ answer, seconds }: Ending, limitSeconds: number) => {
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain("application/problem+json")
  expect(seconds).toBeGreaterThan(limitSeconds - 1)
  expect(seconds).toBeLessThan(limitSeconds + LATE_SECONDS)
}

describe("slow callers [F34]", () => {
  it("of headers and of bodies are disconnected in time with a problem, and do not affect others", async () => {
    const body =
      "POST /v1/keys/sandbox HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{"
    const [headers, bodies, statuses] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => drip("GET /health HTTP/1.1\r\nHost: a\r\nX-Slow: "))),
      Promise.all(Array.from({ length: 10 }, () => drip(body))),
      honest(REQUEST_SECONDS)
    ])
    for (const ending of headers) expectClosed(ending, HEADERS_SECONDS)
    for (const ending of bodies) expectClosed(ending, REQUEST_SECONDS)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})
