/**
 * The transparency log over the records: which record is which entry, the tiles of the tree, its newest checkpoint, and
 * the keys that have signed one. Entries of records that are there already are made by the service, from the first on.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Numbers and times that a record can have. Those that are there are left to the audit. The highest number that was given
 * is asked through a function, for a role that owns nothing has no right to the sequence.
 */
const realRecords = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE answer
      ADD CONSTRAINT answer_seq_given CHECK (seq > 0) NOT VALID,
      ADD CONSTRAINT answer_recorded_at_real
        CHECK (recorded_at >= '1970-01-01Z' AND recorded_at < '10000-01-01Z') NOT VALID`
  const [numbers] = yield* sql<{ readonly name: string }>`SELECT pg_get_serial_sequence('answer', 'seq') AS name`
  yield* sql.unsafe(`
    CREATE FUNCTION last_answer_seq() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    RETURN (SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END FROM ${numbers!.name})`)
})

/** What is in the log stays: a tile may only grow. */
const appendOnly = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the log of records only grows: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
    END $$`
  for (const table of ["log_entry", "log_head", "log_key", "log_tile"]) {
    const changes = ["log_head", "log_tile"].includes(table) ? "DELETE" : "UPDATE OR DELETE"
    yield* sql.unsafe(`
      CREATE TRIGGER ${table}_never_changes BEFORE ${changes} ON ${table}
      FOR EACH ROW EXECUTE FUNCTION log_is_append_only()`)
    yield* sql.unsafe(`
      CREATE TRIGGER ${table}_never_emptied BEFORE TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only()`)
  }
  yield* sql`
    CREATE TRIGGER log_tile_only_grows BEFORE UPDATE ON log_tile FOR EACH ROW
    WHEN (OLD.level <> NEW.level OR OLD.n <> NEW.n
      OR OLD.hashes <> substr(NEW.hashes, 1, octet_length(OLD.hashes)))
    EXECUTE FUNCTION log_is_append_only()`
  yield* sql`
    CREATE TRIGGER log_head_only_grows BEFORE UPDATE ON log_head FOR EACH ROW
    WHEN (NEW.size < OLD.size OR NEW.done < OLD.done OR NEW.done > last_answer_seq()
      OR NEW.checkpoint IS NULL AND OLD.checkpoint IS NOT NULL
      OR OLD.origin IS NOT NULL AND NEW.origin IS DISTINCT FROM OLD.origin)
    EXECUTE FUNCTION log_is_append_only()`
})

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // No foreign key to answer: entries are made behind the records, and a record that is gone is for the audit to name.
  yield* sql`
    CREATE TABLE log_entry (
      index bigint PRIMARY KEY CHECK (index >= 0),
      seq bigint NOT NULL UNIQUE,
      blind bytea CHECK (octet_length(blind) = 16)
    )`
  // At level 0 the entries themselves. Hashes do not compress.
  yield* sql`
    CREATE TABLE log_tile (
      level smallint NOT NULL CHECK (level >= 0),
      n bigint NOT NULL CHECK (n >= 0),
      hashes bytea NOT NULL CHECK (octet_length(hashes) BETWEEN 32 AND 8192 AND octet_length(hashes) % 32 = 0),
      PRIMARY KEY (level, n)
    )`
  yield* sql`ALTER TABLE log_tile ALTER hashes SET STORAGE EXTERNAL`
  // Records up to "done" are all in the log. Those up to "mark" will be known to be all there are as soon as none of the
  // transactions "writers", which were writing records at the moment "marked_at", is still under way. "origin" is the name
  // under which the log was begun. A time without an age would stop the log.
  yield* sql`
    CREATE TABLE log_head (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      origin text,
      size bigint NOT NULL DEFAULT 0,
      done bigint NOT NULL DEFAULT 0,
      mark bigint NOT NULL DEFAULT 0,
      marked_at timestamptz NOT NULL DEFAULT '2000-01-01' CHECK (isfinite(marked_at)),
      writers text[] NOT NULL DEFAULT '{}',
      checkpoint text
    )`
  yield* sql`INSERT INTO log_head DEFAULT VALUES`
  // A key that signs again after another has a row for each of its times.
  yield* sql`
    CREATE TABLE log_key (
      verifier_key text NOT NULL,
      used_since timestamptz NOT NULL,
      PRIMARY KEY (used_since, verifier_key)
    )`
  yield* realRecords
  yield* appendOnly
})
