/** The commands that act on an installation, each as a process of its own beside the running service. */
import { once } from "node:events"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createClient, isProblem } from "../../src/client/index.ts"
import { freshDatabase } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { filesOf, linesOf, repay, start } from "../support/repay.ts"
import { projection } from "../support/requests.ts"
import { type RunningService, startService } from "../support/runningService.ts"
import { TEST_PEPPER, TEST_SERVER } from "../support/settings.ts"

const { folder } = filesOf("installation")
const UNKNOWN = "0f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11"
const NOBODY = "postgres://nobody@127.0.0.1:1/none"

const scope = Scope.makeUnsafe()
let running: RunningService
let environment: Record<string, string>

beforeAll(async () => {
  const url = await Effect.runPromise(Scope.provide(freshDatabase, scope))
  environment = { ...TEST_SERVER, DATABASE_URL: Redacted.value(url), SECRET_PEPPER: TEST_PEPPER }
  running = await startService({}, Effect.succeed(url))
})
afterAll(async () => {
  await running.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const recordedAnswer = async () => {
  const client = createClient({ baseUrl: running.base, apiKey: await running.mint() })
  return (await client.project(projection)).provenance
}

describe("repay verify", () => {
  it("finds a record in the database, and over HTTP, alike", async () => {
    const { answerId, ruleVersion } = await recordedAnswer()
    const local = await repay(["verify", answerId!], { env: environment })
    const remote = await repay(["verify", answerId!, "--url", running.base])
    expect(local.code).toBe(0)
    expect(JSON.parse(local.stdout)).toMatchObject({
      answerId,
      ruleVersion,
      recorded: true,
      source: "PublicApi",
      endpoint: "POST /v1/projection",
      eventType: "calc.projection.run"
    })
    expect(remote).toEqual(local)
  })

  it("prints a record for reading", async () => {
    const { answerId } = await recordedAnswer()
    const { stdout } = await repay(["verify", answerId!, "--table"], { env: environment })
    expect(linesOf(stdout)[0]).toBe(`Answer       ${answerId}`)
    expect(linesOf(stdout)[2]).toBe("Served by    POST /v1/projection (PublicApi)")
  })

  it("exits with 1 when there is no such record", async () => {
    for (const how of [["--url", running.base], []]) {
      const ended = await repay(["verify", UNKNOWN, ...how], { env: environment })
      expect(ended).toEqual({ code: 1, stdout: "", stderr: `No answer is recorded under ${UNKNOWN}.\n` })
    }
  })

  it("exits with 2 for what is no answer id, and for half a configuration", async () => {
    const noId = await repay(["verify", "42"])
    expect(noId).toEqual({ code: 2, stdout: "", stderr: "answer-id: use the UUID in provenance.answerId\n" })
    const half = await repay(["verify", UNKNOWN], { env: { DATABASE_URL: NOBODY, PORT: "many" } })
    expect(half.code).toBe(2)
    expect(linesOf(half.stderr).map((line) => line.split(":")[0])).toEqual(["PORT", "SECRET_PEPPER"])
  })

  it("exits with 3 when neither can be reached", async () => {
    const remote = await repay(["verify", UNKNOWN, "--url", `http://127.0.0.1:${await freePort()}`])
    expect(remote.code).toBe(3)
    expect(remote.stderr).toMatch(/^http:\/\/127.* gave no usable answer: /)
    const local = await repay(["verify", UNKNOWN], { env: { ...environment, DATABASE_URL: NOBODY } })
    expect(local.code).toBe(3)
    expect(linesOf(local.stderr).length).toBe(1)
    const nowhere = await repay(["verify", UNKNOWN], { env: { DATA_DIR: `${folder}/nothing` } })
    expect(nowhere.code).toBe(3)
    expect(nowhere.stderr).toContain(`There is no database in ${folder}/nothing`)
  })
})

describe("repay keys revoke", () => {
  const refusalOf = (apiKey: string) =>
    createClient({ baseUrl: running.base, apiKey })
      .planTypes()
      .then(
        () => "none",
        (error: unknown) => (isProblem(error) ? error._tag : String(error))
      )

  it("stops a key at once, by its prefix", async () => {
    const { apiKey, keyPrefix } = await createClient({ baseUrl: running.base }).mintSandboxKey("leaked@example.org")
    expect(await refusalOf(apiKey)).toBe("none")
    const ended = await repay(["keys", "revoke", keyPrefix], { env: environment })
    expect(ended.code).toBe(0)
    expect(JSON.parse(ended.stdout)).toMatchObject({ keyPrefix, tier: "Sandbox" })
    expect(await refusalOf(apiKey)).toBe("UnauthorizedProblem")
    const again = await repay(["keys", "revoke", keyPrefix], { env: environment })
    expect(again).toEqual({ code: 1, stdout: "", stderr: `No active key matches ${keyPrefix}.\n` })
  })

  it("revokes none of several with the same prefix, and one of them by its id", async () => {
    const client = createClient({ baseUrl: running.base })
    const keys = [await client.mintSandboxKey("one@example.org"), await client.mintSandboxKey("two@example.org")]
    const prefixes = keys.map(({ keyPrefix }) => `'${keyPrefix}'`).join(", ")
    await running.query(`UPDATE api_key SET prefix = 'slr_sbx_Same00' WHERE prefix IN (${prefixes})`)
    const ended = await repay(["keys", "revoke", "slr_sbx_Same00"], { env: environment })
    expect(ended.code).toBe(1)
    const [said, ...listed] = linesOf(ended.stderr)
    expect(said).toBe("Several active keys share this prefix; nothing was revoked. Use the id of one of them:")
    const ids = listed.map((line) => line.trim().split(" ")[0]!)
    const byId = await repay(["keys", "revoke", ids[0]!.toUpperCase(), "--table"], { env: environment })
    expect(linesOf(byId.stdout)).toEqual(["Revoked  slr_sbx_Same00", `Key id   ${ids[0]}`, "Tier     Sandbox"])
    expect(await refusalOf(keys[0]!.apiKey)).toBe("UnauthorizedProblem")
    expect(await refusalOf(keys[1]!.apiKey)).toBe("none")
  })

  it("refuses a whole key, and does not repeat it", async () => {
    const { apiKey } = await createClient({ baseUrl: running.base }).mintSandboxKey("whole@example.org")
    const ended = await repay(["keys", "revoke", apiKey], { env: environment })
    expect(ended.code).toBe(2)
    expect(ended.stderr).not.toContain(apiKey.slice(8, 20))
  })
})

describe("repay subscriptions pay", () => {
  it("lets the address claim its production key", async () => {
    const client = createClient({ baseUrl: running.base })
    const email = `paid-${crypto.randomUUID()}@example.org`
    const { apiKey } = await client.mintSandboxKey(email)
    const ended = await repay(["subscriptions", "pay", email], { env: environment })
    expect(ended.code).toBe(0)
    expect(JSON.parse(ended.stdout)).toEqual({ email, paid: true })
    expect(await client.claimProductionKey(apiKey)).toMatchObject({ tier: "Production" })
  })

  it("refuses what is no address", async () => {
    const ended = await repay(["subscriptions", "pay", "nobody"], { env: environment })
    expect(ended).toEqual({
      code: 2,
      stdout: "",
      stderr: "email: must be an email address, such as ada@example.org\n"
    })
  })
})

describe("repay migrate", () => {
  it("brings an empty database up to date, and says so again", async () => {
    const own = Scope.makeUnsafe()
    const url = await Effect.runPromise(Scope.provide(freshDatabase, own))
    const env = { ...environment, DATABASE_URL: Redacted.value(url) }
    const first = await repay(["migrate"], { env })
    expect(first.code).toBe(0)
    const { migrations } = JSON.parse(first.stdout) as { migrations: ReadonlyArray<{ id: number; name: string }> }
    expect(migrations[0]).toEqual({ id: 1, name: "ledger" })
    expect(await repay(["migrate"], { env })).toEqual(first)
    const rows = await Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT FROM answer`).pipe(
      Effect.provide(PgClient.layer({ url, maxConnections: 1 })),
      Effect.runPromise
    )
    expect(rows).toEqual([])
    await Effect.runPromise(Scope.close(own, Exit.void))
  })
})

describe("a command under another pepper", () => {
  const env = () => ({ ...environment, SECRET_PEPPER: "another pepper that this database was never started with" })

  it("exits with 3 and says how to go on; so does migrate, unless it is told that the pepper is lost", async () => {
    for (const args of [["verify", UNKNOWN], ["subscriptions", "pay", "ada@example.org"], ["serve"], ["migrate"]]) {
      const { code, stderr } = await repay(args, { env: env() })
      expect(code).toBe(3)
      expect(linesOf(stderr)).toEqual([expect.stringMatching(/SECRET_PEPPER is not the one.*--replace-pepper$/)])
    }
    expect((await repay(["migrate", "--replace-pepper"], { env: env() })).code).toBe(0)
    expect((await repay(["migrate"], { env: environment })).code).toBe(3)
    expect((await repay(["migrate", "--replace-pepper"], { env: environment })).code).toBe(0)
  })
})

describe("repay serve", () => {
  it("runs the service until it is told to stop, and exits with 0", async () => {
    const port = await freePort()
    const child = start(["serve"], { ...environment, PORT: String(port) })
    await once(child.stdout, "data")
    const health = await createClient({ baseUrl: `http://127.0.0.1:${port}` }).health()
    expect(health.status).toBe("ok")
    child.kill("SIGTERM")
    const [code] = await once(child, "close")
    expect(code).toBe(0)
  })

  it("runs as many processes as WORKERS says", async () => {
    const port = await freePort()
    const child = start(["serve"], { ...environment, PORT: String(port), WORKERS: "2" })
    let said = ""
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (text: Buffer) => {
        said += text.toString()
        if (linesOf(said).length === 2) resolve()
      })
    })
    expect((await createClient({ baseUrl: `http://127.0.0.1:${port}` }).health()).status).toBe("ok")
    child.kill("SIGTERM")
    const [code] = await once(child, "close")
    expect(code).toBe(0)
  })

  it("says in one line why it cannot start, and exits with 3", async () => {
    const { port } = new URL(running.base)
    const ended = await repay(["serve"], { env: { ...environment, PORT: port } })
    expect(ended.code).toBe(3)
    expect(ended.stderr).toContain("EADDRINUSE")
  })
})

describe("repay mcp", () => {
  it("answers messages until its input ends, and exits with 0", async () => {
    const message = (id: number, method: string, params: object) =>
      JSON.stringify({ jsonrpc: "2.0", id, method, params })
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
    const input = `${message(1, "initialize", hello)}\n${message(2, "tools/list", {})}\n`
    const { code, stdout } = await repay(["mcp"], { input })
    expect(code).toBe(0)
    const answers = linesOf(stdout).map((line) => JSON.parse(line) as { id: number; result: { tools?: unknown[] } })
    expect(answers.map(({ id }) => id)).toEqual([1, 2])
    expect(answers[1]?.result.tools?.length).toBe(4)
  })

  it("exits with 2 when it is told half a service", async () => {
    const { code, stderr } = await repay(["mcp"], { env: { REPAY_URL: "https://api.example.org" } })
    expect(code).toBe(2)
    expect(stderr).toContain("REPAY_API_KEY: it is not set")
  })
})
