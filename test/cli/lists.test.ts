/**
 * The lists for operators: keys, usage, mails and subscriptions. A role that can only read gets
 * them complete, however long, and without secrets.
 */
import { randomUUID } from "node:crypto"
import { Effect, Exit, Redacted, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshDatabase } from "../support/database.ts"
import { openDatabaseProxy } from "../support/databaseProxy.ts"
import { linesOf, repay } from "../support/repay.ts"
import { type RunningService, startService } from "../support/runningService.ts"
import { TEST_PEPPER, TEST_SERVER } from "../support/settings.ts"

const scope = Scope.makeUnsafe()
const role = `reader_${randomUUID().slice(0, 8)}`
let running: RunningService
let environment: Record<string, string>

const PAID = "5f2b7c1e-9f5a-4d57-8f0e-2f9f3d6a9b11"
const hash = (name: string) => `sha256('${name}')`

/** A paid key with its subscription, in the tables only. */
const PAID_KEY = [
  `INSERT INTO subscription (id, external_id, tenant, email, mail_to, paid_at, created_at)
   VALUES ('${PAID}', 'sub_1', 't_${PAID}', 'payer@example.org', 'Payer@Example.org', now(), now())`,
  `INSERT INTO api_key (id, hash, prefix, tier, tenant, email, subscription_id, issued_by, created_at)
   VALUES ('${PAID}', ${hash("paid")}, 'slr_live_Paid00', 'Production', 't_${PAID}', 'payer@example.org', '${PAID}',
     'mail', now() - interval '1 day')`,
  `INSERT INTO usage VALUES ('${PAID}', '2025-02-01', 41), ('${PAID}', '2025-03-01', 7)`
]

const MANY = 2500

/**
 * Keys of one address, made a minute apart. All but the last are replaced; the n-th has n calls.
 */
const MANY_KEYS = [
  `INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at, revoked_at, revoked_reason)
   SELECT gen_random_uuid(), sha256(n::text::bytea), 'slr_sbx_' || lpad(n::text, 6, '0'), 'Sandbox',
     't_' || gen_random_uuid(), 'many@example.org', 'mint', '2025-01-01Z'::timestamptz + n * interval '1 minute',
     '2025-02-01Z', CASE WHEN n < ${MANY} THEN now() END, CASE WHEN n < ${MANY} THEN 'minted-again' END
   FROM generate_series(1, ${MANY}) AS n`,
  `INSERT INTO usage SELECT id, '2025-01-01', substr(prefix, 9)::int FROM api_key WHERE email = 'many@example.org'`
]

const WAITING = `INSERT INTO outbox (kind, mail_to, key_prefix, subscription_id, created_at, next_attempt_at, attempts, given_up_at)
  VALUES ('sandbox-minted', 'waits@example.org', 'slr_sbx_Ab12Cd', NULL, '2025-01-01Z', '2025-01-01T01:00Z', 3, NULL),
    ('production-key', 'lost@example.org', NULL, '${PAID}', '2025-01-01Z', '2025-01-02Z', 80, '2025-01-04Z')`

beforeAll(async () => {
  const url = await Effect.runPromise(Scope.provide(freshDatabase, scope))
  running = await startService({}, Effect.succeed(url))
  await running.query(`CREATE ROLE ${role} LOGIN PASSWORD 'reads'`)
  await running.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`)
  for (const statement of [...PAID_KEY, ...MANY_KEYS]) await running.query(statement)
  const address = Object.assign(new URL(Redacted.value(url)), { username: role, password: "reads" })
  environment = { ...TEST_SERVER, DATABASE_URL: address.href, SECRET_PEPPER: TEST_PEPPER }
})
afterAll(async () => {
  await running.query(`DROP OWNED BY ${role}`)
  await running.query(`DROP ROLE ${role}`)
  await running.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const listed = async (...args: ReadonlyArray<string>) => {
  const ended = await repay(args, { env: environment })
  expect({ args, code: ended.code, said: ended.code === 0 ? "" : ended.stderr }).toEqual({ args, code: 0, said: "" })
  return { ...ended, json: args.includes("--table") ? null : JSON.parse(ended.stdout) }
}

describe("repay keys list", () => {
  it("lists the state and last use of each key, without the key or a hash", async () => {
    const secret = await running.mint()
    await running.call("GET", "/v1/me", { key: secret })
    const { json, stdout } = await listed("keys", "list", "--environment", "sandbox")
    const month = new Date().toISOString().slice(0, 7)
    expect(json.keys[0]).toEqual({
      keyId: expect.any(String),
      keyPrefix: secret.slice(0, 14),
      tier: "Sandbox",
      state: "live",
      revokedReason: null,
      isBarred: false,
      madeAt: expect.any(String),
      expiresAt: expect.any(String),
      revokedAt: null,
      lastUsed: month,
      subscriptionId: null,
      email: null
    })
    expect(stdout).not.toContain(secret)
    expect(stdout).not.toContain("@")
  })

  it("shows the address of a production key's subscription", async () => {
    const { json } = await listed("keys", "list", "--environment", "production")
    expect(json.keys).toMatchObject([
      { keyPrefix: "slr_live_Paid00", state: "live", lastUsed: "2025-03", email: "Payer@Example.org" }
    ])
  })

  it("shows the newest keys and says so, or all in one document with --all", async () => {
    const some = await listed("keys", "list", "--email", "Many@Example.org")
    expect(some.json.keys.length).toBe(200)
    expect(some.stderr).toBe("Only the newest 200 are shown; --all shows all.\n")
    const all = await listed("keys", "list", "--email", "many@example.org", "--all")
    expect(all.stderr).toBe("")
    const prefixes = all.json.keys.map(({ keyPrefix }: { keyPrefix: string }) => keyPrefix)
    expect(prefixes).toEqual(Array.from({ length: MANY }, (_, n) => `slr_sbx_${String(MANY - n).padStart(6, "0")}`))
    expect(all.json.keys.slice(0, 200)).toEqual(some.json.keys)
    expect(all.stdout).toBe(`${JSON.stringify(all.json, null, 2)}\n`)
  })

  it("prints a table with the state of each key, and why one was revoked", async () => {
    const { stdout } = await listed("keys", "list", "--email", "many@example.org", "--table", "--all")
    const lines = linesOf(stdout)
    expect(lines[0]).toMatch(/^Key +Kind +State +Made +Used/)
    expect(lines[1]).toMatch(/^slr_sbx_002500 +Sandbox +expired /)
    expect(lines[2]).toMatch(/^slr_sbx_002499 +Sandbox +revoked: minted-again +2025-01-02 +2025-01/)
    expect(lines.filter((line) => line.startsWith("slr_sbx_")).length).toBe(MANY)
    const none = await listed("keys", "list", "--email", "nobody@example.org", "--table")
    expect(none.stdout).toBe("No keys found.\n")
  })

  it("waits for a busy database", async () => {
    const proxy = await openDatabaseProxy(environment["DATABASE_URL"]!)
    proxy.slow(1100)
    const env = { ...environment, DATABASE_URL: proxy.url }
    const { code, stderr } = await repay(["keys", "list", "--email", "nobody@example.org"], { env })
    proxy.close()
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  })

  it("refuses an unknown environment, and an invalid address", async () => {
    const kind = await repay(["keys", "list", "--environment", "staging"], { env: environment })
    expect([kind.code, kind.stdout]).toEqual([2, ""])
    const address = await repay(["keys", "list", "--email", "nobody"], { env: environment })
    expect([address.code, address.stdout]).toEqual([2, ""])
  })
})

describe("repay usage", () => {
  it("lists the calls of a month and the quota left, the most used key first", async () => {
    const { json, stderr } = await listed("usage", "--month", "2025-01")
    expect(stderr).toBe("Only the most used 200 are shown; --all shows all.\n")
    expect({ ...json, usage: json.usage.slice(0, 2) }).toEqual({
      month: "2025-01",
      keys: MANY,
      calls: (MANY * (MANY + 1)) / 2,
      usage: [MANY, MANY - 1].map((calls) => ({
        keyId: expect.any(String),
        keyPrefix: `slr_sbx_00${calls}`,
        tier: "Sandbox",
        calls,
        quota: 100,
        left: 0
      }))
    })
  })

  it("lists one key by its prefix or its id", async () => {
    const byPrefix = await listed("usage", "--month", "2025-02", "--key", "slr_live_Paid00")
    expect(byPrefix.json).toMatchObject({ keys: 1, calls: 41, usage: [{ calls: 41, quota: 100_000, left: 99_959 }] })
    const { stdout } = await listed("usage", "--month", "2025-02", "--key", PAID.toUpperCase(), "--table")
    expect(linesOf(stdout)[1]).toMatch(/^slr_live_Paid00 +Production +41 +100,000 +99,959$/)
  })

  it("refuses an invalid month, and a whole key without echoing it", async () => {
    const month = await repay(["usage", "--month", "2025-13"], { env: environment })
    expect([month.code, month.stderr]).toEqual([2, "--month: use a month such as 2026-11 (UTC)\n"])
    const secret = await running.mint()
    const whole = await repay(["usage", "--key", secret], { env: environment })
    expect(whole.code).toBe(2)
    expect(whole.stderr).not.toContain(secret.slice(8, 20))
  })
})

describe("repay mails", () => {
  it("lists waiting and abandoned mails, without an address or a key", async () => {
    await running.query("DELETE FROM outbox")
    const none = await listed("mails")
    expect([none.json, none.stderr]).toEqual([{ waiting: 0, tried: 0, oldestAt: null, givenUp: 0, mails: [] }, ""])
    await running.query(WAITING)
    const { json, stderr, stdout } = await listed("mails")
    expect(json).toMatchObject({ waiting: 1, tried: 1, oldestAt: "2025-01-01T00:00:00.000Z", givenUp: 1 })
    expect(json.mails).toMatchObject([
      { kind: "sandbox-minted", state: "waiting", attempts: 3, nextAttemptAt: "2025-01-01T01:00:00.000Z" },
      { kind: "production-key", state: "given up", attempts: 80, nextAttemptAt: null, subscriptionId: PAID }
    ])
    expect(stderr).toBe("SMTP_URL is not set here: nothing is sent.\n")
    expect(stdout).not.toMatch(/@|slr_/)
    const table = linesOf((await listed("mails", "--table")).stdout)
    expect(table[1]).toMatch(/sandbox-minted +waiting +3 +2025-01-01 01:00Z/)
  })
})

describe("a list", () => {
  it("of subscriptions has those of all addresses", async () => {
    const { json } = await listed("subscriptions", "list")
    expect(json.subscriptions).toMatchObject([{ id: PAID, email: "Payer@Example.org", keyPrefix: "slr_live_Paid00" }])
  })

  it("fails in one line, without the password, if the database cannot be reached", async () => {
    const ended = await repay(["mails"], {
      env: { ...environment, DATABASE_URL: "postgres://a:hunter2@127.0.0.1:1/x" }
    })
    expect([ended.code, ended.stdout]).toEqual([3, ""])
    expect(ended.stderr).toMatch(/^The database cannot be used: .*ECONNREFUSED.*\n$/)
    expect(ended.stderr).not.toContain("hunter2")
  })

  it("is refused if the schema of the database is older than this release", async () => {
    const [row] = await running.query<{ id: number; name: string }>(
      "DELETE FROM schema_migration WHERE migration_id = (SELECT max(migration_id) FROM schema_migration) RETURNING migration_id AS id, name"
    )
    const commands = [["usage"], ["subscriptions", "list"]]
    const all = []
    for (const command of commands) all.push(await repay(command, { env: environment }))
    await running.query(`INSERT INTO schema_migration (migration_id, name) VALUES (${row!.id}, '${row!.name}')`)
    const remedy = `it is migrated to ${row!.id - 1} and this release needs ${row!.id}; run repay migrate with the owner of its tables`
    const refused = { code: 3, stdout: "", stderr: `The database cannot be used: ${remedy}\n` }
    expect(all).toEqual(commands.map(() => refused))
  })
})
