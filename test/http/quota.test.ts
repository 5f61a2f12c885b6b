/** Monthly quotas and rate limits: how many calls pass, and how the others are refused. */
import { describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { calculator, comparison, projection } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

describe("a month of five calls", () => {
  const service = useService({ SANDBOX_MONTHLY_CALLS: "5", RATE_LIMIT_KEY: "off" })

  const spent = async () => {
    const key = await service().mint()
    for (let call = 0; call < 5; call++) await service().call("GET", "/v1/me", { key })
    return key
  }

  it("lets exactly five of twenty parallel calls pass, each with its record", async () => {
    const key = await service().mint()
    const calls = Array.from({ length: 20 }, async () =>
      service().call("POST", "/v1/projection", { json: projection, key })
    )
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(15)
    const rows = await service().query(`SELECT FROM recorded_answer WHERE key_prefix = '${key.slice(0, 14)}'`)
    expect(rows).toHaveLength(5)
  })

  it("reports the calls used, where to buy more and when to retry", async () => {
    const key = await spent()
    const response = await service().call("POST", "/v1/comparison", { json: comparison, key })
    expect(response.headers.get("ratelimit-remaining")).toBe("0")
    expect(response.headers.get("retry-after")).toBe(response.headers.get("ratelimit-reset"))
    const problem = await expectProblem(response, 429, "quota-exceeded")
    expect(problem.detail).toMatch(
      /^5 of 5 calls used\. Wait until \d{4}-\d\d-01, 00:00 UTC, or see upgradeUrl for more calls\.$/
    )
    expect(problem.upgradeUrl).toMatch(/^http:\/\/service\.example\.test\/subscribe\?/)
    const [row] = await service().query<{ id: string }>(`SELECT id FROM api_key WHERE prefix = '${key.slice(0, 14)}'`)
    expect(new URL(String(problem.upgradeUrl)).searchParams.get("client_reference_id")).toBe(row!.id)
  })

  it("refuses every keyed call once it is used up, before the request is checked", async () => {
    const key = await spent()
    const body = { body: "{", headers: { "content-type": "text/plain" }, key }
    await expectProblem(await service().call("POST", "/v1/projection", body), 429, "quota-exceeded")
    await expectProblem(await service().call("GET", "/v1/records?limit=0", { key }), 429, "quota-exceeded")
  })

  it("does not count refused calls [F13]", async () => {
    const key = await service().mint()
    for (let call = 0; call < 9; call++) await service().call("POST", "/v1/projection", { json: {}, key })
    expect((await (await service().call("GET", "/v1/me", { key })).json()).callsUsedThisPeriod).toBe(1)
  })
})

describe("rate limits", () => {
  const service = useService({
    RATE_LIMIT_KEY: "2/h",
    RATE_LIMIT_MINT: "3/h",
    RATE_LIMIT_VERIFY: "2/h",
    RATE_LIMIT_KEYLESS: "2/h",
    RATE_LIMIT_CLAIM: "2/h",
    RATE_LIMIT_REFERENCE: "1/h"
  })

  /** Repeats a call until it is refused; returns the number that passed, and the refusal. */
  const until429 = async (ask: () => Promise<Response>) => {
    for (let passed = 0; passed < 10; passed++) {
      const response = await ask()
      if (response.status === 429) return { passed, response }
    }
    throw new Error("never refused")
  }

  it("limit a key, and say when to retry", async () => {
    const key = await service().mint()
    const { passed, response } = await until429(async () => service().call("GET", "/v1/me", { key }))
    expect(passed).toBe(2)
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(response.headers.get("ratelimit-limit")).toBe("100")
    await expectProblem(response, 429, "rate-limited")
  })

  const RECORD = "/v1/verify/00000000-0000-4000-8000-000000000000"
  it.each([
    ["verify", 2, "GET", RECORD, () => undefined],
    ["the calculator", 2, "POST", "/v1/calculators/loan", () => calculator],
    ["explanations, within the limit that the calculator has used up,", 0, "POST", "/v1/explain", () => projection],
    [
      "mints, whoever they are for,",
      2,
      "POST",
      "/v1/keys/sandbox",
      () => ({ email: `${crypto.randomUUID()}@example.org` })
    ],
    ["claims", 2, "POST", "/v1/keys/claim", () => ({ sandboxKey: "x" })],
    ["the reference", 1, "GET", "/v1/reference", () => undefined]
  ])("limit %s per address [F47]", async (_, allowed, method, path, json) => {
    const { passed, response } = await until429(async () => service().call(method, path, { json: json() }))
    expect(passed).toBe(allowed)
    await expectProblem(response, 429, "rate-limited")
  })

  it("ignore forwarded addresses without trusted proxies [F36]", async () => {
    const ask = async (address: string) => service().call("GET", RECORD, { headers: { "x-forwarded-for": address } })
    await ask("203.0.113.1")
    await ask("203.0.113.2")
    await expectProblem(await ask("203.0.113.3"), 429, "rate-limited")
  })

  it("do not apply to the rules", async () => {
    for (let call = 0; call < 20; call++) expect((await service().call("GET", "/v1/rules/version")).status).toBe(200)
  })
})
