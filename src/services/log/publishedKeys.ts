/** The keys of the log as they are told to whoever asks: all that have signed it, each since when. Which those are is not asked here. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Signers } from "./signers.ts"

/** The current key is the newest, also when it was in use before; one that is being replaced comes after it. */
export const publishKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { signers }: Signers, now: Date) {
  const [current, previous] = signers.map(({ verifierKey }) => verifierKey)
  if (previous !== undefined) {
    yield* sql`
      INSERT INTO public.log_key (verifier_key, used_since) SELECT ${previous}::text, ${new Date(now.getTime() - 1)}
      WHERE ${previous}::text NOT IN (SELECT verifier_key FROM public.log_key)`
  }
  yield* sql`
    INSERT INTO public.log_key (verifier_key, used_since) SELECT ${current!}::text, ${now}
    WHERE ${current!}::text
      IS DISTINCT FROM (SELECT verifier_key FROM public.log_key ORDER BY used_since DESC, verifier_key LIMIT 1)
    ON CONFLICT DO NOTHING`
})
