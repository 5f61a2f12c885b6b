/**
 * Accounts spread over two databases, by address: two installations that share nothing but the pepper, and a door that
 * sends each account to its own. Everything that an account can do it does there, nothing of it comes into the other
 * database, and it needs the other one for nothing.
 */
import { describe, expect, it } from "vitest"
import { serviceLayer } from "../../src/main.ts"
import { expectProblem } from "../support/answers.ts"
import { startCells } from "../support/cells.ts"
import { migratedDatabase } from "../support/database.ts"
import { cellOf } from "../support/door.ts"
import { fewAtOnce } from "../support/fewAtOnce.ts"
import { projection } from "../support/requests.ts"
import { startService, useStarted } from "../support/runningService.ts"
import { PRODUCT, STRIPE_SETTINGS } from "../support/settings.ts"
import { until } from "../support/until.ts"
import { paidEvent, sendEvent, sign } from "../support/webhooks.ts"

const CELLS = 2
const ACCOUNTS = 12
const MONTH = 5
const AT_ONCE = 3

/** A cell's own name, to which the links of its answers lead and by which its log is known. */
const nameOf = (cell: number) => `http://cell-${cell}.example.test`

const service = useStarted(() =>
  startCells(CELLS, { ...STRIPE_SETTINGS, SANDBOX_MONTHLY_CALLS: String(MONTH) }, (each, cell) =>
    startService(
      { ...each, PUBLIC_URL: nameOf(cell), LOG_SIGNING_KEY: `${cell}`.repeat(64) },
      migratedDatabase,
      serviceLayer,
      PRODUCT
    )
  )
)
const call = (...asked: Parameters<ReturnType<typeof service>["call"]>) => service().call(...asked)
const jsonOf = async <A>(response: Response): Promise<A> => (await response.json()) as A

interface Account {
  readonly cell: number
  /** The production key. */
  readonly key: string
  readonly paidWith: string
  /** What names it, its keys, records and payments, wherever they are stored. */
  readonly names: ReadonlyArray<string>
  readonly answers: ReadonlyArray<{ readonly id: string; readonly text: string }>
}

const answer = async (key: string) => {
  const response = await call("POST", "/v1/projection", { json: projection, key })
  if (response.status !== 200) return null
  const text = await response.text()
  return { id: (JSON.parse(text) as { provenance: { answerId: string } }).provenance.answerId, text }
}

/** All calls of a month and one more at once, of which that one is refused. */
const useMonth = async (key: string) => {
  const answers = await Promise.all(Array.from({ length: MONTH + 1 }, () => answer(key)))
  const given = answers.filter((one) => one !== null)
  expect(given).toHaveLength(MONTH)
  await expectProblem(await call("POST", "/v1/projection", { json: projection, key }), 429, "quota-exceeded")
  return given
}

const newEmail = (cell: number): string => {
  for (;;) {
    const email = `${crypto.randomUUID()}@example.org`
    if (cellOf(email, CELLS) === cell) return email
  }
}

/**
 * Mints, uses up a month, has it paid by somebody whose own address belongs to another cell, claims, and uses the
 * production key.
 */
const live = async (email: string): Promise<Account> => {
  const minted = await call("POST", "/v1/keys/sandbox", { json: { email } })
  const { apiKey, upgradeUrl } = await jsonOf<{ apiKey: string; upgradeUrl: string }>(minted)
  const reference = new URL(upgradeUrl).searchParams.get("client_reference_id")!
  const trial = await useMonth(apiKey)
  const cell = cellOf(email, CELLS)
  const payer = newEmail((cell + 1) % CELLS)
  const paid = paidEvent(payer, reference)
  expect((await sendEvent(service().call, paid, sign(paid))).status).toBe(200)
  const claimed = await call("POST", "/v1/keys/claim", { json: { sandboxKey: apiKey } })
  const { apiKey: key } = await jsonOf<{ apiKey: string }>(claimed)
  const answers = [...trial, (await answer(key))!]
  const { tenant } = await jsonOf<{ tenant: string }>(await call("GET", "/v1/me", { key }))
  const ids = answers.map(({ id }) => id)
  const paidWith = `pi_${payer}`
  const names = [email, payer, paidWith, reference, apiKey.slice(0, 14), key.slice(0, 14), tenant.slice(2), ...ids]
  return { cell, key, paidWith, names, answers }
}

/** As many of each cell, so that no run has all accounts in one. */
const emailsOf = (cell: number) => Array.from({ length: ACCOUNTS / CELLS }, () => newEmail(cell))

const TABLES = "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"

/** Every row of every table of a cell, as text. */
const rowsOf = async (cell: number): Promise<string> => {
  const { query } = service().cells[cell]!
  const tables = await query<{ readonly name: string }>(TABLES)
  const rows = await Promise.all(
    tables.map(({ name }) => query<{ readonly row: string }>(`SELECT "${name}"::text AS row FROM "${name}"`))
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join("\n")
}

describe("accounts in two databases", () => {
  const accounts: Array<Account> = []

  it("do all that an account can do, each to its last call", async () => {
    const emails = [emailsOf(0), emailsOf(1)].flat()
    await fewAtOnce(AT_ONCE, emails, async (email) => void accounts.push(await live(email)))
    expect(accounts).toHaveLength(ACCOUNTS)
  })

  it("have their answers confirmed and receipted, and listed to nobody else", async () => {
    await fewAtOnce(AT_ONCE, accounts, async ({ answers, cell, key }) => {
      for (const { id, text } of answers) {
        const headers = { "content-type": "application/json" }
        const checked = await call("POST", `/v1/verify/${id}`, { body: text, headers })
        expect(await checked.json()).toMatchObject({ matches: true, record: { answerId: id } })
        expect(JSON.parse(text).provenance.verifyUrl).toBe(`${nameOf(cell)}/v1/verify/${id}`)
        const receipt = () => call("GET", `/v1/verify/${id}/receipt`)
        await until(async () => (await receipt()).status === 200)
        expect(await (await receipt()).text()).toContain(`cell-${cell}.example.test/log\n`)
      }
      const { records } = await jsonOf<{ records: ReadonlyArray<{ answerId: string }> }>(
        await call("GET", "/v1/records", { key })
      )
      expect(records.map(({ answerId }) => answerId)).toEqual([answers.at(-1)!.id])
    })
    await expectProblem(await call("GET", `/v1/verify/${crypto.randomUUID()}`), 404, "answer-not-found")
  })

  it("leave no trace in the database of the others", async () => {
    const rows = await Promise.all(service().cells.map((_, cell) => rowsOf(cell)))
    const found = accounts.map(({ names }) =>
      names.map((name) => rows.flatMap((all, cell) => (all.includes(name) ? [cell] : [])))
    )
    expect(found).toEqual(accounts.map(({ cell, names }) => names.map(() => [cell])))
  })

  it("are refunded there, and refused there", async () => {
    const [refunded, other] = [accounts.find(({ cell }) => cell === 1)!, accounts.find(({ cell }) => cell === 0)!]
    const object = { id: "ch_1", refunded: true, payment_intent: refunded.paidWith, customer: null }
    const event = { id: "evt_refund", type: "charge.refunded", created: Math.floor(Date.now() / 1000), livemode: true }
    const refund = JSON.stringify({ ...event, data: { object } })
    expect((await sendEvent(service().call, refund, sign(refund))).status).toBe(200)
    await expectProblem(await call("GET", "/v1/me", { key: refunded.key }), 401, "unauthorized")
    expect((await call("GET", "/v1/me", { key: other.key })).status).toBe(200)
  })

  it("need only their own", async () => {
    const holds = await Promise.all((["answer", "api_key"] as const).map((table) => service().cells[1]!.hold(table)))
    try {
      await fewAtOnce(AT_ONCE, emailsOf(0), async (email) => {
        const { answers } = await live(email)
        expect((await call("GET", `/v1/verify/${answers[0]!.id}`)).status).toBe(200)
      })
      const [there, alsoThere] = accounts.filter(({ cell }) => cell === 1)
      expect((await call("POST", "/v1/projection", { json: projection, key: alsoThere!.key })).status).toBe(503)
      expect((await call("GET", `/v1/verify/${there!.answers[0]!.id}`)).status).toBe(503)
    } finally {
      await Promise.all(holds.map(({ release }) => release()))
    }
  })
})
