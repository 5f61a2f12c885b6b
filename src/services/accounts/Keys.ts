/**
 * API keys: authentication of callers and minting of free sandbox keys. A key is shown once and
 * stored as a keyed hash. Subscriptions and Outbox issue production keys; Charging charges calls.
 */
import { randomUUID } from "node:crypto"
import { Clock, Context, Data, Effect, Layer, Redacted, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { dayOf } from "../../messages/figures.ts"
import { AppConfig, type Settings } from "../../platform/config.ts"
import { spanned } from "../../platform/telemetry.ts"
import { type LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import { makeLookUps } from "../scheduling/index.ts"
import { hashesOf, hashOf, type KeyTier, newSecret, prefixOf, tierOf } from "./apiKey.ts"
import { queueMail } from "./mailQueue.ts"
import { monthOf, type Period } from "./month.ts"

/** The reason why a key ended. A successor of its address or subscription replaces a key. */
export type KeyEnd = "replaced" | "revoked" | "expired"

/** `end` is null if the key is unknown or malformed, or if it was not looked up. */
export class KeyRefused extends Data.TaggedError("KeyRefused")<{ readonly end: KeyEnd | null }> {}

/** For the other reasons, a key is revoked without a successor. */
const REPLACING = ["minted-again", "claimed", "paid-with-another", "mail-retried"]

export interface Usage extends Period {
  readonly limit: number
  /** Never above the limit. */
  readonly used: number
}

export interface Caller {
  readonly keyId: string
  readonly tenant: string
  readonly keyPrefix: string
  readonly tier: KeyTier
  readonly plan: string
  /** The usage of the month in which the call arrived. */
  readonly usage: Usage
}

export interface MintedKey {
  readonly keyId: string
  /** Shown once. */
  readonly apiKey: Redacted.Redacted<string>
  readonly keyPrefix: string
  readonly tier: KeyTier
  readonly monthlyCallLimit: number
  readonly expiresAt: Date | null
  readonly tenant: string
}

const SANDBOX_DAYS = 30
const MILLISECONDS_PER_DAY = 86_400_000
const PLAN: Readonly<Record<KeyTier, string>> = { Sandbox: "sandbox", Production: "production-monthly" }

export const monthlyCallsOf = (tier: KeyTier, settings: Settings): number =>
  tier === "Sandbox" ? settings.sandboxMonthlyCalls : settings.productionMonthlyCalls

/** A new account id. Each minted key and each subscription gets its own. */
export const newTenant = (): string => `t_${randomUUID()}`

/** The form in which keys and subscriptions store an address. */
export const normalizedEmail = (email: string): string => email.trim().toLowerCase()

interface FoundKey {
  readonly id: string
  readonly tenant: string
  readonly prefix: string
  readonly tier: KeyTier
  readonly used: number
  readonly revokedReason: string | null
  readonly isExpired: boolean
}

const endOf = ({ isExpired, revokedReason }: FoundKey): KeyEnd | null => {
  if (revokedReason !== null) return REPLACING.includes(revokedReason) ? "replaced" : "revoked"
  return isExpired ? "expired" : null
}

/** The hashes under which a key may be stored, and the time at which it was presented. */
interface Presented {
  readonly hashes: ReadonlyArray<string>
  readonly now: Date
}

const callerOf = (key: FoundKey, period: Period, settings: Settings): Caller => {
  const limit = monthlyCallsOf(key.tier, settings)
  return {
    keyId: key.id,
    tenant: key.tenant,
    keyPrefix: key.prefix,
    tier: key.tier,
    plan: PLAN[key.tier],
    usage: { ...period, limit, used: Math.min(key.used, limit) }
  }
}

const sandboxKey = (secret: string, now: Date, settings: Settings): MintedKey => ({
  keyId: randomUUID(),
  apiKey: Redacted.make(secret, { label: "api key" }),
  keyPrefix: prefixOf(secret),
  tier: "Sandbox",
  monthlyCallLimit: settings.sandboxMonthlyCalls,
  expiresAt: new Date(now.getTime() + SANDBOX_DAYS * MILLISECONDS_PER_DAY),
  tenant: newTenant()
})

/** Maximum number of concurrent mints: few, because they wait for each other. */
const MAX_MINTS = 4

/**
 * Must run in a transaction. Mints take turns under an advisory lock. Without it, two that race for
 * one address would revoke only the old key, and the unique index would fail one of them.
 */
const replaceSandboxKey = Effect.fnUntraced(function* (
  key: MintedKey,
  hash: Uint8Array,
  email: string,
  settings: Settings,
  now: Date
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_advisory_xact_lock(hashtextextended('sandbox', 0))`
  yield* sql`
    UPDATE api_key SET revoked_at = ${now}, revoked_reason = 'minted-again'
    WHERE email = ${email} AND tier = 'Sandbox' AND revoked_at IS NULL`
  yield* sql`
    INSERT INTO api_key (id, hash, prefix, tier, tenant, email, issued_by, created_at, expires_at)
    VALUES (${key.keyId}, ${hash}, ${key.keyPrefix}, 'Sandbox', ${key.tenant}, ${email}, 'mint', ${now},
      ${key.expiresAt})`
  yield* queueMail(settings, { kind: "sandbox-minted", mailTo: email, keyPrefix: key.keyPrefix, now })
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const settings = yield* AppConfig
  const mints = Semaphore.makeUnsafe(MAX_MINTS)

  /** The known keys among those presented in one month, and their usage in it, in one query. */
  const find = (presented: ReadonlyArray<Presented>) => {
    const { now } = presented.at(-1)!
    return sql<FoundKey & { readonly hash: string }>`
      SELECT asked.hash, key.id, key.tenant, key.prefix, key.tier, coalesce(usage.used, 0) AS used,
        revoked_reason AS "revokedReason", coalesce(key.expires_at <= ${now}, false) AS "isExpired"
      FROM unnest(${presented.flatMap(({ hashes }) => hashes)}::text[]) AS asked (hash)
      JOIN api_key AS key ON key.hash = decode(asked.hash, 'hex')
      LEFT JOIN usage ON usage.key_id = key.id AND usage.period = ${dayOf(monthOf(now).periodStart)}::date`
  }

  const lookUp = yield* makeLookUps({
    work: "authenticate",
    operation: "authenticate",
    query: find,
    answers: (rows, presented: ReadonlyArray<Presented>) => {
      const found = new Map(rows.map((row) => [row.hash, row]))
      return presented.map(({ hashes }) => hashes.map((hash) => found.get(hash)).find((key) => key !== undefined))
    }
  })

  const authenticate = spanned(
    "Keys.authenticate",
    Effect.fnUntraced(function* (secret: string) {
      if (tierOf(secret) === undefined) return yield* new KeyRefused({ end: null })
      const now = new Date(yield* Clock.currentTimeMillis)
      const period = monthOf(now)
      const hashes = hashesOf(settings, secret).map((hash) => Buffer.from(hash).toString("hex"))
      const key = yield* lookUp(dayOf(period.periodStart), { hashes, now })
      const end = key === undefined ? null : endOf(key)
      return key === undefined || end !== null ? yield* new KeyRefused({ end }) : callerOf(key, period, settings)
    })
  )

  const mintSandbox = Effect.fn("Keys.mintSandbox")(
    function* (email: string) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const secret = newSecret("Sandbox")
      const key = sandboxKey(secret, now, settings)
      const hash = hashOf(Redacted.value(settings.pepper), secret)
      const address = normalizedEmail(email)
      const work = sql.withTransaction(replaceSandboxKey(key, hash, address, settings, now))
      yield* mints.withPermit(work).pipe(ledgerCall("mint"))
      return key
    },
    Effect.provideService(SqlClient.SqlClient, sql)
  )

  return { authenticate, mintSandbox }
})

export class Keys extends Context.Service<
  Keys,
  {
    /** Finds the caller that owns the key, and its usage in the month in which the call arrives. */
    readonly authenticate: (secret: string) => Effect.Effect<Caller, KeyRefused | LedgerUnavailable>
    /** Makes a sandbox key for 30 days in a new tenant. Revokes the address's previous key. */
    readonly mintSandbox: (email: string) => Effect.Effect<MintedKey, LedgerUnavailable>
  }
>()("repayment-of-record/Keys") {
  static readonly layer: Layer.Layer<Keys, never, SqlClient.SqlClient | AppConfig> = Layer.effect(Keys, make)
}
