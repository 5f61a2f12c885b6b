/** Whoever changes records as a superuser, whom no trigger stops, is found out: what was done, and to which record. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { SqlClient } from "effect/sql"
import { openCheckpoint } from "../../../src/proof/checkpoint.ts"
import { audit } from "../../../src/services/log/audit.ts"
import { TransparencyLog } from "../../../src/services/log/TransparencyLog.ts"
import { logServices, record, recordMany, sequenceAll, tamper } from "../../support/logs.ts"

/** Three tiles of entries, the last of them begun. */
const RECORDS = 600
const AT = 300

const report = Effect.gen(function* () {
  const { keys } = yield* TransparencyLog
  return yield* audit(null, yield* keys)
})

const keep = Effect.gen(function* () {
  const log = yield* TransparencyLog
  const [signed, keys] = [yield* log.checkpoint, yield* log.keys]
  return yield* Effect.promise(() => openCheckpoint(signed, keys))
})

const auditWith = (kept: Effect.Success<typeof keep>) =>
  Effect.flatMap(TransparencyLog, ({ keys }) => Effect.flatMap(keys, (all) => audit(kept, all)))

type Services = Layer.Success<ReturnType<typeof logServices>>

/** A log of its own, with records in it. */
const onLog = <A, E>(work: Effect.Effect<A, E, Services>) =>
  recordMany(RECORDS).pipe(
    Effect.andThen(sequenceAll),
    Effect.andThen(work),
    Effect.provide(logServices()),
    Effect.scoped
  )

const answerAt = Effect.fnUntraced(function* (index: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly answerId: string }>`
    SELECT answer_id AS "answerId" FROM answer JOIN log_entry USING (seq) WHERE index = ${index}::bigint`
  return row!.answerId
})

const seqAt = (index: number) => `(SELECT seq FROM log_entry WHERE index = ${index})`

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

const ANSWER = "seq, recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash"
const ADDED = "00000000-0000-4000-8000-0000000000ad"

const addRecord = (seq: number) =>
  `INSERT INTO answer (${ANSWER}) OVERRIDING SYSTEM VALUE
   SELECT ${seq}, recorded_at, '${ADDED}', tenant, key_id, kind, inputs_hash, answer_hash FROM answer LIMIT 1`

const EDITS = {
  "when it was recorded": "recorded_at = recorded_at + interval '1 ms'",
  "its id": "answer_id = gen_random_uuid()",
  "its inputs": "inputs_hash = sha256('others')",
  "its figures": "answer_hash = sha256('others')"
}

describe("an audit", () => {
  it.live("finds nothing where nothing was done, also while records wait", () =>
    onLog(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* report, { size: RECORDS, finding: null })
        yield* record(3)
        assert.deepStrictEqual(yield* report, { size: RECORDS, finding: null })
      })
    )
  )

  for (const [what, change] of Object.entries(EDITS)) {
    it.live(`names a record of which was edited ${what}`, () =>
      onLog(
        Effect.gen(function* () {
          yield* tamper(`UPDATE answer SET ${change} WHERE seq IN (${seqAt(AT)}, ${seqAt(AT + 7)})`)
          const { finding } = yield* report
          assert.deepInclude(finding, { deed: "edited", index: AT, answerId: yield* answerAt(AT) })
        })
      )
    )
  }

  it.live("names the first record whose kind was edited", () =>
    onLog(
      Effect.gen(function* () {
        yield* tamper("UPDATE answer_kind SET rule_version = 'rl1-0'")
        assert.deepInclude((yield* report).finding, { deed: "edited", index: 0 })
      })
    )
  )

  it.live("names a record that was removed, with its entry or without", () =>
    onLog(
      Effect.gen(function* () {
        yield* tamper(`DELETE FROM answer WHERE seq = ${seqAt(AT)}`)
        assert.deepInclude((yield* report).finding, { deed: "removed", index: AT })
        yield* tamper(`DELETE FROM log_entry WHERE index = ${AT}`)
        assert.deepInclude((yield* report).finding, { deed: "removed", index: AT })
      })
    )
  )

  it.live("names the first record of those that are gone when all are", () =>
    onLog(
      Effect.gen(function* () {
        yield* tamper("TRUNCATE answer")
        assert.deepInclude((yield* report).finding, { deed: "removed", index: 0 })
      })
    )
  )

  it.live("names two records that were swapped, by content or by entry", () =>
    onLog(
      Effect.gen(function* () {
        const [one, other] = [yield* seqOf(10), yield* seqOf(AT)]
        yield* tamper(
          `UPDATE log_entry SET seq = -1 WHERE index = 10`,
          `UPDATE log_entry SET seq = ${one} WHERE index = ${AT}`,
          `UPDATE log_entry SET seq = ${other} WHERE index = 10`
        )
        const { finding } = yield* report
        assert.deepInclude(finding, { deed: "moved", index: 10, answerId: yield* answerAt(10) })
        assert.include(finding!.detail, `entered at ${AT}`)
        // The records themselves, too: then each stands again where it was entered, under the other's number.
        yield* tamper(
          "ALTER TABLE answer ALTER seq SET GENERATED BY DEFAULT",
          `UPDATE answer SET seq = -1 WHERE seq = ${one}`,
          `UPDATE answer SET seq = ${one} WHERE seq = ${other}`,
          `UPDATE answer SET seq = ${other} WHERE seq = -1`
        )
        assert.isNull((yield* report).finding)
      })
    )
  )

  it.live("names a record that was added where the log had gone past, and an entry that nobody signed", () =>
    onLog(
      Effect.gen(function* () {
        yield* record(1)
        const next = yield* newestSeq
        // The number of an answer that was never committed, as there are many.
        yield* tamper("SELECT nextval(pg_get_serial_sequence('answer', 'seq'))")
        yield* record(1)
        yield* sequenceAll
        yield* sequenceAll
        assert.isNull((yield* report).finding)
        yield* tamper(addRecord(next + 1))
        const { finding } = yield* report
        assert.deepInclude(finding, { deed: "added", index: null, answerId: ADDED })
        yield* tamper(`INSERT INTO log_entry (index, seq) VALUES (${RECORDS + 2}, ${next + 1})`)
        assert.deepInclude((yield* report).finding, { deed: "added", index: RECORDS + 2, answerId: ADDED })
      })
    )
  )

  it.live("finds damaged tiles, entries and checkpoints", () =>
    onLog(
      Effect.gen(function* () {
        const flip = (level: number, n: number, at: number) =>
          `UPDATE log_tile SET hashes = set_byte(hashes, ${at}, get_byte(hashes, ${at}) # 1)
           WHERE level = ${level} AND n = ${n}`
        for (const [level, n, deed, index] of [
          [1, 0, "damaged", 0],
          [0, 1, "edited", AT]
        ] as const) {
          const at = level === 0 ? (AT - 256) * 32 : 40
          yield* tamper(flip(level, n, at))
          assert.deepInclude((yield* report).finding, { deed, index })
          yield* tamper(flip(level, n, at))
        }
        yield* tamper("DELETE FROM log_tile WHERE level = 0 AND n = 1")
        assert.deepInclude((yield* report).finding, { deed: "damaged", index: 256 })
        yield* tamper("UPDATE log_head SET checkpoint = replace(checkpoint, '600', '599')")
        assert.deepInclude((yield* report).finding, { deed: "rewritten", index: null })
      })
    )
  )
})

describe("a checkpoint that was kept", () => {
  it.live("is what the log still begins with, however far it has grown", () =>
    onLog(
      Effect.gen(function* () {
        const kept = yield* keep
        yield* recordMany(500)
        yield* sequenceAll
        assert.deepStrictEqual(yield* auditWith(kept), { size: RECORDS + 500, finding: null })
      })
    )
  )

  it.live("shows that an older backup was restored, and that another history was signed since", () =>
    onLog(
      Effect.gen(function* () {
        const tables = ["answer", "log_entry", "log_tile", "log_head"]
        yield* tamper(...tables.map((table) => `CREATE TABLE backup_${table} AS TABLE ${table}`))
        yield* record(5)
        yield* sequenceAll
        const kept = yield* keep
        yield* tamper(
          ...tables.map((table) => `DELETE FROM ${table}`),
          `INSERT INTO answer (${ANSWER}) OVERRIDING SYSTEM VALUE SELECT ${ANSWER} FROM backup_answer`,
          ...tables.slice(1).map((table) => `INSERT INTO ${table} SELECT * FROM backup_${table}`)
        )
        assert.isNull((yield* report).finding)
        assert.strictEqual((yield* auditWith(kept)).finding!.deed, "restored")
        yield* record(9)
        yield* sequenceAll
        assert.isNull((yield* report).finding)
        assert.strictEqual((yield* auditWith(kept)).finding!.deed, "rewritten")
      })
    )
  )

  it.live("shows that everything was begun anew", () =>
    onLog(
      Effect.gen(function* () {
        const kept = yield* keep
        yield* tamper(
          "TRUNCATE answer, log_entry, log_tile",
          "UPDATE log_head SET size = 0, done = 0, mark = 0, writers = '{}', checkpoint = NULL"
        )
        assert.isNull((yield* report).finding)
        assert.strictEqual((yield* auditWith(kept)).finding!.deed, "restored")
      })
    )
  )
})
