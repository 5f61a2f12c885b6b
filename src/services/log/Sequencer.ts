/**
 * Puts the records into the log, behind the requests: each round takes those that are not in it yet, lets the tree grow,
 * signs a checkpoint and stores all of it in one transaction, so that a crash at any moment leaves the log as it was. Of
 * several processes one at a time does it. What is in the log is read through TransparencyLog.
 */
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig, type ConfigProblems } from "../../config.ts"
import type { Bytes } from "../../proof/bytes.ts"
import { type LedgerUnavailable, ledgerCall } from "../ledgerUnavailable.ts"
import { sha256 } from "../sha256.ts"
import { entryOf, type LoggedAnswer, newBlinds } from "./entries.ts"
import { edgeOf, grow, type StoredTile } from "./growth.ts"
import { makeSigners, originOf } from "./signers.ts"
import { type Signer, signNote } from "./signing.ts"
import { loadTiles } from "./storedTiles.ts"
import { checkpointText } from "./texts.ts"

const POLL = "1 second"
/** Records of one round: as many as take the thread for some milliseconds. */
const MOST_RECORDS = 1024
/** Entries that are made between two turns of the event loop. */
const MOST_AT_ONCE = 256

interface Head {
  readonly size: number
  readonly done: number
  readonly mark: number
  readonly writers: ReadonlyArray<string>
  readonly checkpoint: string | null
}

interface NewRecord extends LoggedAnswer {
  readonly seq: number
}

const NONE = new Uint8Array()
const storedHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/**
 * The head, if no other process is at it. The lock goes with the transaction, and waiting for it would serve nobody. The
 * planner is told to read records in their order: it knows too little of a table that only grows, and would sort it all.
 */
const lockHead = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [lock] = yield* sql<{ readonly free: boolean }>`
    SELECT pg_try_advisory_xact_lock('log_head'::regclass::oid::int, 0) AS free,
      set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true)`
  if (!lock!.free) return undefined
  const [head] = yield* sql<Head>`
    SELECT size::float8 AS size, done::float8 AS done, mark::float8 AS mark, writers, checkpoint FROM log_head`
  return head
})

/**
 * Numbers of records become visible out of order, and a row that commits late must not be missed. Whoever is about to
 * insert a row holds a lock on the table, from before the row gets its number until the row is visible. So, of the highest
 * number that is visible now (read first), all below it are final once those who hold that lock now (read second) are gone.
 */
const markOf = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, head: Head) {
  const [newest] = yield* sql<{ readonly seq: number }>`SELECT coalesce(max(seq), 0)::float8 AS seq FROM answer`
  const holders = yield* sql<{ readonly writer: string }>`
    SELECT virtualtransaction AS writer FROM pg_locks
    WHERE locktype = 'relation' AND relation = 'answer'::regclass AND mode = 'RowExclusiveLock' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  const writing = new Set(holders.map(({ writer }) => writer))
  const marks = [
    { mark: newest!.seq, writers: [...writing] },
    { mark: head.mark, writers: head.writers }
  ]
  const settled = marks.find(({ writers }) => !writers.some((writer) => writing.has(writer)))?.mark ?? head.done
  // A mark that waits for somebody is kept until he is gone: a newer one would wait for ever under load.
  return { settled, next: settled < head.mark ? marks[1]! : marks[0]! }
})

/** The log is looked up record by record: as a join, all of it might be read for some records. */
const recordsBehind = (sql: SqlClient.SqlClient, done: number) => sql<NewRecord>`
  SELECT seq::float8 AS seq, answer_id AS "answerId", recorded_at AS "recordedAtUtc", source, endpoint,
    event_type AS "eventType", rule_version AS "ruleVersion", inputs_hash AS "inputsHash", answer_hash AS "answerHash"
  FROM recorded_answer AS answer
  WHERE answer.seq > ${done}::bigint AND (SELECT index FROM log_entry WHERE log_entry.seq = answer.seq) IS NULL
  ORDER BY answer.seq LIMIT ${sql.literal(String(MOST_RECORDS))}`

const store = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  size: number,
  records: ReadonlyArray<NewRecord>,
  blinds: ReadonlyArray<Buffer | null>,
  tiles: ReadonlyArray<StoredTile>
) {
  yield* sql`
    INSERT INTO log_entry (index, seq, blind)
    SELECT ${size}::bigint + place - 1, seq, decode(nullif(blind, ''), 'hex')
    FROM unnest(${records.map(({ seq }) => seq)}::bigint[], ${blinds.map((blind) => storedHex(blind ?? NONE))}::text[])
      WITH ORDINALITY AS entry (seq, blind, place)`
  yield* sql`
    INSERT INTO log_tile (level, n, hashes)
    SELECT level, n, decode(hashes, 'hex')
    FROM unnest(${tiles.map(({ level }) => level)}::smallint[], ${tiles.map(({ n }) => n)}::bigint[],
      ${tiles.map(({ hashes }) => storedHex(hashes))}::text[]) AS tile (level, n, hashes)
    ON CONFLICT (level, n) DO UPDATE SET hashes = excluded.hashes`
})

/** The entries of these records, some between two turns of the event loop. */
const entriesOf = Effect.fnUntraced(function* (
  records: ReadonlyArray<NewRecord>,
  blinds: ReadonlyArray<Buffer | null>
) {
  const entries: Array<Bytes> = []
  for (const [at, record] of records.entries()) {
    entries.push(entryOf(record, blinds[at]!))
    if (entries.length % MOST_AT_ONCE === 0) yield* Effect.promise(() => new Promise(setImmediate))
  }
  return entries
})

/** One round, inside its transaction: how many records it took; null if another process is at it. `isFirst` signs anew, for the keys may be others. */
const round = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  origin: string,
  signers: ReadonlyArray<Signer>,
  isFirst: boolean
) {
  const head = yield* lockHead(sql)
  if (head === undefined) return null
  const { next, settled } = yield* markOf(sql, head)
  const records = yield* recordsBehind(sql, head.done)
  const known = records.length < MOST_RECORDS ? settled : Math.min(settled, records.at(-1)!.seq)
  const done = Math.max(head.done, known)
  if (records.length === 0 && done === head.done && next.mark === head.mark && !isFirst) return 0
  const blinds = newBlinds(records)
  const size = head.size + records.length
  const entries = yield* entriesOf(records, blinds)
  const edge = yield* loadTiles(sql, edgeOf(head.size))
  const { root, tiles } = yield* Effect.promise(() => grow(head.size, edge, entries, sha256))
  const isSigned = records.length === 0 && !isFirst
  const checkpoint = isSigned
    ? head.checkpoint
    : yield* Effect.promise(() => signNote(checkpointText({ origin, root, size }), signers))
  if (records.length > 0) yield* store(sql, head.size, records, blinds, tiles)
  yield* sql`
    UPDATE log_head SET size = ${size}::bigint, done = ${done}::bigint, mark = ${next.mark}::bigint,
      writers = ${next.writers}::text[], checkpoint = ${checkpoint}`
  return records.length
})

const publishKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, signers: ReadonlyArray<Signer>) {
  const now = new Date(yield* Clock.currentTimeMillis)
  yield* sql`
    INSERT INTO log_key (verifier_key, first_used_at)
    SELECT verifier_key, ${now} FROM unnest(${signers.map(({ verifierKey }) => verifierKey)}::text[]) AS verifier_key
    ON CONFLICT DO NOTHING`
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { publicUrl } = yield* AppConfig
  const signers = yield* makeSigners
  let isFirst = true
  const sequence = Effect.fn("Sequencer.sequence")(function* () {
    const work = Effect.gen(function* () {
      if (isFirst) yield* publishKeys(sql, signers)
      return yield* round(sql, originOf(publicUrl), signers, isFirst)
    })
    const taken = yield* sql.withTransaction(work).pipe(ledgerCall("sequence"))
    isFirst &&= taken === null
    return taken ?? 0
  })
  return { sequence: sequence() }
})

export class Sequencer extends Context.Service<
  Sequencer,
  {
    /** One round: how many records it put into the log. 0 too while another process is at it. */
    readonly sequence: Effect.Effect<number, LedgerUnavailable>
  }
>()("repayment-of-record/Sequencer") {
  static readonly layer: Layer.Layer<Sequencer, ConfigProblems, SqlClient.SqlClient | AppConfig> = Layer.effect(
    Sequencer,
    make
  )
}

/** Sequences for as long as its scope is open. An outage only delays it. */
export const sequencerWorkerLayer: Layer.Layer<never, never, Sequencer> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { sequence } = yield* Sequencer
    const work = sequence.pipe(
      Effect.repeat({ while: (taken) => taken === MOST_RECORDS }),
      Effect.ignore,
      Effect.catchDefect((defect) => Effect.logError("The log of records does not grow, and is tried again", defect)),
      Effect.repeat(Schedule.spaced(POLL))
    )
    yield* Effect.forkScoped(work)
  })
)
