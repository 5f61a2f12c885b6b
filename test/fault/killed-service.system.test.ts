/**
 * System tests of the service killed under load repeatedly, alone or with its database: no answer
 * that a caller holds is lost, and there are no extra records.
 */
import { afterAll, describe, expect, it } from "vitest"
import { openCheckpoint } from "../../src/proof/checkpoint.ts"
import { openTiles, TILE_WIDTH, tilePath } from "../../src/services/log/tiles.ts"
import { accountOf, query, useDataFolder } from "../support/database.ts"
import { delayedMillis } from "../support/procfs.ts"
import { type ServiceProcess, searchedLogs, startServiceProcess } from "../support/serviceProcess.ts"
import { pause, until } from "../support/until.ts"
import { startLoad, unverified } from "./load.ts"
import { milliseconds, report, times } from "./scale.ts"

/** Up to 32 in a long run. */
const CALLERS = Math.min(32, times(6))
const KILLS = times(5)
/** Limit from process start to first answer, without the time spent waiting for a CPU. */
const FIRST_ANSWER_MILLIS = 3000
const SLOWEST_START_MILLIS = 10_000
const LONGEST_LIFE_MILLIS = 500

const { database, dataDir, postmaster } = useDataFolder()
const start = async () => startServiceProcess({ DATA_DIR: dataDir, SANDBOX_MONTHLY_CALLS: "1000000" })

let node: ServiceProcess
afterAll(() => node.kill("SIGTERM"))

describe(`${KILLS} kills of the service under ${CALLERS} callers, every second one with the database [F1]`, () => {
  it(
    "lose no answer, add no extra record, and the service answers again within three seconds",
    async () => {
      node = await start()
      const key = await node.mint()
      const load = startLoad(CALLERS, () => node, key)
      let inFlight = 0
      const starts: Array<{ readonly wall: number; readonly own: number }> = []
      for (let kill = 0; kill < KILLS; kill++) {
        const before = load.outcomes.ids.length
        await until(() => load.outcomes.ids.length > before)
        await pause(Math.random() * LONGEST_LIFE_MILLIS)
        inFlight += load.outcomes.inFlight
        if (kill % 2 === 1) process.kill(postmaster(), "SIGKILL")
        await node.kill("SIGKILL")
        const begun = performance.now()
        node = await start()
        await until(() => load.outcomes.answeredAt > begun)
        const delayed = delayedMillis(node.pid) + delayedMillis(postmaster())
        starts.push({ wall: load.outcomes.answeredAt - begun, own: load.outcomes.answeredAt - begun - delayed })
      }
      await load.stop()
      const own = starts.map((start) => start.own).sort((first, second) => first - second)
      const { rows, used } = await accountOf(database, key)
      const { ids, refused, unanswered } = load.outcomes
      report(
        `kills ${KILLS}: answers ${ids.length}, rows ${rows}, in flight at kills ${inFlight}, 503 ${refused}, ` +
          `unanswered ${unanswered}, start to first answer ${starts.map(({ own, wall }) => `${Math.round(own)} (${Math.round(wall)})`).join(" ")} ms`
      )
      expect(await unverified(node, ids)).toEqual([])
      expect(new Set(ids).size).toBe(ids.length)
      expect(rows).toBe(used)
      expect(rows - ids.length).toBeLessThanOrEqual(inFlight)
      expect(rows).toBeGreaterThanOrEqual(ids.length)
      expect(own[Math.floor(own.length / 2)]).toBeLessThan(FIRST_ANSWER_MILLIS)
      expect(own.at(-1)).toBeLessThan(SLOWEST_START_MILLIS)
    },
    milliseconds(60_000)
  )

  it("leave a log with one entry per record, whose tiles match its checkpoint [F25]", async () => {
    const whole = `SELECT FROM log_head WHERE size = (SELECT count(*) FROM answer)
      AND size = (SELECT count(*) FROM log_entry JOIN answer USING (seq)) AND size - 1 = (SELECT max(index) FROM log_entry)`
    await until(async () => (await query(database, whole)).length === 1)
    const served = async (path: string) => node.call("GET", `/log/${path}`)
    const keys = (await (await served("key")).text()).trim().split("\n")
    const tree = await openCheckpoint(await (await served("checkpoint")).text(), keys)
    const hashAt = await openTiles(
      tree,
      async (tile) => new Uint8Array(await (await served(tilePath(tile))).arrayBuffer())
    )
    for (let index = 0; index < tree.size; index += TILE_WIDTH) await hashAt(0, index)
    report(`kills ${KILLS}: ${tree.size} entries of the log`)
    expect(tree.size).toBeGreaterThan(0)
  })

  it("leave no key, email address or dollar amount in the logs [F50]", () => expect(searchedLogs().leaked).toEqual([]))
})
