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

const REQUESTS = runs(100, 1000)
const seed = seedOr(20261121)

const UNKNOWN = "slr_sbx_0000000000000000000000000000000000000"

/** One of the two services, with its own keys and the id of a recorded answer. */
const sideOf = async (service: RunningService) => {
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

type Side = Awaited<ReturnType<typeof sideOf>>
const KEYS = ["good", "another", "spent", "revoked", "unknown", "malformed", "none"] as const

/** @returns both services, and the number of requests that direct routes have served */
const startPair = async (variables: Readonly<Record<string, string>>) => {
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
  const start = (routes: typeof directRoutes) =>
    startService({ ...variables, SANDBOX_MONTHLY_CALLS: "1000" }, migratedDatabase, serviceWith(routes))
  const sides = [await sideOf(await start(counted)), await sideOf(await start(nothingDirect))] as const
  const stop = async () => {
    for (const { service } of sides) await service.stop()
  }
  return { sides, served: () => served, stop }
}

type Pair = Awaited<ReturnType<typeof startPair>>

/** A request in which a service's own key and answer id are filled in when it is sent. */
interface Asked {
  readonly method: string
  readonly target: string
  readonly version: string
  readonly headers: Readonly<Record<string, string>>
  readonly key: (typeof KEYS)[number]
  readonly keyAs: string
  readonly body: Uint8Array
  readonly framing: string
}

const CRLF = "\r\n"

/** The body in two chunks. */
const chunked = (body: Buffer): Buffer => {
  const half = Math.ceil(body.length / 2)
  const chunks = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
  const framed = chunks.flatMap((chunk) => [chunk.length.toString(16), CRLF, chunk, CRLF])
  return Buffer.concat([...framed, `0${CRLF}${CRLF}`].map((part) => Buffer.from(part)))
}

const FRAMINGS: Readonly<Record<string, (body: Buffer) => readonly [header: string, sent: Buffer]>> = {
  length: (body) => [`Content-Length: ${body.length}${CRLF}`, body],
  chunked: (body) => [`Transfer-Encoding: chunked${CRLF}`, chunked(body)],
  none: () => ["", Buffer.alloc(0)]
}

const KEY_LINES: Readonly<Record<string, (key: string) => ReadonlyArray<string>>> = {
  header: (key) => [`X-Api-Key: ${key}`],
  bearer: (key) => [`Authorization: Bearer ${key}`],
  both: (key) => [`X-Api-Key: ${key}`, `Authorization: Bearer ${key}`],
  different: (key) => [`X-Api-Key: ${key}`, `Authorization: Bearer ${UNKNOWN}`],
  twice: (key) => [`X-Api-Key: ${key}`, `X-Api-Key: ${key}`]
}

/** The bytes of a request to one of the two services. */
const bytesFor = ({ answerId, keys }: Side, { body, framing, headers, key, keyAs, method, target, version }: Asked) => {
  const own = keys[key]
  const [framed, sent] = FRAMINGS[framing]!(Buffer.from(body))
  const lines = [
    `${method} ${target.replaceAll("ANSWER", answerId)} HTTP/${version}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(own === undefined ? [] : KEY_LINES[keyAs]!(own))
  ]
  return Buffer.concat([Buffer.from(`${lines.join(CRLF)}${CRLF}${framed}${CRLF}`, "latin1"), sent])
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

/** Sends requests to both services, expects equal answers, and returns one. */
const expectSame = async ({ sides }: Pair, ...asked: ReadonlyArray<Asked>): Promise<string> => {
  const answers = sides.map((side) => side.service.raw(Buffer.concat(asked.map((one) => bytesFor(side, one)))))
  const [direct, general] = (await Promise.all(answers)).map(comparable)
  expect(direct).toBe(general)
  return direct!
}

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

const BODIES: Readonly<Record<string, fc.Arbitrary<object>>> = {
  "/v1/projection": projectionRequests(),
  "/v1/comparison": comparisonRequests(),
  "/v1/plan-eligibility": eligibilityRequests(),
  "/v1/calculators/loan": calculationRequests()
}

/** A request with one member replaced or added, or the label of its scenario. */
const spoiled = (value: object) =>
  fc
    .tuple(fc.constantFrom("loans", "scenario", "arms", "balance", "extra", "label"), fc.jsonValue())
    .map(([name, other]): object =>
      name === "label" && "scenario" in value
        ? { ...value, scenario: { ...(value.scenario as object), label: other } }
        : { ...value, [name]: other }
    )

const bodyOf = (path: string): fc.Arbitrary<Uint8Array> => {
  const valid = BODIES[path]!
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

const often = (usual: string, ...others: ReadonlyArray<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(usual, ...others) })

const TYPES = ["application/json", "application/json; charset=utf-8", "application/json;charset=latin1", "text/plain"]

/** Headers, without those that are empty; an empty Host is sent. */
const headersOf = (isPost: boolean): fc.Arbitrary<Asked["headers"]> =>
  fc
    .record({
      Host: often("a.example", "", "[::1]:80", "no host", "a.example:x"),
      "Content-Type": isPost ? often(TYPES[0]!, ...TYPES, "") : fc.constant(""),
      Accept: often("", "*/*", "text/html", "text/html;q=0.5, application/json", "application/xml"),
      "X-Request-Id": often("", "my-request.1", "not an id!", "x".repeat(65)),
      "Content-Encoding": often("", "gzip", "identity"),
      Expect: often("", "100-continue", "other"),
      "X-Forwarded-For": often("", "192.0.2.1", "a, b"),
      Connection: often("close", "keep-alive, close")
    })
    .map((all) => Object.fromEntries(Object.entries(all).filter(([name, value]) => value !== "" || name === "Host")))

const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"
const GETS = ["/health", "/v1/health", "/v1/verify/ANSWER", `/v1/verify/${UNKNOWN_ID}`]

const variants = (path: string): fc.Arbitrary<string> =>
  often(
    path,
    ...["?x=1", "?", "/", ";a=1", "#a", "0".repeat(200)].map((more) => path + more),
    ...[`/${path}`, path.toUpperCase(), path.slice(0, -1), `http://b.example${path}`],
    ...[path.replace("v1", "v%31"), path.replace("-", "%2D")]
  )

const requestsTo = (path: string, usual: "GET" | "POST"): fc.Arbitrary<Asked> =>
  fc.record({
    method: often(usual, "GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE"),
    target: variants(path),
    version: often("1.1", "1.0"),
    headers: headersOf(usual === "POST"),
    key: fc.oneof({ weight: 2, arbitrary: fc.constant("good" as const) }, fc.constantFrom(...KEYS)),
    keyAs: often("header", "bearer", "both", "different", "twice"),
    body: usual === "POST" ? bodyOf(path) : fc.constant(Buffer.alloc(0)),
    framing: usual === "POST" ? often("length", "chunked", "none") : fc.constant("none")
  })

const requests = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...Object.keys(BODIES)).chain((path) => requestsTo(path, "POST")) },
  { weight: 3, arbitrary: fc.constantFrom(...GETS).chain((path) => requestsTo(path, "GET")) }
)

const ORDINARY: Asked = {
  method: "POST",
  target: "/v1/projection",
  version: "1.1",
  headers: { Host: "a.example", "Content-Type": "application/json", Connection: "close" },
  key: "good",
  keyAs: "header",
  body: json(projection),
  framing: "length"
}

/** Requests for answers that random requests rarely get. They are always sent. */
const RARE: ReadonlyArray<Partial<Asked>> = [
  { target: "/v1/calculators/loan", body: json("x".repeat(20 * 1024)) },
  { key: "spent" },
  { headers: { ...ORDINARY.headers, "Content-Type": "text/plain" } },
  { method: "OPTIONS", framing: "none" },
  { method: "PUT" }
]

/** The status of the last response: a 100 Continue may precede it. */
const statusOf = (answer: string): string => [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].at(-1)?.[1] ?? "none"

describe("a direct route", () => {
  const pair = useStarted(() => startPair(NO_LIMITS))

  it("answers any request like the general router", async () => {
    const statuses: Array<string> = []
    await fc.assert(
      fc.asyncProperty(requests, async (asked) => void statuses.push(statusOf(await expectSame(pair(), asked)))),
      { numRuns: REQUESTS, seed, examples: RARE.map((changes) => [{ ...ORDINARY, ...changes }]) }
    )
    // The drawn requests must cover all kinds of answers.
    const expected = ["200", "204", "400", "401", "404", "405", "413", "415", "429"]
    expect([...new Set(statuses)].sort()).toEqual(expected)
    expect(statuses.filter((status) => status === "200").length).toBeGreaterThan(REQUESTS / 10)
    expect(pair().served()).toBeGreaterThan(REQUESTS / 5)
  })

  it("answers pipelined requests in their order", async () => {
    const keptAlive = requests.map(({ headers: { Connection: _, ...headers }, ...asked }) => {
      return { ...asked, headers, version: "1.1" }
    })
    const some = fc.array(keptAlive, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(some, requests, async (ahead, last) => void (await expectSame(pair(), ...ahead, last))),
      { numRuns: runs(8, 60), seed }
    )
  })
})

describe("a direct route with low rate limits", () => {
  const LIMITS = { KEY: "6/h", REFUSED: "3/h", UNKNOWN: "3/h", VERIFY: "4/h", KEYLESS: "4/h" }
  const variables = Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [`RATE_LIMIT_${name}`, limit]))
  let pair: Pair
  afterAll(() => pair.stop())

  it("counts requests like the general router", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: 30, maxLength: 40 }), async (asked) => {
        await pair?.stop()
        pair = await startPair(variables)
        for (const one of asked) await expectSame(pair, one)
      }),
      { numRuns: runs(1, 3), seed, endOnFailure: true }
    )
  })
})
