/**
 * Tests of the rate limit for refused bodies: a key that sends large ones must wait, and no other
 * key.
 */
import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { LARGEST_COMPARISON, projection, scenario, WRONG_COMPARISON } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const JSON_TYPE = { "content-type": "application/json" }

const largest = JSON.stringify(LARGEST_COMPARISON)
describe("the rate limit for refused bodies [F30]", () => {
  const service = useService({ RATE_LIMIT_KEY: "off", RATE_LIMIT_MINT: "off", RATE_LIMIT_REFUSED: "5/s" })
  const post = (path: string, key: string, json: unknown) => service().call("POST", path, { key, json })

  it("makes the key of a large one wait, and no other key", async () => {
    const [key, other] = [await service().mint(), await service().mint()]
    await expectProblem(await post("/v1/comparison", key, WRONG_COMPARISON), 400, "validation")
    const problem = await service().call("POST", "/v1/projection", { key, json: projection })
    expect(Number(problem.headers.get("retry-after"))).toBeGreaterThan(0)
    await expectProblem(problem, 429, "rate-limited")
    expect((await post("/v1/projection", other, projection)).status).toBe(200)
  })

  it("applies to the tool server too", async () => {
    const key = await service().mint()
    const params = { name: "compare_scenarios", arguments: WRONG_COMPARISON }
    const answer = await post("/mcp", key, { jsonrpc: "2.0", id: 1, method: "tools/call", params })
    expect(JSON.stringify(await answer.json())).toContain("validation")
    expect((await post("/mcp", key, { jsonrpc: "2.0", id: 2, method: "ping" })).status).toBe(429)
  })

  it("applies to a long message that calls no tool", async () => {
    const key = await service().mint()
    const params = { padding: "x".repeat(100_000) }
    await (await post("/mcp", key, { jsonrpc: "2.0", id: 1, method: "tools/list", params })).text()
    expect((await post("/mcp", key, { jsonrpc: "2.0", id: 2, method: "ping" })).status).toBe(429)
  })

  it("does not count valid bodies, whatever their length", async () => {
    const key = await service().mint()
    for (let call = 0; call < 8; call++) {
      const arm = LARGEST_COMPARISON.arms[call]
      expect((await post("/v1/comparison", key, { arms: [arm, arm] })).status).toBe(200)
    }
  })

  it("counts a repeated call by its bytes, but no first one", async () => {
    const key = await service().mint()
    const headers = { ...JSON_TYPE, "idempotency-key": "large" }
    const ask = () => service().call("POST", "/v1/comparison", { key, body: largest, headers })
    const answers = [await ask(), await ask()]
    expect(answers.map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"])
    await expectProblem(await ask(), 429, "rate-limited")
  })

  it("counts the received part of a body that is cut off", async () => {
    const key = await service().mint()
    const socket = connect(Number(new URL(service().base).port), "127.0.0.1")
    const head = `POST /v1/comparison HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\n`
    await new Promise<void>((resolve) => {
      socket.on("error", () => undefined)
      socket.on("close", () => resolve())
      socket.write(`${head}Content-Length: 900000\r\n\r\n${" ".repeat(800_000)}`, () => socket.end())
      setTimeout(() => socket.destroy(), 3000).unref()
    })
    expect((await post("/v1/projection", key, projection)).status).toBe(429)
  })

  it("tolerates a few small mistakes", async () => {
    const key = await service().mint()
    for (let call = 0; call < 4; call++) {
      const mistaken = await post("/v1/projection", key, { ...projection, scenario: { ...scenario, state: "Texas" } })
      await expectProblem(mistaken, 400, "validation")
    }
    expect((await post("/v1/projection", key, projection)).status).toBe(200)
  })
})

describe("a valid body beyond the monthly quota", () => {
  const service = useService({
    RATE_LIMIT_KEY: "off",
    RATE_LIMIT_MINT: "off",
    RATE_LIMIT_REFUSED: "5/m",
    SANDBOX_MONTHLY_CALLS: "1"
  })

  it("does not count as a refused body", async () => {
    const key = await service().mint()
    const ask = async () => service().call("POST", "/v1/comparison", { key, body: largest, headers: JSON_TYPE })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429])
    await expectProblem(await ask(), 429, "quota-exceeded")
  })
})
