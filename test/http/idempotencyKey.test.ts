/** Calls with an Idempotency-Key: charged and recorded once, however often they are sent. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { useDatabase } from "../support/database.ts"
import { comparison, projection } from "../support/requests.ts"
import { startService, useService, useStarted } from "../support/runningService.ts"
import { TEST_PEPPER } from "../support/settings.ts"

const service = useService({ SANDBOX_MONTHLY_CALLS: "30", RATE_LIMIT_KEY: "off" })

let sent = 0
/** A key that no other test sends. */
const newKey = () => `"order-${++sent}"`

const send = async (
  idempotencyKey: string,
  key: string,
  json: unknown = projection,
  path = "/v1/projection",
  call = service().call
) => call("POST", path, { json, key, headers: { "idempotency-key": idempotencyKey } })

const recordsOf = async (key: string) =>
  (await service().query(`SELECT FROM recorded_answer WHERE key_prefix = '${key.slice(0, 14)}'`)).length

const countsOf = async (key: string) => ({ records: await recordsOf(key), charges: await service().used(key) })

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString("base64")

describe("a call that is sent again", () => {
  it.each([
    ["/v1/projection", projection],
    ["/v1/comparison", comparison],
    ["/v1/projection?detail=full", projection],
    ["/v1/comparison?detail=brief", comparison]
  ])("to %s gets the same bytes, is said to be a repeat, and is charged and recorded once", async (path, request) => {
    const [key, idempotencyKey] = [await service().mint(), newKey()]
    const first = await send(idempotencyKey, key, request, path)
    const again = await send(idempotencyKey, key, request, path)
    expect([first.status, again.status]).toEqual([200, 200])
    expect(first.headers.get("idempotent-replayed")).toBeNull()
    expect(again.headers.get("idempotent-replayed")).toBe("true")
    expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"))
    expect(again.headers.get("ratelimit-remaining")).toBe("29")
    expect(await bytesOf(again)).toBe(await bytesOf(first))
    expect(await countsOf(key)).toEqual({ records: 1, charges: 1 })
  })

  it("has an id of version 8, and the time of its record as that of the answer", async () => {
    const key = await service().mint()
    const answer = await (await send(newKey(), key)).json()
    const { answerId, computedAtUtc, verifyUrl } = answer.provenance
    expect(answerId).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(verifyUrl).toBe(`${service().publicUrl}/v1/verify/${answerId}`)
    const checked = await service().call("POST", `/v1/verify/${answerId}`, { json: answer })
    expect(await checked.json()).toMatchObject({ matches: true, record: { recordedAtUtc: computedAtUtc } })
  })

  it("may be spelled otherwise, and asked for in another detail", async () => {
    const [key, idempotencyKey] = [await service().mint(), newKey()]
    const full = await (await send(idempotencyKey, key)).json()
    const scenario = { ...projection.scenario, planType: "repayment assistance", annualIncomeGrowth: 0, label: null }
    const brief = await send(idempotencyKey, key, { loans: projection.loans, scenario }, "/v1/projection?detail=brief")
    expect(brief.headers.get("idempotent-replayed")).toBe("true")
    const { provenance } = await brief.json()
    const { answerId, answerSalt, computedAtUtc } = full.provenance
    expect(provenance).toMatchObject({ answerId, answerSalt, computedAtUtc })
    expect(await countsOf(key)).toEqual({ records: 1, charges: 1 })
  })

  it("twenty times at once is one record and one charge, and all get the same bytes", async () => {
    const [key, idempotencyKey] = [await service().mint(), newKey()]
    const others = Array.from({ length: 10 }, async () => send(newKey(), key))
    const sends = Array.from({ length: 20 }, async () => send(idempotencyKey, key, comparison, "/v1/comparison"))
    const responses = await Promise.all([...sends, ...others])
    expect(responses.filter(({ status }) => status !== 200)).toEqual([])
    const doubles = responses.slice(0, 20)
    expect(doubles.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1)
    expect(new Set(await Promise.all(doubles.map(bytesOf))).size).toBe(1)
    expect(await countsOf(key)).toEqual({ records: 11, charges: 11 })
  })

  it("is another call for another account", async () => {
    const idempotencyKey = newKey()
    const answers = await Promise.all(
      [await service().mint(), await service().mint()].map(async (key) => (await send(idempotencyKey, key)).json())
    )
    const [one, other] = answers.map(({ provenance }) => provenance)
    expect(one.answerId).not.toBe(other.answerId)
    expect(one.answerSalt).not.toBe(other.answerSalt)
  })

  it("is answered in a month that is used up, where a new call is not", async () => {
    const [key, idempotencyKey] = [await service().mint(), newKey()]
    const first = await send(idempotencyKey, key)
    for (let call = 1; call < 30; call++) await send(newKey(), key)
    await expectProblem(await send(newKey(), key), 429, "quota-exceeded")
    const again = await send(idempotencyKey, key)
    expect([again.status, again.headers.get("ratelimit-remaining")]).toEqual([200, "0"])
    expect(await bytesOf(again)).toBe(await bytesOf(first))
    await expectProblem(await send(idempotencyKey, key, comparison, "/v1/comparison"), 422, "idempotency-key-reused")
    expect(await countsOf(key)).toEqual({ records: 30, charges: 30 })
  })

  it("is refused with a revoked key", async () => {
    const [key, idempotencyKey] = [await service().mint(), newKey()]
    await send(idempotencyKey, key)
    await service().query(
      `UPDATE api_key SET revoked_at = now(), revoked_reason = 'operator' WHERE prefix = '${key.slice(0, 14)}'`
    )
    await expectProblem(await send(idempotencyKey, key), 401, "unauthorized")
  })
})

describe("an Idempotency-Key that was sent with other inputs", () => {
  it("is 422 on either route, names the recorded answer, and charges nothing", async () => {
    const [key, idempotencyKey] = [await service().mint(), newKey()]
    const { answerId, verifyUrl } = (await (await send(idempotencyKey, key)).json()).provenance
    const other = { ...projection, scenario: { ...projection.scenario, dependents: 1 } }
    for (const [path, request] of [
      ["/v1/projection", other],
      ["/v1/projection?detail=brief", { ...projection, includeYearly: true }],
      ["/v1/comparison", comparison]
    ] as const) {
      const problem = await expectProblem(await send(idempotencyKey, key, request, path), 422, "idempotency-key-reused")
      expect(problem).toMatchObject({ answerId, verifyUrl })
    }
    expect((await send(idempotencyKey, key)).status).toBe(200)
    expect(await countsOf(key)).toEqual({ records: 1, charges: 1 })
  })

  it("at the same time is 422 for all but the recorded one", async () => {
    const [key, idempotencyKey] = [await service().mint(), newKey()]
    const responses = await Promise.all(
      Array.from({ length: 8 }, async (_, dependents) =>
        send(idempotencyKey, key, { ...projection, scenario: { ...projection.scenario, dependents } })
      )
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 422)])
    expect(await countsOf(key)).toEqual({ records: 1, charges: 1 })
  })

  it("is free after a request that was refused", async () => {
    const [key, idempotencyKey] = [await service().mint(), newKey()]
    await expectProblem(await send(idempotencyKey, key, {}), 400, "validation")
    expect((await send(idempotencyKey, key)).status).toBe(200)
  })
})

describe("an Idempotency-Key that is not valid", () => {
  it.each([
    ["is empty", ""],
    ["has 256 characters", "k".repeat(256)],
    ["contains a space", "a b"],
    ["contains a letter outside ASCII", "schlüssel"]
  ])("is 400 where it %s, before the body is read", async (_, idempotencyKey) => {
    const key = await service().mint()
    const headers = { "idempotency-key": idempotencyKey }
    const response = await service().call("POST", "/v1/projection", { body: "{", key, headers })
    const { errors } = await expectProblem(response, 400, "validation")
    expect(errors).toEqual({ "Idempotency-Key": [expect.stringMatching(/^must be sent once, with 1 to 255/)] })
    const unknown = await service().call("POST", "/v1/projection", { body: "{", headers })
    await expectProblem(unknown, 401, "unauthorized")
    expect(await countsOf(key)).toEqual({ records: 0, charges: 0 })
  })

  it("is 400 where the header is sent twice, even with one value", async () => {
    const key = await service().mint()
    const body = JSON.stringify(projection)
    const head = `POST /v1/projection HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    const raw = await service().raw(`${head}Idempotency-Key: a\r\nIdempotency-Key: a\r\n\r\n${body}`)
    expect(raw).toContain("HTTP/1.1 400")
    expect(raw).toContain('"Idempotency-Key"')
  })

  it("is ignored where no answer is recorded", async () => {
    const key = await service().mint()
    const headers = { "idempotency-key": "" }
    const response = await service().call("GET", "/v1/plan-types", { key, headers })
    expect(response.status).toBe(200)
  })

  it.each(["!", "~", '"8e03978e"', "k".repeat(255)])("is not %s, which is taken as it stands", async (valid) => {
    const key = await service().mint()
    expect((await send(valid, key)).status).toBe(200)
    expect((await send(valid, key)).headers.get("idempotent-replayed")).toBe("true")
  })
})

describe("browsers", () => {
  it("may send the header and read that an answer is a repeat", async () => {
    const preflight = await service().call("OPTIONS", "/v1/projection")
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Idempotency-Key")
    const health = await service().call("GET", "/health")
    expect(health.headers.get("access-control-expose-headers")).toContain("Idempotent-Replayed")
  })
})

describe("a recorded answer that cannot be computed any more", () => {
  const database = useDatabase()
  const on = (variables: Readonly<Record<string, string>> = {}) =>
    startService(
      { RATE_LIMIT_KEY: "off", ...variables },
      Effect.sync(() => database().url)
    )
  const first = useStarted(() => on())

  const kept = async () => {
    const [key, idempotencyKey] = [await first().mint(), newKey()]
    const response = await send(idempotencyKey, key, projection, "/v1/projection", first().call)
    const bytes = await bytesOf(response)
    return { key, idempotencyKey, bytes, ...JSON.parse(Buffer.from(bytes, "base64").toString()).provenance }
  }
  const again = async ({ idempotencyKey, key }: Awaited<ReturnType<typeof kept>>, call = first().call) =>
    send(idempotencyKey, key, projection, "/v1/projection", call)

  it("by other rules is 409, with both versions", async () => {
    const answer = await kept()
    await first().query("ALTER TABLE answer DISABLE TRIGGER USER")
    await first().query(
      `WITH other AS (
         INSERT INTO answer_kind (source, endpoint, event_type, rule_version, inputs_prefix, answer_prefix)
         SELECT source, endpoint, event_type, 'rl1-0123456789ab', inputs_prefix, answer_prefix
         FROM answer_kind JOIN answer ON answer.kind = answer_kind.id WHERE answer_id = '${answer.answerId}'
         RETURNING id)
       UPDATE answer SET kind = other.id FROM other WHERE answer_id = '${answer.answerId}'`
    )
    const problem = await expectProblem(await again(answer), 409, "rules-changed")
    expect(problem).toMatchObject({ answerId: answer.answerId, verifyUrl: answer.verifyUrl })
    expect(problem.detail).toContain(`its rules were rl1-0123456789ab, and are now ${answer.ruleVersion}`)
    expect(problem.detail).toContain(answer.computedAtUtc)
  })

  it("in the same words is 409, and says so", async () => {
    const answer = await kept()
    const moved = await on({ PUBLIC_URL: "http://elsewhere.example.test" })
    const problem = await expectProblem(await again(answer, moved.call), 409, "rules-changed")
    expect(problem).toMatchObject({ answerId: answer.answerId })
    expect(problem.detail).toContain("the texts of the service or its address have changed since")
    await moved.stop()
  })

  it("is found under the previous pepper, and computed under it", async () => {
    const answer = await kept()
    const rotated = await on({
      SECRET_PEPPER: "another pepper, which is long enough",
      SECRET_PEPPER_PREVIOUS: TEST_PEPPER
    })
    const response = await again(answer, rotated.call)
    expect(response.headers.get("idempotent-replayed")).toBe("true")
    expect(await bytesOf(response)).toBe(answer.bytes)
    const other = await send(answer.idempotencyKey, answer.key, comparison, "/v1/comparison", rotated.call)
    await expectProblem(other, 422, "idempotency-key-reused")
    await rotated.stop()
  })
})
