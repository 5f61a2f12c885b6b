/**
 * The tables of records and log, the view of records and the functions beneath them as the migrations make them, in the
 * words of the server's own catalogs from PostgreSQL 15 on. What is found beside them was put there by somebody else.
 */
import type { Table } from "./allRows.ts"

/** Columns of a table of which no two rows have the same. */
export interface Unique {
  readonly table: Table
  readonly columns: string
}

export const UNIQUE: ReadonlyArray<Unique> = [
  { table: "answer_kind", columns: "id" },
  { table: "log_head", columns: "only_row" },
  { table: "log_tile", columns: "level, n" },
  { table: "answer", columns: "answer_id" },
  { table: "answer", columns: "seq" },
  { table: "log_entry", columns: "index" },
  { table: "log_entry", columns: "seq" }
]

/** The columns of each table that is read; null where the log covers none of them. */
export const TABLES: Readonly<Record<string, string | null>> = {
  api_key: null,
  answer: `seq bigint NOT NULL IDENTITY, recorded_at timestamp with time zone NOT NULL, answer_id uuid NOT NULL,
    tenant uuid NOT NULL, key_id uuid NOT NULL, kind integer NOT NULL, inputs_hash bytea NOT NULL, answer_hash bytea NOT NULL`,
  answer_kind: `id integer NOT NULL IDENTITY, source text NOT NULL, endpoint text NOT NULL, event_type text NOT NULL,
    rule_version text NOT NULL, inputs_prefix text NOT NULL, answer_prefix text NOT NULL`,
  log_entry: "index bigint NOT NULL, seq bigint NOT NULL, blind bytea",
  log_tile: "level smallint NOT NULL, n bigint NOT NULL, hashes bytea NOT NULL",
  log_head: `only_row boolean NOT NULL, origin text, size bigint NOT NULL, done bigint NOT NULL, mark bigint NOT NULL,
    marked_at timestamp with time zone NOT NULL, writers text[] NOT NULL, checkpoint text`,
  log_key: "verifier_key text NOT NULL, used_since timestamp with time zone NOT NULL"
}

/** The sequence that numbers the records. */
export const NUMBERS = "public.answer_seq_seq"

/** Triggers that keep a table from being changed in these ways, and from being emptied. */
const kept = (table: string, refusal: string, ways = "DELETE OR UPDATE"): ReadonlyArray<string> => [
  `CREATE TRIGGER ${table}_never_changes BEFORE ${ways} ON public.${table}
    FOR EACH ROW EXECUTE FUNCTION public.${refusal}()`,
  `CREATE TRIGGER ${table}_never_emptied BEFORE TRUNCATE ON public.${table}
    FOR EACH STATEMENT EXECUTE FUNCTION public.${refusal}()`
]

/**
 * What the rows of a table must be, and what is done when one is written: word by word, with each parenthesis. Where a server
 * that restores a dump writes one otherwise, both texts stand here.
 */
export const PARTS: Readonly<Record<string, ReadonlyArray<string>>> = {
  answer: [
    "CHECK ((octet_length(answer_hash) = 32))",
    "CHECK ((octet_length(inputs_hash) = 32))",
    "CHECK (((key_id = public.account_of('reference'::text)) = (tenant = public.account_of('reference'::text))))",
    `CHECK (((recorded_at >= '1970-01-01 00:00:00+00'::timestamp with time zone)
      AND (recorded_at < '10000-01-01 00:00:00+00'::timestamp with time zone)))`,
    "CHECK ((seq > 0))",
    ...kept("answer", "answer_is_append_only")
  ],
  answer_kind: [
    "CHECK ((endpoint <> ''::text))",
    "CHECK ((((octet_length(endpoint) + octet_length(rule_version)) + octet_length(answer_prefix)) <= 1000))",
    "CHECK ((event_type = ANY (ARRAY['calc.projection.run'::text, 'calc.comparison.run'::text])))",
    "CHECK ((inputs_prefix = 'h1-'::text))",
    "CHECK ((rule_version ~ '^rl1-[0-9a-f]+$'::text))",
    "CHECK ((source = ANY (ARRAY['PublicApi'::text, 'McpServer'::text])))",
    ...kept("answer_kind", "answer_is_append_only")
  ],
  log_entry: ["CHECK ((octet_length(blind) = 16))", "CHECK ((index >= 0))", ...kept("log_entry", "log_is_append_only")],
  log_tile: [
    "CHECK ((((octet_length(hashes) >= 32) AND (octet_length(hashes) <= 8192)) AND ((octet_length(hashes) % 32) = 0)))",
    "CHECK (((octet_length(hashes) >= 32) AND (octet_length(hashes) <= 8192) AND ((octet_length(hashes) % 32) = 0)))",
    "CHECK ((level >= 0))",
    "CHECK ((n >= 0))",
    ...kept("log_tile", "log_is_append_only", "DELETE"),
    `CREATE TRIGGER log_tile_only_grows BEFORE UPDATE ON public.log_tile
      FOR EACH ROW WHEN (((old.level <> new.level) OR (old.n <> new.n)
        OR (old.hashes <> substr(new.hashes, 1, octet_length(old.hashes)))))
      EXECUTE FUNCTION public.log_is_append_only()`
  ],
  log_head: [
    "CHECK (isfinite(marked_at))",
    "CHECK (only_row)",
    "CHECK ((octet_length(origin) <= 200000))",
    "CHECK ((octet_length(checkpoint) <= 200000))",
    "CHECK (((cardinality(writers) <= 100000) AND (octet_length(array_to_string(writers, ''::text)) <= 4000000)))",
    ...kept("log_head", "log_is_append_only", "DELETE"),
    `CREATE TRIGGER log_head_only_grows BEFORE UPDATE ON public.log_head
      FOR EACH ROW WHEN (((new.size < old.size) OR (new.done < old.done) OR (new.done > public.last_answer_seq())
        OR ((new.checkpoint IS NULL) AND (old.checkpoint IS NOT NULL))
        OR ((old.origin IS NOT NULL) AND (new.origin IS DISTINCT FROM old.origin))))
      EXECUTE FUNCTION public.log_is_append_only()`
  ],
  log_key: ["CHECK ((octet_length(verifier_key) <= 4000))", ...kept("log_key", "log_is_append_only")]
}

/** The view through which others read records. */
export const VIEW = `SELECT answer.seq, answer.answer_id, answer.recorded_at, answer_kind.source, answer_kind.endpoint,
  answer_kind.event_type, answer_kind.rule_version,
  (answer_kind.inputs_prefix || encode(answer.inputs_hash, 'hex'::text)) AS inputs_hash,
  (answer_kind.answer_prefix || encode(answer.answer_hash, 'hex'::text)) AS answer_hash,
  CASE WHEN (answer.key_id = public.account_of('reference'::text)) THEN 'slr_ref'::text ELSE api_key.prefix
  END AS key_prefix,
  CASE WHEN (answer.key_id = public.account_of('reference'::text)) THEN 'reference'::text
    ELSE ('t_'::text || answer.tenant) END AS tenant,
  NULLIF(answer.key_id, public.account_of('reference'::text)) AS key_id
  FROM ((public.answer JOIN public.answer_kind ON ((answer_kind.id = answer.kind)))
  LEFT JOIN public.api_key ON ((api_key.id = answer.key_id)));`

const refusing = (name: string, text: string) => `CREATE OR REPLACE FUNCTION public.${name}()
  RETURNS trigger LANGUAGE plpgsql AS $function$ BEGIN
  RAISE EXCEPTION '${text}: % refused', TG_OP USING ERRCODE = 'insufficient_privilege'; END $function$`

/** By signature. */
export const FUNCTIONS: Readonly<Record<string, string>> = {
  "account_of(text)": `CREATE OR REPLACE FUNCTION public.account_of(tenant text)
    RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
    RETURN CASE WHEN (tenant = 'reference'::text) THEN '00000000-0000-0000-0000-000000000000'::uuid
    WHEN (tenant ~ '^t_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text) THEN (substr(tenant, 3))::uuid
    ELSE NULL::uuid END`,
  "last_answer_seq()": `CREATE OR REPLACE FUNCTION public.last_answer_seq()
    RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp'
    RETURN (SELECT (answer_seq_seq.last_value - CASE WHEN answer_seq_seq.is_called THEN 0 ELSE 1 END)
    FROM ${NUMBERS})`,
  "answer_is_append_only()": refusing("answer_is_append_only", "a recorded answer is never changed"),
  "log_is_append_only()": refusing("log_is_append_only", "the log of records only grows")
}
