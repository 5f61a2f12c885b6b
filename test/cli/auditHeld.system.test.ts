/** `repay audit` while somebody holds a table of the log: it says who, for nobody can read it until he lets go. */
import { Effect, Layer } from "effect"
import { beforeAll, expect, it } from "vitest"
import { Sequencer } from "../../src/services/log/Sequencer.ts"
import { holdTransaction, query, useDatabase } from "../support/database.ts"
import { record, sequenceAll } from "../support/logs.ts"
import { repay } from "../support/repay.ts"
import { servicesOn } from "../support/services.ts"
import { TEST_PEPPER, TEST_SERVER, TEST_SIGNING_KEY } from "../support/settings.ts"

const database = useDatabase()

beforeAll(() =>
  Effect.andThen(record(1), sequenceAll).pipe(
    Effect.provide(Sequencer.layer.pipe(Layer.provideMerge(servicesOn(database().url)))),
    Effect.runPromise
  )
)

const audited = () =>
  repay(["audit"], {
    env: {
      ...TEST_SERVER,
      DATABASE_URL: database().address,
      SECRET_PEPPER: TEST_PEPPER,
      LOG_SIGNING_KEY: TEST_SIGNING_KEY
    }
  })

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1)

it.each([["log_head"], ["log_tile"], ["answer"]])(
  "ends with 3 and names the process that holds %s [F71]",
  async (table) => {
    const held = await holdTransaction(database(), `LOCK TABLE ${table}`)
    const [holder] = await query<{ readonly pid: number }>(
      database(),
      `SELECT pid FROM pg_locks WHERE relation = '${table}'::regclass AND mode = 'AccessExclusiveLock'`
    )
    const ended = await audited()
    await held.release()
    expect([ended.code, ended.stdout, lastLine(ended.stderr)]).toEqual([
      3,
      "",
      `Another session (process ${holder!.pid}) holds the table ${table}, and nothing can be audited until it lets go: see pg_stat_activity and pg_locks.`
    ])
    expect((await audited()).code).toBe(0)
  }
)
