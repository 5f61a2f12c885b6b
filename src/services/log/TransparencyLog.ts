/**
 * The transparency log as readers see it: its newest checkpoint, tiles, keys, and receipts of
 * answers. Tiles contain only hashes, and a receipt needs the id of its answer. Only the Sequencer
 * appends to the log.
 */
import { Context, Data, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { isUuid } from "../../../schema/primitives.ts"
import type { AppConfig, ConfigProblems } from "../../platform/config.ts"
import { sha256 } from "../../platform/sha256.ts"
import { type Bytes, isEqual, utf8 } from "../../proof/bytes.ts"
import { HASH_BYTES, leafHash } from "../../proof/tree.ts"
import { READ_COLUMNS } from "../answers/records.ts"
import { LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import { readKeys, receiptText, treeOf } from "./keys.ts"
import { LogKeys } from "./LogKeys.ts"
import { type LoggedAnswer, recordText } from "./nextRecords.ts"
import { type LeveledTile, makeTileCache } from "./tileCache.ts"
import { edgeOf, entryBundle, inclusionProof, openRows, TILE_WIDTH, type Tile, tilesAbove, tileWidth } from "./tiles.ts"
import { hasQuorum, ownPolicy } from "./witnessPolicy.ts"

/** The record is not in the log yet, or the log is starting and has no key. Expect it within seconds. */
export class NotYetLogged extends Data.TaggedError("NotYetLogged")<{ readonly isStarting: boolean }> {}

interface Head {
  readonly origin: string | null
  readonly checkpoint: string | null
}

/** The newest checkpoint, and the newest that a quorum of witnesses had seen when it was stored. */
interface Heads extends Head {
  readonly witnessed: string | null
}

/** A record, with the checkpoints that were newest when it was read. */
interface Included extends LoggedAnswer, Heads {
  /** null before the record is in the log. */
  readonly index: number | null
}

/** A tile, with the checkpoint that was newest when it was read. */
interface StoredTile extends Head {
  readonly hashes: Uint8Array
}

/** The tiles of an inclusion proof: on the entry's path, and at the tree's right edge. */
const tilesOf = (checkpoint: string, size: number, index: number): ReadonlyArray<LeveledTile> => {
  const edge = edgeOf(size)
  const above = tilesAbove(index).filter(({ level, n }) => !edge.some((tile) => tile.level === level && tile.n === n))
  return [...edge, ...above].flatMap(({ level, n }) => {
    const width = tileWidth(size, level, n)
    if (width === 0) return []
    return [width === TILE_WIDTH ? { level, n, width } : { level, n, width, checkpoint }]
  })
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const provided = Effect.provideService(SqlClient.SqlClient, sql)
  const tiles = yield* makeTileCache
  const policy = yield* ownPolicy
  const { own: ownKeys, verifiedSize } = yield* LogKeys

  const stored = Effect.map(
    sql<Head>`SELECT origin, checkpoint FROM log_head`,
    ([head]): Head => head ?? { origin: null, checkpoint: null }
  )

  /**
   * Returns the checkpoint and its size if one of this installation's keys has signed it. Otherwise
   * it fails, so that nothing unsigned is served.
   */
  const verifyHead = Effect.fnUntraced(function* ({ checkpoint, origin }: Head) {
    if (checkpoint === null) return yield* new NotYetLogged({ isStarting: true })
    const size = yield* verifiedSize(origin ?? "", checkpoint)
    return size === null ? yield* new LedgerUnavailable() : { checkpoint, size }
  })

  const signed = Effect.fn("TransparencyLog.signed")(() =>
    stored.pipe(
      Effect.flatMap(verifyHead),
      Effect.map((signed) => signed.checkpoint),
      ledgerCall("checkpoint")
    )
  )

  const checkpoint = Effect.fn("TransparencyLog.checkpoint")(function* () {
    const note = yield* signed()
    if (policy === null) return note
    const lines = yield* sql<{ readonly line: string }>`
      SELECT line FROM log_witness WHERE checkpoint = ${note} ORDER BY verifier_key`.pipe(ledgerCall("checkpoint"))
    return note + lines.map(({ line }) => `${line}\n`).join("")
  })

  let believed = { note: "", isFulfilled: false }
  /**
   * The stored checkpoint with its quorum, and its size; null unless a key of this installation
   * signed it and it fulfils the present policy.
   */
  const verifyWitnessed = Effect.fnUntraced(function* ({ origin, witnessed }: Heads) {
    if (policy === null || witnessed === null) return null
    const size = yield* verifiedSize(origin ?? "", witnessed)
    if (size === null) return null
    if (believed.note !== witnessed) believed = { note: witnessed, isFulfilled: yield* hasQuorum(witnessed, policy) }
    return believed.isFulfilled ? { checkpoint: witnessed, size } : null
  })

  const witnessed = Effect.fn("TransparencyLog.witnessed")(function* () {
    const [heads] = yield* sql<Heads>`
      SELECT origin, log_head.checkpoint, log_witnessed.checkpoint AS witnessed FROM log_head, log_witnessed`
    const found = heads === undefined ? null : yield* verifyWitnessed(heads)
    return Option.map(Option.fromNullOr(found), (one) => one.checkpoint)
  })

  /** This installation's keys come first once they are published, whenever they were first used. */
  const keys = Effect.fn("TransparencyLog.keys")(function* () {
    const listed = yield* readKeys.pipe(provided, ledgerCall("log keys"))
    const { origin } = yield* stored.pipe(ledgerCall("log keys"))
    const own = (yield* ownKeys(origin ?? "")).filter((key) => listed.includes(key))
    return [...new Set([...own, ...listed])]
  })

  /**
   * The first `width` hashes of a stored tile, if the signed tree has that many. HTTP caches keep
   * tiles forever, so unsigned hashes must never be served.
   */
  const readTile = Effect.fnUntraced(function* (level: number, n: number, width: number) {
    const [found] = yield* sql<StoredTile>`
      SELECT hashes, origin, checkpoint FROM log_tile, log_head
      WHERE level = ${level}::smallint AND n = ${n}::bigint`
    if (found?.checkpoint == null || found.hashes.length < width * HASH_BYTES) return Option.none<Bytes>()
    const { size } = yield* Effect.catchTag(verifyHead(found), "NotYetLogged", () => Effect.succeed({ size: 0 }))
    if (width > tileWidth(size, level, n)) return Option.none<Bytes>()
    return Option.some(new Uint8Array(found.hashes).slice(0, width * HASH_BYTES))
  })

  const tile = Effect.fn("TransparencyLog.tile")(function* ({ level, n, width }: Tile) {
    const stored = level === "entries" ? 0 : level
    const found = yield* readTile(stored, n, width).pipe(ledgerCall("tile"))
    if (Option.isNone(found)) return found
    if (level === "entries") return Option.some(entryBundle(found.value))
    return level === 0 ? Option.some(yield* tiles.leaves(found.value)) : found
  })

  /**
   * Builds a receipt and checks its proof against the checkpoint. Tiles that fail the check leave
   * the cache. A record that differs from its log entry gets no receipt.
   */
  const prove = Effect.fnUntraced(function* (record: Included, index: number, signed: string) {
    const tree = treeOf(signed)
    const wanted = tilesOf(signed, tree.size, index)
    const rowsOf = yield* tiles.rows(wanted)
    const text = utf8(recordText(record))
    const hash = async () => {
      const hashAt = await openRows(tree, rowsOf, sha256)
      const leaf = await leafHash(await sha256(text), sha256)
      return {
        isEntered: isEqual(leaf, await hashAt(0, index)),
        proof: await inclusionProof(hashAt, index, tree.size, sha256)
      }
    }
    const { isEntered, proof } = yield* Effect.onError(tiles.inTurn(hash), () => tiles.forget(wanted))
    if (isEntered) return receiptText(text, index, proof, signed)
    yield* Effect.logError(
      "A record differs from its entry in the transparency log, so it gets no receipt: run repay audit"
    )
    return yield* new LedgerUnavailable()
  })

  const readReceipt = Effect.fnUntraced(function* (answerId: string) {
    const [record] = yield* sql<Included>`
      SELECT index::float8 AS index, recorded_at AS "recordedAtUtc", ${sql.literal(READ_COLUMNS)}, origin,
        log_head.checkpoint, log_witnessed.checkpoint AS witnessed
      FROM recorded_answer LEFT JOIN log_entry USING (seq) LEFT JOIN log_head ON true LEFT JOIN log_witnessed ON true
      WHERE answer_id = ${answerId}::uuid`
    const { checkpoint, size } = yield* verifyHead(record ?? (yield* stored))
    if (record === undefined) return Option.none<string>()
    const { index } = record
    if (index === null || index >= size) return yield* new NotYetLogged({ isStarting: false })
    const seen = yield* verifyWitnessed(record)
    const isCovered = seen !== null && index < seen.size && seen.size <= size
    return Option.some(yield* prove(record, index, isCovered ? seen.checkpoint : checkpoint))
  })

  const receipt = Effect.fn("TransparencyLog.receipt")((answerId: string) =>
    isUuid(answerId) ? readReceipt(answerId).pipe(ledgerCall("receipt")) : Effect.succeedNone
  )

  const unverified = Effect.map(stored, (head) => head.checkpoint).pipe(ledgerCall("checkpoint"))

  return {
    checkpoint: checkpoint(),
    signed: signed(),
    witnessed: witnessed().pipe(ledgerCall("checkpoint")),
    policy: Option.map(Option.fromNullOr(policy), ({ text }) => text),
    unverified,
    keys: keys(),
    tile,
    receipt
  }
})

export class TransparencyLog extends Context.Service<
  TransparencyLog,
  {
    /** The newest checkpoint, signed by a key of this installation, with its cosignatures. */
    readonly checkpoint: Effect.Effect<string, LedgerUnavailable | NotYetLogged>
    /** The same without cosignatures. */
    readonly signed: Effect.Effect<string, LedgerUnavailable | NotYetLogged>
    /** The newest checkpoint that fulfills the quorum of the service's own policy, if any. */
    readonly witnessed: Effect.Effect<Option.Option<string>, LedgerUnavailable>
    /** The text of the service's own policy, if it has one. */
    readonly policy: Option.Option<string>
    /** The stored checkpoint; its signatures are not checked. */
    readonly unverified: Effect.Effect<string | null, LedgerUnavailable>
    /**
     * The verifier keys of all signers, past and present: those of this installation first, then
     * the others, newest first.
     */
    readonly keys: Effect.Effect<ReadonlyArray<string>, LedgerUnavailable>
    /** A tile as served over HTTP, if a checkpoint signed by this service covers it. */
    readonly tile: (tile: Tile) => Effect.Effect<Option.Option<Bytes>, LedgerUnavailable>
    /** The receipt of a recorded answer; none if there is no answer with this id. */
    readonly receipt: (answerId: string) => Effect.Effect<Option.Option<string>, LedgerUnavailable | NotYetLogged>
  }
>()("repayment-of-record/TransparencyLog") {
  static readonly layer: Layer.Layer<TransparencyLog | LogKeys, ConfigProblems, SqlClient.SqlClient | AppConfig> =
    Layer.effect(TransparencyLog, make).pipe(Layer.provideMerge(LogKeys.layer))
}

/** The reason why the log cannot be served yet, or null. For the readiness probe. */
export const logObstacle = TransparencyLog.use(({ unverified }) =>
  Effect.match(unverified, {
    onFailure: () => "the database cannot be reached",
    onSuccess: (checkpoint) => (checkpoint === null ? "the log has no key yet" : null)
  })
)
