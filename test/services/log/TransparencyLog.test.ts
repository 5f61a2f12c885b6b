/** What tiles and receipts cost: what was hashed once is kept, and nobody waits for more than a tile. Damage is not kept. */
import { createHash } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { vi } from "vitest"
import { openCheckpoint } from "../../../src/proof/checkpoint.ts"
import { textOfNote } from "../../../src/proof/note.ts"
import { makeSigner, signNote } from "../../../src/services/log/keys.ts"
import { TransparencyLog } from "../../../src/services/log/TransparencyLog.ts"
import { logServices, receiptOf, record, recordMany, sequenceAll, tamper } from "../../support/logs.ts"
import { together } from "../../support/services.ts"

/** How many hashes the service has made, in all and at most between two rounds of the event loop. */
const hashes = vi.hoisted(() => ({ made: 0, inRound: 0, mostInRound: 0 }))
vi.mock("../../../src/platform/sha256.ts", async (importOriginal) => {
  const { sha256 } = await importOriginal<typeof import("../../../src/platform/sha256.ts")>()
  return {
    sha256: (bytes: Parameters<typeof sha256>[0]) => {
      hashes.made++
      if (hashes.inRound++ === 0) {
        setImmediate(() => {
          hashes.inRound = 0
        })
      }
      hashes.mostInRound = Math.max(hashes.mostInRound, hashes.inRound)
      return sha256(bytes)
    }
  }
})

const SIZE = 3000
const FULL = 256
/** A full tile of level 0, and the tiles at the edge of so many records. */
const ONE_TILE = FULL + FULL - 1
const EDGE = 2 * (SIZE % FULL) + Math.floor(SIZE / FULL)
/** Of a receipt, when all its tiles are there: the nodes along the edge, for the root and for the proof. */
const ONE_PROOF = 48

/** A log of so many records; returns their ids in the order of the log. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* recordMany(SIZE)
  yield* sequenceAll
  const rows = yield* sql<{ readonly id: string }>`
    SELECT answer_id AS id FROM log_entry JOIN answer USING (seq) ORDER BY index`
  return rows.map(({ id }) => id)
})

/** How many hashes the work takes, and how many at most in one round. */
const countHashes = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  Object.assign(hashes, { made: 0, inRound: 0, mostInRound: 0 })
  yield* work
  return { ...hashes }
})

const damage = (level: number, n: number) =>
  tamper(
    `UPDATE log_tile SET hashes = set_byte(hashes, 40, get_byte(hashes, 40) # 1) WHERE level = ${level} AND n = ${n}`
  )

layer(logServices(), { excludeTestServices: true })("the log as others see it", (it) => {
  it.effect("hashes each tile once for all who ask for receipts, tile by tile", () =>
    Effect.gen(function* () {
      const ids = yield* fill
      const log = yield* TransparencyLog
      const COUNT = 60
      const receipts = together(COUNT, (at) => log.receipt(ids[at * 10]!))
      const first = yield* countHashes(receipts)
      assert.isBelow(first.made, Math.ceil((COUNT * 10) / FULL) * ONE_TILE + EDGE + COUNT * ONE_PROOF)
      assert.isBelow(first.mostInRound, 2 * FULL)
      assert.isAtMost((yield* countHashes(receipts)).made, COUNT * ONE_PROOF)
      yield* receiptOf(ids[0]!)
      yield* receiptOf(ids.at(-1)!)
    })
  )

  it.effect("hashes a tile once for all who fetch it, and serves what is stored", () =>
    Effect.gen(function* () {
      const log = yield* TransparencyLog
      const sql = yield* SqlClient.SqlClient
      const tile = { level: 0, n: 7, width: FULL }
      const fetched = together(50, () => log.tile(tile))
      const { made, mostInRound } = yield* countHashes(fetched)
      assert.strictEqual(made, FULL)
      assert.strictEqual(mostInRound, FULL)
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
  )

  it.effect("makes no receipt out of a damaged tile, keeps nothing of it, and goes on with what was right", () =>
    Effect.gen(function* () {
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
  )

  it.effect("makes no receipt of a record that is not the one that was entered", () =>
    Effect.gen(function* () {
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
  )

  it.effect("proves what it proves, whatever else is listed among its keys", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ readonly id: string }>`SELECT answer_id AS id FROM answer LIMIT 1`
      yield* sql`INSERT INTO log_key (verifier_key, used_since) VALUES ('log.example/log+00000000+AAAA', now()), ('', now())`
      assert.strictEqual((yield* (yield* TransparencyLog).keys).length, 3)
      yield* receiptOf(row!.id)
    })
  )

  it.effect("has no tile that is wider than what a key of its own has signed, whatever log_head says", () =>
    Effect.gen(function* () {
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
  )

  it.effect("has no checkpoint and no receipt that a key of its own has not signed, whatever log_head says", () =>
    Effect.gen(function* () {
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
  )

  it.effect("reads no checkpoint that is longer than one can be", () =>
    Effect.promise(() => openCheckpoint(`name${"\n".repeat(200_000)}`, []).catch(({ message }) => message)).pipe(
      Effect.map((reason) => assert.strictEqual(reason, "it is longer than a checkpoint"))
    )
  )

  it.effect("has no tile that is wider than what is signed", () =>
    Effect.gen(function* () {
      const [log, sql] = [yield* TransparencyLog, yield* SqlClient.SqlClient]
      const [head] = yield* sql<{ readonly size: number }>`SELECT size::int FROM log_head`
      const [n, width] = [Math.floor(head!.size / FULL), head!.size % FULL]
      const isServed = (width: number) => Effect.map(log.tile({ level: 0, n, width }), Option.isSome)
      assert.isTrue(yield* isServed(width))
      yield* tamper(`UPDATE log_tile SET hashes = hashes || sha256('evil') WHERE level = 0 AND n = ${n}`)
      assert.isFalse(yield* isServed(width + 1))
    })
  )
})
