/**
 * The keys of the log as they are told to whoever asks: all that have signed it, each since when. Which those are is not
 * asked here. Whoever may write keys could write any number of them, so no more are read than a log has in its life.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Signers } from "./signers.ts"

/** Rows of log_key that are read, the newest first. */
export const MOST_KEYS = 1000
/** A row of a later time says nothing: behind it none could be put. */
const LAST_TIME = "9999-12-31 23:59:59.999999Z"

/**
 * One more than those, if there are more: then somebody else has put them there.
 * @param upTo no row of a later time is read
 */
export const readKeys = (sql: SqlClient.SqlClient, upTo: string = LAST_TIME) =>
  Effect.map(
    sql<{ readonly key: string }>`
      SELECT verifier_key AS key FROM public.log_key WHERE used_since <= ${upTo}::timestamptz
      ORDER BY used_since DESC, verifier_key DESC LIMIT ${MOST_KEYS + 1}::bigint`,
    (rows) => rows.map(({ key }) => key)
  )

/**
 * The current key is the newest, also when it was in use before, or another was when a clock was ahead; one that is being
 * replaced comes after it.
 */
export const publishKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { signers }: Signers, now: Date) {
  const [current, previous] = signers.map(({ verifierKey }) => verifierKey)
  const listed = yield* readKeys(sql)
  const add = (key: string, since: Date) => sql`
    INSERT INTO public.log_key (verifier_key, used_since)
    SELECT ${key}::text, least(${LAST_TIME}::timestamptz, greatest(${since}::timestamptz, max(used_since) + interval '1 millisecond'))
    FROM public.log_key WHERE used_since <= ${LAST_TIME}::timestamptz
    ON CONFLICT DO NOTHING`
  const isReplaced = previous !== undefined && !listed.includes(previous)
  if (isReplaced) yield* add(previous, new Date(now.getTime() - 1))
  if (isReplaced || current !== listed[0]) yield* add(current!, now)
})
