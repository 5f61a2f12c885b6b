/**
 * Recomputes the log from the records and compares: what is stored, what is signed, and what somebody has kept from
 * earlier, all as it is at one instant. Names the first record that is not what the log says, and what was done to it. Of
 * the database alone, whoever has the private key too could have changed all of it to match, so a checkpoint kept
 * elsewhere is what makes the audit complete. Changes nothing.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { plainlyPlanned } from "../../database/plainly.ts"
import { type Bytes, isEqual } from "../../proof/bytes.ts"
import { type Checkpoint, openCheckpoint } from "../../proof/checkpoint.ts"
import { parseVerifierKey } from "../../proof/note.ts"
import { inSnapshot, ledgerCall } from "../ledgerUnavailable.ts"
import { sha256 } from "../sha256.ts"
import { allOf, atLength } from "./allRows.ts"
import { doubleIn, ENTERED_ONCE, ONCE } from "./doubles.ts"
import { damaged, type Finding, finding, quoted } from "./findings.ts"
import { rootOf } from "./hashes.ts"
import { MOST_KEYS, readKeys } from "./publishedKeys.ts"
import { openLevels, recompute } from "./recompute.ts"
import { loadTiles } from "./storedTiles.ts"
import { strayRecord } from "./strays.ts"
import { changedStructure, missingTriggers, uniqueIndexes } from "./structure.ts"
import { nameIn } from "./texts.ts"
import { TILE_WIDTH } from "./tiles.ts"

export interface AuditReport {
  readonly size: number
  /** null if everything is as it was. */
  readonly finding: Finding | null
  /** Records that are yet to be entered; null where something was found, or nothing was signed. */
  readonly waiting: Waiting | null
}

interface Waiting {
  readonly count: number
  /** Their earliest time. */
  readonly since: Date | null
}

interface Head {
  readonly origin: string | null
  readonly size: string
  readonly done: string
  readonly checkpoint: string | null
  /** The highest number that was given to a record. */
  readonly last: string
}

/** Those that are verifier keys of the log of this name. */
const keysOf = async (origin: string, keys: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const names = await Promise.all(
    keys.map((key) =>
      parseVerifierKey(key).then(
        ({ name }) => name,
        () => null
      )
    )
  )
  return keys.filter((_, at) => names[at] === origin)
}

const open = (note: string, keys: ReadonlyArray<string>) =>
  Effect.promise(() => openCheckpoint(note, keys).catch((cause: Error) => cause))

/** A log without a signed checkpoint is one in which nothing was ever entered, or one from which it was taken. */
const unsigned = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  head: Head | undefined,
  kept: Checkpoint | null
) {
  const [left] = yield* sql<{ readonly entries: boolean; readonly tiles: boolean; readonly keys: boolean }>`
    SELECT EXISTS (SELECT FROM public.log_entry) AS entries, EXISTS (SELECT FROM public.log_tile) AS tiles,
      EXISTS (SELECT FROM public.log_key) AS keys`.pipe(ledgerCall("audit remains"))
  const { entries, keys, tiles } = left!
  const isEmpty = head?.size === "0" && head.done === "0" && !entries && !tiles
  if (isEmpty && kept !== null && kept.size > 0) {
    return finding("restored", null, null, "the log is empty, and a checkpoint of it was kept")
  }
  const name = head?.origin ?? null
  if (isEmpty && !keys && name === null) return yield* strayRecord(sql, { size: 0, done: 0n, last: BigInt(head.last) })
  const names = [entries && "entries", tiles && "tiles", keys && "keys"].filter((one) => one !== false)
  const nothing = name === null ? "nothing else of the log is left" : `its name ${quoted(name)} is still there`
  const rest = names.length === 0 ? nothing : `its ${names.join(", ")} are still there`
  const gone = head === undefined ? "the row of log_head is gone, and with it" : "gone from log_head is"
  return damaged(`${gone} the checkpoint that was signed; ${rest}`)
})

/** Whether the tree still begins with the one of a checkpoint that somebody has kept. */
const compareKept = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  now: Checkpoint,
  levels: ReadonlyArray<Bytes>,
  kept: Checkpoint
) {
  const say = (detail: string) => finding("rewritten", null, null, detail)
  if (kept.origin !== now.origin) {
    return say(`the log calls itself ${now.origin}, and the checkpoint that was kept is one of ${kept.origin}`)
  }
  if (kept.size > now.size) {
    const detail = `the log has ${now.size} entries, and the checkpoint that was kept has ${kept.size}`
    return finding("restored", null, null, detail)
  }
  const ends = [now.size, kept.size].map((size) => ({ level: 0, n: Math.floor(size / TILE_WIDTH) }))
  const edges = yield* loadTiles(sql, ends).pipe(ledgerCall("audit tiles"))
  const entries = (wanted: number) => edges.find(({ n }) => n === wanted)?.hashes
  const earlier = yield* Effect.promise(async () => rootOf(await openLevels(now, levels, entries), kept.size, sha256))
  return isEqual(earlier, kept.root)
    ? null
    : say(`the first ${kept.size} entries are not those of the checkpoint that was kept`)
})

/** What the head says beside its checkpoint: the name of the log, its size, and how far it has come. */
const compareHead = ({ origin, size }: Checkpoint, head: Head) => {
  const name = head.origin === null ? "no log" : `the log ${quoted(head.origin)}`
  if (head.origin !== origin) return damaged(`log_head names ${name}, and its checkpoint is one of ${quoted(origin)}`)
  if (head.size !== String(size)) return damaged(`log_head counts ${head.size} entries, and ${size} were signed`)
  const { done, last } = head
  return BigInt(done) > BigInt(last)
    ? damaged(`log_head has gone past number ${done}, and ${last} is the last that was given to a record`)
    : null
}

/** What stands behind the end of the tree. */
const compareEnd = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, size: number) {
  const [beyond] = yield* atLength(
    sql,
    sql<{ readonly answerId: string | null; readonly index: number | null }>`
      SELECT answer_id AS "answerId", index::float8 AS index FROM ${allOf(sql, "log_entry")} LEFT JOIN public.answer USING (seq)
      WHERE (index >= 0 AND index < ${size}::bigint) IS NOT TRUE ORDER BY log_entry.index LIMIT 1`
  )
  return beyond === undefined
    ? null
    : finding("added", beyond.index, beyond.answerId, "no checkpoint covers this entry")
})

const waitingBehind = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, done: string) {
  const [waiting] = yield* atLength(
    sql,
    sql<Waiting>`
      SELECT count(*)::int AS count, min(recorded_at) FILTER (WHERE isfinite(recorded_at)) AS since
      FROM ONLY public.answer
      WHERE seq > ${done}::bigint AND (SELECT seq FROM public.log_entry WHERE log_entry.seq = answer.seq) IS NULL`
  )
  return waiting!
})

/** What log_key holds, the newest first, and which of it are keys of the log of this name. */
const storedKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, origin: string) {
  const all = yield* readKeys(sql, "infinity").pipe(ledgerCall("audit keys"))
  return { all, keys: yield* Effect.promise(() => keysOf(origin, all)) }
})

/** Whoever asks the service for its keys gets those of log_key: all of them, and nothing else. */
const compareKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, signed: string, origin: string) {
  const { all, keys } = yield* storedKeys(sql, origin)
  if (all.length > MOST_KEYS) return damaged(`log_key holds more than ${MOST_KEYS} keys, and this log has had fewer`)
  const strange = all.find((key) => !keys.includes(key))
  if (strange !== undefined) return damaged(`log_key holds ${quoted(strange)}, which is no key of this log`)
  const listed = yield* open(signed, keys)
  return listed instanceof Error ? damaged("the key that has signed the checkpoint is gone from log_key") : null
})

/** A checkpoint that a key of the database has signed is another's; one that none has signed is nobody's any more. */
const unbelieved = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, signed: string, { message }: Error) {
  const { all, keys } = yield* storedKeys(sql, nameIn(signed))
  if (all.length === 0) return damaged("the keys of the log are gone from log_key, and its checkpoint is not believed")
  const detail = `the checkpoint of the log is not believed: ${message}`
  const ofAnother = yield* open(signed, keys)
  return ofAnother instanceof Error ? damaged(detail) : finding("rewritten", null, null, detail)
})

const inspect = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  kept: Checkpoint | null,
  keys: ReadonlyArray<string>
) {
  const report = (size: number, found: Finding | null, waiting: Waiting | null = null): AuditReport => ({
    size,
    finding: found,
    waiting
  })
  const changed = yield* changedStructure(sql)
  if (changed !== null) return report(0, changed)
  const [head, another] = yield* sql<Head>`
    SELECT origin, size::text AS size, done::text AS done, checkpoint, public.last_answer_seq()::text AS last FROM public.log_head`.pipe(
    ledgerCall("audit head")
  )
  if (another !== undefined) return report(0, damaged("log_head has more than one row"))
  const signed = head?.checkpoint ?? null
  if (head === undefined || signed === null) return report(0, yield* unsigned(sql, head, kept))
  const opened = yield* open(signed, keys)
  if (opened instanceof Error) return report(0, yield* unbelieved(sql, signed, opened))
  const double = yield* doubleIn(sql, ONCE)
  if (double !== null) return report(opened.size, double)
  const { finding: found, levels } = yield* recompute(sql, opened)
  if (levels === null) return report(opened.size, found)
  const rest =
    (yield* compareEnd(sql, opened.size)) ??
    compareHead(opened, head) ??
    (yield* strayRecord(sql, { size: opened.size, done: BigInt(head.done), last: BigInt(head.last) })) ??
    (kept === null ? null : yield* compareKept(sql, opened, levels, kept))
  const said = rest ?? (yield* compareKeys(sql, signed, opened.origin))
  const last =
    said ?? (yield* doubleIn(sql, ENTERED_ONCE)) ?? (yield* uniqueIndexes(sql)) ?? (yield* missingTriggers(sql))
  return report(opened.size, last, last === null ? yield* waitingBehind(sql, head.done) : null)
})

/** The first of all that the database has not as this release makes it, whatever it says of its migrations. */
export const structure = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* inSnapshot(sql, "audit", Effect.andThen(plainlyPlanned(sql), changedStructure(sql)))
})

/** Audits the log; `kept` is a checkpoint from earlier, `keys` are those that are believed. */
export const audit = Effect.fn("audit")(function* (kept: Checkpoint | null, keys: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  return yield* inSnapshot(sql, "audit", Effect.andThen(plainlyPlanned(sql), inspect(sql, kept, keys)))
})
