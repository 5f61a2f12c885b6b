/**
 * The `failover` task: kills the database primary of a service and promotes its synchronous
 * standby, PROMOTIONS times (20 by default), while 32 callers keep calling. No answer may be lost,
 * callers may receive only 200 and 503, and no call may be answered without a standby. Needs
 * PostgreSQL 15 as Debian installs it.
 */
import { callerOf } from "../test/support/calls.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import { pause } from "../test/support/until.ts"
import { mintKeys, missingOf, startCallers } from "./failover/callers.ts"
import { startPair } from "./failover/pair.ts"
import { insist, say, secondsSince, service, step } from "./harness.ts"

const PROMOTIONS = Number(process.env["PROMOTIONS"] ?? 20)
/** Duration of normal traffic between two promotions. */
const CALM_MILLIS = 5000
/**
 * Time for answers in flight when the standby stops, and then the time in which none may arrive.
 */
const LAST_ANSWERS_MILLIS = 500
const ALONE_MILLIS = 5000

export default async () => {
  const pair = await startPair("failover")
  const settings = { ...pair.environment, ...NO_LIMITS, SANDBOX_MONTHLY_CALLS: "1000000000" }
  const { base, isRunning, log } = await service(settings)

  const call = callerOf(base)
  const callers = startCallers(call, await mintKeys(call))
  await callers.answered()
  await pause(CALM_MILLIS)
  const kept = await (await call("GET", "/log/checkpoint")).text()
  for (let done = 1; done <= PROMOTIONS; done++) {
    await step(`promotion ${done}`, async () => {
      await pause(CALM_MILLIS)
      const begun = performance.now()
      await pair.failOver()
      await callers.answered()
      return `answers again after ${secondsSince(begun)}; ${callers.answerIds.length} answers so far`
    })
  }
  say(`longest outage: ${callers.longestOutage().toFixed(1)} s`)
  await step("no call is answered while no standby can store the answer", async () => {
    await pair.destroyStandby()
    await pause(LAST_ANSWERS_MILLIS)
    const before = callers.answerIds.length
    await pause(ALONE_MILLIS)
    const unreplicated = callers.answerIds.length - before
    await pair.replaceStandby()
    await callers.answered()
    insist(unreplicated === 0, `${unreplicated} answers were given that no standby had`)
  })
  await callers.stop()
  await step("callers received only 200 or 503", () => {
    const statuses = [...callers.refusals].map(([what, times]) => `${what}: ${times} times`).join(", ")
    insist(
      [...callers.refusals.keys()].every((what) => what === "503"),
      statuses
    )
    return statuses
  })
  await step("every answer verifies", async () => {
    const missing = await missingOf(call, callers.answerIds)
    insist(missing.length === 0, `${missing.length} are missing: ${missing.slice(0, 5).join(", ")}`)
    insist(isRunning(), "the service has ended")
    return `${callers.answerIds.length} answers`
  })
  await step("the log contains every record and its audit finds nothing", () => pair.auditLog(kept))
  say(log())
}
