/** Every endpoint of the specification, called with valid requests. */
import { describe, expect, it } from "vitest"
import { Health } from "../../schema/account.ts"
import { expectProblem, expectUuid } from "../support/answers.ts"
import { calculator, comparison, FIRST_PAYMENT, loan, projection, scenario } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const service = useService({ RATE_LIMIT_MINT: "off", RATE_LIMIT_KEY: "off" })
const get = async (path: string, key?: string) => service().call("GET", path, { key })
const bodyAt = async (path: string, key?: string) => (await get(path, key)).json()
const answerTo = async (path: string, json: object, key?: string) => {
  const response = await service().call("POST", path, { json, key })
  expect(response.status).toBe(200)
  return response.json()
}
/** The same with a new key. */
const keyedAnswerTo = async (path: string, json: object) => answerTo(path, json, await service().mint())
const idsOf = (all: ReadonlyArray<{ readonly id: string }>) => all.map(({ id }) => id)

describe("GET /health", () => {
  it.each(["/health", "/v1/health"])(
    "%s reports the build and the rules, in the order of the contract",
    async (path) => {
      const health = await bodyAt(path)
      expect(health).toEqual({
        status: "ok",
        commit: expect.any(String),
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        ruleVersion: expect.stringMatching(/^rl1-[0-9a-f]{12}$/)
      })
      expect(Object.keys(health)).toEqual(Object.keys(Health.fields))
    }
  )
})

describe("POST /v1/calculators/loan", () => {
  it("computes every open plan, states why the others are excluded, and has no answer id", async () => {
    const answer = await answerTo("/v1/calculators/loan", calculator)
    expect(answer).toMatchObject({
      computedBy: "repayment-of-record",
      asOf: expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
    })
    expect(answer.plans.find(({ plan }: { plan: string }) => plan === "rap")).toMatchObject({
      monthlyPayment: FIRST_PAYMENT
    })
    expect(answer.excludedPlans.length).toBeGreaterThan(0)
    expect(JSON.stringify(answer)).not.toContain("answerId")
  })
})

describe("POST /v1/explain", () => {
  const explain = async (json: object) => service().call("POST", "/v1/explain", { json })

  const explained = (json: object) => answerTo("/v1/explain", json)

  it("explains the first payment step by step, each with its rule, and has no answer id", async () => {
    const answer = await explained(projection)
    expect(answer).toMatchObject({ planType: "REPAYMENT ASSISTANCE", month: 1, payment: FIRST_PAYMENT })
    const band = answer.parts[0].steps.find(({ term }: { term: string }) => term === "bandRate")
    expect(band).toMatchObject({ value: 0.05, unit: "fraction", rules: ["rap-base-payment-bands"] })
    const ruleOf = (id: string) => answer.rules.find((rule: { id: string }) => rule.id === id)
    expect(ruleOf("rap-base-payment-bands").citation).toMatch(/^20 U\.S\.C\. 1087e\(q\)\(4\)\(B\)/)
    // With definition and value, so that the sum can be redone.
    expect(ruleOf("rap-minimum-payment")).toMatchObject({
      definition: expect.stringMatching(/never less than this/),
      unit: "USD per month",
      value: { monthly: 10 }
    })
    expect(JSON.stringify(answer)).not.toContain("answerId")
  })

  it("explains a later month, and one in which nothing is owed any more, naming the last month", async () => {
    expect(await explained({ ...projection, month: 13 })).toMatchObject({ month: 13, payment: FIRST_PAYMENT })
    const last = await explained({ ...projection, month: 600 })
    expect(last).toMatchObject({ payment: 0, parts: [{ payment: 0, steps: [], loans: [] }], rules: [] })
    const { monthsToFinish } = await keyedAnswerTo("/v1/projection", projection)
    const month = monthsToFinish + 1
    expect(last.notes).toEqual([`Nothing is owed in month 600: the last payment was that of month ${month}`])
  })

  it("lists the same omissions as the projection", async () => {
    for (const planType of ["SAVE", "INCOME CONTINGENT", "STANDARD"]) {
      const json = { ...projection, scenario: { ...scenario, planType, filingStatus: "MarriedFilingSeparately" } }
      const { provenance } = await keyedAnswerTo("/v1/projection", json)
      expect((await explained(json)).knownOmissions).toEqual(provenance.knownOmissions)
    }
  })

  const CLOSED = "cannot be elected since 10 March 2026; these figures show what it would be"
  const SUNSET =
    "INCOME CONTINGENT and PAY AS YOU EARN end in Jul 2028. Open loans move to REPAYMENT ASSISTANCE or else INCOME BASED (OLD), unless the borrower chooses another, such as IBR"
  it.each([
    ["SAVE", `SAVE ${CLOSED}`, "save-vacatur"],
    ["REVISED PAY AS YOU EARN", `REVISED PAY AS YOU EARN ${CLOSED}`, "save-vacatur"],
    ["PAY AS YOU EARN", SUNSET, "idr-sunset-default"],
    ["INCOME CONTINGENT", SUNSET, "idr-sunset-default"]
  ])("reports in every month that %s is closed or ends, and why", async (planType, note, rule) => {
    for (const month of [1, 60]) {
      const { notes, rules } = await explained({ ...projection, scenario: { ...scenario, planType }, month })
      expect(notes).toEqual([note])
      expect(idsOf(rules)).toContain(rule)
    }
  })

  it.each([0, 601, 1.5, "1", null])("refuses month %j", async (month) => {
    const { errors } = await expectProblem(await explain({ ...projection, month }), 400, "validation")
    expect(errors).toEqual({ month: [expect.stringContaining("a whole number of months, counted from 1")] })
  })

  it("refuses a plan that a projection refuses, in the same words", async () => {
    const json = { scenario, loans: [{ ...loan, loanType: "DIRECT PLUS PARENT" }] }
    const projected = await service().call("POST", "/v1/projection", { json, key: await service().mint() })
    const { errors } = await expectProblem(await explain(json), 400, "ineligible-plan")
    expect(errors).toEqual((await projected.json()).errors)
  })
})

describe("POST /v1/projection", () => {
  it("returns the figures of the law, their sources, and the deprecated code of the forgiveness type", async () => {
    const answer = await keyedAnswerTo("/v1/projection", projection)
    expect(answer).toMatchObject({ planType: "REPAYMENT ASSISTANCE", label: null, year1MonthlyPayment: FIRST_PAYMENT })
    expect(answer).not.toHaveProperty("yearly")
    const { forgivenessType, forgivenessTypeCode, provenance } = answer
    expect(["Pslf", "TimeBased", "Teacher", "None"][forgivenessTypeCode]).toBe(forgivenessType)
    expectUuid(provenance.answerId)
    expect(provenance).toMatchObject({
      computedBy: "repayment-of-record",
      engine: "projection",
      parityVerified: true,
      verifyUrl: `${service().publicUrl}/v1/verify/${provenance.answerId}`
    })
    expect(idsOf(provenance.citations)).toContain("rap-base-payment-bands")
    expect(provenance.knownOmissions.length).toBeGreaterThan(0)
  })

  it("adds the yearly series on request, and changes nothing else", async () => {
    const plain = await keyedAnswerTo("/v1/projection", projection)
    const { yearly, ...rest } = await keyedAnswerTo("/v1/projection", { ...projection, includeYearly: true })
    expect(yearly[0]).toMatchObject({ year: 0, principalBalance: 60_000 })
    expect({ ...rest, provenance: null }).toEqual({ ...plain, provenance: null })
  })

  it("reads strings trimmed and in any case", async () => {
    const json = {
      scenario: { ...scenario, planType: " repayment assistance ", state: "tx", filingStatus: "single" },
      loans: [{ ...loan, loanType: "direct stafford unsubsidized " }]
    }
    expect((await keyedAnswerTo("/v1/projection", json)).planType).toBe("REPAYMENT ASSISTANCE")
  })
})

describe("POST /v1/comparison", () => {
  it("returns one projection per arm, in order, under one record, and names the arm with the lowest cost", async () => {
    const { lowestCostLabel, projections, provenance } = await keyedAnswerTo("/v1/comparison", comparison)
    expect(projections.map(({ label }: { label: string }) => label)).toEqual(
      comparison.arms.map((arm) => arm.scenario.label)
    )
    const ids = new Set(projections.map((one: { provenance: { answerId: string } }) => one.provenance.answerId))
    expect([...ids]).toEqual([provenance.answerId])
    const cost = (one: { totalOutOfPocket: number; forgivenessTaxesOwed: number }) =>
      one.totalOutOfPocket + one.forgivenessTaxesOwed
    const lowest = projections.toSorted((a: never, b: never) => cost(a) - cost(b))[0]
    expect(lowestCostLabel).toBe(lowest.label)
  })
})

describe("POST /v1/plan-eligibility", () => {
  it("lists the plans of each loan, without a record", async () => {
    const loans = [loan, { ...loan, loanType: "DIRECT PLUS PARENT" }]
    const answer = await keyedAnswerTo("/v1/plan-eligibility", { loans })
    expect(answer.loans[0]).toMatchObject({ loanType: loan.loanType, balance: 60_000 })
    expect(answer.loans[0].eligiblePlanTypes).toContain("REPAYMENT ASSISTANCE")
    expect(answer.loans[1].eligiblePlanTypes).not.toContain("REPAYMENT ASSISTANCE")
    expect(answer.provenance).toMatchObject({ answerId: null, verifyUrl: null, parityVerified: false })
  })
})

describe("GET /v1/plan-types", () => {
  it("returns the array of the specification", async () => {
    expect(await bodyAt("/v1/plan-types", await service().mint())).toEqual([
      "STANDARD",
      "EXTENDED",
      "GRADUATED",
      "INCOME BASED",
      "INCOME BASED (OLD)",
      "INCOME CONTINGENT",
      "PAY AS YOU EARN",
      "REVISED PAY AS YOU EARN",
      "SAVE",
      "REPAYMENT ASSISTANCE"
    ])
  })
})

describe("GET /v1/me", () => {
  it("counts itself as a call, and never returns the key", async () => {
    const key = await service().mint()
    const me = await bodyAt("/v1/me", key)
    expect(JSON.stringify(me)).not.toContain(key)
    expect(me).toMatchObject({
      tier: "Sandbox",
      plan: "sandbox",
      monthlyCallLimit: 100,
      callsUsedThisPeriod: 1,
      callsRemaining: 99,
      keyPrefix: key.slice(0, "slr_sbx_".length + 6)
    })
    expect(me.periodStart).toMatch(/-01T00:00:00(\.000)?Z$/)
    expect(me.periodResetsAt).toMatch(/-01T00:00:00(\.000)?Z$/)
  })

  it("links to a payment that only this key can collect", async () => {
    const { apiKey, upgradeUrl } = await answerTo("/v1/keys/sandbox", { email: `${crypto.randomUUID()}@example.org` })
    const { plansPage } = await bodyAt("/v1/me", apiKey)
    const referenceOf = (url: string) => new URL(url).searchParams.get("client_reference_id")
    expect(referenceOf(plansPage)).toBe(referenceOf(upgradeUrl))
  })

  it("accepts the key as a bearer value", async () => {
    const authorization = `Bearer ${await service().mint()}`
    const response = await service().call("GET", "/v1/me", { headers: { authorization } })
    expect(response.status).toBe(200)
  })
})

describe("GET /v1/verify/{answerId}", () => {
  const record = async () =>
    (await keyedAnswerTo("/v1/projection", projection)).provenance as { answerId: string; ruleVersion: string }

  it("confirms a projection to anyone", async () => {
    const { answerId, ruleVersion } = await record()
    expect(await bodyAt(`/v1/verify/${answerId}`)).toEqual({
      answerId,
      recordedAtUtc: expect.stringMatching(/Z$/),
      source: "PublicApi",
      endpoint: "POST /v1/projection",
      eventType: "calc.projection.run",
      ruleVersion,
      inputsHash: expect.stringMatching(/^h1-[0-9a-f]{64}$/),
      answerHash: expect.stringMatching(/^a2-[0-9a-f]{64}$/),
      recorded: true
    })
  })

  it("shows the same record as a page if the client prefers HTML [F51]", async () => {
    const { answerId } = await record()
    const response = await service().call("GET", `/v1/verify/${answerId}`, { headers: { accept: "text/html" } })
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'"
    )
    expect(response.headers.get("vary")).toBe("Accept, Accept-Encoding")
    const page = await response.text()
    expect(page).toContain(answerId)
    expect(page.match(/<script[\s\S]*?<\/script>/g)).toEqual(['<script type="module" src="/verify.js"></script>'])
  })

  it.each(["00000000-0000-4000-8000-000000000000", "'; drop table answers; --"])("answers 404 for %s", async (id) => {
    await expectProblem(await get(`/v1/verify/${id}`), 404, "answer-not-found")
  })

  it("shows an equal hash for equal inputs in different spellings [F54]", async () => {
    const other = { loans: [{ ...loan, interestBalance: 0 }], scenario: { ...scenario, state: "tx", label: null } }
    const hashes = await Promise.all(
      [projection, other].map(async (json) => {
        const { provenance } = await keyedAnswerTo("/v1/projection", json)
        return (await bodyAt(`/v1/verify/${provenance.answerId}`)).inputsHash
      })
    )
    expect(hashes[0]).toBe(hashes[1])
  })
})

describe("the record", () => {
  interface Stored {
    readonly answer_hash: string
    readonly inputs_hash: string
    readonly key_prefix: string
  }
  const storedOf = async (json: object) => {
    const { answerId } = (await keyedAnswerTo("/v1/projection", json)).provenance
    const [row] = await service().query<Stored>(`SELECT * FROM recorded_answer WHERE answer_id = '${answerId}'`)
    return row!
  }

  it("has a hash that commits to one answer, and differs for another answer, even with the same figures", async () => {
    const [one, same] = [await storedOf(projection), await storedOf(projection)]
    expect(one.answer_hash).toMatch(/^a2-[0-9a-f]{64}$/)
    expect(one.inputs_hash).toBe(same.inputs_hash)
    expect(one.key_prefix).not.toBe(same.key_prefix)
    const other = await storedOf({ ...projection, includeYearly: true })
    expect(new Set([one, same, other].map(({ answer_hash }) => answer_hash)).size).toBe(3)
    expect(other.inputs_hash).not.toBe(one.inputs_hash)
  })

  it("has an id that begins with its time, and is otherwise random", async () => {
    const key = await service().mint()
    const answers = await Promise.all(Array.from({ length: 20 }, () => answerTo("/v1/projection", projection, key)))
    const ids = answers.map(({ provenance }) => provenance)
    for (const { answerId, computedAtUtc } of ids) {
      expect(answerId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(Number.parseInt(answerId.replace("-", "").slice(0, 12), 16)).toBe(Date.parse(computedAtUtc))
    }
    for (const part of [/^.{13}-7(.{3})-/, /^.{18}-[89ab](.{3})-/, /-(.{12})$/]) {
      expect(new Set(ids.map(({ answerId }) => part.exec(answerId)![1])).size).toBeGreaterThan(15)
    }
  })

  it("contains no input and no answer", async () => {
    const income = 61_234.56
    const row = await storedOf({ ...projection, scenario: { ...scenario, adjustedGrossIncome: income, label: "Zoe" } })
    expect(JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}` : value))).not.toMatch(
      /61234|Zoe|REPAYMENT ASSISTANCE/
    )
  })
})

describe("GET /v1/records", () => {
  /** A key with some records, and their ids, newest first. */
  const recorded = async (count = 1) => {
    const key = await service().mint()
    const ids: Array<string> = []
    while (ids.length < count) ids.unshift((await answerTo("/v1/projection", projection, key)).provenance.answerId)
    return { key, ids }
  }

  it("lists the account's answers, newest first, page by page", async () => {
    const { ids, key } = await recorded(3)
    const first = await bodyAt("/v1/records?limit=2", key)
    const second = await bodyAt(`/v1/records?limit=2&cursor=${first.nextCursor}`, key)
    expect([...first.records, ...second.records].map(({ answerId }) => answerId)).toEqual(ids)
    expect(second.nextCursor).toBeNull()
  })

  it("shows each row with its verify address and without inputs", async () => {
    const { records } = await bodyAt("/v1/records", (await recorded()).key)
    const shown = ["answerHash", "answerId", "endpoint", "eventType", "inputsHash"]
    const more = ["keyPrefix", "recordedAtUtc", "ruleVersion", "source", "verifyUrl"]
    expect(Object.keys(records[0]).sort()).toEqual([...shown, ...more])
  })

  it("shows no record of another account, even with its cursor [F41]", async () => {
    await recorded()
    const page = await bodyAt("/v1/records?cursor=9223372036854775807", await service().mint())
    expect(page).toEqual({ records: [], nextCursor: null })
  })

  it("does not reveal by its cursor how many answers others have", async () => {
    const { nextCursor } = await bodyAt("/v1/records?limit=1", (await recorded(2)).key)
    const [newest] = await service().query<{ seq: string }>("SELECT max(seq)::text AS seq FROM answer")
    expect(Number.isSafeInteger(nextCursor)).toBe(true)
    expect(Math.abs(nextCursor - Number(newest!.seq))).toBeGreaterThan(1000)
  })

  it("accepts a half-open range of instants", async () => {
    const { key } = await recorded()
    const [row] = (await bodyAt("/v1/records", key)).records
    const at = encodeURIComponent(row.recordedAtUtc)
    expect((await bodyAt(`/v1/records?to=${at}`, key)).records).toEqual([])
    expect((await bodyAt(`/v1/records?from=${at}`, key)).records).toHaveLength(1)
  })
})

describe("GET /v1/rules", () => {
  it("publishes the ledger under its version, and the version on its own", async () => {
    const response = await get("/v1/rules")
    const { constants, knownOmissions, version } = await response.json()
    expect(response.headers.get("etag")).toBe(`"${version}"`)
    expect(constants.length).toBeGreaterThan(50)
    expect(knownOmissions.length).toBeGreaterThan(0)
    expect(version).toMatch(/^rl1-[0-9a-f]{12}$/)
    expect(await bodyAt("/v1/rules/version")).toEqual({ version })
  })
})

describe("GET /v1/reference", () => {
  it("computes four scenarios under three plans, and records each", async () => {
    const { scenarios } = await bodyAt("/v1/reference")
    expect(idsOf(scenarios)).toEqual(["single-borrower", "joint-two-incomes", "pslf-60-of-120", "prior-idr-months"])
    for (const { answer, id } of scenarios) {
      expect(answer.projections).toHaveLength(3)
      const record = await bodyAt(`/v1/verify/${answer.provenance.answerId}`)
      expect(record.endpoint).toBe(`GET /v1/reference#${id}`)
    }
  })

  it("shows the figures of the cases that it names, and can be replayed with any key", async () => {
    const { scenarios } = await bodyAt("/v1/reference")
    const [single, joint, pslf, prior] = scenarios.map(
      ({ answer }: { answer: { projections: unknown } }) => answer.projections
    )
    expect(single[0].year1MonthlyPayment).toBe(250)
    expect(joint[0].year1MonthlyPayment).toBe(775)
    expect(pslf[0].amountForgiven).toBe(77_000)
    expect(prior[2].totalOutOfPocket).toBe(40_112.44)
    const replay = await keyedAnswerTo("/v1/comparison", scenarios[2].request)
    expect(replay.projections[0].amountForgiven).toBe(77_000)
  })
})

describe("POST /v1/keys/sandbox", () => {
  it("issues a key that works, and says what to do with it", async () => {
    const minted = await answerTo("/v1/keys/sandbox", { email: "ada+1@example.org" })
    expect(minted).toMatchObject({
      apiKey: expect.stringMatching(/^slr_sbx_[0-9A-Za-z]{38}$/),
      tier: "Sandbox",
      monthlyCallLimit: 100,
      headerName: "X-Api-Key",
      mcpEndpoint: `${service().publicUrl}/mcp`
    })
    expect(minted.upgradeUrl).toContain("prefilled_email=ada%2B1%40example.org")
    expect((await get("/v1/me", minted.apiKey)).status).toBe(200)
  })

  it("revokes the previous key of the address, in any letter case", async () => {
    const { apiKey: before } = await answerTo("/v1/keys/sandbox", { email: "Grace@example.org" })
    const { apiKey: after } = await answerTo("/v1/keys/sandbox", { email: " grace@EXAMPLE.org " })
    expect((await get("/v1/me", before)).status).toBe(401)
    expect((await get("/v1/me", after)).status).toBe(200)
  })
})
