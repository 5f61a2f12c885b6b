/**
 * System tests of a service that stops while mails, callers and unread answers are pending. Work in
 * progress is finished or left to another process, every answer is recorded, and the stop takes a
 * bounded time.
 */
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accountOf, holdRecords, query, sessionsWaiting, useDatabase } from "../support/database.ts"
import { mayNotBeLogged, type ServiceProcess, searchedLogs, startServiceProcess } from "../support/serviceProcess.ts"
import { STRIPE_SETTINGS } from "../support/settings.ts"
import { useMailServer } from "../support/smtp.ts"
import { pause, until } from "../support/until.ts"
import { paidEvent, sendEvent, sign } from "../support/webhooks.ts"
import { marked, startLoad, unverified } from "./load.ts"
import { LOADED_MACHINE_MILLIS, report } from "./scale.ts"

const CALLERS = 6
/** Two signals within this time count as one: a terminal and its shell may each forward it. */
const SAME_SIGNAL_MILLIS = 500
const SECOND_SIGNAL_MILLIS = 1000
/** Time before a service manager kills the process. */
const STOP_MILLIS = 25_000
/** More than the socket buffers of both ends hold. */
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

/** A process that keeps running when the others have stopped. */
let witness: ServiceProcess
beforeAll(async () => {
  const { SMTP_URL: _, ...withoutMail } = settings()
  witness = await startServiceProcess(withoutMail)
})
afterAll(() => witness.kill("SIGTERM"))

/** Pays for a subscription, whose key is then mailed; returns the email address. */
const pay = async (): Promise<string> => {
  const email = `${crypto.randomUUID()}@example.org`
  mayNotBeLogged(email)
  const event = paidEvent(email, null)
  expect((await sendEvent(witness.call, event, sign(event))).status).toBe(200)
  return email
}

const mailOf = async (email: string) => {
  const [row] = await query<{ sent: boolean; over: boolean; attempts: number; live: number }>(
    database(),
    `SELECT sent_at IS NOT NULL AS sent, dropped_at IS NOT NULL OR given_up_at IS NOT NULL AS over, attempts,
       (SELECT count(*)::int FROM api_key WHERE email = '${email}' AND revoked_at IS NULL) AS live
     FROM outbox WHERE mail_to = '${email}'`
  )
  return row!
}

/** A service that is sending a mail while the mail server does not reply. */
const mailing = async () => {
  mails().state.behavior = "silent"
  const email = await pay()
  const node = await startServiceProcess(settings())
  await until(() => mails().keysTo(email).length === 1)
  return { email, node }
}

const isRefused = (node: ServiceProcess) =>
  node.call("GET", "/health", { headers: { connection: "close" } }).then(
    () => false,
    () => true
  )

/** Signals a process; returns its exit code and the time it took. */
const stopWith = async (node: ServiceProcess, signal: NodeJS.Signals) => {
  const begun = performance.now()
  const code = await node.kill(signal)
  return { code, millis: performance.now() - begun }
}

describe("a stop in the middle of a mail", () => {
  it("waits for the mail server, and records that the mail is sent [F21]", async () => {
    const { email, node } = await mailing()
    const stopped = stopWith(node, "SIGTERM")
    await until(() => isRefused(node))
    mails().release()
    expect((await stopped).code).toBe(0)
    expect(await mailOf(email)).toEqual({ sent: true, over: false, attempts: 1, live: 1 })
    const [key] = mails().keysTo(email)
    expect((await witness.call("GET", "/v1/me", { key: key! })).status).toBe(200)
  })

  it("stays within its time limit if the mail server hangs and a client reads no answers [F21] [F22]", async () => {
    const { email, node } = await mailing()
    const key = await node.mint()
    const unread = connect(node.port, "127.0.0.1").on("error", () => undefined)
    unread.pause()
    unread.write("GET /worker.js HTTP/1.1\r\nHost: a\r\n\r\n".repeat(UNREAD_ANSWERS))
    const answered = await node.call("POST", "/v1/projection", { key, json: marked })
    const { code, millis } = await stopWith(node, "SIGTERM")
    unread.destroy()
    report(`stopped after ${Math.round(millis)} ms with a mail and a client that nothing comes of`)
    expect(code).toBe(0)
    expect(millis).toBeLessThan(STOP_MILLIS)
    const { provenance } = (await answered.json()) as { provenance: { answerId: string } }
    expect(await unverified(witness, [provenance.answerId])).toEqual([])
    // Another process sends it once its lease expires.
    expect(await mailOf(email)).toEqual({ sent: false, over: false, attempts: 1, live: 1 })
  })
})

describe("a second signal under load", () => {
  it("ends the service within a second, and every answer it sent is recorded [F22]", async () => {
    mails().state.behavior = "accept"
    const node = await startServiceProcess(settings())
    const key = await node.mint()
    const load = startLoad(CALLERS, () => node, key)
    await until(() => load.outcomes.ids.length > 10 * CALLERS)
    // Otherwise the first signal would end it before the second arrives.
    const held = await holdRecords(database())
    await until(async () => (await sessionsWaiting(database(), "%insert into%answer%")) > 0)
    const first = node.kill("SIGTERM")
    await pause(SAME_SIGNAL_MILLIS + 100)
    expect(node.isRunning()).toBe(true)
    const { inFlight } = load.outcomes
    const { code, millis } = await stopWith(node, "SIGTERM")
    await held.release()
    await Promise.all([first, load.stop()])
    expect(code).toBe(1)
    expect(millis).toBeLessThan(SECOND_SIGNAL_MILLIS + LOADED_MACHINE_MILLIS)
    expect(await unverified(witness, load.outcomes.ids)).toEqual([])
    const { rows, used } = await accountOf(database(), key)
    expect(rows).toBe(used)
    expect(rows - load.outcomes.ids.length).toBeLessThanOrEqual(inFlight)
  })
})

describe("the logs", () => {
  it("contain no key, email address or dollar amount [F50]", () => expect(searchedLogs().leaked).toEqual([]))
})
