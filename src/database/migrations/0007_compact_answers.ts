/**
 * The recorded answers in less than half the space: what many have in common is written once (`answer_kind`), hashes and
 * accounts are bytes instead of text, and one index serves every page. Every record is moved, with its id and its place,
 * and then compared with what it was; one that would read otherwise undoes it all. `recorded_answer` shows them in full.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A record as it was and as `recorded_answer` shows it. */
const COLUMNS = `seq, answer_id, recorded_at, source, endpoint, event_type, rule_version, inputs_hash, answer_hash,
  key_prefix, tenant, key_id`

/** Accounts are `t_` and a UUID, or the service's own, for which all is zero, and so is its key. NULL for what is none. */
const accounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION account_of(tenant text) RETURNS uuid IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE
      WHEN tenant = 'reference' THEN '00000000-0000-0000-0000-000000000000'::uuid
      WHEN tenant ~ '^t_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN substr(tenant, 3)::uuid
    END`
  for (const table of ["api_key", "subscription"]) {
    yield* sql.unsafe(
      `ALTER TABLE ${table} ADD CONSTRAINT account_is_t_and_a_uuid CHECK (account_of(tenant) IS NOT NULL)`
    )
  }
})

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE answer RENAME TO text_answer`
  yield* sql`
    CREATE TABLE answer_kind (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      source text NOT NULL CHECK (source IN ('PublicApi', 'McpServer')),
      endpoint text NOT NULL CHECK (endpoint <> ''),
      event_type text NOT NULL CHECK (event_type IN ('calc.projection.run', 'calc.comparison.run')),
      rule_version text NOT NULL CHECK (rule_version ~ '^rl1-[0-9a-f]+$'),
      inputs_prefix text NOT NULL CHECK (inputs_prefix = 'h1-'),
      answer_prefix text NOT NULL,
      UNIQUE (endpoint, source, event_type, rule_version, inputs_prefix, answer_prefix)
    )`
  // In this order the columns have no gaps between them. No foreign key to answer_kind: all writers would lock the same
  // few rows. A kind that is not there is NULL to the inserting statement, and one that is there never goes.
  yield* sql`
    CREATE TABLE answer (
      seq bigint NOT NULL,
      recorded_at timestamptz NOT NULL,
      answer_id uuid NOT NULL,
      tenant uuid NOT NULL,
      key_id uuid NOT NULL,
      kind integer NOT NULL,
      inputs_hash bytea NOT NULL CHECK (octet_length(inputs_hash) = 32),
      answer_hash bytea NOT NULL CHECK (octet_length(answer_hash) = 32),
      CHECK ((key_id = account_of('reference')) = (tenant = account_of('reference')))
    )`
  yield* sql`
    CREATE VIEW recorded_answer AS
    SELECT seq, answer_id, recorded_at, source, endpoint, event_type, rule_version,
      inputs_prefix || encode(inputs_hash, 'hex') AS inputs_hash,
      answer_prefix || encode(answer_hash, 'hex') AS answer_hash,
      CASE WHEN key_id = account_of('reference') THEN 'slr_ref' ELSE api_key.prefix END AS key_prefix,
      CASE WHEN key_id = account_of('reference') THEN 'reference' ELSE 't_' || answer.tenant END AS tenant,
      nullif(key_id, account_of('reference')) AS key_id
    FROM answer JOIN answer_kind ON answer_kind.id = kind LEFT JOIN api_key ON api_key.id = key_id`
})

const move = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const some = yield* sql`SELECT FROM text_answer LIMIT 1`
  if (some.length > 0)
    yield* Effect.logInfo("The recorded answers are moved to a smaller table; of millions, it takes minutes")
  yield* sql`
    INSERT INTO answer_kind (source, endpoint, event_type, rule_version, inputs_prefix, answer_prefix)
    SELECT DISTINCT source, endpoint, event_type, rule_version, left(inputs_hash, -64), left(answer_hash, -64)
    FROM text_answer`
  // By these many conditions the planner expects one row, and might look through all kinds for each record.
  yield* sql`ANALYZE answer_kind`
  yield* sql`SET LOCAL enable_nestloop = off`
  yield* sql`
    INSERT INTO answer (seq, recorded_at, answer_id, tenant, key_id, kind, inputs_hash, answer_hash)
    SELECT seq, recorded_at, answer_id, coalesce(account_of(tenant), gen_random_uuid()),
      coalesce(key_id, account_of('reference')), answer_kind.id,
      decode(right(inputs_hash, 64), 'hex'), decode(right(answer_hash, 64), 'hex')
    FROM text_answer JOIN answer_kind USING (source, endpoint, event_type, rule_version)
    WHERE inputs_prefix = left(inputs_hash, -64) AND answer_prefix = left(answer_hash, -64)`
  yield* sql`SET LOCAL enable_nestloop = on`
})

/** By the sum of a hash of each whole record, which takes no join; only to name a culprit are they joined. */
const compare = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sumOf = (table: string) => `(SELECT sum(hash_record_extended(ROW(${COLUMNS}), 0)) FROM ${table})`
  yield* sql.unsafe(`
    DO $$ DECLARE other uuid; BEGIN
      IF ${sumOf("text_answer")} IS NOT DISTINCT FROM ${sumOf("recorded_answer")} THEN RETURN; END IF;
      SELECT answer_id INTO other
      FROM (SELECT ${COLUMNS} FROM text_answer EXCEPT SELECT ${COLUMNS} FROM recorded_answer) AS changed LIMIT 1;
      RAISE EXCEPTION 'record % cannot be kept as it is: %', other,
        'its account must be t_ and a UUID, its hash 64 hex digits, and its key in api_key under its prefix';
    END $$`)
})

/** Whoever was granted something on the records has the same again, whatever the default privileges of new tables say. */
const grants = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    DO $$ DECLARE held record; BEGIN
      FOR held IN
        SELECT DISTINCT grantee FROM pg_class, aclexplode(relacl)
        WHERE oid IN ('answer'::regclass, 'answer_kind'::regclass, 'recorded_answer'::regclass)
          AND grantee NOT IN (0, relowner)
      LOOP
        EXECUTE format('REVOKE ALL ON answer, answer_kind, recorded_answer FROM %s', held.grantee::regrole);
      END LOOP;
      FOR held IN
        SELECT grantee, privilege_type FROM pg_class, aclexplode(relacl)
        WHERE oid = 'text_answer'::regclass AND grantee NOT IN (0, relowner)
      LOOP
        EXECUTE format('GRANT %s ON answer, answer_kind, recorded_answer TO %s', held.privilege_type,
          held.grantee::regrole);
      END LOOP;
    END $$`
})

const indexes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [old] = yield* sql<{ readonly next: bigint }>`
    SELECT nextval(pg_get_serial_sequence('text_answer', 'seq')) AS next`
  yield* sql`DROP TABLE text_answer`
  yield* sql.unsafe(`ALTER TABLE answer ALTER seq ADD GENERATED ALWAYS AS IDENTITY (START WITH ${old!.next})`)
  yield* sql`ALTER TABLE answer ADD PRIMARY KEY (seq)`
  yield* sql`ALTER TABLE answer ADD UNIQUE (answer_id)`
  // Ascending, though pages go down: so each account grows at the end of its part, and leaves the pages before it full.
  yield* sql`CREATE INDEX answer_of_tenant ON answer (tenant, recorded_at, seq)`
  yield* sql`ANALYZE answer`
})

/** No part of a record can be changed: not its row, not its kind, not the prefix of a key that has made a call. */
const appendOnly = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const table of ["answer", "answer_kind"]) {
    yield* sql.unsafe(`
      CREATE TRIGGER ${table}_never_changes BEFORE UPDATE OR DELETE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION answer_is_append_only()`)
    yield* sql.unsafe(`
      CREATE TRIGGER ${table}_never_emptied BEFORE TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION answer_is_append_only()`)
  }
  yield* sql`
    CREATE FUNCTION prefix_is_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM usage WHERE key_id = OLD.id) THEN
        RAISE EXCEPTION 'the prefix of a key that has made a call is never changed'
          USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN NEW;
    END $$`
  yield* sql`
    CREATE TRIGGER prefix_never_changes BEFORE UPDATE OF prefix ON api_key
    FOR EACH ROW EXECUTE FUNCTION prefix_is_recorded()`
})

export default Effect.gen(function* () {
  yield* accounts
  yield* tables
  yield* move
  yield* compare
  yield* grants
  yield* indexes
  yield* appendOnly
})
