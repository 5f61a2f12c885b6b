/**
 * What is told when the lock of the log is not to be had: of several processes one has it for the moment of a round. Whoever
 * has it for a minute in which the log stands still, and records wait, does something else with it; also if that minute is
 * made of parts, and the rounds in between have not come to what waited before. What whoever has it could write about himself is
 * not believed: the log goes on where more of it is signed than this process has ever seen, and no less than log_head
 * counts, which never shrinks; and records wait if some are there that this process has not come to.
 */
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { Deadlines } from "../../database/deadline.ts"
import type { VerifiedSize } from "./verified.ts"

const MOST_MILLISECONDS = 60_000

interface Holder {
  readonly origin: string | null
  readonly checkpoint: string | null
  /** What log_head counts. */
  readonly counted: number
  /** The highest number of a record. */
  readonly newest: number
  readonly pid: number | null
}

const holderOf = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<Holder>`
      SELECT origin, checkpoint, coalesce(size, 0)::float8 AS counted, newest, pid
      FROM (SELECT coalesce(max(seq), 0)::float8 AS newest FROM public.answer WHERE seq <= (SELECT public.last_answer_seq())) AS records
      LEFT JOIN public.log_head ON true
      LEFT JOIN LATERAL (
        SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 'public.log_head'::regclass::oid AND objid = 0 AND objsubid = 2
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND granted LIMIT 1
      ) AS holder ON true`,
    ([holder]) => holder!
  )

/**
 * `again`: the lock was not to be had. `over`: it was, this process has come to the number `reached`, and the round has
 * added `taken` entries to what is `signed`.
 */
export const makeWaiting = (sql: SqlClient.SqlClient, verifiedSize: VerifiedSize) => {
  let known = 0
  let highest = 0
  /** The newest record when the lock was first not to be had; null while none waits. */
  let awaited: number | null = null
  let held = 0
  /** How long the log has not grown by others. */
  let still = Number.POSITIVE_INFINITY
  let lastAt: number | null = null
  /** Who had the lock last; undefined after a round of this process. */
  let holder: { readonly pid: number | null } | undefined

  /** Whoever lets the log grow meanwhile does what the lock is for, and may be at the next round as long as one takes. */
  const count = Effect.fnUntraced(function* (now: number, hasGrown: boolean) {
    const passed = lastAt === null || hasGrown ? 0 : Math.abs(now - lastAt)
    still = hasGrown ? 0 : still + passed
    const { background } = yield* Deadlines
    held += Math.min(passed, Math.max(0, still - background))
    if (held < MOST_MILLISECONDS) return
    held = 0
    yield* Effect.logError("Records wait for the log: another session holds its lock, and enters none").pipe(
      Effect.annotateLogs({ pid: holder?.pid ?? "unknown" })
    )
  })
  const forget = () => {
    awaited = null
    held = 0
  }

  const again = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { checkpoint, counted, newest, origin, pid } = yield* holderOf(sql)
    const size = (yield* verifiedSize(origin ?? "", checkpoint ?? "")) ?? 0
    const hasGrown = size > highest && size >= counted
    highest = Math.max(highest, size)
    holder = { pid }
    if (newest <= known) forget()
    else {
      awaited ??= newest
      yield* count(now, hasGrown)
    }
    lastAt = now
  })
  const over = Effect.fnUntraced(function* (reached: number, signed: number, taken: number) {
    const now = yield* Clock.currentTimeMillis
    const isBehind = awaited !== null && reached < awaited
    // He may let go of it for a round now and then: until that he had it.
    if (isBehind && holder !== undefined) yield* count(now, signed - taken > highest)
    known = reached
    highest = Math.max(highest, signed)
    holder = undefined
    lastAt = isBehind ? now : null
    if (!isBehind) forget()
  })
  return { again, over }
}
