/** Where a run and its workers meet: a database in which others own what they would use. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { packResult, packTask, unpackResult, unpackTask } from "../../src/portfolio/cluster/chunkEntity.ts"
import { linesOfBorrowers } from "../support/borrowers.ts"
import { query, useDatabase } from "../support/database.ts"
import { saidByBoth } from "../support/meetings.ts"
import { filesOf } from "../support/repay.ts"

const database = useDatabase()
const { file, folder } = filesOf("meeting")

const MAKE_TABLE = "CREATE TABLE IF NOT EXISTS portfolio.cluster_messages ()"
const MAKE_EQUAL =
  "CREATE FUNCTION public.equal(varchar, varchar) RETURNS boolean LANGUAGE sql AS 'SELECT $1::text = $2::text'"
const equal = (role: string) =>
  `${MAKE_EQUAL}; CREATE OPERATOR portfolio.= (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = public.equal);
   ALTER OPERATOR portfolio.= (varchar, varchar) OWNER TO ${role}`

describe("a schema in which something belongs to another role", () => {
  it.each([
    ["the schema portfolio", (role: string) => `ALTER SCHEMA portfolio OWNER TO ${role}`],
    [
      "the table cluster_messages",
      (role: string) => `${MAKE_TABLE}; ALTER TABLE portfolio.cluster_messages OWNER TO ${role}`
    ],
    [
      "the sequence numbers",
      (role: string) => `CREATE SEQUENCE portfolio.numbers; ALTER SEQUENCE portfolio.numbers OWNER TO ${role}`
    ],
    [
      "the type words",
      (role: string) => `CREATE TYPE portfolio.words AS ENUM (); ALTER TYPE portfolio.words OWNER TO ${role}`
    ],
    [
      "the type lists",
      (role: string) => `CREATE DOMAIN portfolio.lists AS int[]; ALTER DOMAIN portfolio.lists OWNER TO ${role}`
    ],
    ["the operator portfolio.=(character varying,character varying)", equal]
  ])(
    "takes no borrower's data: %s",
    async (what, give) => {
      file("few.ndjson", linesOfBorrowers(3))
      const other = `other_${crypto.randomUUID().replaceAll("-", "")}`
      await query(database(), `CREATE ROLE ${other}`)
      await query(database(), "CREATE SCHEMA IF NOT EXISTS portfolio")
      for (const statement of give(other).split(/;\s+/)) await query(database(), statement)
      for (const said of await saidByBoth(folder, `${other}.csv`, database().address))
        expect(said).toContain(`${what} belongs to the role ${other}`)
      await query(database(), `DROP OWNED BY ${other} CASCADE`)
      await query(database(), `DROP ROLE ${other}`)
    },
    60_000
  )
})

describe("a schema in which something belongs to a role that comes with PostgreSQL", () => {
  it.each([
    ["table cluster_messages", "CREATE TABLE portfolio.cluster_messages ()", "TABLE portfolio.cluster_messages"],
    [
      "function portfolio.one()",
      "CREATE FUNCTION portfolio.one() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      "FUNCTION portfolio.one()"
    ]
  ])(
    "takes no borrower's data: the %s of the database's owner, also where the role is the first superuser",
    async (what, make, thing) => {
      file("few.ndjson", linesOfBorrowers(3))
      await query(database(), "DROP SCHEMA IF EXISTS portfolio CASCADE")
      await query(database(), "CREATE SCHEMA portfolio")
      await query(database(), make)
      await query(database(), `ALTER ${thing} OWNER TO pg_database_owner`)
      for (const said of await saidByBoth(folder, `${what.split(" ")[0]}.csv`, database().address))
        expect(said).toContain(`the ${what} belongs to the role pg_database_owner`)
      await query(database(), "DROP SCHEMA portfolio CASCADE")
    },
    60_000
  )
})

describe("a schema in which another role may make something", () => {
  it("takes no borrower's data: PUBLIC, or a role by its name", async () => {
    file("few.ndjson", linesOfBorrowers(3))
    const other = `other_${crypto.randomUUID().replaceAll("-", "")}`
    await query(database(), `CREATE ROLE ${other}`)
    await query(database(), "CREATE SCHEMA IF NOT EXISTS portfolio")
    for (const role of [other, "PUBLIC"]) {
      await query(database(), `GRANT USAGE, CREATE ON SCHEMA portfolio TO ${role}`)
      for (const said of await saidByBoth(folder, `${role}.csv`, database().address))
        expect(said).toContain(`${role} may make things in the schema portfolio`)
      await query(database(), `REVOKE ALL ON SCHEMA portfolio FROM ${role}`)
    }
    await query(database(), `DROP ROLE ${other}`)
  }, 60_000)
})

describe("a result", () => {
  it("is taken for what was sent and for nothing else", async () => {
    const portfolio = { baseline: "STANDARD", format: "csv", ignore: [], recordAt: null, plans: ["STANDARD"] } as const
    const of = (lines: string) => ({
      portfolio: { ...portfolio, start: { year: 2027, month: 1 } },
      chunk: {
        index: 0,
        file: "few.ndjson",
        firstRow: 1,
        lines: new TextEncoder().encode(lines),
        isTable: false,
        repeated: new Set<bigint>()
      }
    })
    const { one, other } = await Effect.runPromise(
      Effect.all({ one: packTask(of(linesOfBorrowers(1))), other: packTask(of(linesOfBorrowers(2))) })
    )
    const { key } = await Effect.runPromise(unpackTask(one.task))
    expect(key).toBe(one.key)
    const result = {
      rows: new TextEncoder().encode("é\n"),
      rejected: "",
      summary: { rows: 0 } as never,
      ids: new BigUint64Array([7n])
    }
    const packed = await Effect.runPromise(packResult(key, result))
    expect(await Effect.runPromise(unpackResult(one.key, packed))).toEqual(result)
    await expect(Effect.runPromise(unpackResult(other.key, packed))).rejects.toThrow("is not of what was sent")
  })
})
