/**
 * The `soak` task: a service under fifty mixed requests a second, with a row of measurements each
 * minute. With `--processes`, callers take turns between so many processes on one database. With
 * `--witnesses`, so many witnesses cosign the log each second. With `--standby`, the database's
 * primary is killed and its standby promoted halfway; this needs PostgreSQL 15 as Debian installs
 * it.
 *
 * It fails if a measurement grows by more than soak/trend.ts allows, or a process keeps connections
 * or handles after traffic has stopped. It also fails for an unexpected answer, or a missing record
 * or cosignature. Delays while this machine was busy, and refusals while the database could not commit
 * (soak/stalls.ts), are reported but not checked.
 */
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import { callerOf, mintOver } from "../test/support/calls.ts"
import { freePort } from "../test/support/freePort.ts"
import { delayedMillis, openFiles } from "../test/support/procfs.ts"
import { scrape } from "../test/support/scrape.ts"
import { NO_LIMITS, TEST_PEPPER, TEST_SIGNING_KEY } from "../test/support/settings.ts"
import { until } from "../test/support/until.ts"
import { startWitness } from "../test/support/witness.ts"
import { startPair } from "./failover/pair.ts"
import { atEnd, insist, Misuse, say, service, step } from "./harness.ts"
import { inDatabase } from "./postgres.ts"
import { watchCommits } from "./soak/stalls.ts"
import { startTraffic } from "./soak/traffic.ts"
import { MEASURES, type Measure, medianOf, type Sample, trendsOf } from "./soak/trend.ts"

const PER_SECOND = 50
const KEYS = 16
const SAMPLE_SECONDS = 10
const PER_MINUTE = 60 / SAMPLE_SECONDS
const MAX_MINUTES = 24 * 60
/** If the process waits for a CPU for a larger share of its time, its delays do not count. */
const MAX_CPU_WAIT_SHARE = 0.1
/**
 * Time for idle connections to close: the callers' after a minute, those to the database after one
 * or two, because their pool looks each minute for those that were idle for one.
 */
const QUIET_SECONDS = 150
const MAX_WITNESSES = 32
const MAX_PROCESSES = 8
/** Callers may get 503 until the promoted standby has a standby of its own; at most this long. */
const OUTAGE_SECONDS = 60
/** A machine whose disk stands still for longer tells nothing. */
const MAX_STALLED_SECONDS = 20
const MEBIBYTE = 1024 * 1024

const quantile = (numbers: ReadonlyArray<number>, part: number): number => {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

/** The sessions of one process, by its role. */
const ACTIVITY = `
  SELECT count(*)::int AS connections, count(*) FILTER (WHERE wait_event_type = 'Lock')::int AS "lockWaits"
  FROM pg_stat_activity WHERE application_name = 'repayment-of-record' AND usename = $1`

const RECORDS = `
  SELECT count(*)::int AS records, (SELECT count(*)::int FROM unnest($1::uuid[]) AS acknowledged (id)
    WHERE NOT EXISTS (SELECT FROM answer WHERE answer_id = acknowledged.id)) AS lost FROM answer`

const rowOf = <Row extends object>(
  database: string,
  statement: string,
  values: ReadonlyArray<unknown> = []
): Promise<Row> => inDatabase(database, async (pool) => (await pool.query<Row>(statement, [...values])).rows[0]!)

const look = async (metricsPort: number) => {
  const { samples } = await scrape(metricsPort)
  return {
    residentMiB: samples.get("process_resident_memory_bytes")! / MEBIBYTE,
    heapMiB: samples.get("nodejs_heap_size_used_bytes")! / MEBIBYTE,
    handles: samples.get("nodejs_active_handles")!,
    loopDelayP99: samples.get("nodejs_eventloop_delay_p99_seconds")! * 1000
  }
}

/** Starts witnesses in this process; returns the settings that name them. */
const startWitnesses = async (count: number) => {
  const names = Array.from({ length: count }, (_, at) => `w${at + 1}`)
  const lines = names.map(async (name, at) => {
    const { stop, url, verifierKey } = await startWitness(name, at + 1)
    atEnd(stop)
    return `witness ${name} ${verifierKey} ${url}\n`
  })
  const policy = [...(await Promise.all(lines)), `group all all ${names.join(" ")}\n`, "quorum all\n"].join("")
  return { LOG_WITNESSES_TEXT: policy, LOG_WITNESS_SECONDS: "1" }
}

const OWNER = "postgres"

/**
 * Starts service processes on one database: that of the settings, or the first process's own. Each
 * has a role of its own there, so that its sessions can be counted.
 */
const startProcesses = async (
  count: number,
  settings: Readonly<Record<string, string>>,
  administrators: string | undefined
) => {
  const started: Array<{ title: string; base: string; pid: number; metricsPort: number; role: string }> = []
  let databaseUrl = settings["DATABASE_URL"]
  for (let number = 1; number <= count; number++) {
    const metricsPort = await freePort()
    const role = number === 1 ? OWNER : `soak_${number}`
    if (role !== OWNER) await rowOf(administrators ?? databaseUrl!, `CREATE ROLE ${role} SUPERUSER LOGIN`)
    const own = {
      METRICS_PORT: String(metricsPort),
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl.replace(`//${OWNER}@`, `//${role}@`) })
    }
    const { base, databaseUrl: embeddedUrl, pid } = await service({ ...settings, ...own })
    databaseUrl ??= embeddedUrl()
    started.push({ title: count === 1 ? "" : ` (${number})`, base, pid, metricsPort, role })
  }
  return { processes: started, databaseUrl: databaseUrl! }
}

const NAMES = Object.keys(MEASURES) as ReadonlyArray<Measure>
const row = (cells: ReadonlyArray<string>): void => say(cells.map((cell) => cell.padStart(13)).join(""))
const shown = (value: number | null): string => (value === null ? "-" : value.toFixed(value < 100 ? 1 : 0))

/** Prints the medians of a process's samples of a minute. */
const reportMinute = (title: string, samples: ReadonlyArray<Sample>): void => {
  const cells = NAMES.map((name) => {
    const values = samples.flatMap(({ [name]: value }) => (value === null ? [] : [value]))
    return shown(values.length === 0 ? null : medianOf(values))
  })
  row([title, ...cells])
}

const numberOf = (option: string, text: string, least: number, most: number): number => {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Misuse(`--${option} takes a whole number from ${least} to ${most}`)
}

export default async (args: ReadonlyArray<string>) => {
  const options = {
    minutes: { type: "string", default: "5" },
    witnesses: { type: "string", default: "0" },
    processes: { type: "string", default: "1" },
    standby: { type: "boolean", default: false }
  } as const
  const { values } = parseArgs({ args: [...args], options })
  const minutes = numberOf("minutes", values.minutes, 2, MAX_MINUTES)
  const witnesses = numberOf("witnesses", values.witnesses, 0, MAX_WITNESSES)
  const count = numberOf("processes", values.processes, 1, MAX_PROCESSES)

  const pair = values.standby ? await startPair("soak") : undefined
  const settings = {
    SECRET_PEPPER: TEST_PEPPER,
    LOG_SIGNING_KEY: TEST_SIGNING_KEY,
    ...NO_LIMITS,
    ...pair?.environment,
    ...(witnesses > 0 ? await startWitnesses(witnesses) : {}),
    SANDBOX_MONTHLY_CALLS: "1000000000"
  }
  const { databaseUrl, processes } = await startProcesses(count, settings, pair?.primaryUrl())
  const { base } = processes[0]!
  const database = () => pair?.primaryUrl() ?? databaseUrl
  const call = callerOf(base)
  /** The measurements of a process at this moment. */
  const measured = async ({ metricsPort, pid, role }: (typeof processes)[number]) => ({
    ...(await look(metricsPort)),
    ...(await rowOf<Readonly<Record<"connections" | "lockWaits", number>>>(database(), ACTIVITY, [role])),
    descriptors: openFiles(pid)
  })
  await setTimeout(SAMPLE_SECONDS * 1000)
  const watched = await Promise.all(
    processes.map(async (one) => ({ ...one, before: await measured(one), samples: [] as Sample[] }))
  )
  const keys = await Promise.all(Array.from({ length: KEYS }, async () => (await mintOver(call)).apiKey))
  const waitedMillis = () => watched.map(({ pid }) => delayedMillis(pid))
  const moments = (minutes * 60) / SAMPLE_SECONDS
  let disturbed = 0
  let waitedBefore = waitedMillis()
  let kept = ""
  let started = performance.now()
  // A primary that is killed takes the session along.
  const stalls = pair === undefined ? await watchCommits(database()) : undefined
  const traffic = startTraffic(
    processes.map((one) => one.base),
    keys,
    PER_SECOND,
    (due) => stalls?.since(due) === true
  )
  row(["minute", ...NAMES])
  for (let at = 1; at <= moments; at++) {
    await setTimeout(started + at * SAMPLE_SECONDS * 1000 - performance.now())
    const times = traffic.take()
    const inFlight = traffic.inFlight()
    const waited = waitedMillis()
    const waits = waited.map((millis, index) => millis - waitedBefore[index]!)
    const isUndisturbed = Math.max(...waits) / (SAMPLE_SECONDS * 1000) <= MAX_CPU_WAIT_SHARE
    waitedBefore = waited
    if (!isUndisturbed) disturbed++
    for (const one of watched) {
      const { samples, title } = one
      const { loopDelayP99, ...seen } = await measured(one)
      const delays = { loopDelayP99, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
      const own = isUndisturbed ? delays : { loopDelayP99: null, p50: null, p99: null }
      samples.push({ seconds: at * SAMPLE_SECONDS, inFlight, ...seen, ...own })
      if (at % PER_MINUTE === 0) reportMinute(`${at / PER_MINUTE}${title}`, samples.slice(-PER_MINUTE))
    }
    if (pair !== undefined && at === moments / 2) {
      const begun = performance.now()
      await step("the primary is killed, its standby promoted and given a standby of its own", async () => {
        kept = await (await call("GET", "/log/checkpoint")).text()
        traffic.allowRefusals(OUTAGE_SECONDS)
        await pair.failOver()
      })
      started += performance.now() - begun
      waitedBefore = waitedMillis()
    }
  }
  await traffic.stop()
  await stalls?.stop()

  await step("each process comes back to the connections and handles that it began with", async () => {
    await setTimeout(QUIET_SECONDS * 1000)
    const texts: Array<string> = []
    for (const one of watched) {
      const { before, title } = one
      const { connections, handles } = await measured(one)
      texts.push(`${connections} of ${before.connections} connections, ${handles} of ${before.handles} handles${title}`)
      insist(connections <= before.connections && handles <= before.handles, texts.at(-1)!)
    }
    return texts.join(", ")
  })
  const { all, late, left, refused, unsent } = traffic.answered()
  await step("every answer has its record, and no record is without a caller", async () => {
    const recorded = traffic.answerIds.length
    const { lost, records } = await rowOf<Readonly<Record<"lost" | "records", number>>>(database(), RECORDS, [
      traffic.answerIds
    ])
    insist(lost === 0, `${lost} of ${recorded} answers have no record`)
    insist(records >= recorded && records <= recorded + left + refused, `${records} records of ${recorded} answers`)
    return `${all} answers and ${left} callers that left; ${recorded} answers with a record, ${records} records`
  })
  await step("every answer has the expected status", () => {
    const unexpected = [...traffic.unexpected].map(([what, times]) => `${times} times ${what}`)
    insist(unexpected.length === 0, unexpected.join("\n"))
    if (stalls === undefined)
      return refused === 0
        ? ""
        : `${refused} times 503, for ${traffic.refusedFor().toFixed(1)} s after the primary's end`
    insist(stalls.seconds() <= MAX_STALLED_SECONDS, `the database stood still for ${stalls.seconds()} s`)
    return `${refused} times 503, while the database stood still for ${stalls.seconds().toFixed(1)} s`
  })
  if (pair !== undefined)
    await step("the log contains every record and continues that of the lost primary", () => pair.auditLog(kept))
  if (witnesses > 0)
    await step("every witness has seen the newest checkpoint, and none ever failed to cosign", async () => {
      const signed = await (await fetch(`${base}/log/checkpoint`)).text()
      await until(async () => {
        const response = await fetch(`${base}/log/checkpoint/witnessed`)
        return response.ok && Number((await response.text()).split("\n")[1]) >= Number(signed.split("\n")[1])
      })
      const scrapes = await Promise.all(watched.map(({ metricsPort }) => scrape(metricsPort)))
      const all = scrapes.flatMap(({ samples }) => [...samples])
      const failed = all.filter(([name, count]) => name.startsWith("log_witness_failures_total") && count > 0)
      insist(failed.length === 0, failed.map((one) => one.join(" ")).join("\n"))
      const rounds = all.filter(([name]) => name === "log_witness_rounds_total")
      return `${rounds.reduce((sum, [, count]) => sum + count, 0)} rounds`
    })
  say(`delays of ${disturbed} of ${moments} samples are not judged, because the machine was busy`)
  say(`${unsent} requests were not sent, and ${late} timed out, because this process was not let run\n`)
  for (const { samples, title } of watched) {
    row([`half 2${title}`, "median", "growth", "allowed"])
    await step(`no measurement${title} grows by more than allowed`, () => {
      const trends = trendsOf(samples)
      for (const { bound, growth, measure, median } of trends)
        row([measure, shown(median), shown(growth), shown(bound)])
      const growing = trends.filter(({ isFlat }) => !isFlat).map(({ measure }) => measure)
      insist(growing.length === 0, `${growing.join(", ")} grow`)
    })
  }
}
