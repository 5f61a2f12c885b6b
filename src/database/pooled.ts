/**
 * A client for a database behind a pooler that lends a session for one transaction, such as
 * PgBouncer in transaction mode. No session state is kept or trusted. Each transaction first
 * applies the settings that a session would have, and a single statement is a transaction of its
 * own. So settings of the role are not needed and do no harm. Statements are not prepared by name
 * (`prepare: false` in client.ts).
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Option } from "effect"
import { SqlClient, type SqlConnection } from "effect/sql"
import { setSessionSettings } from "./sessionSettings.ts"

/** The isolation level, the one setting that would come too late inside a transaction. */
const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"

export const pooledClient = Effect.fnUntraced(function* (
  plain: SqlClient.SqlClient,
  settings: Readonly<Record<string, string>>
) {
  const prepare = setSessionSettings(settings).pipe(Effect.provideService(SqlClient.SqlClient, plain))
  const withTransaction: SqlClient.SqlClient["withTransaction"] = (work) =>
    Effect.flatMap(SqlClient.BeginTransaction, (begin = BEGIN) =>
      plain
        .withTransaction(Effect.andThen(prepare, work))
        .pipe(Effect.provideService(SqlClient.BeginTransaction, begin))
    )
  const borrower: SqlConnection.Borrower = (use) =>
    withTransaction(
      Effect.flatMap(Effect.serviceOption(plain.transactionService), (found) => use(Option.getOrThrow(found)[0]))
    )
  const client = yield* SqlClient.make({
    acquirer: plain.reserve,
    borrower,
    compiler: PgClient.makeCompiler(),
    driver: plain.driver,
    spanAttributes: [["db.system.name", "postgresql"]],
    transactionService: plain.transactionService
  })
  return Object.assign(client, { withTransaction })
})
