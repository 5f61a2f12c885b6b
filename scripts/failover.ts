/**
 * `npm run failover`: a service on a primary and its synchronous standby, with 32 callers. Again and again the primary is
 * killed, the standby promoted, and a new standby built from it. Every answer that was given must be there at the end,
 * nobody may have been told anything but 200 and 503, the service goes on as it was started, and its log is whole; and
 * while the standby alone is away nobody may be answered. Needs PostgreSQL 15 as Debian installs it; PROMOTIONS says how
 * often, 20 by default.
 */
import { execFile } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { freePort } from "../test/support/freePort.ts"
import { NO_LIMITS } from "../test/support/settings.ts"
import { mintKeys, missingOf, startCallers } from "./failover/callers.ts"
import { ask, kill, newPrimary, newStandby, promote, type Server } from "./failover/servers.ts"
import { PROJECT, startService } from "./programs.ts"

const PROMOTIONS = Number(process.env["PROMOTIONS"] ?? 20)
/** Of calls between two promotions. */
const CALM_MILLIS = 5000
/** For the answers under way when the standby goes away, and how long nobody may be answered then. */
const LAST_ANSWERS_MILLIS = 500
const ALONE_MILLIS = 5000
/** For the log to take in all records, which it does within seconds once the database is back. */
const LOG_MILLIS = 60_000
const MOST_WORDS_SHOWN = 20_000

const home = mkdtempSync(join(tmpdir(), "repayment-failover-"))
chmodSync(home, 0o755)
const ports = [await freePort(), await freePort()] as const
const environment = {
  DATABASE_URL: `postgres://postgres@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/postgres?target_session_attrs=read-write`,
  SECRET_PEPPER: "a pepper for the failover that is long enough",
  LOG_SIGNING_KEY: "0123456789abcdef".repeat(4)
}

/** Waits until the log has every record, then holds all of it against them and against what it was before. */
const auditLog = async (primary: Server, kept: string): Promise<void> => {
  const late = performance.now() + LOG_MILLIS
  for (;;) {
    const [row] = await ask<{ readonly left: number }>(
      primary.port,
      "SELECT ((SELECT count(*) FROM answer) - (SELECT count(*) FROM log_entry))::int AS left"
    )
    if (row!.left === 0) break
    if (performance.now() > late) throw new Error(`${row!.left} records never came into the log`)
    await setTimeout(100)
  }
  const args = ["src/cli/main.ts", "audit", "--checkpoint", kept]
  await promisify(execFile)(process.execPath, args, { cwd: PROJECT, env: { ...process.env, ...environment } })
}

let primary = await newPrimary(home, ports[0])
let standby = await newStandby(home, ports[1], primary)
/** What the service has said, told where something is wrong. */
let said = ""
const service = await startService({ ...NO_LIMITS, ...environment, SANDBOX_MONTHLY_CALLS: "1000000000" }, (words) => {
  said = `${said}${words}`.slice(-MOST_WORDS_SHOWN)
})
const problems: Array<string> = []
try {
  const callers = startCallers(service.base, await mintKeys(service.base))
  await callers.answered()
  await setTimeout(CALM_MILLIS)
  const kept = join(home, "checkpoint")
  writeFileSync(kept, await (await fetch(`${service.base}/log/checkpoint`)).text())
  for (let done = 1; done <= PROMOTIONS; done++) {
    await setTimeout(CALM_MILLIS)
    const lost = primary
    await kill(lost)
    const killed = performance.now()
    await promote(standby)
    primary = standby
    standby = await newStandby(home, lost.port, primary)
    await callers.answered()
    const seconds = ((performance.now() - killed) / 1000).toFixed(1)
    console.log(`promotion ${done}: answers again after ${seconds} s; ${callers.answerIds.length} answers so far`)
  }
  console.log(`longest outage: ${callers.longestOutage().toFixed(1)} s`)
  await kill(standby)
  await setTimeout(LAST_ANSWERS_MILLIS)
  const before = callers.answerIds.length
  await setTimeout(ALONE_MILLIS)
  const unreplicated = callers.answerIds.length - before
  if (unreplicated > 0) problems.push(`${unreplicated} answers were given that no standby had`)
  standby = await newStandby(home, standby.port, primary)
  await callers.answered()
  await callers.stop()
  for (const [told, times] of callers.refusals) {
    console.log(`told ${told}: ${times} times`)
    if (told !== "503") problems.push(`a caller was told ${told}`)
  }
  const missing = await missingOf(service.base, callers.answerIds)
  if (missing.length > 0) problems.push(`${missing.length} answers are missing: ${missing.slice(0, 5).join(", ")}`)
  await auditLog(primary, kept)
  process.kill(service.pid, 0)
  console.log(`${callers.answerIds.length} answers, ${missing.length} missing; the log audits clean`)
} catch (cause) {
  problems.push(String(cause))
} finally {
  await service.stop()
  await kill(standby)
  await kill(primary)
  rmSync(home, { recursive: true, force: true })
}
for (const problem of problems) console.error(problem)
if (problems.length > 0) console.error(said)
process.exitCode = problems.length === 0 ? 0 : 1
