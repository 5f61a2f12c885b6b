/** Configuration: defaults, all problems at once with one line each, and hidden secrets. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { AppConfig } from "../../src/platform/config.ts"
import { eachHost } from "../../src/platform/settings.ts"

const PEPPER = "p".repeat(32)
const read = (variables: Readonly<Record<string, string>>) =>
  Effect.scoped(Effect.provide(AppConfig, AppConfig.layerFrom(variables)))
const problemsOf = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flip(read(variables)), ({ lines }) => lines)

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "repayment-config-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

describe("settings", () => {
  it.effect("have defaults for everything except the pepper", () =>
    Effect.gen(function* () {
      const settings = yield* read({ SECRET_PEPPER: PEPPER })
      assert.deepInclude(settings, {
        host: "127.0.0.1",
        port: 8080,
        databaseUrl: null,
        databasePooling: "session",
        publicUrl: "http://127.0.0.1:8080",
        mcpUrl: "http://127.0.0.1:8080/mcp",
        sandboxMonthlyCalls: 100,
        productionMonthlyCalls: 100_000,
        trustedProxyHops: 0,
        stopDelaySeconds: 0,
        claimAllowLateKeys: false,
        stripeWebhookSecret: null,
        smtpUrl: null,
        metricsPort: null
      })
      assert.deepStrictEqual(settings.databaseAllowOff, [])
      assert.isNull(settings.rateLimits.mint)
    })
  )

  it.effect("limit mints unless only this machine can reach the service", () =>
    Effect.gen(function* () {
      const fivePerHour = { calls: 5, seconds: 3600 }
      const mintLimit = (variables: Readonly<Record<string, string>>) =>
        Effect.map(read({ SECRET_PEPPER: PEPPER, ...variables }), ({ rateLimits }) => rateLimits.mint)
      for (const publicUrl of ["https://api.example.org", "http://127.0.0.1.example.org", "http://10.0.0.7:8080"])
        assert.deepStrictEqual(yield* mintLimit({ PUBLIC_URL: publicUrl }), fivePerHour)
      for (const host of ["0.0.0.0", "::", "10.0.0.7"])
        assert.deepStrictEqual(yield* mintLimit({ HOST: host }), fivePerHour)
      assert.isNull(yield* mintLimit({ HOST: "::1" }))
      assert.deepStrictEqual(yield* mintLimit({ RATE_LIMIT_MINT: "3/m" }), { calls: 3, seconds: 60 })
    })
  )

  it.effect("treat an empty variable as unset", () =>
    Effect.gen(function* () {
      const settings = yield* read({ SECRET_PEPPER: PEPPER, SMTP_URL: "", METRICS_PORT: "  ", RATE_LIMIT_KEY: "" })
      assert.isNull(settings.smtpUrl)
      assert.isNull(settings.metricsPort)
      assert.deepStrictEqual(settings.rateLimits.key, { calls: 40, seconds: 1 })
    })
  )

  it.effect("read DATABASE_ALLOW_OFF as a list of names, and refuse any other name", () =>
    Effect.gen(function* () {
      const settings = yield* read({ SECRET_PEPPER: PEPPER, DATABASE_ALLOW_OFF: "full_page_writes, fsync" })
      assert.deepStrictEqual(settings.databaseAllowOff, ["full_page_writes", "fsync"])
      for (const value of ["true", "fsync;full_page_writes", "fsync,", "synchronous_commit"]) {
        const [line] = yield* problemsOf({ SECRET_PEPPER: PEPPER, DATABASE_ALLOW_OFF: value })
        assert.match(line!, /^DATABASE_ALLOW_OFF: .*use one or more of fsync, full_page_writes/)
      }
    })
  )

  it.effect("read limits as calls per unit, or off", () =>
    Effect.gen(function* () {
      const { rateLimits } = yield* read({
        SECRET_PEPPER: PEPPER,
        RATE_LIMIT_KEY: "off",
        RATE_LIMIT_VERIFY: "7/s",
        RATE_LIMIT_CLAIM: "3/d"
      })
      assert.isNull(rateLimits.key)
      assert.deepStrictEqual(rateLimits.verify, { calls: 7, seconds: 1 })
      assert.deepStrictEqual(rateLimits.claim, { calls: 3, seconds: 86_400 })
    })
  )

  it.effect("derive the public URLs from the configured address and port", () =>
    Effect.gen(function* () {
      const { mcpUrl, publicUrl } = yield* read({ SECRET_PEPPER: PEPPER, PUBLIC_URL: "https://api.example.org/" })
      assert.deepStrictEqual([publicUrl, mcpUrl], ["https://api.example.org", "https://api.example.org/mcp"])
      assert.strictEqual(
        (yield* read({ SECRET_PEPPER: PEPPER, HOST: "::", PORT: "1" })).publicUrl,
        "http://127.0.0.1:1"
      )
      assert.strictEqual((yield* read({ SECRET_PEPPER: PEPPER, HOST: "::1", PORT: "1" })).publicUrl, "http://[::1]:1")
    })
  )
})

describe("the address of the database", () => {
  const hosts = "postgres://u:p%40ss@one:5432,two,[::1]:5433/name"
  const problemsWith = (address: string) => problemsOf({ SECRET_PEPPER: PEPPER, DATABASE_URL: address })

  it.effect("may name several hosts together with target_session_attrs=read-write", () =>
    Effect.gen(function* () {
      const address = `${hosts}?target_session_attrs=read-write`
      const { databaseUrl } = yield* read({ SECRET_PEPPER: PEPPER, DATABASE_URL: address })
      assert.deepStrictEqual(eachHost(Redacted.value(databaseUrl!)), [
        "postgres://u:p%40ss@one:5432/name?target_session_attrs=read-write",
        "postgres://u:p%40ss@two/name?target_session_attrs=read-write",
        "postgres://u:p%40ss@[::1]:5433/name?target_session_attrs=read-write"
      ])
    })
  )

  it.effect("is refused if several hosts lack target_session_attrs=read-write, or if a port is no number", () =>
    Effect.gen(function* () {
      const unclear = [
        hosts,
        `${hosts}?target_session_attrs=any`,
        "postgres://one,,two/name?target_session_attrs=primary"
      ]
      for (const address of unclear)
        assert.match((yield* problemsWith(address)).join(), /^DATABASE_URL: .*target_session_attrs=read-write$/)
      assert.match((yield* problemsWith("postgres://one:many,two/name")).join(), /^DATABASE_URL: .*use an address/)
    })
  )
})

describe("a setting that was removed", () => {
  it.effect("is refused with its replacement, together with other problems and without its value", () =>
    Effect.gen(function* () {
      for (const address of ["postgres://u:secret@two/name", "off"]) {
        const lines = yield* problemsOf({ DATABASE_READ_URL: address, PORT: "no port" })
        assert.lengthOf(lines, 2)
        const line = lines.find((one) => one.startsWith("DATABASE_READ_URL: "))
        assert.match(line!, /cache in front of the service.*several hosts in DATABASE_URL$/)
        assert.notInclude(line, address)
      }
    })
  )

  it.effect("is refused as WORKERS other than 1, with the advice to start several services", () =>
    Effect.gen(function* () {
      for (const workers of ["2", "0", "auto"])
        assert.match(
          (yield* problemsOf({ SECRET_PEPPER: PEPPER, WORKERS: workers })).join(),
          /^WORKERS: .*start several services with one DATABASE_URL.*behind a proxy/
        )
      yield* read({ SECRET_PEPPER: PEPPER, WORKERS: "1" })
    })
  )
})

describe("problems", () => {
  it.effect("are reported all at once, each with its variable and what to use", () =>
    Effect.gen(function* () {
      const lines = yield* problemsOf({
        PORT: "99999",
        DATABASE_URL: "mysql://root:hunter2@db/x",
        SECRET_PEPPER: "hunter2",
        SMTP_URL: "hunter2",
        RATE_LIMIT_KEY: "40 per second",
        LOG_LEVEL: "loud",
        TRUSTED_PROXY_HOPS: "-1",
        CLAIM_ALLOW_LATE_KEYS: "yes",
        PUBLIC_URL: "api.example.org"
      })
      const names = lines.map((line) => line.split(":")[0]).sort()
      assert.deepStrictEqual(names, [
        "CLAIM_ALLOW_LATE_KEYS",
        "DATABASE_URL",
        "LOG_LEVEL",
        "PORT",
        "PUBLIC_URL",
        "RATE_LIMIT_KEY",
        "SECRET_PEPPER",
        "SMTP_URL",
        "TRUSTED_PROXY_HOPS"
      ])
      for (const line of lines) {
        assert.match(line, /use /)
        assert.notInclude(line, "hunter2")
        assert.notInclude(line, "\n")
      }
      assert.isTrue(lines.some((line) => line.includes('"99999"') && line.includes("0 to 65535")))
    })
  )

  it.effect("name a link of the operator without a name, or with a scheme that no page should link to", () =>
    Effect.gen(function* () {
      const [alone] = yield* problemsOf({ SECRET_PEPPER: PEPPER, OPERATOR_URL: "https://example.org" })
      assert.match(alone!, /^OPERATOR_URL: .*OPERATOR_NAME/)
      const [script] = yield* problemsOf({ SECRET_PEPPER: PEPPER, OPERATOR_NAME: "x", OPERATOR_URL: "javascript:1" })
      assert.match(script!, /^OPERATOR_URL: "javascript:1" is not valid/)
    })
  )

  it.effect("quote at most 40 characters of a value", () =>
    Effect.gen(function* () {
      const [line] = yield* problemsOf({ SECRET_PEPPER: PEPPER, PORT: "x".repeat(5000) })
      assert.isBelow(line!.length, 150)
    })
  )

  it.effect("include a variable that another one requires", () =>
    Effect.gen(function* () {
      assert.match((yield* problemsOf({ DATABASE_URL: "postgres://db/x" }))[0]!, /^SECRET_PEPPER: .*DATABASE_URL/)
    })
  )

  it.effect("include each variable that a service with a database of its own requires, at once", () =>
    Effect.gen(function* () {
      const required = (variables: Readonly<Record<string, string>>) =>
        Effect.scoped(Layer.build(AppConfig.layerToServe)).pipe(
          Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord({ ...variables })),
          Effect.flip,
          Effect.map(({ lines }) => lines.map((line) => line.split(":")[0]))
        )
      const database = { DATABASE_URL: "postgres://db/x" }
      assert.deepStrictEqual(yield* required(database), ["SECRET_PEPPER", "LOG_SIGNING_KEY"])
      assert.deepStrictEqual(yield* required({ ...database, SECRET_PEPPER: PEPPER }), ["LOG_SIGNING_KEY"])
      assert.deepStrictEqual(yield* required({ ...database, SECRET_PEPPER: PEPPER, LOG_SIGNING_KEY: "x" }), [
        "LOG_SIGNING_KEY"
      ])
    })
  )

  it.effect("describe the format of the log's private key, and never show one", () =>
    Effect.gen(function* () {
      const { logSigningKey } = yield* read({ SECRET_PEPPER: PEPPER, LOG_SIGNING_KEY: "0A".repeat(32) })
      assert.strictEqual(Redacted.value(logSigningKey!), "0a".repeat(32))
      for (const wrong of ["0a".repeat(31), "key ".repeat(16)]) {
        const [line] = yield* problemsOf({ SECRET_PEPPER: PEPPER, LOG_SIGNING_KEY: wrong })
        assert.match(line!, /^LOG_SIGNING_KEY: .*64 hex digits.*openssl/)
        assert.notInclude(line!, wrong)
      }
    })
  )
})

describe("payment settings", () => {
  const STRIPE = { SECRET_PEPPER: PEPPER, STRIPE_WEBHOOK_SECRET: "whsec_1" }

  it.effect("require a price or a payment link if there is a webhook secret", () =>
    Effect.gen(function* () {
      const lines = yield* problemsOf(STRIPE)
      assert.lengthOf(lines, 1)
      assert.match(lines[0]!, /^STRIPE_WEBHOOK_SECRET: .*set STRIPE_PRICE .* or STRIPE_PAYMENT_LINK /)
      const sold = yield* read({ ...STRIPE, STRIPE_PRICE: "price_1Abc" })
      assert.deepInclude(sold, { stripePrice: "price_1Abc", stripePaymentLink: null, stripeTestMode: false })
      yield* read({ ...STRIPE, STRIPE_PAYMENT_LINK: "plink_1Abc", STRIPE_TEST_MODE: "true" })
    })
  )

  it.effect("accept only Stripe ids of the right kind, and no URLs", () =>
    Effect.gen(function* () {
      const wrong = { STRIPE_PRICE: "plink_1", STRIPE_PAYMENT_LINK: "https://buy.stripe.com/abc" }
      const lines = yield* problemsOf({ ...STRIPE, ...wrong })
      assert.deepStrictEqual(lines.map((line) => line.split(":")[0]).sort(), ["STRIPE_PAYMENT_LINK", "STRIPE_PRICE"])
      assert.isTrue(lines.some((line) => line.includes("price_")))
    })
  )
})

describe("settings of Stripe and of mail", () => {
  it.effect("refuse an API key as webhook secret, and a sender without an address", () =>
    Effect.gen(function* () {
      const wrong = { STRIPE_WEBHOOK_SECRET: "sk_live_hunter2", MAIL_FROM: "Repayment" }
      const lines = yield* problemsOf({ SECRET_PEPPER: PEPPER, STRIPE_PRICE: "price_1Abc", ...wrong })
      assert.deepStrictEqual(lines.map((line) => line.split(":")[0]).sort(), ["MAIL_FROM", "STRIPE_WEBHOOK_SECRET"])
      assert.isTrue(lines.some((line) => line.includes("begins with whsec_")))
      assert.notInclude(lines.join(), "hunter2")
      for (const MAIL_FROM of ["keys@example.org", "Repayment <keys@example.org>", "no-reply@localhost"])
        assert.strictEqual((yield* read({ SECRET_PEPPER: PEPPER, MAIL_FROM })).mailFrom, MAIL_FROM)
    })
  )
})

describe("secrets", () => {
  it.effect("are hidden when the settings are printed", () =>
    Effect.gen(function* () {
      const settings = yield* read({
        SECRET_PEPPER: PEPPER,
        DATABASE_URL: "postgres://user:hunter2@db/x",
        SMTP_URL: "smtp://user:hunter2@mail",
        STRIPE_WEBHOOK_SECRET: "whsec_hunter2",
        STRIPE_PRICE: "price_1"
      })
      const printed = `${JSON.stringify(settings)} ${String(settings.databaseUrl)} ${String(settings.smtpUrl)}`
      assert.notInclude(printed, "hunter2")
      assert.notInclude(printed, PEPPER)
    })
  )

  it.effect("include a pepper that is generated once, readable by its owner only, the same for concurrent starts", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder
      const peppers = yield* Effect.forEach(
        Array.from({ length: 8 }, () => join(dataDir, "new")),
        (path) => Effect.map(read({ DATA_DIR: path }), ({ pepper }) => Redacted.value(pepper)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(peppers).size, 1)
      assert.match(peppers[0]!, /^[0-9a-f]{64}$/)
      const path = join(dataDir, "new", "pepper")
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.strictEqual(readFileSync(path, "utf8").trim(), peppers[0])
    })
  )

  it.effect("are not replaced when the pepper file is missing next to its database, which is an error", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder
      mkdirSync(join(dataDir, "postgres", "data"), { recursive: true })
      writeFileSync(join(dataDir, "postgres", "data", "PG_VERSION"), "18\n")
      const lines = yield* problemsOf({ DATA_DIR: dataDir })
      assert.match(lines[0]!, /^SECRET_PEPPER: .*pepper is missing, although its database.*--replace-pepper$/)
      assert.isFalse(existsSync(join(dataDir, "pepper")))
      yield* read({ DATA_DIR: dataDir, SECRET_PEPPER: PEPPER })
    })
  )

  it.effect("are not replaced when the pepper file is damaged, which is an error", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder
      yield* read({ DATA_DIR: dataDir })
      const { truncateSync } = yield* Effect.promise(() => import("node:fs"))
      truncateSync(join(dataDir, "pepper"), 3)
      assert.match((yield* problemsOf({ DATA_DIR: dataDir }))[0]!, /restore it from a backup/)
    })
  )
})
