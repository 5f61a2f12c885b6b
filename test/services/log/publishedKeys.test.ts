/** The order of GET /log/key: the signing key first, whatever the times of the rows are. */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeSigner } from "../../../src/services/log/keys.ts"
import { Sequencer } from "../../../src/services/log/Sequencer.ts"
import { TransparencyLog } from "../../../src/services/log/TransparencyLog.ts"
import { migratedDatabase } from "../../support/database.ts"
import { assert, it } from "../../support/effects.ts"
import { record, sequenceAll } from "../../support/logs.ts"
import { countOf, servicesOn } from "../../support/services.ts"
import { TEST_SIGNING_KEY } from "../../support/settings.ts"

const NEW_KEY = "fedcba9876543210".repeat(4)

it("a key dated a year ahead is not listed before the signing key, and repeated starts add no rows", function* () {
  const url = yield* migratedDatabase
  const started = <A, E>(
    variables: Readonly<Record<string, string>>,
    work: Effect.Effect<A, E, TransparencyLog | SqlClient.SqlClient>
  ) =>
    Effect.andThen(Effect.andThen(record(1), sequenceAll), work).pipe(
      Effect.provide(Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url, variables))))
    )
  const keys = Effect.flatMap(TransparencyLog, (log) => log.keys)
  const old = (yield* started({}, keys))[0]!
  const both = { LOG_SIGNING_KEY: NEW_KEY, LOG_SIGNING_KEY_PREVIOUS: TEST_SIGNING_KEY }
  const ahead = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.unsafe(`INSERT INTO log_key VALUES ('${old}', now() + interval '1 year')`)
  )
  yield* started({}, ahead)
  const name = old.split("+", 1)[0]!
  const { verifierKey } = yield* Effect.promise(() => makeSigner(name, Buffer.from(NEW_KEY, "hex")))
  for (let starts = 0; starts < 3; starts++) assert.deepStrictEqual(yield* started(both, keys), [verifierKey, old])
  assert.strictEqual(yield* started(both, countOf("log_key", "true")), 3)
  // Rotated back, with any number of starts.
  const back = { LOG_SIGNING_KEY: TEST_SIGNING_KEY, LOG_SIGNING_KEY_PREVIOUS: NEW_KEY }
  for (let starts = 0; starts < 2; starts++) assert.deepStrictEqual(yield* started(back, keys), [old, verifierKey])
  assert.strictEqual(yield* started(back, countOf("log_key", "true")), 4)
})
