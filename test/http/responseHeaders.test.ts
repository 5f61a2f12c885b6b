/** Headers beyond those of every response (everyRoute.test.ts): caching, preflight, usage. */
import { describe, expect, it } from "vitest"
import { loan, projection, scenario } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const service = useService({ RATE_LIMIT_MINT: "off", RATE_LIMIT_KEY: "off" })

it("an answer is not cacheable [F48]", async () => {
  const response = await service().call("POST", "/v1/projection", { json: projection, key: await service().mint() })
  expect(response.headers.get("cache-control")).toBe("no-store")
})

it.each(["/v1/rules", "/v1/rules/version"])(
  "%s gets 304 for a list with its ETag, and 200 for another [F52]",
  async (path) => {
    const ask = (tag: string) => service().call("GET", path, { headers: { "if-none-match": tag } })
    const etag = (await ask("")).headers.get("etag")!
    const held = await ask(`"x", W/${etag}`)
    expect([held.status, await held.text(), held.headers.get("etag")]).toEqual([304, "", etag])
    const other = await ask('"rl1-000000000000"')
    expect([other.status, `"${(await other.json()).version}"`]).toEqual([200, etag])
  }
)

describe("a confirmation", () => {
  const IMMUTABLE = "public, max-age=31536000, immutable"
  const ACCEPT = expect.stringMatching(/^Accept(,|$)/)
  const record = async () => {
    const response = await service().call("POST", "/v1/projection", { json: projection, key: await service().mint() })
    return `/v1/verify/${(await response.json()).provenance.answerId}`
  }
  const ask = (path: string, headers: Record<string, string>, method = "GET") =>
    service().call(method, path, { headers: { "x-request-id": "of-one-caller", ...headers } })
  const cachingOf = ({ headers, status }: Response) => ({
    status,
    policy: headers.get("cache-control"),
    vary: headers.get("vary"),
    requestId: headers.get("x-request-id")
  })

  it.each(["", "?x"])("of a record is cacheable, and carries no request id (path%s)", async (query) => {
    const path = `${await record()}${query}`
    const response = await ask(path, {})
    expect(cachingOf(response)).toEqual({ status: 200, policy: IMMUTABLE, vary: ACCEPT, requestId: null })
    const etag = response.headers.get("etag")!
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    expect((await ask(path, {})).headers.get("etag")).toBe(etag)
    for (const method of ["GET", "HEAD"]) {
      const again = await ask(path, { "if-none-match": `"x", W/${etag}` }, method)
      expect(cachingOf(again)).toEqual({ status: 304, policy: IMMUTABLE, vary: ACCEPT, requestId: null })
      expect([again.headers.get("etag"), await again.text()]).toEqual([etag, ""])
      expect([again.headers.get("content-type"), again.headers.get("content-length")]).toEqual([null, null])
    }
    expect((await ask(path, { "if-none-match": '"x"' })).status).toBe(200)
    expect((await ask(await record(), { "if-none-match": etag })).status).toBe(200)
  })

  it("is not cacheable as a page, which carries a request id, even for a client with the ETag", async () => {
    const path = await record()
    const etag = (await ask(path, {})).headers.get("etag")!
    const page = await ask(path, { accept: "text/html", "if-none-match": etag })
    expect(cachingOf(page)).toEqual({
      status: 200,
      policy: "no-store",
      vary: ACCEPT,
      requestId: "of-one-caller"
    })
    expect(page.headers.get("etag")).toBeNull()
  })

  it("is not cacheable without a record, and a receipt never is", async () => {
    const missing = await ask(`/v1/verify/${crypto.randomUUID()}`, { "if-none-match": "*" })
    expect(cachingOf(missing)).toMatchObject({ status: 404, policy: "no-store", requestId: "of-one-caller" })
    expect(cachingOf(await ask(`${await record()}/receipt`, {}))).toMatchObject({ policy: "no-store" })
  })
})

describe("preflight [F48]", () => {
  it("allows the headers that a client needs", async () => {
    const response = await service().call("OPTIONS", "/v1/projection", {
      headers: {
        origin: "https://app.example.org",
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-api-key, content-type"
      }
    })
    expect(response.status).toBe(204)
    expect(response.headers.get("access-control-allow-methods")).toBe("POST, OPTIONS")
    expect(response.headers.get("access-control-allow-headers")).toMatch(/Content-Type.*X-Api-Key/)
  })

  const allowedOf = async (requested: string) =>
    (await service().call("OPTIONS", "/mcp", { headers: { "access-control-request-headers": requested } })).headers.get(
      "access-control-allow-headers"
    )

  it("allows the headers that tracing and clients of others add", async () =>
    expect(await allowedOf("traceparent,baggage,x-stainless-os, x-stainless-retry-count")).toMatch(
      /X-Api-Key.*, traceparent, baggage, x-stainless-os, x-stainless-retry-count$/
    ))

  it.each(["a b", "a\u00e9", "a:b", `x${"y".repeat(2000)}`])("repeats nothing that is no list of names", async (sent) =>
    expect(await allowedOf(sent)).toMatch(/X-Api-Key, X-Request-Id$/)
  )
})

describe("usage headers [F48]", () => {
  const usage = (response: Response) => [
    Number(response.headers.get("ratelimit-limit")),
    Number(response.headers.get("ratelimit-remaining"))
  ]

  it("equal the figures of /v1/me", async () => {
    const response = await service().call("GET", "/v1/me", { key: await service().mint() })
    const me = await response.json()
    expect(usage(response)).toEqual([me.monthlyCallLimit, me.callsRemaining])
    const reset = Number(response.headers.get("ratelimit-reset"))
    const seconds = (Date.parse(me.periodResetsAt) - Date.now()) / 1000
    expect(Math.abs(reset - seconds)).toBeLessThan(2)
  })

  it("include a calculation in its own response", async () => {
    const key = await service().mint()
    expect(usage(await service().call("POST", "/v1/projection", { json: projection, key }))).toEqual([100, 99])
    expect(usage(await service().call("POST", "/v1/projection", { json: projection, key }))).toEqual([100, 98])
  })

  it.each([
    ["a validation problem", { scenario, loans: [] }, 400],
    [
      "an artifact",
      { scenario: { ...scenario, planType: "STANDARD" }, loans: [{ ...loan, idrMonthsInRepayment: 120 }] },
      400
    ]
  ])("are unchanged after %s", async (_, json, status) => {
    const response = await service().call("POST", "/v1/projection", { json, key: await service().mint() })
    expect([response.status, ...usage(response)]).toEqual([status, 100, 100])
  })

  it("are absent where no key is required", async () =>
    expect((await service().call("GET", "/v1/rules")).headers.get("ratelimit-limit")).toBeNull())
})
