/**
 * System tests of the embedded database killed under load while the service runs on. Callers get
 * 503 and lose no answer, and the same process answers again within seconds.
 */
import { afterAll, describe, expect, it } from "vitest"
import { accountOf, useDataFolder } from "../support/database.ts"
import { type ServiceProcess, searchedLogs, startServiceProcess } from "../support/serviceProcess.ts"
import { pause, until } from "../support/until.ts"
import { startLoad, unverified } from "./load.ts"
import { milliseconds, report, times } from "./scale.ts"

/** Up to 32 in a long run. */
const CALLERS = Math.min(32, times(6))
const KILLS = times(4)
const RECOVERY_MILLIS = 5000
/** A crash, and an immediate shutdown, which also requires recovery from the log. */
const SIGNALS = ["SIGKILL", "SIGQUIT"] as const

const { database, dataDir, postmaster } = useDataFolder()

let node: ServiceProcess
afterAll(() => node.kill("SIGTERM"))

describe(`${KILLS} crashes of the database under ${CALLERS} callers [F2]`, () => {
  it(
    "lose no answer, and the service answers again within five seconds without a restart",
    async () => {
      node = await startServiceProcess({ DATA_DIR: dataDir, SANDBOX_MONTHLY_CALLS: "1000000" })
      const key = await node.mint()
      const load = startLoad(CALLERS, () => node, key)
      let inFlight = 0
      let longestMillis = 0
      for (let kill = 0; kill < KILLS; kill++) {
        const before = load.outcomes.ids.length
        await until(() => load.outcomes.ids.length > before)
        await pause(Math.random() * 300)
        inFlight += load.outcomes.inFlight
        process.kill(postmaster(), SIGNALS[kill % SIGNALS.length])
        const begun = performance.now()
        // Answers that were in flight at the signal do not count as recovery.
        const refusedBefore = load.outcomes.refused
        await until(() => load.outcomes.refused > refusedBefore)
        expect((await node.call("GET", "/health")).status).toBe(200)
        const downAt = performance.now()
        // An answer to an earlier request does not count either: its record may be older.
        await until(() => load.outcomes.askedAt > downAt)
        longestMillis = Math.max(longestMillis, load.outcomes.answeredAt - begun)
      }
      await load.stop()
      const { rows, used } = await accountOf(database, key)
      const { ids, refused, unanswered } = load.outcomes
      report(
        `database ends ${KILLS}: answers ${ids.length}, rows ${rows}, in flight ${inFlight}, 503 ${refused}, ` +
          `unanswered ${unanswered}, longest recovery ${Math.round(longestMillis)} ms`
      )
      expect(node.isRunning()).toBe(true)
      expect(unanswered).toBe(0)
      expect(await unverified(node, ids)).toEqual([])
      expect(rows).toBe(used)
      expect(rows - ids.length).toBeLessThanOrEqual(inFlight)
      expect(rows).toBeGreaterThanOrEqual(ids.length)
      expect(longestMillis).toBeLessThan(RECOVERY_MILLIS)
    },
    milliseconds(60_000)
  )

  it("leave no key, email address or dollar amount in the logs [F50]", () => expect(searchedLogs().leaked).toEqual([]))
})
