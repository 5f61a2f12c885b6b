/**
 * System tests of hostile requests by the thousand against a service process: no internal error,
 * only small problem documents, and no memory leak.
 */
import { connect } from "node:net"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { useDatabase } from "../support/database.ts"
import { fewAtOnce } from "../support/fewAtOnce.ts"
import { ranMillis, residentBytes } from "../support/procfs.ts"
import { projection } from "../support/requests.ts"
import { type ServiceProcess, searchedLogs, startServiceProcess } from "../support/serviceProcess.ts"
import { STRIPE_SETTINGS } from "../support/settings.ts"
import { hostileBodies } from "./hostileBodies.ts"
import { hostileRequests } from "./hostileRequests.ts"
import { milliseconds, report, SHARED_CACHES, seed, times } from "./scale.ts"

const BODIES = times(1100)
const REQUESTS = times(400)
const AT_ONCE = 16
const MAX_PROBLEM_BYTES = 32 * 1024
const MAX_GROWTH_BYTES = 50 * 1024 * 1024
const QUIET_MILLIS = 2000
/**
 * Limit for the 99th percentile of the service's CPU time during a request, with AT_ONCE requests
 * in flight.
 */
const ANSWER_MILLIS = 50

const database = useDatabase()
let node: ServiceProcess
let key: string

beforeAll(async () => {
  node = await startServiceProcess({
    DATABASE_URL: database().address,
    SANDBOX_MONTHLY_CALLS: "1000000",
    ...STRIPE_SETTINGS
  })
  key = await node.mint()
})
afterAll(() => node.kill("SIGTERM"))

const statuses = new Map<number, number>()
/** The tool server answers messages that it cannot parse with a JSON-RPC error. */
const isRpcError = (text: string) => /^\{"jsonrpc":"2\.0",/.test(text) && /"error":\{"code":-\d+,/.test(text)

/** What is wrong with an answer; undefined if it is as documented. */
const faultOf = (status: number, type: string | undefined, text: string): string | undefined => {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (status >= 500) return `status ${status}`
  if (status < 400) return undefined
  if (text.length > MAX_PROBLEM_BYTES) return `${text.length} characters`
  if (/\bat .*\.ts:\d|node_modules|SQLSTATE/.test(text)) return "tells of the inside"
  // An answer to HEAD has the content type and no body.
  if (type?.startsWith("application/json")) return text === "" || isRpcError(text) ? undefined : "no JSON-RPC error"
  return type === "application/problem+json" ? undefined : `content type ${type}`
}

const shown = (bytes: Uint8Array | string) => JSON.stringify(Buffer.from(bytes).toString("latin1").slice(0, 300))

/** Whether an answer is complete; the connection may stay open. */
const isWhole = (answer: string, request: string): boolean => {
  const end = answer.indexOf("\r\n\r\n")
  if (end < 0) return false
  const length = /^content-length: (\d+)$/im.exec(answer.slice(0, end))?.[1]
  const isBodiless = request.startsWith("HEAD ") || /^HTTP\/1\.1 [23]04 /.test(answer)
  return isBodiless || (length === undefined ? answer.endsWith("0\r\n\r\n") : answer.length >= end + 4 + Number(length))
}

const raw = (bytes: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(node.port, "127.0.0.1")
    let answer = ""
    socket.setTimeout(QUIET_MILLIS, () => socket.destroy(new Error(`neither answered nor closed: ${shown(bytes)}`)))
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1")
      if (isWhole(answer, bytes)) socket.destroy()
    })
    socket.on("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" || error.code === "EPIPE" ? resolve(answer) : reject(error)
    )
    socket.on("close", () => resolve(answer))
    socket.write(bytes, "latin1")
  })

describe(`${BODIES} hostile bodies, on all routes that read one [F30]`, () => {
  it(
    "get small answers or refusals, never an internal error, and leak no memory",
    async () => {
      const bodies = fc.sample(hostileBodies, { numRuns: BODIES, seed })
      const faults: Array<string> = []
      const millis: Array<number> = []
      const ran: Array<number> = []
      const send = async ({ body, path }: (typeof bodies)[number]) => {
        const headers = { "content-type": "application/json", accept: "application/json" }
        const [begun, ranBefore] = [performance.now(), ranMillis(node.pid)]
        const response = await node.call("POST", path, { key, body, headers })
        const text = await response.text()
        millis.push(performance.now() - begun)
        ran.push(ranMillis(node.pid) - ranBefore)
        const fault = faultOf(response.status, response.headers.get("content-type") ?? undefined, text)
        if (fault !== undefined) faults.push(`${fault}: ${path} ${shown(body)}`)
      }
      // The first two thirds warm up code and heap; growth after them would be a leak.
      const warm = Math.ceil((bodies.length * 2) / 3)
      await fewAtOnce(AT_ONCE, bodies.slice(0, warm), send)
      ran.length = 0
      const before = residentBytes(node.pid)
      await fewAtOnce(AT_ONCE, bodies.slice(warm), send)
      const after = residentBytes(node.pid)
      millis.sort((first, second) => first - second)
      ran.sort((first, second) => first - second)
      const ranP99 = ran[Math.floor(ran.length * 0.99)]!
      const growth = before === undefined || after === undefined ? 0 : after - before
      report(
        `${BODIES} bodies (seed ${seed}): ${JSON.stringify(Object.fromEntries(statuses))}, memory grew by ` +
          `${Math.round(growth / 1024 / 1024)} MiB, p50 ${millis[Math.floor(millis.length / 2)]!.toFixed(1)} ms, ` +
          `p99 ${millis[Math.floor(millis.length * 0.99)]!.toFixed(1)} ms with ${AT_ONCE} at once, ` +
          `of which the service ran ${ranP99.toFixed(1)} ms`
      )
      expect(faults).toEqual([])
      expect(growth).toBeLessThan(MAX_GROWTH_BYTES)
      expect(ranP99).toBeLessThan(ANSWER_MILLIS * SHARED_CACHES)
    },
    milliseconds(60_000)
  )
})

describe(`${REQUESTS} hostile paths and headers [F30]`, () => {
  it(
    "get small answers or refusals, never an internal error",
    async () => {
      const faults: Array<string> = []
      let unanswered = 0
      statuses.clear()
      await fewAtOnce(AT_ONCE, fc.sample(hostileRequests(key), { numRuns: REQUESTS, seed }), async (request) => {
        const answer = await raw(request)
        const [head = "", ...rest] = answer.split("\r\n\r\n")
        const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0)
        if (answer === "") unanswered++
        if (answer === "") return
        const type = /^content-type: (.*)$/im.exec(head)?.[1]
        const fault = status === 0 ? "no HTTP" : faultOf(status, type, rest.join("\r\n\r\n"))
        if (fault !== undefined) faults.push(`${fault}: ${shown(request)} -> ${shown(answer)}`)
      })
      report(
        `${REQUESTS} requests (seed ${seed}): ${JSON.stringify(Object.fromEntries(statuses))}, closed ${unanswered}`
      )
      expect(faults).toEqual([])
      expect(unanswered).toBe(0)
    },
    milliseconds(60_000)
  )
})

describe("after all hostile requests [F30]", () => {
  it("the service still computes, and has logged no crash and no secret [F50]", async () => {
    const response = await node.call("POST", "/v1/projection", { json: projection, key })
    expect([response.status, ((await response.json()) as { year1MonthlyPayment: number }).year1MonthlyPayment]).toEqual(
      [200, 250]
    )
    expect(node.log()).not.toContain("request failed")
    expect(searchedLogs().leaked).toEqual([])
  })
})
