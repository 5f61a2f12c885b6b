/**
 * The `failover` task: kills the database primary of a service and promotes its synchronous
 * standby, PROMOTIONS times (20 by default), while 32 callers keep calling. No answer may be lost,
 * callers may receive only 200 and 503, and no call may be answered without a standby. Needs
 * PostgreSQL 15 as Debian installs it.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { callerOf } from "../test/support/calls.ts"
import { freePort } from "../test/support/freePort.ts"
import { NO_LIMITS, TEST_PEPPER, TEST_SIGNING_KEY } from "../test/support/settings.ts"
import { pause, until } from "../test/support/until.ts"
import { mintKeys, missingOf, startCallers } from "./failover/callers.ts"
import { insist, run, say, secondsSince, service, step } from "./harness.ts"
import { clustersFolder, makeCluster, psql, type Server, serversFolder, startServer, untilTrue } from "./postgres.ts"

const PROMOTIONS = Number(process.env["PROMOTIONS"] ?? 20)
/** Duration of normal traffic between two promotions. */
const CALM_MILLIS = 5000
/**
 * Time for answers in flight when the standby stops, and then the time in which none may arrive.
 */
const LAST_ANSWERS_MILLIS = 500
const ALONE_MILLIS = 5000
/** Generous: the log includes all records within seconds once the database is back. */
const LOG_SECONDS = 60

/** A commit waits until some standby has flushed it to disk. */
const SETTINGS = ["synchronous_standby_names=*", "synchronous_commit=on", "shared_buffers=32MB"]

const UNLOGGED_RECORDS = "((SELECT count(*) FROM answer) - (SELECT count(*) FROM log_entry))"

export default async () => {
  const home = clustersFolder("failover")
  const ports = [await freePort(), await freePort()] as const
  let clusters = 0
  const start = async (port: number, ready: string, primary?: Server) => {
    const folder = serversFolder(join(home, String(++clusters)))
    await makeCluster(folder, primary)
    return startServer(folder, port, { ready, settings: SETTINGS })
  }
  /** A streaming copy of the primary; returns once it is synchronous. */
  const newStandby = async (port: number, primary: Server) => {
    const started = await start(port, "pg_is_in_recovery()", primary)
    await untilTrue(primary.administrators, "EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')")
    return started
  }

  const hosts = ports.map((port) => `127.0.0.1:${port}`).join()
  const environment = {
    DATABASE_URL: `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`,
    SECRET_PEPPER: TEST_PEPPER,
    LOG_SIGNING_KEY: TEST_SIGNING_KEY
  }
  let primary = await start(ports[0], "true")
  let standby = await newStandby(ports[1], primary)
  const { base, isRunning, log } = await service({ ...environment, ...NO_LIMITS, SANDBOX_MONTHLY_CALLS: "1000000000" })

  const call = callerOf(base)
  const callers = startCallers(call, await mintKeys(call))
  await callers.answered()
  await pause(CALM_MILLIS)
  const kept = join(home, "checkpoint")
  writeFileSync(kept, await (await call("GET", "/log/checkpoint")).text())
  for (let done = 1; done <= PROMOTIONS; done++) {
    await step(`promotion ${done}`, async () => {
      await pause(CALM_MILLIS)
      const lost = primary
      await lost.destroy()
      const killed = performance.now()
      await psql(standby.administrators, "--command=SELECT pg_promote()")
      await untilTrue(standby.administrators, "NOT pg_is_in_recovery()")
      primary = standby
      standby = await newStandby(lost.port, primary)
      await callers.answered()
      return `answers again after ${secondsSince(killed)}; ${callers.answerIds.length} answers so far`
    })
  }
  say(`longest outage: ${callers.longestOutage().toFixed(1)} s`)
  await step("no call is answered while no standby can store the answer", async () => {
    await standby.destroy()
    await pause(LAST_ANSWERS_MILLIS)
    const before = callers.answerIds.length
    await pause(ALONE_MILLIS)
    const unreplicated = callers.answerIds.length - before
    standby = await newStandby(standby.port, primary)
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
  await step("the log contains every record and its audit finds nothing", async () => {
    await until(
      async () => (await psql(primary.administrators, `--command=SELECT ${UNLOGGED_RECORDS}`)) === "0",
      LOG_SECONDS
    )
    await run([process.execPath, "src/cli/main.ts", "audit", "--checkpoint", kept], { env: environment })
  })
  say(log())
}
