/**
 * The order in which the log takes records: that of their transactions, also after a restore into
 * another server.
 */
import { Clock, Effect, Layer } from "effect"
import { Sequencer } from "../../../src/services/log/Sequencer.ts"
import { report } from "../../support/audits.ts"
import { holdTransaction, migratedDatabase } from "../../support/database.ts"
import { assert, describe, it } from "../../support/effects.ts"
import { checkLog, lines, record, sequenceAll, tamper, testsOnLog } from "../../support/logs.ts"
import { servicesOn } from "../../support/services.ts"

const COPY = "tenant, key_id, kind, inputs_hash, answer_hash"
const WRITE = `INSERT INTO answer (recorded_at, answer_id, ${COPY})
  SELECT recorded_at, gen_random_uuid(), ${COPY} FROM answer LIMIT 1`

/** Makes the records look restored from a server whose transaction ids differ by `by`. */
const restoredFrom = (by: number, cluster: string) => [
  `UPDATE answer SET xid = (xid::text::numeric + ${by})::text::xid8`,
  `UPDATE log_head SET cluster = ${cluster}, xid = (xid::text::numeric + ${by})::text::xid8`
]

const SERVERS = {
  "that is younger": [1_000_000_000, "'another'"],
  "that is older": [-100, "'another'"],
  "that was primary before its standby was": [1_000_000_000, "cluster"]
} as const

describe("a database that was restored into another server", () => {
  const it = testsOnLog(300)
  for (const [what, [by, cluster]] of Object.entries(SERVERS)) {
    it(`${what} logs every record once, waiting ones and new ones`, function* () {
      yield* record(3)
      yield* tamper(...restoredFrom(by, cluster))
      yield* record(2)
      yield* sequenceAll
      yield* record(2)
      yield* sequenceAll
      assert.strictEqual(yield* checkLog, 307)
      assert.deepStrictEqual((yield* report).finding, null)
    })
  }
})

/** Runs the work with a clock that is `millis` fast. */
const later = <A, E, R>(millis: number, work: Effect.Effect<A, E, R>) =>
  Clock.clockWith((clock) =>
    Effect.provideService(
      work,
      Clock.Clock,
      Object.assign(Object.create(clock), {
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + millis)
      })
    )
  )

describe("records that wait for a minute", () => {
  for (const [what, statement] of Object.entries({
    "a transaction that stays open": WRITE,
    "a session that holds the lock of the log": "SELECT pg_advisory_xact_lock('log_head'::regclass::oid::int, 0)"
  })) {
    it(`for ${what} are reported once a minute with its pid, and logged when it ends`, function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const { sequence } = yield* Sequencer
        yield* record(1)
        yield* sequenceAll
        const hold = yield* Effect.promise(() => holdTransaction({ url }, statement))
        yield* record(1)
        const { layer, told } = lines()
        for (const minutes of [0, 1.1, 1.5, 2.3]) yield* later(minutes * 60_000, sequence).pipe(Effect.provide(layer))
        assert.deepStrictEqual(
          told.map(({ level, text }) => [level, text]),
          Array(2).fill([
            "Error",
            "Records wait for the transparency log, and nothing is appended: see the session with this pid"
          ])
        )
        yield* Effect.promise(hold.release)
        yield* sequenceAll
        yield* checkLog
      }).pipe(Effect.provide(Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url)))))
    })
  }
})
