/**
 * The first migration: the whole schema. It is released and frozen, so a change is a new file with
 * the next number.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Converts the name of an account to the UUID that is stored. The name is `t_` and a UUID, or
 * `reference` for the service's own account, which is stored as zeroes. Null for any other text.
 */
const ACCOUNTS = [
  `CREATE FUNCTION account_of(tenant text) RETURNS uuid IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE
      WHEN tenant = 'reference' THEN '00000000-0000-0000-0000-000000000000'::uuid
      WHEN tenant ~ '^t_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN substr(tenant, 3)::uuid
    END`
]

/**
 * API keys, stored as hashes, and their usage by month. A barred sandbox key cannot claim a
 * production key, whether it is revoked, expired or still valid.
 */
const KEYS = [
  `CREATE TABLE api_key (
    id uuid PRIMARY KEY,
    hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    prefix text NOT NULL CHECK (prefix ~ '^slr_(sbx|live)_[0-9A-Za-z]{6}$'),
    tier text NOT NULL CHECK (tier IN ('Sandbox', 'Production')),
    tenant text NOT NULL CHECK (account_of(tenant) IS NOT NULL),
    email text NOT NULL CHECK (email = lower(btrim(email)) AND email <> ''),
    subscription_id uuid,
    issued_by text NOT NULL CHECK (issued_by IN ('mint', 'mail', 'claim', 'operator')),
    claimed_with uuid REFERENCES api_key (id),
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    revoked_reason text CHECK (revoked_reason IN (
      'minted-again', 'claimed', 'paid-with-another', 'mail-retried', 'mail-given-up', 'operator',
      'ended', 'reversed', 'only-for-claims')),
    barred_at timestamptz CHECK (barred_at IS NULL OR tier = 'Sandbox'),
    CHECK ((tier = 'Sandbox') = (subscription_id IS NULL)),
    CHECK ((tier = 'Sandbox') = starts_with(prefix, 'slr_sbx_')),
    CHECK (tier = 'Production' OR expires_at IS NOT NULL),
    CHECK ((issued_by = 'claim') = (claimed_with IS NOT NULL)),
    CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL))
  )`,
  // Without revoked keys, an address has at most one sandbox key and a subscription at most one
  // production key. Unique indexes enforce this even if requests race.
  "CREATE UNIQUE INDEX api_key_one_sandbox ON api_key (email) WHERE tier = 'Sandbox' AND revoked_at IS NULL",
  `CREATE UNIQUE INDEX api_key_one_production ON api_key (subscription_id)
    WHERE tier = 'Production' AND revoked_at IS NULL`,
  "CREATE INDEX api_key_of_prefix ON api_key (prefix)",
  // The address without its +tag. The expression must equal the one in services/accounts/Keys.ts,
  // or the index is not used.
  `CREATE INDEX api_key_of_mailbox ON api_key (regexp_replace(email, '[+][^@]*@', '@'), created_at)
    WHERE tier = 'Sandbox' AND issued_by = 'mint'`,
  "CREATE INDEX api_key_of_subscription ON api_key (subscription_id) WHERE subscription_id IS NOT NULL",
  // A busy key's row is updated with every call: free space on its page makes these HOT updates.
  `CREATE TABLE usage (
    key_id uuid NOT NULL REFERENCES api_key (id),
    period date NOT NULL CHECK (extract(day FROM period) = 1),
    used integer NOT NULL CHECK (used >= 0),
    PRIMARY KEY (key_id, period)
  ) WITH (fillfactor = 50)`
]

/**
 * Subscriptions, as the events from Stripe report them. Events arrive in any order, so a row may
 * hold the end of a subscription before its payment. `received_at` is the time of the first
 * payment. `paid_at` is set once an email address is known too. `held_at` and `held_why` are set
 * while the subscription gets no production key.
 */
const SUBSCRIPTIONS = [
  `CREATE TABLE subscription (
    id uuid PRIMARY KEY,
    external_id text NOT NULL UNIQUE CHECK (external_id <> ''),
    tenant text NOT NULL UNIQUE CHECK (account_of(tenant) IS NOT NULL),
    email text CHECK (email = lower(btrim(email)) AND email <> ''),
    mail_to text CHECK (mail_to <> ''),
    sandbox_key_id uuid REFERENCES api_key (id),
    paid_at timestamptz,
    ends_at timestamptz,
    created_at timestamptz NOT NULL,
    received_at timestamptz,
    is_ours boolean NOT NULL DEFAULT false,
    held_at timestamptz,
    held_why text CHECK (held_why IN ('operator', 'ended', 'refund', 'dispute')),
    CHECK (paid_at IS NULL OR (email IS NOT NULL AND mail_to IS NOT NULL)),
    CHECK ((held_at IS NULL) = (held_why IS NULL))
  )`,
  "CREATE INDEX subscription_of_email ON subscription (email)",
  "CREATE INDEX subscription_of_sandbox_key ON subscription (sandbox_key_id)",
  "ALTER TABLE api_key ADD FOREIGN KEY (subscription_id) REFERENCES subscription (id)"
]

/**
 * Stripe events that were applied, and the references by which a refund or a dispute finds its
 * payment. No email address is stored.
 */
const PAYMENTS = [
  `CREATE TABLE payment_event (
    id text PRIMARY KEY,
    received_at timestamptz NOT NULL
  )`,
  // `owner` is Stripe's id of a subscription, even without a row in `subscription`, or of an
  // invoice. The invoice is then the reference of another row.
  `CREATE TABLE payment_reference (
    reference text NOT NULL,
    owner text NOT NULL,
    is_customer boolean NOT NULL,
    PRIMARY KEY (reference, owner)
  )`,
  "CREATE INDEX payment_reference_of_owner ON payment_reference (owner)",
  // The time when an unpaid checkout was first seen. No email address is stored, because the
  // checkout may be for something else.
  "CREATE TABLE unpaid_checkout (external_id text PRIMARY KEY, seen_at timestamptz NOT NULL)"
]

/** The queue of outgoing emails. None of them holds a secret. */
const MAILS = [
  `CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('sandbox-minted', 'production-key', 'production-claimed')),
    mail_to text NOT NULL CHECK (mail_to <> ''),
    key_prefix text,
    subscription_id uuid REFERENCES subscription (id),
    created_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    next_attempt_at timestamptz NOT NULL,
    first_attempt_at timestamptz,
    sent_at timestamptz,
    dropped_at timestamptz,
    given_up_at timestamptz,
    CHECK (num_nonnulls(sent_at, dropped_at, given_up_at) <= 1),
    CHECK ((kind = 'production-key') = (key_prefix IS NULL)),
    CHECK (kind <> 'production-key' OR subscription_id IS NOT NULL)
  )`,
  "CREATE UNIQUE INDEX outbox_one_production_key ON outbox (subscription_id) WHERE kind = 'production-key'",
  // The columns follow the ORDER BY in services/accounts/mailQueue.ts.
  `CREATE INDEX outbox_waiting ON outbox ((kind <> 'production-key'), next_attempt_at, id)
    WHERE sent_at IS NULL AND dropped_at IS NULL AND given_up_at IS NULL`
]

/**
 * Records of answers. Properties shared by many records are stored once (`answer_kind`), hashes and
 * accounts as bytes. The view `recorded_answer` shows them in full. There are no foreign keys, as
 * all writers would lock the same few rows of `answer_kind`, and a record outlives its API key.
 */
const ANSWERS = [
  `CREATE TABLE answer_kind (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source text NOT NULL CHECK (source IN ('PublicApi', 'McpServer')),
    endpoint text NOT NULL CHECK (endpoint <> ''),
    event_type text NOT NULL CHECK (event_type IN ('calc.projection.run', 'calc.comparison.run')),
    rule_version text NOT NULL CHECK (rule_version ~ '^rl1-[0-9a-f]+$'),
    inputs_prefix text NOT NULL CHECK (inputs_prefix = 'h1-'),
    answer_prefix text NOT NULL CHECK (answer_prefix = 'a2-'),
    UNIQUE (endpoint, source, event_type, rule_version, inputs_prefix, answer_prefix)
  )`,
  // In this order the columns need no alignment padding. `xid` is the inserting transaction. By it
  // the log knows that no earlier record can still appear (services/log/nextRecords.ts).
  `CREATE TABLE answer (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY CHECK (seq > 0),
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    recorded_at timestamptz NOT NULL CHECK (recorded_at >= '1970-01-01Z' AND recorded_at < '10000-01-01Z'),
    answer_id uuid NOT NULL UNIQUE,
    tenant uuid NOT NULL,
    key_id uuid NOT NULL,
    kind integer NOT NULL,
    inputs_hash bytea NOT NULL CHECK (octet_length(inputs_hash) = 32),
    answer_hash bytea NOT NULL CHECK (octet_length(answer_hash) = 32),
    CHECK ((key_id = account_of('reference')) = (tenant = account_of('reference')))
  )`,
  // Ascending, although lists show the newest record first. Each account then grows at the end of
  // its range and leaves full index pages behind.
  "CREATE INDEX answer_of_tenant ON answer (tenant, recorded_at, seq)",
  "CREATE INDEX answer_in_order ON answer (xid, seq)",
  `CREATE VIEW recorded_answer AS
    SELECT seq, answer_id, recorded_at, source, endpoint, event_type, rule_version,
      inputs_prefix || encode(inputs_hash, 'hex') AS inputs_hash,
      answer_prefix || encode(answer_hash, 'hex') AS answer_hash,
      CASE WHEN key_id = account_of('reference') THEN 'slr_ref' ELSE api_key.prefix END AS key_prefix,
      CASE WHEN key_id = account_of('reference') THEN 'reference' ELSE 't_' || answer.tenant END AS tenant,
      nullif(key_id, account_of('reference')) AS key_id
    FROM answer JOIN answer_kind ON answer_kind.id = kind LEFT JOIN api_key ON api_key.id = key_id`
]

/**
 * The transparency log: the record of each entry, tiles of hashes, the newest checkpoint, and the
 * keys that signed.
 */
const LOG = [
  // No foreign key to `answer`, because the audit reports a missing record.
  `CREATE TABLE log_entry (
    index bigint PRIMARY KEY CHECK (index >= 0),
    seq bigint NOT NULL UNIQUE
  )`,
  // Level 0 stores the entries themselves. EXTERNAL means uncompressed, as hashes do not compress.
  `CREATE TABLE log_tile (
    level smallint NOT NULL CHECK (level >= 0),
    n bigint NOT NULL CHECK (n >= 0),
    hashes bytea NOT NULL CHECK (octet_length(hashes) BETWEEN 32 AND 8192 AND octet_length(hashes) % 32 = 0),
    PRIMARY KEY (level, n)
  )`,
  "ALTER TABLE log_tile ALTER hashes SET STORAGE EXTERNAL",
  // All records up to (xid, seq) are in the log. `cluster` is the server that assigned `xid`.
  // Records up to seq `restored` were written on another server, and came here with a restored
  // backup. `origin` is the log's name, set when the log was started.
  `CREATE TABLE log_head (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    origin text,
    size bigint NOT NULL DEFAULT 0,
    cluster text,
    restored bigint NOT NULL DEFAULT 0,
    xid xid8 NOT NULL DEFAULT '0',
    seq bigint NOT NULL DEFAULT 0,
    checkpoint text
  )`,
  "INSERT INTO log_head DEFAULT VALUES",
  // A key that signs again after another has a row for each period.
  `CREATE TABLE log_key (
    verifier_key text NOT NULL,
    used_since timestamptz NOT NULL,
    PRIMARY KEY (used_since, verifier_key)
  )`
]

/**
 * Triggers that reject changes of recorded data. Tiles and the head of the log only grow, and the
 * prefix of a used key stays.
 */
const APPEND_ONLY = [
  `CREATE FUNCTION is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% only grows: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
    END $$`,
  ...["answer", "answer_kind", "log_entry", "log_key", "log_head", "log_tile"].flatMap((table) => [
    `CREATE TRIGGER ${table}_never_changes
      BEFORE ${["log_head", "log_tile"].includes(table) ? "DELETE" : "UPDATE OR DELETE"} ON ${table}
      FOR EACH ROW EXECUTE FUNCTION is_append_only()`,
    `CREATE TRIGGER ${table}_never_emptied BEFORE TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION is_append_only()`
  ]),
  `CREATE TRIGGER log_tile_only_grows BEFORE UPDATE ON log_tile FOR EACH ROW
    WHEN (OLD.level <> NEW.level OR OLD.n <> NEW.n
      OR OLD.hashes <> substr(NEW.hashes, 1, octet_length(OLD.hashes)))
    EXECUTE FUNCTION is_append_only()`,
  `CREATE TRIGGER log_head_only_grows BEFORE UPDATE ON log_head FOR EACH ROW
    WHEN (NEW.size < OLD.size
      OR NEW.checkpoint IS NULL AND OLD.checkpoint IS NOT NULL
      OR OLD.origin IS NOT NULL AND NEW.origin IS DISTINCT FROM OLD.origin)
    EXECUTE FUNCTION is_append_only()`,
  `CREATE FUNCTION prefix_is_recorded() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM usage WHERE key_id = OLD.id) THEN
        RAISE EXCEPTION 'the prefix of a key that has made a call is never changed'
          USING ERRCODE = 'insufficient_privilege';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER prefix_never_changes BEFORE UPDATE OF prefix ON api_key
    FOR EACH ROW EXECUTE FUNCTION prefix_is_recorded()`
]

/** Identifies the installation: the fingerprint of the pepper that its keys were hashed with. */
const INSTALLATION = [
  `CREATE TABLE installation (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    pepper_fingerprint bytea NOT NULL CHECK (octet_length(pepper_fingerprint) = 32)
  )`
]

const STATEMENTS = [
  ...ACCOUNTS,
  ...KEYS,
  ...SUBSCRIPTIONS,
  ...PAYMENTS,
  ...MAILS,
  ...ANSWERS,
  ...LOG,
  ...APPEND_ONLY,
  ...INSTALLATION
]

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const statement of STATEMENTS) yield* sql.unsafe(statement)
})
