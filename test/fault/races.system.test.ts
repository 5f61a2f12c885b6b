/**
 * System tests of races between two processes of the service: claims, uses, mints and payments at
 * the same moment. In any order, exactly one caller ends up with a valid key, and no caller is told
 * of success in error.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { expectProblem } from "../support/answers.ts"
import { query, useDatabase } from "../support/database.ts"
import { fewAtOnce } from "../support/fewAtOnce.ts"
import { mayNotBeLogged, type ServiceProcess, searchedLogs, startServiceProcess } from "../support/serviceProcess.ts"
import { STRIPE_SETTINGS } from "../support/settings.ts"
import { useMailServer } from "../support/smtp.ts"
import { pause, until } from "../support/until.ts"
import { paidEvent, sendEvent, sign } from "../support/webhooks.ts"
import { marked } from "./load.ts"
import { AGAIN, milliseconds, report, times } from "./scale.ts"

const CLAIMS = 50
const MINTS = 20
const REPLAYS = 20
const INTERLEAVINGS = times(50)
const PAIRS_AT_ONCE = 4
/** About as long as the operation that it races against. */
const HEAD_START_MILLIS = 6

const database = useDatabase()
const mails = useMailServer()
let nodes: ReadonlyArray<ServiceProcess> = []
beforeAll(async () => {
  const settings = {
    ...STRIPE_SETTINGS,
    DATABASE_URL: database().address,
    SMTP_URL: mails().url,
    MAIL_FROM: "keys@example.test"
  }
  const first = await startServiceProcess(settings)
  nodes = [first, await startServiceProcess(settings)]
})
afterAll(() => Promise.all(nodes.map((node) => node.kill("SIGTERM"))))

/** One of the two nodes, alternating. */
const node = (index: number): ServiceProcess => nodes[index % nodes.length]!

const newEmail = () => {
  const email = `${crypto.randomUUID()}@example.org`
  mayNotBeLogged(email)
  return email
}
const keyIn = async (response: Response): Promise<string> => {
  const { apiKey } = (await response.json()) as { apiKey: string }
  mayNotBeLogged(apiKey)
  return apiKey
}
const mint = (email: string, index = 0) => node(index).call("POST", "/v1/keys/sandbox", { json: { email } })
const claim = (sandboxKey: string, index: number) =>
  node(index).call("POST", "/v1/keys/claim", { json: { sandboxKey } })
const use = (key: string, index: number) => node(index).call("POST", "/v1/projection", { key, json: marked })
const pay = (email: string, index: number, event = paidEvent(email, null)) =>
  sendEvent(node(index).call, event, sign(event))

const countOf = async (from: string): Promise<number> =>
  (await query<{ count: number }>(database(), `SELECT count(*)::int AS count FROM ${from}`))[0]!.count

/**
 * The successful responses. A busy process may answer 503, and then the outcome is unknown to the
 * caller.
 */
const answeredOf = async (responses: ReadonlyArray<Response>): Promise<ReadonlyArray<Response>> => {
  const [answered, withheld] = [200, 503].map((status) => responses.filter((response) => response.status === status))
  expect(answered!.length + withheld!.length).toBe(responses.length)
  expect(answered!.length).toBeGreaterThan(0)
  for (const response of withheld!) await expectProblem(response, 503, "ledger-unavailable")
  return answered!
}

/** Expects that exactly one of the keys handed out is valid and that the others are refused. */
const expectOneValid = async (responses: ReadonlyArray<Response>, live: string) => {
  const answered = await answeredOf(responses)
  const keys = await Promise.all(answered.map(keyIn))
  expect(new Set(keys).size).toBe(keys.length)
  const uses = await Promise.all(keys.map((key, index) => use(key, index)))
  const refused = uses.filter(({ status }) => status !== 200)
  for (const response of refused) await expectProblem(response, 401, "unauthorized")
  expect(await countOf(`api_key WHERE ${live} AND revoked_at IS NULL`)).toBe(1)
  const minValid = answered.length === responses.length ? 1 : 0
  expect([minValid, 1]).toContain(keys.length - refused.length)
}

describe(`${CLAIMS} simultaneous claims with one sandbox key [F14]`, () => {
  it("each hand out a key, and exactly one key stays valid", AGAIN, async () => {
    const email = newEmail()
    const sandbox = await keyIn(await mint(email))
    expect((await pay(email, 0)).status).toBe(200)
    const claims = await Promise.all(Array.from({ length: CLAIMS }, (_, index) => claim(sandbox, index)))
    await expectOneValid(claims, `email = '${email}' AND tier = 'Production'`)
  })
})

describe(`${MINTS} simultaneous mints for one email address [F16]`, () => {
  it("each hand out a key, and exactly one key stays valid", AGAIN, async () => {
    const email = newEmail()
    const minted = await Promise.all(Array.from({ length: MINTS }, (_, index) => mint(email, index)))
    await expectOneValid(minted, `email = '${email}'`)
  })
})

describe(`one payment event, delivered ${REPLAYS} times at once`, () => {
  it("is acknowledged each time and applied once [F17]", AGAIN, async () => {
    const email = newEmail()
    const event = paidEvent(email, null)
    await answeredOf(await Promise.all(Array.from({ length: REPLAYS }, (_, index) => pay(email, index, event))))
    expect(await countOf(`subscription WHERE email = '${email}'`)).toBe(1)
    expect(await countOf(`outbox WHERE mail_to = '${email}' AND kind = 'production-key'`)).toBe(1)
  })
})

describe("a claim racing the first use of the mailed key", () => {
  /** A new paid-for email address, with the sandbox key that may claim. */
  const paid = async (index: number) => {
    const email = newEmail()
    const sandbox = await keyIn(await mint(email, index))
    expect((await pay(email, index)).status).toBe(200)
    return { email, sandbox }
  }

  it(
    `lets exactly one of the two succeed, ${INTERLEAVINGS} times [F15]`,
    async () => {
      const payers: Array<Awaited<ReturnType<typeof paid>>> = []
      await fewAtOnce(PAIRS_AT_ONCE, [...Array(INTERLEAVINGS).keys()], async (index) => {
        payers.push(await paid(index))
      })
      const unsent = `outbox WHERE kind = 'production-key' AND sent_at IS NULL AND mail_to = ANY ('{${payers.map(({ email }) => email)}}')`
      await until(async () => (await countOf(unsent)) === 0)
      const winners = { claim: 0, use: 0 }
      await fewAtOnce(PAIRS_AT_ONCE, [...payers.entries()], async ([index, { email, sandbox }]) => {
        const [mailed, ...others] = mails().keysTo(email)
        expect(others).toEqual([])
        mayNotBeLogged(mailed!)
        const behind = (index % 2) * Math.random() * HEAD_START_MILLIS
        const ahead = ((index + 1) % 2) * Math.random() * HEAD_START_MILLIS
        const [claimed, used] = await Promise.all([
          pause(behind).then(() => claim(sandbox, index)),
          pause(ahead).then(() => use(mailed!, index + 1))
        ])
        expect(`claim ${claimed.status}, use ${used.status}`).toBe(
          claimed.status === 200 ? "claim 200, use 401" : "claim 409, use 200"
        )
        if (claimed.status === 200) expect((await use(await keyIn(claimed), index)).status).toBe(200)
        else await expectProblem(claimed, 409, "key-already-used")
        winners[claimed.status === 200 ? "claim" : "use"]++
      })
      report(`claims against first uses: ${JSON.stringify(winners)}`)
      expect(Math.min(winners.claim, winners.use)).toBeGreaterThan(INTERLEAVINGS / 20)
    },
    milliseconds(60_000)
  )
})

describe("the logs", () => {
  it("contain no key, email address or dollar amount [F50]", () => expect(searchedLogs().leaked).toEqual([]))
})
