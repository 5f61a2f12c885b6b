/**
 * The embedded database killed under load while the service lives on: callers are told to come back, lose nothing,
 * and are answered again within seconds by the same process.
 */
import { afterAll, describe, expect, it } from "vitest"
import { accountOf, useDataFolder } from "../support/database.ts"
import { type ServiceProcess, searchedLogs, startServiceProcess } from "../support/serviceProcess.ts"
import { pause, until } from "../support/until.ts"
import { startLoad, unverified } from "./load.ts"
import { milliseconds, report, times } from "./scale.ts"

/** 32 of them in a long run. */
const CALLERS = Math.min(32, times(6))
const KILLS = times(4)
const RECOVERY_MILLIS = 5000
/** A crash, and PostgreSQL's own immediate stop, which leaves the log to be replayed as a crash does. */
const SIGNALS = ["SIGKILL", "SIGQUIT"] as const

const { database, dataDir, postmaster } = useDataFolder()

let node: ServiceProcess
afterAll(() => node.kill("SIGTERM"))

describe(`${KILLS} ends of the database under ${CALLERS} callers [F2]`, () => {
  it(
    "lose no answer, and are over within five seconds without a restart of the service",
    async () => {
      node = await startServiceProcess({ DATA_DIR: dataDir, SANDBOX_MONTHLY_CALLS: "1000000" })
      const key = await node.mint()
      const load = startLoad(CALLERS, () => node, key)
      let inFlight = 0
      let longest = 0
      for (let kill = 0; kill < KILLS; kill++) {
        const before = load.told.ids.length
        await until(() => load.told.ids.length > before)
        await pause(Math.random() * 300)
        inFlight += load.told.inFlight
        process.kill(postmaster(), SIGNALS[kill % SIGNALS.length])
        const begun = performance.now()
        // Answers on their way when the signal was sent are not the recovery.
        const refusedBefore = load.told.refused
        await until(() => load.told.refused > refusedBefore)
        expect((await node.call("GET", "/health")).status).toBe(200)
        const downAt = performance.now()
        // Nor is one of a request from before: its record may have been written just in time.
        await until(() => load.told.askedAt > downAt)
        longest = Math.max(longest, load.told.answeredAt - begun)
      }
      await load.stop()
      const { rows, used } = await accountOf(database, key)
      const { ids, refused, unanswered } = load.told
      report(
        `database ends ${KILLS}: answers ${ids.length}, rows ${rows}, in flight ${inFlight}, 503 ${refused}, ` +
          `unanswered ${unanswered}, longest recovery ${Math.round(longest)} ms`
      )
      expect(node.isRunning()).toBe(true)
      expect(unanswered).toBe(0)
      expect(await unverified(node, ids)).toEqual([])
      expect(rows).toBe(used)
      expect(rows - ids.length).toBeLessThanOrEqual(inFlight)
      expect(rows).toBeGreaterThanOrEqual(ids.length)
      expect(longest).toBeLessThan(RECOVERY_MILLIS)
    },
    milliseconds(60_000)
  )

  it("leave no key, address or figure in the logs [F50]", () => expect(searchedLogs().leaked).toEqual([]))
})
