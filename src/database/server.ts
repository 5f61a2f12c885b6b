/**
 * Checks of a server at the start: it is new enough, can store all texts, and keeps what it has
 * committed. A session itself makes its commits wait for the flush to disk (client.ts).
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../platform/config.ts"
import { DatabaseStartError } from "./embedded/binaries.ts"

/** PostgreSQL 15, the oldest version tested. */
export const OLDEST_SERVER = 150_000

/** Encodings that can store every character, such as the em dash of a signature in a checkpoint. */
const ENCODINGS = ["UTF8", "SQL_ASCII"]

interface Server {
  readonly version: number
  readonly encoding: string
  readonly fsync: boolean
  readonly full_page_writes: boolean
}

export const checkServer = Effect.gen(function* () {
  const { databaseAllowOff } = yield* AppConfig
  const sql = yield* SqlClient.SqlClient
  const [server] = yield* sql<Server>`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
      current_setting('fsync')::boolean AS fsync, current_setting('full_page_writes')::boolean AS full_page_writes`
  if (server === undefined || server.version < OLDEST_SERVER) {
    return yield* new DatabaseStartError({
      message: "the server is older than PostgreSQL 15; set DATABASE_URL to a newer one"
    })
  }
  if (!ENCODINGS.includes(server.encoding)) {
    return yield* new DatabaseStartError({
      message: `the database has the encoding ${server.encoding}, which cannot store every signed text; create one with the encoding UTF8`
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
