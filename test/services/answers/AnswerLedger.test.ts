/**
 * The ledger of answers: append-only, paged, one account's rows only, and no half-written answer.
 */
import { Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AnswerLedger } from "../../../src/services/answers/AnswerLedger.ts"
import { Charging } from "../../../src/services/answers/Charging.ts"
import { assert, layer } from "../../support/effects.ts"
import { countOf, entry, newCaller, tally, testServices, together } from "../../support/services.ts"

layer(testServices())("a recorded answer", (it) => {
  it.onTestClock("is found by its id with everything except the inputs", function* () {
    const recordedAtUtc = new Date(Date.UTC(2026, 10, 20, 12))
    yield* TestClock.setTime(recordedAtUtc.getTime())
    const caller = yield* newCaller()
    const ledger = yield* AnswerLedger
    const written = entry({ source: "McpServer", endpoint: "POST /v1/comparison", eventType: "calc.comparison.run" })
    yield* (yield* Charging).record(caller, written)
    const found = Option.getOrThrow(yield* ledger.find(written.answerId))
    const { rowId, ...row } = found
    assert.isAbove(rowId, 0)
    assert.deepStrictEqual(row, { ...written, recordedAtUtc, keyPrefix: caller.keyPrefix, tenant: caller.tenant })
  })

  it("is not found under an unknown or malformed id", function* () {
    const ledger = yield* AnswerLedger
    for (const id of [entry().answerId, "", "not-a-uuid", "' OR 1=1 --"]) {
      assert.isTrue(Option.isNone(yield* ledger.find(id)))
    }
  })

  it("is found by many concurrent lookups, each by its own id", function* () {
    const ledger = yield* AnswerLedger
    const charging = yield* Charging
    const caller = yield* newCaller()
    const written = Array.from({ length: 20 }, () => entry())
    for (const one of written) yield* charging.record(caller, one)
    const asked = written.flatMap(({ answerId }) => [answerId, entry().answerId, answerId.toUpperCase(), "no id"])
    const found = yield* Effect.forEach(asked, (id) => ledger.find(id), { concurrency: "unbounded" })
    assert.deepStrictEqual(
      found.map((row) => Option.getOrUndefined(row)?.answerId),
      written.flatMap(({ answerId }) => [answerId, undefined, answerId, undefined])
    )
  })

  it("of a new kind can be recorded by many processes at once", function* () {
    const caller = yield* newCaller()
    const processes = yield* Effect.all(
      Array.from({ length: 8 }, () => Effect.provide(Charging, Layer.fresh(Charging.layer)))
    )
    const ruleVersion = "rl1-fedcba987654"
    const results = yield* together(40, (index) => processes[index % 8]!.record(caller, entry({ ruleVersion })))
    assert.deepStrictEqual(tally(results), { ok: 40 })
    assert.strictEqual(yield* countOf("recorded_answer", `rule_version = '${ruleVersion}'`), 40)
    assert.strictEqual(yield* countOf("answer_kind", `rule_version = '${ruleVersion}'`), 1)
  })

  it("cannot be changed, deleted or truncated [F67]", function* () {
    const sql = yield* SqlClient.SqlClient
    const ledger = yield* AnswerLedger
    const written = entry()
    yield* (yield* Charging).record(yield* newCaller(), written)
    const attempts = [
      sql`UPDATE answer SET kind = 0 WHERE answer_id = ${written.answerId}::uuid`,
      sql`DELETE FROM answer WHERE answer_id = ${written.answerId}::uuid`,
      sql`TRUNCATE answer`,
      sql`TRUNCATE answer CASCADE`
    ]
    for (const attempt of attempts) assert.include((yield* Effect.flip(attempt)).reason._tag, "AuthorizationError")
    assert.isTrue(Option.isSome(yield* ledger.find(written.answerId)))
  })

  it("of a reference scenario belongs to the service and is charged to no key", function* () {
    const ledger = yield* AnswerLedger
    const written = entry({ endpoint: "GET /v1/reference#single-borrower", eventType: "calc.comparison.run" })
    yield* ledger.recordOwn([written])
    const found = Option.getOrThrow(yield* ledger.find(written.answerId))
    assert.deepInclude(found, { keyPrefix: "slr_ref", tenant: "reference" })
  })
})

layer(testServices())("a record that the database rolls back", (it) => {
  /** A sequence is not rolled back with its transaction, so the trigger can count its failures. */
  const failing = (times: number, code: string) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe(`DROP TRIGGER IF EXISTS fails ON answer`)
      yield* sql.unsafe(`DROP SEQUENCE IF EXISTS failures`)
      yield* sql.unsafe(`CREATE SEQUENCE failures`)
      yield* sql.unsafe(`CREATE OR REPLACE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('failures') <= ${times} THEN RAISE EXCEPTION 'undone' USING ERRCODE = '${code}'; END IF;
        RETURN NEW; END $$`)
      yield* sql.unsafe(`CREATE TRIGGER fails BEFORE INSERT ON answer FOR EACH ROW EXECUTE FUNCTION fails()`)
    })

  for (const code of ["40001", "40P01"]) {
    it(`is retried at most twice with the same id (${code}) [F9]`, function* () {
      const caller = yield* newCaller()
      const ledger = yield* AnswerLedger
      const charging = yield* Charging
      yield* failing(2, code)
      const written = entry()
      assert.strictEqual((yield* charging.record(caller, written)).used, 1)
      assert.isTrue(Option.isSome(yield* ledger.find(written.answerId)))

      yield* failing(3, code)
      const lost = entry()
      assert.strictEqual((yield* Effect.flip(charging.record(caller, lost)))._tag, "LedgerUnavailable")
      assert.isTrue(Option.isNone(yield* ledger.find(lost.answerId)))
      assert.strictEqual(yield* countOf("usage", `key_id = '${caller.keyId}' AND used = 1`), 1)
    })
  }

  it("is not retried for any other failure", function* () {
    const caller = yield* newCaller()
    yield* failing(1, "58030")
    assert.strictEqual(
      (yield* Effect.flip(Effect.flatMap(Charging, (charging) => charging.record(caller, entry()))))._tag,
      "LedgerUnavailable"
    )
  })
})

layer(testServices())("a page of records", (it) => {
  it("continues the previous page without gap or repetition, newest first", function* () {
    const caller = yield* newCaller()
    const ledger = yield* AnswerLedger
    const charging = yield* Charging
    const written = Array.from({ length: 7 }, () => entry())
    for (const answer of written) yield* charging.record(caller, answer)
    const seen: Array<string> = []
    let cursor: bigint | undefined
    const sizes: Array<number> = []
    do {
      const page = yield* ledger.page({ tenant: caller.tenant, cursor, limit: 3 })
      seen.push(...page.rows.map(({ answerId }) => answerId))
      sizes.push(page.rows.length)
      cursor = page.nextCursor === null ? undefined : BigInt(page.nextCursor)
      // A record that is added meanwhile appears on no later page.
      yield* charging.record(caller, entry())
    } while (cursor !== undefined)
    assert.deepStrictEqual(seen, written.map(({ answerId }) => answerId).reverse())
    assert.deepStrictEqual(sizes, [3, 3, 1])
  })

  it("that ends exactly with the last row has no next page", function* () {
    const caller = yield* newCaller()
    const ledger = yield* AnswerLedger
    const charging = yield* Charging
    for (let index = 0; index < 3; index++) yield* charging.record(caller, entry())
    assert.isNull((yield* ledger.page({ tenant: caller.tenant, limit: 3 })).nextCursor)
    assert.deepStrictEqual(yield* ledger.page({ tenant: "nobody", limit: 3 }), { rows: [], nextCursor: null })
  })

  it("contains rows of one account only, whatever cursor is sent [F41]", function* () {
    const [mine, theirs] = [yield* newCaller(), yield* newCaller()]
    const ledger = yield* AnswerLedger
    const charging = yield* Charging
    for (let index = 0; index < 3; index++) {
      yield* charging.record(mine, entry())
      yield* charging.record(theirs, entry())
    }
    const their = yield* ledger.page({ tenant: theirs.tenant, limit: 1 })
    for (const cursor of [BigInt(their.nextCursor!), 2n ** 63n - 1n, 1n, 0n, -1n]) {
      const { rows } = yield* ledger.page({ tenant: mine.tenant, cursor, limit: 100 })
      assert.isTrue(rows.every(({ tenant }) => tenant === mine.tenant))
    }
  })

  it("ignores a cursor that names a row of another account [F41]", function* () {
    const [mine, theirs] = [yield* newCaller(), yield* newCaller()]
    const ledger = yield* AnswerLedger
    const charging = yield* Charging
    for (const caller of [mine, theirs, mine]) yield* charging.record(caller, entry())
    const [row] = (yield* ledger.page({ tenant: theirs.tenant, limit: 1 })).rows
    const first = yield* ledger.page({ tenant: mine.tenant, limit: 100 })
    assert.lengthOf(first.rows, 2)
    assert.deepStrictEqual(yield* ledger.page({ tenant: mine.tenant, limit: 100, cursor: row!.rowId }), first)
  })

  it.onTestClock("continues within its range even if the clock was set back meanwhile [F11]", function* () {
    const ledger = yield* AnswerLedger
    const charging = yield* Charging
    const at = (day: number) => new Date(Date.UTC(2026, 10, day))
    yield* TestClock.setTime(at(1).getTime())
    const caller = yield* newCaller()
    // The clock is set back twice, and three records share a millisecond.
    for (const day of [3, 4, 4, 4, 2, 5, 6, 1, 4]) {
      yield* TestClock.setTime(at(day).getTime())
      yield* charging.record(caller, entry())
    }
    const days: Array<number> = []
    const ids = new Set<string>()
    let cursor: number | undefined
    do {
      const page = yield* ledger.page({ tenant: caller.tenant, from: at(2), to: at(6), limit: 2, cursor })
      days.push(...page.rows.map(({ recordedAtUtc }) => recordedAtUtc.getUTCDate()))
      for (const { answerId } of page.rows) ids.add(answerId)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    assert.deepStrictEqual(days, [5, 4, 4, 4, 4, 3, 2])
    assert.strictEqual(ids.size, days.length)
  })

  it.onTestClock("includes records at `from` and excludes those at `to`", function* () {
    const ledger = yield* AnswerLedger
    const charging = yield* Charging
    const at = (day: number) => new Date(Date.UTC(2026, 10, day))
    yield* TestClock.setTime(at(1).getTime())
    const caller = yield* newCaller()
    for (let day = 1; day <= 5; day++) {
      yield* TestClock.setTime(at(day).getTime())
      yield* charging.record(caller, entry())
    }
    const days = (from?: Date, to?: Date) =>
      Effect.map(ledger.page({ tenant: caller.tenant, from, to, limit: 100 }), ({ rows }) =>
        rows.map(({ recordedAtUtc }) => recordedAtUtc.getUTCDate())
      )
    assert.deepStrictEqual(yield* days(at(2), at(4)), [3, 2])
    assert.deepStrictEqual(yield* days(at(4)), [5, 4])
    assert.deepStrictEqual(yield* days(undefined, at(2)), [1])
    assert.deepStrictEqual(yield* days(at(4), at(2)), [])
  })
})

layer(testServices())("two records under one id", (it) => {
  it("confirm neither, while all other records are still confirmed", function* () {
    const sql = yield* SqlClient.SqlClient
    const ledger = yield* AnswerLedger
    const caller = yield* newCaller()
    const written = [entry(), entry()]
    for (const one of written) yield* (yield* Charging).record(caller, one)
    const [twice, once] = written.map(({ answerId }) => answerId)
    const find = (id: string) => Effect.map(Effect.result(ledger.find(id)), Result.isSuccess)
    yield* sql`ALTER TABLE answer DROP CONSTRAINT answer_answer_id_key`
    yield* sql`
      INSERT INTO answer (recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)
      SELECT recorded_at, answer_id, tenant, key_id, kind, inputs_hash, sha256('forged')
      FROM answer WHERE answer_id = ${twice!}::uuid`
    assert.deepStrictEqual(yield* Effect.all([find(twice!), find(once!)], { concurrency: 2 }), [false, true])
  })
})
