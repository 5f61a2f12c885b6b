/**
 * A service that is told to stop while mails, callers and clients that read nothing keep it: what has begun is finished or
 * left for another process, what was answered is recorded, and it ends in time.
 */
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accountOf, holdRecords, query, sessionsWaiting, useDatabase } from "../support/database.ts"
import { mayNotBeLogged, type ServiceProcess, searchedLogs, startServiceProcess } from "../support/serviceProcess.ts"
import { STRIPE_SETTINGS } from "../support/settings.ts"
import { keysIn, useMailServer } from "../support/smtp.ts"
import { pause, until } from "../support/until.ts"
import { paidEvent, sendEvent, sign } from "../support/webhooks.ts"
import { marked, startLoad, unverified } from "./load.ts"
import { LOADED_MACHINE_MILLIS, report } from "./scale.ts"

const CALLERS = 6
/** A terminal and its shell may each forward a signal: two within this time are one. */
const SAME_SIGNAL_MILLIS = 500
const SECOND_SIGNAL_MILLIS = 1000
/** What a service manager grants before it kills. */
const STOP_MILLIS = 25_000
/** More than the buffers of both ends hold. */
const UNREAD_ANSWERS = 16

const database = useDatabase()
const mails = useMailServer()
const settings = () => ({
  ...STRIPE_SETTINGS,
  DATABASE_URL: database().address,
  SMTP_URL: mails().url,
  MAIL_FROM: "keys@example.test",
  SANDBOX_MONTHLY_CALLS: "1000000"
})

/** Goes on when the others have stopped. */
let witness: ServiceProcess
beforeAll(async () => {
  const { SMTP_URL: _, ...withoutMail } = settings()
  witness = await startServiceProcess(withoutMail)
})
afterAll(() => witness.kill("SIGTERM"))

/** A subscription that is paid for, whose key is to be mailed. */
const pay = async (): Promise<string> => {
  const email = `${crypto.randomUUID()}@example.org`
  mayNotBeLogged(email)
  const event = paidEvent(email, null)
  expect((await sendEvent(witness.call, event, sign(event))).status).toBe(200)
  return email
}

const keysMailedTo = (email: string) =>
  mails()
    .state.mails.filter(({ to }) => to === email)
    .flatMap(({ source }) => keysIn(source))

const mailOf = async (email: string) => {
  const [row] = await query<{ sent: boolean; over: boolean; attempts: number; live: number }>(
    database(),
    `SELECT sent_at IS NOT NULL AS sent, dropped_at IS NOT NULL OR given_up_at IS NOT NULL AS over, attempts,
       (SELECT count(*)::int FROM api_key WHERE email = '${email}' AND revoked_at IS NULL) AS live
     FROM outbox WHERE mail_to = '${email}'`
  )
  return row!
}

/** A service in the middle of a mail about which the mail server is silent. */
const mailing = async () => {
  mails().state.behavior = "silent"
  const email = await pay()
  const node = await startServiceProcess(settings())
  await until(() => keysMailedTo(email).length === 1)
  return { email, node }
}

const isRefused = (node: ServiceProcess) =>
  node.call("GET", "/health", { headers: { connection: "close" } }).then(
    () => false,
    () => true
  )

/** How long it took to end, and with which code. */
const ended = async (node: ServiceProcess, signal: NodeJS.Signals) => {
  const begun = performance.now()
  const code = await node.kill(signal)
  return { code, millis: performance.now() - begun }
}

describe("a stop in the middle of a mail", () => {
  it("waits for the mail server, and notes that the mail is sent [F21]", async () => {
    const { email, node } = await mailing()
    const stopped = ended(node, "SIGTERM")
    await until(() => isRefused(node))
    mails().release()
    expect((await stopped).code).toBe(0)
    expect(await mailOf(email)).toEqual({ sent: true, over: false, attempts: 1, live: 1 })
    const [key] = keysMailedTo(email)
    expect((await witness.call("GET", "/v1/me", { key: key! })).status).toBe(200)
  })

  it("of which no more is heard, and of answers that nobody reads, takes no longer than it may [F21] [F22]", async () => {
    const { email, node } = await mailing()
    const key = await node.mint()
    const unread = connect(node.port, "127.0.0.1").on("error", () => undefined)
    unread.pause()
    unread.write("GET /worker.js HTTP/1.1\r\nHost: a\r\n\r\n".repeat(UNREAD_ANSWERS))
    const answered = await node.call("POST", "/v1/projection", { key, json: marked })
    const { code, millis } = await ended(node, "SIGTERM")
    unread.destroy()
    report(`stopped after ${Math.round(millis)} ms with a mail and a client that nothing comes of`)
    expect(code).toBe(0)
    expect(millis).toBeLessThan(STOP_MILLIS)
    const { provenance } = (await answered.json()) as { provenance: { answerId: string } }
    expect(await unverified(witness, [provenance.answerId])).toEqual([])
    // Another process sends it when its lease is over.
    expect(await mailOf(email)).toEqual({ sent: false, over: false, attempts: 1, live: 1 })
  }, 60_000)
})

describe("a second signal under load", () => {
  it("ends the service within a second, and every answer that has left it is recorded [F22]", async () => {
    mails().state.behavior = "accept"
    const node = await startServiceProcess(settings())
    const key = await node.mint()
    const load = startLoad(CALLERS, () => node, key)
    await until(() => load.told.ids.length > 10 * CALLERS)
    // Otherwise the first signal would have ended it before the second comes.
    const held = await holdRecords(database())
    await until(async () => (await sessionsWaiting(database(), "%insert into%answer%")) > 0)
    const first = node.kill("SIGTERM")
    await pause(SAME_SIGNAL_MILLIS + 100)
    expect(node.isRunning()).toBe(true)
    const { inFlight } = load.told
    const { code, millis } = await ended(node, "SIGTERM")
    await held.release()
    await Promise.all([first, load.stop()])
    expect(code).toBe(1)
    expect(millis).toBeLessThan(SECOND_SIGNAL_MILLIS + LOADED_MACHINE_MILLIS)
    expect(await unverified(witness, load.told.ids)).toEqual([])
    const { rows, used } = await accountOf(database(), key)
    expect(rows).toBe(used)
    expect(rows - load.told.ids.length).toBeLessThanOrEqual(inFlight)
  })
})

describe("the logs", () => {
  it("hold no key, address or figure [F50]", () => expect(searchedLogs().leaked).toEqual([]))
})
