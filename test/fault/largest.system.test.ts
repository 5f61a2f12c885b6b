/**
 * System test of sixteen of the largest comparisons at once: how long each takes, and how long
 * other calls wait. It measures CPU time of the service's main thread between request and answer,
 * which a busy machine hardly affects.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { useDatabase } from "../support/database.ts"
import { ranMillis } from "../support/procfs.ts"
import { LARGEST_COMPARISON } from "../support/requests.ts"
import { type ServiceProcess, startServiceProcess } from "../support/serviceProcess.ts"
import { pause } from "../support/until.ts"
import { milliseconds, report, SHARED_CACHES, times } from "./scale.ts"

const AT_ONCE = 16
const ROUNDS = times(4)
const COMPARISON_MILLIS = 250
const HEALTH_MILLIS = 50
const HEALTH_PAUSE_MILLIS = 5

const database = useDatabase()
let node: ServiceProcess
beforeAll(async () => {
  node = await startServiceProcess({ DATABASE_URL: database().address, SANDBOX_MONTHLY_CALLS: "1000000" })
})
afterAll(() => node.kill("SIGTERM"))

/** CPU milliseconds of the service until an answer has been read. */
const timed = async (ask: () => Promise<Response>): Promise<number> => {
  const begun = ranMillis(node.pid)
  const response = await ask()
  expect(response.status).toBe(200)
  await response.arrayBuffer()
  return ranMillis(node.pid) - begun
}

const shareOf = (millis: ReadonlyArray<number>, share: number): number =>
  millis.toSorted((first, second) => first - second)[Math.ceil(millis.length * share) - 1]!

describe(`${AT_ONCE} of the largest comparisons at once [F33]`, () => {
  it("are each answered within a quarter of a second, and do not delay other calls", {
    timeout: milliseconds(30_000)
  }, async () => {
    const key = await node.mint()
    const body = JSON.stringify(LARGEST_COMPARISON)
    const headers = { "content-type": "application/json" }
    const compare = () => timed(() => node.call("POST", "/v1/comparison", { key, body, headers }))
    const comparisons: Array<number> = []
    const health: Array<number> = []
    // Warm-up.
    for (let call = 0; call < AT_ONCE; call++) await compare()
    for (let round = 0; round < ROUNDS; round++) {
      const all = Promise.all(Array.from({ length: AT_ONCE }, compare))
      let isOver = false
      const over = all.finally(() => {
        isOver = true
      })
      while (!isOver) {
        health.push(await timed(() => node.call("GET", "/health")))
        await pause(HEALTH_PAUSE_MILLIS)
      }
      comparisons.push(...(await over))
    }
    const percentiles = [comparisons, health].map((all) => [0.5, 0.99].map((share) => Math.round(shareOf(all, share))))
    report(
      `${AT_ONCE} largest comparisons at once: p50 and p99 ${percentiles[0]} ms, /health meanwhile ${percentiles[1]} ms`
    )
    expect(shareOf(comparisons, 0.99)).toBeLessThan(COMPARISON_MILLIS * SHARED_CACHES)
    expect(shareOf(health, 0.99)).toBeLessThan(HEALTH_MILLIS * SHARED_CACHES)
  })
})
