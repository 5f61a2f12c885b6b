/**
 * API keys: who is calling, and the free sandbox key. A key is shown once and kept as a keyed hash. Production keys
 * are made by Subscriptions and Outbox, the charge of a call is Quota's.
 */
import { randomUUID } from "node:crypto"
import { Clock, Context, Data, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig, type Settings } from "../../config.ts"
import { type LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import { queueMail } from "../mail/queue.ts"
import { hashOf, newSecret, prefixOf, type Tier, tierOf } from "./apiKey.ts"
import { dateText, monthOf, type Period } from "./month.ts"

/** Unknown, revoked, expired or malformed: one refusal for all, so that none can be told from another. */
export class KeyRefused extends Data.TaggedError("KeyRefused") {}

export interface Usage extends Period {
  readonly limit: number
  /** At most the limit. */
  readonly used: number
}

export interface Caller {
  readonly keyId: string
  readonly tenant: string
  readonly keyPrefix: string
  readonly tier: Tier
  readonly plan: string
  /** Of the month in which the call arrived. */
  readonly usage: Usage
}

export interface MintedKey {
  readonly keyId: string
  /** Shown once. */
  readonly apiKey: Redacted.Redacted<string>
  readonly keyPrefix: string
  readonly tier: Tier
  readonly monthlyCallLimit: number
  readonly expiresAt: Date | null
  readonly tenant: string
}

const SANDBOX_DAYS = 30
const MILLISECONDS_PER_DAY = 86_400_000
const PLAN: Readonly<Record<Tier, string>> = { Sandbox: "sandbox", Production: "production-monthly" }

const monthlyCallsOf = (tier: Tier, settings: Settings): number =>
  tier === "Sandbox" ? settings.sandboxMonthlyCalls : settings.productionMonthlyCalls

/** An address as keys and subscriptions know it. */
export const normalizedEmail = (email: string): string => email.trim().toLowerCase()

interface FoundKey {
  readonly id: string
  readonly tenant: string
  readonly prefix: string
  readonly tier: Tier
  readonly used: number
}

export class Keys extends Context.Service<
  Keys,
  {
    /** Whose key this is, with the figures of the month in which the call arrives. */
    readonly authenticate: (secret: string) => Effect.Effect<Caller, KeyRefused | LedgerUnavailable>
    /** A sandbox key of its own tenant for 30 days; the address's previous one stops working in the same instant. */
    readonly mintSandbox: (email: string) => Effect.Effect<MintedKey, LedgerUnavailable>
  }
>()("repayment-of-record/Keys") {
  static readonly layer: Layer.Layer<Keys, never, SqlClient.SqlClient | AppConfig> = Layer.effect(
    Keys,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const settings = yield* AppConfig
      const pepper = Redacted.value(settings.pepper)
      const previous = Redacted.value(settings.previousPepper ?? settings.pepper)

      /** One query: the key under this pepper or the one before, and its use in the period. */
      const find = (secret: string, now: Date, period: Period) =>
        sql<FoundKey>`
          SELECT key.id, key.tenant, key.prefix, key.tier, coalesce(usage.used, 0) AS used
          FROM api_key AS key
          LEFT JOIN usage ON usage.key_id = key.id AND usage.period = ${dateText(period.periodStart)}::date
          WHERE key.hash IN (${hashOf(pepper, secret)}, ${hashOf(previous, secret)})
            AND key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > ${now})`

      /**
       * Two mints for one address at once: the lock makes the second see the first one's key and revoke it. Without
       * the lock both would revoke only the old key, and the unique index would fail one of them.
       */
      const replaceSandbox = (key: MintedKey, secret: string, email: string, now: Date) =>
        Effect.gen(function* () {
          yield* sql`SELECT pg_advisory_xact_lock(hashtextextended(${`sandbox ${email}`}, 0))`
          yield* sql`
            UPDATE api_key SET revoked_at = ${now}, revoked_reason = 'minted-again'
            WHERE email = ${email} AND tier = 'Sandbox' AND revoked_at IS NULL`
          yield* sql`
            INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at)
            VALUES (${key.keyId}, ${hashOf(pepper, secret)}, ${key.keyPrefix}, 'Sandbox', ${key.tenant}, ${email},
              'mint', ${now}, ${key.expiresAt})`
          yield* queueMail(sql, { kind: "sandbox-minted", mailTo: email, keyPrefix: key.keyPrefix, now })
        })

      return Keys.of({
        authenticate: Effect.fn("Keys.authenticate")(function* (secret) {
          if (tierOf(secret) === undefined) return yield* new KeyRefused()
          const now = new Date(yield* Clock.currentTimeMillis)
          const period = monthOf(now)
          const [key] = yield* find(secret, now, period).pipe(ledgerCall("authenticate"))
          if (key === undefined) return yield* new KeyRefused()
          const limit = monthlyCallsOf(key.tier, settings)
          return {
            keyId: key.id,
            tenant: key.tenant,
            keyPrefix: key.prefix,
            tier: key.tier,
            plan: PLAN[key.tier],
            usage: { ...period, limit, used: Math.min(key.used, limit) }
          }
        }),
        mintSandbox: Effect.fn("Keys.mintSandbox")(function* (email) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const secret = newSecret("Sandbox")
          const minted: MintedKey = {
            keyId: randomUUID(),
            apiKey: Redacted.make(secret, { label: "api key" }),
            keyPrefix: prefixOf(secret),
            tier: "Sandbox",
            monthlyCallLimit: settings.sandboxMonthlyCalls,
            expiresAt: new Date(now.getTime() + SANDBOX_DAYS * MILLISECONDS_PER_DAY),
            tenant: `t_${randomUUID()}`
          }
          const work = replaceSandbox(minted, secret, normalizedEmail(email), now)
          yield* sql.withTransaction(work).pipe(ledgerCall("mint"))
          return minted
        })
      })
    })
  )
}
