/** API keys, their monthly usage, and the append-only table of recorded answers. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE api_key (
      id uuid PRIMARY KEY,
      hash bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
      prefix text NOT NULL CHECK (prefix ~ '^slr_(sbx|live)_[0-9A-Za-z]{6}$'),
      tier text NOT NULL CHECK (tier IN ('Sandbox', 'Production')),
      tenant text NOT NULL CHECK (tenant <> ''),
      email text NOT NULL CHECK (email = lower(btrim(email)) AND email <> ''),
      subscription_id uuid,
      issued_by text NOT NULL CHECK (issued_by IN ('mint', 'mail', 'claim')),
      claimed_with uuid REFERENCES api_key (id),
      created_at timestamptz NOT NULL,
      expires_at timestamptz,
      revoked_at timestamptz,
      revoked_reason text CHECK (revoked_reason IN (
        'minted-again', 'claimed', 'paid-with-another', 'mail-retried', 'mail-given-up', 'operator')),
      CHECK ((tier = 'Sandbox') = (subscription_id IS NULL)),
      CHECK ((tier = 'Sandbox') = starts_with(prefix, 'slr_sbx_')),
      CHECK (tier = 'Production' OR expires_at IS NOT NULL),
      CHECK ((issued_by = 'claim') = (claimed_with IS NOT NULL)),
      CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL))
    )`
  // At most one active key per address and per subscription, enforced by the database against every race.
  yield* sql`CREATE UNIQUE INDEX api_key_one_sandbox ON api_key (email) WHERE tier = 'Sandbox' AND revoked_at IS NULL`
  yield* sql`
    CREATE UNIQUE INDEX api_key_one_production ON api_key (subscription_id)
    WHERE tier = 'Production' AND revoked_at IS NULL`

  // The row of a busy key is updated with every call: free space on its page makes these HOT updates, which no index sees.
  yield* sql`
    CREATE TABLE usage (
      key_id uuid NOT NULL REFERENCES api_key (id),
      period date NOT NULL CHECK (extract(day FROM period) = 1),
      used integer NOT NULL CHECK (used >= 0),
      PRIMARY KEY (key_id, period)
    ) WITH (fillfactor = 50)`

  // No foreign key to api_key: the inserting statement locks the key's row, and a record outlives its key.
  yield* sql`
    CREATE TABLE answer (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      answer_id uuid NOT NULL UNIQUE,
      recorded_at timestamptz NOT NULL,
      source text NOT NULL CHECK (source IN ('PublicApi', 'McpServer')),
      endpoint text NOT NULL CHECK (endpoint <> ''),
      event_type text NOT NULL CHECK (event_type IN ('calc.projection.run', 'calc.comparison.run')),
      rule_version text NOT NULL CHECK (rule_version ~ '^rl1-[0-9a-f]+$'),
      inputs_hash text NOT NULL CHECK (inputs_hash ~ '^h1-[0-9a-f]{64}$'),
      answer_hash text NOT NULL CHECK (answer_hash <> ''),
      key_prefix text NOT NULL CHECK (key_prefix <> ''),
      tenant text NOT NULL CHECK (tenant <> ''),
      key_id uuid
    )`
  yield* sql`CREATE INDEX answer_of_tenant ON answer (tenant, seq DESC)`
  yield* sql`CREATE INDEX answer_of_tenant_by_time ON answer (tenant, recorded_at)`

  yield* sql`
    CREATE FUNCTION answer_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a recorded answer is never changed: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
    END $$`
  yield* sql`
    CREATE TRIGGER answer_never_changes BEFORE UPDATE OR DELETE ON answer
    FOR EACH ROW EXECUTE FUNCTION answer_is_append_only()`
  yield* sql`
    CREATE TRIGGER answer_never_emptied BEFORE TRUNCATE ON answer
    FOR EACH STATEMENT EXECUTE FUNCTION answer_is_append_only()`
})
