/** The keys that have signed the log, the newest first, each since when. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Signers } from "./keys.ts"

export const readKeys = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly key: string }>`
      SELECT verifier_key AS key FROM log_key ORDER BY used_since DESC, verifier_key DESC`,
    (rows) => rows.map(({ key }) => key)
  )

/**
 * The current key becomes the newest, also when it was in use before, or another was when a clock was ahead; one that is
 * being replaced comes after it.
 */
export const publishKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { signers }: Signers, now: Date) {
  const [current, previous] = signers.map(({ verifierKey }) => verifierKey)
  const listed = yield* readKeys(sql)
  const add = (key: string, since: Date) => sql`
    INSERT INTO log_key (verifier_key, used_since)
    SELECT ${key}::text, greatest(${since}::timestamptz, max(used_since) + interval '1 millisecond') FROM log_key`
  const isReplaced = previous !== undefined && !listed.includes(previous)
  if (isReplaced) yield* add(previous, new Date(now.getTime() - 1))
  if (isReplaced || current !== listed[0]) yield* add(current!, now)
})
