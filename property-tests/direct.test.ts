/**
 * Tests that direct routes, which are matched without the general router, answer any request
 * exactly like it: status, headers and bytes, except dates and ids. Two services, one with direct
 * routes and one without, each with its own database, receive the same requests over plain sockets.
 */

import { Effect } from "effect"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { type Direct, directRoutes, nothingDirect } from "../src/http/direct.ts"
import { serviceWith } from "../src/main.ts"
import { migratedDatabase } from "../test/support/database.ts"
import { runs, seedOr } from "../test/support/random.ts"
import { projection } from "../test/support/requests.ts"
import { type RunningService, startService, useStarted } from "../test/support/runningService.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import {
  calculationRequests,
  comparisonRequests,
  eligibilityRequests,
  projectionRequests
} from "./generators/requests.ts"

const REQUESTS = runs(300, 1000)
const seed = seedOr(20261121)

const UNKNOWN = "slr_sbx_0000000000000000000000000000000000000"

/** One of the two services, with its own keys and ids. */
interface Side {
  readonly service: RunningService
  readonly keys: Readonly<Record<KeyName, string | undefined>>
  /** The id of a recorded answer. */
  readonly answerId: string
}

const KEYS = ["good", "another", "spent", "revoked", "unknown", "malformed", "none"] as const
type KeyName = (typeof KEYS)[number]

interface Pair {
  readonly direct: Side
  readonly general: Side
  /** Number of requests served by direct routes. */
  readonly served: () => number
  readonly stop: () => Promise<void>
}

const sideOf = async (service: RunningService): Promise<Side> => {
  const [good, another, spent, revoked] = await Promise.all([1, 2, 3, 4].map(service.mint))
  const where = (key: string | undefined) => `prefix = '${key?.slice(0, 14)}'`
  await service.query(`INSERT INTO usage (key_id, period, used)
    SELECT id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 1000 FROM api_key WHERE ${where(spent)}`)
  await service.query(`UPDATE api_key SET revoked_at = now(), revoked_reason = 'operator' WHERE ${where(revoked)}`)
  const recorded = await service.call("POST", "/v1/projection", { key: good, json: projection })
  const { provenance } = (await recorded.json()) as { provenance: { answerId: string } }
  const keys = { good, another, spent, revoked, unknown: UNKNOWN, malformed: "slr_sbx_x", none: undefined }
  return { service, keys, answerId: provenance.answerId }
}

const startPair = async (variables: Readonly<Record<string, string>>): Promise<Pair> => {
  let served = 0
  const counted = Effect.map(
    directRoutes,
    (direct): Direct =>
      (method, target) => {
        const found = direct(method, target)
        if (found !== undefined) served++
        return found
      }
  )
  const settings = { ...variables, SANDBOX_MONTHLY_CALLS: "1000" }
  const one = await startService(settings, migratedDatabase, serviceWith(counted))
  const other = await startService(settings, migratedDatabase, serviceWith(nothingDirect))
  return {
    direct: await sideOf(one),
    general: await sideOf(other),
    served: () => served,
    stop: async () => {
      await one.stop()
      await other.stop()
    }
  }
}

/** A request in which a service's own key and answer id are filled in when it is sent. */
interface Asked {
  readonly method: string
  readonly target: string
  readonly version: string
  readonly headers: ReadonlyArray<readonly [string, string]>
  readonly key: { readonly name: KeyName; readonly as: string }
  readonly body: Uint8Array | undefined
  readonly framing: "length" | "chunked" | "none"
}

const CRLF = "\r\n"

const chunked = (body: Uint8Array): Buffer => {
  const half = Math.ceil(body.length / 2)
  const chunks = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
  const framed = chunks.map((chunk) =>
    Buffer.concat([Buffer.from(chunk.length.toString(16) + CRLF), chunk, Buffer.from(CRLF)])
  )
  return Buffer.concat([...framed, Buffer.from(`0${CRLF}${CRLF}`)])
}

const keyLine = ({ keys }: Side, { as, name }: Asked["key"]): string => {
  const key = keys[name]
  if (key === undefined) return ""
  const lines: Readonly<Record<string, string>> = {
    header: `X-Api-Key: ${key}`,
    bearer: `Authorization: Bearer ${key}`,
    both: `X-Api-Key: ${key}${CRLF}Authorization: Bearer ${key}`,
    different: `X-Api-Key: ${key}${CRLF}Authorization: Bearer ${UNKNOWN}`,
    twice: `X-Api-Key: ${key}${CRLF}X-Api-Key: ${key}`
  }
  return lines[as]! + CRLF
}

/** The bytes of a request to one of the two services. */
const bytesFor = (side: Side, { body = Buffer.alloc(0), framing, headers, key, method, target, version }: Asked) => {
  const lines = headers.map(([name, value]) => `${name}: ${value}${CRLF}`).join("")
  const framings = {
    length: `Content-Length: ${body.length}${CRLF}`,
    chunked: `Transfer-Encoding: chunked${CRLF}`,
    none: ""
  }
  const head = `${method} ${target.replaceAll("ANSWER", side.answerId)} HTTP/${version}${CRLF}`
  const sent = framing === "none" ? Buffer.alloc(0) : framing === "chunked" ? chunked(body) : body
  return Buffer.concat([Buffer.from(`${head}${lines}${keyLine(side, key)}${framings[framing]}${CRLF}`, "latin1"), sent])
}

/** An answer without the parts that differ between the two services. */
const comparable = (answer: string): string =>
  answer
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi, "<id>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/^Date: .*$/gim, "<date>")
    .replaceAll(/"inputsHash":"h1-[\da-f]{64}"/g, '"inputsHash"')
    .replaceAll(/a2-[\da-f]{64}/g, "<answerHash>")
    .replaceAll(/"answerSalt":"[\w-]{22}"/g, '"answerSalt"')
    .replaceAll(/^etag: "[\w-]{43}"/gim, "<etag>")
    .replaceAll(/((?:ratelimit-reset|retry-after): |"retryAfterSeconds":)\d+/gi, "$1<seconds>")

const answerOf = async (side: Side, asked: ReadonlyArray<Asked>): Promise<string> =>
  comparable(await side.service.raw(Buffer.concat(asked.map((one) => bytesFor(side, one)))))

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

const BODIES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  "/v1/projection": projectionRequests(),
  "/v1/comparison": comparisonRequests(),
  "/v1/plan-eligibility": eligibilityRequests(),
  "/v1/calculators/loan": calculationRequests()
}

/** A request with one field replaced or added, at the top level or in the scenario. */
const spoiled = (value: unknown) =>
  fc
    .tuple(fc.constantFrom("loans", "scenario", "arms", "balance", "extra", "label"), fc.jsonValue())
    .map(([name, other]) => {
      const request = structuredClone(value) as Record<string, unknown>
      const below = request["scenario"]
      if (name === "label" && typeof below === "object" && below !== null) Object.assign(below, { label: other })
      else request[name] = other
      return request
    })

const bodyOf = (path: string): fc.Arbitrary<Uint8Array> => {
  const valid = BODIES[path] ?? fc.constant({})
  return fc.oneof(
    { weight: 8, arbitrary: valid.map(json) },
    { weight: 4, arbitrary: valid.chain(spoiled).map(json) },
    { weight: 1, arbitrary: fc.jsonValue().map(json) },
    { weight: 1, arbitrary: fc.string().map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
    { weight: 1, arbitrary: valid.map((value) => Buffer.from(`${JSON.stringify(value).slice(0, -1)},"loans":[]}`)) },
    { weight: 3, arbitrary: fc.constantFrom(8, 17, 20).map((kibibytes) => json("x".repeat(kibibytes * 1024))) }
  )
}

const often = <A>(usual: A, ...others: ReadonlyArray<A>): fc.Arbitrary<A> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(usual, ...others) })

const headersOf = (isSent: boolean): fc.Arbitrary<Asked["headers"]> =>
  fc
    .tuple(
      often("a.example", "", "[::1]:80", "no host", "a.example:x"),
      isSent
        ? often(
            "application/json",
            "application/json; charset=utf-8",
            "application/json;charset=latin1",
            "text/plain",
            ""
          )
        : fc.constant(""),
      often("", "*/*", "text/html", "text/html;q=0.5, application/json", "application/xml"),
      often("", "my-request.1", "not an id!", "x".repeat(65)),
      often("", "gzip", "identity"),
      often("", "100-continue", "other"),
      often("", "192.0.2.1", "a, b"),
      often("close", "keep-alive, close")
    )
    .map(([host, type, accept, id, encoding, expectation, forwarded, connection]) =>
      [
        ["Host", host] as const,
        ["Content-Type", type] as const,
        ["Accept", accept] as const,
        ["X-Request-Id", id] as const,
        ["Content-Encoding", encoding] as const,
        ["Expect", expectation] as const,
        ["X-Forwarded-For", forwarded] as const,
        ["Connection", connection] as const
      ].filter(([name, value]) => value !== "" || (name === "Host" && host === ""))
    )

const POSTS = Object.keys(BODIES)
const GETS = [
  "/health",
  "/v1/health",
  "/v1/verify/ANSWER",
  `/v1/verify/${"0".repeat(8)}-0000-4000-8000-${"0".repeat(12)}`
]

const variants = (path: string): fc.Arbitrary<string> =>
  often(
    path,
    `${path}?x=1`,
    `${path}?`,
    `${path}/`,
    path.toUpperCase(),
    `/${path}`,
    `${path};a=1`,
    `${path}#a`,
    path.replace("v1", "v%31"),
    path.replace("-", "%2D"),
    `http://b.example${path}`,
    `${path.slice(0, -1)}`,
    `${path}${"0".repeat(200)}`
  )

const requests: fc.Arbitrary<Asked> = fc
  .oneof(
    { weight: 5, arbitrary: fc.constantFrom(...POSTS).map((path) => ({ path, usual: "POST" })) },
    { weight: 3, arbitrary: fc.constantFrom(...GETS).map((path) => ({ path, usual: "GET" })) }
  )
  .chain(({ path, usual }) =>
    fc.record({
      method: often(usual, "GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE"),
      target: variants(path),
      version: often("1.1", "1.0"),
      headers: headersOf(usual === "POST"),
      key: fc.record({
        name: fc.oneof({ weight: 2, arbitrary: fc.constant("good" as const) }, fc.constantFrom(...KEYS)),
        as: often("header", "bearer", "both", "different", "twice")
      }),
      body: usual === "POST" ? bodyOf(path) : fc.constant(undefined),
      framing: usual === "POST" ? often("length" as const, "chunked", "none") : fc.constant("none" as const)
    })
  )

const requestWith = (changes: Partial<Asked>, type = "application/json"): Asked => ({
  method: "POST",
  target: "/v1/projection",
  version: "1.1",
  headers: [
    ["Host", "a.example"],
    ["Content-Type", type],
    ["Connection", "close"]
  ],
  key: { name: "good", as: "header" },
  body: json(projection),
  framing: "length",
  ...changes
})

/** Requests for answers that random requests rarely get. They are always sent. */
const RARE: ReadonlyArray<Asked> = [
  requestWith({ target: "/v1/calculators/loan", body: json("x".repeat(20 * 1024)) }),
  requestWith({ key: { name: "spent", as: "header" } }),
  requestWith({}, "text/plain"),
  requestWith({ method: "OPTIONS", body: undefined, framing: "none" }),
  requestWith({ method: "PUT" })
]

/** Sends requests to both services and expects equal answers. */
const expectSame = async (pair: Pair, asked: ReadonlyArray<Asked>): Promise<string> => {
  const [direct, general] = await Promise.all([answerOf(pair.direct, asked), answerOf(pair.general, asked)])
  expect(direct).toBe(general)
  return direct
}

/** The status of the last response: a 100 Continue may precede it. */
const statusOf = (answer: string): string => [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].at(-1)?.[1] ?? "none"

describe("a direct route", () => {
  const pair = useStarted(() => startPair(NO_LIMITS))
  const statuses = new Map<string, number>()

  it("answers any request like the general router", { timeout: 180_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (asked) => {
        const status = statusOf(await expectSame(pair(), [asked]))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }),
      { numRuns: REQUESTS, seed, examples: RARE.map((one) => [one]) }
    )
    // The drawn requests must cover all kinds of answers.
    const expected = ["200", "204", "400", "401", "404", "405", "413", "415", "429"]
    expect([...statuses.keys()].sort()).toEqual(expected)
    expect(statuses.get("200")).toBeGreaterThan(REQUESTS / 10)
    expect(pair().served()).toBeGreaterThan(REQUESTS / 5)
  })

  it("answers pipelined requests in their order", { timeout: 120_000 }, async () => {
    const keptAlive = requests.map(
      (asked): Asked => ({
        ...asked,
        version: "1.1",
        headers: asked.headers.filter(([name]) => name !== "Connection")
      })
    )
    await fc.assert(
      fc.asyncProperty(fc.array(keptAlive, { minLength: 1, maxLength: 3 }), requests, async (ahead, last) => {
        await expectSame(pair(), [...ahead, last])
      }),
      { numRuns: runs(20, 60), seed }
    )
  })
})

describe("a direct route with low rate limits", () => {
  const LIMITS = { KEY: "6/h", REFUSED: "3/h", UNKNOWN: "3/h", VERIFY: "4/h", KEYLESS: "4/h" }
  const variables = Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [`RATE_LIMIT_${name}`, limit]))
  let pair: Pair
  afterAll(() => pair.stop())

  it("counts requests like the general router", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: 30, maxLength: 40 }), async (asked) => {
        await pair?.stop()
        pair = await startPair(variables)
        for (const one of asked) await expectSame(pair, [one])
      }),
      { numRuns: runs(1, 3), seed, endOnFailure: true }
    )
  })
})
