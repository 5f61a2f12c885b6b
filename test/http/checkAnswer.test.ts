/** POST /v1/verify/{answerId}, which checks whether an answer is the recorded one. */
import { randomBytes, randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { PLAN_TYPES } from "../../schema/scenario.ts"
import { expectProblem } from "../support/answers.ts"
import { comparison, loan, projection, scenario } from "../support/requests.ts"
import { startService, useService } from "../support/runningService.ts"

interface Answer {
  readonly totalOutOfPocket?: number
  readonly provenance: { readonly answerId: string; readonly answerSalt: string }
}

const SALT = "AAAAAAAAAAAAAAAAAAAAAA"
const service = useService()
const ask = async (path: string, json: unknown): Promise<Answer> =>
  (await (await service().call("POST", path, { key: await service().mint(), json })).json()) as Answer
const check = (answerId: string, json: unknown) => service().call("POST", `/v1/verify/${answerId}`, { json })
const matches = async (answerId: string, json: unknown): Promise<unknown> => {
  const response = await check(answerId, json)
  const { matches, record, ...rest } = (await response.json()) as Record<string, unknown>
  expect([response.status, rest]).toEqual([200, {}])
  expect(record).toEqual(await (await service().call("GET", `/v1/verify/${answerId}`)).json())
  return matches
}

describe.each([
  ["a projection", "/v1/projection", { ...projection, includeYearly: true }],
  ["a comparison", "/v1/comparison", comparison]
])("%s", (_, path, request) => {
  it("matches its record as it was received, and with any change it does not", async () => {
    const answer = await ask(path, request)
    const { answerId } = answer.provenance
    expect(await matches(answerId, answer)).toBe(true)
    expect(await matches(answerId.toUpperCase(), answer)).toBe(true)
    expect(await matches(answerId, { ...answer, totalOutOfPocket: 1 })).toBe(false)
    const others = { ...answer.provenance, answerSalt: randomBytes(16).toString("base64url") }
    expect(await matches(answerId, { ...answer, provenance: others })).toBe(false)
    const again = await ask(path, request)
    expect(await matches(again.provenance.answerId, answer)).toBe(false)
  })
})

it("an answer of a tool matches its record", async () => {
  const key = await service().mint()
  const response = await service().call("POST", "/mcp", {
    key,
    headers: { accept: "application/json, text/event-stream" },
    json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "run_projection", arguments: projection } }
  })
  const text = await response.text()
  const { result } = JSON.parse(text.replace(/^[^{]*/, "")) as {
    readonly result: { readonly structuredContent: Answer }
  }
  const answer = result.structuredContent
  expect(await matches(answer.provenance.answerId, answer)).toBe(true)
})

it("an answer of a reference scenario matches its record", async () => {
  const { scenarios } = (await (await service().call("GET", "/v1/reference")).json()) as {
    readonly scenarios: ReadonlyArray<{ readonly answer: Answer }>
  }
  for (const { answer } of scenarios) expect(await matches(answer.provenance.answerId, answer)).toBe(true)
})

it("the check accepts the longest answer, indented", async () => {
  const label = "\u{1F3E0}".repeat(50)
  const arms = PLAN_TYPES.slice(0, 10).map((planType) => ({
    scenario: { ...scenario, planType, label },
    loans: [loan]
  }))
  const answer = await ask("/v1/comparison", { arms, includeYearly: true })
  const response = await service().call("POST", `/v1/verify/${answer.provenance.answerId}`, {
    headers: { "content-type": "application/json" },
    body: JSON.stringify(answer, null, 4)
  })
  expect(await response.json()).toMatchObject({ matches: true })
})

it("the check refuses a body that cannot be a recorded answer, and says what to send", async () => {
  const { answerId } = (await ask("/v1/projection", projection)).provenance
  for (const [body, field] of [
    [[], "body"],
    ["text", "body"],
    [{}, "provenance"],
    [{ provenance: null }, "provenance"],
    [{ provenance: {} }, "provenance.answerSalt"],
    [{ provenance: { answerSalt: null } }, "provenance.answerSalt"],
    [{ provenance: { answerSalt: "salt" } }, "provenance.answerSalt"]
  ] as const) {
    const { errors } = await expectProblem(await check(answerId, body), 400, "validation")
    expect(Object.keys(errors!)).toEqual([field])
    expect(errors![field]!.join()).toMatch(/send a recorded answer as it was received/)
  }
  const plain = await service().call("POST", `/v1/verify/${answerId}`, {
    body: "{}",
    headers: { "content-type": "text/plain" }
  })
  await expectProblem(plain, 415, "unsupported-media-type")
  await expectProblem(await check(randomUUID(), { provenance: { answerSalt: SALT } }), 404, "answer-not-found")
  await expectProblem(await check("none", { provenance: { answerSalt: SALT } }), 404, "answer-not-found")
})

it("the check rejects half a million characters in place of citations, also in ten concurrent requests", async () => {
  const answer = await ask("/v1/projection", projection)
  const { answerId } = answer.provenance
  const provenance = { ...answer.provenance, citations: "x".repeat(500_000) }
  const concurrent = Array.from({ length: 10 }, () => matches(answerId, { ...answer, provenance }))
  expect(await Promise.all(concurrent)).toEqual(concurrent.map(() => false))
  const other = { ...provenance, answerId: randomUUID() }
  expect(await matches(answerId, { ...answer, provenance: other })).toBe(false)
  const tooLong = { ...answer, provenance: { ...provenance, citations: "x".repeat(600_000) } }
  await expectProblem(await check(answerId, tooLong), 413, "payload-too-large")
})

it("checks and look-ups of records share one rate limit per address", async () => {
  const limited = await startService({ RATE_LIMIT_VERIFY: "2/h" })
  try {
    const paths = [`/v1/verify/${randomUUID()}`, `/v1/verify/${randomUUID()}`]
    await expectProblem(await limited.call("GET", paths[0]!), 404, "answer-not-found")
    const json = { provenance: { answerSalt: SALT } }
    await expectProblem(await limited.call("POST", paths[1]!, { json }), 404, "answer-not-found")
    await expectProblem(await limited.call("POST", paths[1]!, { json }), 429, "rate-limited")
  } finally {
    await limited.stop()
  }
})
