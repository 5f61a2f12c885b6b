/**
 * What is asked of a server before it is used: that it is new enough, and that it keeps what it has committed. Both are
 * asked once, at the start; that each commit is flushed, every session asks for itself (postgres.ts).
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../config.ts"
import { DatabaseStartError } from "./embedded/binaries.ts"

/** PostgreSQL 15, the oldest version tested. */
const OLDEST_SERVER = 150_000

interface Server {
  readonly version: number
  readonly fsync: boolean
  readonly full_page_writes: boolean
}

export const checkServer = Effect.gen(function* () {
  const { databaseAllowOff } = yield* AppConfig
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* sql<Server>`
    SELECT current_setting('server_version_num')::int AS version, current_setting('fsync')::boolean AS fsync,
      current_setting('full_page_writes')::boolean AS full_page_writes`
  if (server === undefined || server.version < OLDEST_SERVER) {
    return yield* new DatabaseStartError({
      message: "the server is older than PostgreSQL 15; set DATABASE_URL to a newer one"
    })
  }
  const off = (["fsync", "full_page_writes"] as const).filter(
    (name) => !server[name] && !databaseAllowOff.includes(name)
  )
  if (off.length === 0) return
  return yield* new DatabaseStartError({
    message: `the server runs with ${off.join(" and ")} off, so a crash may lose answers; switch on, or allow it with DATABASE_ALLOW_OFF=${off.join(",")}`
  })
})
