/**
 * The database, read as a state of the model, and checks of the log against earlier signed trees.
 */
import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { openCheckpoint } from "../../src/proof/checkpoint.ts"
import type { Tree } from "../../src/proof/tree.ts"
import { TransparencyLog } from "../../src/services/log/TransparencyLog.ts"
import { openTiles, rootOf } from "../../src/services/log/tiles.ts"
import { checkLog, sequenceAll } from "../../test/support/logs.ts"
import { begun, type Key, type Payer, type State } from "./model.ts"

export interface Person {
  readonly email: string
  readonly externalId: string
}

type KeyRow = Omit<Key, "who"> & { readonly email: string }
type PayerRow = Pick<Payer, "firstAttempt" | "hold" | "mail"> & {
  readonly externalId: string
  readonly paidAt: Date | null
  readonly endsAt: Date | null
}

const keysOf = (sql: SqlClient.SqlClient, emails: ReadonlyArray<string>) => sql<KeyRow>`
  SELECT email, prefix, tier, issued_by AS "issuedBy", 0 AS "issuedAt", revoked_at IS NULL AS "isLive",
    barred_at IS NOT NULL AS "isBarred",
    (SELECT coalesce(jsonb_object_agg(to_char(period, 'YYYY-MM'), used), '{}') FROM usage WHERE key_id = api_key.id) AS used,
    (SELECT count(*)::int FROM answer WHERE key_id = api_key.id) AS records
  FROM api_key WHERE email IN ${sql.in(emails)}`

const payersOf = (sql: SqlClient.SqlClient, externalIds: ReadonlyArray<string>) => sql<PayerRow>`
  SELECT external_id AS "externalId", paid_at AS "paidAt", ends_at AS "endsAt",
    held_why AS hold,
    CASE WHEN outbox.id IS NULL THEN 'none' WHEN sent_at IS NOT NULL THEN 'sent' WHEN dropped_at IS NOT NULL THEN 'dropped'
      WHEN given_up_at IS NOT NULL THEN 'given up' ELSE 'waiting' END AS mail,
    1000 * extract(epoch FROM first_attempt_at)::float8 AS "firstAttempt"
  FROM subscription LEFT JOIN outbox ON outbox.subscription_id = subscription.id AND outbox.kind = 'production-key'
  WHERE external_id IN ${sql.in(externalIds)}`

/** Keys outside `prefixes` get no prefix: only their status is known. */
export const observed = Effect.fnUntraced(function* (people: ReadonlyArray<Person>, prefixes: ReadonlySet<string>) {
  const sql = yield* SqlClient.SqlClient
  const state: State = begun()
  const keys = yield* keysOf(
    sql,
    people.map(({ email }) => email)
  )
  for (const { email, prefix, ...key } of keys) {
    const who = people.findIndex((person) => person.email === email) as 0 | 1
    state.keys.push({ ...key, who, prefix: prefixes.has(prefix!) ? prefix : null })
  }
  const payers = yield* payersOf(
    sql,
    people.map(({ externalId }) => externalId)
  )
  for (const { endsAt, externalId, paidAt, ...payer } of payers) {
    const known = state.payers[people.findIndex((person) => person.externalId === externalId)]!
    Object.assign(known, payer, { paidAt: paidAt?.getTime() ?? null })
    if (endsAt !== null) known.endsAt = endsAt.getTime()
  }
  return state
})

/** The tree of the newest checkpoint, which others may have seen. */
export const signedTree = Effect.gen(function* () {
  const log = yield* TransparencyLog
  const [keys, signed] = [yield* log.keys, yield* log.checkpoint]
  return yield* Effect.promise(() => openCheckpoint(signed, keys))
})

/**
 * Checks that the log has every record once, matches its checkpoint, and extends each tree in
 * `seen`.
 */
export const checkWholeLog = Effect.fnUntraced(function* (seen: ReadonlyArray<Tree>) {
  yield* sequenceAll
  yield* checkLog
  const log = yield* TransparencyLog
  const tree = yield* signedTree
  const read = (tile: Parameters<typeof log.tile>[0]) =>
    Effect.runPromise(
      Effect.map(
        log.tile(tile),
        Option.getOrElse(() => new Uint8Array())
      )
    )
  yield* Effect.promise(async () => {
    const hashAt = await openTiles(tree, read)
    for (const { root, size } of seen) assert.deepEqual(await rootOf(hashAt, size), root, "a checkpoint of before")
  })
})
