/** A session that holds the records table, so that whatever wants to write there waits on its way. */
import { PgClient } from "@effect/sql-pg"
import { Deferred, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** Holds the records of a database until `release`, which returns once they are free. */
export const holdRecords = async (database: string): Promise<{ readonly release: () => Promise<void> }> => {
  const held = Deferred.makeUnsafe<void>()
  const begun = Deferred.makeUnsafe<void>()
  const session = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const lock = sql`LOCK TABLE answer IN ACCESS EXCLUSIVE MODE`
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
