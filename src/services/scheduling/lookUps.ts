/**
 * Lookups that arrive while a query is in flight share the next one, by group commit.
 */
import { Effect, Result } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { Deadlines } from "../../database/index.ts"
import { LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import { makeGroupCommit } from "./groupCommit.ts"

interface LookUps<Item, Row, Answer> {
  /** The name under which batches are measured. */
  readonly work: string
  /** The name under which failures are logged. */
  readonly operation: string
  readonly query: (
    items: ReadonlyArray<Item>
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError, SqlClient.SqlClient>
  /** The answer to each item, in order. */
  readonly answers: (rows: ReadonlyArray<Row>, items: ReadonlyArray<Item>) => ReadonlyArray<Answer>
}

export const makeLookUps = Effect.fnUntraced(function* <Item, Row, Answer>(lookUps: LookUps<Item, Row, Answer>) {
  const { call, patience } = yield* Deadlines
  const { answers, operation, query, work } = lookUps
  const { commit } = yield* makeGroupCommit<Item, Answer, LedgerUnavailable, SqlClient.SqlClient>({
    work,
    commit: (items) =>
      query(items).pipe(
        ledgerCall(operation),
        Effect.match({
          onFailure: (unavailable) => items.map(() => Result.fail(unavailable)),
          onSuccess: (rows) => answers(rows, items).map((answer) => Result.succeed(answer))
        })
      ),
    isOutage: (results) => results.every(Result.isFailure),
    isSameBatch: () => true,
    deadlineMilliseconds: call,
    patienceMilliseconds: patience,
    unavailable: () => new LedgerUnavailable()
  })
  return commit
})
