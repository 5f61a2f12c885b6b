/**
 * `repay doctor` on sound and on broken installations: findings, exit codes, no secrets, no
 * changes.
 */
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { Clock, ConfigProvider, Effect, Exit, Redacted, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { examination } from "../../src/cli/operate/doctor/examination.ts"
import { makeSigner } from "../../src/services/log/keys.ts"
import { freshDatabase, holdTransaction } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { linesOf, repay } from "../support/repay.ts"
import { type RunningService, startService } from "../support/runningService.ts"
import { TEST_PEPPER, TEST_SERVER } from "../support/settings.ts"
import { mailServer } from "../support/smtp.ts"
import { until } from "../support/until.ts"

const SECRETS = [TEST_PEPPER, TEST_SERVER["LOG_SIGNING_KEY"]!, "hunter2", "whsec_"]

const scope = Scope.makeUnsafe()
const role = `doctor_${randomUUID().slice(0, 8)}`
let running: RunningService
let environment: Record<string, string>
let mail: Effect.Success<typeof mailServer>

/** The clock of this machine, ahead by `millis`. */
const ahead = (clock: Clock.Clock, millis: number): Clock.Clock =>
  Object.assign(Object.create(clock), {
    currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + millis)
  })

/** The findings, computed in this process: the command reports the same, and takes longer. */
const examined = async (variables: Readonly<Record<string, string>> = {}, fastMillis = 0) => {
  const provider = ConfigProvider.fromEnvRecord({ ...environment, ...variables })
  const work = Effect.provideService(examination, ConfigProvider.ConfigProvider, provider)
  const checks = await Effect.runPromise(
    Clock.clockWith((clock) => Effect.provideService(work, Clock.Clock, ahead(clock, fastMillis))).pipe(Effect.scoped)
  )
  for (const secret of SECRETS) expect(JSON.stringify(checks)).not.toContain(secret)
  const of = (name: string) => checks.filter(({ check }) => check === name)
  const wrong = checks.filter(({ state }) => state === "wrong")
  return { checks, wrong, of, only: (name: string) => of(name)[0]! }
}

const logHasAll = async () => {
  const [row] = await running.query<{ readonly all: boolean }>(
    'SELECT (SELECT count(*) FROM log_entry) = (SELECT count(*) FROM answer) AS "all"'
  )
  return row!.all
}

/** An installation with a key, and with records in its log. */
beforeAll(async () => {
  const url = await Effect.runPromise(Scope.provide(freshDatabase, scope))
  mail = await Effect.runPromise(Scope.provide(mailServer, scope))
  running = await startService({}, Effect.succeed(url))
  await running.query(`CREATE ROLE ${role} LOGIN PASSWORD 'hunter2'`)
  await running.query(`GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO ${role}`)
  await running.query(`REVOKE UPDATE ON answer, answer_kind, log_entry, log_key FROM ${role}`)
  await running.query(`REVOKE INSERT, UPDATE ON schema_migration, installation FROM ${role}`)
  const address = Object.assign(new URL(Redacted.value(url)), { username: role, password: "hunter2" })
  environment = {
    ...TEST_SERVER,
    DATABASE_URL: address.href,
    SECRET_PEPPER: TEST_PEPPER,
    PUBLIC_URL: running.base,
    SMTP_URL: mail.url,
    MAIL_FROM: "keys@example.org"
  }
  const key = await running.mint()
  await running.query("DELETE FROM outbox")
  await running.call("GET", "/v1/reference", { key })
  await until(logHasAll)
})
afterAll(async () => {
  await running.query(`DROP OWNED BY ${role}`)
  await running.query(`DROP ROLE ${role}`)
  await running.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

describe("a sound installation", () => {
  it("passes its checks, and no mail is sent", async () => {
    const { checks, of, wrong } = await examined()
    expect(wrong).toEqual([])
    const passed = checks.filter(({ state }) => state === "ok").map(({ check }) => check)
    expect(passed.join(", ")).toBe(
      "node, configuration, proxy, payments, database, connections, clock, schema, records, role, pepper, log, log key, outbox, mail, address"
    )
    expect(of("server")).toMatchObject([
      { state: "warning", detail: expect.stringMatching(/^PostgreSQL \d.* fsync off, .* synchronous_commit on, UTC$/) }
    ])
    expect(of("role")[0]!.detail).toBe(`${role} owns nothing`)
    expect(of("log key")[0]!.detail).toBe("LOG_SIGNING_KEY is the one that signed last")
    expect(mail.state.mails).toEqual([])
  })

  it("is printed as one line a check, with exit code 0", async () => {
    const { code, stderr, stdout } = await repay(["doctor", "--table"], { env: environment })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    const lines = linesOf(stdout)
    expect(lines[0]).toMatch(/^ok {7}node {11}Node \d/)
    expect(lines.some((line) => /^ok {7}schema {9}migration \d+, as this release needs$/.test(line))).toBe(true)
    expect(lines.filter((line) => /^ +To do: /.test(line)).length).toBeGreaterThan(0)
  })

  it("gets the same findings from a role that can only read", async () => {
    const before = await examined()
    await running.query(`ALTER ROLE ${role} SET default_transaction_read_only = on`)
    const readOnly = await examined()
    await running.query(`ALTER ROLE ${role} RESET default_transaction_read_only`)
    expect(readOnly.wrong).toMatchObject([{ check: "records", detail: "the database is read-only" }])
    const states = ({ checks }: typeof before) =>
      checks.filter(({ check }) => check !== "records").map(({ check, state }) => `${check}: ${state}`)
    expect(states(readOnly)).toEqual(states(before))
    await running.query(`REVOKE SELECT ON installation FROM ${role}`)
    const { only, wrong } = await examined()
    await running.query(`GRANT SELECT ON installation TO ${role}`)
    expect(wrong).toEqual([])
    expect(only("pepper")).toMatchObject({ state: "skipped", detail: expect.stringContaining("permission denied") })
  })
})

describe("a configuration", () => {
  it("is reported with all its errors if it is invalid, and nothing else is checked", async () => {
    const { of, only, wrong } = await examined({ PORT: "many", SECRET_PEPPER: "" })
    expect(wrong.map(({ detail }) => detail.split(":")[0])).toEqual(["PORT", "SECRET_PEPPER"])
    expect(of("configuration").length).toBe(2)
    expect(only("database")).toMatchObject({ state: "skipped", detail: "the configuration has to be right first" })
    const { code, stderr, stdout } = await repay(["doctor"], { env: { ...environment, PORT: "many" } })
    expect([code, JSON.parse(stdout).isWell]).toEqual([1, false])
    expect(stderr).toMatch(/^1 of \d+ checks need action\.\n$/)
  })

  it("is reported with the wrong line of the policy that names witnesses", async () => {
    const { wrong } = await examined({ LOG_WITNESSES_TEXT: "quorum none\nquorum w" })
    expect(wrong.map(({ check, detail }) => [check, detail.split(";")[0]])).toEqual([
      ["configuration", "LOG_WITNESSES_TEXT: line 2: there is a quorum already"]
    ])
  })

  it("is reported if the policy that names witnesses is for another log", async () => {
    const [key] = await running.query<{ readonly key: string }>("SELECT verifier_key AS key FROM log_key")
    const own = key!.key
    const stranger = (await makeSigner("other.example/log", new Uint8Array(32))).verifierKey
    const under = (log: string) => examined({ LOG_WITNESSES_TEXT: `log ${log}\nquorum none` })
    const named = { state: "ok", detail: "0 witnesses named, quorum none" }
    expect((await under(own)).only("witnesses")).toMatchObject(named)
    const detail = `LOG_WITNESSES_TEXT: its log line has no current key of this log; write log ${own}, or leave it out`
    expect((await under(stranger)).wrong).toMatchObject([{ check: "witnesses", detail }])
  })

  it("is reported with remedies if its settings contradict each other", async () => {
    const { only, of, wrong } = await examined({
      PUBLIC_URL: "https://127.0.0.2:1",
      HOST: "0.0.0.0",
      TRUSTED_PROXY_HOPS: "2",
      STRIPE_PRICE: "price_1234567",
      MAIL_FROM: "",
      LOG_SIGNING_KEY: ""
    })
    expect(wrong.map(({ check, remedy }) => [check, remedy])).toEqual([
      ["settings", "set it to 64 hex digits: openssl rand -hex 32"],
      ["payments", "set STRIPE_WEBHOOK_SECRET"],
      ["log key", "set LOG_SIGNING_KEY to 64 hex digits: openssl rand -hex 32"],
      ["mail", "set MAIL_FROM to an address of yours"]
    ])
    expect(only("proxy").state).toBe("warning")
    expect(of("settings").map(({ state }) => state)).toEqual(["wrong", "warning", "warning"])
  })

  it("gets a warning if a remote database has no TLS in its address", async () => {
    const reported = async (url: string) => {
      const { of } = await examined({ DATABASE_URL: url })
      return of("settings").some(({ detail }) => detail.includes("not encrypted"))
    }
    const elsewhere = "postgres://user:hunter2@database.invalid/none"
    const hosts = "postgres://user:hunter2@127.0.0.1:1,database.invalid:1/none?target_session_attrs=read-write"
    expect(await reported(elsewhere)).toBe(true)
    expect(await reported(`${elsewhere}?sslmode=prefer`)).toBe(true)
    expect(await reported(hosts)).toBe(true)
    expect(await reported(`${elsewhere}?sslmode=verify-full`)).toBe(false)
    expect(await reported("postgres://user:hunter2@127.0.0.1:1/none")).toBe(false)
  })

  it("is wrong with an undeclared proxy, or with sales and no mail", async () => {
    const sells = { STRIPE_WEBHOOK_SECRET: "whsec_abc", STRIPE_PRICE: "price_1234567", SMTP_URL: "", MAIL_FROM: "" }
    const { wrong } = await examined({ PUBLIC_URL: "https://repay.invalid", ...sells })
    expect(wrong.map(({ check, remedy }) => `${check}: ${remedy}`)).toEqual([
      "proxy: set TRUSTED_PROXY_HOPS to the number of proxies that add to X-Forwarded-For, usually 1",
      "payments: set PAYMENT_LINK to your Stripe payment link",
      "mail: set SMTP_URL and MAIL_FROM"
    ])
  })
})

describe("a database", () => {
  it("is one finding without its password if it cannot be reached", async () => {
    const { only, wrong } = await examined({ DATABASE_URL: "postgres://user:hunter2@127.0.0.1:1/none" })
    expect(wrong.length).toBe(1)
    expect(only("database")).toMatchObject({ state: "wrong", detail: expect.stringContaining("ECONNREFUSED") })
    expect(only("log").state).toBe("skipped")
  })

  it("is wrong with another pepper, log key or schema, and gets a remedy", async () => {
    const others = await examined({ SECRET_PEPPER: TEST_PEPPER.toUpperCase(), LOG_SIGNING_KEY: "f".repeat(64) })
    expect(others.wrong.map(({ check }) => check)).toEqual(["pepper", "log key"])
    expect(others.only("pepper").remedy).toContain("SECRET_PEPPER_PREVIOUS")
    const previous = TEST_SERVER["LOG_SIGNING_KEY"]!
    const rotated = await examined({ LOG_SIGNING_KEY: "f".repeat(64), LOG_SIGNING_KEY_PREVIOUS: previous })
    expect(rotated.wrong).toEqual([])
    expect(rotated.only("log key").detail).toContain("LOG_SIGNING_KEY_PREVIOUS")
    await running.query("INSERT INTO schema_migration (migration_id, name) VALUES (9001, 'later')")
    const newer = await examined()
    await running.query("DELETE FROM schema_migration WHERE migration_id = 9001")
    expect(newer.wrong).toMatchObject([{ check: "schema", remedy: expect.stringContaining("use that release") }])
    expect(newer.only("pepper").state).toBe("skipped")
  })

  it("is reported if its role owns the tables, has too many rights, or cannot record", async () => {
    const superusers = environment["DATABASE_URL"]!.replace(`${role}:hunter2@`, "postgres@")
    const superuser = await examined({ DATABASE_URL: superusers })
    const remedy = expect.stringContaining("a role that owns nothing")
    expect(superuser.only("role")).toMatchObject({ state: "warning", remedy })
    await running.query(`REVOKE INSERT ON answer FROM ${role}`)
    await running.query(`GRANT UPDATE ON log_key TO ${role}`)
    const { only } = await examined()
    await running.query(`GRANT INSERT ON answer TO ${role}`)
    await running.query(`GRANT INSERT ON schema_migration TO ${role}`)
    const migrating = await examined()
    await running.query(`REVOKE UPDATE ON log_key FROM ${role}`)
    await running.query(`REVOKE INSERT ON schema_migration FROM ${role}`)
    expect(migrating.only("role")).toMatchObject({
      state: "warning",
      detail: `${role} may update log_key, and write to schema_migration`,
      remedy: `REVOKE UPDATE ON log_key FROM ${role}; REVOKE INSERT, UPDATE ON schema_migration FROM ${role}`
    })
    expect(only("records")).toMatchObject({ state: "wrong", detail: "the role of the database may not record answers" })
    expect(only("role")).toMatchObject({ state: "warning", remedy: `REVOKE UPDATE ON log_key FROM ${role}` })
  })

  it("gets a warning if its clock is seconds off", async () => {
    const { only } = await examined({}, 5000)
    expect(only("clock")).toMatchObject({ state: "warning", detail: expect.stringMatching(/^[45]\.\d s from/) })
  })

  it("gets a warning if records are of the future", async () => {
    const { only } = await examined({}, -3_600_000)
    const detail = expect.stringMatching(/^the newest record is 3[56]\d\d s in the future/)
    expect(only("records")).toMatchObject({ state: "warning", detail })
  })

  it("is wrong if its records or mails wait too long", async () => {
    const hold = await holdTransaction(
      { url: Redacted.make(environment["DATABASE_URL"]!) },
      "SELECT pg_advisory_xact_lock('log_head'::regclass::oid::int, 0)"
    )
    const recordedAt = (time: string) =>
      running.query(`
        INSERT INTO answer (recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)
        SELECT '${time}', gen_random_uuid(), tenant, key_id, kind, inputs_hash, answer_hash FROM answer LIMIT 1`)
    await recordedAt(new Date(Date.now() - 5 * 60_000).toISOString())
    const blocked = await examined()
    await hold.release()
    expect(blocked.only("log")).toMatchObject({
      state: "wrong",
      detail: expect.stringMatching(/ 1 waiting since 5 min ago$/),
      remedy: expect.stringContaining("start a service")
    })
    await until(async () => (await examined()).only("log").state === "ok")
    const mailQueued = async (since: string) => {
      await running.query(`
        INSERT INTO outbox (kind, mail_to, key_prefix, created_at, next_attempt_at)
        VALUES ('sandbox-minted', 'waits@example.org', 'slr_sbx_Ab12Cd', now() - interval '${since}', now() + interval '1 hour')`)
      const reported = await examined()
      await running.query("DELETE FROM outbox")
      return reported
    }
    const lately = await mailQueued("1 minute")
    const { only } = await mailQueued("2 hours")
    expect(lately.only("outbox").state).toBe("ok")
    expect(only("outbox")).toMatchObject({
      state: "wrong",
      detail: "1 mail waiting, the oldest queued 120 min ago, 0 tried before; 0 given up"
    })
  })
})

describe("connections", () => {
  it("are compared with the server's limit, unless they go through a pooler", async () => {
    const alone = await examined()
    const one = new URL(environment["DATABASE_URL"]!)
    const twice = environment["DATABASE_URL"]!.replace(`@${one.host}`, `@${one.host},${one.host}`)
    const more = one.search === "" ? "?" : "&"
    const two = await examined({ DATABASE_URL: `${twice}${more}target_session_attrs=read-write` })
    expect(alone.only("connections").detail).toMatch(/^this service uses up to 24 of \d+$/)
    expect(two.only("connections").detail).toMatch(/^this service uses up to 25 of \d+$/)
    const pooled = await examined({ DATABASE_POOLING: "transaction" })
    const detail = expect.stringContaining("max_client_conn must allow the 24 of this service")
    expect(pooled.only("connections")).toMatchObject({ state: "skipped", detail })
  })
})

describe("a mail server or public address", () => {
  it("is wrong if it is silent, or if another program answers", async () => {
    const stranger = createServer((_, response) => response.end("welcome"))
    const port = await freePort()
    await new Promise<void>((resolve) => stranger.listen(port, "127.0.0.1", resolve))
    const { wrong } = await examined({ SMTP_URL: "smtp://127.0.0.1:1", PUBLIC_URL: `http://127.0.0.1:${port}` })
    stranger.close()
    expect(wrong.map(({ check, detail }) => `${check}: ${detail}`)).toEqual([
      "mail: the mail server does not answer (ESOCKET)",
      `address: http://127.0.0.1:${port} is answered by something else`
    ])
  })
})
