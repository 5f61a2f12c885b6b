/**
 * The keys of the log as they are told to whoever asks: all that have signed it, each since when. Which those are is not
 * asked here. Whoever may write keys could write any number of them, so no more are read than a log has in its life.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Signers } from "./signers.ts"

/** Rows of log_key that are read, the newest first. */
export const MOST_KEYS = 1000

/** One more than those, if there are more: then somebody else has put them there. */
export const readKeys = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly key: string }>`
      SELECT verifier_key AS key FROM public.log_key
      ORDER BY used_since DESC, verifier_key DESC LIMIT ${MOST_KEYS + 1}::bigint`,
    (rows) => rows.map(({ key }) => key)
  )

/** The current key is the newest, also when it was in use before; one that is being replaced comes after it. */
export const publishKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { signers }: Signers, now: Date) {
  const [current, previous] = signers.map(({ verifierKey }) => verifierKey)
  const listed = yield* readKeys(sql)
  const add = (key: string, since: Date) => sql`
    INSERT INTO public.log_key (verifier_key, used_since) VALUES (${key}, ${since}) ON CONFLICT DO NOTHING`
  if (previous !== undefined && !listed.includes(previous)) yield* add(previous, new Date(now.getTime() - 1))
  if (current !== listed[0]) yield* add(current!, now)
})
