/**
 * Sixteen of the largest comparisons at once, again and again: how long each takes, and how long everybody else waits
 * meanwhile. What is measured is how long the thread of the service ran between question and answer, which a busy machine
 * hardly changes.
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

/** How long the service ran until an answer had been read. */
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
  it("are each answered within a quarter of a second, and everybody else at once", {
    timeout: milliseconds(30_000)
  }, async () => {
    const key = await node.mint()
    const body = JSON.stringify(LARGEST_COMPARISON)
    const headers = { "content-type": "application/json" }
    const compare = () => timed(() => node.call("POST", "/v1/comparison", { key, body, headers }))
    const comparisons: Array<number> = []
    const health: Array<number> = []
    // The code is cold at first.
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
    const told = [comparisons, health].map((all) => [0.5, 0.99].map((share) => Math.round(shareOf(all, share))))
    report(`${AT_ONCE} largest comparisons at once: p50 and p99 ${told[0]} ms, /health meanwhile ${told[1]} ms`)
    expect(shareOf(comparisons, 0.99)).toBeLessThan(COMPARISON_MILLIS * SHARED_CACHES)
    expect(shareOf(health, 0.99)).toBeLessThan(HEALTH_MILLIS * SHARED_CACHES)
  })
})
