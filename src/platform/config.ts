/**
 * All settings of the service, read once from the environment; no other file reads it. All problems
 * are reported together, one line each: the variable, its value (never a secret), and what to use
 * instead.
 */
import { execFileSync } from "node:child_process"
import { resolve } from "node:path"
import { Config, ConfigProvider, Context, Data, Effect, Layer, Record, Redacted, Result } from "effect"
import { buildCommit } from "./buildCommit.ts"
import { combinationProblems } from "./crossChecks.ts"
import { Launch } from "./launch.ts"
import { isInUse, keptPepper } from "./pepperFile.ts"
import {
  address,
  databaseAddress,
  flag,
  oneOf,
  plainText,
  policyText,
  type RateLimit,
  type Reading,
  rateLimit,
  secret,
  sender,
  signingKey,
  someOf,
  stripeId,
  webhookSecret,
  wholeNumber
} from "./settings.ts"

export type { RateLimit } from "./settings.ts"

/**
 * Default limits, which RATE_LIMIT_<NAME> overrides. Calls (`key`) and refused bodies are limited
 * per API key, the others per client address. Creating sandbox keys (`mint`) is unlimited while
 * only this machine can reach the service.
 */
const RATE_LIMITS = {
  key: { calls: 40, seconds: 1 },
  refused: { calls: 40, seconds: 1 },
  unknown: { calls: 10, seconds: 1 },
  verify: { calls: 60, seconds: 60 },
  log: { calls: 20, seconds: 1 },
  claim: { calls: 10, seconds: 60 },
  mint: { calls: 5, seconds: 3600 },
  keyless: { calls: 60, seconds: 60 },
  reference: { calls: 10, seconds: 60 }
} as const

export type RateLimitBucket = keyof typeof RATE_LIMITS

/** The configuration is not valid; each line names a variable and says what to use. */
export class ConfigProblems extends Data.TaggedError("ConfigProblems")<{ readonly lines: ReadonlyArray<string> }> {
  override get message(): string {
    return this.lines.join("\n")
  }
}

/** No database is configured, and the data folder has none. */
export class NoInstallation extends Data.TaggedError("NoInstallation")<{ readonly dataDir: string }> {}

const MAX_ECHO_CHARACTERS = 40
const PEPPER_CHARACTERS = 32

const LOG_LEVELS = {
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  warning: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None"
} as const

const echo = (text: string): string =>
  JSON.stringify(text.length > MAX_ECHO_CHARACTERS ? `${text.slice(0, MAX_ECHO_CHARACTERS)}...` : text)

/**
 * Readers of variables. They add the names of variables that are set to `given`, and problems to
 * `lines`. An empty variable counts as not set.
 */
const reader = (lines: Array<string>, given: Array<string>) => {
  const raw = (name: string) =>
    Config.option(Config.String(name)).pipe(
      Effect.map((found) => (found._tag === "Some" && found.value.trim() !== "" ? found.value.trim() : undefined)),
      Effect.tap((text) => Effect.sync(() => text !== undefined && given.push(name))),
      Effect.catch(() => {
        lines.push(`${name}: cannot be read as text; use one line of text`)
        return Effect.succeed(undefined)
      })
    )
  const read = <A, B>(name: string, reading: Reading<A>, absent: B, show: (text: string) => string) =>
    Effect.map(raw(name), (text): A | B => {
      if (text === undefined) return absent
      const result = reading(text)
      if (Result.isSuccess(result)) return result.success
      lines.push(`${name}: ${show(text)} is not valid; ${result.failure}`)
      return absent
    })
  return {
    plain: <A, B>(name: string, reading: Reading<A>, absent: B) => read(name, reading, absent, echo),
    secret: (name: string, reading: Reading<string>) =>
      Effect.map(
        read(name, reading, null, (text) => `its value (${text.length} characters, not shown)`),
        (value) => (value === null ? null : Redacted.make(value, { label: name }))
      ),
    /**
     * A setting that no longer exists. A start that relies on it is refused, unless its value is
     * `harmless`.
     */
    removed: (name: string, instead: string, harmless?: string) =>
      Effect.map(raw(name), (text) => {
        if (text !== undefined && text !== harmless) lines.push(`${name}: is no longer a setting; ${instead}`)
      })
  }
}

/** The commit of the git checkout that this file is in; null outside a checkout. */
const checkoutCommit = (): string | null => {
  try {
    const [root, commit] = execFileSync("git", ["rev-parse", "--show-toplevel", "HEAD"], {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    }).split("\n")
    // Not the commit of a project that this is installed in.
    return root === resolve(import.meta.dirname, "../..") ? commit! : null
  } catch {
    return null
  }
}

/** A package knows its commit; an image gets it from BUILD_COMMIT. */
const readBuildCommit = (from: ReturnType<typeof reader>): Effect.Effect<string | null> =>
  from.plain("BUILD_COMMIT", plainText, buildCommit)

const WILDCARD_HOSTS = ["0.0.0.0", "::"]

/** The address at which a browser on this machine reaches a listener on `host`. */
const localAddress = (host: string, port: number): string => {
  const shown = WILDCARD_HOSTS.includes(host) ? "127.0.0.1" : host
  return `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`
}

/** Whether only programs on this machine can reach the host. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)

/** Whether an address names this machine. */
export const isOwnAddress = (url: string): boolean => isLoopback(new URL(url).hostname.replace(/^\[(.*)\]$/, "$1"))

const readRateLimits = (from: ReturnType<typeof reader>, local: boolean) => {
  const limits: Readonly<Record<RateLimitBucket, RateLimit>> = local ? { ...RATE_LIMITS, mint: null } : RATE_LIMITS
  return Effect.all(
    Record.map(limits, (limit, bucket) => from.plain(`RATE_LIMIT_${bucket.toUpperCase()}`, rateLimit, limit))
  )
}

const UNSAFE = ["fsync", "full_page_writes"] as const
type Unsafe = (typeof UNSAFE)[number]

const WEB = ["http:", "https:"]
const SMTP = address(["smtp:", "smtps:"], "smtps://user:password@mail.example.org")

const readDatabase = (from: ReturnType<typeof reader>) =>
  Effect.all({
    /** null means the embedded database in the data folder. */
    databaseUrl: from.secret("DATABASE_URL", databaseAddress),
    /** The time for which a pooler in front of the database lends a session. */
    databasePooling: from.plain(
      "DATABASE_POOLING",
      oneOf({ session: "session", transaction: "transaction" } as const),
      "session" as const
    )
  })

const readSettings = Effect.fnUntraced(function* (lines: Array<string>) {
  const given: Array<string> = []
  const from = reader(lines, given)
  const host = yield* from.plain("HOST", plainText, "127.0.0.1")
  const port = yield* from.plain("PORT", wholeNumber(0, 65_535), 8080)
  const publicUrl = yield* from.plain("PUBLIC_URL", address(WEB, "https://api.example.org"), localAddress(host, port))
  const { folder, isTerminal } = yield* Launch
  yield* from.removed(
    "DATABASE_READ_URL",
    "to serve more reads put an HTTP cache in front of the service; for failover name several hosts in DATABASE_URL"
  )
  yield* from.removed(
    "WORKERS",
    "start several services with one DATABASE_URL, each with a HOST or PORT of its own, behind a proxy, as deploy/systemd does",
    "1"
  )
  return {
    /** The names of the variables that are set, in the order of reading. */
    given: given as ReadonlyArray<string>,
    host,
    port,
    ...(yield* readDatabase(from)),
    /** Durability settings that may be off on the server. */
    databaseAllowOff: yield* from.plain("DATABASE_ALLOW_OFF", someOf(UNSAFE), [] as ReadonlyArray<Unsafe>),
    dataDir: resolve(folder, yield* from.plain("DATA_DIR", plainText, "./.data")),
    /** Without a trailing slash. */
    publicUrl,
    mcpUrl: yield* from.plain("MCP_URL", address(WEB, "https://api.example.org/mcp"), `${publicUrl}/mcp`),
    /** The operator of the installation, for people and for programs. */
    operator: {
      name: yield* from.plain("OPERATOR_NAME", plainText, null),
      url: yield* from.plain("OPERATOR_URL", address([...WEB, "mailto:"], "https://example.org"), null)
    },
    pepper: yield* from.secret("SECRET_PEPPER", secret(PEPPER_CHARACTERS)),
    previousPepper: yield* from.secret("SECRET_PEPPER_PREVIOUS", secret(PEPPER_CHARACTERS)),
    /** The private key that signs the log of records, in hex; null: the one kept in `dataDir`. */
    logSigningKey: yield* from.secret("LOG_SIGNING_KEY", signingKey),
    previousLogSigningKey: yield* from.secret("LOG_SIGNING_KEY_PREVIOUS", signingKey),
    /** The verifier key of a lost private key, whose last signature is still trusted. */
    logKeyLost: yield* from.plain("LOG_KEY_LOST", plainText, null),
    /** The file, or the text, of the trust policy whose witnesses are asked to cosign the log. */
    logWitnesses: yield* Effect.map(from.plain("LOG_WITNESSES", plainText, null), (file) =>
      file === null ? null : resolve(folder, file)
    ),
    logWitnessesText: yield* from.plain("LOG_WITNESSES_TEXT", policyText, null),
    logWitnessSeconds: yield* from.plain("LOG_WITNESS_SECONDS", wholeNumber(1, 86_400), 60),
    sandboxMonthlyCalls: yield* from.plain("SANDBOX_MONTHLY_CALLS", wholeNumber(0, 1_000_000_000), 100),
    productionMonthlyCalls: yield* from.plain("PRODUCTION_MONTHLY_CALLS", wholeNumber(0, 1_000_000_000), 100_000),
    rateLimits: yield* readRateLimits(from, isLoopback(host) && isOwnAddress(publicUrl)),
    /** Claims of one subscription's key. */
    subscriptionClaimLimit: yield* from.plain("RATE_LIMIT_SUBSCRIPTION", rateLimit, { calls: 10, seconds: 86_400 }),
    /** Mails about keys to one mailbox, whoever requests them. */
    mailboxLimit: yield* from.plain("RATE_LIMIT_MAILBOX", rateLimit, { calls: 5, seconds: 86_400 }),
    /** Mails about keys, to all mailboxes together. */
    sandboxMailLimit: yield* from.plain("RATE_LIMIT_SANDBOX_MAILS", rateLimit, { calls: 100, seconds: 3600 }),
    trustedProxyHops: yield* from.plain("TRUSTED_PROXY_HOPS", wholeNumber(0, 10), 0),
    /** Without PAYMENT_LINK a page of the service, which says that no keys are sold. */
    paymentLink: yield* from.plain(
      "PAYMENT_LINK",
      address(WEB, "https://buy.stripe.com/..."),
      `${publicUrl}/subscribe`
    ),
    stripeWebhookSecret: yield* from.secret("STRIPE_WEBHOOK_SECRET", webhookSecret),
    /**
     * The price whose payments entitle to a production key. With a webhook secret, this or the
     * payment link is required.
     */
    stripePrice: yield* from.plain("STRIPE_PRICE", stripeId("price_"), null),
    stripePaymentLink: yield* from.plain("STRIPE_PAYMENT_LINK", stripeId("plink_"), null),
    stripeTestMode: yield* from.plain("STRIPE_TEST_MODE", flag, false),
    smtpUrl: yield* from.secret("SMTP_URL", SMTP),
    mailFrom: yield* from.plain("MAIL_FROM", sender, "no-reply@localhost"),
    logLevel: yield* from.plain("LOG_LEVEL", oneOf(LOG_LEVELS), "Info" as const),
    logFormat: yield* from.plain(
      "LOG_FORMAT",
      oneOf({ pretty: "pretty", json: "json" } as const),
      isTerminal ? ("pretty" as const) : ("json" as const)
    ),
    otlpEndpoint: yield* from.plain("OTEL_EXPORTER_OTLP_ENDPOINT", address(WEB, "http://127.0.0.1:4318"), null),
    metricsPort: yield* from.plain("METRICS_PORT", wholeNumber(0, 65_535), null),
    /** Time for which calls are served after a stop signal, while /ready reports the stop. */
    stopDelaySeconds: yield* from.plain("STOP_DELAY_SECONDS", wholeNumber(0, 300), 0),
    claimAllowLateKeys: yield* from.plain("CLAIM_ALLOW_LATE_KEYS", flag, false),
    /** The commit that /health and the metrics report; null if unknown. */
    buildCommit: (yield* readBuildCommit(from)) ?? checkoutCommit()
  }
})

/** Reads and checks everything except the pepper. */
const checkedSettings = Effect.fnUntraced(function* (isServing = false) {
  const lines: Array<string> = []
  const read = yield* readSettings(lines)
  lines.push(...combinationProblems(read, lines, isServing))
  return lines.length > 0 ? yield* new ConfigProblems({ lines }) : read
})

type Checked = Effect.Success<ReturnType<typeof checkedSettings>>

export interface Settings extends Readonly<Omit<Checked, "pepper">> {
  readonly pepper: Redacted.Redacted<string>
}

const withPepper = Effect.fnUntraced(function* (read: Checked) {
  if (read.pepper !== null) return { ...read, pepper: read.pepper }
  const kept = yield* keptPepper(read.dataDir).pipe(Effect.mapError((line) => new ConfigProblems({ lines: [line] })))
  return { ...read, pepper: Redacted.make(kept, { label: "SECRET_PEPPER" }) }
})

/** All settings. The only side effect: without SECRET_PEPPER a pepper file is created. */
const settings: Effect.Effect<Settings, ConfigProblems> = Effect.flatMap(checkedSettings(), withPepper)

/** The settings of an existing installation, which has a pepper already; creates nothing. */
const settingsInUse: Effect.Effect<Settings, ConfigProblems | NoInstallation> = Effect.flatMap(
  checkedSettings(),
  (read): Effect.Effect<Settings, ConfigProblems | NoInstallation> =>
    read.databaseUrl === null && !isInUse(read.dataDir)
      ? Effect.fail(new NoInstallation({ dataDir: read.dataDir }))
      : withPepper(read)
)

export class AppConfig extends Context.Service<AppConfig, Settings>()("repayment-of-record/AppConfig") {
  /** From the process environment, or from the `ConfigProvider` that the context provides. */
  static readonly layer: Layer.Layer<AppConfig, ConfigProblems> = Layer.effect(AppConfig, settings)

  /** The same, with settings that only a service needs, so that a start reports all problems. */
  static readonly layerToServe: Layer.Layer<AppConfig, ConfigProblems> = Layer.effect(
    AppConfig,
    Effect.flatMap(checkedSettings(true), withPepper)
  )

  /** The same for an existing installation. */
  static readonly layerInUse: Layer.Layer<AppConfig, ConfigProblems | NoInstallation> = Layer.effect(
    AppConfig,
    settingsInUse
  )

  /** From the given variables only. Always a new layer, because layers are memoized by identity. */
  static readonly layerFrom = (variables: Readonly<Record<string, string>>): Layer.Layer<AppConfig, ConfigProblems> =>
    Layer.effect(
      AppConfig,
      Effect.provideService(settings, ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord({ ...variables }))
    )
}

/**
 * The commit that this was built from, for commands that need no other setting; null if unknown.
 */
export const buildCommitHere: Effect.Effect<string | null> = Effect.suspend(() => readBuildCommit(reader([], [])))

/**
 * The address of the database that a portfolio's workers share. They need no other setting or
 * secret of a service.
 */
export const sharedDatabase = Effect.gen(function* () {
  const lines: Array<string> = []
  const { databasePooling, databaseUrl } = yield* readDatabase(reader(lines, []))
  if (databaseUrl === null && lines.length === 0)
    lines.push(
      "DATABASE_URL: is required, because runs and workers share that database; use postgres://user:password@host:5432/database"
    )
  if (databasePooling === "transaction")
    lines.push(
      "DATABASE_POOLING: cannot be transaction, because each worker keeps a session open; name the server itself in DATABASE_URL, or a pooler in session mode"
    )
  return databaseUrl === null || lines.length > 0 ? yield* new ConfigProblems({ lines }) : databaseUrl
})
