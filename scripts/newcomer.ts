/**
 * The `newcomer` task: the first screen of the README, whose command must print what is shown
 * there, then a new user's first calls, with `npm start` in an empty folder. It mints a key, projects
 * loans, verifies the record and reads the account. It then restarts on the existing data and
 * verifies the record on the command line too.
 */
import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import projection from "../docs/examples/projection.json" with { type: "json" }
import { callerOf, mintOver } from "../test/support/calls.ts"
import { insist, PROJECT, run, say, service, step, temporaryFolder } from "./harness.ts"

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

const FIRST_LINES = 25
const COLUMNS = 80

/** Without what changes by itself, with the month and with each release of the rules. */
const lasting = (text: string): string =>
  text.replace(/\b[A-Z][a-z]{2} 20\d\d\b/g, "Mon YYYY").replace(/\b[A-Z][a-z]+ \d+, 20\d\d\b/g, "Month D, YYYY")

/** Runs the README's first command, as on a terminal, and compares what it prints. */
const checkFirstScreen = async () => {
  const readme = readFileSync(join(PROJECT, "README.md"), "utf8")
  const [, command = "", shown = ""] =
    /^```sh\nnpm ci && (npm run --silent repay -- .*)\n```\n```text\n([^`]*)```$/m.exec(readme) ?? []
  insist(shown !== "", "README.md has no first command with its output")
  const printed = await run(["sh", "-c", `${command} --table`])
  insist(
    lasting(printed) === lasting(shown),
    `README.md shows another output than its command, which prints:\n${printed}`
  )
  insist(
    shown.split("\n").every(({ length }) => length <= COLUMNS),
    `the output is wider than ${COLUMNS} columns`
  )
  const first = readme.split("\n").slice(0, FIRST_LINES).join("\n")
  for (const setUp of ["npm ci && npm start", "npm ci && npm test"])
    insist(first.includes(setUp), `${setUp} is not in the first ${FIRST_LINES} lines of README.md`)
}

export default async () => {
  await step("the README's first command prints what the README shows", checkFirstScreen)

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
