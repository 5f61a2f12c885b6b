/** The headers of every response: ids, security, CORS, caching, conditional requests, usage. */
import { describe, expect, it } from "vitest"
import { expectUuid } from "../support/answers.ts"
import type { Ask } from "../support/calls.ts"
import { loan, projection, scenario } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const service = useService({ RATE_LIMIT_MINT: "off", RATE_LIMIT_KEY: "off" })

const SAMPLES: ReadonlyArray<readonly [method: string, path: string, ask: Ask]> = [
  ["GET", "/health", {}],
  ["GET", "/v1/rules", {}],
  ["GET", "/v1/nothing", {}],
  ["GET", "/v1/projection", {}],
  ["POST", "/v1/projection", { json: projection }],
  ["POST", "/v1/keys/sandbox", { json: { email: "x" } }],
  ["OPTIONS", "/v1/projection", {}],
  ["GET", "/problems/validation", {}],
  ["GET", "/rules", {}],
  ["GET", "/rules?q=interest", {}],
  ["GET", "/docs", {}],
  ["GET", "/log/checkpoint", {}],
  ["GET", "/log/tile/0/000", {}],
  ["GET", "/openapi.json", {}]
]

describe.each(SAMPLES)("the answer to %s %s [F48]", (method, path, ask) => {
  const headers = async () => (await service().call(method, path, ask)).headers

  it("carries a request id", async () => expectUuid((await headers()).get("x-request-id")))
  it("forbids content sniffing", async () => expect((await headers()).get("x-content-type-options")).toBe("nosniff"))
  it("sends no referrer", async () => expect((await headers()).get("referrer-policy")).toBe("no-referrer"))
  it("forbids loading anything", async () =>
    expect((await headers()).get("content-security-policy")).toContain("default-src 'none'"))
  it("forbids framing", async () => expect((await headers()).get("x-frame-options")).toBe("DENY"))
  it("may be read from any origin, without credentials", async () => {
    const found = await headers()
    expect(found.get("access-control-allow-origin")).toBe("*")
    expect(found.get("access-control-allow-credentials")).toBeNull()
    expect(found.get("access-control-expose-headers")).toContain("RateLimit-Remaining")
  })
  it("names no software", async () => {
    const found = await headers()
    expect([found.get("x-powered-by"), found.get("server")]).toEqual([null, null])
  })
  it("does not promise HTTPS over HTTP", async () =>
    expect((await headers()).get("strict-transport-security")).toBeNull())
})

describe("the request id [F48]", () => {
  it("is the client's if it is well-formed", async () => {
    const response = await service().call("GET", "/health", { headers: { "x-request-id": "order-66_a.b" } })
    expect(response.headers.get("x-request-id")).toBe("order-66_a.b")
  })

  it("is generated if it is not", async () => {
    const response = await service().call("GET", "/health", { headers: { "x-request-id": "a b" } })
    expectUuid(response.headers.get("x-request-id"))
  })
})

describe("the cache policy [F48]", () => {
  it.each([
    ["/v1/rules", "public, max-age=60, must-revalidate"],
    ["/v1/rules/version", "public, max-age=60, must-revalidate"],
    ["/health", "no-store"],
    ["/v1/me", "no-store"],
    ["/v1/verify/x", "no-store"]
  ])("of %s is %s", async (path, policy) => {
    const response = await service().call("GET", path, { key: await service().mint() })
    expect(response.headers.get("cache-control")).toBe(policy)
  })

  it("of an answer is no-store", async () => {
    const response = await service().call("POST", "/v1/projection", { json: projection, key: await service().mint() })
    expect(response.headers.get("cache-control")).toBe("no-store")
  })
})

describe.each(["/v1/rules", "/v1/rules/version"])("a conditional request for %s [F48]", (path) => {
  const version = async () => (await (await service().call("GET", "/v1/rules/version")).json()).version as string
  const ask = async (tag: string) => service().call("GET", path, { headers: { "if-none-match": tag } })

  it.each([
    ["the ETag", (current: string) => `"${current}"`],
    ["the weak ETag", (current: string) => `W/"${current}"`],
    ["a list with it", (current: string) => `"x", "${current}"`],
    ["any", () => "*"],
    ["the bare version", (current: string) => current]
  ])("gets 304 with the ETag and no body for %s [F52]", async (_, tag) => {
    const current = await version()
    const response = await ask(tag(current))
    expect([response.status, await response.text()]).toEqual([304, ""])
    expect(response.headers.get("etag")).toBe(`"${current}"`)
    expect(response.headers.get("cache-control")).toBe("public, max-age=60, must-revalidate")
  })

  it.each(['"rl1-000000000000"', '""', "nonsense"])("gets 200 for %s [F52]", async (tag) => {
    const response = await ask(tag)
    expect(response.status).toBe(200)
    expect((await response.json()).version).toBe(await version())
  })

  it("gets 304 for HEAD [F52]", async () => {
    const response = await service().call("HEAD", path, { headers: { "if-none-match": `"${await version()}"` } })
    expect(response.status).toBe(304)
  })
})

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
