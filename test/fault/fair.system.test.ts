/**
 * System tests of fairness: callers with expensive or invalid requests do not delay others. They
 * count which answers come first and measure no time.
 */
import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import { calculator, LARGEST_COMPARISON, projection, WRONG_COMPARISON } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"
import { NO_LIMITS, STRIPE_SETTINGS } from "../support/settings.ts"
import { until } from "../support/until.ts"

/**
 * Number of large requests. Some are answered while the database records a call, which takes many
 * times as long now and then, so that far more are needed to show the difference.
 */
const MANY = 200
/** Far more than can be answered while the database records one call. */
const FLOOD = 500
const CALLS = { ...NO_LIMITS, SANDBOX_MONTHLY_CALLS: "100000" }
const JSON_TYPE = { "content-type": "application/json" }

const largest = JSON.stringify(LARGEST_COMPARISON)
const wrong = JSON.stringify(WRONG_COMPARISON)

describe("behind many of the largest comparisons of another key [F30]", () => {
  const service = useService(CALLS)

  /** How many large requests were answered while `ask` waited. */
  const answeredBefore = async (body: string, ask: () => Promise<Response>): Promise<number> => {
    const greedy = await service().mint()
    let answered = 0
    const others = Array.from({ length: MANY }, async () => {
      const response = await service().call("POST", "/v1/comparison", { key: greedy, body, headers: JSON_TYPE })
      await response.text()
      answered++
    })
    // All of them have been sent once the first is answered.
    await Promise.race(others)
    const earlier = answered
    const response = await ask()
    expect(response.status).toBe(200)
    const between = answered - earlier
    await Promise.all(others)
    return between
  }

  describe.each([
    ["valid", largest],
    ["refused", wrong]
  ])("that are %s", (_, body) => {
    it("a small projection waits for only a few of them", async () => {
      const key = await service().mint()
      const ask = () => service().call("POST", "/v1/projection", { key, json: projection })
      expect(await answeredBefore(body, ask)).toBeLessThan(MANY / 2)
    })

    it("/health waits for almost none of them [F33]", async () =>
      expect(await answeredBefore(body, () => service().call("GET", "/health"))).toBeLessThan(MANY / 4))
  })

  it("a tool call waits for only a few of them", async () => {
    const key = await service().mint()
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "run_projection", arguments: projection }
    }
    const ask = () =>
      service().call("POST", "/mcp", { key, json: call, headers: { accept: "application/json, text/event-stream" } })
    expect(await answeredBefore(largest, ask)).toBeLessThan(MANY / 2)
  })
})

describe("behind an endless flood of keyless calculations [F38]", () => {
  const ASKED = 20
  const service = useService({ ...CALLS, TRUSTED_PROXY_HOPS: "1" })

  it.each([
    ["/v1/calculators/loan", calculator],
    ["/v1/explain", projection]
  ])("a keyed call waits for only a few of them (%s)", async (path, json) => {
    const key = await service().mint()
    let answered = 0
    let isOn = true
    const caller = async () => {
      while (isOn) {
        const response = await service().call("POST", path, { json, headers: { "x-forwarded-for": "203.0.113.7" } })
        await response.text()
        expect([200, 503]).toContain(response.status)
        answered++
      }
    }
    const flood = Array.from({ length: FLOOD }, caller)
    await Promise.race([...flood, until(() => answered > FLOOD)])
    const passed: Array<number> = []
    for (let call = 0; call < ASKED; call++) {
      const before = answered
      expect((await service().call("POST", "/v1/projection", { key, json: projection })).status).toBe(200)
      passed.push(answered - before)
    }
    isOn = false
    await Promise.all(flood)
    passed.sort((first, second) => first - second)
    // In the same queue it would have waited for all of them.
    expect(passed[ASKED / 2]).toBeLessThan(FLOOD / 2)
  })
})

describe("behind forged payment events [F63]", () => {
  const service = useService({ ...CALLS, ...STRIPE_SETTINGS, TRUSTED_PROXY_HOPS: "1" })

  /** Sends all but the last byte of an event; returns a function that completes it. */
  const nearlySent = async (address: string, length: number): Promise<() => Promise<void>> => {
    const signature = `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}`
    const socket = connect(Number(new URL(service().base).port), "127.0.0.1")
    const head = `POST /webhooks/stripe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: ${address}\r\nStripe-Signature: ${signature}\r\n`
    await new Promise<void>((resolve) => {
      socket.write(`${head}Content-Length: ${length}\r\n\r\n${" ".repeat(length - 1)}`, () => resolve())
    })
    return () =>
      new Promise((resolve) => {
        socket.once("data", (answer) => {
          expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /)
          socket.destroy()
          resolve()
        })
        socket.write("}")
      })
  }

  it("an event from another address waits for only a few of them", async () => {
    const forged = await Promise.all(Array.from({ length: MANY }, () => nearlySent("203.0.113.7", 200_000)))
    const another = await nearlySent("203.0.113.8", 200_000)
    // Gives the service time to read the bytes sent so far.
    await new Promise((resolve) => setTimeout(resolve, 300))
    let answered = 0
    const others = forged.map(async (finish) => {
      await finish()
      answered++
    })
    await another()
    expect(answered).toBeLessThan(MANY / 2)
    await Promise.all(others)
  })
})

describe("a body in countless tiny chunks [F64]", () => {
  const service = useService(CALLS)
  const head = (path: string, key: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`

  /** Sends tiny chunks, up to a megabyte; returns the bytes sent before the connection closed. */
  const bytesTaken = async (start: string, length: number): Promise<number> =>
    new Promise((resolve) => {
      const chunks = `${length.toString(16)}\r\n${" ".repeat(length)}\r\n`.repeat(500)
      const socket = connect(Number(new URL(service().base).port), "127.0.0.1")
      let sent = 0
      const send = (): void => {
        if (sent >= 1_000_000 || !socket.writable) return
        sent += 500 * length
        socket.write(chunks, () => setImmediate(send))
      }
      socket.on("error", () => undefined)
      socket.on("close", () => resolve(sent))
      socket.on("data", () => undefined)
      socket.write(start, send)
      setTimeout(() => socket.destroy(), 8000).unref()
    })

  it.each(["/v1/projection", "/v1/comparison", "/mcp", "/x"])(
    "to %s closes the connection, whether it is read or refused",
    async (path) => {
      for (const length of [1, 2, 17, 64]) {
        expect(await bytesTaken(head(path, await service().mint()), length)).toBeLessThan(600_000)
        expect(await bytesTaken(head(path, "slr_sbx_none"), length)).toBeLessThan(600_000)
      }
    }
  )

  /** Sends tiny chunks, up to 64 megabytes; returns the bytes sent before the socket stalled. */
  const bytesBuffered = async (start: string): Promise<number> =>
    new Promise((resolve) => {
      const chunks = "1\r\n \r\n".repeat(10_000)
      const socket = connect(Number(new URL(service().base).port), "127.0.0.1")
      let taken = 0
      const end = (): void => {
        socket.destroy()
        resolve(taken)
      }
      const send = (): void => {
        if (taken >= 64_000_000) {
          end()
          return
        }
        const patience = setTimeout(end, 500)
        socket.write(chunks, () => {
          clearTimeout(patience)
          taken += chunks.length
          setImmediate(send)
        })
      }
      socket.on("error", end).on("data", () => undefined)
      socket.write(start, send)
    })

  it("stays in the bounded socket buffer while an earlier request is being answered", async () => {
    const key = await service().mint()
    const stream = `GET /mcp HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nAccept: text/event-stream\r\n\r\n`
    expect(await bytesBuffered(`${stream}${head("/x", key)}`)).toBeLessThan(32_000_000)
  })

  it("is accepted if it has only a thousand chunks", async () => {
    const key = await service().mint()
    const body = JSON.stringify(projection).padEnd(1000, " ")
    const chunks = [...body].map((character) => `1\r\n${character}\r\n`).join("")
    expect(await service().raw(`${head("/v1/projection", key)}${chunks}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
  })
})
