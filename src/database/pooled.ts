/**
 * A client for a database behind a pooler that lends a session for one transaction only, such as PgBouncer in transaction
 * mode. It keeps nothing in a session and believes nothing of one: each transaction says at its beginning what a session
 * would have said at its opening, and a statement by itself is a transaction of its own. So nothing has to be set for the
 * role, and nothing is lost when somebody sets it otherwise. Statements are not prepared by name: see client.ts.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Option } from "effect"
import { SqlClient, type SqlConnection } from "effect/sql"
import { plainly } from "./plainly.ts"

/** Of all settings this one is over by the time that a transaction could say it. */
const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"

export const pooledClient = Effect.fnUntraced(function* (
  plain: SqlClient.SqlClient,
  settings: Readonly<Record<string, string>>
) {
  const withTransaction: SqlClient.SqlClient["withTransaction"] = (work) =>
    Effect.flatMap(SqlClient.BeginTransaction, (begin = BEGIN) =>
      plain
        .withTransaction(Effect.andThen(plainly(plain, settings), work))
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
