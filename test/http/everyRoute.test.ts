/**
 * Every route of the server, as the server lists it: methods, common headers and cache policy. The
 * policies are written here; bodies are not checked.
 */
import { HttpApi } from "effect/http-api"
import { beforeAll, describe, expect, it } from "vitest"
import { Api } from "../../schema/api.ts"
import { PLAIN_ROUTES } from "../../src/http/server.ts"
import { McpSurface } from "../../src/mcp/route.ts"
import { expectProblem, expectUuid } from "../support/answers.ts"
import { projection } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"
import { until } from "../support/until.ts"

const service = useService({
  RATE_LIMIT_KEY: "off",
  RATE_LIMIT_REFUSED: "off",
  RATE_LIMIT_LOG: "off",
  SANDBOX_MONTHLY_CALLS: "100000"
})

let answerId: string
/** A recorded answer, once it is in the log, which happens in the background. */
beforeAll(async () => {
  const answered = await service().call("POST", "/v1/projection", { json: projection, key: await service().mint() })
  answerId = (await answered.json()).provenance.answerId
  await until(async () => (await service().call("GET", `/v1/verify/${answerId}/receipt`)).status === 200)
})

const methodsByPath = new Map<string, Array<string>>()
const add = (path: string, method: string) => methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method])
for (const { method, path } of [...PLAIN_ROUTES, ...McpSurface.routes]) add(path, method)
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint }) => void add(endpoint.path, endpoint.method)
})

/** Routes that caches may keep, and for how long. All others are no-store. */
const CACHE_POLICIES: Readonly<Record<string, string>> = {
  "/": "public, max-age=300",
  "/.well-known/mcp/server-card.json": "public, max-age=3600",
  "/.well-known/oauth-protected-resource": "public, max-age=3600",
  "/.well-known/oauth-protected-resource/mcp": "public, max-age=3600",
  "/answers": "public, max-age=300",
  "/answers/*": "public, max-age=300",
  "/calculator.html": "public, max-age=300",
  "/docs": "public, max-age=300",
  "/docs/guides": "public, max-age=300",
  "/docs/guides/*": "public, max-age=300",
  "/favicon.ico": "public, max-age=300",
  "/favicon.svg": "public, max-age=300",
  "/guides.js": "public, max-age=300",
  "/llms.txt": "public, max-age=300",
  "/log/checkpoint": "public, max-age=1",
  "/log/key": "public, max-age=60",
  "/log/policy": "public, max-age=60",
  "/openapi.json": "public, max-age=60",
  "/page.js": "public, max-age=300",
  "/problems/:slug": "public, max-age=3600",
  "/rules": "public, max-age=300",
  "/rules/:id": "public, max-age=300",
  "/subscribe": "public, max-age=300",
  "/v1/rules": "public, max-age=60, must-revalidate",
  "/v1/rules/version": "public, max-age=60, must-revalidate",
  "/verify.js": "public, max-age=300",
  "/worker.js": "public, max-age=300"
}

/** An example address of a pattern. The last two replacements lead to nothing. */
const addressOf = (pattern: string): string =>
  pattern
    .replace(":slug", "validation")
    .replace("answers/*", "answers/save.md")
    .replace("guides/*", "guides/mcp.md")
    .replace(":id", "rap-forgiveness-term")
    .replace(":answerId", "00000000-0000-4000-8000-000000000000")
    .replace("tile/*", "tile/0/000")

/** The same with a record and a tile that exist. */
const foundAt = (pattern: string): string =>
  addressOf(pattern.replace(":answerId", answerId)).replace("tile/0/000", "tile/0/000.p/1")

/** Status and headers, without those that differ from call to call; `without` those of the body, too. */
const headOf = ({ headers, status }: Response, ...without: ReadonlyArray<string>) => ({
  status,
  headers: Object.fromEntries(
    [...headers].filter(
      ([name]) => !/^(date|connection|keep-alive|ratelimit-.*)$/.test(name) && !without.includes(name)
    )
  )
})
/** The reference computes for GET alone, so for HEAD it knows no length. */
const LENGTH = ["content-length", "content-encoding", "transfer-encoding"]
const BODY = [...LENGTH, "content-type"]

const INSIDE = /\bat .*\.[jt]s:\d|node_modules|SqlError|SQLSTATE/
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]

const expectCommonHeaders = ({ headers }: Response) => {
  expectUuid(headers.get("x-request-id"))
  expect(Object.fromEntries(headers)).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
    "access-control-allow-origin": "*",
    "access-control-expose-headers": expect.stringContaining("RateLimit-Remaining")
  })
  const absent = [
    "access-control-allow-credentials",
    "x-powered-by",
    "server",
    "set-cookie",
    "strict-transport-security"
  ]
  expect(absent.filter((name) => headers.has(name))).toEqual([])
}

describe.each([...methodsByPath].map(([pattern, methods]) => ({ pattern, methods, path: addressOf(pattern) })))(
  "the path $pattern",
  ({ methods, path, pattern }) => {
    it("answers its own methods and HEAD for GET, and refuses others with a list of its own [F46]", async () => {
      const key = await service().mint()
      const allow = METHODS.filter((method) => methods.includes(method)).flatMap((method) =>
        method === "GET" ? ["GET", "HEAD"] : [method]
      )
      for (const method of METHODS) {
        const response = await service().call(method, path, { key })
        if (methods.includes(method)) {
          expect(response.status).not.toBe(405)
          continue
        }
        expect(response.headers.get("allow")).toBe([...allow, "OPTIONS"].join(", "))
        await expectProblem(response, 405, "method-not-allowed")
      }
      const options = await service().call("OPTIONS", path)
      expectCommonHeaders(options)
      expect([options.status, options.headers.get("allow"), await options.text()]).toEqual([
        204,
        [...allow, "OPTIONS"].join(", "),
        ""
      ])
    })

    it.each(methods)("sends the common headers and its own cache policy: %s [F48]", async (method) => {
      const body = method === "POST" ? { json: {} } : {}
      const response = await service().call(method, path, { key: await service().mint(), ...body })
      expectCommonHeaders(response)
      expect(response.headers.get("cache-control")).toBe(
        response.status === 200 ? (CACHE_POLICIES[pattern] ?? "no-store") : "no-store"
      )
      if (CACHE_POLICIES[pattern] !== undefined && method === "GET") expect(response.status).toBe(200)
      expect(await response.text()).not.toMatch(INSIDE)
    })

    if (!methods.includes("GET")) return
    it("has the same head for HEAD, and for a client with its ETag [F48]", async () => {
      const headers = { "x-request-id": "the-same", "accept-encoding": "br" }
      const ask = { key: await service().mint(), headers }
      const got = await service().call("GET", foundAt(pattern), ask)
      const head = await service().call("HEAD", foundAt(pattern), ask)
      const without = pattern === "/v1/reference" ? LENGTH : []
      expect(headOf(head, ...without)).toEqual(headOf(got, ...without))
      const etag = got.headers.get("etag")
      if (etag === null) return
      for (const method of ["GET", "HEAD"]) {
        const asked = { ...ask, headers: { ...headers, "if-none-match": etag } }
        const held = await service().call(method, foundAt(pattern), asked)
        expect(headOf(held)).toEqual({ ...headOf(got, ...BODY), status: 304 })
      }
    })
  }
)

it("a path that there is not has the common headers, too [F48]", async () =>
  expectCommonHeaders(await service().call("GET", "/v1/nothing")))

it("the server has every path with a cache policy of its own [F48]", () =>
  expect(Object.keys(CACHE_POLICIES).filter((path) => !methodsByPath.has(path))).toEqual([]))
