/**
 * Rounds in which the service asks its witnesses: whom it asks and from which size, which of their
 * lines it keeps, and which checkpoint receipts rest on.
 */
import { Effect, Exit, Layer, type LogLevel, Metric, Option, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeEach } from "vitest"
import { noteOf } from "../../../src/proof/checkpoint.ts"
import { parsePolicy, witnessedBy } from "../../../src/proof/policy.ts"
import { LedgerUnavailable } from "../../../src/services/ledgerUnavailable.ts"
import { makeSigner, originOf } from "../../../src/services/log/keys.ts"
import { Sequencer } from "../../../src/services/log/Sequencer.ts"
import { TransparencyLog } from "../../../src/services/log/TransparencyLog.ts"
import { makeRounds, witnessWorkerLayer } from "../../../src/services/log/Witnesses.ts"
import { ownPolicy } from "../../../src/services/log/witnessPolicy.ts"
import { migratedDatabase } from "../../support/database.ts"
import { assert, type Body, describe, it } from "../../support/effects.ts"
import { type LogServices, lines, receiptOf, record, sequenceAll, tamper } from "../../support/logs.ts"
import { servicesOn } from "../../support/services.ts"
import { TEST_SIGNING_KEY } from "../../support/settings.ts"
import { makeCosigner, startWitness } from "../../support/witness.ts"

const witnesses = await Promise.all([1, 2].map((seed) => startWitness(`w.example/${seed}`, seed)))
const [one, two] = witnesses as [(typeof witnesses)[0], (typeof witnesses)[0]]
afterAll(() => witnesses.forEach(({ stop }) => void stop()))
beforeEach(() => {
  for (const { behave, bodies } of witnesses) {
    behave(null)
    bodies.splice(0)
  }
})

const NAMED = `witness one ${one.verifierKey} ${one.url}/\nwitness two ${two.verifierKey} ${two.url}\n`
const BOTH = `${NAMED}group both all one two\nquorum both\n`
const ONE = `${NAMED}quorum one\n`

const under = (url: Redacted.Redacted<string>, policy: string, more: Readonly<Record<string, string>> = {}) =>
  Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url, { LOG_WITNESSES_TEXT: policy, ...more })))

/** A round whose turn has come. */
const roundsOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { round } = yield* makeRounds((yield* ownPolicy)!)
  return Effect.andThen(sql`UPDATE log_witnessed SET free_at = '1970-01-01Z'`, round)
})

const grow = Effect.andThen(record(1), sequenceAll)

/** A test on a log of one record under BOTH; it gets its rounds and the lines logged meanwhile. */
const onLog = (
  title: string,
  body: (
    round: Effect.Success<typeof roundsOf>,
    linesAt: (level: LogLevel.LogLevel) => ReadonlyArray<string>
  ) => ReturnType<Body<LogServices>>
) =>
  it(title, function* () {
    const url = yield* migratedDatabase
    const { layer, told } = lines()
    const linesAt = (wanted: LogLevel.LogLevel) => told.filter(({ level }) => level === wanted).map(({ text }) => text)
    yield* Effect.gen(function* () {
      const round = yield* roundsOf
      yield* grow
      yield* Effect.gen(() => body(round, linesAt))
    }).pipe(Effect.provide(layer), Effect.provide(under(url, BOTH)))
  })

const olds = ({ bodies }: (typeof witnesses)[0]) => bodies.splice(0).map((body) => Number(/^old (\d+)/.exec(body)![1]))
/** The values of a counter, which has one for each witness or one in all. */
const countsOf = (name: string) =>
  Effect.map(Metric.snapshot, (metrics) =>
    metrics.flatMap(({ id, state }) => (id === name && "count" in state ? [Number(state.count)] : []))
  )
const sizeOf = (note: string) => Number(note.split("\n")[1])
const seenIn = (note: string) =>
  Effect.promise(async () => (await witnessedBy(note, await parsePolicy(BOTH))).seen.map(({ name }) => name))

describe("a round", () => {
  it("sends the newest checkpoint to each witness that has not cosigned it, and keeps their lines", function* () {
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const log = yield* TransparencyLog
      const round = yield* roundsOf
      yield* round
      assert.deepStrictEqual(olds(one), [])
      const [first] = yield* record(3)
      yield* sequenceAll
      assert.isTrue(Option.isNone(yield* log.witnessed))
      two.behave(500)
      yield* round
      assert.deepStrictEqual([olds(one), olds(two)], [[0], [0]])
      assert.deepStrictEqual(yield* seenIn(yield* log.checkpoint), ["one"])
      assert.isTrue(Option.isNone(yield* log.witnessed))
      two.behave(null)
      yield* round // `two` is passed over once
      yield* round
      assert.deepStrictEqual([olds(one), olds(two)], [[], [0]])
      assert.deepStrictEqual(yield* seenIn(yield* log.checkpoint), ["one", "two"])
      const witnessed = Option.getOrThrow(yield* log.witnessed)
      assert.strictEqual(witnessed, yield* log.checkpoint)
      assert.strictEqual(noteOf((yield* receiptOf(first!)).text), witnessed)

      const [second] = yield* record(1)
      yield* sequenceAll
      assert.deepStrictEqual(yield* seenIn(yield* log.checkpoint), [])
      assert.strictEqual(Option.getOrThrow(yield* log.witnessed), witnessed)
      assert.strictEqual(noteOf((yield* receiptOf(first!)).text), witnessed)
      assert.strictEqual(noteOf((yield* receiptOf(second!)).text), yield* log.signed)
      yield* round
      assert.deepStrictEqual([olds(one), olds(two)], [[3], [3]])
      for (const id of [first, second]) assert.strictEqual(sizeOf(noteOf((yield* receiptOf(id!)).text)), 4)
    }).pipe(Effect.provide(under(url, BOTH)))

    // Under another policy: what its quorum has not seen is not served as witnessed.
    const { verifierKey } = yield* Effect.promise(() => makeCosigner("w.example/3", new Uint8Array(32).fill(3)))
    yield* Effect.gen(function* () {
      assert.isTrue(Option.isNone(yield* (yield* TransparencyLog).witnessed))
    }).pipe(Effect.provide(under(url, `witness w ${verifierKey}\nquorum w`)))
    yield* Effect.gen(function* () {
      assert.strictEqual(sizeOf(Option.getOrThrow(yield* (yield* TransparencyLog).witnessed)), 4)
    }).pipe(Effect.provide(under(url, ONE)))
  })

  it("is one for all processes, and the next turn comes after the pause", function* () {
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* record(1)
      yield* sequenceAll
      const policy = (yield* ownPolicy)!
      const processes = yield* Effect.forEach([1, 2, 3], () => makeRounds(policy))
      const waits = yield* Effect.forEach(processes, ({ round }) => round, { concurrency: "unbounded" })
      assert.lengthOf(olds(one), 1)
      for (const wait of waits) assert.isTrue(wait > 0 && wait <= 60, String(waits))
      yield* record(1)
      yield* sequenceAll
      yield* Effect.forEach(processes, ({ round }) => round)
      assert.lengthOf(olds(one), 0)
      // A clock that went back does not stop the rounds.
      yield* sql`UPDATE log_witnessed SET free_at = clock_timestamp() + interval '1 day'`
      yield* processes[0]!.round
      assert.lengthOf(olds(one), 1)
    }).pipe(Effect.provide(under(url, ONE)))
  })

  onLog(
    "reports a witness that has seen more once, and asks it again when the log is larger",
    function* (round, linesAt) {
      one.behave("409 with a larger size")
      for (let rounds = 0; rounds < 3; rounds++) yield* round
      assert.deepStrictEqual(linesAt("Error"), [
        "A witness refuses the transparency log: this log was restored from a backup, or forked; see docs/incidents.md"
      ])
      assert.deepStrictEqual([olds(one), olds(two)], [[0], [0]])
      one.behave(null)
      yield* grow
      yield* round
      assert.deepStrictEqual(olds(one), [])
      yield* grow
      yield* round
      assert.deepStrictEqual(olds(one), [0])
      assert.deepStrictEqual(yield* countsOf("log_witness_conflicts_total"), [1, 0])
    }
  )

  onLog(
    "fails if the database gives no proof or stores no line, and blames no witness for it",
    function* (round, linesAt) {
      const sql = yield* SqlClient.SqlClient
      yield* round
      assert.deepStrictEqual([olds(one), olds(two)], [[0], [0]])
      yield* grow
      yield* sql`ALTER TABLE log_tile RENAME TO log_tile_away`
      assert.instanceOf(yield* Effect.flip(round), LedgerUnavailable)
      yield* sql`ALTER TABLE log_tile_away RENAME TO log_tile`
      yield* sql`ALTER TABLE log_witness ADD CONSTRAINT none_larger CHECK (size < 2)`
      assert.instanceOf(yield* Effect.flip(round), LedgerUnavailable)
      yield* sql`ALTER TABLE log_witness DROP CONSTRAINT none_larger`
      assert.deepStrictEqual([olds(one), olds(two)], [[1], [1]])
      assert.deepStrictEqual([...new Set(linesAt("Error"))], ["A database operation failed"])
      assert.deepStrictEqual(linesAt("Warn"), [])
      assert.deepStrictEqual(yield* countsOf("log_witness_failures_total"), [0, 0])
      assert.deepStrictEqual(yield* countsOf("log_witness_rounds_total"), [1])
      yield* round
      assert.deepStrictEqual([olds(one), olds(two)], [[1], [1]])
      assert.deepStrictEqual(yield* countsOf("log_witness_rounds_total"), [2])
    }
  )

  onLog("fails if the stored log gives no proof, and blames no witness for it", function* (round) {
    yield* round
    yield* grow
    yield* tamper("DELETE FROM log_tile")
    assert.isTrue(Exit.hasDies(yield* Effect.exit(round)))
    assert.deepStrictEqual(yield* countsOf("log_witness_failures_total"), [0, 0])
  })

  onLog("says what the operator of a witness has to add that does not know the log", function* (round, linesAt) {
    for (const status of [404, 403]) {
      one.behave(status)
      for (let rounds = 0; rounds < 20; rounds++) yield* round
    }
    const [key] = yield* (yield* TransparencyLog).keys
    const advice = `A witness does not know this log or its key; its operator must add: ${key}`
    assert.deepStrictEqual(linesAt("Warn"), [advice, advice])
  })
})

describe("the policy of the service", () => {
  const refusalOf = (settings: Readonly<Record<string, string>>) =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const services = servicesOn(url, settings)
      const failure = yield* Effect.flip(Layer.build(witnessWorkerLayer.pipe(Layer.provide(services))))
      return "lines" in failure ? failure.lines.join("\n") : String(failure)
    }).pipe(Effect.scoped)

  it("stops the start if it cannot be read, or names another log than this one", function* () {
    const own = yield* Effect.promise(() =>
      makeSigner(originOf("http://127.0.0.1:8080"), Buffer.from(TEST_SIGNING_KEY, "hex"))
    )
    const stranger = yield* Effect.promise(() => makeSigner("other.example/log", new Uint8Array(32)))
    assert.match(yield* refusalOf({ LOG_WITNESSES_TEXT: "quorum w" }), /^LOG_WITNESSES_TEXT: line 1: no earlier line/)
    assert.match(
      yield* refusalOf({ LOG_WITNESSES: "/nowhere/policy" }),
      /^LOG_WITNESSES: \/nowhere\/policy cannot be read/
    )
    assert.match(
      yield* refusalOf({ LOG_WITNESSES_TEXT: `${NAMED.replace("http:", "ftp:")}quorum one` }),
      /witness one is not http/
    )
    assert.match(
      yield* refusalOf({ LOG_WITNESSES_TEXT: `log ${stranger.verifierKey}\n${ONE}` }),
      /no current key of this log/
    )
    assert.match(yield* refusalOf({ LOG_WITNESSES_TEXT: ONE, LOG_WITNESSES: "file" }), /use one of them/)
    const url = yield* migratedDatabase
    const services = servicesOn(url, { LOG_WITNESSES_TEXT: `log ${own.verifierKey}\n${ONE}` })
    yield* Effect.scoped(Layer.build(witnessWorkerLayer.pipe(Layer.provide(services))))
  })
})
