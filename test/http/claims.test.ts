/** Payments and claims over HTTP: the state table of keys, races, and hostile payment events. */
import { describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { projection } from "../support/requests.ts"
import { useService } from "../support/runningService.ts"
import { STRIPE_SETTINGS } from "../support/settings.ts"
import { paidEvent, sendEvent, sign } from "../support/webhooks.ts"

const service = useService({ ...STRIPE_SETTINGS, RATE_LIMIT_KEY: "off", RATE_LIMIT_SUBSCRIPTION: "60/d" })

interface Minted {
  readonly apiKey: string
  readonly email: string
  readonly upgradeUrl: string
}

const mint = async (email = `${crypto.randomUUID()}@example.org`): Promise<Minted> => {
  const response = await service().call("POST", "/v1/keys/sandbox", { json: { email } })
  return { ...((await response.json()) as Minted), email }
}

const me = (key: string) => service().call("GET", "/v1/me", { key })
const claim = async (sandboxKey: string) => service().call("POST", "/v1/keys/claim", { json: { sandboxKey } })

const send = async (payload: string, signature: string | undefined) => sendEvent(service().call, payload, signature)

/** An event about any object, in live mode. */
const eventOf = (type: string, object: Readonly<Record<string, unknown>>) =>
  JSON.stringify({
    id: `evt_${crypto.randomUUID()}`,
    type,
    created: Math.floor(Date.now() / 1000),
    livemode: true,
    data: { object }
  })

const pay = async (minted: Minted) => {
  const reference = new URL(minted.upgradeUrl).searchParams.get("client_reference_id")
  const event = paidEvent(minted.email, reference)
  expect((await send(event, sign(event))).status).toBe(200)
}

/** A payer with a sandbox key, and the response to a claim. */
const paidAndClaimed = async () => {
  const minted = await mint()
  await pay(minted)
  const claimed = await (await claim(minted.apiKey)).json()
  return { minted, claimed, key: claimed.apiKey as string }
}

describe("a claim", () => {
  it("gets 404 with the payment link while nothing is paid", async () => {
    const { apiKey, email, upgradeUrl } = await mint()
    const problem = await expectProblem(await claim(apiKey), 404, "no-subscription")
    expect(problem).toMatchObject({ email, upgradeUrl })
  })

  it("returns a production key that works once it is paid, and replaces it while it is unused", async () => {
    const { claimed, key, minted } = await paidAndClaimed()
    expect(claimed).toMatchObject({
      apiKey: expect.stringMatching(/^slr_live_[0-9A-Za-z]{38}$/),
      tier: "Production",
      monthlyCallLimit: 100_000,
      headerName: "X-Api-Key",
      revokedKeyPrefix: ""
    })
    const again = await (await claim(minted.apiKey)).json()
    expect(again.revokedKeyPrefix).toBe(claimed.keyPrefix)
    await expectProblem(await me(key), 401, "unauthorized")
    expect(await (await me(again.apiKey)).json()).toMatchObject({
      tier: "Production",
      plan: "production-monthly",
      monthlyCallLimit: 100_000
    })
  })

  it("gets 429 after many unused keys in a day, and the newest key keeps working", async () => {
    const minted = await mint()
    await pay(minted)
    const keys: Array<string> = []
    for (let count = 0; count < 60; count++) keys.push((await (await claim(minted.apiKey)).json()).apiKey)
    const response = await claim(minted.apiKey)
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(86_000)
    const problem = await expectProblem(response, 429, "rate-limited")
    expect(problem.detail).toMatch(/newest key/)
    expect((await me(keys[59]!)).status).toBe(200)
  })

  it("gets 409 once the production key has been used", async () => {
    const { key, minted } = await paidAndClaimed()
    await service().call("POST", "/v1/projection", { json: projection, key })
    await expectProblem(await claim(minted.apiKey), 409, "key-already-used")
    expect((await me(key)).status).toBe(200)
  })

  it("gets 409 for a sandbox key issued after the payment and not named in it", async () => {
    const payer = await mint()
    await pay(payer)
    const stranger = await mint(payer.email)
    await expectProblem(await claim(stranger.apiKey), 409, "key-issued-after-payment")
  })

  it.each(["", "nonsense", `slr_live_${"0".repeat(38)}`, `slr_sbx_${"0".repeat(38)}`])(
    "is refused for '%s', with the name of the field",
    async (key) => {
      const { errors } = await expectProblem(await claim(key), 400, "validation")
      expect(Object.keys(errors!)).toEqual(["sandboxKey"])
    }
  )

  it("never shows a refused key", async () => {
    const secret = `slr_live_${"A1b2".repeat(9)}Zz`
    expect(await (await claim(secret)).text()).not.toContain(secret)
  })

  it("gets 409 after a full refund, and the production key gets 401", async () => {
    const { key, minted } = await paidAndClaimed()
    const reversed = { id: "ch_1", refunded: true, payment_intent: `pi_${minted.email}`, customer: null }
    const refund = eventOf("charge.refunded", reversed)
    expect((await send(refund, sign(refund))).status).toBe(200)
    await expectProblem(await me(key), 401, "unauthorized")
    const problem = await expectProblem(await claim(minted.apiKey), 409, "subscription-held")
    expect(problem.detail).toMatch(/operator/)
    expect((await service().call("GET", "/problems/subscription-held")).status).toBe(200)
  })
})

describe("a payment event", () => {
  it("is acknowledged, and also when it is repeated", async () => {
    const { email } = await mint()
    const event = paidEvent(email, null)
    for (let time = 0; time < 3; time++) {
      const response = await send(event, sign(event))
      expect([response.status, await response.json()]).toEqual([200, { received: true }])
    }
  })

  it.each([
    ["an id with a NUL", paidEvent("nul@example.org", null, "\0")],
    ["an address with a NUL", paidEvent("nul\0@example.org", null)],
    ["an id of 10,000 characters", paidEvent("long@example.org", null, "x".repeat(10_000))],
    [
      "an end in a million years",
      eventOf("customer.subscription.deleted", { id: "sub_far", current_period_end: 3e13 })
    ],
    ["another type", eventOf("customer.created", {})]
  ])("with %s is acknowledged but not stored", async (_, event) => {
    const before = await service().query<{ n: number }>("SELECT count(*)::int AS n FROM payment_event")
    expect((await send(event, sign(event))).status).toBe(200)
    expect(await service().query("SELECT count(*)::int AS n FROM payment_event")).toEqual(before)
  })

  it.each([
    ["a payment of another product", { payment_link: "plink_other", mode: "payment", amount_total: 1 }],
    ["a payment in test mode", { livemode: false }],
    ["two addresses", { customer_details: { email: "a@b.de, c@evil.org" } }],
    ["an address with a NUL", { customer_details: { email: "a\0@b.org" } }],
    ["an address of 300 characters", { customer_details: { email: `${"a".repeat(300)}@b.org` } }],
    ["an address that is a number", { customer_details: { email: 7 } }],
    ["neither address nor key", { customer_details: { email: " " } }]
  ])("of %s is acknowledged but entitles to nothing [F61]", async (_, changes) => {
    const { apiKey, email } = await mint()
    const { object } = (JSON.parse(paidEvent(email, null)) as { data: { object: Record<string, unknown> } }).data
    const event = eventOf("checkout.session.completed", { ...object, ...changes })
    expect((await send(event, sign(event))).status).toBe(200)
    await expectProblem(await claim(apiKey), 404, "no-subscription")
    expect(await service().query("SELECT FROM outbox WHERE mail_to LIKE '%,%'")).toEqual([])
  })

  const event = paidEvent("a@example.org", null)
  const effects = () =>
    service().query(`SELECT (SELECT count(*)::int FROM payment_event) AS events,
      (SELECT count(*)::int FROM subscription) AS subscriptions, (SELECT count(*)::int FROM outbox) AS mails`)
  it.each([
    ["no signature", event, undefined],
    ["nonsense for a signature", event, "t=1,v1=0"],
    ["a signature of another body", `${event} `, sign(event)],
    ["a signature that is 301 seconds old", event, sign(event, Math.floor(Date.now() / 1000) - 301)],
    ["a signature of the future", event, sign(event, Math.floor(Date.now() / 1000) + 400)]
  ])("with %s is refused with the same text, and has no effect [F19]", async (_, body, signature) => {
    const before = await effects()
    const { errors } = await expectProblem(await send(body, signature), 400, "validation")
    expect(errors).toEqual({ "Stripe-Signature": ["does not verify over the body, or is too old"] })
    expect(await effects()).toEqual(before)
  })

  it.each([
    ["no signature", ""],
    ["half a signature", "Stripe-Signature: t=1\r\n"],
    ["an old signature", `Stripe-Signature: ${sign(event, Math.floor(Date.now() / 1000) - 400)}\r\n`]
  ])("is refused for %s before its body is read [F63]", async (_, line) => {
    const head = `POST /webhooks/stripe HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 250000\r\n`
    expect(await service().raw(`${head}${line}\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
  })

  it("is not parsed before it is verified [F63]", async () => {
    for (const body of ['{"a":1,"a":2}', "not JSON", "[".repeat(1000)]) {
      const { errors } = await expectProblem(await send(body, sign(event)), 400, "validation")
      expect(Object.keys(errors!)).toEqual(["Stripe-Signature"])
    }
  })

  it("of 20,000 bytes is accepted", async () => {
    const long = JSON.stringify({ ...JSON.parse(event), padding: "x".repeat(20_000) })
    expect((await send(long, sign(long))).status).toBe(200)
  })
})

describe("without a webhook secret", () => {
  const other = useService()

  it("no event is accepted", async () => {
    const response = await other().call("POST", "/webhooks/stripe", { json: { id: "evt_1", type: "x" } })
    expect(response.headers.get("retry-after")).toBe("3600")
    await expectProblem(response, 503, "webhook-disabled")
  })
})
