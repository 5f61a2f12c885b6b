/** Commands that act on an installation, next to the running service. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createClient, isProblem } from "../../src/client/index.ts"
import { freshDatabase } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { filesOf, linesOf, repay } from "../support/repay.ts"
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

const run = (...args: ReadonlyArray<string>) => repay(args, { env: environment })
const printed = async (...args: ReadonlyArray<string>) => JSON.parse((await run(...args)).stdout)

const clientWith = (apiKey?: string) =>
  createClient({ baseUrl: running.base, ...(apiKey === undefined ? {} : { apiKey }) })
const tagOf = (error: unknown): string => (isProblem(error) ? error._tag : String(error))
const refusalOf = (apiKey: string) =>
  clientWith(apiKey)
    .planTypes()
    .then(() => "none", tagOf)
const claimOf = (sandboxKey: string) =>
  clientWith()
    .claimProductionKey(sandboxKey)
    .then(({ tier }) => tier, tagOf)
const addressOf = (name: string) => `${name}-${crypto.randomUUID()}@example.org`

const recordedAnswer = async () => (await clientWith(await running.mint()).project(projection)).provenance

describe("repay verify", () => {
  it("finds the same record in the database and over HTTP", async () => {
    const { answerId, ruleVersion } = await recordedAnswer()
    const local = await run("verify", answerId!)
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

  it("prints a record as a table", async () => {
    const { answerId } = await recordedAnswer()
    const { stdout } = await run("verify", answerId!, "--table")
    expect(linesOf(stdout)[0]).toBe(`Answer       ${answerId}`)
    expect(linesOf(stdout)[2]).toBe("Served by    POST /v1/projection (PublicApi)")
  })

  it("exits with 1 when there is no such record", async () => {
    for (const how of [["--url", running.base], []]) {
      const ended = await run("verify", UNKNOWN, ...how)
      expect(ended).toEqual({ code: 1, stdout: "", stderr: `No answer is recorded under ${UNKNOWN}.\n` })
    }
  })

  it("exits with 2 for an invalid argument, and for an incomplete configuration", async () => {
    expect(await repay(["verify", "42"])).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "42: there is no such file\nanswer: use a recorded answer as it was received (a file), or the UUID in its provenance.answerId\n"
    })
    const half = await repay(["verify", UNKNOWN], { env: { DATABASE_URL: NOBODY, PORT: "many" } })
    expect(half.code).toBe(2)
    expect(linesOf(half.stderr).map((line) => line.split(":")[0])).toEqual(["PORT", "SECRET_PEPPER"])
  })

  it("exits with 3 when the service or the database cannot be reached", async () => {
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

describe("repay keys create", () => {
  const create = (email: string, tier: string, ...more: ReadonlyArray<string>) =>
    run("keys", "create", "--email", email, "--tier", tier, ...more)

  it("makes a production key that lasts until its subscription is ended", async () => {
    const email = addressOf("backend")
    const { code, stderr, stdout } = await create(email, "production")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "The key is shown once.\n" })
    const made = JSON.parse(stdout)
    expect(made).toEqual({
      email,
      apiKey: expect.stringMatching(/^slr_live_\w{38}$/),
      keyPrefix: made.apiKey.slice(0, 15),
      tier: "Production",
      monthlyCallLimit: 100_000,
      expiresAt: null,
      subscriptionId: expect.any(String)
    })
    expect(await clientWith(made.apiKey).me()).toMatchObject({ tier: "Production", callsUsedThisPeriod: 1 })
    expect((await printed("keys", "list", "--email", email)).keys).toHaveLength(2)
    expect((await printed("mails")).mails.filter(({ kind }: { kind: string }) => kind === "production-key")).toEqual([])
    expect(await create(email, "production")).toEqual({
      code: 1,
      stdout: "",
      stderr: `${email} has a subscription already, so no key was made. For another key: repay subscriptions end ${made.subscriptionId}, then create again\n`
    })
    expect((await run("subscriptions", "end", made.subscriptionId)).code).toBe(0)
    expect(await refusalOf(made.apiKey)).toBe("UnauthorizedProblem")
    expect((await create(email, "production")).code).toBe(0)
  })

  it("makes a sandbox key, which replaces the one of its address", async () => {
    const email = addressOf("try")
    const { apiKey } = await clientWith().mintSandboxKey(email)
    const { stdout } = await create(email.toUpperCase(), "sandbox", "--table")
    const [made, , tier, expires] = linesOf(stdout)
    expect(tier).toBe("Tier     Sandbox")
    expect(expires).toMatch(/^Expires +\d{4}-\d\d-\d\dT/)
    const [, key] = /^Key +(slr_sbx_\w{38})$/.exec(made!) ?? []
    expect(await refusalOf(key!)).toBe("none")
    expect(await refusalOf(apiKey)).toBe("UnauthorizedProblem")
  })

  it("makes no key for text that is no address, another tier, or a wrong flag", async () => {
    const email = addressOf("none")
    expect((await create("nobody", "production")).code).toBe(2)
    expect((await create(email, "gold")).code).toBe(2)
    expect((await create(email, "production", "--json", "--table")).code).toBe(2)
    expect(await printed("keys", "list", "--email", email)).toEqual({ keys: [] })
  })

  it("says how to replace a key that could not be printed", async () => {
    const email = addressOf("unseen")
    const args = ["keys", "create", "--email", email, "--tier", "production"]
    const ended = await repay(args, { env: environment, isReaderGone: true })
    expect(ended.code).toBe(1)
    const [{ id }] = (await printed("subscriptions", "list", email)).subscriptions
    expect(linesOf(ended.stderr).at(-1)).toBe(
      `The key is lost. For another: repay subscriptions end ${id}, then create again`
    )
  })
})

describe("repay keys revoke", () => {
  it("stops a key at once, by its prefix", async () => {
    const { apiKey, keyPrefix } = await clientWith().mintSandboxKey("leaked@example.org")
    expect(await refusalOf(apiKey)).toBe("none")
    const ended = await run("keys", "revoke", keyPrefix)
    expect(ended.code).toBe(0)
    expect(JSON.parse(ended.stdout)).toMatchObject({ keyPrefix, tier: "Sandbox" })
    expect(await refusalOf(apiKey)).toBe("UnauthorizedProblem")
    const again = await run("keys", "revoke", keyPrefix)
    expect(again).toEqual({ code: 1, stdout: "", stderr: `No active key matches ${keyPrefix}.\n` })
  })

  it("revokes no key for an ambiguous prefix, and one key for its id", async () => {
    const client = clientWith()
    const keys = [await client.mintSandboxKey("one@example.org"), await client.mintSandboxKey("two@example.org")]
    const prefixes = keys.map(({ keyPrefix }) => `'${keyPrefix}'`).join(", ")
    await running.query(`UPDATE api_key SET prefix = 'slr_sbx_Same00' WHERE prefix IN (${prefixes})`)
    const ended = await run("keys", "revoke", "slr_sbx_Same00")
    expect(ended.code).toBe(1)
    const [refusal, ...listed] = linesOf(ended.stderr)
    expect(refusal).toBe("Several active keys share this prefix; nothing was revoked. Use the id of one of them:")
    const ids = listed.map((line) => line.trim().split(" ")[0]!)
    const byId = await repay(["keys", "revoke", ids[0]!.toUpperCase(), "--table"], { env: environment })
    expect(linesOf(byId.stdout)).toEqual(["Revoked  slr_sbx_Same00", `Key id   ${ids[0]}`, "Tier     Sandbox"])
    expect(await refusalOf(keys[0]!.apiKey)).toBe("UnauthorizedProblem")
    expect(await refusalOf(keys[1]!.apiKey)).toBe("none")
  })

  it("revokes nothing on a usage error", async () => {
    const { apiKey, keyPrefix } = await clientWith().mintSandboxKey("usage@example.org")
    const ended = await run("keys", "revoke", keyPrefix, "--json", "--table")
    expect(ended).toEqual({ code: 2, stdout: "", stderr: "--json and --table: use one of them, or neither\n" })
    expect(await refusalOf(apiKey)).toBe("none")
  })

  it("refuses a whole key without echoing it", async () => {
    const { apiKey } = await clientWith().mintSandboxKey("whole@example.org")
    const ended = await run("keys", "revoke", apiKey)
    expect(ended.code).toBe(2)
    expect(ended.stderr).not.toContain(apiKey.slice(8, 20))
  })
})

describe("repay subscriptions pay", () => {
  it("prints a claim key once, and no other key of the address can claim", async () => {
    const email = addressOf("paid")
    const { apiKey } = await clientWith().mintSandboxKey(email)
    const ended = await run("subscriptions", "pay", email)
    expect(ended.code).toBe(0)
    const answer = JSON.parse(ended.stdout) as { subscriptionId: string; claimKey: string }
    expect(answer).toMatchObject({ email, paid: true, claimKey: expect.stringMatching(/^slr_sbx_\w{38}$/) })
    expect(await claimOf(apiKey)).toBe("NoSubscriptionProblem")
    expect(await claimOf(answer.claimKey)).toBe("Production")
    const again = await run("subscriptions", "pay", email)
    expect([again.code, JSON.parse(again.stdout)]).toEqual([
      0,
      { email, paid: true, subscriptionId: answer.subscriptionId }
    ])
    const remedy = `If its claim key is lost: repay subscriptions end ${answer.subscriptionId}, then pay again`
    expect(again.stderr).toContain(remedy)
  })

  it("lets the sandbox key of --key claim", async () => {
    const email = addressOf("named")
    const { apiKey, keyPrefix } = await clientWith().mintSandboxKey(email)
    expect(await printed("subscriptions", "pay", email, "--key", keyPrefix)).toEqual({
      email,
      paid: true,
      subscriptionId: expect.any(String)
    })
    expect(await claimOf(apiKey)).toBe("Production")
  })

  it("opens no subscription on a usage error", async () => {
    const email = addressOf("usage")
    expect((await run("subscriptions", "pay", email, "--json", "--table")).code).toBe(2)
    expect(await printed("subscriptions", "list", email)).toEqual({ subscriptions: [] })
  })

  it("opens no subscription for a key of another address, and names that address", async () => {
    const email = addressOf("other")
    const { keyPrefix } = await clientWith().mintSandboxKey(email)
    const ended = await run("subscriptions", "pay", "dan@example.org", "--key", keyPrefix)
    expect([ended.code, ended.stdout]).toEqual([1, ""])
    expect(ended.stderr).toMatch(new RegExp(`^${keyPrefix} was made for ${email}, not for dan@example.org; nothing`))
  })

  it("explains how to claim, and that the production key is mailed", async () => {
    const env = { ...environment, PUBLIC_URL: "https://api.example.org", SMTP_URL: "smtp://127.0.0.1:1" }
    const email = addressOf("told")
    const { stderr, stdout } = await repay(["subscriptions", "pay", email], { env })
    const [claiming, mailing] = linesOf(stderr)
    const { subscriptionId } = JSON.parse(stdout)
    expect(claiming).toContain(`If it is lost: repay subscriptions end ${subscriptionId}, then pay again`)
    expect(claiming).toContain('{"sandboxKey": "<claim key>"} to POST https://api.example.org/v1/keys/claim')
    expect(mailing).toBe(`The production key is mailed to ${email} too, as soon as the service runs.`)
  })

  it("explains how to replace a claim key that could not be printed", async () => {
    const email = addressOf("gone")
    const ended = await repay(["subscriptions", "pay", email], { env: environment, isReaderGone: true })
    expect(ended.code).toBe(1)
    const [{ id }] = (await printed("subscriptions", "list", email)).subscriptions
    expect(linesOf(ended.stderr).slice(-2)).toEqual([
      "Standard output cannot be written (EPIPE).",
      `The claim key is lost. For another: repay subscriptions end ${id}, then pay again`
    ])
    expect((await run("subscriptions", "end", id)).code).toBe(0)
    const { claimKey } = await printed("subscriptions", "pay", email)
    expect(await claimOf(claimKey)).toBe("Production")
  })

  it("refuses an invalid address", async () => {
    const ended = await run("subscriptions", "pay", "nobody")
    expect(ended).toEqual({
      code: 2,
      stdout: "",
      stderr: "email: must be an email address, such as ada@example.org\n"
    })
    const international = await run("subscriptions", "pay", "jo@bücher.example")
    expect(international.stderr).toBe("email: has an international domain: send that in its xn-- form\n")
  })

  it("refuses an unknown key, and a whole key without echoing it", async () => {
    const unknown = await run("subscriptions", "pay", "a@example.org", "--key", "slr_sbx_000000")
    expect(unknown).toEqual({
      code: 1,
      stdout: "",
      stderr: "No sandbox key matches slr_sbx_000000; nothing was paid.\n"
    })
    const whole = await run("subscriptions", "pay", "a@example.org", "--key", `slr_sbx_${"0".repeat(38)}`)
    expect(whole.code).toBe(2)
    expect(whole.stderr).not.toContain("0".repeat(20))
  })
})

describe("repay subscriptions", () => {
  const billed = async () => {
    const email = addressOf("held")
    const { claimKey, subscriptionId } = await printed("subscriptions", "pay", email)
    const { keyPrefix } = await clientWith().claimProductionKey(claimKey)
    return { claimKey, email, keyPrefix, subscriptionId }
  }
  const stateOf = async (email: string) => {
    const { subscriptions } = await printed("subscriptions", "list", email)
    return subscriptions[0]
  }

  it("lists a paid subscription with its key, and whether the key was used", async () => {
    const { email, keyPrefix, subscriptionId } = await billed()
    expect(await stateOf(email)).toMatchObject({ id: subscriptionId, email, state: "paid", keyPrefix, keyUsed: false })
    const { stdout } = await run("subscriptions", "list", email, "--table")
    expect(linesOf(stdout)[1]).toContain(subscriptionId)
  })

  it("holds a subscription with a revoked key until it is allowed", async () => {
    const { claimKey, email, keyPrefix, subscriptionId } = await billed()
    const revoked = await run("keys", "revoke", keyPrefix)
    expect(revoked.stderr).toBe(
      `Its subscription is on hold and gets no other key. To undo that: repay subscriptions allow ${subscriptionId}\n`
    )
    expect(await claimOf(claimKey)).toBe("SubscriptionHeldProblem")
    expect(await stateOf(email)).toMatchObject({ state: "held", why: ["operator"], keyPrefix: null })
    expect(await printed("subscriptions", "allow", keyPrefix)).toEqual({
      keyPrefix: null,
      subscriptionId,
      lifted: "operator"
    })
    expect(await claimOf(claimKey)).toBe("Production")
    const again = await run("subscriptions", "allow", subscriptionId)
    expect(again).toEqual({
      code: 1,
      stdout: "",
      stderr: `No held subscription and no revoked sandbox key matches ${subscriptionId}.\n`
    })
  })

  it("mails a key again after its mail was given up", async () => {
    const { subscriptionId } = await printed("subscriptions", "pay", addressOf("again"))
    const allow = () => run("subscriptions", "allow", subscriptionId, "--table")
    expect((await allow()).stderr).toBe(`No held subscription and no revoked sandbox key matches ${subscriptionId}.\n`)
    await running.query(`UPDATE outbox SET given_up_at = now() WHERE subscription_id = '${subscriptionId}'`)
    expect(await allow()).toEqual({
      code: 0,
      stdout: `Allowed       ${subscriptionId}\nSubscription  ${subscriptionId}\nLifted        nothing\n`,
      stderr: `Subscription ${subscriptionId} was not on hold: its production key is mailed again.\n`
    })
  })

  it("ends a subscription at once, and refuses unknown ids", async () => {
    const { claimKey, email, subscriptionId } = await billed()
    const ended = await run("subscriptions", "end", subscriptionId)
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, { subscriptionId, ended: true }])
    expect(ended.stderr).toBe("")
    const again = await run("subscriptions", "end", subscriptionId)
    expect([again.code, again.stderr]).toEqual([0, "It was ended already; nothing was changed.\n"])
    expect(await claimOf(claimKey)).toBe("NoSubscriptionProblem")
    expect(await stateOf(email)).toMatchObject({ state: "ended", why: ["ended"] })
    expect((await run("subscriptions", "end", UNKNOWN)).code).toBe(1)
    expect((await run("subscriptions", "end", email)).code).toBe(2)
  })

  it("warns that Stripe keeps charging for a Stripe subscription", async () => {
    const { subscriptionId } = await billed()
    await running.query(`UPDATE subscription SET external_id = 'sub_1' WHERE id = '${subscriptionId}'`)
    const ended = await run("subscriptions", "end", subscriptionId)
    expect(ended.stderr).toBe(
      "Stripe is not notified: end the subscription there too, or Stripe continues to charge.\n"
    )
  })

  it("allows a revoked sandbox key to claim again", async () => {
    const { claimKey, email } = await billed()
    const keyPrefix = claimKey.slice(0, 14)
    await run("keys", "revoke", keyPrefix)
    expect(await claimOf(claimKey)).toBe("SubscriptionHeldProblem")
    expect(await stateOf(email)).toMatchObject({ state: "paid", why: [] })
    expect(await printed("subscriptions", "allow", keyPrefix)).toEqual({
      keyPrefix,
      subscriptionId: null,
      lifted: null
    })
    expect(await claimOf(claimKey)).toBe("Production")
    const wrong = await run("subscriptions", "allow", "nothing")
    expect([wrong.code, wrong.stderr.split(":")[0]]).toEqual([2, "id or key"])
  })
})

describe("repay migrate", () => {
  it("brings an empty database up to date, and prints the same when repeated", async () => {
    const own = Scope.makeUnsafe()
    const url = await Effect.runPromise(Scope.provide(freshDatabase, own))
    const env = { ...environment, DATABASE_URL: Redacted.value(url) }
    const first = await repay(["migrate"], { env })
    expect(first.code).toBe(0)
    const { migrations } = JSON.parse(first.stdout) as { migrations: ReadonlyArray<{ id: number; name: string }> }
    expect(migrations[0]).toEqual({ id: 1, name: "schema" })
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

  it("exits with 3 and a remedy, as does migrate without --replace-pepper", async () => {
    for (const args of [["verify", UNKNOWN], ["subscriptions", "pay", "ada@example.org"], ["serve"], ["migrate"]]) {
      const { code, stderr } = await repay(args, { env: env() })
      expect(code).toBe(3)
      expect(linesOf(stderr)).toEqual([expect.stringMatching(/SECRET_PEPPER is not the one.*--replace-pepper$/)])
    }
    expect((await repay(["migrate", "--replace-pepper"], { env: env() })).code).toBe(0)
    expect((await run("migrate")).code).toBe(3)
    expect((await run("migrate", "--replace-pepper")).code).toBe(0)
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
    expect(answers[1]?.result.tools?.length).toBe(6)
  })
})
