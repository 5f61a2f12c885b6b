/** Every refusal of the specification: status, problem, headers, and the order of checks. */

import { describe, expect, it } from "vitest"
import { PROBLEMS } from "../../schema/problems.ts"
import { escapeHtml } from "../../src/messages/escapeHtml.ts"
import { expectProblem } from "../support/answers.ts"
import { comparison, loan, projection, scenario } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const service = useService({ RATE_LIMIT_MINT: "off", RATE_LIMIT_KEY: "off", RATE_LIMIT_REFUSED: "off" })

const post = async (path: string, json: unknown) => service().call("POST", path, { json, key: await service().mint() })
const project = (json: unknown) => post("/v1/projection", json)

const errorsOf = async (json: unknown, path = "/v1/projection", slug = "validation") =>
  (await expectProblem(await post(path, json), 400, slug)).errors!

/** Projections and comparisons with one thing wrong. */
const withLoan = (changes: object) => ({ ...projection, loans: [{ ...loan, ...changes }] })
const withScenario = (changes: object) => ({ ...projection, scenario: { ...scenario, ...changes } })
/** With so many prior months, every figure of STANDARD would be zero. */
const ARTIFACT = { scenario: { ...scenario, planType: "STANDARD" }, loans: [{ ...loan, idrMonthsInRepayment: 120 }] }

describe("validation", () => {
  it("names every missing field", async () => {
    const errors = await errorsOf({ scenario: {}, loans: [{}] })
    const required = [
      ...Object.keys(loan).map((name) => `loans[0].${name}`),
      ...Object.keys(scenario).map((name) => `scenario.${name}`)
    ]
    expect(Object.keys(errors).sort()).toEqual(required.sort())
  })

  it.each([
    [
      "a percentage",
      withLoan({ interestRate: 6.8 }),
      "loans[0].interestRate",
      /6\.8 looks like a percentage; send 0\.068/
    ],
    ["a negative balance", withLoan({ principalBalance: -1 }), "loans[0].principalBalance", /0 to 100000000/],
    ["text for a number", withLoan({ principalBalance: "5" }), "loans[0].principalBalance", /must be a number/],
    ["an unknown loan type", withLoan({ loanType: "X" }), "loans[0].loanType", /DIRECT CONSOLIDATED SUBSIDIZED; /],
    ["half a month", withLoan({ pslfCount: 1.5 }), "loans[0].pslfCount", /whole number/],
    ["no loans", { scenario, loans: [] }, "loans", /1 to 100 loans/],
    ["101 loans", { scenario, loans: Array.from({ length: 101 }, () => loan) }, "loans", /1 to 100 loans/],
    ["an unknown plan", withScenario({ planType: "X" }), "scenario.planType", /REPAYMENT ASSISTANCE/],
    ["an unknown filing status", withScenario({ filingStatus: "X" }), "scenario.filingStatus", /HOH/],
    ["a state with a long s", withScenario({ state: "\u017fC" }), "scenario.state", /two-letter/],
    ["a plan with a dotless i", withScenario({ planType: "repayment ass\u0131stance" }), "scenario.planType", /./],
    ["a loan type with a ligature", withLoan({ loanType: "DIRECT STA\ufb00ORD SUBSIDIZED" }), "loans[0].loanType", /./],
    ["an unknown state", withScenario({ state: "XX" }), "scenario.state", /two-letter/],
    ["31 dependents", withScenario({ dependents: 31 }), "scenario.dependents", /0 to 30/],
    ["a label of 81 characters", withScenario({ label: "x".repeat(81) }), "scenario.label", /80/],
    ["an unknown property of a loan", withLoan({ x: 1 }), "loans[0].x", /not a known property/],
    ["an unknown property of the scenario", withScenario({ x: 1 }), "scenario.x", /not a known property/],
    ["an unknown property of the request", { ...projection, x: 1 }, "x", /not a known property/]
  ])("refuses %s", async (_, json, field, message) =>
    expect(await errorsOf(json)).toEqual({ [field]: [expect.stringMatching(message)] })
  )

  it("names the arm of a comparison", async () => {
    const arms = [comparison.arms[0], { ...comparison.arms[1], loans: [{ ...loan, loanType: "X" }] }]
    expect(Object.keys(await errorsOf({ arms }, "/v1/comparison"))).toEqual(["arms[1].loans[0].loanType"])
  })

  it.each([1, 11])("refuses %i arms", async (count) => {
    const arms = Array.from({ length: count }, () => comparison.arms[0])
    expect(await errorsOf({ arms }, "/v1/comparison")).toEqual({ arms: ["must hold 2 to 10 arms"] })
  })

  it("reports at most 50 problems, and stays under 32 KB with long messages", async () => {
    const ofLoans = (one: object) => errorsOf({ scenario, loans: Array.from({ length: 100 }, () => one) })
    expect(Object.values(await ofLoans({})).flat()).toHaveLength(50)
    await ofLoans({ ...loan, loanType: "X" })
  })

  it.each([
    "not-an-address",
    "a@b",
    "a b@example.org",
    "",
    `${"x".repeat(250)}@example.org`,
    "a\u202eb@example.org",
    "a\u200bb@example.org"
  ])("refuses the address %s", async (email) =>
    expect(Object.keys(await errorsOf({ email }, "/v1/keys/sandbox"))).toEqual(["email"])
  )

  it.each([
    ["limit=0", "limit"],
    ["limit=1001", "limit"],
    ["limit=ten", "limit"],
    ["cursor=-1", "cursor"],
    ["cursor=9223372036854775808", "cursor"],
    ["cursor=1;drop", "cursor"],
    ["from=yesterday", "from"],
    ["from=2026-02-30T00:00:00Z", "from"],
    ["to=2026-11-01T00:00:00", "to"],
    ["from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z", "to"],
    ["form=2026-11-02T00:00:00Z", "form"],
    ["limit=5&limit=6", "limit"]
  ])("refuses the records query %s [F41]", async (query, field) => {
    const response = await service().call("GET", `/v1/records?${query}`, { key: await service().mint() })
    const { errors } = await expectProblem(response, 400, "validation")
    expect(Object.keys(errors!)).toEqual([field])
  })
})

describe("a plan without an answer", () => {
  it("is named if the answer would be an artifact of the prior months", async () =>
    expect(await errorsOf(ARTIFACT, "/v1/projection", "artifact-plan")).toEqual({
      "scenario.planType": [expect.stringContaining("STANDARD")]
    }))

  it("is named, with plans to send instead, if the loan cannot take it", async () =>
    expect(await errorsOf(withLoan({ loanType: "DIRECT PLUS PARENT" }), "/v1/projection", "ineligible-plan")).toEqual({
      "scenario.planType": [
        expect.stringContaining("REPAYMENT ASSISTANCE"),
        "send one of STANDARD; EXTENDED; GRADUATED, which all of these loans can elect"
      ]
    }))

  it("is named with its arm in a comparison", async () => {
    const json = { arms: comparison.arms.map((arm) => ({ ...arm, loans: ARTIFACT.loans })) }
    expect(Object.keys(await errorsOf(json, "/v1/comparison", "artifact-plan"))).toEqual(["arms[2].scenario.planType"])
  })

  it("is not charged [F13]", async () => {
    const key = await service().mint()
    await service().call("POST", "/v1/projection", { json: ARTIFACT, key })
    expect((await (await service().call("GET", "/v1/me", { key })).json()).callsUsedThisPeriod).toBe(1)
  })
})

describe("a rate in percent", () => {
  const ask = (ratePct: unknown) =>
    service().call("POST", "/v1/calculators/loan", { json: { balance: 1000, ratePct, borrowerAgi: 60_000 } })

  const SEND = "0 to 100: send 0, or 1 or more: 6 means 6 percent"
  it.each([
    [[0.06, 0.0654, 0.999, 1e-9, 100.1], `must be ${SEND}`],
    [["6%"], `must be a number from ${SEND}`]
  ])("is refused if it is probably a fraction, or not a rate: %j", async (rates, message) => {
    for (const ratePct of rates) {
      const { errors } = await expectProblem(await ask(ratePct), 400, "validation")
      expect(errors).toEqual({ ratePct: [message] })
    }
  })

  it.each([0, 1, 6.54, 100])("may be %d", async (ratePct) => expect((await ask(ratePct)).status).toBe(200))

  it("is documented with its gap", async () => {
    const { components } = await (await service().call("GET", "/openapi.json")).json()
    expect(components.schemas.KeylessLoanRequest.properties.ratePct).toMatchObject({
      description: expect.stringContaining("0 or 1 to 100: 6 means 6 percent"),
      anyOf: [{ const: 0 }, { minimum: 1 }]
    })
  })
})

describe("authentication", () => {
  const minted = async () => service().mint()
  const broken = (key: string) => `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`

  it.each([
    ["no key", async () => ({})],
    ["an unknown key", async () => ({ "x-api-key": `slr_live_${"0".repeat(38)}` })],
    ["a broken checksum", async () => ({ "x-api-key": broken(await minted()) })],
    ["a key of 8 KB", async () => ({ "x-api-key": "k".repeat(8192) })],
    ["another scheme", async () => ({ authorization: `Digest ${await minted()}` })],
    ["two different keys", async () => ({ "x-api-key": await minted(), authorization: `Bearer ${await minted()}` })]
  ])("answers the same 401 with a challenge to %s [F43]", async (_, headers) => {
    const response = await service().call("GET", "/v1/me", { headers: await headers() })
    expect(response.headers.get("www-authenticate")).toBe('X-Api-Key realm="repayment-of-record"')
    expect(response.headers.get("ratelimit-limit")).toBeNull()
    const problem = await expectProblem(response, 401, "unauthorized")
    expect(problem.detail).toBe(
      "Send an active key in X-Api-Key. POST /v1/keys/sandbox issues one for an email address."
    )
  })

  it("does not accept a key from the query", async () => {
    await expectProblem(await service().call("GET", `/v1/records?key=${await minted()}`), 401, "unauthorized")
  })
})

describe("the order of checks", () => {
  it("has the route before the key", async () => {
    await expectProblem(await service().call("GET", "/v1/nothing"), 404, "not-found")
    await expectProblem(await service().call("GET", "/v1/projection"), 405, "method-not-allowed")
  })

  it("has the key before the body, the media type before the size, and both before the content", async () => {
    const key = await service().mint()
    const ask = (type: string, sent: object) =>
      service().call("POST", "/v1/projection", { ...sent, headers: { "content-type": type } })
    await expectProblem(await ask("text/plain", { body: "{" }), 401, "unauthorized")
    const huge = " ".repeat(1024 * 1024 + 1)
    await expectProblem(await ask("text/plain", { key, body: huge }), 415, "unsupported-media-type")
    await expectProblem(await ask("application/json", { key, body: huge }), 413, "payload-too-large")
  })

  it("never requests the body from a refused caller", async () => {
    const answer = await service().raw(
      "POST /v1/projection HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"
    )
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer).not.toContain("100 Continue")
  })
})

describe("addresses", () => {
  it.each([
    "/v1",
    "/V1/rules",
    "/v1/Rules",
    "/v1/rules/",
    "//v1/rules",
    "/v1//rules",
    "/v1/verify",
    "/v1/verify/%zz",
    `/v1/verify/${"a".repeat(101)}`,
    "/v1/verify/a/b",
    "/log",
    "/log/checkpoint/",
    "/log/tile",
    "/problems/nothing",
    "/Rules",
    "/rules/",
    "/rules/nothing",
    "/rules/rap-base-payment-bands/",
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
    "/metrics",
    "/ready"
  ])("are not found if they are unknown: %s [F46]", async (path) => {
    await expectProblem(await service().call("GET", path), 404, "not-found")
  })
})

describe("problem pages", () => {
  it.each(PROBLEMS.map(({ declaration }) => declaration))(
    "explain the problem: /problems/$slug",
    async ({ slug, title }) => {
      const response = await service().call("GET", `/problems/${slug}`)
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
      const page = await response.text()
      expect(page).toContain(escapeHtml(title))
      expect(page).toContain("A request that causes it")
      expect(page).not.toContain("<script")
    }
  )
})

describe("the examples of the problem pages", () => {
  const CHARACTERS = { "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&" }
  const unescaped = (html: string) => html.replace(/&(?:quot|#39|lt|gt|amp);/g, (name) => CHARACTERS[name as "&amp;"])

  /** The two JSON bodies on a page: one that causes the problem, and one that avoids it. */
  const bodiesOf = async (slug: string) => {
    const page = await (await service().call("GET", `/problems/${slug}`)).text()
    return [...unescaped(page).matchAll(/-d '(\{.*\})'/g)].map(([, body]) => JSON.parse(body!))
  }

  it.each(["validation", "artifact-plan", "ineligible-plan"])("cause and avoid the problem: %s", async (slug) => {
    const [causes, fixes] = await bodiesOf(slug)
    await expectProblem(await project(causes), 400, slug)
    expect((await project(fixes)).status).toBe(200)
  })
})
