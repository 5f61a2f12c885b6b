/**
 * Keys whose last call was charged, which are served without a look-up. Revocation, expiry and a
 * spent quota still take effect.
 */
import { once } from "node:events"
import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { projection } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"
import { useToolServer } from "../support/toolServer.ts"

describe("a key that was just charged [F59]", () => {
  const service = useToolServer({ SANDBOX_MONTHLY_CALLS: "5" })
  const run = async (key: string) => service().call("POST", "/v1/projection", { json: projection, key })
  const rowOf = (key: string) => `prefix = '${key.slice(0, 14)}'`

  const charged = async () => {
    const key = await service().mint()
    expect((await run(key)).status).toBe(200)
    return key
  }

  /** Tells the holder what happened to the key. */
  const expectEnded = async (response: Response, what: string) => {
    expect(response.headers.get("www-authenticate")).toBe('X-Api-Key realm="repayment-of-record"')
    expect((await expectProblem(response, 401, "unauthorized")).detail).toContain(`This key ${what}`)
  }

  const uses = [
    ["a calculation", run],
    ["a body that is refused", async (key: string) => service().call("POST", "/v1/projection", { json: {}, key })],
    [
      "a plan that is refused",
      async (key: string) => {
        const scenario = { ...projection.scenario, planType: "REPAYE" }
        return service().call("POST", "/v1/projection", { json: { ...projection, scenario }, key })
      }
    ],
    ["a page of records", async (key: string) => service().call("GET", "/v1/records", { key })],
    ["a query that is refused", async (key: string) => service().call("GET", "/v1/records?limit=0", { key })],
    ["a list of tools", async (key: string) => service().rpc(key, "tools/list")],
    [
      "a tool",
      async (key: string) => service().rpc(key, "tools/call", { name: "run_projection", arguments: projection })
    ],
    [
      "a tool whose arguments are refused",
      async (key: string) => service().rpc(key, "tools/call", { name: "run_projection", arguments: {} })
    ]
  ] as const

  it.each(uses)("is refused when it is revoked: %s", async (_, use) => {
    const key = await charged()
    await service().query(`UPDATE api_key SET revoked_at = now(), revoked_reason = 'operator' WHERE ${rowOf(key)}`)
    for (let call = 0; call < 2; call++) await expectEnded(await use(key), "was revoked")
    expect(await service().used(key)).toBe(1)
  })

  it.each(uses)("is refused when it expires: %s", async (_, use) => {
    const key = await charged()
    await service().query(`UPDATE api_key SET expires_at = now() WHERE ${rowOf(key)}`)
    for (let call = 0; call < 2; call++) await expectEnded(await use(key), "has expired")
  })

  it.each(uses)("is refused when its address has another: %s", async (_, use) => {
    const json = { email: `${crypto.randomUUID()}@example.org` }
    const { apiKey } = await (await service().call("POST", "/v1/keys/sandbox", { json })).json()
    expect((await run(apiKey)).status).toBe(200)
    await service().call("POST", "/v1/keys/sandbox", { json })
    for (let call = 0; call < 2; call++) await expectEnded(await use(apiKey), "was replaced")
  })

  it.each(uses)("is refused if another process has used up its quota: %s", async (_, use) => {
    const key = await charged()
    await service().query(`UPDATE usage SET used = 5 FROM api_key WHERE key_id = id AND ${rowOf(key)}`)
    for (let call = 0; call < 2; call++) {
      const response = await use(key)
      expect(response.headers.get("ratelimit-remaining")).toBe("0")
      expect((await expectProblem(response, 429, "quota-exceeded")).detail).toMatch(/^5 of 5 calls used. Wait until /)
    }
  })

  it("is served as before if nothing has happened", async () => {
    for (const [, use] of uses) expect([200, 400]).toContain((await use(await charged())).status)
  })
})

describe("a key that is revoked while its body arrives [F59]", () => {
  const service = useToolServer()
  const bad = JSON.stringify({ loans: [] })
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })

  it.each([
    ["a body that is refused", "/v1/projection", bad],
    ["a list of tools", "/mcp", list]
  ])("gets 401: %s", async (_, path, body) => {
    const key = await service().mint()
    const socket = connect(Number(new URL(service().base).port), "127.0.0.1")
    const next = () => once(socket, "data").then(([data]) => String(data))
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nAccept: application/json, text/event-stream\r\n`
    socket.write(
      `${head}Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    )
    // The key is looked up before the body is asked for.
    expect(await next()).toMatch(/^HTTP\/1\.1 100 /)
    socket.write(body.slice(0, 5))
    // The look-up is trusted for half a second. After that, the answer needs another one.
    await new Promise((resolve) => setTimeout(resolve, 600))
    await service().query(
      `UPDATE api_key SET revoked_at = now(), revoked_reason = 'operator' WHERE prefix = '${key.slice(0, 14)}'`
    )
    const answer = next()
    socket.write(body.slice(5))
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /)
    socket.destroy()
  })
})

describe("a key that calls too often [F59]", () => {
  const service = useService({ RATE_LIMIT_KEY: "2/h" })

  it("is limited without a database query", async () => {
    const key = await service().mint()
    for (let call = 0; call < 2; call++) expect((await service().call("GET", "/v1/me", { key })).status).toBe(200)
    const held = await service().hold("api_key")
    const response = await service().call("GET", "/v1/me", { key })
    await held.release()
    expect(response.headers.get("ratelimit-remaining")).toBe("98")
    await expectProblem(response, 429, "rate-limited")
  })
})
