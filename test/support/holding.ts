/** A session that holds a table, so that whatever wants to read or write there waits on its way. */
import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

interface Hold {
  /** Returns once the table is free. */
  readonly release: () => Promise<void>
}

/** Holds a table of a database until `release`. */
export const holdTable = async (database: string, table: "answer" | "api_key"): Promise<Hold> => {
  const held = Deferred.makeUnsafe<void>()
  const begun = Deferred.makeUnsafe<void>()
  const session = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const lock = sql.unsafe(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    yield* sql.withTransaction(
      lock.pipe(Effect.andThen(Deferred.succeed(begun, undefined)), Effect.andThen(Deferred.await(held)))
    )
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(database), maxConnections: 1 })))
  const done = Effect.runPromise(session)
  await Effect.runPromise(Deferred.await(begun))
  return {
    release: async () => {
      await Effect.runPromise(Deferred.succeed(held, undefined))
      await done
    }
  }
}

/** Holds the records of a database until `release`. */
export const holdRecords = async (database: string): Promise<Hold> => holdTable(database, "answer")
