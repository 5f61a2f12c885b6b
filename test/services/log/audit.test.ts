/**
 * The audit: it finds each change of the records or of the log, and names the record and the kind
 * of change.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { audit } from "../../../src/services/log/audit.ts"
import { Sequencer } from "../../../src/services/log/Sequencer.ts"
import { TransparencyLog } from "../../../src/services/log/TransparencyLog.ts"
import {
  ADDED,
  ANSWER,
  AT,
  answerAt,
  auditWith,
  keep,
  NONE_WAITS,
  RECORDS,
  report,
  seqAt
} from "../../support/audits.ts"
import { backUpLog, onLog, record, recordMany, restoreLog, sequenceAll, tamper } from "../../support/logs.ts"
import { PATIENT } from "../../support/settings.ts"

const seqOf = Effect.fnUntraced(function* (index: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly seq: number }>`
    SELECT seq::float8 AS seq FROM log_entry WHERE index = ${index}::bigint`
  return row!.seq
})

const newestSeq = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly seq: number }>`SELECT max(seq)::float8 AS seq FROM answer`
  return row!.seq
})

const addRecord = (seq: number) =>
  `INSERT INTO answer (${ANSWER}) OVERRIDING SYSTEM VALUE
   SELECT ${seq}, xid, recorded_at, '${ADDED}', tenant, key_id, kind, inputs_hash, answer_hash FROM answer LIMIT 1`

/** The server ends a transaction that idles for 2.5 times the statement timeout. */
const SHORT_DEADLINES = { ...PATIENT, statement: 1000 }

const EDITS = {
  "when it was recorded": "recorded_at = recorded_at + interval '1 ms'",
  "its id": "answer_id = gen_random_uuid()",
  "its inputs": "inputs_hash = sha256('others')",
  "its figures": "answer_hash = sha256('others')"
}

describe("an audit [F26]", () => {
  it.live("finds nothing in an intact log, also while records wait", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* report, { size: RECORDS, finding: null, waiting: NONE_WAITS })
        const [first] = yield* record(3)
        const sql = yield* SqlClient.SqlClient
        const [oldest] = yield* sql<{
          since: Date
        }>`SELECT recorded_at AS since FROM answer WHERE answer_id = ${first!}::uuid`
        assert.deepStrictEqual(yield* report, {
          size: RECORDS,
          finding: null,
          waiting: { count: 3, since: oldest!.since }
        })
      })
    )
  )

  it.live("survives the long pause of a busy machine between two statements", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        const keys = yield* (yield* TransparencyLog).keys
        let pause = 3 * SHORT_DEADLINES.statement
        const slow = new Proxy(keys, {
          get: (target, name) => {
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
            pause = 0
            return Reflect.get(target, name)
          }
        })
        assert.isNull((yield* audit(null, slow)).finding)
      }),
      SHORT_DEADLINES
    )
  )

  for (const [what, change] of Object.entries(EDITS)) {
    it.live(`names a record if an edit changed ${what}`, () =>
      onLog(
        RECORDS,
        Effect.gen(function* () {
          yield* tamper(`UPDATE answer SET ${change} WHERE seq IN (${seqAt(AT)}, ${seqAt(AT + 7)})`)
          const { finding } = yield* report
          assert.deepInclude(finding, { kind: "edited", index: AT, answerId: yield* answerAt(AT) })
        })
      )
    )
  }

  it.live("names the first record whose kind was edited", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* tamper("UPDATE answer_kind SET rule_version = 'rl1-0'")
        assert.deepInclude((yield* report).finding, { kind: "edited", index: 0 })
      })
    )
  )

  it.live("names a record that was removed, with or without its entry", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* tamper(`DELETE FROM answer WHERE seq = ${seqAt(AT)}`)
        assert.deepInclude((yield* report).finding, { kind: "removed", index: AT })
        yield* tamper(`DELETE FROM log_entry WHERE index = ${AT}`)
        assert.deepInclude((yield* report).finding, { kind: "removed", index: AT })
      })
    )
  )

  it.live("names the first record if all were removed", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* tamper("TRUNCATE answer")
        assert.deepInclude((yield* report).finding, { kind: "removed", index: 0 })
      })
    )
  )

  it.live("names a record whose entry was swapped, unless the records were swapped too", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        const [one, other] = [yield* seqOf(10), yield* seqOf(AT)]
        yield* tamper(
          `UPDATE log_entry SET seq = -1 WHERE index = 10`,
          `UPDATE log_entry SET seq = ${one} WHERE index = ${AT}`,
          `UPDATE log_entry SET seq = ${other} WHERE index = 10`
        )
        const { finding } = yield* report
        assert.deepInclude(finding, { kind: "edited", index: 10, answerId: yield* answerAt(10) })
        // With the records swapped too, each is at its own entry again, under the other's seq.
        yield* tamper(
          "ALTER TABLE answer ALTER seq SET GENERATED BY DEFAULT",
          `UPDATE answer SET seq = 9000000 WHERE seq = ${one}`,
          `UPDATE answer SET seq = ${one} WHERE seq = ${other}`,
          `UPDATE answer SET seq = ${other} WHERE seq = 9000000`
        )
        assert.isNull((yield* report).finding)
      })
    )
  )

  it.live("names a record that was added behind the log's position, and an unsigned entry", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* record(1)
        const next = yield* newestSeq
        // The seq of an answer that was never committed; such gaps are common.
        yield* tamper("SELECT nextval(pg_get_serial_sequence('answer', 'seq'))")
        yield* record(1)
        yield* sequenceAll
        yield* sequenceAll
        assert.isNull((yield* report).finding)
        yield* tamper(addRecord(next + 1))
        const { finding } = yield* report
        assert.deepInclude(finding, { kind: "added", index: null, answerId: ADDED })
        yield* tamper(`INSERT INTO log_entry (index, seq) VALUES (${RECORDS + 2}, ${next + 1})`)
        assert.deepInclude((yield* report).finding, { kind: "added", index: RECORDS + 2 })
      })
    )
  )

  it.live("finds damaged tiles, entries and checkpoints", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        const flip = (level: number, n: number, at: number) =>
          `UPDATE log_tile SET hashes = set_byte(hashes, ${at}, get_byte(hashes, ${at}) # 1)
           WHERE level = ${level} AND n = ${n}`
        for (const [level, n, kind, index] of [
          [1, 0, "damaged", 0],
          [0, 1, "damaged", AT]
        ] as const) {
          const at = level === 0 ? (AT - 256) * 32 : 40
          yield* tamper(flip(level, n, at))
          assert.deepInclude((yield* report).finding, { kind, index })
          yield* tamper(flip(level, n, at))
        }
        yield* tamper("CREATE TABLE lost_tile AS TABLE log_tile", "DELETE FROM log_tile WHERE level = 0 AND n = 1")
        assert.deepInclude((yield* report).finding, { kind: "damaged", index: 256 })
        yield* tamper(
          "CREATE TABLE kept_head AS TABLE log_head",
          "INSERT INTO log_tile SELECT * FROM lost_tile WHERE level = 0 AND n = 1"
        )
        for (const [change, detail] of [
          ["size = size - 1", /log_head counts 599 entries/],
          ["xid = '0', seq = 0", /log_head points before the last entry/]
        ] as const) {
          yield* tamper(`UPDATE log_head SET ${change}`)
          const { finding } = yield* report
          assert.deepInclude(finding, { kind: "damaged", index: null })
          assert.match(finding!.detail, detail)
          yield* tamper("DELETE FROM log_head", "INSERT INTO log_head TABLE kept_head")
        }
        yield* tamper("UPDATE log_head SET checkpoint = replace(checkpoint, '600', '599')")
        assert.deepInclude((yield* report).finding, { kind: "damaged", index: null })
      })
    )
  )
})

describe("a log that was changed twice [F26]", () => {
  const flip = "UPDATE log_tile SET hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1) WHERE level = 0 AND n ="

  it.live("still shows which side of the first mismatch is the one that was signed", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* tamper(`DELETE FROM answer WHERE seq = ${seqAt(AT)}`, `${flip} 0`)
        assert.deepInclude((yield* report).finding, { kind: "damaged", index: 0 })
        yield* tamper(`${flip} 0`, `${flip} 1`, `UPDATE answer SET ${EDITS["its figures"]} WHERE seq = ${seqAt(10)}`)
        assert.deepInclude((yield* report).finding, { kind: "edited", index: 10, answerId: yield* answerAt(10) })
        yield* tamper(`${flip} 0`, `UPDATE answer SET ${EDITS["its figures"]} WHERE seq = ${seqAt(0)}`)
        assert.deepInclude((yield* report).finding, { kind: "rewritten", index: 0, answerId: yield* answerAt(0) })
      })
    )
  )
})

describe("a checkpoint kept elsewhere [F26]", () => {
  it.live("is still extended by the log, however far it has grown", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        const kept = yield* keep
        yield* recordMany(500)
        yield* sequenceAll
        assert.deepStrictEqual(yield* auditWith(kept), { size: RECORDS + 500, finding: null, waiting: NONE_WAITS })
      })
    )
  )

  it.live("reveals that an older backup was restored, and that another history was signed since [F27]", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* backUpLog
        yield* tamper("CREATE TABLE backup_answer AS TABLE answer")
        yield* record(5)
        yield* sequenceAll
        const kept = yield* keep
        yield* restoreLog(
          "DELETE FROM answer",
          `INSERT INTO answer (${ANSWER}) OVERRIDING SYSTEM VALUE SELECT ${ANSWER} FROM backup_answer`
        )
        assert.isNull((yield* report).finding)
        assert.strictEqual((yield* auditWith(kept)).finding!.kind, "restored")
        yield* record(9)
        yield* sequenceAll.pipe(Effect.provide(Layer.fresh(Sequencer.layer)))
        assert.isNull((yield* report).finding)
        assert.strictEqual((yield* auditWith(kept)).finding!.kind, "rewritten")
      })
    )
  )

  it.live("reveals that the log was started again", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        const kept = yield* keep
        yield* tamper(
          "TRUNCATE answer, log_entry, log_tile, log_key",
          "UPDATE log_head SET size = 0, cluster = NULL, xid = '0', seq = 0, checkpoint = NULL"
        )
        const named = (yield* report).finding
        assert.strictEqual(named!.kind, "damaged")
        assert.match(named!.detail, /checkpoint is missing from log_head/)
        yield* tamper("UPDATE log_head SET origin = NULL")
        assert.isNull((yield* report).finding)
        assert.strictEqual((yield* auditWith(kept)).finding!.kind, "restored")
      })
    )
  )
})
