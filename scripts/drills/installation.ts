/** The service on the server of a drill, under the roles of deploy/sql, and the answers that it gives and must stand by. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { freePort } from "../../test/support/freePort.ts"
import { PATH, PROJECT, startListening } from "../programs.ts"
import { PROGRAMS, psql, type Server } from "./server.ts"

const run = promisify(execFile)

const OK = 200
const COMMAND_MILLIS = 120_000
const DATABASE = "repayment"
const REPAY = `${process.execPath} ${PROJECT}/src/cli/main.ts`
const SECRETS = { SECRET_PEPPER: "the pepper of a drill, long enough", LOG_SIGNING_KEY: "0123456789abcdef".repeat(4) }

/** The roles as deploy/sql makes them; the cluster trusts whoever is on this machine. */
export const makeRoles = (server: Server) =>
  psql(
    server.administrators,
    "--file=deploy/sql/roles.sql",
    ...["owner", "service", "backup"].map((role) => `--set=${role}=drill`)
  )

export const ownerUrl = (server: Server) => server.url("repayment_owner", DATABASE)
export const serviceUrl = (server: Server) => server.url("repayment", DATABASE)

const settingsOf = (server: Server) => ({ DATABASE_URL: serviceUrl(server), ...SECRETS, LOG_LEVEL: "warn" })

/** A command of repay, as the service's role; rejects unless it exits with 0. */
export const repay = async (server: Server, args: ReadonlyArray<string>, variables = {}): Promise<string> => {
  const env = { PATH, ...settingsOf(server), ...variables }
  const { stdout } = await run(process.execPath, ["src/cli/main.ts", ...args], { env, timeout: COMMAND_MILLIS })
  return stdout
}

/** deploy/drills/upgrade.sh, as it is. */
export const upgrade = async (server: Server, publicUrl: string): Promise<void> => {
  const roles = { OWNER_URL: ownerUrl(server), PUBLIC_URL: publicUrl, REPAY }
  const env = { ...settingsOf(server), ...roles, PATH: `${PROGRAMS}:${PATH}` }
  await run("sh", ["deploy/drills/upgrade.sh"], { env, timeout: COMMAND_MILLIS })
}

export interface Answer {
  readonly id: string
  readonly text: string
}

const REQUEST = readFileSync("docs/examples/projection.json", "utf8")
const JSON_TYPE = { "content-type": "application/json" }

const taken = async (response: Response, what: string): Promise<string> => {
  const text = await response.text()
  if (response.status !== OK) throw new Error(`${what}: ${response.status} ${text}`)
  return text
}

/** Starts the service; the port is given where its address has to stay what it was. */
export const startService = async (server: Server, port?: number) => {
  const own = port ?? (await freePort())
  const base = `http://127.0.0.1:${own}`
  const variables = { ...settingsOf(server), PORT: String(own), LOG_FORMAT: "json", RATE_LIMIT_VERIFY: "off" }
  const service = await startListening(base, [process.execPath, "src/main.ts"], variables)
  const ask = async (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
    taken(await fetch(base + path, { method: "POST", headers: { ...JSON_TYPE, ...headers }, body }), path)
  const mint = async () => {
    const answer = await ask("/v1/keys/sandbox", JSON.stringify({ email: "drill@example.org" }))
    return (JSON.parse(answer) as { readonly apiKey: string }).apiKey
  }
  /** Answers that were acknowledged, one after the other. */
  const answer = async (key: string, count: number): Promise<ReadonlyArray<Answer>> => {
    const answers: Array<Answer> = []
    while (answers.length < count) {
      const text = await ask("/v1/projection", REQUEST, { "x-api-key": key })
      const { provenance } = JSON.parse(text) as { readonly provenance: { readonly answerId: string } }
      answers.push({ id: provenance.answerId, text })
    }
    return answers
  }
  const verifies = async ({ id, text }: Answer): Promise<boolean> => {
    const response = await fetch(`${base}/v1/verify/${id}`, { method: "POST", headers: JSON_TYPE, body: text })
    return response.status === OK && ((await response.json()) as { readonly matches: boolean }).matches
  }
  const verified = async (answers: ReadonlyArray<Answer>): Promise<number> => {
    const each = await Promise.all(answers.map(verifies))
    return each.filter(Boolean).length
  }
  const checkpoint = async () => taken(await fetch(`${base}/log/checkpoint`), "the checkpoint")
  return { ...service, port: own, mint, answer, verified, checkpoint }
}

export type Service = Awaited<ReturnType<typeof startService>>
