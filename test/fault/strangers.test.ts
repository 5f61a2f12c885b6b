/**
 * Tests of callers who try to use what is not theirs: guessed keys, forged addresses, and other
 * people's records and mailboxes.
 */
import { Effect, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { projectionRequests } from "../../property-tests/generators/requests.ts"
import { VerifiedAnswer } from "../../schema/records.ts"
import { ReferenceResponse } from "../../schema/reference.ts"
import { newSecret } from "../../src/services/accounts/apiKey.ts"
import { expectProblem } from "../support/answers.ts"
import { useDatabase } from "../support/database.ts"
import { type RunningService, startService, useService, useStarted } from "../support/runningService.ts"
import { STRIPE_SETTINGS } from "../support/settings.ts"
import { paidEvent, sendEvent, sign } from "../support/webhooks.ts"
import { seed } from "./scale.ts"

describe("a guessed key", () => {
  const service = useService()

  it("gets the same refusal, however much of it is right [F43]", async () => {
    const key = await service().mint()
    const guesses = {
      "right prefix, wrong rest": `${key.slice(0, 14)}${"a".repeat(key.length - 14)}`,
      "one character off": `${key.slice(0, 20)}${key[20] === "a" ? "b" : "a"}${key.slice(21)}`,
      "other tier": key.replace("slr_sbx_", "slr_live_"),
      "other case": key.toUpperCase(),
      longer: `${key}a`,
      shorter: key.slice(0, -1),
      empty: " "
    }
    const bodies = new Set<string>()
    for (const guess of Object.values(guesses)) {
      for (const headers of [{ "x-api-key": guess }, { authorization: `Bearer ${guess}` }]) {
        const response = await service().call("GET", "/v1/me", { headers })
        expect(response.headers.get("www-authenticate")).toMatch(/^X-Api-Key realm="/)
        expect(response.headers.get("ratelimit-limit")).toBeNull()
        const { instance, ...rest } = await expectProblem(response, 401, "unauthorized")
        expect(instance).toMatch(/^urn:uuid:/)
        bodies.add(JSON.stringify(rest))
      }
    }
    expect(bodies.size).toBe(1)
    expect((await service().call("GET", "/v1/me", { key })).status).toBe(200)
  })
})

describe("a series of unknown keys", () => {
  const service = useService({ RATE_LIMIT_UNKNOWN: "10/m" })
  const me = (key: string) => service().call("GET", "/v1/me", { key })

  it("is rate-limited, while recently valid keys are not [F43]", async () => {
    const [key, unused] = [await service().mint(), await service().mint()]
    expect((await me(key)).status).toBe(200)
    // Well formed, so that each of them must be looked up.
    const statuses = await Promise.all(Array.from({ length: 60 }, async () => (await me(newSecret("Sandbox"))).status))
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(10)
    const refused = await me(newSecret("Sandbox"))
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    await expectProblem(refused, 429, "rate-limited")
    for (const known of [key, unused]) expect((await me(known)).status).toBe(200)
    await service().query(
      `UPDATE api_key SET expires_at = now() - interval '1 second' WHERE prefix = '${key.slice(0, 14)}'`
    )
    await expectProblem(await me(key), 401, "unauthorized")
  })
})

describe("a scan of record ids behind one proxy", () => {
  const LIMIT = 20
  const service = useService({ RATE_LIMIT_VERIFY: `${LIMIT}/h`, TRUSTED_PROXY_HOPS: "1" })

  it("is limited by its real address, whatever X-Forwarded-For it sends [F36]", async () => {
    const claims = fc.sample(
      fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom("", "unknown", "127.0.0.1", ",", "a, b")),
      200
    )
    const statuses: Array<number> = []
    for (const claim of claims) {
      const headers = { "x-forwarded-for": `${claim}, 198.51.100.7` }
      statuses.push((await service().call("GET", `/v1/verify/${crypto.randomUUID()}`, { headers })).status)
    }
    expect(statuses.slice(0, LIMIT)).toEqual(Array.from({ length: LIMIT }, () => 404))
    expect(statuses.filter((status) => status === 429)).toHaveLength(claims.length - LIMIT)
    const other = { "x-forwarded-for": "198.51.100.8" }
    expect((await service().call("GET", `/v1/verify/${crypto.randomUUID()}`, { headers: other })).status).toBe(404)
  })
})

describe("the public view of a record", () => {
  const service = useService({ RATE_LIMIT_KEY: "off", SANDBOX_MONTHLY_CALLS: "1000" })

  /** Values of a request that are long enough to be unique: no counts or abbreviations. */
  const uniqueValuesOf = (value: unknown): ReadonlyArray<string> =>
    typeof value === "object" && value !== null
      ? Object.values(value).flatMap(uniqueValuesOf)
      : [String(value)].filter((text) => text.length >= 6)

  /** Requests with a label and amounts in cents, which cannot occur in hashes or ids. */
  const requests = fc
    .tuple(projectionRequests(), fc.integer({ min: 1_000_000, max: 9_000_000 }), fc.uuid())
    .map(([request, amount, label]) => ({
      ...request,
      scenario: { ...request.scenario, adjustedGrossIncome: amount + 0.37, label },
      loans: request.loans.map((loan, index) => ({ ...loan, principalBalance: 40_000 + index + 0.41 }))
    }))

  it("contains nothing of its inputs, its key or its account, for random requests [F42]", async () => {
    const key = await service().mint()
    const { tenant } = (await (await service().call("GET", "/v1/me", { key })).json()) as { tenant: string }
    let read = 0
    for (const json of fc.sample(requests, { numRuns: 40, seed })) {
      const answer = await service().call("POST", "/v1/projection", { key, json })
      // Some random requests are refused for their plan.
      if (answer.status === 400) continue
      const { provenance } = (await answer.json()) as { provenance: { answerId: string } }
      const hiddenValues = [...uniqueValuesOf(json).map((text) => text.trim()), key, tenant]
      const pages = {
        record: await service().call("GET", `/v1/verify/${provenance.answerId}`),
        page: await service().call("GET", `/v1/verify/${provenance.answerId}`, { headers: { accept: "text/html" } }),
        list: await service().call("GET", "/v1/records?limit=1", { key })
      }
      for (const [name, response] of Object.entries(pages)) {
        expect(response.status).toBe(200)
        const text = await response.text()
        expect([name, hiddenValues.filter((hidden) => text.toUpperCase().includes(hidden.toUpperCase()))]).toEqual([
          name,
          []
        ])
        // The list is for the account itself, and shows key prefixes.
        if (name !== "list") expect(text).not.toContain(key.slice(0, 14))
        if (name === "record") Schema.decodeUnknownSync(VerifiedAnswer, { onExcessProperty: "error" })(JSON.parse(text))
        read++
      }
    }
    expect(read).toBeGreaterThan(30)
  })
})

describe("a stranger requesting keys for another person's email address [F47]", () => {
  const service = useService({ RATE_LIMIT_MAILBOX: "5/d", RATE_LIMIT_MINT: "5/h", TRUSTED_PROXY_HOPS: "1" })
  let client = 0
  /** Mints from a different client address each time. */
  const mintFor = async (email: string) => {
    const headers = { "x-forwarded-for": `198.51.100.${++client}` }
    return service().call("POST", "/v1/keys/sandbox", { json: { email }, headers })
  }
  const mailsTo = async (pattern: string) => {
    const [row] = await service().query<{ n: number }>(
      `SELECT count(*)::int AS n FROM outbox WHERE mail_to LIKE '${pattern}'`
    )
    return row!.n
  }

  it("causes at most five mails a day, from any number of client addresses", async () => {
    const name = crypto.randomUUID()
    const tries = await Promise.all(Array.from({ length: 30 }, () => mintFor(`${name}@example.org`)))
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await mailsTo(`${name}%`)).toBe(5)
    const other = crypto.randomUUID()
    await mintFor(`${other}@example.org`)
    expect(await mailsTo(`${other}%`)).toBe(1)
  })

  it("cannot bypass that limit with tags or capital letters", async () => {
    const name = crypto.randomUUID()
    const spellings = [`${name}+1`, `${name}+2+3`, name.toUpperCase(), `${name}+`, `  ${name}`, `${name}+x`, name]
    for (const spelling of spellings) expect((await mintFor(`${spelling}@example.org`)).status).toBe(200)
    expect(await mailsTo(`${name}%`)).toBe(5)
  })

  it("cannot bypass it with dots or Gmail's other name, and gets few keys from all subnets of a network", async () => {
    const name = crypto.randomUUID().replaceAll("-", "")
    const statuses: Array<number> = []
    for (let mint = 0; mint < 100; mint++) {
      const email = `${name.slice(0, 9 + (mint % 9))}.${name.slice(9 + (mint % 9))}@${mint % 2 === 0 ? "gmail" : "googlemail"}.com`
      const headers = { "x-forwarded-for": `2001:db8:9:${(mint * 257).toString(16)}::1` }
      statuses.push((await service().call("POST", "/v1/keys/sandbox", { json: { email }, headers })).status)
    }
    expect(await mailsTo(`${name.slice(0, 9)}%`)).toBe(5)
    // Sixteen times what one address gets.
    expect(statuses.filter((status) => status === 200)).toHaveLength(80)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })

  it("does not prevent the owner from getting a key", async () => {
    const email = `${crypto.randomUUID()}@example.org`
    for (let mint = 0; mint < 20; mint++) await mintFor(email)
    const { apiKey } = (await (await mintFor(email)).json()) as { apiKey: string }
    expect((await service().call("GET", "/v1/me", { key: apiKey })).status).toBe(200)
  })

  it.each(["\u212aevin", "\u017fusan", "\ufb01nn", "\u0130da", "JU\u0308RGEN", "\u00c9mile", "a\uff42c"])(
    "cannot use the look-alike %s",
    async (name) => {
      const { errors } = await expectProblem(await mintFor(`${name}@example.org`), 400, "validation")
      expect(Object.keys(errors!)).toEqual(["email"])
    }
  )

  it.each(["j\u00fcrgen", "\u00e9mile", "\u5f20\u4f1f", "o'hara", "Kevin"])(
    "is not refused the ordinary address %s",
    async (name) => {
      expect((await mintFor(`${name}.${crypto.randomUUID()}@example.org`)).status).toBe(200)
    }
  )
})

describe("strangers requesting keys for ever new addresses", () => {
  const service = useService({ RATE_LIMIT_SANDBOX_MAILS: "7/h" })

  it("get keys, but cause no more mails an hour than the limit over all, whichever come at once", async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => service().mint()))
    for (const key of keys) expect((await service().call("GET", "/v1/me", { key })).status).toBe(200)
    expect(await service().query("SELECT count(*)::int AS n FROM outbox")).toEqual([{ n: 7 }])
    await service().query("UPDATE outbox SET created_at = created_at - interval '1 hour'")
    await service().mint()
    expect(await service().query("SELECT count(*)::int AS n FROM outbox")).toEqual([{ n: 8 }])
  })
})

describe("a payer who claims again and again", () => {
  const service = useService({ ...STRIPE_SETTINGS, RATE_LIMIT_MAILBOX: "5/d" })
  /** Sandbox keys that are minted for one address, which then pays. */
  const payer = async (keys: number) => {
    const email = `${crypto.randomUUID()}@example.org`
    let sandboxKey = ""
    for (let mint = 0; mint < keys; mint++) {
      const response = await service().call("POST", "/v1/keys/sandbox", { json: { email } })
      sandboxKey = ((await response.json()) as { apiKey: string }).apiKey
    }
    const event = paidEvent(email, null)
    await sendEvent(service().call, event, sign(event))
    return { email, sandboxKey }
  }
  const claimed = async (sandboxKey: string) => {
    expect((await service().call("POST", "/v1/keys/claim", { json: { sandboxKey } })).status).toBe(200)
    await service().query("UPDATE outbox SET sent_at = now() WHERE kind = 'production-claimed' AND sent_at IS NULL")
  }
  const mailsTo = (email: string) =>
    service().query(
      `SELECT kind, count(*)::int AS n FROM outbox WHERE mail_to = '${email}' GROUP BY kind ORDER BY kind`
    )

  it("causes no more mails to the address of the payment than its mailbox may get", async () => {
    const { email, sandboxKey } = await payer(1)
    for (let claim = 0; claim < 8; claim++) await claimed(sandboxKey)
    expect(await mailsTo(email)).toEqual([
      { kind: "production-claimed", n: 4 },
      { kind: "production-key", n: 1 },
      { kind: "sandbox-minted", n: 1 }
    ])
    // Then none about a sandbox key, either.
    await service().call("POST", "/v1/keys/sandbox", { json: { email } })
    expect(await mailsTo(email)).toContainEqual({ kind: "sandbox-minted", n: 1 })
  })

  it("is announced although strangers used up the mailbox with sandbox keys", async () => {
    const { email, sandboxKey } = await payer(6)
    await claimed(sandboxKey)
    expect(await mailsTo(email)).toEqual([
      { kind: "production-claimed", n: 1 },
      { kind: "production-key", n: 1 },
      { kind: "sandbox-minted", n: 5 }
    ])
  })
})

describe("a stranger who makes the service work for nothing", () => {
  const service = useService({
    ...STRIPE_SETTINGS,
    RATE_LIMIT_KEYLESS: "3/h",
    RATE_LIMIT_UNKNOWN: "3/h",
    TRUSTED_PROXY_HOPS: "1"
  })
  const event = (signature: string | undefined, address: string) =>
    service().call("POST", "/webhooks/stripe", {
      body: paidEvent("somebody@example.org", null),
      headers: {
        "content-type": "application/json",
        "x-forwarded-for": address,
        ...(signature === undefined ? {} : { "stripe-signature": signature })
      }
    })

  it("is limited in large pages", async () => {
    const statuses: Array<number> = []
    for (let page = 0; page < 5; page++) {
      const response = await service().call("GET", "/docs", { headers: { "x-forwarded-for": "198.51.100.1" } })
      statuses.push(response.status)
      if (response.status === 429) await expectProblem(response, 429, "rate-limited")
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })

  it("is limited in wrong signatures, while right ones pass from elsewhere", async () => {
    const wrong = () => event(sign("another body"), "198.51.100.2")
    const statuses: Array<number> = []
    for (let sent = 0; sent < 5; sent++) statuses.push((await wrong()).status)
    expect(statuses).toEqual([400, 400, 400, 429, 429])
    const body = paidEvent("payer@example.org", null)
    const headers = {
      "stripe-signature": sign(body),
      "x-forwarded-for": "198.51.100.3",
      "content-type": "application/json"
    }
    expect((await service().call("POST", "/webhooks/stripe", { body, headers })).status).toBe(200)
  })
})

describe("the reference scenarios", () => {
  const database = useDatabase()
  const start = () => startService({}, Effect.succeed(database().url))
  const [first, second] = [useStarted(start), useStarted(start)]
  const records = async () => (await first().query<{ n: number }>("SELECT count(*)::int AS n FROM answer"))[0]!.n
  const get = async (service: RunningService) => {
    const response = await service.call("GET", "/v1/reference")
    expect(response.status).toBe(200)
    return Schema.decodeUnknownSync(ReferenceResponse)(await response.json())
  }

  it("are recorded by a GET, but not by HEAD", async () => {
    const head = await first().call("HEAD", "/v1/reference")
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/json"])
    expect(await records()).toBe(0)
    await get(first())
    expect(await records()).toBe(4)
  })

  it("are recorded 60 times an hour by all services on a database, and later answers are the newest of these", async () => {
    const before = await records()
    await Promise.all(Array.from({ length: 80 }, (_, call) => get(call % 2 === 0 ? first() : second())))
    expect(await records()).toBe(240)
    expect(before).toBeLessThan(240)
    const newest = await get(first())
    expect(await get(second())).toEqual(newest)
    const ids = newest.scenarios.map(({ answer }) => answer.provenance.answerId!)
    for (const id of ids) expect((await second().call("GET", `/v1/verify/${id}`)).status).toBe(200)
    const [last] = await first().query<{ id: string }>("SELECT answer_id AS id FROM answer ORDER BY seq DESC LIMIT 1")
    expect(ids).toContain(last!.id)
    await first().query("UPDATE reference SET hour = hour - interval '1 hour'")
    expect((await get(second())).computedAtUtc > newest.computedAtUtc).toBe(true)
    expect(await records()).toBe(244)
  })

  it("are not recorded by a statement that waited past the full hour", async () => {
    await first().query("UPDATE reference SET hour = hour + interval '1 hour', recorded = 60")
    await get(first())
    expect(await records()).toBe(244)
    expect(await first().query("SELECT recorded FROM reference WHERE hour > now()")).toEqual([{ recorded: 60 }])
    await first().query("UPDATE reference SET hour = hour - interval '1 hour'")
  })

  it("of other rules or of another month are not returned", async () => {
    await first().query("UPDATE reference SET recorded = 60, rule_version = 'rl1-0', answer = 'other'")
    await get(first())
    await first().query("UPDATE reference SET recorded = 60, start_month = '2026-01', answer = 'other'")
    await get(first())
    expect(await records()).toBe(252)
  })
})
