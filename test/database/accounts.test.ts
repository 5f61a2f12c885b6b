/**
 * A check that nothing in the schema ties one account to another: each table, foreign key, unique
 * index and sequence is listed with its reason. So accounts can be spread over several databases,
 * and a new tie is noticed (docs/scaling.md).
 */

import { Effect } from "effect"
import { beforeAll, expect, it } from "vitest"
import { query, start, useDatabase } from "../support/database.ts"

const database = useDatabase()

/**
 * Ties within one account. An account is an address with its keys, their calls and records, its
 * subscriptions and their Stripe events.
 */
const WITHIN_ACCOUNT: ReadonlyArray<string> = [
  "api_key (claimed_with) -> api_key",
  "api_key (subscription_id) -> subscription",
  "api_key one (email)",
  "api_key one (id)",
  "api_key one (subscription_id)",
  "outbox (subscription_id) -> subscription",
  "outbox one (subscription_id)",
  "subscription (sandbox_key_id) -> api_key",
  "subscription one (external_id)",
  "subscription one (id)",
  "subscription one (tenant)",
  "unpaid_checkout one (external_id)",
  "usage (key_id) -> api_key",
  "usage one (key_id, period)"
]
/** Keyed by Stripe's ids, each of which belongs to one payer. */
const BY_STRIPE_ID: ReadonlyArray<string> = ["payment_event one (id)", "payment_reference one (reference, owner)"]
/** Random values, which never collide across databases. */
const BY_RANDOM_VALUE: ReadonlyArray<string> = ["answer one (answer_id)", "api_key one (hash)"]
/** Numbers that a database generates; they have no meaning in another. */
const BY_GENERATED_NUMBER: ReadonlyArray<string> = ["answer one (seq)", "outbox one (id)"]
/** Global or per database: kinds of records, the log, the installation. */
const WITHIN_DATABASE: ReadonlyArray<string> = [
  "answer_kind one (endpoint, source, event_type, rule_version, inputs_prefix, answer_prefix)",
  "answer_kind one (id)",
  "installation one (only_row)",
  "log_entry one (index)",
  "log_entry one (seq)",
  "log_head one (only_row)",
  "log_key one (used_since, verifier_key)",
  "log_tile one (level, n)",
  "log_witness one (verifier_key)",
  "log_witnessed one (only_row)",
  "reference one (rule_version, start_month)",
  "schema_migration one (migration_id)"
]

/** Tables without any account's rows. In all other tables, each row belongs to one account. */
const TABLES_OF_A_DATABASE: ReadonlyArray<string> = [
  "answer_kind",
  "installation",
  "log_entry",
  "log_head",
  "log_key",
  "log_tile",
  "log_witness",
  "log_witnessed",
  "reference",
  "schema_migration"
]
const TABLES_OF_ACCOUNTS: ReadonlyArray<string> = [
  "answer",
  "api_key",
  "outbox",
  "payment_event",
  "payment_reference",
  "subscription",
  "unpaid_checkout",
  "usage"
]

/** Sequences that order rows within one database: records for pages and the log, and mails. */
const SEQUENCES: ReadonlyArray<string> = [
  "answer_kind_id_seq of answer_kind (id)",
  "answer_seq_seq of answer (seq)",
  "outbox_id_seq of outbox (id)"
]

const TIES = `
  SELECT conrelid::regclass || ' (' || (
      SELECT string_agg(attname, ', ' ORDER BY place)
      FROM unnest(conkey) WITH ORDINALITY AS key (attnum, place)
      JOIN pg_attribute ON attrelid = conrelid AND pg_attribute.attnum = key.attnum
    ) || ') -> ' || confrelid::regclass AS name
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
  UNION
  SELECT indrelid::regclass || ' one (' || (
      SELECT string_agg(attname, ', ' ORDER BY place)
      FROM unnest(indkey::int2[]) WITH ORDINALITY AS key (attnum, place)
      JOIN pg_attribute ON attrelid = indrelid AND pg_attribute.attnum = key.attnum
    ) || ')'
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE indisunique AND relnamespace = 'public'::regnamespace`

const TABLES = `
  SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`

/** Lists sequences that no column owns, too. */
const SEQUENCE_NAMES = `
  SELECT sequence.relname || coalesce(' of ' || refobjid::regclass || ' (' || attname || ')', '') AS name
  FROM pg_class AS sequence
  LEFT JOIN pg_depend ON objid = sequence.oid AND deptype IN ('a', 'i') AND refobjsubid > 0
  LEFT JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
  WHERE sequence.relkind = 'S' AND relnamespace = 'public'::regnamespace`

beforeAll(() => Effect.runPromise(start({ url: database().url })))

const namesOf = async (statement: string): Promise<ReadonlyArray<string>> =>
  (await query<{ readonly name: string }>(database(), statement)).map(({ name }) => name).sort()

it("no foreign key and no unique index ties an account to another", async () => {
  const listed = [...WITHIN_ACCOUNT, ...BY_STRIPE_ID, ...BY_RANDOM_VALUE, ...BY_GENERATED_NUMBER, ...WITHIN_DATABASE]
  expect(await namesOf(TIES)).toEqual(listed.sort())
})

it("every table belongs to accounts, or has no rows of any account", async () => {
  expect(await namesOf(TABLES)).toEqual([...TABLES_OF_A_DATABASE, ...TABLES_OF_ACCOUNTS].sort())
  const foreignKeys = (await namesOf(TIES)).map((tie) => /^(\w+) .* -> (\w+)$/.exec(tie)).filter((tie) => tie !== null)
  const ofAccounts = (table: string) => TABLES_OF_ACCOUNTS.includes(table)
  expect(foreignKeys.filter(([, from, to]) => ofAccounts(from!) !== ofAccounts(to!))).toEqual([])
})

it("no sequence generates numbers that are used across databases", async () => {
  expect(await namesOf(SEQUENCE_NAMES)).toEqual(SEQUENCES)
})
