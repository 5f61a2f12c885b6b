/**
 * The `newcomer` task: a new user's first calls, with `npm start` in an empty folder. It mints a
 * key, projects loans, verifies the record and reads the account. It then restarts on the existing
 * data and verifies the record on the command line too.
 */
import { homedir } from "node:os"
import { join } from "node:path"
import projection from "../docs/examples/projection.json" with { type: "json" }
import { callerOf, mintOver } from "../test/support/calls.ts"
import { insist, run, say, service, step, temporaryFolder } from "./harness.ts"

/** The documented promise is for an idle machine; a busy one gets more time before this fails. */
const RESTART_SECONDS_PROMISED = 3
const RESTART_SECONDS_MAX = 10

/** The fields of all answers that are read here. */
interface Body {
  readonly totalOutOfPocket: number
  readonly provenance: { readonly answerId: string; readonly verifyUrl: string }
  readonly recorded: boolean
  readonly answerId: string
  readonly inputsHash: string
  readonly callsUsedThisPeriod: number
  readonly callsRemaining: number
}

const bodyOf = async (response: Response): Promise<Body> => {
  const text = await response.text()
  insist(response.ok, `${response.url} answers ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** Starts the service as the README says; measures the seconds until its first answer. */
const start = async (dataDir: string) => {
  const begun = performance.now()
  const variables = { HOME: homedir(), DATA_DIR: dataDir }
  const started = await service(variables, { command: ["npm", "start"] })
  const call = callerOf(started.base)
  await bodyOf(await call("GET", "/health"))
  return { ...started, call, seconds: (performance.now() - begun) / 1000 }
}

export default async () => {
  const dataDir = join(temporaryFolder("newcomer"), "data")
  let record: Body

  await step("a new user's first calls succeed", async () => {
    const { call, seconds, stop } = await start(dataDir)
    say(`first start answered in ${seconds.toFixed(2)} s`)
    const { apiKey: key } = await mintOver(call)
    const response = await call("POST", "/v1/projection", { json: projection, key })
    const { provenance, totalOutOfPocket } = await bodyOf(response)
    insist(totalOutOfPocket > 0, "no figure")
    record = await bodyOf(await fetch(provenance.verifyUrl))
    insist(record.recorded && record.answerId === provenance.answerId, "it is not the record of the answer")
    const me = await bodyOf(await call("GET", "/v1/me", { key }))
    insist(me.callsUsedThisPeriod === 2, `${me.callsUsedThisPeriod} calls are used, not 2 with this one`)
    const remaining = response.headers.get("ratelimit-remaining")
    insist(remaining === String(me.callsRemaining + 1), `the headers count ${remaining} calls`)
    await stop()
  })

  await step("a restart on existing data keeps the record", async () => {
    const { call, seconds, stop } = await start(dataDir)
    const kept = await bodyOf(await call("GET", `/v1/verify/${record.answerId}`))
    insist(kept.inputsHash === record.inputsHash, "the record is another one after a restart")
    say(await run(["npm", "run", "--silent", "repay", "--", "verify", record.answerId], { env: { DATA_DIR: dataDir } }))
    await stop()
    insist(seconds < RESTART_SECONDS_MAX, `an answer after ${seconds.toFixed(2)} s, not within ${RESTART_SECONDS_MAX}`)
    const promise = seconds > RESTART_SECONDS_PROMISED ? `, over the ${RESTART_SECONDS_PROMISED} s promised` : ""
    return `answered in ${seconds.toFixed(2)} s${promise}`
  })
}
