/** Every endpoint of the specification, called with valid requests. */
import { describe, expect, it } from "vitest"
import { Health } from "../../schema/account.ts"
import { expectProblem, expectUuid } from "../support/answers.ts"
import { calculator, comparison, FIRST_PAYMENT, loan, projection, scenario } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"

const service = useService({ RATE_LIMIT_MINT: "off", RATE_LIMIT_KEY: "off" })
const get = async (path: string, key?: string) => service().call("GET", path, { key })

describe("GET /health", () => {
  it.each(["/health", "/v1/health"])("%s reports the build and the rules", async (path) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      status: "ok",
      commit: expect.any(String),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      ruleVersion: expect.stringMatching(/^rl1-[0-9a-f]{12}$/)
    })
  })

  it("lists its fields in the order of the contract", async () => {
    expect(Object.keys(await (await get("/health")).json())).toEqual(Object.keys(Health.fields))
  })
})

describe("POST /v1/calculators/loan", () => {
  it("computes every open plan, and states why the others are excluded", async () => {
    const response = await service().call("POST", "/v1/calculators/loan", { json: calculator })
    expect(response.status).toBe(200)
    const answer = await response.json()
    expect(answer).toMatchObject({
      computedBy: "repayment-of-record",
      asOf: expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
    })
    expect(answer.plans.find(({ plan }: { plan: string }) => plan === "rap")).toMatchObject({
      monthlyPayment: FIRST_PAYMENT
    })
    expect(answer.excludedPlans.length).toBeGreaterThan(0)
  })

  it("has no answer id", async () => {
    const response = await service().call("POST", "/v1/calculators/loan", { json: calculator })
    expect(await response.text()).not.toContain("answerId")
  })
})

describe("POST /v1/explain", () => {
  const explain = async (json: object) => service().call("POST", "/v1/explain", { json })

  it("explains the first payment step by step, each with its rule, and has no answer id", async () => {
    const response = await explain(projection)
    expect(response.status).toBe(200)
    const answer = await response.json()
    expect(answer).toMatchObject({ planType: "REPAYMENT ASSISTANCE", month: 1, payment: FIRST_PAYMENT })
    const band = answer.parts[0].steps.find(({ term }: { term: string }) => term === "bandRate")
    expect(band).toMatchObject({ value: 0.05, unit: "fraction", rules: ["rap-base-payment-bands"] })
    const rule = answer.rules.find(({ id }: { id: string }) => id === "rap-base-payment-bands")
    expect(rule.citation).toMatch(/^20 U\.S\.C\. 1087e\(q\)\(4\)\(B\)/)
    expect(JSON.stringify(answer)).not.toContain("answerId")
  })

  it("explains a later month, and one in which nothing is owed any more", async () => {
    const later = await (await explain({ ...projection, month: 13 })).json()
    expect(later).toMatchObject({ month: 13, payment: FIRST_PAYMENT })
    const last = await (await explain({ ...projection, month: 600 })).json()
    expect(last).toMatchObject({ payment: 0, parts: [{ payment: 0, steps: [], loans: [] }], rules: [] })
  })

  it("lists the same omissions as the projection", async () => {
    for (const planType of ["SAVE", "INCOME CONTINGENT", "STANDARD"]) {
      const json = { ...projection, scenario: { ...scenario, planType, filingStatus: "MarriedFilingSeparately" } }
      const projected = await service().call("POST", "/v1/projection", { json, key: await service().mint() })
      const { knownOmissions } = (await projected.json()).provenance
      expect((await (await explain(json)).json()).knownOmissions).toEqual(knownOmissions)
    }
  })

  it.each(["SAVE", "REVISED PAY AS YOU EARN"])(
    "reports that %s can no longer be elected, and why",
    async (planType) => {
      const { notes, rules } = await (await explain({ ...projection, scenario: { ...scenario, planType } })).json()
      expect(notes).toEqual([`${planType} cannot be elected since 10 March 2026; these figures show what it would be`])
      expect(rules.map(({ id }: { id: string }) => id)).toContain("save-vacatur")
    }
  )

  it.each(["PAY AS YOU EARN", "INCOME CONTINGENT"])(
    "reports in every month that %s ends, and what follows",
    async (planType) => {
      for (const month of [1, 60]) {
        const json = { ...projection, scenario: { ...scenario, planType }, month }
        const { notes, rules } = await (await explain(json)).json()
        expect(notes).toEqual([
          "INCOME CONTINGENT and PAY AS YOU EARN end in Jul 2028. Open loans move to REPAYMENT ASSISTANCE or else INCOME BASED (OLD), unless the borrower chooses another, such as IBR"
        ])
        expect(rules.map(({ id }: { id: string }) => id)).toContain("idr-sunset-default")
      }
    }
  )

  it("reports that nothing is owed after the last month, and names that month", async () => {
    const { monthsToFinish } = await (
      await service().call("POST", "/v1/projection", { json: projection, key: await service().mint() })
    ).json()
    const { notes } = await (await explain({ ...projection, month: 600 })).json()
    expect(notes).toEqual([`Nothing is owed in month 600: the last payment was that of month ${monthsToFinish + 1}`])
  })

  it("includes each rule's definition and value, so that the sum can be redone", async () => {
    const { rules } = await (await explain(projection)).json()
    expect(rules.find(({ id }: { id: string }) => id === "rap-minimum-payment")).toMatchObject({
      definition: expect.stringMatching(/never less than this/),
      unit: "USD per month",
      value: { monthly: 10 }
    })
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
  it("returns the figures of the law", async () => {
    const response = await service().call("POST", "/v1/projection", { json: projection, key: await service().mint() })
    expect(response.status).toBe(200)
    const answer = await response.json()
    expect(answer).toMatchObject({ planType: "REPAYMENT ASSISTANCE", label: null, year1MonthlyPayment: FIRST_PAYMENT })
    expect(answer).not.toHaveProperty("yearly")
  })

  it("states the sources of its numbers", async () => {
    const response = await service().call("POST", "/v1/projection", { json: projection, key: await service().mint() })
    const { provenance } = await response.json()
    expectUuid(provenance.answerId)
    expect(provenance).toMatchObject({
      computedBy: "repayment-of-record",
      engine: "projection",
      parityVerified: true,
      verifyUrl: `${service().publicUrl}/v1/verify/${provenance.answerId}`
    })
    expect(provenance.citations.map(({ id }: { id: string }) => id)).toContain("rap-base-payment-bands")
    expect(provenance.knownOmissions.length).toBeGreaterThan(0)
  })

  it("adds the yearly series on request, and changes nothing else", async () => {
    const key = await service().mint()
    const plain = await (await service().call("POST", "/v1/projection", { json: projection, key })).json()
    const json = { ...projection, includeYearly: true }
    const { yearly, ...rest } = await (await service().call("POST", "/v1/projection", { json, key })).json()
    expect(yearly[0]).toMatchObject({ year: 0, principalBalance: 60_000 })
    expect({ ...rest, provenance: null }).toEqual({ ...plain, provenance: null })
  })

  it("reads strings trimmed and in any case", async () => {
    const json = {
      scenario: { ...scenario, planType: " repayment assistance ", state: "tx", filingStatus: "single" },
      loans: [{ ...loan, loanType: "direct stafford unsubsidized " }]
    }
    const response = await service().call("POST", "/v1/projection", { json, key: await service().mint() })
    expect((await response.json()).planType).toBe("REPAYMENT ASSISTANCE")
  })

  it("sends the deprecated code together with the forgiveness type", async () => {
    const response = await service().call("POST", "/v1/projection", { json: projection, key: await service().mint() })
    const { forgivenessType, forgivenessTypeCode } = await response.json()
    expect(["Pslf", "TimeBased", "Teacher", "None"][forgivenessTypeCode]).toBe(forgivenessType)
  })
})

describe("POST /v1/comparison", () => {
  it("returns one projection per arm, in order, under one record", async () => {
    const response = await service().call("POST", "/v1/comparison", { json: comparison, key: await service().mint() })
    expect(response.status).toBe(200)
    const answer = await response.json()
    expect(answer.projections.map(({ label }: { label: string }) => label)).toEqual(
      comparison.arms.map((arm) => arm.scenario.label)
    )
    const ids = new Set(answer.projections.map((one: { provenance: { answerId: string } }) => one.provenance.answerId))
    expect([...ids]).toEqual([answer.provenance.answerId])
  })

  it("names the label of the arm with the lowest cost", async () => {
    const response = await service().call("POST", "/v1/comparison", { json: comparison, key: await service().mint() })
    const { lowestCostLabel, projections } = await response.json()
    const cost = (one: { totalOutOfPocket: number; forgivenessTaxesOwed: number }) =>
      one.totalOutOfPocket + one.forgivenessTaxesOwed
    const lowest = projections.toSorted((a: never, b: never) => cost(a) - cost(b))[0]
    expect(lowestCostLabel).toBe(lowest.label)
  })
})

describe("POST /v1/plan-eligibility", () => {
  it("lists the plans of each loan, without a record", async () => {
    const loans = [loan, { ...loan, loanType: "DIRECT PLUS PARENT" }]
    const response = await service().call("POST", "/v1/plan-eligibility", {
      json: { loans },
      key: await service().mint()
    })
    expect(response.status).toBe(200)
    const answer = await response.json()
    expect(answer.loans[0]).toMatchObject({ loanType: loan.loanType, balance: 60_000 })
    expect(answer.loans[0].eligiblePlanTypes).toContain("REPAYMENT ASSISTANCE")
    expect(answer.loans[1].eligiblePlanTypes).not.toContain("REPAYMENT ASSISTANCE")
    expect(answer.provenance).toMatchObject({ answerId: null, verifyUrl: null, parityVerified: false })
  })
})

describe("GET /v1/plan-types", () => {
  it("returns the array of the specification", async () => {
    const response = await get("/v1/plan-types", await service().mint())
    expect(await response.json()).toEqual([
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
  it("counts itself as a call", async () => {
    const key = await service().mint()
    const response = await get("/v1/me", key)
    const me = await response.json()
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
    const { apiKey, upgradeUrl } = await (
      await service().call("POST", "/v1/keys/sandbox", { json: { email: `${crypto.randomUUID()}@example.org` } })
    ).json()
    const { plansPage } = await (await get("/v1/me", apiKey)).json()
    const referenceOf = (url: string) => new URL(url).searchParams.get("client_reference_id")
    expect(referenceOf(plansPage)).toBe(referenceOf(upgradeUrl))
  })

  it("never returns the key", async () => {
    const key = await service().mint()
    expect(await (await get("/v1/me", key)).text()).not.toContain(key)
  })

  it("accepts the key as a bearer value", async () => {
    const authorization = `Bearer ${await service().mint()}`
    const response = await service().call("GET", "/v1/me", { headers: { authorization } })
    expect(response.status).toBe(200)
  })
})

describe("GET /v1/verify/{answerId}", () => {
  const record = async () => {
    const response = await service().call("POST", "/v1/projection", { json: projection, key: await service().mint() })
    return (await response.json()).provenance as { answerId: string; ruleVersion: string }
  }

  it("confirms a projection to anyone", async () => {
    const { answerId, ruleVersion } = await record()
    const response = await get(`/v1/verify/${answerId}`)
    expect(await response.json()).toEqual({
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

  it("answers 404 for an id without a record", async () => {
    await expectProblem(await get("/v1/verify/00000000-0000-4000-8000-000000000000"), 404, "answer-not-found")
  })

  it("answers 404 for a malformed id", async () => {
    await expectProblem(await get("/v1/verify/'; drop table answers; --"), 404, "answer-not-found")
  })

  it("shows an equal hash for equal inputs in different spellings [F54]", async () => {
    const key = await service().mint()
    const other = { loans: [{ ...loan, interestBalance: 0 }], scenario: { ...scenario, state: "tx", label: null } }
    const hashes = await Promise.all(
      [projection, other].map(async (json) => {
        const { provenance } = await (await service().call("POST", "/v1/projection", { json, key })).json()
        return (await (await get(`/v1/verify/${provenance.answerId}`)).json()).inputsHash
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
  const storedOf = async (json: unknown) => {
    const answer = await service().call("POST", "/v1/projection", { json, key: await service().mint() })
    const { answerId } = (await answer.json()).provenance
    const [row] = await service().query<Stored>(`SELECT * FROM recorded_answer WHERE answer_id = '${answerId}'`)
    return row!
  }

  it("has a hash that commits to one answer, and differs for another answer with the same figures", async () => {
    const [one, other] = [await storedOf(projection), await storedOf(projection)]
    expect(one.answer_hash).toMatch(/^a2-[0-9a-f]{64}$/)
    expect(one.answer_hash).not.toBe(other.answer_hash)
    expect(one.inputs_hash).toBe(other.inputs_hash)
    expect(one.key_prefix).not.toBe(other.key_prefix)
  })

  it("has an id that begins with its time, and is otherwise random", async () => {
    const key = await service().mint()
    const ask = async () => (await service().call("POST", "/v1/projection", { json: projection, key })).json()
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    const ids = answers.map(({ provenance }) => provenance)
    for (const { answerId, computedAtUtc } of ids) {
      expect(answerId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(Number.parseInt(answerId.replace("-", "").slice(0, 12), 16)).toBe(Date.parse(computedAtUtc))
    }
    for (const part of [/^.{13}-7(.{3})-/, /^.{18}-[89ab](.{3})-/, /-(.{12})$/]) {
      expect(new Set(ids.map(({ answerId }) => part.exec(answerId)![1])).size).toBeGreaterThan(15)
    }
  })

  it("has a different hash for a different answer", async () => {
    const one = await storedOf(projection)
    const other = await storedOf({ ...projection, includeYearly: true })
    expect(other.answer_hash).not.toBe(one.answer_hash)
    expect(other.inputs_hash).not.toBe(one.inputs_hash)
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
  it("lists the account's answers, newest first, page by page", async () => {
    const key = await service().mint()
    const ids: Array<string> = []
    for (let call = 0; call < 3; call++) {
      const { provenance } = await (await service().call("POST", "/v1/projection", { json: projection, key })).json()
      ids.unshift(provenance.answerId)
    }
    const first = await (await get("/v1/records?limit=2", key)).json()
    const second = await (await get(`/v1/records?limit=2&cursor=${first.nextCursor}`, key)).json()
    expect([...first.records, ...second.records].map(({ answerId }) => answerId)).toEqual(ids)
    expect(second.nextCursor).toBeNull()
  })

  it("shows each row with its verify address and without inputs", async () => {
    const key = await service().mint()
    await service().call("POST", "/v1/projection", { json: projection, key })
    const { records } = await (await get("/v1/records", key)).json()
    expect(Object.keys(records[0]).sort()).toEqual(
      [
        "answerHash",
        "answerId",
        "endpoint",
        "eventType",
        "inputsHash",
        "keyPrefix",
        "recordedAtUtc",
        "ruleVersion",
        "source",
        "verifyUrl"
      ].sort()
    )
  })

  it("shows no record of another account, even with its cursor [F41]", async () => {
    const owner = await service().mint()
    await service().call("POST", "/v1/projection", { json: projection, key: owner })
    const other = await service().mint()
    const page = await (await get("/v1/records?cursor=9223372036854775807", other)).json()
    expect(page).toEqual({ records: [], nextCursor: null })
  })

  it("does not reveal by its cursor how many answers others have", async () => {
    const key = await service().mint()
    for (let call = 0; call < 2; call++) await service().call("POST", "/v1/projection", { json: projection, key })
    const { nextCursor } = await (await get("/v1/records?limit=1", key)).json()
    const [newest] = await service().query<{ seq: string }>("SELECT max(seq)::text AS seq FROM answer")
    expect(Number.isSafeInteger(nextCursor)).toBe(true)
    expect(Math.abs(nextCursor - Number(newest!.seq))).toBeGreaterThan(1000)
  })

  it("accepts a half-open range of instants", async () => {
    const key = await service().mint()
    await service().call("POST", "/v1/projection", { json: projection, key })
    const [row] = (await (await get("/v1/records", key)).json()).records
    const at = encodeURIComponent(row.recordedAtUtc)
    expect((await (await get(`/v1/records?to=${at}`, key)).json()).records).toEqual([])
    expect((await (await get(`/v1/records?from=${at}`, key)).json()).records).toHaveLength(1)
  })
})

describe("GET /v1/rules", () => {
  it("publishes the ledger under its version", async () => {
    const response = await get("/v1/rules")
    const rules = await response.json()
    expect(response.headers.get("etag")).toBe(`"${rules.version}"`)
    expect(rules.constants.length).toBeGreaterThan(50)
    expect(rules.knownOmissions.length).toBeGreaterThan(0)
  })

  it("returns the version on its own", async () => {
    const version = await (await get("/v1/rules/version")).json()
    expect(version).toEqual({ version: expect.stringMatching(/^rl1-[0-9a-f]{12}$/) })
  })
})

describe("GET /v1/reference", () => {
  it("computes four scenarios under three plans, and records each", async () => {
    const response = await get("/v1/reference")
    const { scenarios } = await response.json()
    expect(scenarios.map(({ id }: { id: string }) => id)).toEqual([
      "single-borrower",
      "joint-two-incomes",
      "pslf-60-of-120",
      "prior-idr-months"
    ])
    for (const { answer, id } of scenarios) {
      expect(answer.projections).toHaveLength(3)
      const record = await (await get(`/v1/verify/${answer.provenance.answerId}`)).json()
      expect(record.endpoint).toBe(`GET /v1/reference#${id}`)
    }
  })

  it("shows the figures of the cases that it names", async () => {
    const { scenarios } = await (await get("/v1/reference")).json()
    const answerOf = (id: string) => scenarios.find((one: { id: string }) => one.id === id).answer.projections
    expect(answerOf("single-borrower")[0].year1MonthlyPayment).toBe(250)
    expect(answerOf("joint-two-incomes")[0].year1MonthlyPayment).toBe(775)
    expect(answerOf("pslf-60-of-120")[0].amountForgiven).toBe(77_000)
    expect(answerOf("prior-idr-months")[2].totalOutOfPocket).toBe(40_112.44)
  })

  it("can be replayed with any key", async () => {
    const { scenarios } = await (await get("/v1/reference")).json()
    const key = await service().mint()
    const replay = await (await service().call("POST", "/v1/comparison", { json: scenarios[2].request, key })).json()
    expect(replay.projections[0].amountForgiven).toBe(scenarios[2].answer.projections[0].amountForgiven)
  })
})

describe("POST /v1/keys/sandbox", () => {
  it("issues a key that works, and says what to do with it", async () => {
    const json = { email: "ada+1@example.org" }
    const response = await service().call("POST", "/v1/keys/sandbox", { json })
    const minted = await response.json()
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
    const mint = async (email: string) =>
      (await (await service().call("POST", "/v1/keys/sandbox", { json: { email } })).json()).apiKey
    const before = await mint("Grace@example.org")
    const after = await mint(" grace@EXAMPLE.org ")
    expect((await get("/v1/me", before)).status).toBe(401)
    expect((await get("/v1/me", after)).status).toBe(200)
  })
})
