/** An entry that somebody takes away, who says to processes of the service that its record is new: it is entered once. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { expect, it } from "vitest"
import { recordsBehind } from "../../../src/services/log/backlog.ts"
import { Sequencer } from "../../../src/services/log/Sequencer.ts"
import { holdTransaction, migratedDatabase } from "../../support/database.ts"
import {
  checkLog,
  type LogServices,
  lines,
  onLog,
  record,
  recordMany,
  sequenceAll,
  tamper
} from "../../support/logs.ts"
import { countOf, servicesOn } from "../../support/services.ts"

const BY_ANOTHER = Layer.fresh(Sequencer.layer)
const TAKEN_AWAY = [
  "SET LOCAL session_replication_role = replica",
  "CREATE TABLE kept AS SELECT * FROM log_entry WHERE index = 500",
  "DELETE FROM log_entry WHERE index = 500"
]

/** Behind the service's back, and beside whoever is writing records. */
const takenAway = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(Effect.forEach(TAKEN_AWAY, (statement) => sql.unsafe(statement), { discard: true }))
})

/** The work takes an entry away; that is told, nothing is entered again, and new records are. */
const enteredOnce = (
  work: (
    url: Effect.Success<typeof migratedDatabase>,
    takeAway: Effect.Effect<void, unknown, LogServices>
  ) => Effect.Effect<unknown, unknown, LogServices>
) =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const { layer, told } = lines()
    const rounds = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { sequence } = yield* Sequencer
      yield* record(1)
      yield* sequenceAll
      yield* work(url, takenAway)
      yield* Effect.repeat(sequence, { times: 15 })
      expect(yield* sql`SELECT log_entry.index FROM log_entry JOIN kept USING (seq)`).toEqual([])
      expect(told).toEqual([{ level: "Error", text: expect.stringMatching(/entry 500 is not that.*repay audit/) }])
      // Others are entered meanwhile, and once it is put back all is as it was.
      yield* record(2)
      yield* sequence
      yield* tamper("INSERT INTO log_entry SELECT * FROM kept", "DROP TABLE kept")
      yield* sequenceAll
      expect(yield* countOf("log_entry", "index = 500")).toBe(1)
      yield* checkLog
    })
    yield* rounds.pipe(Effect.provide(Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url)))), Effect.provide(layer))
  }).pipe(Effect.scoped, Effect.runPromise)

it("is not entered again by a process that has not come past its record yet", () =>
  enteredOnce((_, takeAway) =>
    Effect.gen(function* () {
      yield* Effect.andThen(recordMany(1100), sequenceAll).pipe(Effect.provide(BY_ANOTHER))
      yield* takeAway
    })
  ))

it("is not entered again by a process to which log_head says that it has not come so far", () =>
  enteredOnce((_, takeAway) =>
    Effect.gen(function* () {
      yield* recordMany(1100)
      yield* sequenceAll
      yield* takeAway
      yield* tamper("UPDATE log_head SET done = 0, mark = 0")
    })
  ))

it("is not entered again while a transaction on the records keeps the log from going past them", () =>
  enteredOnce((url, takeAway) =>
    Effect.gen(function* () {
      const { sequence } = yield* Sequencer
      const held = yield* Effect.promise(() => holdTransaction({ url }, "LOCK TABLE answer IN ROW EXCLUSIVE MODE"))
      yield* recordMany(1100)
      yield* sequence
      yield* sequence
      expect(yield* countOf("log_head", "done < size / 2")).toBe(1)
      yield* takeAway
      yield* Effect.repeat(sequence, { times: 3 })
      yield* Effect.promise(held.release)
    })
  ))

/** Others have come to all records but one, which somebody is writing. */
const besideWriter = (url: Effect.Success<typeof migratedDatabase>) =>
  Effect.gen(function* () {
    const held = yield* Effect.promise(() => holdTransaction({ url }, "LOCK TABLE answer IN ROW EXCLUSIVE MODE"))
    yield* recordMany(1100)
    const { sequence } = yield* Sequencer
    yield* Effect.repeat(sequence, { times: 1 })
    expect(yield* countOf("log_head", "done < size / 2")).toBe(1)
    return held
  }).pipe(Effect.provide(BY_ANOTHER))

it.each([
  ["begins", 0],
  ["has begun", 2]
])("is not entered again by a process that %s beside a transaction on the records", (_, before) =>
  enteredOnce((url, takeAway) =>
    Effect.gen(function* () {
      const held = yield* besideWriter(url)
      const { sequence } = Context.get(yield* Layer.build(BY_ANOTHER), Sequencer)
      for (let round = 0; round < before; round++) yield* sequence
      yield* takeAway
      yield* Effect.repeat(sequence, { times: 3 })
      yield* Effect.promise(held.release)
    }).pipe(Effect.scoped)
  )
)

it("is not entered again, nor left out, where there are more entries than a round counts", async () => {
  const size = 3500
  const taken = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [last] = yield* sql<{ readonly seq: number }>`SELECT last_answer_seq()::float8 AS seq`
    const entered = { index: 0, size, upTo: last!.seq }
    const records = yield* recordsBehind(sql, 0, last!.seq, entered, 2000)
    return records.map(({ seq }) => last!.seq - seq)
  })
  const gone = (index: number) => tamper(`DELETE FROM log_entry WHERE index = ${index}`)
  await Effect.runPromise(
    onLog(
      size,
      Effect.gen(function* () {
        yield* record(1)
        expect(yield* taken).toEqual([0])
        yield* gone(500)
        expect(yield* taken).toEqual([0])
        yield* gone(3000)
        expect(yield* taken).toEqual([])
      })
    )
  )
})
