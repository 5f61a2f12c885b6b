/**
 * The service that a drill runs on its own PostgreSQL server, under the roles of deploy/sql. Its
 * answers must still verify later.
 */
import { join } from "node:path"
import projection from "../../docs/examples/projection.json" with { type: "json" }
import { callerOf, mintOver } from "../../test/support/calls.ts"
import { TEST_PEPPER, TEST_SIGNING_KEY } from "../../test/support/settings.ts"
import { insist, PROJECT, run, service } from "../harness.ts"
import { PROGRAMS, psql, type Server } from "../postgres.ts"

const OK = 200
const DATABASE = "repayment"

/** Creates the roles of deploy/sql. The cluster trusts all local connections. */
export const makeRoles = (server: Server) =>
  psql(
    server.administrators,
    "--file=deploy/sql/roles.sql",
    ...["owner", "service", "backup"].map((role) => `--set=${role}=drill`)
  )

export const ownerUrl = (server: Server) => server.url("repayment_owner", DATABASE)
export const serviceUrl = (server: Server) => server.url("repayment", DATABASE)

const settingsOf = (server: Server) => ({
  DATABASE_URL: serviceUrl(server),
  SECRET_PEPPER: TEST_PEPPER,
  LOG_SIGNING_KEY: TEST_SIGNING_KEY
})

const COMMAND = "src/cli/main.ts"

/** Runs a repay command as the service's role; rejects unless it exits with 0. */
export const repay = (server: Server, args: ReadonlyArray<string>, variables = {}, folder = PROJECT): Promise<string> =>
  run([process.execPath, COMMAND, ...args], {
    cwd: folder,
    env: { ...settingsOf(server), LOG_LEVEL: "warn", ...variables }
  })

/** Runs deploy/drills/upgrade.sh unchanged, to upgrade to the release in a folder. */
export const upgrade = (server: Server, publicUrl: string, folder = PROJECT): Promise<string> => {
  const REPAY = `${process.execPath} ${join(folder, COMMAND)}`
  const how = { OWNER_URL: ownerUrl(server), PUBLIC_URL: publicUrl, REPAY, PATH: `${PROGRAMS}:${process.env["PATH"]}` }
  return run(["sh", "deploy/drills/upgrade.sh"], { env: { ...settingsOf(server), LOG_LEVEL: "warn", ...how } })
}

export interface Answer {
  readonly id: string
  readonly text: string
}

/** Starts the release in a folder, on a fixed port so that its address stays the same. */
export const startService = async (server: Server, port: number, folder = PROJECT) => {
  const variables = { ...settingsOf(server), PORT: String(port), RATE_LIMIT_VERIFY: "off" }
  const started = await service(variables, { folder })
  const call = callerOf(started.base)
  const bodyOf = async (asked: Promise<Response>): Promise<string> => {
    const response = await asked
    const text = await response.text()
    insist(response.status === OK, `${response.url}: ${response.status} ${text}`)
    return text
  }
  /** Requests answers one by one, so that each is acknowledged before the next. */
  const answer = async (key: string, count: number): Promise<ReadonlyArray<Answer>> => {
    const answers: Array<Answer> = []
    while (answers.length < count) {
      const text = await bodyOf(call("POST", "/v1/projection", { json: projection, key }))
      const { provenance } = JSON.parse(text) as { readonly provenance: { readonly answerId: string } }
      answers.push({ id: provenance.answerId, text })
    }
    return answers
  }
  const verifies = async ({ id, text }: Answer): Promise<boolean> => {
    const headers = { "content-type": "application/json" }
    const response = await call("POST", `/v1/verify/${id}`, { body: text, headers })
    return response.status === OK && ((await response.json()) as { readonly matches: boolean }).matches
  }
  const verified = async (answers: ReadonlyArray<Answer>): Promise<number> =>
    (await Promise.all(answers.map(verifies))).filter(Boolean).length
  const mint = async () => (await mintOver(call)).apiKey
  return { ...started, mint, answer, verified, checkpoint: () => bodyOf(call("GET", "/log/checkpoint")) }
}

export type Service = Awaited<ReturnType<typeof startService>>
