/**
 * Whether the database has the tables of records and log, and what they consist of, as the service has made them: else it
 * might show other rows to whoever asks it otherwise, or run somebody's code where it is asked. Looks at the server's own
 * catalogs, which are believed, and at no table. What stands in the tables is asked elsewhere.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { ledgerCall } from "../ledgerUnavailable.ts"
import { damaged } from "./findings.ts"
import { FUNCTIONS, NUMBERS, PARTS, TABLES, UNIQUE, type Unique, VIEW } from "./made.ts"

const inOneLine = (text: string | null): string => (text ?? "").replaceAll(/\s+/g, " ").trim()

const namesIn = (names: Readonly<Record<string, unknown>>) => Object.keys(names)

/** A condition holds for what is written from now on, whether or not all that was there was held against it. */
const partOf = (text: string): string => inOneLine(text).replace(/ NOT VALID$/, "")

/** Tables that have all of their rows and no others, and show them to everybody. */
const plainTables = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const found = yield* sql<{ readonly name: string; readonly columns: string | null; readonly wrong: string | null }>`
    SELECT name, (
        SELECT string_agg(concat(attname, ' ', format_type(atttypid, atttypmod),
          CASE WHEN attnotnull THEN ' NOT NULL' END,
          CASE WHEN attidentity <> '' THEN ' IDENTITY' END,
          CASE WHEN attgenerated <> '' THEN ' GENERATED' END,
          CASE WHEN attcollation <> typcollation THEN ' COLLATE' END), ', ' ORDER BY attnum)
        FROM pg_attribute JOIN pg_type ON pg_type.oid = atttypid
        WHERE attrelid = relation.oid AND attnum > 0 AND NOT attisdropped
      ) AS columns, CASE
        WHEN relkind <> 'r' THEN 'is no table'
        WHEN relpersistence <> 'p' THEN 'is lost in a crash'
        WHEN relrowsecurity OR EXISTS (SELECT FROM pg_policy WHERE polrelid = relation.oid) THEN 'may hide rows by a policy'
        WHEN EXISTS (SELECT FROM pg_rewrite WHERE ev_class = relation.oid) THEN 'has a rule'
        WHEN EXISTS (SELECT FROM pg_inherits WHERE relation.oid IN (inhparent, inhrelid)) THEN 'has rows of other tables'
      END AS wrong
    FROM unnest(${namesIn(TABLES)}::text[]) AS name
    LEFT JOIN pg_class AS relation ON relation.oid = to_regclass('public.' || name)`.pipe(ledgerCall("audit tables"))
  const saidOf = ({ columns, name, wrong }: (typeof found)[number]) => {
    const isMade = columns !== null && columns === inOneLine(TABLES[name] ?? columns)
    return wrong ?? (isMade ? null : "has not the columns that it was made with")
  }
  const changed = found.find((table) => saidOf(table) !== null)
  return changed === undefined ? null : damaged(`the table ${changed.name} ${saidOf(changed)}`)
})

interface Part {
  readonly name: string
  readonly part: string
}

/**
 * What the planner or a writer runs: constraints, triggers, indexes of some rows or of what is made of a column, and
 * statistics of that. The table of keys has its own, and the log does not read it.
 */
const partsOf = (sql: SqlClient.SqlClient) =>
  sql<Part>`
    WITH relation AS (
      SELECT name, to_regclass('public.' || name)::oid AS id
      FROM unnest(${namesIn(PARTS)}::text[]) AS name
    )
    SELECT name, pg_get_constraintdef(oid) AS part FROM relation JOIN pg_constraint ON conrelid = id
    WHERE contype NOT IN ('p', 'u', 'n')
    UNION ALL
    SELECT name, concat(CASE WHEN tgenabled <> 'O' THEN 'changed: ' END, pg_get_triggerdef(oid))
    FROM relation JOIN pg_trigger ON tgrelid = id WHERE NOT tgisinternal
    UNION ALL
    SELECT name, pg_get_indexdef(indexrelid) FROM relation JOIN pg_index ON indrelid = id
    WHERE indpred IS NOT NULL OR indexprs IS NOT NULL
    UNION ALL
    SELECT name, pg_get_statisticsobjdef(oid) FROM relation JOIN pg_statistic_ext ON stxrelid = id
    WHERE stxexprs IS NOT NULL`.pipe(ledgerCall("audit parts"))

/** One that the migrations did not make. */
const addedParts = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const isMade = ({ name, part }: Part) => PARTS[name]!.some((made) => partOf(made) === partOf(part))
  const added = (yield* partsOf(sql)).find((one) => !isMade(one))
  return added === undefined ? null : damaged(`the table ${added.name} was not made with: ${inOneLine(added.part)}`)
})

/** A trigger that keeps what was written, and is gone. What keeps nothing wrong from being written may be. */
export const missingTriggers = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const found = yield* partsOf(sql)
  const isThere = (table: string, made: string) =>
    found.some(({ name, part }) => name === table && partOf(part) === partOf(made))
  for (const [table, parts] of Object.entries(PARTS)) {
    const gone = parts.find((part) => part.startsWith("CREATE TRIGGER") && !isThere(table, part))
    if (gone !== undefined) return damaged(`the table ${table} has no longer: ${inOneLine(gone)}`)
  }
  return null
})

const viewOfRecords = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [view] = yield* sql<{ readonly definition: string; readonly rules: number }>`
    SELECT pg_get_viewdef(oid) AS definition, (SELECT count(*)::int FROM pg_rewrite WHERE ev_class = view.oid) AS rules
    FROM pg_class AS view WHERE oid = to_regclass('public.recorded_answer') AND relkind = 'v'`.pipe(
    ledgerCall("audit view")
  )
  return view?.rules === 1 && inOneLine(view.definition) === inOneLine(VIEW)
    ? null
    : damaged(
        "the view recorded_answer, through which every record is read, does not show the tables as it was made to"
      )
})

const functions = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const found = yield* sql<{ readonly name: string; readonly definition: string | null }>`
    SELECT name, pg_get_functiondef(to_regprocedure('public.' || name)) AS definition
    FROM unnest(${namesIn(FUNCTIONS)}::text[]) AS name`.pipe(ledgerCall("audit functions"))
  const changed = found.find(({ definition, name }) => inOneLine(definition) !== inOneLine(FUNCTIONS[name]!))
  return changed === undefined ? null : damaged(`the function ${changed.name} is not what it was made to be`)
})

/** Records have their numbers from one sequence, which nobody else draws from. */
const numbers = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const owned = yield* sql`
    SELECT FROM pg_depend JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
    WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass AND deptype = 'i'
      AND objid = to_regclass(${NUMBERS}) AND refobjid = to_regclass('public.answer') AND attname = 'seq'`.pipe(
    ledgerCall("audit numbers")
  )
  return owned.length === 1 ? null : damaged("records do not have their numbers from the sequence of their table")
})

/** The first of all that is not as it was made. */
export const changedStructure = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  for (const ask of [plainTables, addedParts, viewOfRecords, functions, numbers]) {
    const found = yield* ask(sql)
    if (found !== null) return found
  }
  return null
})

/** An index that is unique, whole, in use, and of these columns and all rows. */
export const uniqueIndexes = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const found = yield* sql<Unique>`
    SELECT relname AS table, (
        SELECT string_agg(attname, ', ' ORDER BY place)
        FROM unnest(indkey::int2[]) WITH ORDINALITY AS part (attnum, place)
        JOIN pg_attribute USING (attnum) WHERE attrelid = indrelid AND place <= indnkeyatts
      ) AS columns
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE indrelid IN (SELECT to_regclass('public.' || name) FROM unnest(${UNIQUE.map(({ table }) => table)}::text[]) AS name)
      AND indisunique AND indisvalid AND indisready AND indislive AND indpred IS NULL AND indexprs IS NULL`.pipe(
    ledgerCall("audit indexes")
  )
  const gone = UNIQUE.find((one) => !found.some((index) => index.table === one.table && index.columns === one.columns))
  return gone === undefined ? null : damaged(`no unique index over ${gone.columns} of ${gone.table} is there and valid`)
})
