/** The check of the servers that are named to be read from: whether one is a standby of this database, and how far behind. */
import { Effect, Redacted, Result } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql"
import type { Settings } from "../../config.ts"
import { openerOf, READING } from "../../database/client.ts"
import { amissWith, askCopy, askOrigin, DIVERGED, FOREIGN } from "../../database/lineage.ts"
import { eachHost } from "../../settings.ts"
import { ok, skipped, type Verdict, warning, wrong } from "./finding.ts"

/** A commit that is on its way is there by then. */
const AGAIN = "1 second"
/** What was committed before is usually replayed within a second. */
const MOST_SECONDS = 60

interface Looked {
  readonly said: string
  /** null: it is read from. */
  readonly amiss: string | null
}

/** What one server is to the database. */
const judged = Effect.fnUntraced(function* (copySql: SqlClient.SqlClient) {
  const copy = yield* askCopy(copySql)
  const asked = Effect.flatMap(SqlClient.SqlClient, (sql) => askOrigin(sql, copy.newest))
  const origin = yield* asked
  const amiss = amissWith(copy, origin.identity)
  if (amiss !== null) return { said: amiss, amiss }
  const isSame = origin.hasNewest || (yield* Effect.delay(asked, AGAIN)).hasNewest
  if (!isSame) return { said: DIVERGED, amiss: DIVERGED }
  const bytes = Math.max(0, origin.position - copy.position)
  const isLate = bytes > 0 && (copy.seconds ?? 0) > MOST_SECONDS
  const said = `it follows, ${bytes} bytes behind${bytes > 0 && copy.seconds !== null ? `, the last commit that it has is ${Math.round(copy.seconds)} s old` : ""}`
  return { said, amiss: isLate ? "late" : null }
})

const lookAt = (settings: Settings) => (address: string) =>
  Effect.scoped(
    Effect.flatMap(openerOf(READING, settings.databasePooling)({ url: Redacted.make(address) }, 1), judged)
  ).pipe(
    Effect.provide(Reactivity.layer),
    Effect.result,
    Effect.map((found): Looked => {
      const { amiss, said } = Result.isSuccess(found)
        ? found.success
        : { said: `it cannot be asked (${found.failure.reason._tag})`, amiss: "away" }
      return { said: `${new URL(address).host}: ${said}`, amiss }
    })
  )

/** One that is read from is enough; one of another installation never is. */
export const standby = (settings: Settings): Effect.Effect<Verdict, never, SqlClient.SqlClient> =>
  settings.databaseReadUrl === null
    ? Effect.succeed(skipped("DATABASE_READ_URL is not set: all is read from the database itself"))
    : Effect.map(
        Effect.forEach(eachHost(Redacted.value(settings.databaseReadUrl)), lookAt(settings), {
          concurrency: "unbounded"
        }),
        (servers) => {
          const said = servers.map((server) => server.said).join("; ")
          if (servers.some(({ amiss }) => amiss === FOREIGN || amiss === DIVERGED))
            return wrong(said, "name a standby of this database in DATABASE_READ_URL, a physical copy that follows it")
          return servers.some(({ amiss }) => amiss === null)
            ? ok(said)
            : warning(said, "until one follows in time, the database itself is read; see docs/operating.md")
        }
      )
