/**
 * Numbers of records that are not what they seem: set, held back or taken late, by hand or by a slow writer. No record
 * that was made today stays out of the log, and none gets into it under a time that was made up.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { MOST_RECORDS, readInOrder } from "../../../src/services/log/backlog.ts"
import { recordsOf } from "../../../src/services/log/loggedRecords.ts"
import { Sequencer } from "../../../src/services/log/Sequencer.ts"
import { makeSearch } from "../../../src/services/log/search.ts"
import { lateRecords, NEW_SWEEP } from "../../../src/services/log/sweep.ts"
import { TransparencyLog } from "../../../src/services/log/TransparencyLog.ts"
import { makeRarely } from "../../../src/services/log/telling.ts"
import { treeOf } from "../../../src/services/log/texts.ts"
import { migratedDatabase } from "../../support/database.ts"
import {
  checkLog,
  lines,
  logServices,
  onLog as onLogOf,
  receiptOf,
  record,
  recordMany,
  sequenceAll,
  tamper
} from "../../support/logs.ts"
import { countOf, servicesOn } from "../../support/services.ts"

const ROW = "recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash"
const copy = (time = "recorded_at") =>
  `SELECT ${time}, gen_random_uuid(), tenant, key_id, kind, inputs_hash, answer_hash FROM answer ORDER BY seq LIMIT 1`

/** A record under a number of one's choice. */
const insertAt = (seq: number | string, time?: string) =>
  `INSERT INTO answer (seq, ${ROW}) OVERRIDING SYSTEM VALUE ${copy(time).replace("SELECT ", `SELECT ${seq}, `)}`

const seqOfLast = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly last: number }>`SELECT last_answer_seq()::float8 AS last`
  return row!.last
})

const execute = Effect.fnUntraced(function* (...statements: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

const unlogged = countOf("answer", "seq NOT IN (SELECT seq FROM log_entry)")

const onLog = <A, E>(work: Effect.Effect<A, E, Layer.Success<ReturnType<typeof logServices>>>) => onLogOf(2, work)

describe("numbers that nobody gave", () => {
  it.live("above the last one lift no mark: what is recorded after is entered as ever", () =>
    onLog(
      Effect.gen(function* () {
        yield* execute(insertAt(1_000_000))
        yield* sequenceAll
        yield* record(3)
        yield* sequenceAll
        assert.strictEqual(yield* countOf("log_entry", "true"), 5)
        assert.strictEqual(yield* countOf("log_head", "done < 1000"), 1)
      })
    )
  )

  it.live("of a mark that somebody has set are not believed", () =>
    onLog(
      Effect.gen(function* () {
        yield* execute("UPDATE log_head SET mark = 1000000000, writers = '{}'")
        yield* record(3)
        yield* sequenceAll
        yield* record(3)
        yield* sequenceAll
        assert.strictEqual(yield* checkLog, 8)
      })
    )
  )

  it.live("are refused in a record, as times that are none are, and passed over where they are all the same", () =>
    onLog(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const forbidden = [
          insertAt(-5),
          insertAt(0),
          ...["infinity", "290000-01-01", "1969-12-31"].map(
            (time) => `INSERT INTO answer (${ROW}) ${copy(`'${time}'`)}`
          )
        ]
        for (const statement of forbidden)
          assert.deepInclude((yield* Effect.flip(sql.unsafe(statement))).reason, { _tag: "ConstraintError" })
        yield* tamper(...forbidden)
        yield* record(2)
        const { layer, told } = lines()
        yield* sequenceAll.pipe(Effect.provide(layer))
        assert.strictEqual(yield* countOf("log_entry", "true"), 4)
        yield* sequenceAll.pipe(Effect.provide(layer))
        assert.lengthOf(told, 1)
        assert.deepInclude(told[0], { level: "Error" })
        assert.match(told[0]!.text, /run repay audit/)
      })
    )
  )
})

describe("a record below the end of the log", () => {
  it.live("of today is entered after all, and told; an older one never", () =>
    onLog(
      Effect.gen(function* () {
        const last = yield* seqOfLast
        yield* execute("SELECT setval(pg_get_serial_sequence('answer', 'seq'), last_answer_seq() + 10)")
        yield* record(1)
        yield* sequenceAll
        yield* execute(insertAt(last + 3), insertAt(last + 4, "now() - interval '25 hours'"))
        const { layer, told } = lines()
        yield* sequenceAll.pipe(Effect.provide(layer))
        yield* sequenceAll.pipe(Effect.provide(layer))
        assert.strictEqual(yield* countOf("log_entry", `seq = ${last + 3}`), 1)
        assert.strictEqual(yield* unlogged, 1)
        assert.deepStrictEqual(
          told.map(({ level }) => level),
          ["Warn", "Error"]
        )
      })
    )
  )

  it.live("is found among more than a page of them", () =>
    onLog(
      Effect.gen(function* () {
        yield* recordMany(2500)
        const last = yield* seqOfLast
        yield* execute("SELECT setval(pg_get_serial_sequence('answer', 'seq'), last_answer_seq() + 10)")
        yield* record(1)
        yield* sequenceAll
        yield* execute(insertAt(last + 5))
        const { sequence } = yield* Sequencer
        let rounds = 0
        while ((yield* unlogged) > 0 && rounds < 10) {
          yield* sequence
          rounds++
        }
        assert.isBelow(rounds, 5)
        assert.strictEqual(yield* checkLog, 2504)
      })
    )
  )

  it.live("is found where sessions hold numbers back, which is told at the start", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        yield* record(1)
        yield* execute("ALTER TABLE answer ALTER seq SET CACHE 20")
        const { layer, told } = lines()
        const insert = (times: number) =>
          Effect.flatMap(SqlClient.SqlClient, (sql) =>
            Effect.repeat(sql.unsafe(`INSERT INTO answer (${ROW}) ${copy()}`), { times })
          )
        const session = PgClient.layer({ url, maxConnections: 1 })
        const early = Effect.gen(function* () {
          yield* insert(0)
          yield* insert(0).pipe(Effect.provide(Layer.fresh(session)))
          yield* sequenceAll.pipe(Effect.provide(layer))
          yield* insert(3)
          yield* sequenceAll
        })
        yield* early.pipe(Effect.provide(session))
        yield* sequenceAll
        assert.strictEqual(yield* checkLog, 7)
        assert.match(told[0]!.text, /SET CACHE 1/)
      }).pipe(Effect.provide(Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url)))))
    }).pipe(Effect.scoped)
  )
})

describe("the search for late records", () => {
  const CROWD = 1100
  const crowds = {
    "of no kind": {
      by: [
        `INSERT INTO answer (${ROW}) SELECT now(), gen_random_uuid(), tenant, key_id, 99, inputs_hash, answer_hash
        FROM answer, generate_series(1, ${CROWD}) WHERE seq = (SELECT min(seq) FROM answer)`
      ],
      told: /too incomplete to be entered/
    },
    "under an answerId that is there": {
      by: [
        "ALTER TABLE answer DROP CONSTRAINT answer_answer_id_key",
        "CREATE INDEX answer_answer_id_key ON answer (answer_id)",
        `INSERT INTO answer (${ROW}) SELECT now(), answer_id, tenant, key_id, kind, inputs_hash, answer_hash
        FROM answer, generate_series(1, ${CROWD}) WHERE seq = (SELECT min(seq) FROM answer)`
      ],
      told: /others under their answerIds/
    }
  }
  for (const [what, { by, told: expected }] of Object.entries(crowds)) {
    it.live(`is not held up by more than a round of records ${what}, which are told`, () =>
      onLog(
        Effect.gen(function* () {
          yield* tamper(...by)
          yield* execute("SELECT setval(pg_get_serial_sequence('answer', 'seq'), last_answer_seq() + 10)")
          yield* record(1)
          const { layer, told } = lines()
          for (let rounds = 0; rounds < 3; rounds++) yield* sequenceAll.pipe(Effect.provide(layer))
          const late = (yield* seqOfLast) - 5
          yield* execute(insertAt(late, "now()"))
          for (let rounds = 0; rounds < 6; rounds++) yield* sequenceAll.pipe(Effect.provide(layer))
          assert.strictEqual(yield* countOf("log_entry", `seq = ${late}`), 1)
          assert.lengthOf(
            told.filter(({ level, text }) => level === "Error" && expected.test(text)),
            1
          )
        })
      )
    )
  }

  it.live("begins with the records of the last day when a service starts", () =>
    Effect.gen(function* () {
      yield* recordMany(5000)
      yield* tamper("UPDATE answer SET recorded_at = recorded_at - interval '3 days'")
      yield* execute("SELECT setval(pg_get_serial_sequence('answer', 'seq'), last_answer_seq() + 10)")
      yield* record(1)
      yield* sequenceAll
      yield* execute(insertAt((yield* seqOfLast) - 5, "now()"))
      yield* Effect.gen(function* () {
        yield* Effect.repeat((yield* Sequencer).sequence, { times: 2 })
        assert.strictEqual(yield* checkLog, 5002)
      }).pipe(Effect.provide(Layer.fresh(Sequencer.layer)))
    }).pipe(Effect.provide(logServices()), Effect.scoped)
  )

  it.live("enters more than a round of them, cycle by cycle", () =>
    onLog(
      Effect.gen(function* () {
        yield* execute("SELECT setval(pg_get_serial_sequence('answer', 'seq'), last_answer_seq() + 3000)")
        yield* record(1)
        yield* sequenceAll
        yield* execute(`
          INSERT INTO answer (seq, ${ROW}) OVERRIDING SYSTEM VALUE
          SELECT 9 + n, now(), gen_random_uuid(), tenant, key_id, kind, inputs_hash, answer_hash
          FROM answer, generate_series(1, 2500) AS n WHERE seq = (SELECT min(seq) FROM answer)`)
        for (let rounds = 0; rounds < 12; rounds++) yield* sequenceAll
        assert.strictEqual(yield* checkLog, 2503)
      })
    )
  )

  it.live("reads the entries by their index, which a server that is told not to sort takes for nothing ruinous", () =>
    onLog(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* recordMany(6000)
        yield* sequenceAll
        yield* execute("ANALYZE")
        const [text, values] = recordsOf(sql, 3).compile()
        const plan = yield* sql.withTransaction(
          Effect.andThen(readInOrder(sql), sql.unsafe(`EXPLAIN (FORMAT JSON) ${text}`, values))
        )
        assert.match(JSON.stringify(plan), /"Node Type":"Index Scan"/)
        assert.notMatch(JSON.stringify(plan), /"Node Type":"(Incremental )?Sort"/)
      })
    )
  )

  it.live("keeps no new record out of the log where what it asks last fails for ever, and says so", () =>
    onLog(
      Effect.gen(function* () {
        const last = yield* seqOfLast
        yield* execute("SELECT setval(pg_get_serial_sequence('answer', 'seq'), last_answer_seq() + 10)")
        yield* record(1)
        yield* sequenceAll
        // Whatever reads and writes the entries can, but for a sample of them.
        yield* execute(
          insertAt(last + 3),
          "ALTER TABLE log_entry RENAME TO entries",
          "CREATE VIEW log_entry AS TABLE entries"
        )
        const { layer, told } = lines()
        for (let rounds = 0; rounds < 7; rounds++) {
          yield* record(1)
          yield* sequenceAll.pipe(Effect.provide(layer))
          assert.strictEqual(yield* unlogged, 1)
        }
        assert.lengthOf(
          told.filter(({ level, text }) => level === "Error" && /had gone past are not entered.*search/.test(text)),
          1
        )
        yield* execute("DROP VIEW log_entry", "ALTER TABLE entries RENAME TO log_entry")
        for (let rounds = 0; rounds < 3; rounds++) yield* sequenceAll
        assert.strictEqual(yield* checkLog, 11)
      })
    )
  )

  it.live("is waited for by one round, for a second, where it does not end", () =>
    onLog(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const last = yield* seqOfLast
        yield* execute("SELECT setval(pg_get_serial_sequence('answer', 'seq'), last_answer_seq() + 10)")
        yield* record(1)
        yield* sequenceAll
        yield* execute(insertAt(last + 3))
        const search = yield* makeSearch(sql, () => Effect.never, makeRarely())
        const text = yield* (yield* TransparencyLog).checkpoint
        const seen = { ...treeOf(text), text }
        const before = performance.now()
        for (let rounds = 0; rounds < 5; rounds++) assert.strictEqual(yield* search(last + 11, seen), 0)
        assert.isBelow(performance.now() - before, 3000)
      }).pipe(Effect.scoped)
    )
  )

  it.live("looks a round of late records up among all entries in no time, under a plan made for any", () =>
    onLog(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* tamper("INSERT INTO log_entry (index, seq) SELECT n, 1000000 + n FROM generate_series(2, 59999) AS n")
        const late = Array.from({ length: MOST_RECORDS }, (_, at) => String(2_000_000 + at))
        const asked = lateRecords(sql, { ...NEW_SWEEP, isOver: true, late, size: 0 }, 60_000)
        const settings = ["plan_cache_mode = force_generic_plan", "statement_timeout = '1s'"]
        yield* sql.withTransaction(
          Effect.forEach(settings, (setting) => sql.unsafe(`SET LOCAL ${setting}`)).pipe(Effect.andThen(asked))
        )
      })
    )
  )

  it.live("says that they wait where it fails again and again, and goes on once it can", () =>
    onLog(
      Effect.gen(function* () {
        const last = yield* seqOfLast
        yield* execute("SELECT setval(pg_get_serial_sequence('answer', 'seq'), last_answer_seq() + 10)")
        yield* record(1)
        yield* sequenceAll
        yield* execute(insertAt(last + 3), "ALTER TABLE log_tile RENAME hashes TO elsewhere")
        const { layer, told } = lines()
        for (let rounds = 0; rounds < 7; rounds++) yield* sequenceAll.pipe(Effect.provide(layer))
        assert.lengthOf(
          told.filter(({ level, text }) => level === "Error" && /had gone past are not entered.*search/.test(text)),
          1
        )
        yield* execute("ALTER TABLE log_tile RENAME elsewhere TO hashes")
        for (let rounds = 0; rounds < 3; rounds++) yield* sequenceAll
        assert.strictEqual(yield* checkLog, 4)
      })
    )
  )
})

describe("a writer who stays", () => {
  it.live("is waited for no longer than a minute, and his record is entered when it comes", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        yield* record(2)
        yield* sequenceAll
        const written = yield* Deferred.make<void>()
        const go = yield* Deferred.make<void>()
        const late = Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const work = sql
            .unsafe(`INSERT INTO answer (${ROW}) ${copy()}`)
            .pipe(Effect.andThen(Deferred.succeed(written, undefined)), Effect.andThen(Deferred.await(go)))
          yield* sql.withTransaction(work)
        }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))
        const fiber = yield* Effect.forkChild(late)
        yield* Deferred.await(written)
        yield* record(3)
        const waits = yield* seqOfLast
        yield* sequenceAll
        assert.strictEqual(yield* countOf("log_head", `done < ${waits} AND mark = ${waits}`), 1)
        yield* execute("UPDATE log_head SET marked_at = marked_at - interval '61 seconds'")
        // One that has been here believes its own clock; one that starts believes log_head.
        yield* sequenceAll
        assert.strictEqual(yield* countOf("log_head", `done < ${waits}`), 1)
        yield* sequenceAll.pipe(Effect.provide(Layer.fresh(Sequencer.layer)))
        assert.strictEqual(yield* countOf("log_head", `done = ${waits}`), 1)
        yield* Deferred.succeed(go, undefined)
        yield* Fiber.join(fiber)
        yield* sequenceAll
        assert.strictEqual(yield* checkLog, 6)
      }).pipe(Effect.provide(Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url)))))
    }).pipe(Effect.scoped)
  )

  it.live("is waited for no longer by the clock of the service either, whatever log_head says of when he began", () =>
    onLog(
      Effect.gen(function* () {
        const { sequence } = yield* Sequencer
        const clock = yield* Clock.Clock
        const later: Clock.Clock = Object.assign(Object.create(clock), {
          currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + 61_000)
        })
        const sql = yield* SqlClient.SqlClient
        const written = yield* Deferred.make<void>()
        const stays = sql.withTransaction(
          sql`LOCK TABLE answer IN ROW EXCLUSIVE MODE`.pipe(
            Effect.andThen(Deferred.succeed(written, undefined)),
            Effect.andThen(Effect.never)
          )
        )
        const fiber = yield* Effect.forkChild(stays)
        yield* Deferred.await(written)
        yield* execute("SELECT setval(pg_get_serial_sequence('answer', 'seq'), last_answer_seq() + 5000)")
        yield* record(3)
        const waits = yield* seqOfLast
        yield* sequenceAll
        const young = execute("UPDATE log_head SET marked_at = clock_timestamp(), done = done + 1")
        yield* young
        yield* sequenceAll
        assert.strictEqual(yield* countOf("log_head", `done < ${waits}`), 1)
        yield* young
        yield* Effect.provideService(sequence, Clock.Clock, later)
        assert.strictEqual(yield* countOf("log_head", `done = ${waits}`), 1)
        yield* Fiber.interrupt(fiber)
      })
    )
  )

  it.live("or a mark that fell back leaves rounds that look at so many records and no more", () =>
    onLog(
      Effect.gen(function* () {
        yield* recordMany(300)
        yield* sequenceAll
        yield* execute("SELECT setval(pg_get_serial_sequence('answer', 'seq'), last_answer_seq() + 500000)")
        yield* record(2)
        yield* sequenceAll
        yield* tamper("UPDATE log_head SET done = 0, mark = 0")
        // A process that starts begins with what it is shown; one that has been further does not go back.
        yield* Effect.gen(function* () {
          yield* sequenceAll
          assert.strictEqual(yield* countOf("log_head", "done BETWEEN 200000 AND 200010"), 1)
          for (let rounds = 0; rounds < 3; rounds++) yield* sequenceAll
        }).pipe(Effect.provide(Layer.fresh(Sequencer.layer)))
        assert.strictEqual(yield* checkLog, 304)
        assert.strictEqual(yield* countOf("log_head", "done = last_answer_seq()"), 1)
      })
    )
  )
})

describe("a second record under an answerId", () => {
  it.live("is not entered, in whatever round it comes, and told; the receipt is of the first", () =>
    onLog(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [known] = yield* record(1)
        yield* sequenceAll
        const before = yield* receiptOf(known!)
        const [both] = yield* record(1)
        const forge = (id: string) =>
          `INSERT INTO answer (${ROW}) SELECT recorded_at, answer_id, tenant, key_id, kind, inputs_hash, sha256('forged')
           FROM answer WHERE answer_id = '${id}' ORDER BY seq LIMIT 1`
        yield* tamper(
          "ALTER TABLE answer DROP CONSTRAINT answer_answer_id_key",
          "CREATE INDEX answer_answer_id_key ON answer (answer_id, seq DESC)",
          forge(known!),
          forge(both!)
        )
        const { layer, told } = lines()
        for (let rounds = 0; rounds < 4; rounds++) yield* sequenceAll.pipe(Effect.provide(layer))
        assert.strictEqual(yield* countOf("log_entry", "true"), 4)
        const entered = yield* sql`
          SELECT FROM log_entry JOIN answer USING (seq) WHERE answer_hash = sha256('forged')`
        assert.lengthOf(entered, 0)
        assert.strictEqual((yield* receiptOf(known!)).record, before.record)
        assert.lengthOf(told, 1)
        assert.deepInclude(told[0], { level: "Error" })
        assert.match(told[0]!.text, /others under their answerIds.*repay audit/)
      })
    )
  )
})
