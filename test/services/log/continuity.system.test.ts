/**
 * The sequencer on a log that differs from the signed one: it signs nothing, reports the difference
 * and changes nothing.
 */
import { Effect, Fiber, Layer, Logger, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Sequencer, SequencerRest, sequencerWorkerLayer } from "../../../src/services/log/Sequencer.ts"
import { TransparencyLog } from "../../../src/services/log/TransparencyLog.ts"
import { migratedDatabase } from "../../support/database.ts"
import { assert, describe, it } from "../../support/effects.ts"
import {
  backUpLog,
  checkLog,
  type LogServices,
  record,
  recordBelowHorizon,
  recordMany,
  restoreLog,
  sequenceAll,
  tamper,
  testsOnLog
} from "../../support/logs.ts"
import { countOf, servicesOn } from "../../support/services.ts"
import { TEST_SIGNING_KEY } from "../../support/settings.ts"
import { until } from "../../support/until.ts"

/** Three tiles of entries, the last one partial. */
const RECORDS = 600
const NEW_KEY = "fedcba9876543210".repeat(4)
const FORGED_HASH = "sha256('evil')"
const RESET_LOG = [
  "TRUNCATE log_entry, log_tile, log_key",
  "UPDATE log_head SET origin = NULL, size = 0, cluster = NULL, xid = '0', seq = 0, checkpoint = NULL"
]

const storedCheckpoint = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly checkpoint: string | null }>`SELECT checkpoint FROM log_head`
  return row?.checkpoint
})

/** Returns why the next record is not logged; checks that the checkpoint stays the same. */
const refusal = Effect.gen(function* () {
  const before = yield* storedCheckpoint
  yield* recordBelowHorizon(1)
  const broken = yield* Effect.flip((yield* Sequencer).sequence)
  assert.strictEqual(yield* storedCheckpoint, before)
  return broken._tag === "LogBroken" ? broken.reason : broken._tag
})

/** Changes by a superuser, each with the reason that is reported. */
const TAMPERINGS: Readonly<Record<string, readonly [RegExp, ...ReadonlyArray<string>]>> = {
  "a tile with a hash more": [
    /tile 0\/2/,
    `UPDATE log_tile SET hashes = hashes || ${FORGED_HASH} WHERE level = 0 AND n = 2`
  ],
  "a tile above with a hash more": [
    /tile 1\/0/,
    `UPDATE log_tile SET hashes = hashes || ${FORGED_HASH} WHERE level = 1`
  ],
  "a tile with another hash": [
    /not those that were signed/,
    `UPDATE log_tile SET hashes = ${FORGED_HASH} || substr(hashes, 33) WHERE level = 0 AND n = 2`
  ],
  "a tile that is gone": [/tile 1\/0/, "DELETE FROM log_tile WHERE level = 1"],
  "a size that nobody signed": [
    /600 entries are signed/,
    "UPDATE log_head SET size = 601",
    "INSERT INTO log_entry VALUES (600, 5000000)"
  ],
  "an entry that nobody signed": [/log_entry ends at 601/, "INSERT INTO log_entry VALUES (600, 5000000)"],
  "an entry far away, for a record to come": [
    /log_entry ends at 1000000/,
    "INSERT INTO log_entry VALUES (999999, 7000000)"
  ],
  "entries that are gone": [/log_entry ends at 590/, "DELETE FROM log_entry WHERE index >= 590"],
  "a checkpoint that was edited": [
    /not signed by a key/,
    "UPDATE log_head SET checkpoint = replace(checkpoint, '600', '599')"
  ],
  "no head": [/log_head is empty/, "DELETE FROM log_head"],
  "no checkpoint": [/checkpoint is missing/, "UPDATE log_head SET checkpoint = NULL"],
  "another name": [/checkpoint is not of other.example/, "UPDATE log_head SET origin = 'other.example/log'"],
  "all begun anew": [/checkpoint is missing/, ...RESET_LOG]
}

describe("a log that was changed", () => {
  const it = testsOnLog(RECORDS)
  for (const [what, [reason, ...statements]] of Object.entries(TAMPERINGS)) {
    it(`is not signed again: ${what}`, function* () {
      yield* tamper(...statements)
      assert.match(yield* refusal, reason)
    })
  }

  it("is not signed again before a restart if it is a shorter history that was signed once [F27]", function* () {
    yield* backUpLog
    yield* recordMany(300)
    yield* sequenceAll
    yield* restoreLog()
    assert.match(yield* refusal, /600 entries does not extend the one of 900 .* restart/)
    yield* sequenceAll.pipe(Effect.provide(Layer.fresh(Sequencer.layer)))
    assert.strictEqual(yield* checkLog, RECORDS + 301)
  })

  it("is not signed again if it differs from the history that the service has seen, even if longer [F27]", function* () {
    for (const more of [0, 300]) {
      if (more > 0) yield* recordMany(more)
      yield* tamper(
        "UPDATE answer SET answer_hash = sha256('other') WHERE seq = (SELECT seq FROM log_entry WHERE index = 400)",
        ...RESET_LOG
      )
      yield* sequenceAll.pipe(Effect.provide(Layer.fresh(Sequencer.layer)))
      assert.match(yield* refusal, /does not extend/)
    }
  })

  it("is reported once a minute, and signed again once it is repaired", function* () {
    const errors: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel === "Error") errors.push([message].flat().map(String).join(" "))
    })
    const worker = yield* Effect.forkChild(
      Effect.never.pipe(
        Effect.provide(sequencerWorkerLayer),
        Effect.provide(Logger.layer([logger])),
        Effect.provideService(SequencerRest, "10 millis")
      )
    )
    yield* tamper(`UPDATE log_tile SET hashes = hashes || ${FORGED_HASH} WHERE level = 0 AND n = 2`)
    yield* record(1)
    yield* Effect.promise(() => until(() => errors.length > 0))
    // A few more rounds.
    yield* Effect.sleep(200)
    assert.lengthOf(errors, 1)
    assert.match(errors[0]!, /signing stopped: .*tile 0\/2.*repay audit/)
    yield* tamper("UPDATE log_tile SET hashes = substr(hashes, 1, octet_length(hashes) - 32) WHERE level = 0 AND n = 2")
    const entries = countOf("log_entry", "true")
    yield* Effect.repeat(entries, { until: (count) => count > RECORDS })
    assert.strictEqual(yield* checkLog, RECORDS + 1)
    yield* Fiber.interrupt(worker)
  })
})

describe("the head of the log", () => {
  const it = testsOnLog(RECORDS)
  it("cannot shrink, lose its checkpoint or its name, or be deleted [F27]", function* () {
    const sql = yield* SqlClient.SqlClient
    for (const forbidden of [
      "DELETE FROM log_head",
      "TRUNCATE log_head",
      "UPDATE log_head SET size = size - 1",
      "UPDATE log_head SET checkpoint = NULL",
      "UPDATE log_head SET origin = NULL",
      "UPDATE log_head SET origin = 'other.example/log'"
    ]) {
      const { reason } = yield* Effect.flip(sql.unsafe(forbidden))
      assert.deepInclude(reason, { _tag: "AuthorizationError" }, forbidden)
    }
  })
})

describe("services that share a log", () => {
  const under = <A, E>(
    url: Redacted.Redacted<string>,
    variables: Readonly<Record<string, string>>,
    work: Effect.Effect<A, E, LogServices>
  ) => work.pipe(Effect.provide(Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url, variables)))))

  const entered = record(1).pipe(Effect.andThen(sequenceAll), Effect.andThen(checkLog))
  const checkpoint = Effect.flatMap(TransparencyLog, (log) => log.checkpoint)
  const published = Effect.flatMap(TransparencyLog, ({ keys }) => keys)

  it("sign it under its original name, whatever their public URLs are", function* () {
    const url = yield* migratedDatabase
    yield* under(url, { PUBLIC_URL: "HTTPS://u:p@API.Example.org/a+b/?q#x" }, entered)
    assert.strictEqual(yield* under(url, { PUBLIC_URL: "https://other.example.org" }, entered), 2)
    const [first] = (yield* under(url, {}, checkpoint)).split("\n")
    assert.strictEqual(first, "api.example.org/a%2Bb/log")
    assert.lengthOf(yield* under(url, {}, published), 1)
  })

  it("sign nothing with a new key until the log's key is configured as lost", function* () {
    const url = yield* migratedDatabase
    yield* under(url, {}, entered)
    const [old] = yield* under(url, {}, published)
    const reason = yield* under(url, { LOG_SIGNING_KEY: NEW_KEY }, refusal)
    assert.match(reason, /LOG_SIGNING_KEY.*LOG_SIGNING_KEY_PREVIOUS.*LOG_KEY_LOST/)
    assert.lengthOf(yield* under(url, {}, published), 1)
    const lost = { LOG_SIGNING_KEY: NEW_KEY, LOG_KEY_LOST: old! }
    assert.strictEqual(yield* under(url, lost, entered), 3)
    assert.strictEqual(yield* under(url, { LOG_SIGNING_KEY: NEW_KEY }, entered), 4)
    assert.lengthOf(yield* under(url, {}, published), 2)
  })

  it("sign once if the previous key is the current one", function* () {
    const url = yield* migratedDatabase
    const same = { LOG_SIGNING_KEY: TEST_SIGNING_KEY, LOG_SIGNING_KEY_PREVIOUS: TEST_SIGNING_KEY.toUpperCase() }
    yield* under(url, same, entered)
    assert.lengthOf((yield* under(url, same, checkpoint)).split("— "), 2)
  })
})
