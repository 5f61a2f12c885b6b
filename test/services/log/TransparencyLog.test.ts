/**
 * Tiles, receipts and checkpoints as readers see them: hashes are cached, an event-loop tick hashes
 * about one tile at most, and nothing unsigned is served.
 */
import { createHash } from "node:crypto"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { vi } from "vitest"
import { openCheckpoint } from "../../../src/proof/checkpoint.ts"
import { textOfNote } from "../../../src/proof/note.ts"
import { makeSigner, signNote } from "../../../src/services/log/keys.ts"
import { TransparencyLog } from "../../../src/services/log/TransparencyLog.ts"
import { assert, layer } from "../../support/effects.ts"
import { logServices, receiptOf, record, recordMany, sequenceAll, tamper } from "../../support/logs.ts"
import { together } from "../../support/services.ts"

/** Hashes that the service has computed, in total and at most in one event-loop tick. */
const hashes = vi.hoisted(() => ({ total: 0, inTick: 0, maxInTick: 0 }))
vi.mock("../../../src/platform/sha256.ts", async (importOriginal) => {
  const { sha256 } = await importOriginal<typeof import("../../../src/platform/sha256.ts")>()
  return {
    sha256: (bytes: Parameters<typeof sha256>[0]) => {
      hashes.total++
      if (hashes.inTick++ === 0) {
        setImmediate(() => {
          hashes.inTick = 0
        })
      }
      hashes.maxInTick = Math.max(hashes.maxInTick, hashes.inTick)
      return sha256(bytes)
    }
  }
})

const SIZE = 3000
const FULL = 256
/** Hashes for a full tile of level 0, and for the edge tiles of SIZE records. */
const ONE_TILE = FULL + FULL - 1
const EDGE = 2 * (SIZE % FULL) + Math.floor(SIZE / FULL)
/** Hashes for a receipt whose tiles are cached: the nodes along the edge, for root and proof. */
const ONE_PROOF = 48

/** Adds SIZE records to the log; returns the ids of all in the order of the log. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* recordMany(SIZE)
  yield* sequenceAll
  const rows = yield* sql<{ readonly id: string }>`
    SELECT answer_id AS id FROM log_entry JOIN answer USING (seq) ORDER BY index`
  return rows.map(({ id }) => id)
})

/** Counts the hashes that the work computes, in total and at most in one tick. */
const countHashes = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  Object.assign(hashes, { total: 0, inTick: 0, maxInTick: 0 })
  yield* work
  return { ...hashes }
})

const damage = (level: number, n: number) =>
  tamper(
    `UPDATE log_tile SET hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1) WHERE level = ${level} AND n = ${n}`
  )

layer(logServices())("the log as readers see it", (it) => {
  it("hashes each tile once for concurrent receipts, one tile at a time", function* () {
    const ids = yield* fill
    const log = yield* TransparencyLog
    const COUNT = 60
    const receipts = together(COUNT, (at) => log.receipt(ids[at * 10]!))
    const first = yield* countHashes(receipts)
    assert.isBelow(first.total, Math.ceil((COUNT * 10) / FULL) * ONE_TILE + EDGE + COUNT * ONE_PROOF)
    assert.isBelow(first.maxInTick, 2 * FULL)
    assert.isAtMost((yield* countHashes(receipts)).total, COUNT * ONE_PROOF)
    yield* receiptOf(ids[0]!)
    yield* receiptOf(ids.at(-1)!)
  })

  it("hashes a tile once for concurrent fetches, and serves the stored one", function* () {
    const log = yield* TransparencyLog
    const sql = yield* SqlClient.SqlClient
    const tile = { level: 0, n: 7, width: FULL }
    const fetched = together(50, () => log.tile(tile))
    const { total, maxInTick } = yield* countHashes(fetched)
    assert.strictEqual(total, FULL)
    assert.strictEqual(maxInTick, FULL)
    const leafOf = (entry: Uint8Array) =>
      createHash("sha256")
        .update(Buffer.concat([Buffer.of(0), entry]))
        .digest("hex")
    const secondLeaf = Effect.map(log.tile(tile), (found) =>
      Buffer.from(Option.getOrThrow(found)).subarray(32, 64).toString("hex")
    )
    const secondEntry = Effect.map(
      sql<{ readonly entry: Uint8Array }>`
        SELECT substr(hashes, 33, 32) AS entry FROM log_tile WHERE level = 0 AND n = 7`,
      ([row]) => row!.entry
    )
    const right = yield* secondLeaf
    assert.strictEqual(right, leafOf(yield* secondEntry))
    yield* damage(0, 7)
    assert.strictEqual(yield* secondLeaf, leafOf(yield* secondEntry))
    assert.notStrictEqual(yield* secondLeaf, right)
    yield* damage(0, 7)
    assert.strictEqual(yield* secondLeaf, right)
  })

  it("issues no receipt from a damaged tile and does not cache it, but keeps using a cached intact one", function* () {
    const ids = yield* fill
    const log = yield* TransparencyLog
    const [, id] = ids.slice(9 * FULL)
    yield* damage(0, 9)
    assert.strictEqual((yield* Effect.exit(log.receipt(id!)))._tag, "Failure")
    yield* damage(0, 9)
    const { text } = yield* receiptOf(id!)
    yield* damage(0, 9)
    assert.strictEqual((yield* receiptOf(id!)).text, text)
    yield* damage(0, 9)
  })

  it("issues no receipt for a record that differs from its entry", function* () {
    const [log, sql] = [yield* TransparencyLog, yield* SqlClient.SqlClient]
    const [row] = yield* sql<{ readonly id: string }>`
      SELECT answer_id AS id FROM log_entry JOIN answer USING (seq) WHERE index = 700`
    const setHash = (hash: string) => tamper(`UPDATE answer SET inputs_hash = ${hash} WHERE answer_id = '${row!.id}'`)
    yield* tamper(`CREATE TABLE before AS SELECT inputs_hash FROM answer WHERE answer_id = '${row!.id}'`)
    yield* setHash("sha256('other')")
    assert.strictEqual((yield* Effect.flip(log.receipt(row!.id)))._tag, "LedgerUnavailable")
    yield* setHash("(SELECT inputs_hash FROM before)")
    yield* receiptOf(row!.id)
  })

  it("issues valid receipts even if invalid keys are listed", function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly id: string }>`SELECT answer_id AS id FROM answer LIMIT 1`
    yield* sql`INSERT INTO log_key (verifier_key, used_since) VALUES ('log.example/log+00000000+AAAA', now()), ('', now())`
    assert.strictEqual((yield* (yield* TransparencyLog).keys).length, 3)
    yield* receiptOf(row!.id)
  })

  it("serves no tile wider than its own keys have signed, whatever log_head contains", function* () {
    const [log, sql] = [yield* TransparencyLog, yield* SqlClient.SqlClient]
    yield* fill
    const signed = yield* log.checkpoint
    const [head] = yield* sql<{ readonly size: number }>`SELECT size::int FROM log_head`
    const [n, width] = [Math.floor(head!.size / FULL), head!.size % FULL]
    yield* sql`UPDATE log_tile SET hashes = hashes || sha256('evil') WHERE level = 0 AND n = ${n}`
    const larger = signed.replace(`\n${head!.size}\n`, `\n${head!.size + 1}\n`)
    const [name] = signed.split("\n")
    const evil = yield* Effect.promise(() => makeSigner(name!, new Uint8Array(32).fill(9)))
    const forged = yield* Effect.promise(() => signNote(textOfNote(larger), [evil]))
    yield* sql`INSERT INTO log_key (verifier_key, used_since) VALUES (${evil.verifierKey}, now())`
    for (const checkpoint of [larger, forged]) {
      yield* sql`UPDATE log_head SET checkpoint = ${checkpoint}`
      const refused = yield* Effect.flip(log.tile({ level: 0, n, width: width + 1 }))
      assert.strictEqual(refused._tag, "LedgerUnavailable")
    }
    yield* sql`UPDATE log_head SET checkpoint = ${signed}`
    assert.isTrue(Option.isNone(yield* log.tile({ level: 0, n, width: width + 1 })))
    assert.isTrue(Option.isSome(yield* log.tile({ level: 0, n, width })))
  })

  it("serves no checkpoint and no receipt that its own keys have not signed, whatever log_head contains", function* () {
    const [log, sql] = [yield* TransparencyLog, yield* SqlClient.SqlClient]
    const signed = yield* log.checkpoint
    const [name] = signed.split("\n")
    const [row] = yield* sql<{ readonly id: string }>`
      SELECT answer_id AS id FROM log_entry JOIN answer USING (seq) WHERE index = 700`
    const evil = yield* Effect.promise(() => makeSigner(name!, new Uint8Array(32).fill(9)))
    const forged = yield* Effect.promise(() => signNote(textOfNote(signed), [evil]))
    yield* sql`UPDATE log_head SET checkpoint = ${forged}`
    assert.strictEqual((yield* Effect.flip(log.checkpoint))._tag, "LedgerUnavailable")
    assert.strictEqual((yield* Effect.flip(log.receipt(row!.id)))._tag, "LedgerUnavailable")
    yield* sql`UPDATE log_head SET checkpoint = ${signed}`
    yield* sql`INSERT INTO log_entry (index, seq) SELECT size, (SELECT max(seq) + 1 FROM answer) FROM log_head`
    const [added] = yield* record(1)
    assert.strictEqual((yield* Effect.flip(log.receipt(added!)))._tag, "NotYetLogged")
    yield* tamper("DELETE FROM log_entry WHERE index = (SELECT size FROM log_head)")
    yield* receiptOf(row!.id)
  })

  it("rejects a checkpoint that is too long", function* () {
    const opened = openCheckpoint(`name${"\n".repeat(200_000)}`, [])
    const reason = yield* Effect.promise(() => opened.catch(({ message }) => message))
    assert.strictEqual(reason, "it is longer than a checkpoint")
  })
})
