/** Whoever changes records as a superuser, whom no trigger stops, is found out: what was done, and to which record. */
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { openCheckpoint } from "../../../src/proof/checkpoint.ts"
import { audit } from "../../../src/services/log/audit.ts"
import type { Finding } from "../../../src/services/log/findings.ts"
import { loadTile } from "../../../src/services/log/loggedRecords.ts"
import { Sequencer } from "../../../src/services/log/Sequencer.ts"
import { makeSigner } from "../../../src/services/log/signing.ts"
import { TransparencyLog } from "../../../src/services/log/TransparencyLog.ts"
import { migratedDatabase } from "../../support/database.ts"
import {
  backUpLog,
  logServices,
  onLog,
  record,
  recordMany,
  restoreLog,
  sequenceAll,
  tamper
} from "../../support/logs.ts"
import { servicesOn } from "../../support/services.ts"

/** Three tiles of entries, the last of them begun. */
const RECORDS = 600
const AT = 300

const NONE_WAITS = { count: 0, since: null }

const report = Effect.gen(function* () {
  const { keys } = yield* TransparencyLog
  return yield* audit(null, yield* keys)
})

const keep = Effect.gen(function* () {
  const log = yield* TransparencyLog
  const [signed, keys] = [yield* log.checkpoint, yield* log.keys]
  return yield* Effect.promise(() => openCheckpoint(signed, keys))
})

const auditWith = (kept: Effect.Success<typeof keep>) =>
  Effect.flatMap(TransparencyLog, ({ keys }) => Effect.flatMap(keys, (all) => audit(kept, all)))

const answerAt = Effect.fnUntraced(function* (index: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly answerId: string }>`
    SELECT answer_id AS "answerId" FROM answer JOIN log_entry USING (seq) WHERE index = ${index}::bigint`
  return row!.answerId
})

const seqAt = (index: number) => `(SELECT seq FROM log_entry WHERE index = ${index})`

const seqOf = Effect.fnUntraced(function* (index: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly seq: number }>`
    SELECT seq::float8 AS seq FROM log_entry WHERE index = ${index}::bigint`
  return row!.seq
})

const newestSeq = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly seq: number }>`SELECT max(seq)::float8 AS seq FROM answer`
  return row!.seq
})

const ANSWER = "seq, recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash"
const ADDED = "00000000-0000-4000-8000-0000000000ad"

const addRecord = (seq: number) =>
  `INSERT INTO answer (${ANSWER}) OVERRIDING SYSTEM VALUE
   SELECT ${seq}, recorded_at, '${ADDED}', tenant, key_id, kind, inputs_hash, answer_hash FROM answer LIMIT 1`

const EDITS = {
  "when it was recorded": "recorded_at = recorded_at + interval '1 ms'",
  "its id": "answer_id = gen_random_uuid()",
  "its inputs": "inputs_hash = sha256('others')",
  "its figures": "answer_hash = sha256('others')"
}

describe("an audit", () => {
  it.live("finds nothing where nothing was done, also while records wait", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* report, { size: RECORDS, finding: null, waiting: NONE_WAITS })
        const [first] = yield* record(3)
        const sql = yield* SqlClient.SqlClient
        const [oldest] = yield* sql<{
          since: Date
        }>`SELECT recorded_at AS since FROM answer WHERE answer_id = ${first!}::uuid`
        assert.deepStrictEqual(yield* report, {
          size: RECORDS,
          finding: null,
          waiting: { count: 3, since: oldest!.since }
        })
      })
    )
  )

  for (const [what, change] of Object.entries(EDITS)) {
    it.live(`names a record of which was edited ${what}`, () =>
      onLog(
        RECORDS,
        Effect.gen(function* () {
          yield* tamper(`UPDATE answer SET ${change} WHERE seq IN (${seqAt(AT)}, ${seqAt(AT + 7)})`)
          const { finding } = yield* report
          assert.deepInclude(finding, { deed: "edited", index: AT, answerId: yield* answerAt(AT) })
        })
      )
    )
  }

  it.live("names the first record whose kind was edited", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* tamper("UPDATE answer_kind SET rule_version = 'rl1-0'")
        assert.deepInclude((yield* report).finding, { deed: "edited", index: 0 })
      })
    )
  )

  it.live("names a record that was removed, with its entry or without", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* tamper(`DELETE FROM answer WHERE seq = ${seqAt(AT)}`)
        assert.deepInclude((yield* report).finding, { deed: "removed", index: AT })
        yield* tamper(`DELETE FROM log_entry WHERE index = ${AT}`)
        assert.deepInclude((yield* report).finding, { deed: "removed", index: AT })
      })
    )
  )

  it.live("names the first record of those that are gone when all are", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* tamper("TRUNCATE answer")
        assert.deepInclude((yield* report).finding, { deed: "removed", index: 0 })
      })
    )
  )

  it.live("names two records that were swapped, by content or by entry", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        const [one, other] = [yield* seqOf(10), yield* seqOf(AT)]
        yield* tamper(
          `UPDATE log_entry SET seq = -1 WHERE index = 10`,
          `UPDATE log_entry SET seq = ${one} WHERE index = ${AT}`,
          `UPDATE log_entry SET seq = ${other} WHERE index = 10`
        )
        const { finding } = yield* report
        assert.deepInclude(finding, { deed: "moved", index: 10, answerId: yield* answerAt(10) })
        assert.include(finding!.detail, `entered at ${AT}`)
        // The records themselves, too: then each stands again where it was entered, under the other's number.
        yield* tamper(
          "ALTER TABLE answer ALTER seq SET GENERATED BY DEFAULT",
          `UPDATE answer SET seq = -1 WHERE seq = ${one}`,
          `UPDATE answer SET seq = ${one} WHERE seq = ${other}`,
          `UPDATE answer SET seq = ${other} WHERE seq = -1`
        )
        assert.isNull((yield* report).finding)
      })
    )
  )

  it.live("names a record that was added where the log had gone past, and an entry that nobody signed", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* record(1)
        const next = yield* newestSeq
        // The number of an answer that was never committed, as there are many.
        yield* tamper("SELECT nextval(pg_get_serial_sequence('answer', 'seq'))")
        yield* record(1)
        yield* sequenceAll
        yield* sequenceAll
        assert.isNull((yield* report).finding)
        yield* tamper(addRecord(next + 1))
        const { finding } = yield* report
        assert.deepInclude(finding, { deed: "added", index: null, answerId: ADDED })
        yield* tamper(`INSERT INTO log_entry (index, seq) VALUES (${RECORDS + 2}, ${next + 1})`)
        assert.deepInclude((yield* report).finding, { deed: "added", index: RECORDS + 2, answerId: ADDED })
      })
    )
  )

  it.live("finds damaged tiles, entries and checkpoints", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        const flip = (level: number, n: number, at: number) =>
          `UPDATE log_tile SET hashes = set_byte(hashes, ${at}, get_byte(hashes, ${at}) # 1)
           WHERE level = ${level} AND n = ${n}`
        for (const [level, n, deed, index] of [
          [1, 0, "damaged", 0],
          [0, 1, "damaged", AT]
        ] as const) {
          const at = level === 0 ? (AT - 256) * 32 : 40
          yield* tamper(flip(level, n, at))
          assert.deepInclude((yield* report).finding, { deed, index })
          yield* tamper(flip(level, n, at))
        }
        yield* tamper("DELETE FROM log_tile WHERE level = 0 AND n = 1")
        assert.deepInclude((yield* report).finding, { deed: "damaged", index: 256 })
        yield* tamper("UPDATE log_head SET checkpoint = replace(checkpoint, '600', '599')")
        assert.deepInclude((yield* report).finding, { deed: "damaged", index: null })
      })
    )
  )
})

/** A record with this number and its own id, of a time long ago. */
const addedOld = (seq: number | string, at = "2020-01-01", id = ADDED) =>
  `INSERT INTO answer (${ANSWER}) OVERRIDING SYSTEM VALUE
   SELECT ${seq}, '${at}', '${id}', tenant, key_id, kind, inputs_hash, answer_hash FROM answer ORDER BY seq LIMIT 1`

/** What else would hold up a superuser, and does not: conditions of the tables, and who gives the numbers. */
const UNBOUND = [
  `DO $$ DECLARE held record; BEGIN
     FOR held IN SELECT conname, conrelid::regclass AS relation FROM pg_constraint
       WHERE contype = 'c' AND conrelid IN ('answer'::regclass, 'log_entry'::regclass, 'log_tile'::regclass)
     LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', held.relation, held.conname); END LOOP;
   END $$`,
  "ALTER TABLE answer ALTER seq SET GENERATED BY DEFAULT"
]

const OF_ANOTHER = (await makeSigner("other.example/log", new Uint8Array(32).fill(7))).verifierKey
const MAX = "9223372036854775807"
const NEXT = "(SELECT last_value + 1 FROM answer_seq_seq)"
const headIs = (change: string) => `UPDATE log_head SET ${change}`
const recordAt = (change: string) => `UPDATE answer SET ${change} WHERE seq = ${seqAt(AT)}`
const tileIs = (hashes: string, where: string) => `UPDATE log_tile SET hashes = ${hashes} WHERE ${where}`
const withFirst = "sha256('x') || substr(hashes, 33)"
const SWAPPED = [
  "CREATE TABLE held AS SELECT index, seq, blind FROM log_entry WHERE index IN (10, 300)",
  "DELETE FROM log_entry WHERE index IN (10, 300)",
  "INSERT INTO log_entry SELECT 310 - index, seq, blind FROM held"
]

const NO_UNIQUE_IDS = [
  "ALTER TABLE answer DROP CONSTRAINT answer_answer_id_key",
  "CREATE INDEX answer_answer_id_key ON answer (answer_id, seq DESC)"
]
const SECOND = [
  ...NO_UNIQUE_IDS,
  `INSERT INTO answer (recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)
   SELECT recorded_at, answer_id, tenant, key_id, kind, inputs_hash, sha256('forged') FROM answer WHERE seq = ${seqAt(AT)}`
]
/** Work during which an index of records is not kept, by statements that have the server use it all the same. */
const behindIndex = (index: string, ...statements: ReadonlyArray<string>) => {
  const isKept = (kept: boolean) =>
    `UPDATE pg_index SET indisready = ${kept}, indisvalid = ${kept} WHERE indexrelid = '${index}'::regclass`
  return [isKept(false), ...statements, isKept(true), "SET enable_seqscan = off"]
}
const forgedAt = (answerId: string) =>
  `INSERT INTO answer (${ANSWER}) OVERRIDING SYSTEM VALUE
   SELECT seq, recorded_at, ${answerId}, tenant, key_id, kind, inputs_hash, sha256('forged') FROM answer WHERE seq = ${seqAt(AT)}`
const VIEW_OF_MORE = `DO $$ BEGIN EXECUTE 'CREATE OR REPLACE VIEW recorded_answer AS ' ||
  rtrim(pg_get_viewdef('recorded_answer'), ';') || ' UNION ALL SELECT 800000, ''${ADDED}'', now(), ''PublicApi'', ''POST /x'',
  ''calc.projection.run'', ''rl1-0'', ''h1-'', ''a1-'', ''slr_ref'', ''reference'', NULL'; END $$`

const SAYS_YES = "CREATE FUNCTION says_yes() RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END'"

interface Tampering {
  readonly by: ReadonlyArray<string>
  /** null: nothing is found, and nothing was done that the log covers. */
  readonly deed: Finding["deed"] | null
  readonly index?: number
  /** The place of the record that is named, before anything was done; or its id. */
  readonly names?: number | string
  readonly says?: RegExp
}

const TAMPERINGS: Readonly<Record<string, Tampering>> = {
  "the head deleted": {
    by: ["DELETE FROM log_head", recordAt("answer_hash = sha256('x')")],
    deed: "damaged",
    says: /the row of log_head is gone, and with it the checkpoint/
  },
  "everything but the records and keys gone": {
    by: ["DELETE FROM log_head", "TRUNCATE log_entry, log_tile"],
    deed: "damaged",
    says: /log_head is gone.*its keys are still there/
  },
  "the head and the whole log gone": {
    by: ["DELETE FROM log_head", "TRUNCATE log_entry, log_tile, log_key"],
    deed: "damaged",
    says: /nothing else of the log is left/
  },
  "the checkpoint taken away": {
    by: [headIs("checkpoint = NULL"), `DELETE FROM answer WHERE seq = ${seqAt(AT)}`],
    deed: "damaged",
    says: /gone from log_head is the checkpoint.*its entries, tiles, keys are still there/
  },
  "the checkpoint, entries and tiles taken away": {
    by: [headIs("checkpoint = NULL"), "TRUNCATE log_entry, log_tile"],
    deed: "damaged",
    says: /its keys are still there/
  },
  "a record added under a number below zero": {
    by: [addedOld(-5)],
    deed: "added",
    names: ADDED,
    says: /number -5, which no record gets/
  },
  "a record added under the least number there is": { by: [addedOld(`-${MAX} - 1`)], deed: "added", names: ADDED },
  "a record added under zero": { by: [addedOld(0)], deed: "added", names: ADDED },
  "a record added under a number not given yet": {
    by: [addedOld(NEXT)],
    deed: "added",
    names: ADDED,
    says: /none above \d+ was given/
  },
  "a record added under a number over 2^53": {
    by: [addedOld("9007199254740993")],
    deed: "added",
    names: ADDED,
    says: /9007199254740993/
  },
  "a record added under the greatest number there is": {
    by: [addedOld(MAX)],
    deed: "added",
    names: ADDED,
    says: /9223372036854775807/
  },
  "a record added with a time that is none": { by: [addedOld(-5, "infinity")], deed: "added", names: ADDED },
  "a record added with an id that is there": {
    by: ["ALTER TABLE answer DROP CONSTRAINT answer_answer_id_key", addedOld(-5).replace(`'${ADDED}'`, "answer_id")],
    deed: "added",
    names: 0
  },
  "the index of ids, to put a second record under one": {
    by: SECOND,
    deed: "added",
    names: AT,
    says: /a second record under this answerId/
  },
  "the index of numbers, to put a record under that of another": {
    by: behindIndex("answer_pkey", forgedAt(`'${ADDED}'`)),
    deed: "added",
    index: AT,
    names: ADDED,
    says: /^a second record of number \d+$/
  },
  "both indexes, to put a record under number and id of another": {
    by: [
      "ALTER TABLE answer DROP CONSTRAINT answer_answer_id_key",
      `DO $$ BEGIN EXECUTE 'CREATE UNIQUE INDEX answer_answer_id_key ON answer (answer_id) WHERE seq <> ' || ${seqAt(AT)}; END $$`,
      "UPDATE pg_index SET indpred = NULL WHERE indexrelid = 'answer_answer_id_key'::regclass",
      ...behindIndex("answer_pkey", forgedAt("answer_id"))
    ],
    deed: "added",
    index: AT,
    names: AT,
    says: /^a second record under this answerId, of number \d+$/
  },
  "the index of numbers, to hide a record that is in no log": {
    by: behindIndex("answer_pkey", addedOld(0)),
    deed: "added",
    names: ADDED
  },
  "an index of the entries, to have a record in the log that is not": {
    by: [addedOld(0), ...behindIndex("log_entry_pkey", `INSERT INTO log_entry VALUES (${AT}, 0)`)],
    deed: "added",
    index: AT,
    names: ADDED
  },
  "an index of the entries, to hide one behind the end": {
    by: [addedOld(0), ...behindIndex("log_entry_pkey", `INSERT INTO log_entry VALUES (${RECORDS}, 0)`)],
    deed: "added",
    index: RECORDS,
    names: ADDED
  },
  "the index of ids to one that is not unique": {
    by: NO_UNIQUE_IDS,
    deed: "damaged",
    says: /no unique index over answer_id of answer/
  },
  "an index of the entries": {
    by: ["ALTER TABLE log_entry DROP CONSTRAINT log_entry_seq_key"],
    deed: "damaged",
    says: /no unique index over seq of log_entry/
  },
  "the index of tiles to one of some": {
    by: [
      "ALTER TABLE log_tile DROP CONSTRAINT log_tile_pkey",
      "CREATE UNIQUE INDEX log_tile_pkey ON log_tile (level, n) WHERE n < 1000"
    ],
    deed: "damaged",
    says: /^the table log_tile was not made with: CREATE UNIQUE INDEX log_tile_pkey .* WHERE/
  },
  "the view of records to show one more": {
    by: [VIEW_OF_MORE],
    deed: "damaged",
    says: /the view recorded_answer/
  },
  "the view of records to a table of what it shows": {
    by: [
      "ALTER VIEW recorded_answer RENAME TO shown",
      `DO $$ BEGIN EXECUTE 'CREATE MATERIALIZED VIEW recorded_answer AS ' || pg_get_viewdef('shown'); END $$`
    ],
    deed: "damaged",
    says: /the view recorded_answer/
  },
  "the function that tells the last number given": {
    by: ["CREATE OR REPLACE FUNCTION last_answer_seq() RETURNS bigint LANGUAGE sql AS 'SELECT 8000000000000000'"],
    deed: "damaged",
    says: /^the function last_answer_seq\(\) is not what it was made to be$/
  },
  "the function that tells whose a record is": {
    by: [
      "CREATE OR REPLACE FUNCTION account_of(tenant text) RETURNS uuid IMMUTABLE LANGUAGE sql AS 'SELECT NULL::uuid'"
    ],
    deed: "damaged",
    says: /^the function account_of\(text\)/
  },
  "a record, behind functions that the server would rather take than its own": {
    by: [
      recordAt("inputs_hash = sha256('x')"),
      "CREATE FUNCTION encode(bytea, text) RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$",
      "CREATE FUNCTION pg_get_viewdef(regclass) RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$",
      "CREATE FUNCTION unnest(text[]) RETURNS SETOF text LANGUAGE sql AS $$ SELECT 'x' WHERE false $$",
      "CREATE AGGREGATE array_agg(text) (SFUNC = array_append, STYPE = text[], INITCOND = '{}')",
      "CREATE FUNCTION concat(text, text, text, text) RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$"
    ],
    deed: "edited",
    index: AT,
    names: AT
  },
  "the entries to have one of no place, for a record of long ago": {
    by: [
      addedOld(0),
      "ALTER TABLE log_entry DROP CONSTRAINT log_entry_pkey",
      "ALTER TABLE log_entry ALTER index DROP NOT NULL",
      "ALTER TABLE log_entry ADD CONSTRAINT log_entry_pkey UNIQUE (index)",
      "INSERT INTO log_entry (index, seq) VALUES (NULL, 0)"
    ],
    deed: "damaged",
    says: /^the table log_entry has not the columns/
  },
  "the entries to have one of no place, and what the server says of that": {
    by: [
      addedOld(0),
      "ALTER TABLE log_entry DROP CONSTRAINT log_entry_pkey",
      "ALTER TABLE log_entry ALTER index DROP NOT NULL",
      "ALTER TABLE log_entry ADD CONSTRAINT log_entry_pkey UNIQUE (index)",
      "INSERT INTO log_entry (index, seq) VALUES (NULL, 0)",
      "UPDATE pg_attribute SET attnotnull = true WHERE attrelid = 'log_entry'::regclass AND attname = 'index'"
    ],
    deed: "added",
    names: ADDED,
    says: /no checkpoint covers/
  },
  "the records to have one of no number": {
    by: [
      "CREATE OR REPLACE FUNCTION last_answer_seq() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp RETURN 0",
      "ALTER TABLE answer ALTER seq DROP IDENTITY",
      "ALTER TABLE answer DROP CONSTRAINT answer_pkey",
      "ALTER TABLE answer ALTER seq DROP NOT NULL",
      "ALTER TABLE answer ADD CONSTRAINT answer_pkey UNIQUE (seq)",
      "CREATE SEQUENCE answer_seq_seq OWNED BY answer.seq",
      "CREATE OR REPLACE FUNCTION last_answer_seq() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp RETURN (SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END FROM public.answer_seq_seq)"
    ],
    deed: "damaged",
    says: /^the table answer has not the columns/
  },
  "the sequence that numbers records to another of its name": {
    by: [
      "CREATE OR REPLACE FUNCTION last_answer_seq() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp RETURN 0",
      "ALTER SEQUENCE answer_seq_seq RENAME TO numbers",
      "CREATE SEQUENCE answer_seq_seq OWNED BY answer.seq",
      "SELECT setval('answer_seq_seq', 9000000000000000)",
      "CREATE OR REPLACE FUNCTION last_answer_seq() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp RETURN (SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END FROM public.answer_seq_seq)"
    ],
    deed: "damaged",
    says: /^records do not have their numbers/
  },
  "an index to run a function where it is planned": {
    by: [SAYS_YES, "CREATE INDEX ON answer (kind) WHERE says_yes()"],
    deed: "damaged",
    says: /^the table answer was not made with: CREATE INDEX answer_kind_idx .* WHERE public.says_yes/
  },
  "an index of what a function makes": {
    by: [SAYS_YES, "CREATE INDEX ON log_entry ((says_yes() AND index > 0))"],
    deed: "damaged",
    says: /^the table log_entry was not made with: CREATE INDEX/
  },
  "statistics of what a function makes": {
    by: [SAYS_YES, "CREATE STATISTICS more ON (says_yes() AND level > 0) FROM log_tile"],
    deed: "damaged",
    says: /^the table log_tile was not made with: CREATE STATISTICS/
  },
  "what the numbers of records must be": {
    by: [SAYS_YES, "ALTER TABLE answer ADD CHECK (says_yes() OR seq > 1000000) NOT VALID"],
    deed: "damaged",
    says: /^the table answer was not made with: CHECK/
  },
  "what is done when the head is written": {
    by: [
      "CREATE FUNCTION more() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
      "CREATE TRIGGER more BEFORE UPDATE ON log_head FOR EACH ROW EXECUTE FUNCTION more()"
    ],
    deed: "damaged",
    says: /^the table log_head was not made with: CREATE TRIGGER more/
  },
  "a trigger to one that is off": {
    by: ["ALTER TABLE log_entry DISABLE TRIGGER log_entry_never_changes"],
    deed: "damaged",
    says: /^the table log_entry was not made with: changed: CREATE TRIGGER/
  },
  "the parentheses of a trigger, which then refuses less": {
    by: [
      "DROP TRIGGER log_head_only_grows ON log_head",
      `CREATE TRIGGER log_head_only_grows BEFORE UPDATE ON log_head FOR EACH ROW
       WHEN ((NEW.size < OLD.size OR NEW.done < OLD.done OR NEW.done > public.last_answer_seq() OR NEW.checkpoint IS NULL)
         AND (OLD.checkpoint IS NOT NULL OR OLD.origin IS NOT NULL) AND NEW.origin IS DISTINCT FROM OLD.origin)
       EXECUTE FUNCTION log_is_append_only()`
    ],
    deed: "damaged",
    says: /^the table log_head was not made with: CREATE TRIGGER log_head_only_grows/
  },
  "the function that refuses changes": {
    by: ["CREATE OR REPLACE FUNCTION log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'"],
    deed: "damaged",
    says: /^the function log_is_append_only/
  },
  "the trigger that keeps records away": {
    by: ["DROP TRIGGER answer_never_changes ON answer"],
    deed: "damaged",
    says: /^the table answer has no longer: CREATE TRIGGER answer_never_changes/
  },
  "the head to be two": {
    by: [
      "ALTER TABLE log_head DROP CONSTRAINT log_head_only_row_check",
      "INSERT INTO log_head (only_row) VALUES (false)"
    ],
    deed: "damaged",
    says: /^log_head has more than one row$/
  },
  "the entries to be lost in a crash": {
    by: ["ALTER TABLE log_entry SET UNLOGGED"],
    deed: "damaged",
    says: /^the table log_entry is lost in a crash$/
  },
  "nothing by constraints as a dump has them": {
    by: [
      "ALTER TABLE log_tile ADD CHECK (octet_length(hashes) >= 32 AND octet_length(hashes) <= 8192 AND octet_length(hashes) % 32 = 0)"
    ],
    deed: null
  },
  "nothing by statistics of columns": {
    by: ["CREATE STATISTICS more (dependencies) ON tenant, key_id FROM answer"],
    deed: null
  },
  "nothing by indexes of columns": {
    by: ["CREATE INDEX ON answer (recorded_at)", "CREATE INDEX ON log_entry (blind)"],
    deed: null
  },
  "the table of records to hide one by a policy": {
    by: ["CREATE POLICY p ON answer USING (seq <> 77)", "ALTER TABLE answer ENABLE ROW LEVEL SECURITY"],
    deed: "damaged",
    says: /^the table answer may hide rows by a policy$/
  },
  "the table of records to have rows of another": {
    by: ["CREATE TABLE more () INHERITS (answer)"],
    deed: "damaged",
    says: /^the table answer has rows of other tables$/
  },
  "the table of keys to hide one by a policy": {
    by: ["CREATE POLICY p ON api_key USING (false)"],
    deed: "damaged",
    says: /^the table api_key may hide rows by a policy$/
  },
  "the table of kinds to have a rule": {
    by: ["CREATE RULE more AS ON INSERT TO answer_kind DO ALSO SELECT 1"],
    deed: "damaged",
    says: /^the table answer_kind has a rule$/
  },
  "the table of kinds to a view of another": {
    by: ["ALTER TABLE answer_kind RENAME TO kinds", "CREATE VIEW answer_kind AS SELECT * FROM kinds"],
    deed: "damaged",
    says: /^the table answer_kind is no table$/
  },
  "a column of the log": {
    by: ["ALTER TABLE log_key ADD other text"],
    deed: "damaged",
    says: /^the table log_key has not the columns/
  },
  "the record of an entry to none that there is": {
    by: [`UPDATE log_entry SET seq = 900000 WHERE index = ${AT}`],
    deed: "damaged",
    index: AT,
    names: AT,
    says: /no longer says that this entry is this record/
  },
  "a record and its entry added, and counted": {
    by: [
      addedOld(NEXT),
      `INSERT INTO log_entry SELECT ${RECORDS}, max(seq) FROM answer`,
      headIs(`size = ${RECORDS + 1}, done = done + 1`)
    ],
    deed: "added",
    index: RECORDS,
    names: ADDED,
    says: /no checkpoint covers/
  },
  "an entry before the first": {
    by: ["INSERT INTO log_entry VALUES (-1, -1)"],
    deed: "added",
    index: -1
  },
  "a second record made the same entry": {
    by: [
      "ALTER TABLE log_entry DROP CONSTRAINT log_entry_pkey",
      addedOld(-5),
      "INSERT INTO log_entry VALUES (300, -5)"
    ],
    deed: "added",
    index: AT,
    names: ADDED
  },
  "the head counting more": {
    by: [headIs(`size = ${RECORDS + 1}`)],
    deed: "damaged",
    says: /counts 601 entries, and 600 were signed/
  },
  "the name of the log another": {
    by: [headIs("origin = 'evil/log'")],
    deed: "damaged",
    says: /log_head names the log "evil\/log", and its checkpoint is one of "[^"]+\/log"/
  },
  "the name of the log gone": { by: [headIs("origin = NULL")], deed: "damaged", says: /log_head names no log/ },
  "the head past the last number given": {
    by: [headIs("done = done + 1")],
    deed: "damaged",
    says: /gone past number \d+, and \d+ is the last that was given/
  },
  "the head past records that wait": {
    by: [headIs("done = done + 5"), addedOld(`${NEXT} + 2`)],
    deed: "damaged",
    says: /gone past number/
  },
  "the sequence of numbers set back": {
    by: ["SELECT setval('answer_seq_seq', 10)"],
    deed: "damaged",
    says: /gone past number \d+, and 10 is the last that was given/
  },
  "the head looking again at what is logged": { by: [headIs("done = 0, mark = 0")], deed: null },
  "a record of the time infinity": {
    by: [recordAt("recorded_at = 'infinity'")],
    deed: "edited",
    index: AT,
    names: AT,
    says: /a time that no record can have/
  },
  "a record of the time -infinity": {
    by: [recordAt("recorded_at = '-infinity'")],
    deed: "edited",
    index: AT,
    names: AT
  },
  "a record of the year 44 before Christ": {
    by: [recordAt("recorded_at = '0044-03-15 BC'")],
    deed: "edited",
    index: AT,
    names: AT
  },
  "a record of the year 290000": {
    by: [recordAt("recorded_at = '290000-03-15'")],
    deed: "edited",
    index: AT,
    names: AT
  },
  "a record of the year 1": {
    by: [recordAt("recorded_at = '0001-01-01 00:00:00+00'")],
    deed: "edited",
    index: AT,
    names: AT
  },
  "microseconds of a record": { by: [recordAt("recorded_at = recorded_at + interval '900 microseconds'")], deed: null },
  "tenant and key of a record": {
    by: [recordAt("tenant = gen_random_uuid(), key_id = gen_random_uuid()")],
    deed: null
  },
  "a hash of a record too short": {
    by: [recordAt("answer_hash = ''")],
    deed: "edited",
    index: AT,
    names: AT
  },
  "two entries swapped with their blinds": {
    by: SWAPPED,
    deed: "moved",
    index: 10,
    names: AT,
    says: /was entered at 300/
  },
  "an entry said to be another record": {
    by: [
      `UPDATE log_entry SET seq = -1 WHERE index = ${AT}`,
      `UPDATE log_entry SET seq = (SELECT seq FROM answer ORDER BY seq OFFSET ${AT} LIMIT 1) WHERE index = 10`
    ],
    deed: "moved",
    index: 10,
    names: AT,
    says: /was entered at 300/
  },
  "the records themselves swapped": {
    by: [
      `UPDATE answer SET seq = -seq WHERE seq IN (${seqAt(10)}, ${seqAt(AT)})`,
      `UPDATE answer SET seq = ${seqAt(10)} + ${seqAt(AT)} + seq WHERE seq < 0`
    ],
    deed: "moved",
    index: 10,
    names: AT,
    says: /was entered at 300/
  },
  "the blind of an entry gone": {
    by: [`UPDATE log_entry SET blind = NULL WHERE index = ${AT}`],
    deed: "damaged",
    index: AT,
    names: AT,
    says: /random bytes .* are gone/
  },
  "the blind of an entry another": {
    by: [`UPDATE log_entry SET blind = decode(repeat('00', 16), 'hex') WHERE index = ${AT}`],
    deed: "edited",
    index: AT,
    names: AT,
    says: /or the random bytes/
  },
  "a surplus in the last tile of entries": {
    by: [tileIs("hashes || sha256('evil')", "level = 0 AND n = 2")],
    deed: "damaged",
    index: RECORDS,
    says: /not signed/
  },
  "a surplus in a tile above": { by: [tileIs("hashes || sha256('evil')", "level = 1")], deed: "damaged", index: 0 },
  "another tile of entries": {
    by: ["INSERT INTO log_tile VALUES (0, 3, sha256('x'))"],
    deed: "damaged",
    says: /600 entries does not have: 0\/3/
  },
  "another tile above": {
    by: ["INSERT INTO log_tile VALUES (5, 0, sha256('y'))"],
    deed: "damaged",
    says: /does not have: 5\/0/
  },
  "an entry in a full tile another": {
    by: [tileIs(withFirst, "level = 0 AND n = 1")],
    deed: "damaged",
    index: 256,
    names: 256
  },
  "an entry in the last tile another": {
    by: [tileIs(withFirst, "level = 0 AND n = 2")],
    deed: "damaged",
    index: 512,
    names: 512
  },
  "a tile above another": {
    by: [tileIs(withFirst, "level = 1")],
    deed: "damaged",
    index: 0,
    says: /tile 0 of level 1/
  },
  "a tile above gone": { by: ["DELETE FROM log_tile WHERE level = 1"], deed: "damaged", index: 0 },
  "the tail of a tile of entries gone": {
    by: [tileIs("substr(hashes, 1, 64)", "level = 0 AND n = 1")],
    deed: "damaged",
    index: 258,
    says: /missing/
  },
  "a tile of entries and all that belongs to it gone": {
    by: ["DELETE FROM log_tile WHERE level = 0 AND n = 1", "DELETE FROM log_entry WHERE index BETWEEN 256 AND 511"],
    deed: "damaged",
    index: 256
  },
  "a record edited, and a tile above": {
    by: [recordAt("inputs_hash = sha256('x')"), tileIs(withFirst, "level = 1")],
    deed: "edited",
    index: AT,
    names: AT
  },
  "a record edited, and an entry in another tile": {
    by: [recordAt("inputs_hash = sha256('x')"), tileIs(withFirst, "level = 0 AND n = 0")],
    deed: "damaged",
    index: 0,
    names: 0
  },
  "a record edited, and an entry in a later tile": {
    by: [recordAt("inputs_hash = sha256('x')"), tileIs(withFirst, "level = 0 AND n = 2")],
    deed: "edited",
    index: AT,
    names: AT
  },
  "a record edited, and an entry in the same tile": {
    by: [recordAt("inputs_hash = sha256('x')"), tileIs(withFirst, "level = 0 AND n = 1")],
    deed: "rewritten",
    index: 256,
    names: 256,
    says: /neither the stored entries/
  },
  "a record deleted": { by: [`DELETE FROM answer WHERE seq = ${seqAt(AT)}`], deed: "removed", index: AT },
  "a record deleted with its entry": {
    by: [`DELETE FROM answer WHERE seq = ${seqAt(AT)}`, `DELETE FROM log_entry WHERE index = ${AT}`],
    deed: "removed",
    index: AT
  },
  "the last record deleted with its entry": {
    by: [`DELETE FROM answer WHERE seq = ${seqAt(RECORDS - 1)}`, `DELETE FROM log_entry WHERE index = ${RECORDS - 1}`],
    deed: "removed",
    index: RECORDS - 1
  },
  "the kinds edited": { by: ["UPDATE answer_kind SET endpoint = 'POST /x'"], deed: "edited", index: 0, names: 0 },
  "the kinds deleted": {
    by: ["DELETE FROM answer_kind"],
    deed: "edited",
    index: 0,
    names: 0,
    says: /gone from answer_kind/
  },
  "the keys deleted": {
    by: ["DELETE FROM log_key"],
    deed: "damaged",
    says: /key that has signed the checkpoint is gone/
  },
  "a key that is none put beside the log's": {
    by: ["INSERT INTO log_key VALUES (E'no key\\n' || repeat('x', 1000), now())"],
    deed: "damaged",
    says: /^log_key holds "no key\\nx{193}", which is no key of this log$/
  },
  "a key that is none put beside the log's, of no time": {
    by: ["INSERT INTO log_key VALUES ('no key', 'infinity')"],
    deed: "damaged",
    says: /^log_key holds "no key", which is no key of this log$/
  },
  "the key of the log made none": {
    by: ["UPDATE log_key SET verifier_key = left(verifier_key, -4)"],
    deed: "damaged",
    says: /^log_key holds ".*\/log\+.*", which is no key of this log$/
  },
  "the keys to be more than a log has": {
    by: [
      "INSERT INTO log_key SELECT verifier_key, used_since - n * interval '1 second' FROM log_key, generate_series(1, 1000) AS n"
    ],
    deed: "damaged",
    says: /^log_key holds more than 1000 keys/
  },
  "the key of another log put beside the log's": {
    by: [`INSERT INTO log_key VALUES ('${OF_ANOTHER}', now())`],
    deed: "damaged",
    says: /^log_key holds "other\.example\/log\+.*", which is no key of this log$/
  }
}

/** As `pg_dump` and whoever restores it do, of conditions, triggers, functions and the view. */
const MADE_ANEW = `DO $$ DECLARE part record; BEGIN
  SET LOCAL search_path = '';
  FOR part IN SELECT conrelid::regclass AS of, conname AS name, pg_get_constraintdef(oid) AS made
    FROM pg_constraint WHERE contype = 'c' AND connamespace = 'public'::regnamespace
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', part.of, part.name);
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s', part.of, part.name, part.made);
  END LOOP;
  FOR part IN SELECT tgrelid::regclass AS of, tgname AS name, pg_get_triggerdef(oid) AS made
    FROM pg_trigger WHERE NOT tgisinternal
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', part.name, part.of);
    EXECUTE part.made;
  END LOOP;
  FOR part IN SELECT pg_get_functiondef(oid) AS made FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  LOOP EXECUTE part.made; END LOOP;
  EXECUTE 'CREATE OR REPLACE VIEW public.recorded_answer AS ' || pg_get_viewdef('public.recorded_answer'::regclass);
END $$`

describe("a superuser who changes", () => {
  for (const [what, { by, deed, index = null, names, says }] of Object.entries(TAMPERINGS)) {
    it.live(
      `${what} is ${deed === null ? "changing what no entry covers" : "found out"}, with a checkpoint kept and without`,
      () =>
        onLog(
          RECORDS,
          Effect.gen(function* () {
            const keys = yield* (yield* TransparencyLog).keys
            const kept = yield* keep
            const answerId = typeof names === "number" ? yield* answerAt(names) : (names ?? null)
            yield* tamper(...UNBOUND, ...by)
            for (const held of [null, kept]) {
              const { finding } = yield* audit(held, keys)
              if (deed === null) assert.isNull(finding)
              else assert.deepInclude(finding, { deed, index, answerId })
              if (says !== undefined) assert.match(finding!.detail, says)
            }
          })
        )
    )
  }

  it.live("nothing, but makes all parts of the tables anew in the words that a dump has of them, finds nothing", () =>
    onLog(
      3,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const times of [1, 2]) {
          yield* sql.unsafe(MADE_ANEW)
          assert.isNull((yield* report).finding, `made anew ${times} times`)
        }
      })
    )
  )

  it.live("the entries and the tiles to match is found out by the signature", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* tamper(recordAt("inputs_hash = sha256('x')"), `DELETE FROM log_tile WHERE level > 0`)
        const record = (yield* loadTile(yield* SqlClient.SqlClient, 1, 256)).made
        yield* tamper(tileIs(`decode('${Buffer.from(record).toString("hex")}', 'hex')`, "level = 0 AND n = 1"))
        assert.deepInclude((yield* report).finding, { deed: "rewritten", index: null })
      })
    )
  )

  it.live("the keys to hold one that is none is found out also where they are all that is believed", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* tamper("INSERT INTO log_key SELECT left(verifier_key, -4), used_since + interval '1 hour' FROM log_key")
        const { finding } = yield* report
        assert.strictEqual(finding!.deed, "damaged")
        assert.match(finding!.detail, /^log_key holds .*no key of this log$/)
      })
    )
  )

  it.live("what sessions are set to, also those that a pooler has opened, changes nothing that is found", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* record(3)
        yield* sequenceAll
        yield* tamper("CREATE SCHEMA evil", "CREATE TABLE evil.log_head AS TABLE log_head WITH NO DATA")
        for (const setting of ["search_path = evil, public", "quote_all_identifiers = on"])
          yield* sql.unsafe(`ALTER DATABASE ${new URL(Redacted.value(url)).pathname.slice(1)} SET ${setting}`)
        const found = yield* report.pipe(
          Effect.provideService(TransparencyLog, yield* TransparencyLog),
          Effect.provide(PgClient.layer({ url, maxConnections: 1 }))
        )
        assert.deepStrictEqual(found, { size: 3, finding: null, waiting: NONE_WAITS })
      }).pipe(Effect.provide(Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url)))))
    }).pipe(Effect.scoped)
  )

  it.live("the tiles to be many more is found out by the name of one, and none of them is read", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        yield* recordMany(RECORDS)
        yield* sequenceAll
        yield* tamper(
          `INSERT INTO log_tile SELECT 5, n, decode(repeat(md5(n::text), 512), 'hex') FROM generate_series(7, 506) AS n`,
          "ANALYZE log_tile"
        )
        const log = yield* TransparencyLog
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const read = sql<{ readonly blocks: number }>`
            SELECT (toast_blks_read + toast_blks_hit)::float8 AS blocks FROM pg_statio_user_tables
            WHERE relname = 'log_tile' AND pg_stat_force_next_flush() IS NOT NULL`
          yield* read
          const [before] = yield* read
          const { finding } = yield* report.pipe(Effect.provideService(TransparencyLog, log))
          assert.match(finding!.detail, /does not have: 5\/7$/)
          yield* read
          const [after] = yield* read
          assert.isBelow(after!.blocks - before!.blocks, 100)
        }).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))
      }).pipe(Effect.provide(Sequencer.layer.pipe(Layer.provideMerge(servicesOn(url)))))
    }).pipe(Effect.scoped)
  )

  it.live("one character of the checkpoint, whichever it is, is found out as damage", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        const log = yield* TransparencyLog
        const [signed, keys] = [yield* log.checkpoint, yield* log.keys]
        for (let at = 0; at < signed.length; at++) {
          const other = signed[at] === "x" ? "y" : "x"
          yield* tamper(headIs(`checkpoint = '${signed.slice(0, at)}${other}${signed.slice(at + 1)}'`))
          const { finding } = yield* audit(null, keys)
          assert.strictEqual(finding?.deed, "damaged", `character ${at}`)
          assert.match(finding!.detail, /the checkpoint of the log is not believed: /)
        }
      })
    )
  )

  it.live("nothing of a log that was never begun finds nothing", () =>
    Effect.gen(function* () {
      yield* recordMany(3)
      assert.deepStrictEqual(yield* report, { size: 0, finding: null, waiting: null })
      yield* tamper(...UNBOUND, addedOld(0))
      assert.deepInclude((yield* report).finding, { deed: "added", answerId: ADDED })
    }).pipe(Effect.provide(logServices()), Effect.scoped)
  )
})

describe("a checkpoint that was kept", () => {
  it.live("is what the log still begins with, however far it has grown", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        const kept = yield* keep
        yield* recordMany(500)
        yield* sequenceAll
        assert.deepStrictEqual(yield* auditWith(kept), { size: RECORDS + 500, finding: null, waiting: NONE_WAITS })
      })
    )
  )

  it.live("shows that an older backup was restored, and that another history was signed since", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        yield* backUpLog
        yield* tamper("CREATE TABLE backup_answer AS TABLE answer")
        yield* record(5)
        yield* sequenceAll
        const kept = yield* keep
        yield* restoreLog(
          "DELETE FROM answer",
          `INSERT INTO answer (${ANSWER}) OVERRIDING SYSTEM VALUE SELECT ${ANSWER} FROM backup_answer`
        )
        assert.isNull((yield* report).finding)
        assert.strictEqual((yield* auditWith(kept)).finding!.deed, "restored")
        yield* record(9)
        yield* sequenceAll.pipe(Effect.provide(Layer.fresh(Sequencer.layer)))
        assert.isNull((yield* report).finding)
        assert.strictEqual((yield* auditWith(kept)).finding!.deed, "rewritten")
      })
    )
  )

  it.live("shows that everything was begun anew", () =>
    onLog(
      RECORDS,
      Effect.gen(function* () {
        const kept = yield* keep
        yield* tamper(
          "TRUNCATE answer, log_entry, log_tile, log_key",
          "UPDATE log_head SET size = 0, done = 0, mark = 0, writers = '{}', checkpoint = NULL"
        )
        const named = (yield* report).finding
        assert.strictEqual(named!.deed, "damaged")
        assert.match(named!.detail, /gone from log_head is the checkpoint.*its name ".*\/log" is still there/)
        yield* tamper(headIs("origin = NULL"))
        assert.isNull((yield* report).finding)
        assert.strictEqual((yield* auditWith(kept)).finding!.deed, "restored")
      })
    )
  )
})
