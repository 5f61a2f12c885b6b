/** Ambiguous request heads, and request targets in every form that HTTP has. */
import { describe, expect, it } from "vitest"
import { projection } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const service = useService({ RATE_LIMIT_MINT: "off", RATE_LIMIT_KEY: "off" })

const ask = (line: string, ...headers: ReadonlyArray<string>) =>
  service().raw([line, ...headers, "Connection: close", "", ""].join("\r\n"))
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])

const check = async (line: string, headers: ReadonlyArray<string>, status: number, slug?: string) => {
  const answer = await ask(line, ...headers)
  expect(statusOf(answer)).toBe(status)
  if (slug !== undefined) expect(answer).toContain(`/problems/${slug}"`)
}

describe("a key", () => {
  const me = (...headers: ReadonlyArray<string>) => ask("GET /v1/me HTTP/1.1", "Host: a", ...headers)

  it.each([
    [
      "two Authorization lines",
      (one: string, two: string) => [`Authorization: Bearer ${one}`, `Authorization: Bearer ${two}`]
    ],
    ["the same line twice", (one: string) => [`Authorization: Bearer ${one}`, `authorization: Bearer ${one}`]],
    ["two schemes", (one: string) => [`Authorization: Bearer ${one}`, "Authorization: Basic eDp5"]],
    ["two X-Api-Key lines", (one: string, two: string) => [`X-Api-Key: ${one}`, `X-Api-Key: ${two}`]],
    [
      "two Authorization lines beside X-Api-Key",
      (one: string) => [`X-Api-Key: ${one}`, "Authorization: a", "Authorization: b"]
    ]
  ])("is refused in %s, by the routes and by the tool server [F35] [F43]", async (_, headers) => {
    const lines = headers(await service().mint(), await service().mint())
    const answer = await me(...lines)
    expect(statusOf(answer)).toBe(401)
    expect(answer).toContain('/problems/unauthorized"')
    expect(statusOf(await ask("POST /mcp HTTP/1.1", "Host: a", ...lines, "Content-Length: 0"))).toBe(401)
  })

  it("is accepted in one header, or the same in both", async () => {
    const key = await service().mint()
    expect(statusOf(await me(`Authorization: Bearer ${key}`))).toBe(200)
    expect(statusOf(await me(`Authorization: Bearer ${key}`, `X-Api-Key: ${key}`))).toBe(200)
  })
})

describe("Host", () => {
  it.each([
    ["twice", ["Host: a", "Host: b"]],
    ["twice the same", ["Host: a", "host: a"]],
    ["with a path", ["Host: evil/../"]],
    ["with a user", ["Host: user@a"]],
    ["with a blank", ["Host: a b"]],
    ["with a port in letters", ["Host: a:http"]],
    ["with an open bracket", ["Host: [::1"]],
    ["missing", []]
  ])("is refused for every target: %s [F35]", async (_, headers) => {
    await check("GET /health HTTP/1.1", headers, 400, "malformed-request")
    await check("GET /nothing HTTP/1.1", headers, 400, "malformed-request")
    await check("GET http://a/health HTTP/1.1", headers, 400, "malformed-request")
  })

  it.each(["a", "a:8080", "api.example.test", "192.0.2.1:80", "[2001:db8::1]:443", "xn--bcher-kva.example", "a_b", ""])(
    "may be %j",
    (host) => check("GET /health HTTP/1.1", [`Host: ${host}`], 200)
  )

  it("may be missing in HTTP/1.0, but not repeated", async () => {
    await check("GET /health HTTP/1.0", [], 200)
    await check("GET /health HTTP/1.0", ["Host: a", "Host: b"], 400, "malformed-request")
  })
})

describe("a body of HTTP/1.0", () => {
  it("is refused in chunks, which that version does not have, and its connection closes", async () => {
    for (const keep of ["close", "keep-alive"]) {
      const answer = await service().raw(
        `POST /v1/calculators/loan HTTP/1.0\r\nConnection: ${keep}\r\nContent-Type: application/json\r\n` +
          "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
      )
      expect(statusOf(answer)).toBe(400)
      expect(answer).toContain('/problems/malformed-request"')
      expect(answer).toMatch(/^connection: close\r$/im)
    }
  })
})

describe("a path", () => {
  const ID = "00000000-0000-4000-8000-000000000000"

  it.each([
    "*",
    `/${";".repeat(15_000)}`,
    `/health${"#".repeat(10_000)}`,
    "/v1/health;x=1",
    "/health;",
    "/health#x",
    "/v1/verify/",
    "/v1/verify//receipt",
    "/problems/",
    "/rules/",
    "/v1/%68ealth",
    "/%76%31/health",
    "/v1%2Fhealth",
    "/v1/./health",
    "/v1/../health",
    `/v1/%76erify/${ID}`,
    "/problems/validation;x",
    "http://a/v1/%68ealth",
    "http://a/v1/../health",
    "http://a/v1/verify/..",
    "http://a/v1/verify/%2e",
    "ftp://a/health"
  ])("is not found if it differs from a route: %s [F46]", (path) =>
    check(`GET ${path} HTTP/1.1`, ["Host: a"], 404, "not-found")
  )

  it("may percent-encode a parameter, and may have a query", async () => {
    await check("GET /problems/valid%61tion HTTP/1.1", ["Host: a"], 200)
    await check(`GET /v1/verify/${ID.replace("0", "%30")}?x=;# HTTP/1.1`, ["Host: a"], 404, "answer-not-found")
    await check("GET /health?a/b;c#d HTTP/1.1", ["Host: a"], 200)
  })

  it("includes text after a semicolon or hash, so that such an id is a different one", async () => {
    const json = projection
    const { provenance } = await (
      await service().call("POST", "/v1/projection", { json, key: await service().mint() })
    ).json()
    await check(`GET /v1/verify/${provenance.answerId}?x HTTP/1.1`, ["Host: a"], 200)
    await check(`GET /v1/verify/${provenance.answerId};x HTTP/1.1`, ["Host: a"], 404, "answer-not-found")
    await check(`GET /v1/verify/${provenance.answerId}#x HTTP/1.1`, ["Host: a"], 404, "answer-not-found")
  })
})

describe("a target that is neither a path nor a URL", () => {
  it.each(["health", "a:80", "\\health"])("is refused: %s", (target) =>
    check(`GET ${target} HTTP/1.1`, ["Host: a"], 400, "malformed-request")
  )
})

describe("a target that names a host", () => {
  it.each([
    "http://other/health",
    "HTTPS://other:8443/health?x=1",
    "http://[::1]/health",
    "http://other",
    "http://other?x"
  ])("is served by its path, and Host is ignored: %s", (target) => check(`GET ${target} HTTP/1.1`, ["Host: a"], 200))

  it.each(["http://user@other/health", "http:///health", "http://256.256.256.256/health", "http://a:99999/health"])(
    "is refused if it is malformed: %s",
    (target) => check(`GET ${target} HTTP/1.1`, ["Host: a"], 400, "malformed-request")
  )

  it("is answered with 405 for a wrong method", () => check("PUT http://a/health HTTP/1.1", ["Host: a"], 405))
})

describe("OPTIONS *", () => {
  it("lists the methods of the whole server", async () => {
    const answer = await ask("OPTIONS * HTTP/1.1", "Host: a")
    expect(statusOf(answer)).toBe(204)
    expect(answer).toMatch(/^allow: GET, HEAD, POST, OPTIONS\r$/im)
  })

  it.each(["GET", "HEAD", "POST", "DELETE"])("is the only method of that target, unlike %s", (method) =>
    check(`${method} * HTTP/1.1`, ["Host: a"], 404)
  )
})

describe("a CONNECT request", () => {
  it("is closed without an answer", async () => expect(await ask("CONNECT a:443 HTTP/1.1", "Host: a:443")).toBe(""))
})
