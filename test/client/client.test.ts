/**
 * Tests of the typed client against the running service: all calls, failures, retries and timeouts.
 */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { inspect } from "node:util"
import { Effect, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { afterAll, describe, expect, it } from "vitest"
import { ruleVersion } from "../../ledger/index.ts"
import { ProjectionRequest } from "../../schema/projection.ts"
import {
  Api,
  createClient,
  isProblem,
  type Problem,
  ServiceProblem,
  ServiceUnreachable,
  UnexpectedAnswer
} from "../../src/client/index.ts"
import { openReceipt } from "../../src/proof/checkpoint.ts"
import { readRecord } from "../../src/proof/commitment.ts"
import { freePort } from "../support/freePort.ts"
import { comparisonOf, FIRST_PAYMENT, loan, projection } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const service = useService({ SANDBOX_MONTHLY_CALLS: "40" })
const singleCallService = useService({ SANDBOX_MONTHLY_CALLS: "1" })
const rateLimitedService = useService({ RATE_LIMIT_KEY: "1/s" })

const anonymous = () => createClient({ baseUrl: service().base })
const withKey = async () => createClient({ baseUrl: `${service().base}/`, apiKey: await service().mint() })

/** The error of a rejected call, and the time it took. */
const failureOf = async (call: Promise<unknown>): Promise<{ readonly error: unknown; readonly millis: number }> => {
  const started = performance.now()
  const error = await call.then(
    () => expect.fail("the call was answered"),
    (reason: unknown) => reason
  )
  return { error, millis: performance.now() - started }
}

const problemOf = async (call: Promise<unknown>): Promise<Problem> => {
  const { error } = await failureOf(call)
  if (!isProblem(error)) throw error
  return error
}

describe("the promise client", () => {
  it("projects, and its answer can be verified", async () => {
    const client = await withKey()
    const answer = await client.project({ ...projection, includeYearly: true })
    expect(answer.planType).toBe("REPAYMENT ASSISTANCE")
    expect(answer.yearly?.length).toBeGreaterThan(10)
    const record = await anonymous().verify(answer.provenance.answerId!)
    expect(record).toMatchObject({ answerId: answer.provenance.answerId, ruleVersion, recorded: true })
  })

  it("fetches the receipt of an answer as soon as its record is in the log", async () => {
    const { answerId } = (await (await withKey()).project(projection)).provenance
    const receipt = await anonymous().receipt(answerId!)
    const keys = (await (await service().call("GET", "/log/key")).text()).trim().split("\n")
    expect(readRecord((await openReceipt(receipt, keys)).record).answerId).toBe(answerId)
    const unknown = await problemOf(anonymous().receipt("0f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11"))
    expect(unknown._tag).toBe("AnswerNotFoundProblem")
  })

  it("accepts only a receipt for a receipt", async () => {
    for (const text of ["<html>", '{"recorded":true}', ""]) {
      const { receipt } = createClient({ baseUrl: "http://127.0.0.1:1", fetch: async () => new Response(text) })
      expect((await failureOf(receipt("0f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11"))).error).toBeInstanceOf(UnexpectedAnswer)
    }
  })

  it("distinguishes a recorded answer from a changed one", async () => {
    const answer = await (await withKey()).project(projection)
    expect(await anonymous().check(answer)).toMatchObject({ matches: true, record: { recorded: true } })
    const changed = { ...answer, totalOutOfPocket: answer.totalOutOfPocket + 0.01 }
    expect(await anonymous().check(changed)).toMatchObject({ matches: false })
  })

  it("compares scenarios, and lists electable plans and plan types", async () => {
    const client = await withKey()
    const { lowestCostLabel, projections } = await client.compare(comparisonOf("STANDARD", "EXTENDED"))
    expect(projections.map(({ label }) => label)).toEqual(["standard", "extended"])
    expect(lowestCostLabel).toBe("standard")
    const { loans } = await client.eligiblePlans({ loans: [loan] })
    const types = await client.planTypes()
    expect(types).toEqual(expect.arrayContaining([...loans[0]!.eligiblePlanTypes]))
  })

  it("explains a payment without a key", async () => {
    const { month, parts, payment } = await anonymous().explain({ ...projection, month: 13 })
    expect([month, payment, parts.length]).toEqual([13, FIRST_PAYMENT, 1])
  })

  it("calculates without a key", async () => {
    const { plans } = await anonymous().calculate({ balance: 30_000, ratePct: 6, borrowerAgi: 50_000 })
    expect(plans.length).toBeGreaterThan(3)
  })

  it("returns the account and pages through its records", async () => {
    const client = await withKey()
    for (const planType of ["STANDARD", "EXTENDED", "GRADUATED"] as const) {
      await client.project({ ...projection, scenario: { ...projection.scenario, planType } })
    }
    expect(await client.me()).toMatchObject({ tier: "Sandbox", monthlyCallLimit: 40, callsUsedThisPeriod: 4 })
    const first = await client.records({ limit: 2, from: new Date(Date.now() - 60_000) })
    expect(first.records.length).toBe(2)
    const rest = await client.records({ limit: 2, cursor: first.nextCursor! })
    expect(rest).toMatchObject({ records: [{ source: "PublicApi" }], nextCursor: null })
    expect((await client.records({ to: new Date(0) })).records).toEqual([])
  })

  it("reads the rules, their version, the reference scenarios and the service's health", async () => {
    const client = anonymous()
    expect((await client.rules()).version).toBe(ruleVersion)
    expect(await client.rulesVersion()).toBe(ruleVersion)
    expect((await client.reference()).scenarios.length).toBe(4)
    expect((await client.health()).status).toBe("ok")
  })

  it("mints a key that works", async () => {
    const { apiKey } = await anonymous().mintSandboxKey("client@example.org")
    expect(await createClient({ baseUrl: service().base, apiKey }).planTypes()).toHaveLength(10)
  })
})

describe("a problem of the service", () => {
  it("names every refused field, with the service's own message", async () => {
    const client = await withKey()
    const loans = [{ ...loan, interestRate: 6.8 }]
    const scenario = { ...projection.scenario, state: "ZZ" as "NC" }
    const problem = await problemOf(client.project({ scenario, loans }))
    if (problem._tag !== "ValidationProblem") throw problem
    expect(problem.status).toBe(400)
    expect(Object.keys(problem.errors)).toEqual(["scenario.state", "loans[0].interestRate"])
    expect(problem.errors["loans[0].interestRate"]?.[0]).toContain("6.8 looks like a percentage; send 0.068")
  })

  it("has a message with the first two fields and the number of the others", async () => {
    const client = await withKey()
    const loans = [{ ...loan, interestRate: 6.8, principalBalance: -1 }]
    const wrong = { ...projection.scenario, state: "ZZ" as "NC", dependents: 31 }
    const { errors, message } = (await problemOf(client.project({ scenario: wrong, loans }))) as ServiceProblem
    const [first, second] = Object.entries(errors!).map(([path, [firstMessage]]) => `${path} ${firstMessage}`)
    expect(message.endsWith(`. ${first}; ${second}; and 2 more`)).toBe(true)
    const one = await problemOf(client.project({ scenario: projection.scenario, loans: [] }))
    expect(one.message).toMatch(/ loans must hold 1 to 100 loans$/)
  })

  it("is identified by its tag", async () => {
    const client = await withKey()
    const artifact = { ...projection, loans: [{ ...loan, idrMonthsInRepayment: 600 }] }
    expect((await problemOf(client.project(artifact)))._tag).toBe("ArtifactPlanProblem")
    const unknown = await problemOf(anonymous().verify("0f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11"))
    expect(unknown._tag).toBe("AnswerNotFoundProblem")
    const { apiKey } = await anonymous().mintSandboxKey("unpaid@example.org")
    const unpaid = await problemOf(anonymous().claimProductionKey(apiKey))
    expect(unpaid).toMatchObject({ _tag: "NoSubscriptionProblem", email: "unpaid@example.org" })
  })

  it("has a message with the reason and the remedy, and a stack that begins at the call", async () => {
    const askWithoutKey = () => anonymous().me()
    const problem = await problemOf(askWithoutKey())
    expect(problem).toBeInstanceOf(ServiceProblem)
    expect(problem.message).toBe(
      "A valid API key is required: Send an active key in X-Api-Key. POST /v1/keys/sandbox issues one for an email address."
    )
    const [first, second, ...frames] = problem.stack!.split("\n")
    expect(first).toBe(`UnauthorizedProblem: ${problem.message}`)
    expect(second).toMatch(/askWithoutKey.*client\.test\.ts/)
    expect(frames.filter((frame) => frame.includes("src/client"))).toEqual([])
    expect(`${problem}`).toBe(first)
  })

  it("is recognized even if the endpoint does not declare it", async () => {
    const elsewhere = createClient({ baseUrl: `${service().base}/elsewhere` })
    expect((await problemOf(elsewhere.health()))._tag).toBe("NotFoundProblem")
  })
})

describe("a 429 response", () => {
  it("rejects the call at once if the monthly quota is used up", async () => {
    const client = createClient({ baseUrl: singleCallService().base, apiKey: await singleCallService().mint() })
    await client.planTypes()
    const { error, millis } = await failureOf(client.planTypes())
    expect(error).toMatchObject({
      _tag: "QuotaExceededProblem",
      detail: expect.stringMatching(/^1 of 1 calls used. Wait until /)
    })
    expect(millis).toBeLessThan(1000)
  })

  it("is retried if a rate limit asks for one second", async () => {
    const client = createClient({ baseUrl: rateLimitedService().base, apiKey: await rateLimitedService().mint() })
    await client.planTypes()
    expect(await client.planTypes()).toHaveLength(10)
  })
})

describe("a call without an answer from the service", () => {
  const servers: Array<() => void> = []
  afterAll(() => {
    for (const stop of servers) stop()
  })
  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    servers.push(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it("rejects with ServiceUnreachable if no server listens", async () => {
    const client = createClient({ baseUrl: `http://127.0.0.1:${await freePort()}` })
    const { error } = await failureOf(client.health())
    expect(error).toBeInstanceOf(ServiceUnreachable)
    expect(error).toMatchObject({ message: expect.stringMatching(/^GET \/health got no response: .*ECONNREFUSED/) })
    expect(inspect(error)).not.toContain("src/client")
  })

  it("rejects with ServiceUnreachable after its timeout", async () => {
    const baseUrl = await serve(() => undefined)
    const { error, millis } = await failureOf(createClient({ baseUrl, timeoutMillis: 200 }).health())
    expect(error).toMatchObject({ _tag: "ServiceUnreachable", message: "no response within 200 ms" })
    expect(millis).toBeLessThan(2000)
  })

  it("rejects with UnexpectedAnswer if another server answers", async () => {
    const page = await serve((_, response) => response.writeHead(502, { "content-type": "text/html" }).end("<p>down"))
    const { error } = await failureOf(createClient({ baseUrl: page }).me())
    expect(error).toBeInstanceOf(UnexpectedAnswer)
    const other = await serve((_, response) => response.setHeader("content-type", "application/json").end("{}"))
    const again = await failureOf(createClient({ baseUrl: other }).health())
    expect(again.error).toMatchObject({ _tag: "UnexpectedAnswer", status: 200 })
  })

  it("is retried after a lost connection only if it is a GET or has an Idempotency-Key", async () => {
    const seen: Array<string> = []
    const baseUrl = await serve((request) => {
      seen.push(`${request.method} ${request.headers["idempotency-key"]}`)
      request.socket.destroy()
    })
    const client = createClient({ baseUrl, apiKey: "none" })
    await failureOf(client.health())
    await failureOf(client.project(projection, { idempotencyKey: "order-1" }))
    await failureOf(client.eligiblePlans({ loans: [loan] }))
    expect(seen).toEqual([
      ...Array.from({ length: 3 }, () => "GET undefined"),
      ...Array.from({ length: 3 }, () => "POST order-1"),
      "POST undefined"
    ])
  })

  it("is carried out once though its answer is lost, and again only with another key", async () => {
    const apiKey = await service().mint()
    let losses = 0
    const answerLost: typeof fetch = async (...request) => {
      await fetch(...request)
      losses += 1
      throw new TypeError("fetch failed")
    }
    const losing: typeof fetch = (...request) => (losses < 2 ? answerLost(...request) : fetch(...request))
    const client = createClient({ baseUrl: service().base, apiKey, fetch: losing })
    const answer = await client.project(projection)
    expect([losses, await service().used(apiKey)]).toEqual([2, 1])
    expect(await client.check(answer)).toMatchObject({ matches: true })

    const named = await client.compare(comparisonOf("STANDARD", "EXTENDED"), { idempotencyKey: "order-2" })
    expect(await client.compare(comparisonOf("STANDARD", "EXTENDED"), { idempotencyKey: "order-2" })).toEqual(named)
    expect(await service().used(apiKey)).toBe(2)
    const reused = await problemOf(client.project(projection, { idempotencyKey: "order-2" }))
    expect(reused).toMatchObject({ _tag: "IdempotencyKeyReusedProblem", answerId: named.provenance.answerId })
  })

  it("rejects with UnexpectedAnswer for an unknown problem and for a redirect, which it does not follow", async () => {
    const type = "https://api.example.org/problems/sold-out"
    const body = JSON.stringify({ type, title: "Sold out.", status: 402, detail: "Come back.", instance: "" })
    const later = await serve((_, response) => response.writeHead(402).end(body))
    const unknown = await failureOf(createClient({ baseUrl: later }).health())
    expect(unknown.error).toMatchObject({ _tag: "UnexpectedAnswer", status: 402 })
    const keys: Array<unknown> = []
    const elsewhere = await serve((request, response) => {
      keys.push(request.headers["x-api-key"])
      response.writeHead(307, { location: "/v1/elsewhere" }).end()
    })
    const { error } = await failureOf(createClient({ baseUrl: elsewhere, apiKey: "slr_of_mine" }).me())
    expect(error).toMatchObject({ status: 307, message: expect.stringContaining("redirect") })
    expect(keys).toEqual(["slr_of_mine"])
  })

  const REFUSAL = {
    type: "https://api.example.org/problems/unauthorized",
    title: "Refused.",
    status: 401,
    detail: "Send a key.",
    instance: "urn:uuid:0"
  }
  const refusedWith = async (document: unknown) => {
    const fetch = async () => new Response(JSON.stringify(document), { status: 401 })
    return (await failureOf(createClient({ baseUrl: "http://127.0.0.1:1", fetch }).me())).error
  }

  const WRONG_ERRORS = [null, { a: null }, { a: [] }, { a: [{}] }].map((errors) => ({ errors }))
  it.each([...[{ title: undefined }, { title: 5 }, { status: "401" }, { type: { toString: null } }], ...WRONG_ERRORS])(
    "rejects with UnexpectedAnswer for a problem with %j",
    async (wrong) => {
      const error = await refusedWith({ ...REFUSAL, ...wrong })
      expect(error).toMatchObject({ _tag: "UnexpectedAnswer", status: 401 })
    }
  )

  it("takes only a problem's own members from its document", async () => {
    const forged = `{"__proto__":{"toString":1},"_tag":"ServiceUnreachable","message":"m","stack":"s","name":"n"}`
    const members = JSON.parse(`${forged.slice(0, -1)},${JSON.stringify(REFUSAL).slice(1)}`)
    const error = (await refusedWith(members)) as ServiceProblem
    expect(error).toBeInstanceOf(ServiceProblem)
    expect(error).toMatchObject({ ...REFUSAL, _tag: "UnauthorizedProblem", name: "UnauthorizedProblem" })
    expect(error.message).toBe("Refused: Send a key.")
    expect(error.stack).toContain("client.test.ts")
    expect(Object.keys(error).sort()).toEqual(["_tag", ...Object.keys(REFUSAL)].sort())
  })

  it("has a message of a few lines however long the problem's texts are", async () => {
    const long = "a".repeat(1_000_000)
    const error = (await refusedWith({ ...REFUSAL, detail: long, errors: { [long]: [long] } })) as ServiceProblem
    expect(error.message).toMatch(/^Refused: a{1991}$/)
    expect(error.detail).toBe(long)
  })

  it("rejects on timeout and on abort even if fetch ignores its signal", async () => {
    let sent = 0
    const fetch = () => {
      sent += 1
      return new Promise<never>(() => undefined)
    }
    const client = createClient({ baseUrl: "http://127.0.0.1:1", timeoutMillis: 100, fetch })
    expect((await failureOf(client.health())).error).toBeInstanceOf(ServiceUnreachable)
    expect((await failureOf(client.health({ signal: AbortSignal.abort("never mind") }))).error).toBe("never mind")
    expect(sent).toBe(1)
  })

  it("rejects with the caller's abort reason, even while it waits for a retry", async () => {
    const seen: Array<string> = []
    const baseUrl = await serve((request, response) => {
      seen.push(`${request.method}`)
      response.writeHead(503, { "retry-after": "2" }).end("{}")
    })
    const controller = new AbortController()
    const call = createClient({ baseUrl }).health({ signal: controller.signal })
    await expect.poll(() => seen.length).toBe(1)
    await setTimeout(100)
    const reason = new Error("the user left")
    controller.abort(reason)
    const { error, millis } = await failureOf(call)
    expect(error).toBe(reason)
    expect(reason.message).toBe("the user left")
    expect(millis).toBeLessThan(1000)
    await setTimeout(2200)
    expect(seen).toEqual(["GET"])
  })

  it("rejects at once if its caller aborts while it waits for a response", async () => {
    const baseUrl = await serve(() => undefined)
    const controller = new AbortController()
    const call = createClient({ baseUrl }).health({ signal: controller.signal })
    controller.abort()
    const { millis } = await failureOf(call)
    expect(millis).toBeLessThan(1000)
  })
})

describe("createClient", () => {
  it.each([
    "localhost:8080",
    "api.example.org",
    "//api.example.org",
    "/api",
    "",
    "http://",
    "http://api example",
    "ftp://api.example.org",
    "https://user:word@api.example.org",
    "https://api.example.org/?a=1",
    "https://api.example.org/#top"
  ])("refuses the address %j", (baseUrl) => {
    expect(() => createClient({ baseUrl })).toThrow(TypeError)
    expect(() => createClient({ baseUrl })).toThrow(/baseUrl must begin with http:\/\/ or https:\/\//)
  })

  it("refuses an address with a password, without repeating the password", () => {
    const make = () => createClient({ baseUrl: "https://ada:secret@api.example.org" })
    expect(make).toThrow(/it is "https:\/\/\.\.\.@api\.example\.org"$/)
  })

  it.each([0, -1, Number.NaN, "1000" as never])("refuses a timeout of %j milliseconds", (timeoutMillis) => {
    expect(() => createClient({ baseUrl: "http://127.0.0.1:8080", timeoutMillis })).toThrow(
      /^timeoutMillis must be a number above 0; it is /
    )
  })

  it("refuses a key that a header cannot contain", () => {
    const make = () => createClient({ baseUrl: "http://127.0.0.1:8080", apiKey: "slr_sbx_1\nslr_sbx_2" })
    expect(make).toThrow(/^apiKey must be a key as it was issued/)
  })
})

describe("an untyped call from JavaScript", () => {
  it("without a request is refused with the service's own message", async () => {
    const client = await withKey()
    const problem = await problemOf(client.project(undefined as never))
    expect(problem).toMatchObject({ _tag: "ValidationProblem", status: 400 })
    expect(problem.message).toContain("must be a JSON object with scenario and loans")
  })

  it.each([undefined, null, {}, { provenance: { answerId: null } }])(
    "rejects with a TypeError if it checks %j instead of an answer",
    async (answer) => {
      const { error } = await failureOf(anonymous().check(answer as never))
      expect(error).toEqual(new TypeError("check takes only a recorded answer: this one has no provenance.answerId"))
    }
  )

  it("rejects with a TypeError, and does not throw, for an invalid Date", async () => {
    const { error } = await failureOf(anonymous().records({ from: new Date("x") }))
    expect(error).toMatchObject({ name: "TypeError", message: expect.stringMatching(/^from is an invalid Date/) })
  })
})

describe("the Effect client", () => {
  const makeClient = (apiKey: string) =>
    HttpApiClient.make(Api, {
      baseUrl: service().base,
      transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("x-api-key", apiKey))
    })
  const run = <A, E>(effect: Effect.Effect<A, E, HttpClient.HttpClient>): Promise<A> =>
    Effect.runPromise(Effect.provide(effect, FetchHttpClient.layer))

  it("projects a decoded request, and has problems in its error channel", async () => {
    const apiKey = await service().mint()
    const program = Effect.gen(function* () {
      const client = yield* makeClient(apiKey)
      const payload = yield* Schema.decodeEffect(ProjectionRequest)(projection)
      const answer = yield* client.calculations.projection({ payload, query: {} })
      const brief = yield* client.calculations.projection({ payload, query: { detail: "brief" } })
      const keyless = yield* HttpApiClient.make(Api, { baseUrl: service().base })
      const refusal = yield* keyless.calculations
        .projection({ payload, query: {} })
        .pipe(Effect.catchTag("UnauthorizedProblem", ({ status }) => Effect.succeed(status)))
      return { answer, brief, refusal }
    })
    const { answer, brief, refusal } = await run(program)
    expect(answer.provenance.answerId).not.toBeNull()
    expect("textsHash" in brief.provenance).toBe(true)
    expect(refusal).toBe(401)
  })

  it("returns a 304 as an empty body", async () => {
    const program = Effect.gen(function* () {
      const client = yield* HttpApiClient.make(Api, { baseUrl: service().base })
      const { headers } = yield* client.rules.rulesVersion({ headers: {} })
      return yield* client.rules.rules({ headers: { "if-none-match": headers.etag } })
    })
    expect((await run(program)).body).toBeUndefined()
  })
})
