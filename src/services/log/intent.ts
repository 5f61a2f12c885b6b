/**
 * What this process has signed, or is about to, while it is not known to be stored: whoever has the database may keep a
 * signature out of a transaction that he then undoes, and a commit may be lost with its answer. So the next round on the
 * same checkpoint, by whomever else that was signed since, makes the same tree, of the same records and blinds, or nothing
 * is signed.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { isEqual } from "../../proof/bytes.ts"
import type { Tree } from "../../proof/tree.ts"
import { numbersOf } from "./allRows.ts"
import { type Head, type NewRecord, selectRecords } from "./backlog.ts"
import { LogBroken } from "./continuity.ts"
import { signedIn } from "./texts.ts"

type Blind = Buffer | null

export interface Intent extends Tree {
  /** What was signed of the checkpoint on which it builds; null at the beginning of a log. */
  readonly base: string | null
  /** The numbers of the records that it adds, in their order. */
  readonly seqs: ReadonlyArray<number>
  readonly blinds: ReadonlyArray<Blind>
}

export const baseOf = ({ checkpoint }: Pick<Head, "checkpoint">): string | null =>
  checkpoint === null ? null : signedIn(checkpoint)

const another = ({ size }: Tree, why: string) =>
  new LogBroken({ reason: `a tree of ${size} entries was signed and is not stored, and ${why}` })

/** The records of an intent, in its order. */
export const recordsOfIntent = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, intent: Intent) {
  const which = sql`answer.seq = ANY ${numbersOf(sql, intent.seqs.map(String))}`
  const found = yield* selectRecords(sql, which, intent.seqs.length + 1)
  const bySeq = new Map(found.map((record) => [record.seq, record]))
  const records: Array<NewRecord> = []
  for (const seq of intent.seqs) {
    const record = bySeq.get(seq)
    if (record === undefined) return yield* another(intent, `the record of number ${seq}, which it has, is gone`)
    records.push(record)
  }
  return records
})

/** That a tree is the one of the intent. */
export const checkSame = (intent: Intent, tree: Tree) =>
  tree.size === intent.size && isEqual(tree.root, intent.root)
    ? Effect.void
    : another(intent, "its records are not what they were then")
