/**
 * What belongs to whom in the database: each table, foreign key, unique index and sequence is of one account, or says why
 * it ties no account to another. So accounts can be spread over databases, and a new tie is noticed (docs/scaling.md).
 */

import { Effect, Layer } from "effect"
import { beforeAll, expect, it } from "vitest"
import { databaseAt } from "../../src/database/postgres.ts"
import { addressOf, query, useDatabase } from "../support/database.ts"
import { testConfig } from "../support/settings.ts"

const database = useDatabase()

/** An account is an address: its keys, their calls and records, its subscriptions and what Stripe says of them. */
const OF_AN_ACCOUNT: ReadonlyArray<string> = [
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
/** Named by Stripe, whose ids are of one payer each. */
const OF_STRIPE: ReadonlyArray<string> = ["payment_event one (id)", "payment_reference one (reference, owner)"]
/** Random: two that are equal come nowhere. */
const RANDOM: ReadonlyArray<string> = ["answer one (answer_id)", "api_key one (hash)"]
/** Numbers that a database gives, and that mean nothing in another. */
const NUMBERS: ReadonlyArray<string> = ["answer one (seq)", "outbox one (id)"]
/** The same in every database, or each one's own: kinds of records, the log, the installation. */
const OF_A_DATABASE: ReadonlyArray<string> = [
  "answer_kind one (endpoint, source, event_type, rule_version, inputs_prefix, answer_prefix)",
  "answer_kind one (id)",
  "installation one (only_row)",
  "log_entry one (index)",
  "log_entry one (seq)",
  "log_head one (only_row)",
  "log_key one (used_since, verifier_key)",
  "log_tile one (level, n)",
  "schema_migration one (migration_id)"
]

/** Tables without a row of any account. All others have one, and each of their rows is of one account. */
const TABLES_OF_A_DATABASE: ReadonlyArray<string> = [
  "answer_kind",
  "installation",
  "log_entry",
  "log_head",
  "log_key",
  "log_tile",
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

/** What numbers rows, in the order of one database: pages of an account and its mails go by that, and the log. */
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

/** Those without a column that has them as its own are told too. */
const NUMBERING = `
  SELECT sequence.relname || coalesce(' of ' || refobjid::regclass || ' (' || attname || ')', '') AS name
  FROM pg_class AS sequence
  LEFT JOIN pg_depend ON objid = sequence.oid AND deptype IN ('a', 'i') AND refobjsubid > 0
  LEFT JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
  WHERE sequence.relkind = 'S' AND relnamespace = 'public'::regnamespace`

beforeAll(() => {
  const migrated = Layer.fresh(databaseAt(addressOf(database().url)).pipe(Layer.provide(testConfig())))
  return Effect.runPromise(Effect.scoped(Effect.asVoid(Layer.build(migrated))))
})

const namesOf = async (statement: string): Promise<ReadonlyArray<string>> =>
  (await query<{ readonly name: string }>(database(), statement)).map(({ name }) => name).sort()

it("no foreign key and no unique index ties an account to another", async () => {
  const said = [...OF_AN_ACCOUNT, ...OF_STRIPE, ...RANDOM, ...NUMBERS, ...OF_A_DATABASE]
  expect(await namesOf(TIES)).toEqual(said.sort())
})

it("every table is of accounts, or has no row of any", async () => {
  expect(await namesOf(TABLES)).toEqual([...TABLES_OF_A_DATABASE, ...TABLES_OF_ACCOUNTS].sort())
  const between = (await namesOf(TIES)).map((tie) => /^(\w+) .* -> (\w+)$/.exec(tie)).filter((tie) => tie !== null)
  const ofAccounts = (table: string) => TABLES_OF_ACCOUNTS.includes(table)
  expect(between.filter(([, from, to]) => ofAccounts(from!) !== ofAccounts(to!))).toEqual([])
})

it("no sequence gives a number that means something in another database", async () => {
  expect(await namesOf(NUMBERING)).toEqual(SEQUENCES)
})
