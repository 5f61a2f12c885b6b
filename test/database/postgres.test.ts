/** The database as a layer: migrated once, and one plain line when it cannot be reached. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { databaseAt } from "../../src/database/postgres.ts"
import { freshDatabase } from "../support/database.ts"

describe("a database", () => {
  it.live("is migrated once by four nodes that start together", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const nodes = yield* Effect.all(
        Array.from({ length: 4 }, () => Layer.build(Layer.fresh(databaseAt({ url })))),
        { concurrency: "unbounded" }
      )
      const migrations = yield* Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT migration_id FROM schema_migration ORDER BY migration_id`
      ).pipe(Effect.provideContext(nodes[0]!))
      assert.deepStrictEqual(
        migrations.map((row) => row["migration_id"]),
        [1, 2]
      )
    })
  )

  it.live("that cannot be reached is one line, without its password", () =>
    Effect.gen(function* () {
      const url = Redacted.make("postgres://user:hunter2@127.0.0.1:1/nowhere")
      const error = yield* Effect.flip(Effect.scoped(Layer.build(databaseAt({ url }))))
      assert.match(error.message, /^The database cannot be used: .*ECONNREFUSED/)
      assert.notInclude(error.message, "hunter2")
      assert.notInclude(error.message, "\n")
    })
  )
})
