/** Database outages (away, slow, read-only): what still answers, and what is never returned. */
import { Console, Effect, Layer, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { serviceLayer } from "../../src/main.ts"
import { expectProblem } from "../support/answers.ts"
import { addressOf, migratedDatabase, query } from "../support/database.ts"
import { calculator, comparison, loan, projection } from "../support/requests.ts"
import { type RunningService, startService, useStarted } from "../support/runningService.ts"
import { PATIENT, QUICK } from "../support/settings.ts"
import { until } from "../support/until.ts"

const administer = (statement: string) => query({ url: Redacted.make(inject("postgres")) }, statement)

let running: RunningService
let url: Redacted.Redacted<string>
let database: string
let key: string
let answerId: string

const close = async (setting: string) => {
  await administer(`ALTER DATABASE ${database} ${setting}`)
  await administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`)
}

const isReached = () =>
  query(addressOf(url), "SELECT 1").then(
    () => true,
    () => false
  )

/**
 * A pooler retries an unavailable database only for a client, which it refuses. So this connects
 * until it succeeds.
 */
const reopen = async () => {
  await administer(`ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS true`)
  await until(isReached)
}

beforeAll(async () => {
  const named = Effect.map(migratedDatabase, (fresh) => {
    url = fresh
    database = new URL(Redacted.value(url)).pathname.slice(1)
    return url
  })
  running = await startService({ RATE_LIMIT_KEY: "off" }, named)
  key = await running.mint()
  const answer = await (await running.call("POST", "/v1/projection", { json: projection, key })).json()
  answerId = (answer as { provenance: { answerId: string } }).provenance.answerId
})
afterAll(async () => running.stop())

const KEYED: ReadonlyArray<readonly [string, string, object]> = [
  ["POST", "/v1/projection", { json: projection }],
  ["POST", "/v1/comparison", { json: comparison }],
  ["POST", "/v1/plan-eligibility", { json: { loans: [loan] } }],
  ["GET", "/v1/plan-types", {}],
  ["GET", "/v1/me", {}],
  ["GET", "/v1/records", {}]
]

/** A key of a service with a short deadline, which a busy machine may miss at first. */
const mintedBy = async ({ mint }: RunningService) => {
  let minted = ""
  await until(async () => {
    minted = await mint().catch(() => "")
    return minted !== ""
  })
  return minted
}

const usedCalls = async () => {
  const me = (await (await running.call("GET", "/v1/me", { key })).json()) as { callsUsedThisPeriod: number }
  return me.callsUsedThisPeriod
}

describe("while the database is away [F3]", () => {
  beforeAll(async () => close("WITH ALLOW_CONNECTIONS false"))
  afterAll(reopen)

  it.each([
    ...KEYED,
    ["GET", "/v1/reference", { key: undefined }],
    ["POST", "/v1/keys/sandbox", { key: undefined, json: { email: "a@example.org" } }]
  ] as const)(
    "%s %s answers 503 with Retry-After, never 401, and returns no figure and no key",
    async (method, path, ask) => {
      const response = await running.call(method, path, { key, ...ask })
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0)
      const problem = await expectProblem(response, 503, "ledger-unavailable")
      expect(JSON.stringify(problem)).not.toMatch(/year1MonthlyPayment|totalOutOfPocket|\b250\b|slr_/)
    }
  )

  it.each(["/log/checkpoint", "/log/key", "/log/tile/0/000.p/1", "/v1/verify/:id", "/v1/verify/:id/receipt"])(
    "%s is not reported as missing, in words that fit a call without a charge",
    async (path) => {
      const refused = await running.call("GET", path.replace(":id", answerId))
      const { detail } = await expectProblem(refused, 503, "ledger-unavailable")
      expect(detail).toBe("The database did not answer in time. Send the same request again shortly.")
    }
  )

  it("a malformed key is refused without the database [F43]", async () => {
    await expectProblem(await running.call("GET", "/v1/me", { key: "slr_live_x" }), 401, "unauthorized")
  })

  it.each([
    "/health",
    "/v1/health",
    "/v1/rules",
    "/v1/rules/version",
    "/openapi.json",
    "/problems/validation",
    "/rules",
    "/rules?q=interest"
  ])("%s answers", async (path) => expect((await running.call("GET", path)).status).toBe(200))

  it("the keyless calculator answers", async () =>
    expect((await running.call("POST", "/v1/calculators/loan", { json: calculator })).status).toBe(200))
})

describe("once the database is back", () => {
  it("the service recovers by itself, and refused calls have not been charged [F3] [F13]", async () => {
    const before = await usedCalls()
    await close("WITH ALLOW_CONNECTIONS false")
    for (let call = 0; call < 3; call++) await running.call("POST", "/v1/projection", { json: projection, key })
    await reopen()
    expect(await usedCalls()).toBe(before + 1)
    expect((await running.call("POST", "/v1/projection", { json: projection, key })).status).toBe(200)
  })
})

describe("while the database cannot write [F8]", () => {
  beforeAll(async () => close("SET default_transaction_read_only = on"))
  afterAll(async () => close("RESET default_transaction_read_only"))

  it("a calculation is withheld", async () => {
    const refused = await running.call("POST", "/v1/projection", { json: projection, key })
    await expectProblem(refused, 503, "ledger-unavailable")
  })

  it("a record is still confirmed", async () =>
    expect((await running.call("GET", `/v1/verify/${answerId}`)).status).toBe(200))
})

describe("the log lines of an outage", () => {
  const told: Array<Record<string, unknown>> = []
  const logged = useStarted(() => {
    // The mail with the key that this test makes waits, and is told once, at any time.
    const write = (line: string) => void (line.includes("Mails wait in the outbox") || told.push(JSON.parse(line)))
    const console = { ...globalThis.console, error: write }
    return startService(
      { RATE_LIMIT_KEY: "off", LOG_LEVEL: "info", LOG_FORMAT: "json" },
      migratedDatabase,
      serviceLayer.pipe(Layer.provide(Layer.succeed(Console.Console, console))),
      { ...PATIENT, call: QUICK.call }
    )
  })
  const ends = () => told.filter(({ message }) => message === "The database answers again")
  const linesAt = (...levels: ReadonlyArray<string>) => told.filter(({ level }) => levels.includes(String(level)))

  it("are one when it begins, with the id of its request, and one when it ends, with what it cost", async () => {
    const ownKey = await mintedBy(logged())
    const project = (id: string) =>
      logged().call("POST", "/v1/projection", { json: projection, key: ownKey, headers: { "x-request-id": id } })
    await until(async () => (await project("before")).status === 200)
    await until(() => ends().length === linesAt("ERROR").length)
    told.length = 0

    const held = await logged().hold("answer")
    for (const id of ["first", "second", "third"]) {
      const { detail } = await expectProblem(await project(id), 503, "ledger-unavailable")
      expect(detail).toMatch(/^No answer is sent, because it could not be recorded in time\. .*Idempotency-Key/)
    }
    await held.release()
    const [began, ...others] = linesAt("ERROR", "WARN", "INFO")
    expect(began).toMatchObject({
      level: "ERROR",
      message: "A database operation failed",
      annotations: { requestId: "first", operation: "charge" }
    })
    expect(others).toEqual([])

    await until(async () => (await project("after")).status === 200 && ends().length > 0)
    const [, ended, ...more] = linesAt("ERROR", "WARN", "INFO")
    expect(ended).toMatchObject({ level: "INFO", message: "The database answers again" })
    const { seconds, ...annotations } = ended!["annotations"] as Record<string, unknown>
    expect(annotations).toEqual({ refusedCalls: 3 })
    expect(seconds).toBeGreaterThan(1)
    expect(more).toEqual([])
  })
})

describe("while the database is slow", () => {
  const slow = useStarted(() =>
    startService({ RATE_LIMIT_KEY: "off" }, migratedDatabase, serviceLayer, { ...PATIENT, call: QUICK.call })
  )

  it("a calculation is withheld after its deadline, and other calls are not delayed", async () => {
    const slowKey = await mintedBy(slow())
    const held = await slow().hold("answer")
    let isWithheld = false
    const waiting = slow()
      .call("POST", "/v1/projection", { json: projection, key: slowKey })
      .finally(() => {
        isWithheld = true
      })
    expect((await slow().call("GET", "/health")).status).toBe(200)
    expect(isWithheld).toBe(false)
    await expectProblem(await waiting, 503, "ledger-unavailable")
    await held.release()
  })
})
