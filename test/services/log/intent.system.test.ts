/** What was signed in a round that was undone is what the next round signs, or nothing is: there are no two histories. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Sequencer } from "../../../src/services/log/Sequencer.ts"
import { TransparencyLog } from "../../../src/services/log/TransparencyLog.ts"
import { treeOf } from "../../../src/services/log/texts.ts"
import {
  backUpLog,
  checkLog,
  lines,
  onLog,
  record,
  recordMany,
  restoreLog,
  sequenceAll,
  tamper
} from "../../support/logs.ts"

/** Whoever has the database keeps each signature that comes, where no transaction undoes it, and undoes the transaction. */
const LEAK = [
  `CREATE FUNCTION leak() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     EXECUTE format('COPY (SELECT %L) TO %L', NEW.checkpoint, current_setting('data_directory') || '/leak-' || current_database());
     RAISE EXCEPTION 'undone';
   END $$`,
  "CREATE TRIGGER leak BEFORE UPDATE ON log_head FOR EACH ROW EXECUTE FUNCTION leak()",
  "ALTER TABLE log_head ENABLE ALWAYS TRIGGER leak"
]

const leaked = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly note: string }>`
    SELECT replace(pg_read_file('leak-' || current_database()), '\\n', chr(10)) AS note`
  return treeOf(row!.note)
})

const stopLeak = tamper("DROP TRIGGER leak ON log_head")
/** A round over new records that is signed and undone; the tree that was signed. */
const undone = Effect.gen(function* () {
  const { sequence } = yield* Sequencer
  yield* tamper(...LEAK)
  assert.strictEqual((yield* Effect.flip(sequence))._tag, "LedgerUnavailable")
  yield* stopLeak
  return yield* leaked
})

const signed = Effect.map(
  Effect.flatMap(TransparencyLog, ({ checkpoint }) => checkpoint),
  treeOf
)

describe("a round that was signed and undone [F25]", () => {
  it.live("is made again as it was, with what came meanwhile behind it", () =>
    onLog(
      600,
      Effect.gen(function* () {
        const { sequence } = yield* Sequencer
        yield* record(3)
        const tree = yield* undone
        yield* recordMany(5)
        assert.strictEqual(yield* sequence, 3)
        assert.deepStrictEqual(yield* signed, tree)
        yield* sequenceAll
        assert.strictEqual(yield* checkLog, 608)
      })
    )
  )

  it.live("is made again as it was, whoever else signs what it goes on from", () =>
    onLog(
      600,
      Effect.gen(function* () {
        const { sequence } = yield* Sequencer
        yield* record(3)
        const tree = yield* undone
        yield* recordMany(5)
        yield* tamper("UPDATE log_head SET checkpoint = checkpoint || '— stranger AAAAAAAA' || chr(10)")
        assert.strictEqual(yield* sequence, 3)
        assert.deepStrictEqual(yield* signed, tree)
      })
    )
  )

  it.live("is remembered with what it was on, though that was signed by another service and is gone again", () =>
    onLog(
      600,
      Effect.gen(function* () {
        const { sequence } = yield* Sequencer
        yield* backUpLog
        yield* record(2)
        yield* sequenceAll.pipe(Effect.provide(Layer.fresh(Sequencer.layer)))
        yield* record(2)
        assert.strictEqual((yield* undone).size, 604)
        yield* restoreLog()
        const broken = yield* Effect.flip(sequence)
        assert.match(
          broken._tag === "LogBroken" ? broken.reason : broken._tag,
          /600 entries does not extend the one of 602 that this process has seen/
        )
      })
    )
  )

  it.live("that only found what another has signed is remembered, also behind a round that had nothing to do", () =>
    onLog(
      600,
      Effect.gen(function* () {
        const { sequence } = yield* Sequencer
        yield* backUpLog
        const [id] = yield* record(2)
        yield* sequenceAll.pipe(Effect.provide(Layer.fresh(Sequencer.layer)))
        yield* tamper("UPDATE log_head SET mark = done - 1", ...LEAK)
        assert.strictEqual((yield* Effect.flip(sequence))._tag, "LedgerUnavailable")
        yield* stopLeak
        yield* tamper("UPDATE log_head SET mark = done")
        assert.strictEqual(yield* sequence, 0)
        yield* restoreLog(`UPDATE answer SET inputs_hash = sha256('x') WHERE answer_id = '${id}'`)
        const broken = yield* Effect.flip(sequence)
        assert.match(broken._tag === "LogBroken" ? broken.reason : broken._tag, /does not extend the one of 602/)
      })
    )
  )

  it.live("and that another process has gone on without is told, once", () => {
    const { layer, told } = lines()
    return onLog(
      600,
      Effect.gen(function* () {
        const { sequence } = yield* Sequencer
        const [id] = yield* record(2)
        assert.strictEqual((yield* undone).size, 602)
        yield* tamper(`UPDATE answer SET inputs_hash = sha256('x') WHERE answer_id = '${id}'`)
        yield* sequenceAll.pipe(Effect.provide(Layer.fresh(Sequencer.layer)))
        yield* sequence
        yield* record(1)
        assert.strictEqual(yield* sequence, 1)
        assert.lengthOf(
          told.filter(({ text }) => text.includes("signed a tree that was not stored")),
          1
        )
      })
    ).pipe(Effect.provide(layer))
  })

  it.live(
    "is never signed otherwise: a record that was edited or taken away meanwhile stops the log until it is back",
    () =>
      onLog(
        600,
        Effect.gen(function* () {
          const { sequence } = yield* Sequencer
          const [id] = yield* record(1)
          const tree = yield* undone
          yield* tamper("CREATE TABLE held AS TABLE answer")
          for (const [change, reason] of [
            ["UPDATE answer SET inputs_hash = sha256('x')", /tree of 601 .* not what they were/],
            ["DELETE FROM answer", /tree of 601 .* is gone/]
          ] as const) {
            yield* tamper(`${change} WHERE answer_id = '${id}'`)
            yield* record(1)
            for (let times = 0; times < 2; times++) {
              const broken = yield* Effect.flip(sequence)
              assert.match(broken._tag === "LogBroken" ? broken.reason : broken._tag, reason)
            }
            const back = `INSERT INTO answer OVERRIDING SYSTEM VALUE SELECT * FROM held WHERE answer_id = '${id}'`
            yield* tamper(`DELETE FROM answer WHERE answer_id = '${id}'`, back)
          }
          assert.strictEqual(yield* sequence, 1)
          assert.deepStrictEqual(yield* signed, tree)
          yield* sequenceAll
          assert.strictEqual(yield* checkLog, 603)
        })
      )
  )
})
