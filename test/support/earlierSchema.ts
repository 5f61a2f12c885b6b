/**
 * A database as an earlier version of the service left it, with another schema: the names of its
 * migrations, and a table with one record.
 */

const MIGRATIONS = [
  "ledger",
  "subscriptions",
  "holds",
  "installation",
  "mailboxes",
  "told_payments",
  "compact_answers",
  "payments",
  "payments_served",
  "log",
  "log_bounds"
]

export const EARLIER_SCHEMA = `DO $$ BEGIN
  CREATE TABLE schema_migration (
    migration_id integer PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    name varchar(255) NOT NULL
  );
  INSERT INTO schema_migration (migration_id, name)
    SELECT id, name FROM unnest('{${MIGRATIONS}}'::text[]) WITH ORDINALITY AS one (name, id);
  CREATE TABLE answer (seq bigint PRIMARY KEY, answer_id uuid NOT NULL);
  INSERT INTO answer VALUES (1, gen_random_uuid());
END $$`

/** Query for all user relations of the database, and the rows of all tables and views. */
export const CONTENTS = `
  SELECT relname, relkind, query_to_xml(format('SELECT * FROM %I', relname), true, false, '')::text AS rows
  FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v')
  UNION ALL
  SELECT relname, relkind, NULL FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('r', 'v')
  ORDER BY relname`
