/** The database shared by a run and its workers: a foreign schema, and results of other tasks. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { packResult, packTask, unpackResult, unpackTask } from "../../src/portfolio/compute/cluster/chunkEntity.ts"
import { linesOfBorrowers } from "../support/borrowers.ts"
import { query, useDatabase } from "../support/database.ts"
import { outputsOfBoth } from "../support/meetings.ts"
import { filesOf } from "../support/repay.ts"

const database = useDatabase()
const { file, folder } = filesOf("meeting")

const OTHER = "owner_of_another_meeting"

describe("a schema that belongs to another role", () => {
  it.each([OTHER, "pg_database_owner"])(
    "gets no borrower's data, even if our role is the first superuser: %s",
    async (role) => {
      file("few.ndjson", linesOfBorrowers(3))
      if (role === OTHER) await query(database(), `CREATE ROLE ${role}`)
      await query(database(), `CREATE SCHEMA portfolio AUTHORIZATION ${role}`)
      for (const output of await outputsOfBoth(folder, `${role}.csv`, database().address))
        expect(output).toContain(`the schema portfolio belongs to the role ${role}`)
      await query(database(), "DROP SCHEMA portfolio")
      if (role === OTHER) await query(database(), `DROP ROLE ${role}`)
    },
    60_000
  )
})

describe("a result", () => {
  it("is accepted only for the task that was sent", async () => {
    const portfolio = {
      baseline: "STANDARD",
      format: "csv",
      ignore: [],
      carry: [],
      recordAt: null,
      plans: ["STANDARD"]
    } as const
    const taskOf = (lines: string) => ({
      portfolio: { ...portfolio, start: { year: 2027, month: 1 } },
      chunk: {
        index: 0,
        file: "few.ndjson",
        firstRow: 1,
        lines: new TextEncoder().encode(lines),
        isTable: false,
        duplicateIds: new Set<bigint>()
      }
    })
    const { one, other } = await Effect.runPromise(
      Effect.all({ one: packTask(taskOf(linesOfBorrowers(1))), other: packTask(taskOf(linesOfBorrowers(2))) })
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
    await expect(Effect.runPromise(unpackResult(other.key, packed))).rejects.toThrow("the result of another chunk")
  })
})
