/**
 * The calls charged to each key in a month, the most used key first. Refused calls are charged to
 * no key and counted only in the metrics, so they are not listed.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { dayOf } from "../../messages/figures.ts"
import type { Settings } from "../../platform/config.ts"
import { eachPage, limitOf, queryAll, type RowLimit } from "../pagination.ts"
import { monthlyCallsOf } from "./Keys.ts"
import type { KeySummary } from "./keyList.ts"
import type { Period } from "./month.ts"

interface Charged extends KeySummary {
  readonly calls: number
}

export interface KeyUsage extends Charged {
  /** Calls per month under the current configuration. */
  readonly quota: number
  readonly left: number
}

interface WantedUsage {
  readonly month: Period
  /** The prefix of a key, or its id. */
  readonly key: string | null
  readonly most: RowLimit
}

/** Whether a key has this prefix or id; any key if null. */
const isOf = (sql: SqlClient.SqlClient, key: string | null) =>
  sql`(${key}::text IS NULL OR prefix = ${key} OR key.id::text = lower(${key}))`

const charged = (sql: SqlClient.SqlClient, { key, month }: WantedUsage) =>
  sql`FROM usage JOIN api_key AS key ON key.id = key_id
    WHERE period = ${dayOf(month.periodStart)}::date AND used > 0 AND ${isOf(sql, key)}`

/** The totals of all keys of the month, listed or not. */
export const totalUsage = (sql: SqlClient.SqlClient, wanted: WantedUsage) => {
  const total = sql<{ readonly keys: number; readonly calls: number }>`
    SELECT count(*)::float8 AS keys, coalesce(sum(used), 0)::float8 AS calls ${charged(sql, wanted)}`
  return Effect.map(queryAll(sql, "total usage", total), ([row]) => row!)
}

export const listUsage = Effect.fn("listUsage")(function* <E, R>(
  sql: SqlClient.SqlClient,
  settings: Settings,
  wanted: WantedUsage,
  take: (page: ReadonlyArray<KeyUsage>) => Effect.Effect<void, E, R>
) {
  const select = sql`
    SELECT key.id AS "keyId", prefix AS "keyPrefix", tier, used AS calls ${charged(sql, wanted)}
    ORDER BY used DESC, key.id ${limitOf(sql, wanted.most)}`
  const usageOf = (one: Charged): KeyUsage => {
    const quota = monthlyCallsOf(one.tier, settings)
    return { ...one, quota, left: Math.max(0, quota - one.calls) }
  }
  const takePage = (page: ReadonlyArray<Charged>) => take(page.map(usageOf))
  return yield* eachPage<Charged, E, R>(sql, "list usage", select, wanted.most, takePage)
})
