/** Configuration: defaults, all problems at once with one line each, and hidden secrets. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { AppConfig } from "../../src/platform/config.ts"
import { eachHost } from "../../src/platform/settings.ts"

const PEPPER = "p".repeat(32)
type Variables = Readonly<Record<string, string>>
const reading = (variables: Variables) => Effect.scoped(Effect.provide(AppConfig, AppConfig.layerFrom(variables)))
const read = (variables: Variables) => Effect.runPromise(reading(variables))
const problemsOf = async (variables: Variables) => (await Effect.runPromise(Effect.flip(reading(variables)))).lines

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "repayment-config-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe("settings", () => {
  it("have defaults for everything except the pepper", async () => {
    const settings = await read({ SECRET_PEPPER: PEPPER })
    expect(settings).toMatchObject({
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
    expect(settings.databaseAllowOff).toEqual([])
    expect(settings.rateLimits.mint).toBeNull()
  })

  it("limit mints unless only this machine can reach the service", async () => {
    const fivePerHour = { calls: 5, seconds: 3600 }
    const mintLimit = async (variables: Variables) =>
      (await read({ SECRET_PEPPER: PEPPER, ...variables })).rateLimits.mint
    for (const publicUrl of ["https://api.example.org", "http://127.0.0.1.example.org", "http://10.0.0.7:8080"])
      expect(await mintLimit({ PUBLIC_URL: publicUrl })).toEqual(fivePerHour)
    for (const host of ["0.0.0.0", "::", "10.0.0.7"]) expect(await mintLimit({ HOST: host })).toEqual(fivePerHour)
    expect(await mintLimit({ HOST: "::1" })).toBeNull()
    expect(await mintLimit({ RATE_LIMIT_MINT: "3/m" })).toEqual({ calls: 3, seconds: 60 })
  })

  it("treat an empty variable as unset", async () => {
    const settings = await read({ SECRET_PEPPER: PEPPER, SMTP_URL: "", METRICS_PORT: "  ", RATE_LIMIT_KEY: "" })
    expect(settings.smtpUrl).toBeNull()
    expect(settings.metricsPort).toBeNull()
    expect(settings.rateLimits.key).toEqual({ calls: 40, seconds: 1 })
  })

  it("read DATABASE_ALLOW_OFF as a list of names, and refuse any other name", async () => {
    const settings = await read({ SECRET_PEPPER: PEPPER, DATABASE_ALLOW_OFF: "full_page_writes, fsync" })
    expect(settings.databaseAllowOff).toEqual(["full_page_writes", "fsync"])
    for (const value of ["true", "fsync;full_page_writes", "fsync,", "synchronous_commit"]) {
      const [line] = await problemsOf({ SECRET_PEPPER: PEPPER, DATABASE_ALLOW_OFF: value })
      expect(line!).toMatch(/^DATABASE_ALLOW_OFF: .*use one or more of fsync, full_page_writes/)
    }
  })

  it("read limits as calls per unit, or off", async () => {
    const limits = { RATE_LIMIT_KEY: "off", RATE_LIMIT_VERIFY: "7/s", RATE_LIMIT_CLAIM: "3/d" }
    const { rateLimits } = await read({ SECRET_PEPPER: PEPPER, ...limits })
    expect(rateLimits.key).toBeNull()
    expect(rateLimits.verify).toEqual({ calls: 7, seconds: 1 })
    expect(rateLimits.claim).toEqual({ calls: 3, seconds: 86_400 })
  })

  it("derive the public URLs from the configured address and port", async () => {
    const { mcpUrl, publicUrl } = await read({ SECRET_PEPPER: PEPPER, PUBLIC_URL: "https://api.example.org/" })
    expect([publicUrl, mcpUrl]).toEqual(["https://api.example.org", "https://api.example.org/mcp"])
    expect((await read({ SECRET_PEPPER: PEPPER, HOST: "::", PORT: "1" })).publicUrl).toBe("http://127.0.0.1:1")
    expect((await read({ SECRET_PEPPER: PEPPER, HOST: "::1", PORT: "1" })).publicUrl).toBe("http://[::1]:1")
  })
})

describe("the address of the database", () => {
  const hosts = "postgres://u:p%40ss@one:5432,two,[::1]:5433/name"
  const problemsWith = (address: string) => problemsOf({ SECRET_PEPPER: PEPPER, DATABASE_URL: address })

  it("may name several hosts together with target_session_attrs=read-write", async () => {
    const address = `${hosts}?target_session_attrs=read-write`
    const { databaseUrl } = await read({ SECRET_PEPPER: PEPPER, DATABASE_URL: address })
    expect(eachHost(Redacted.value(databaseUrl!))).toEqual([
      "postgres://u:p%40ss@one:5432/name?target_session_attrs=read-write",
      "postgres://u:p%40ss@two/name?target_session_attrs=read-write",
      "postgres://u:p%40ss@[::1]:5433/name?target_session_attrs=read-write"
    ])
  })

  it("is refused if several hosts lack target_session_attrs=read-write, or if a port is no number", async () => {
    const primary = "postgres://one,,two/name?target_session_attrs=primary"
    for (const address of [hosts, `${hosts}?target_session_attrs=any`, primary])
      expect((await problemsWith(address)).join()).toMatch(/^DATABASE_URL: .*target_session_attrs=read-write$/)
    expect((await problemsWith("postgres://one:many,two/name")).join()).toMatch(/^DATABASE_URL: .*use an address/)
  })
})

describe("a setting that was removed", () => {
  it("is refused with its replacement, together with other problems and without its value", async () => {
    for (const address of ["postgres://u:secret@two/name", "off"]) {
      const lines = await problemsOf({ DATABASE_READ_URL: address, PORT: "no port" })
      expect(lines).toHaveLength(2)
      const line = lines.find((one) => one.startsWith("DATABASE_READ_URL: "))
      expect(line!).toMatch(/cache in front of the service.*several hosts in DATABASE_URL$/)
      expect(line).not.toContain(address)
    }
  })

  it("is refused as WORKERS other than 1, with the advice to start several services", async () => {
    for (const workers of ["2", "0", "auto"])
      expect((await problemsOf({ SECRET_PEPPER: PEPPER, WORKERS: workers })).join()).toMatch(
        /^WORKERS: .*start several services with one DATABASE_URL.*behind a proxy/
      )
    await read({ SECRET_PEPPER: PEPPER, WORKERS: "1" })
  })
})

describe("problems", () => {
  it("are reported all at once, each with its variable and what to use", async () => {
    const wrong = {
      PORT: "99999",
      DATABASE_URL: "mysql://root:hunter2@db/x",
      SECRET_PEPPER: "hunter2",
      SMTP_URL: "hunter2",
      RATE_LIMIT_KEY: "40 per second",
      LOG_LEVEL: "loud",
      TRUSTED_PROXY_HOPS: "-1",
      CLAIM_ALLOW_LATE_KEYS: "yes",
      PUBLIC_URL: "api.example.org"
    }
    const lines = await problemsOf(wrong)
    expect(lines.map((line) => line.split(":")[0]).sort()).toEqual(Object.keys(wrong).sort())
    for (const line of lines) {
      expect(line).toMatch(/use /)
      expect(line).not.toContain("hunter2")
      expect(line).not.toContain("\n")
    }
    expect(lines.some((line) => line.includes('"99999"') && line.includes("0 to 65535"))).toBe(true)
  })

  it("name a link of the operator without a name, or with a scheme that no page should link to", async () => {
    const [alone] = await problemsOf({ SECRET_PEPPER: PEPPER, OPERATOR_URL: "https://example.org" })
    expect(alone!).toMatch(/^OPERATOR_URL: .*OPERATOR_NAME/)
    const [script] = await problemsOf({ SECRET_PEPPER: PEPPER, OPERATOR_NAME: "x", OPERATOR_URL: "javascript:1" })
    expect(script!).toMatch(/^OPERATOR_URL: "javascript:1" is not valid/)
    const twoLines = "https://example.org/\r\nContact: mailto:other@example.org"
    const [lines] = await problemsOf({ SECRET_PEPPER: PEPPER, OPERATOR_NAME: "x", OPERATOR_URL: twoLines })
    expect(lines!).toMatch(/^OPERATOR_URL: .* is not valid/)
  })

  it("quote at most 40 characters of a value", async () => {
    const [line] = await problemsOf({ SECRET_PEPPER: PEPPER, PORT: "x".repeat(5000) })
    expect(line!.length).toBeLessThan(150)
  })

  it("include a variable that another one requires", async () => {
    expect((await problemsOf({ DATABASE_URL: "postgres://db/x" }))[0]!).toMatch(/^SECRET_PEPPER: .*DATABASE_URL/)
  })

  it("include each variable that a service with a database of its own requires, at once", async () => {
    const required = async (variables: Variables) => {
      const { lines } = await Effect.scoped(Layer.build(AppConfig.layerToServe)).pipe(
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord({ ...variables })),
        Effect.flip,
        Effect.runPromise
      )
      return lines.map((line) => line.split(":")[0])
    }
    const database = { DATABASE_URL: "postgres://db/x" }
    expect(await required(database)).toEqual(["SECRET_PEPPER", "LOG_SIGNING_KEY"])
    expect(await required({ ...database, SECRET_PEPPER: PEPPER })).toEqual(["LOG_SIGNING_KEY"])
    expect(await required({ ...database, SECRET_PEPPER: PEPPER, LOG_SIGNING_KEY: "x" })).toEqual(["LOG_SIGNING_KEY"])
  })

  it("describe the format of the log's private key, and never show one", async () => {
    const { logSigningKey } = await read({ SECRET_PEPPER: PEPPER, LOG_SIGNING_KEY: "0A".repeat(32) })
    expect(Redacted.value(logSigningKey!)).toBe("0a".repeat(32))
    for (const wrong of ["0a".repeat(31), "key ".repeat(16)]) {
      const [line] = await problemsOf({ SECRET_PEPPER: PEPPER, LOG_SIGNING_KEY: wrong })
      expect(line!).toMatch(/^LOG_SIGNING_KEY: .*64 hex digits.*openssl/)
      expect(line!).not.toContain(wrong)
    }
  })
})

describe("payment settings", () => {
  const STRIPE = { SECRET_PEPPER: PEPPER, STRIPE_WEBHOOK_SECRET: "whsec_1" }

  it("require a price or a payment link if there is a webhook secret", async () => {
    const lines = await problemsOf(STRIPE)
    expect(lines).toHaveLength(1)
    expect(lines[0]!).toMatch(/^STRIPE_WEBHOOK_SECRET: .*set STRIPE_PRICE .* or STRIPE_PAYMENT_LINK /)
    const sold = await read({ ...STRIPE, STRIPE_PRICE: "price_1Abc" })
    expect(sold).toMatchObject({ stripePrice: "price_1Abc", stripePaymentLink: null, stripeTestMode: false })
    await read({ ...STRIPE, STRIPE_PAYMENT_LINK: "plink_1Abc", STRIPE_TEST_MODE: "true" })
  })

  it("accept only Stripe ids of the right kind, and no URLs", async () => {
    const wrong = { STRIPE_PRICE: "plink_1", STRIPE_PAYMENT_LINK: "https://buy.stripe.com/abc" }
    const lines = await problemsOf({ ...STRIPE, ...wrong })
    expect(lines.map((line) => line.split(":")[0]).sort()).toEqual(["STRIPE_PAYMENT_LINK", "STRIPE_PRICE"])
    expect(lines.some((line) => line.includes("price_"))).toBe(true)
  })
})

describe("settings of Stripe and of mail", () => {
  it("refuse an API key as webhook secret, and a sender without an address", async () => {
    const wrong = { STRIPE_WEBHOOK_SECRET: "sk_live_hunter2", MAIL_FROM: "Repayment" }
    const lines = await problemsOf({ SECRET_PEPPER: PEPPER, STRIPE_PRICE: "price_1Abc", ...wrong })
    expect(lines.map((line) => line.split(":")[0]).sort()).toEqual(["MAIL_FROM", "STRIPE_WEBHOOK_SECRET"])
    expect(lines.some((line) => line.includes("begins with whsec_"))).toBe(true)
    expect(lines.join()).not.toContain("hunter2")
    for (const MAIL_FROM of ["keys@example.org", "Repayment <keys@example.org>", "no-reply@localhost"])
      expect((await read({ SECRET_PEPPER: PEPPER, MAIL_FROM })).mailFrom).toBe(MAIL_FROM)
  })
})

describe("secrets", () => {
  it("are hidden when the settings are printed", async () => {
    const settings = await read({
      SECRET_PEPPER: PEPPER,
      DATABASE_URL: "postgres://user:hunter2@db/x",
      SMTP_URL: "smtp://user:hunter2@mail",
      STRIPE_WEBHOOK_SECRET: "whsec_hunter2",
      STRIPE_PRICE: "price_1"
    })
    const printed = `${JSON.stringify(settings)} ${String(settings.databaseUrl)} ${String(settings.smtpUrl)}`
    expect(printed).not.toContain("hunter2")
    expect(printed).not.toContain(PEPPER)
  })

  it("include a pepper that is generated once, readable by its owner only, the same for concurrent starts", async () => {
    const dataDir = newFolder()
    const starts = Array.from({ length: 8 }, () => read({ DATA_DIR: join(dataDir, "new") }))
    const peppers = (await Promise.all(starts)).map(({ pepper }) => Redacted.value(pepper))
    expect(new Set(peppers).size).toBe(1)
    expect(peppers[0]!).toMatch(/^[0-9a-f]{64}$/)
    const path = join(dataDir, "new", "pepper")
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, "utf8").trim()).toBe(peppers[0])
  })

  it("are not replaced when the pepper file is missing next to its database, which is an error", async () => {
    const dataDir = newFolder()
    mkdirSync(join(dataDir, "postgres", "data"), { recursive: true })
    writeFileSync(join(dataDir, "postgres", "data", "PG_VERSION"), "18\n")
    const lines = await problemsOf({ DATA_DIR: dataDir })
    expect(lines[0]!).toMatch(/^SECRET_PEPPER: .*pepper is missing, although its database.*--replace-pepper$/)
    expect(existsSync(join(dataDir, "pepper"))).toBe(false)
    await read({ DATA_DIR: dataDir, SECRET_PEPPER: PEPPER })
  })

  it("are not replaced when the pepper file is damaged, which is an error", async () => {
    const dataDir = newFolder()
    await read({ DATA_DIR: dataDir })
    truncateSync(join(dataDir, "pepper"), 3)
    expect((await problemsOf({ DATA_DIR: dataDir }))[0]!).toMatch(/restore it from a backup/)
  })
})
