/**
 * Checks of settings that are each valid but wrong in combination, or unfit for a public service.
 * Combinations that are always wrong fail the configuration itself (crossChecks.ts).
 */
import { Redacted } from "effect"
import { isLoopback, isOwnAddress, type Settings } from "../../../platform/config.ts"
import { eachHost } from "../../../platform/settings.ts"
import { ok, type Verdict, warning, wrong } from "./finding.ts"

const isPublic = ({ publicUrl }: Settings): boolean => !isOwnAddress(publicUrl)
const isSecure = ({ publicUrl }: Settings): boolean => publicUrl.startsWith("https:")
const sells = ({ stripeWebhookSecret }: Settings): boolean => stripeWebhookSecret !== null
const isSame = (one: Redacted.Redacted<string> | null, other: Redacted.Redacted<string> | null): boolean =>
  one !== null && other !== null && Redacted.value(one) === Redacted.value(other)

const ENCRYPTED = ["require", "verify-ca", "verify-full"]

/** True if a remote database host does not require TLS. An empty host is a socket. */
const isInTheClear = ({ databaseUrl }: Settings): boolean =>
  databaseUrl !== null &&
  eachHost(Redacted.value(databaseUrl))
    .map((one) => new URL(one))
    .some(
      ({ hostname, searchParams }) =>
        hostname !== "" && !isLoopback(hostname) && !ENCRYPTED.includes(searchParams.get("sslmode") ?? "")
    )

interface Rule {
  readonly check: "settings" | "proxy" | "payments" | "mail"
  readonly applies: (settings: Settings) => boolean
  readonly verdict: Verdict
}

const RULES: ReadonlyArray<Rule> = [
  {
    check: "settings",
    applies: (config) => config.databaseUrl !== null && config.logSigningKey === null,
    verdict: wrong("LOG_SIGNING_KEY is required with DATABASE_URL", "set it to 64 hex digits: openssl rand -hex 32")
  },
  {
    check: "settings",
    applies: (config) => !isPublic(config) && !isLoopback(config.host),
    verdict: warning(
      "HOST accepts calls from other machines, but PUBLIC_URL makes links that work only on this one",
      "set PUBLIC_URL to the address that callers use"
    )
  },
  {
    check: "settings",
    applies: (config) => isPublic(config) && !isSecure(config),
    verdict: warning("PUBLIC_URL is http: keys travel in the clear", "put TLS in front, and set PUBLIC_URL to https")
  },
  {
    check: "settings",
    applies: isInTheClear,
    verdict: warning(
      "the database is on another machine, and its sessions are not encrypted",
      "end DATABASE_URL with ?sslmode=verify-full, unless you own the network between them"
    )
  },
  {
    check: "settings",
    applies: (config) =>
      isSame(config.pepper, config.previousPepper) || isSame(config.logSigningKey, config.previousLogSigningKey),
    verdict: wrong("a secret and its _PREVIOUS are the same", "set _PREVIOUS to the old one, or leave it out")
  },
  {
    check: "settings",
    applies: (config) =>
      config.previousPepper !== null || config.previousLogSigningKey !== null || config.logKeyLost !== null,
    verdict: warning(
      "a secret is being replaced (_PREVIOUS or LOG_KEY_LOST is set)",
      "remove the old one when it is no longer needed (docs/backup.md)"
    )
  },
  {
    check: "settings",
    applies: (config) => config.databaseAllowOff.length > 0,
    verdict: warning(
      "DATABASE_ALLOW_OFF lets a crash lose answers",
      "remove it, unless your storage survives a crash without it"
    )
  },
  {
    check: "settings",
    applies: (config) => isPublic(config) && Object.values(config.rateLimits).includes(null),
    verdict: warning(
      "a RATE_LIMIT is off, although anyone can call this service",
      "use the default, or limit calls in the proxy"
    )
  },
  {
    check: "proxy",
    applies: (config) => isPublic(config) && isSecure(config) && config.trustedProxyHops === 0,
    verdict: wrong(
      "PUBLIC_URL is https, so there is a proxy, and TRUSTED_PROXY_HOPS is 0: all clients count as one address",
      "set TRUSTED_PROXY_HOPS to the number of proxies that add to X-Forwarded-For, usually 1"
    )
  },
  {
    check: "proxy",
    applies: (config) => !isPublic(config) && config.trustedProxyHops > 0,
    verdict: warning(
      "PUBLIC_URL names this machine, but TRUSTED_PROXY_HOPS is above 0: without a proxy, callers can fake their address",
      "set TRUSTED_PROXY_HOPS to 0, or PUBLIC_URL to the address of the proxy"
    )
  },
  {
    check: "payments",
    applies: (config) => !sells(config) && (config.stripePrice !== null || config.stripePaymentLink !== null),
    verdict: wrong(
      "STRIPE_PRICE or STRIPE_PAYMENT_LINK is set, but no payment is accepted",
      "set STRIPE_WEBHOOK_SECRET"
    )
  },
  {
    check: "payments",
    applies: (config) => sells(config) && !config.given.includes("PAYMENT_LINK"),
    verdict: wrong("payers are sent to /subscribe, which sells nothing", "set PAYMENT_LINK to your Stripe payment link")
  },
  {
    check: "payments",
    applies: (config) => sells(config) && config.stripeTestMode,
    verdict: warning("STRIPE_TEST_MODE is true: test money buys keys", "leave it out where keys are sold")
  },
  {
    check: "mail",
    applies: (config) => sells(config) && config.smtpUrl === null,
    verdict: wrong("keys are sold, but cannot be mailed: SMTP_URL is not set", "set SMTP_URL and MAIL_FROM")
  },
  {
    check: "mail",
    applies: (config) => config.smtpUrl !== null && !config.given.includes("MAIL_FROM"),
    verdict: wrong("mails come from no-reply@localhost, which servers refuse", "set MAIL_FROM to an address of yours")
  }
]

const OK_DETAILS: Readonly<Record<"settings" | "proxy" | "payments", (settings: Settings) => string>> = {
  settings: () => "no settings contradict each other",
  proxy: ({ trustedProxyHops }) => `TRUSTED_PROXY_HOPS is ${trustedProxyHops}`,
  payments: (config) => (sells(config) ? "Stripe's settings are complete" : "no payments are taken")
}

/** The verdicts of the rules of one check that apply. */
export const problemsIn = (settings: Settings, check: Rule["check"]): ReadonlyArray<Verdict> =>
  RULES.filter((rule) => rule.check === check && rule.applies(settings)).map(({ verdict }) => verdict)

export const settingsFindings = (settings: Settings) =>
  (["settings", "proxy", "payments"] as const).flatMap((check) => {
    const problems = problemsIn(settings, check)
    return (problems.length > 0 ? problems : [ok(OK_DETAILS[check](settings))]).map((verdict) => ({
      check,
      ...verdict
    }))
  })

export const givenSettings = ({ given }: Settings): Verdict =>
  ok(given.length === 0 ? "nothing is set: all settings have their defaults" : `set: ${given.join(", ")}`)
